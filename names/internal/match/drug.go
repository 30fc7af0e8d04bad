package match

import (
	"slices"
	"strings"

	"bencao/names/drug"
	"bencao/names/han"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// drugNamed is a text that was read as the name of a drug.
type drugNamed struct {
	name    string // Chinese; empty when only rules read it
	latin   string
	kind    string
	reading drug.Reading
	alias   bool // one of its other names
	loose   bool // another part of the plant
	unsure  bool
	sources []uint32 // usages of its species that the checklists have; none for what is no plant
	// listed is how many of sources say alone whether the drug is the plant that
	// bears its name; 0 is all.
	listed int
}

// isPlant says whether the drug is one that may have species.
func (d *drugNamed) isPlant() bool { return d.kind == string(drug.Plant) }

// labels are the plants that the drug leads to, as names that are not the
// plants' own.
func (d *drugNamed) labels() []labelled {
	var all []labelled
	for _, u := range d.sources {
		all = append(all, labelled{u, file.LabelAlias})
	}
	return all
}

// noPlant is the kind of what the package knows as no plant, without saying
// what it is.
const noPlant = "noPlant"

// druggist looks up for a question which drug a name is, and which species of it
// the checklists have.
type druggist struct{ question }

// chineseDrug reads a Chinese name as that of a drug. whole says that words of
// processing and parts are not cut off: the text is a name as it stands.
func (q druggist) chineseDrug(text string, whole bool) (*drugNamed, bool) {
	if q.foreign || han.Noted(text) {
		return nil, false // 丹参（原变种） is a name of floras
	}
	for _, r := range drug.Readings(text) {
		if whole && !r.Uncut() {
			break
		}
		if d, ok := q.drugOf(r); ok {
			q.steps.note("drug: ", d.name, " (", d.kind, "), read as ", r.Base)
			return d, true
		}
	}
	return nil, false
}

// drugOf looks a reading up: in the package's table of drugs first, then in
// ours, whose other species follow. Where the package's species is none of those
// that the pharmacopoeia has under the very name, the pharmacopoeia's come
// first. What the package knows as no plant has none.
func (q druggist) drugOf(r drug.Reading) (*drugNamed, bool) {
	known := drug.LookupReading(r)
	herbs := q.labels(file.LabelKey(file.LabelHerb, r.Base), func(text string, kind uint32) bool { return kind >= file.LabelHerb && text == r.Base })
	d, ok := q.tabled(known)
	if len(herbs) == 0 {
		return d, ok
	}
	own := &drugNamed{name: r.Base, kind: noPlant, reading: r}
	for _, h := range herbs {
		if h.kind == file.LabelHerb {
			own.kind = string(drug.Plant)
			own.sources = append(own.sources, h.usage)
		}
	}
	switch {
	case !ok:
	case own.isPlant() && d.isPlant():
		own.name, own.latin = d.name, d.latin
		shared := slices.ContainsFunc(own.sources, func(u uint32) bool { return q.leads(d.sources, u) || sourceOf(known, q.Name(u)) })
		own.listed = len(own.sources)
		first, then := own.sources, d.sources
		if !shared && !d.alias && !d.unsure {
			first, then = then, first
			own.listed = len(first)
		}
		own.sources = slices.Clone(first)
		for _, s := range then {
			if !q.leads(first, s) {
				own.sources = append(own.sources, s)
			}
		}
	case !own.isPlant() && !d.isPlant():
		own.name, own.latin, own.kind = d.name, d.latin, d.kind
	}
	return own, true
}

// sourceOf says whether a species, or the species of a name below it, is a source
// of one of the drugs.
func sourceOf(found []drug.Match, name string) bool {
	want := binomial(name)
	return slices.ContainsFunc(found, func(f drug.Match) bool {
		return slices.ContainsFunc(f.Species, func(s drug.Species) bool {
			return slices.ContainsFunc(s.Names, func(n string) bool { return binomial(n) == want })
		})
	})
}

// binomial is genus and epithet of a name.
func binomial(name string) string {
	genus, rest, _ := strings.Cut(strings.ReplaceAll(name, "× ", ""), " ")
	epithet, _, _ := strings.Cut(rest, " ")
	return genus + " " + epithet
}

// leads says whether one of usages leads to the taxon of a usage.
func (v view) leads(usages []uint32, usage uint32) bool {
	return slices.ContainsFunc(usages, func(u uint32) bool { return v.Usages[u].Concept == v.Usages[usage].Concept })
}

// tabled makes one answer of what the table has for a name: of plants, as far
// as there are any.
func (q druggist) tabled(found []drug.Match) (*drugNamed, bool) {
	if len(found) == 0 {
		return nil, false
	}
	plants := slices.DeleteFunc(slices.Clone(found), func(f drug.Match) bool { return !f.IsPlant() })
	if len(plants) == 0 {
		plants = found
	}
	f := plants[0]
	d := &drugNamed{
		name: f.Name, kind: string(f.Kind), reading: f.Reading, alias: f.Alias, loose: f.PartDiffers,
		unsure: f.Unsure || f.Alias && len(found) > 1 && !oneSpecies(found),
	}
	if len(f.Latin) > 0 {
		d.latin = f.Latin[0]
	}
	if !d.isPlant() {
		return d, true
	}
	for _, f := range plants {
		for _, s := range f.Species {
			if u, ok := q.species(s.Names); ok && !q.leads(d.sources, u) {
				d.sources = append(d.sources, u)
			}
		}
	}
	return d, true
}

// oneSpecies says whether drugs come from the same plants: 生姜 and 干姜.
func oneSpecies(found []drug.Match) bool {
	for _, f := range found {
		if len(f.Species) == 0 || len(found[0].Species) == 0 || f.Species[0].Names[0] != found[0].Species[0].Names[0] {
			return false
		}
	}
	return true
}

// species finds a species by its names: the first that leads to a species of the
// database, else the first that is placed, else the first.
func (q druggist) species(names []string) (usage uint32, ok bool) {
	best := 0
	for _, name := range names {
		if u, worth := q.speciesNamed(name); worth > best {
			best, usage = worth, u
		}
	}
	return usage, best > 0
}

// speciesNamed finds a species by one name, and says what that is worth: 3 for a
// species of the database, 2 for a name that is placed, 0 for none. Of homonyms
// that are worth the same it takes the accepted one.
func (q druggist) speciesNamed(name string) (usage uint32, best int) {
	key, _ := spelling.AppendKey(nil, name)
	first, known := q.FindKey(key)
	if !known {
		return 0, 0
	}
	n := parse.Name{Canonical: name, Rank: spelling.RankOf(name)}
	f := finder{view: q.view, name: &n, cited: &q.buf.cited, buf: q.buf}
	for _, c := range f.fromKey(nil, first, &n, difference{like: exact}) {
		worth := 1
		switch {
		case q.inDatabase(c.concept):
			worth = 3
		case q.placed(&c):
			worth = 2
		}
		if worth > best || worth == best && q.accepted(c.usage) && !q.accepted(usage) {
			best, usage = worth, c.usage
		}
	}
	return usage, best
}
