package match

import (
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/names/drug"
	"bencao/names/han"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

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

// isDrugLatin says whether a text is pharmaceutical Latin.
func isDrugLatin(text string) bool {
	l, ok := drug.ReadLatin(text)
	return ok || len(l.Known()) > 0
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
	for _, r := range drug.Read(text) {
		if whole && !r.Whole() {
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
	known := drug.Named(r)
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
func sourceOf(found []drug.Found, name string) bool {
	want := binomial(name)
	return slices.ContainsFunc(found, func(f drug.Found) bool {
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
func (q druggist) tabled(found []drug.Found) (*drugNamed, bool) {
	if len(found) == 0 {
		return nil, false
	}
	plants := slices.DeleteFunc(slices.Clone(found), func(f drug.Found) bool { return !f.IsPlant() })
	if len(plants) == 0 {
		plants = found
	}
	f := plants[0]
	d := &drugNamed{
		name: f.Name, kind: string(f.Kind), reading: f.Reading, alias: f.Alias, loose: f.Loose,
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
func oneSpecies(found []drug.Found) bool {
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
	f := finder{view: q.view, name: &n, cited: &cited{}, buf: q.buf}
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

// answerDrug answers what is the name of a drug, of plants, or of both; labels
// are the plants that bear it. most bounds each score.
func (q question) answerDrug(r vocabulary.Response, d *drugNamed, labels []labelled, most float64) vocabulary.Response {
	r.DrugName, r.DrugLatin, r.DrugKind = null.Text(d.name), null.Text(d.latin), null.Text(d.kind)
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
	r.MatchedVia = vocabulary.ViaDrugName
	switch {
	case same && (named || d.alias):
		// The plant bears the name itself; what else the drug comes from follows.
		r.MatchedVia = labelVia(labels)
		score, reason = drugBesides, "another species of the drug"
	case named && (d.alias || len(d.sources) == 0):
		r.MatchedVia = labelVia(labels)
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
		c := candidate{usage: u, concept: q.Usages[u].Concept, author: author.NotGiven, homonym: 1, flags: flags}
		t := tally{explain: q.steps != nil}
		t.add(reason, score-float64(i)*drugStep)
		all = append(all, scored{candidate: c, score: t.score, parts: t.parts})
	}
	capScores(all, most)
	if len(all) == 0 {
		q.steps.note("no checklist has a species of this drug")
		r.MatchedVia = vocabulary.ViaNone
		return r
	}
	q.buf.scored = all
	r.Results = q.entries(q.order(all, false), q.query.Limit)
	return r
}

// capScores takes away what scores have above most.
func capScores(all []scored, most float64) {
	for i := range all {
		t := tally{score: all[i].score, parts: all[i].parts, explain: all[i].parts != nil}
		t.cap("the name is a drug's", most)
		all[i].score, all[i].parts = t.score, t.parts
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
	if d.reading.Base != "" && !d.reading.Whole() {
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

// latinDrug answers a text that is pharmaceutical Latin, or a scientific name
// with words of parts. It reports false for any other text, and for a name that
// the checklists have as it stands. A genitive is never mended: what is neither
// in the table nor a name by the rules is answered with none.
func (q question) latinDrug(text string) (r vocabulary.Response, ok bool) {
	if q.foreign {
		return r, false
	}
	text, _ = parse.Clean(text)
	l, isLatin := drug.ReadLatin(text)
	r = nothing(text)
	if d, ok := (druggist{q}).tabled(l.Known()); ok {
		q.steps.note("drug: ", d.latin, ", ", d.name, " (", d.kind, ")")
		return q.answerDrug(r, d, nil, 1), true
	}
	switch {
	case isLatin && l.Product:
		q.steps.note("drug: part of an animal or mineral")
		return r, true
	case isLatin:
		return q.byRule(r, text, l), true
	}
	rest, parts := drug.CutEnglish(text)
	if len(parts) == 0 {
		return r, false
	}
	q.steps.note("set aside: ", strings.Join(parts, " "))
	r, _ = q.text(rest)
	return annotated(r), true
}

// byRule answers pharmaceutical Latin that the table lacks: the text as it
// stands, if it is a name; then the species and genera that the genitive may
// come from; then what is left without the part, if that is a name.
func (q question) byRule(r vocabulary.Response, text string, l drug.LatinName) vocabulary.Response {
	q.query.NoFuzzy = true
	if plain, _ := q.latin(q.buf.parser.Parse(text)); len(plain.Results) > 0 && plain.Results[0].MatchType != vocabulary.MatchHigherRank && strings.Contains(string(plain.Results[0].MatchedName), " ") {
		return plain
	}
	var all []scored
	q.steps.back(0)
	for _, name := range l.Nominatives(func(name string) bool { _, ok := q.FindKey([]byte(name)); return ok }) {
		u, ok := (druggist{q}).species([]string{name})
		if !ok {
			continue
		}
		q.steps.note("drug: ", strings.Join(l.Stem, " "), " may be of ", name)
		c := candidate{usage: u, concept: q.Usages[u].Concept, author: author.NotGiven, homonym: 1}
		t := tally{explain: q.steps != nil}
		if strings.Contains(name, " ") {
			t.add("name of a drug, by the rules of Latin", drugRule)
		} else {
			c.like, c.up = higherRank, 2
			t.add("genus of a drug", scoreGenus)
		}
		all = append(all, scored{candidate: c, score: t.score, parts: t.parts})
	}
	if len(all) > 0 {
		r.MatchedVia = vocabulary.ViaDrugName
		if all[0].like == higherRank {
			r.MatchedVia = vocabulary.ViaHigherRank
		}
		r.Results = q.entries(q.order(all, false), q.query.Limit)
		return r
	}
	if len(l.Stem) < 2 {
		return r
	}
	rest := strings.ToUpper(l.Stem[0][:1]) + strings.Join(l.Stem, " ")[1:]
	left, _ := q.latin(q.buf.parser.Parse(rest))
	if len(left.Results) == 0 || left.MatchedVia == vocabulary.ViaHigherRank {
		return r
	}
	return annotated(left)
}

// annotated marks entries of a text of which words were set aside.
func annotated(r vocabulary.Response) vocabulary.Response {
	for i := range r.Results {
		e := &r.Results[i]
		if !e.Flags.Has(vocabulary.AnnotationIgnored) {
			e.Flags = append(slices.Clone(e.Flags), vocabulary.AnnotationIgnored.Words()...)
		}
	}
	return r
}
