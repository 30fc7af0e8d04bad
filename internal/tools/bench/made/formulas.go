package made

import (
	"math/rand/v2"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
)

// newName is the share of formulas whose name no earlier formula has.
const newName = 0.5

// recipe is the name of a formula and its herbs. Herbs are indexes of [words].herbs.
type recipe struct {
	name  string
	herbs []int
}

// formulas makes formulas and their ingredients. Half of the formulas have the name of an earlier
// formula and most of its herbs. The more often a name occurs, the more likely it is used again.
func (m *maker) formulas() error {
	r := random("formulas")
	list := make([]recipe, 0, m.of(fullFormulas))
	for len(list) < cap(list) {
		if len(list) == 0 || r.Float64() < newName {
			list = append(list, m.recipe(r))
			continue
		}
		list = append(list, m.varied(r, list[r.IntN(len(list))]))
	}
	var ingredients [][]string
	err := m.table("formulas", func(add func(...string)) {
		from := m.sample.column["formulas"]
		for i, f := range list {
			var text strings.Builder
			for k, h := range f.herbs {
				dose, note := early(r, m.words.lists["dose"]), ""
				if r.IntN(3) == 0 {
					note = early(r, m.words.lists["note"])
				}
				ingredients = append(ingredients, []string{number(i + 1), number(k + 1), m.words.herbs[h], dose, note, ""})
				if k > 0 {
					text.WriteByte(' ')
				}
				text.WriteString(m.words.herbs[h] + "（" + strings.TrimPrefix(note+"，", "，") + dose + "）")
			}
			book := r.IntN(len(from["name"]))
			efficacy := ""
			if r.IntN(4) == 0 {
				efficacy = m.prose(r, 2)
			}
			add(number(i+1), datapackage.GUID("formulas", int32(i+1)), f.name, "", text.String(), efficacy, m.prose(r, 3+r.IntN(9)), m.prose(r, r.IntN(14)),
				from["dynasty"][book], from["year"][book], from["original_author"][book], from["original_source"][book], from["compilation"][book], "")
		}
	})
	if err != nil {
		return err
	}
	return m.table("formula_ingredients", func(add func(...string)) {
		for _, row := range ingredients {
			add(row...)
		}
	})
}

// recipe makes a formula with a new name.
func (m *maker) recipe(r *rand.Rand) recipe {
	var f recipe
	// A formula has nine herbs on average, rarely one and rarely thirty.
	for n := 1 + int(r.ExpFloat64()*3.5+r.Float64()*7.5); len(f.herbs) < min(n, 40); {
		if h := m.words.herbZipf.draw(r); !slices.Contains(f.herbs, h) {
			f.herbs = append(f.herbs, h)
		}
	}
	l := m.words.lists
	first := m.words.herbs[f.herbs[0]]
	form := early(r, l["form"])
	switch r.IntN(8) {
	case 0, 1:
		f.name = first + form
	case 2:
		f.name = early(r, l["effect"]) + form
	case 3:
		f.name = early(r, l["number"]) + first + form
	case 4:
		f.name = early(r, l["effect"]) + first + form
	case 5:
		f.name = early(r, l["number"]) + early(r, l["effect"]) + form
	case 6:
		f.name = first + m.words.herbs[f.herbs[len(f.herbs)-1]] + form
	default:
		f.name = early(r, l["effect"]) + early(r, l["effect"]) + form
	}
	return f
}

// varied returns another formula of the same name, with some herbs removed and some added.
func (m *maker) varied(r *rand.Rand, of recipe) recipe {
	f := recipe{name: of.name}
	for _, h := range of.herbs {
		if r.IntN(5) > 0 {
			f.herbs = append(f.herbs, h)
		}
	}
	for range 1 + r.IntN(4) {
		if h := m.words.herbZipf.draw(r); !slices.Contains(f.herbs, h) {
			f.herbs = append(f.herbs, h)
		}
	}
	return f
}

// prose makes a text of the given number of clauses. One character of each clause is changed, so
// that there are as many different clauses as in books.
func (m *maker) prose(r *rand.Rand, clauses int) string {
	var b strings.Builder
	for i := range clauses {
		c := []rune(one(r, m.words.clauses))
		c[r.IntN(len(c))] = one(r, m.words.signs)
		b.WriteString(string(c))
		if i%3 == 2 || i == clauses-1 {
			b.WriteString("。")
		} else {
			b.WriteString("，")
		}
	}
	return b.String()
}
