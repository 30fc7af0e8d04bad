package match

import (
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/names/drug"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
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

// latinDrug answers a text that is pharmaceutical Latin, or a scientific name
// with words of parts. It reports false for any other text, and for a name that
// the checklists have as it stands. A genitive is never mended: what is neither
// in the table nor a name by the rules is answered with none.
func (q question) latinDrug(text string) (r vocabulary.Response, ok bool) {
	if q.foreign {
		return r, false
	}
	text, _ = parse.Clean(text)
	if drug.MayBeLatin(text) {
		if r, ok = q.drugLatin(text); ok {
			return r, true
		}
	}
	rest, parts := drug.CutEnglish(text)
	if len(parts) == 0 {
		return r, false
	}
	q.steps.note("set aside: ", strings.Join(parts, " "))
	r, _ = q.text(rest)
	return annotated(r), true
}

// drugLatin answers pharmaceutical Latin, by the table or by rule.
func (q question) drugLatin(text string) (r vocabulary.Response, ok bool) {
	l, isLatin := drug.ParseLatin(text)
	r = nothing(text)
	if d, ok := (druggist{q}).tabled(l.Lookup()); ok {
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
	return r, false
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
