package match

import (
	"slices"
	"strings"

	"bencao/names/drug"
	"bencao/names/han"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
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

// chineseDrug reads a Chinese name as that of a drug. whole says that words of
// processing and parts are not cut off: the text is a name as it stands.
func (q question) chineseDrug(text string, whole bool) *drugNamed {
	if q.foreign || han.Noted(text) {
		return nil // 丹参（原变种） is a name of floras
	}
	for _, r := range drug.Readings(text) {
		if whole && !r.Uncut() {
			break
		}
		if d := q.drugOf(r); d != nil {
			q.steps.note("drug: ", d.name, " (", d.kind, "), read as ", r.Base)
			return d
		}
	}
	return nil
}

// drugOf looks a reading up: in the package's table of drugs first, then in
// ours, whose other species follow. Where the package's species is none of those
// that the pharmacopoeia has under the very name, the pharmacopoeia's come
// first. What the package knows as no plant has none.
func (q question) drugOf(r drug.Reading) *drugNamed {
	known := drug.LookupReading(r)
	herbs := q.labels(file.LabelKey(file.LabelHerb, r.Base), func(text string, kind uint32) bool { return kind >= file.LabelHerb && text == r.Base })
	d := q.tabled(known)
	if len(herbs) == 0 {
		return d
	}
	own := &drugNamed{name: r.Base, kind: noPlant, reading: r}
	for _, h := range herbs {
		if h.kind == file.LabelHerb {
			own.kind = string(drug.Plant)
			own.sources = append(own.sources, h.usage)
		}
	}
	switch {
	case d == nil:
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
	return own
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
func (q question) tabled(found []drug.Match) *drugNamed {
	if len(found) == 0 {
		return nil
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
		return d
	}
	for _, f := range plants {
		for _, s := range f.Species {
			if u, ok := q.species(s.Names); ok && !q.leads(d.sources, u) {
				d.sources = append(d.sources, u)
			}
		}
	}
	return d
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
func (q question) species(names []string) (usage uint32, ok bool) {
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
func (q question) speciesNamed(name string) (usage uint32, best int) {
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

// What the name of a drug is worth, as the share of judged names of its kind
// that led to a species of the drug. Several species of a drug are right alike:
// which of them is in hand the name does not say, and the entries are
// ambiguous. TestDrugs measures the shares.
const (
	drugScore      = 0.95
	drugSeveral    = 0.85 // each of several species
	drugAlias      = 0.80 // by another name of the drug
	drugRule       = 0.90 // Latin, by the rules of declension alone
	drugBesides    = 0.50 // further species of a drug, beside the plant that bears its name
	drugUnsure     = 0.50 // the table says that it is unsure, or several drugs bear the name
	drugDiffers    = 0.75 // a plant bears the name that is not the drug's
	drugPlant      = 0.70 // that plant
	drugCut        = 0.05 // what a name loses that words were cut off
	drugOtherPart  = 0.20 // what a name loses that asks for another part of the plant
	drugStep       = 1e-4 // keeps the order of the table, below what is rounded away
	drugSeveralSum = 0.15 // what an alias loses for several species
)

// plantsAndDrug answers what is the name of a drug, of plants, or of both; labels
// are the plants that bear it. most bounds each score.
func (q question) plantsAndDrug(r result, d *drugNamed, labels []labelled, most float64) result {
	r.drug = d
	if !d.isPlant() {
		q.steps.note("this drug is no plant")
		return r
	}
	plants := q.weighLabels(labels, false)
	named := len(labels) > 0 && labels[0].kind != file.LabelAlias
	deciding := d.sources
	if d.listed > 0 {
		deciding = deciding[:d.listed]
	}
	same := slices.ContainsFunc(labels, func(l labelled) bool { return q.leads(deciding, l.usage) })
	score, reason, flags := d.worth(), "name of a drug", vocabulary.Flags(0)
	r.via = vocabulary.ViaDrugName
	switch {
	case same && (named || d.alias):
		// The plant bears the name itself; what else the drug comes from follows.
		r.via = labelVia(labels)
		score, reason = drugBesides, "another species of the drug"
	case named && (d.alias || len(d.sources) == 0):
		r.via = labelVia(labels)
		score, flags = min(score, drugBesides), vocabulary.DrugDiffers
	case named:
		score, flags = min(score, drugDiffers), vocabulary.DrugDiffers
		capScores(plants, drugPlant)
	case len(d.sources) > 0:
		capScores(plants, drugBesides) // an alias of another plant
	}
	all := slices.Clone(plants)
	for i := range all {
		all[i].flags |= flags
	}
	for i, u := range d.sources {
		s := q.scored(q.candidateOf(u))
		s.flags = flags
		s.add(reason, score-float64(i)*drugStep)
		all = append(all, s)
	}
	capScores(all, most)
	if len(all) == 0 {
		q.steps.note("no checklist has a species of this drug")
		r.via = vocabulary.ViaNone
	}
	r.candidates = q.order(all, false)
	return r
}

// capScores takes away what scores have above most.
func capScores(all []scored, most float64) {
	for i := range all {
		all[i].cap("the name is a drug's", most)
	}
}

// worth is what the name of the drug is worth for each of its species.
func (d *drugNamed) worth() float64 {
	score := drugScore
	switch {
	case d.alias && len(d.sources) > 1:
		score = drugAlias - drugSeveralSum
	case d.alias:
		score = drugAlias
	case len(d.sources) > 1:
		score = drugSeveral
	}
	if d.reading.Base != "" && !d.reading.Uncut() {
		score -= drugCut
	}
	if d.loose {
		score -= drugOtherPart
	}
	if d.unsure {
		score = min(score, drugUnsure)
	}
	return score
}

// labelVia says which kind of Chinese name led to plants.
func labelVia(labels []labelled) string {
	if labels[0].kind == file.LabelAlias {
		return vocabulary.ViaChineseAlias
	}
	return vocabulary.ViaChineseName
}

// isDrugLatin says whether a text is pharmaceutical Latin.
func isDrugLatin(text string) bool {
	l, ok := drug.ParseLatin(text)
	return ok || len(l.Lookup()) > 0
}

// latinDrug matches a text as pharmaceutical Latin, by the table of drugs or by the
// rules of Latin. It reports false for any other text. It never corrects a
// genitive: a name that neither knows has no candidates.
func (q question) latinDrug(text string) (result, bool) {
	l, isLatin := drug.ParseLatin(text)
	r := nothing(text)
	d := q.tabled(l.Lookup())
	switch {
	case d != nil:
		q.steps.note("drug: ", d.latin, ", ", d.name, " (", d.kind, ")")
		r = q.plantsAndDrug(r, d, nil, 1)
	case isLatin && l.Product:
		q.steps.note("drug: part of an animal or mineral")
	case isLatin:
		r = q.byRule(r, text, l)
	}
	return r, d != nil || isLatin
}

// byRule answers pharmaceutical Latin that the table lacks: the text as it
// stands, if it is a name; then the species and genera that the genitive may
// come from; then what is left without the part, if that is a name.
func (q question) byRule(r result, text string, l drug.LatinName) result {
	q.query.NoFuzzy = true
	if plain := q.scientific(q.buf.parser.Parse(text)); q.namesSpecies(plain) {
		plain.oneName = false
		return plain
	}
	var all []scored
	q.steps.back(0)
	for _, name := range l.Nominatives(func(name string) bool { _, ok := q.FindKey([]byte(name)); return ok }) {
		u, ok := q.species([]string{name})
		if !ok {
			continue
		}
		q.steps.note("drug: ", strings.Join(l.Stem, " "), " may be of ", name)
		s := q.scored(q.candidateOf(u))
		if strings.Contains(name, " ") {
			s.add("name of a drug, by the rules of Latin", drugRule)
		} else {
			s.like, s.up = higherRank, 2
			s.add("genus of a drug", scoreGenus)
		}
		all = append(all, s)
	}
	if len(all) > 0 {
		r.via = vocabulary.ViaDrugName
		if all[0].like == higherRank {
			r.via = vocabulary.ViaHigherRank
		}
		r.candidates = q.order(all, false)
		return r
	}
	if len(l.Stem) < 2 {
		return r
	}
	stem := strings.ToUpper(l.Stem[0][:1]) + strings.Join(l.Stem, " ")[1:]
	without := q.scientific(q.buf.parser.Parse(stem))
	if len(without.candidates) == 0 || without.via == vocabulary.ViaHigherRank {
		return r
	}
	without.annotated, without.oneName = true, false
	return without
}
