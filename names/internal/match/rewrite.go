package match

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"bencao/names/internal/answer"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/ranks"
)

// rewrites lists other ways to read a text that names no species as it is written. Each has a
// pattern, the text to look up instead, and the text that is reported as unread.
var rewrites = []struct {
	ceiling
	pattern *regexp.Regexp
	text    string
	unread  string
	guess   bool // the reading is used only if the checklists have the name, at most in another orthography or with one letter changed
	flags   answer.Flags
}{
	{ceiling{"a code after the epithet", nil, scoreReview, "Acacia dealbata.A"}, regexp.MustCompile(`^([A-Z][a-z-]+ [a-z-]{3,})\.([A-Z])$`), "$1", "$2", false, 0},
	{ceiling{"a rank run together with the epithets", nil, scoreReview, "Acacia dealbatasubsp.subalpina"}, regexp.MustCompile(`^([A-Z][a-z-]+) ([a-z-]{3,}?)\.?(var|subsp|ssp)\.?([a-z-]{3,})$`), "$1 $2 $3. $4", "", true, 0},
	{ceiling{"a hybrid sign before the epithet", nil, scoreReview, "Fallopia Xbohemica"}, regexp.MustCompile(`^([A-Z][a-z-]+) X([a-z-]{3,})$`), "$1 × $2", "", true, answer.CaseFixed},
	{ceiling{"a question mark before the epithet", nil, scoreReview, "Cotoneaster ?franchetti"}, regexp.MustCompile(`^([A-Z][a-z-]+) \?\(?([a-z-]{3,})\)?$`), "$1 $2", "", true, answer.Qualifier},
	{ceiling{"an epithet with a capital", nil, scoreReview, "Ceratopetalum Gummifera"}, regexp.MustCompile(`^([A-Z][a-z-]+) ([A-Z][a-z]{4,}(?:us|a|um|is|e|i|ae|ens|oides?|er))$`), "$1 $2", "", true, answer.CaseFixed},
}

// orRewritten reads a text in another way if that gives a species. r is the result for the text as
// it is written, which names no species. If no other reading names one either, orRewritten returns
// r.
func (q question) orRewritten(r result, text string) result {
	if strings.Count(text, " ") != 1 {
		return r // all patterns have exactly two words
	}
	if parse.IsBinomial(text) && !strings.Contains(text, "var") && !strings.Contains(text, "ssp") && !strings.Contains(text, "subsp") {
		if len(r.candidates) == 0 {
			if s, ok := q.respaced(text); ok {
				return s
			}
		}
		return r // no pattern matches a plain genus and epithet
	}
	for i := range rewrites {
		w := &rewrites[i]
		m := w.pattern.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		r.candidates = slices.Clone(r.candidates) // matching the next name reuses the buffer of candidates
		genus, rest, _ := strings.Cut(string(w.pattern.ExpandString(nil, w.text, text, m)), " ")
		n := q.buf.parser.Parse(genus + " " + strings.ToLower(rest))
		again := q.scientific(n)
		if !q.namesSpecies(again) {
			continue
		}
		best := &again.candidates[0]
		if w.guess && (best.like == fuzzy && best.edits > 1 || best.flags.Has(answer.GenusCorrected)) {
			continue
		}
		q.steps.note("read in another way: ", w.name)
		for i := range again.candidates {
			c := &again.candidates[i]
			c.cap(&w.ceiling)
			c.flags |= w.flags
		}
		again.unread = string(w.pattern.ExpandString(nil, w.unread, text, m))
		return again
	}
	if s, ok := q.completed(text); ok {
		return s
	}
	return r
}

// respaced moves a misplaced space between genus and epithet if the checklists have the resulting
// name. The genus may also be misspelt: Viciamul ticaulis, Pits porumtobira. respaced changes
// nothing if the checklists have one of the two words as it is written.
func (q question) respaced(text string) (result, bool) {
	a, b, _ := strings.Cut(strings.ToLower(text), " ")
	if q.query.NoFuzzy || q.HasGenus([]byte(a)) || q.HasEpithet([]byte(b)) {
		return result{}, false
	}
	both := []byte(a + b)
	for _, misspelt := range []bool{false, true} {
		for i := 3; i <= len(both)-3; i++ {
			short := min(i, len(both)-i) < shortWord
			if i == len(a) || q.HasGenus(both[:i]) == misspelt || misspelt && short || !q.HasEpithet(both[i:]) {
				continue
			}
			r := q.scientific(q.buf.parser.Parse(spelling.Capitalise(string(both[:i])) + " " + string(both[i:])))
			if !q.namesSpecies(r) || r.candidates[0].flags.Has(answer.EpithetCorrected) {
				continue
			}
			q.steps.note("read in another way: the space is misplaced")
			capAll(r.candidates, misplacedSpace)
			return r, true
		}
	}
	return result{}, false
}

// shortened matches a genus and an epithet that is cut short with a full stop.
var shortened = regexp.MustCompile(`^([A-Z][a-z-]+) ([a-z-]{5,})\.$`)

// completed completes an epithet that is cut short if only one species of the genus has an epithet
// that starts with its letters: Syzygium pseudofastig.
func (q question) completed(text string) (result, bool) {
	m := shortened.FindStringSubmatch(text)
	if m == nil || q.query.NoFuzzy {
		return result{}, false
	}
	if _, ok := ranks.Mark(m[2]); ok {
		return result{}, false // Carex subsp.
	}
	genus := strings.ToLower(m[1])
	g, ok := q.FindGenus([]byte(genus))
	if !ok {
		return result{}, false
	}
	only, found := uint32(0), 0
	for key := q.Genera[g].Key; key < q.Genera[g+1].Key; key++ {
		rest := q.Rest(key)
		if bytes.HasPrefix(rest, []byte(m[2])) && bytes.IndexByte(rest, ' ') < 0 && len(rest) > len(m[2]) {
			if found > 0 && !q.sameTaxon(&candidate{usage: q.FirstOf(only), concept: q.Usages[q.FirstOf(only)].Concept}, &candidate{usage: q.FirstOf(key), concept: q.Usages[q.FirstOf(key)].Concept}) {
				return result{}, false
			}
			only = key
			found++
		}
	}
	if found == 0 {
		return result{}, false
	}
	n := parse.Name{Canonical: spelling.Capitalise(genus) + " " + m[2]}
	f := finder{view: q.view, name: &n, cited: &q.buf.cited, steps: q.steps, buf: q.buf}
	q.buf.cited.Set("")
	less := len(q.Rest(only)) - len(m[2])
	cands := f.expand(nil, []hit{{q.FirstOf(only), difference{like: fuzzy, edits: less, cost: float64(less), flags: answer.EpithetCorrected}}})
	q.steps.note("the only epithet of the genus that begins like this")
	r := nothing(n.Canonical)
	for _, c := range cands {
		s := q.scored(c)
		s.add("an epithet cut off by a full stop", scoreReview)
		r.candidates = append(r.candidates, s)
	}
	r.candidates = q.order(r.candidates, true)
	r.oneName, r.via = true, q.via(&r.candidates[0].candidate)
	return r, true
}
