package match

import (
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/names/drug"
	"bencao/names/han"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// namedDrug is the drug that a text names.
type namedDrug struct {
	name        string // Chinese name, empty if only the rules of Latin apply
	latin       string
	kind        string
	reading     drug.Reading
	alias       bool // the text has one of its other names
	partDiffers bool // the text asks for another part of the plant
	unsure      bool
	sources     []uint32 // its species that the checklists have; none if it is no plant
	// listed is the number of first sources that decide whether the drug is the plant
	// of the same name; 0 means all.
	listed int
}

// isPlant reports whether the drug is a plant, so that it may have species.
func (d *namedDrug) isPlant() bool { return d.kind == string(drug.Plant) }

// labels returns the species of the drug as plants with the Chinese name for an alias.
func (d *namedDrug) labels() []labelled {
	var all []labelled
	for _, u := range d.sources {
		all = append(all, labelled{u, file.LabelAlias})
	}
	return all
}

// noPlant is the kind of a drug that the package knows to be no plant, without saying more.
const noPlant = "noPlant"

// chineseDrug reads a Chinese name as the name of a drug, and returns nil if it is none. If whole
// is true, the text is a plant's name, so words for processing and parts stay.
func (q question) chineseDrug(text string, whole bool) *namedDrug {
	if q.checklistsOnly || han.Noted(text) {
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

// drugOf looks a reading up in the package's table of drugs, then in the pharmacopoeia's; the
// species of both follow each other. The pharmacopoeia's come first if it lists this very name and
// shares no species with the package. A drug that the package knows to be no plant has no species.
func (q question) drugOf(r drug.Reading) *namedDrug {
	known := drug.LookupReading(r)
	herbs := q.labels(file.LabelKey(file.LabelHerb, r.Base), func(text string, kind uint32) bool { return kind >= file.LabelHerb && text == r.Base })
	d := q.fromTable(known)
	if len(herbs) == 0 {
		return d
	}
	own := &namedDrug{name: r.Base, kind: noPlant, reading: r}
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
		shared := slices.ContainsFunc(own.sources, func(u uint32) bool { return q.sharesTaxon(d.sources, u) || isSource(known, q.Name(u)) })
		own.listed = len(own.sources)
		first, then := own.sources, d.sources
		if !shared && !d.alias && !d.unsure {
			first, then = then, first
			own.listed = len(first)
		}
		own.sources = slices.Clone(first)
		for _, s := range then {
			if !q.sharesTaxon(first, s) {
				own.sources = append(own.sources, s)
			}
		}
	case !own.isPlant() && !d.isPlant():
		own.name, own.latin, own.kind = d.name, d.latin, d.kind
	}
	return own
}

// isSource reports whether a species, or the species of a name below it, is a source of one of the
// drugs.
func isSource(found []drug.Match, name string) bool {
	want := binomial(name)
	return slices.ContainsFunc(found, func(f drug.Match) bool {
		return slices.ContainsFunc(f.Species, func(s drug.Species) bool {
			return slices.ContainsFunc(s.Names, func(n string) bool { return binomial(n) == want })
		})
	})
}

// binomial returns the genus and the epithet of a name.
func binomial(name string) string {
	genus, rest, _ := strings.Cut(strings.ReplaceAll(name, "× ", ""), " ")
	epithet, _, _ := strings.Cut(rest, " ")
	return genus + " " + epithet
}

// sharesTaxon reports whether one of usages resolves to the taxon of usage.
func (v view) sharesTaxon(usages []uint32, usage uint32) bool {
	return slices.ContainsFunc(usages, func(u uint32) bool { return v.Usages[u].Concept == v.Usages[usage].Concept })
}

// fromTable combines the drugs that the table has for a name into one, or returns nil. Plants take
// precedence.
func (q question) fromTable(found []drug.Match) *namedDrug {
	if len(found) == 0 {
		return nil
	}
	plants := slices.DeleteFunc(slices.Clone(found), func(f drug.Match) bool { return !f.IsPlant() })
	if len(plants) == 0 {
		plants = found
	}
	f := plants[0]
	d := &namedDrug{
		name: f.Name, kind: string(f.Kind), reading: f.Reading, alias: f.Alias, partDiffers: f.PartDiffers,
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
			if u, ok := q.species(s.Names); ok && !q.sharesTaxon(d.sources, u) {
				d.sources = append(d.sources, u)
			}
		}
	}
	return d
}

// oneSpecies reports whether all drugs come from the same plant: 生姜 and 干姜.
func oneSpecies(found []drug.Match) bool {
	for _, f := range found {
		if len(f.Species) == 0 || len(found[0].Species) == 0 || f.Species[0].Names[0] != found[0].Species[0].Names[0] {
			return false
		}
	}
	return true
}

// species finds a species by its names. It prefers a name that resolves to a species of the
// database, then one that is placed, then the first.
func (q question) species(names []string) (usage uint32, ok bool) {
	best := 0
	for _, name := range names {
		if u, worth := q.speciesNamed(name); worth > best {
			best, usage = worth, u
		}
	}
	return usage, best > 0
}

// speciesNamed finds a species by one name. best is 3 for a species of the database, 2 for a name
// that is placed, 1 for any other and 0 for none. Among equal homonyms it takes the accepted one.
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

// Scores of the names of drugs: the share of judged names of each kind that resolve to a species
// of the drug. If a drug has several species, all of them are right, and the entries are
// ambiguous. TestDrugs measures the shares.
const (
	drugScore      = 0.95
	drugSeveral    = 0.85 // each of several species
	drugAlias      = 0.80 // the name is another name of the drug
	drugRule       = 0.90 // Latin, by the rules of declension alone
	drugSlip       = 0.10 // the deduction for slips in Latin
	drugBesides    = 0.50 // other species of a drug, beside the plant of the same name
	drugUnsure     = 0.50 // the table marks the name as unsure, or several drugs have it
	drugDiffers    = 0.75 // a plant of the same name is not the drug's
	drugPlant      = 0.70 // that plant
	drugCut        = 0.05 // the deduction for words that were cut off
	drugOtherPart  = 0.20 // the deduction if the name asks for another part of the plant
	drugStep       = 1e-4 // keeps the order of the table; rounding removes it
	drugSeveralSum = 0.15 // the deduction of an alias with several species
)

// plantsAndDrug answers a name that a drug, plants or both have. labels are the plants. No score
// exceeds most.
func (q question) plantsAndDrug(r result, d *namedDrug, labels []labelled, most float64) result {
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
	same := slices.ContainsFunc(labels, func(l labelled) bool { return q.sharesTaxon(deciding, l.usage) })
	score, reason, flags := d.worth(), "name of a drug", vocabulary.Flags(0)
	r.via = vocabulary.ViaDrugName
	switch {
	case same && (named || d.alias):
		// The plant has this name; the other sources of the drug follow.
		r.via = labelVia(labels)
		score, reason = drugBesides, "another species of the drug"
	case named && (d.alias || len(d.sources) == 0):
		r.via = labelVia(labels)
		score, flags = min(score, drugBesides), vocabulary.DrugDiffers
	case named:
		score, flags = min(score, drugDiffers), vocabulary.DrugDiffers
		capScores(plants, drugPlant)
	case len(labels) > 0 && d.alias:
		// Another name of a plant comes before another name of a drug.
		r.via = labelVia(labels)
		score, flags = min(score, drugBesides), vocabulary.DrugDiffers
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

// capScores limits all scores to most.
func capScores(all []scored, most float64) {
	for i := range all {
		all[i].cap("the name is a drug's", most)
	}
}

// worth returns the score of each species of the drug.
func (d *namedDrug) worth() float64 {
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
	if d.partDiffers {
		score -= drugOtherPart
	}
	if d.unsure {
		score = min(score, drugUnsure)
	}
	return score
}

// labelVia returns the kind of Chinese name that labels have.
func labelVia(labels []labelled) string {
	if labels[0].kind == file.LabelAlias {
		return vocabulary.ViaChineseAlias
	}
	return vocabulary.ViaChineseName
}

// isDrugLatin reports whether a text is pharmaceutical Latin.
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
	d := q.fromTable(l.Lookup())
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

// orMended returns r, unless r names no species and the text is the pharmaceutical Latin name of a
// drug with slips.
func (q question) orMended(r result, text string) result {
	if r.drug != nil || q.query.NoFuzzy || strings.ContainsAny(text, "0123456789()[]&") || q.namesSpecies(r) {
		return r
	}
	for _, l := range drug.MendLatin(text) {
		r.candidates = slices.Clone(r.candidates) // the next name is weighed
		m, ok := q.mended(text, l)
		if !ok {
			continue
		}
		m.canonical, m.unread = null.Text(text), ""
		for i := range m.candidates {
			m.candidates[i].flags |= vocabulary.Orthography
			m.candidates[i].add("slips in the Latin", -drugSlip)
		}
		return m
	}
	return r
}

// mended matches a text that was read as pharmaceutical Latin with slips.
func (q question) mended(text string, l drug.LatinName) (result, bool) {
	q.steps.note("drug: read as ", l.String())
	if d := q.fromTable(l.LookupLoosely()); d != nil {
		return q.plantsAndDrug(nothing(text), d, nil, 1), true
	}
	if l.Product || len(l.Parts) == 0 {
		return result{}, false
	}
	if r := q.byRule(nothing(text), l.String(), l); q.namesSpecies(r) {
		return r, true
	}
	u, ok := q.species([]string{l.NearSpecies()})
	if !ok {
		return result{}, false
	}
	s := q.scored(q.candidateOf(u))
	s.add("a species of drugs", drugRule)
	return result{via: vocabulary.ViaDrugName, candidates: q.order([]scored{s}, false)}, true
}

// byRule matches pharmaceutical Latin that is not in the table: the text itself, if it is a name;
// then the species and genera that the genitive may belong to; then the text without the part, if
// that is a name.
func (q question) byRule(r result, text string, l drug.LatinName) result {
	q.query.NoFuzzy = true
	if plain := q.scientific(q.buf.parser.Parse(text)); q.namesSpecies(plain) {
		plain.oneName = false
		return plain
	}
	var all []scored
	q.steps.truncate(0)
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
