package prescriptions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"bencao/mappings/patterns"
	"bencao/names/han"
	"bencao/names/herb/written"
	"bencao/store"
)

// Base is what prescriptions are read by and compared with: the drugs and the formulas of a
// snapshot. It is safe for concurrent use.
type Base struct {
	reader   *written.Reader
	names    *written.Names
	drugs    []drug         // by record number
	byName   map[string]int // folded standard name → index of drugs
	byID     map[string]int
	folk     map[string][]int
	all      []known
	engine   *patterns.Engine
	formulas []formula // by record number
}

// drug is a herb record of the snapshot.
type drug struct {
	id, name string
	// of is the drug as which a processed form counts, or a part of which a book says that it is one: 归尾
	// is 当归, but 桃仁 is not 桃. It is the drug itself for others.
	of                 int
	how                string // relation to the drugs of which it is a variant, or ""
	species, authority string
	formulas           int32
	sources            []source
	noPlant            bool
}

// known is a name of a drug that a miswritten name may mean.
type known struct {
	name string // folded
	drug int
}

// formula is a formula of the snapshot.
type formula struct {
	guid, name, book string
	year             *int32
	incomplete       bool // the text names drugs that no ingredient is
}

// OpenBase reads the drugs and the formulas of a snapshot, in which engine counts. The base does not
// use tx later.
func OpenBase(tx *store.Tx, engine *patterns.Engine) (*Base, error) {
	b := &Base{byName: map[string]int{}, byID: map[string]int{}, folk: map[string][]int{}, engine: engine}
	details := make([]store.HerbDetail, tx.Count(store.TableHerbs))
	for n := range details {
		d := &details[n]
		if err := json.Unmarshal(tx.HerbDetail(store.Num(n)).Append(nil, "", store.Composition), d); err != nil {
			return nil, fmt.Errorf("herb %d: %w", n, err)
		}
		one := drug{id: d.GUID, name: d.Name, of: n, formulas: d.Formulas, noPlant: d.NoPlant}
		one.addSources(d)
		b.drugs = append(b.drugs, one)
		b.byID[d.GUID] = n
		if _, twice := b.byName[han.Fold(d.Name)]; !twice {
			b.byName[han.Fold(d.Name)] = n
		}
	}
	for n := range details {
		for i, v := range details[n].VariantOf {
			if i == 0 {
				b.drugs[n].how = v.How
			}
			if of, ok := b.byID[v.GUID]; ok && b.drugs[n].of == n && (v.How == processed || v.How == part && v.Source != "") {
				b.drugs[n].of = of
			}
		}
	}
	for n := range b.drugs { // 熟地炭 is made from 熟地黄, which is made from 生地黄
		for range longestChain {
			b.drugs[n].of = b.drugs[b.drugs[n].of].of
		}
	}
	b.names = written.New(written.Sources{Listed: b.listed(details), Standard: written.StandardNames, Written: func(func(string) bool) {}, Own: written.OwnNames})
	for n := range details {
		for _, name := range details[n].Names {
			key := han.Fold(name.Name)
			switch {
			case name.Kind == "folk":
				b.folk[key] = append(b.folk[key], n)
			case !name.Dated():
				b.all = append(b.all, known{key, n})
			}
		}
	}
	called := map[string]bool{}
	b.formulas = make([]formula, tx.Count(store.TableFormulas))
	for n := range b.formulas {
		var f store.FormulaSummary
		if err := json.Unmarshal(tx.FormulaSummary(store.Num(n)).Append(nil, "", 0), &f); err != nil {
			return nil, fmt.Errorf("formula %d: %w", n, err)
		}
		var in struct{ Unlisted []string }
		if err := json.Unmarshal(tx.FormulaDetail(store.Num(n), store.Composition).Append(nil, "", store.Composition), &in); err != nil {
			return nil, fmt.Errorf("formula %d: %w", n, err)
		}
		b.formulas[n] = formula{f.GUID, string(f.Name), string(f.OriginalSource), f.Year, len(in.Unlisted) > 0}
		called[han.Fold(string(f.Name))] = true
	}
	b.reader = written.NewReader(b.names, func(name string) bool { return called[name] })
	return b, nil
}

// The relations of a drug to those of which it is a variant.
const processed, part, broader = "processed", "part", "broader"

// longestChain is the largest number of steps from a processed form to its drug.
const longestChain = 4

// listed yields the names of the records, each with the standard name of its drug. A folk name is none,
// nor is one that depends on the year.
func (b *Base) listed(details []store.HerbDetail) iter.Seq[written.Listed] {
	return func(yield func(written.Listed) bool) {
		for i := range details {
			d := &details[i]
			if !yield(written.Listed{Herb: d.Name, Plain: d.Name}) {
				return
			}
			for _, n := range d.Names {
				if _, own := b.byName[han.Fold(n.Name)]; own || n.Kind == "folk" || n.Dated() {
					continue
				}
				if !yield(written.Listed{Herb: n.Name, Plain: d.Name}) {
					return
				}
			}
		}
	}
}

// addSources adds the source species that count in formulas, and who says so.
func (d *drug) addSources(of *store.HerbDetail) {
	var names, books []string
	for _, s := range of.Species {
		if !s.Counted {
			continue
		}
		names = append(names, string(s.ScientificName))
		d.sources = append(d.sources, source{s.GUID, string(s.ChineseName), string(s.ScientificName), string(s.Part), string(s.Authority)})
		for _, e := range s.Evidence {
			book := cmp.Or(string(e.Source), e.By)
			if e.Edition != "" {
				book += " (" + string(e.Edition) + ")"
			}
			if !slices.Contains(books, book) {
				books = append(books, book)
			}
		}
	}
	d.species, d.authority = strings.Join(names, "; "), strings.Join(books, "; ")
}
