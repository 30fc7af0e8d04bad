package made

import (
	"bufio"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/names/pinyin"
)

// taxon is a species of the package. Its entry id is its index plus one.
type taxon struct {
	name    int32 // index of a name of WCVP
	chinese string
}

// species makes the species of the package, with their synonyms, other names and entries in floras.
// It also writes the checklist of Chinese names.
func (m *maker) species() error {
	m.take(random("species"), m.of(fullSpecies))
	for _, write := range []func(*rand.Rand) error{m.writeSpecies, m.writeSynonyms, m.writeAliases, m.writeFlora, m.writeChina} {
		if err := write(random("species rows")); err != nil {
			return err
		}
	}
	return nil
}

// take selects want species for the package. It selects half of the species of the native genera.
// If these are too few, it adds half of the species of the other genera.
func (m *maker) take(r *rand.Rand, want int) {
	seen := map[string]bool{}
	for pass := 0; pass < 2 && len(m.taken) < want; pass++ {
		for i := range m.names {
			n := &m.names[i]
			g := &m.genera[n.genus]
			if int(n.accepted) != i || g.native != (pass == 0) || r.IntN(2) == 0 || len(m.taken) == want {
				continue
			}
			t := taxon{name: int32(i)}
			if r.Float64() < 0.93 {
				t.chinese = g.chinese
				for tries := 0; seen[t.chinese] && tries < 4; tries++ {
					t.chinese = m.modifier(r) + g.chinese
				}
				seen[t.chinese] = true
			}
			m.taken = append(m.taken, t)
		}
	}
}

// modifier returns the words before the noun in a species' Chinese name.
func (m *maker) modifier(r *rand.Rand) string {
	l := m.words.lists
	switch x := r.IntN(10); {
	case x < 2:
		return early(r, l["place"])
	case x < 5:
		return early(r, l["first"])
	case x < 9:
		return early(r, l["first"]) + early(r, l["second"])
	default:
		return string(one(r, m.words.signs)) + early(r, l["second"])
	}
}

// aloud returns the pinyin of a name, from the first reading of each character.
func aloud(name string) string {
	var out []string
	for _, r := range name {
		if all := pinyin.Readings(r); len(all) > 0 {
			out = append(out, all[0])
		}
	}
	return strings.Join(out, " ")
}

func (m *maker) writeSpecies(r *rand.Rand) error {
	return m.table("species", func(add func(...string)) {
		for i := range m.taken {
			t := &m.taken[i]
			n := &m.names[t.name]
			g := &m.genera[n.genus]
			reading := ""
			if t.chinese != "" && r.IntN(2) == 0 {
				reading = aloud(t.chinese)
			}
			add(number(i+1), datapackage.GUID("species", int32(i+1)), t.chinese, reading, m.full(n), n.author, strings.ToLower(n.rank), g.family, g.familyChinese, g.name, g.chinese+"属", "")
		}
	})
}

// writeSynonyms writes the synonyms that WCVP has for the species.
func (m *maker) writeSynonyms(*rand.Rand) error {
	return m.table("synonyms", func(add func(...string)) {
		id := 0
		for i := range m.taken {
			for k := int(m.taken[i].name) + 1; k < len(m.names) && m.names[k].accepted == m.taken[i].name; k++ {
				id++
				n := &m.names[k]
				add(number(id), number(i+1), m.full(n), n.author, strings.ToLower(n.rank), "synonym")
			}
		}
	})
}

func (m *maker) writeAliases(r *rand.Rand) error {
	return m.table("aliases", func(add func(...string)) {
		for i := range m.taken {
			for x := r.Float64(); x < 0.5 && m.taken[i].chinese != ""; x = r.Float64() {
				add(number(i+1), m.modifier(r)+m.noun(r), "alias", "FRPS")
			}
		}
	})
}

func (m *maker) writeFlora(r *rand.Rand) error {
	return m.table("flora", func(add func(...string)) {
		id := 0
		for i := range m.taken {
			n := &m.names[m.taken[i].name]
			for _, flora := range []string{"FRPS", "FOC", "FRPS"}[r.IntN(2):] {
				id++
				add(number(id), number(i+1), flora, m.full(n)+" "+n.author, m.taken[i].chinese, number(1+r.IntN(80)), number(1+r.IntN(600)), "")
			}
		}
	})
}

// writeChina writes the checklist of Chinese names.
func (m *maker) writeChina(*rand.Rand) error {
	return m.file(filepath.Join(ChinaDir, "china.csv"), func(w *bufio.Writer) error {
		writeCSV(w, []string{"物种拉丁名", "物种中文名", "界拉丁名", "界中文名", "科拉丁名", "科中文名", "属拉丁名", "属中文名"})
		for i := range m.taken {
			n := &m.names[m.taken[i].name]
			g := &m.genera[n.genus]
			if m.taken[i].chinese != "" {
				writeCSV(w, []string{m.full(n), m.taken[i].chinese, "Plantae", "植物界", g.family, g.familyChinese, g.name, g.chinese + "属"})
			}
		}
		return nil
	})
}

// known draws a species. A few well-known species are drawn most often.
func (m *maker) known(r *rand.Rand, z *zipf) int {
	// The multiplication spreads the best-known species over all genera.
	return z.draw(r) * 7919 % len(m.taken)
}

// herbSpecies writes one species for each herb, for nine herbs in ten.
func (m *maker) herbSpecies() error {
	r := random("herb_species")
	z := newZipf(len(m.taken), 0.8, 1)
	return m.table("herb_species", func(add func(...string)) {
		for _, herb := range m.words.herbs {
			if r.IntN(10) > 0 {
				add(herb, number(m.known(r, z)+1), "root", "", "true", "", "", "")
			}
		}
	})
}
