package bulk

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/names"
	"bencao/names/editdistance"
	"bencao/names/internal/spelling"
)

// The changes of a name between two versions of the checklists. A name may have several of those
// about its accepted name: status, author and family.
const (
	ChangeSame      = "same"
	ChangeSynonym   = "synonym"   // accepted then, a synonym of a name that was not accepted then
	ChangeSplit     = "split"     // left the taxon to which it belonged then, which is still accepted
	ChangeLumped    = "lumped"    // its taxon now belongs to another one that was accepted beside it then
	ChangeMoved     = "moved"     // its taxon is now in another genus or species, or has another rank
	ChangeRespelt   = "respelt"   // the spelling of the name or of the accepted name differs
	ChangeGone      = "gone"      // known then, not now
	ChangeNew       = "new"       // known now, not then
	ChangeAmbiguous = "ambiguous" // had one meaning then, has several now
	ChangeResolved  = "resolved"  // had several meanings then, has one now
	ChangeStatus    = "status"    // another status, or no accepted name any more
	ChangeAuthor    = "author"    // another author of the accepted name
	ChangeFamily    = "family"    // another family
)

// Change tells how the answer to a name differs from that of an earlier version.
type Change struct {
	// Kinds are the changes, the most important first. An unchanged name has [ChangeSame].
	Kinds []string
	// Accepted is the accepted name of the earlier version, with its author; "" if there is none.
	Accepted string
	// Then and Now are the steps of matching in both versions; nil for an unchanged name.
	Then, Now []string
}

// changes asks the earlier version for the names of queries, and compares its answers with now.
func (j *job) changes(ctx context.Context, queries []names.Query, now []Answer) error {
	then, err := j.askAll(ctx, j.opt.Since, queries)
	if err != nil {
		return err
	}
	// Whether a name was lumped, moved or split depends on the accepted names of both versions in the
	// other one, so these are asked too.
	var more []names.Query
	ask := func(e *names.Entry) int {
		if e == nil || e.AcceptedName == "" {
			return -1
		}
		more = append(more, names.Query{Name: string(e.AcceptedName), Author: string(e.AcceptedAuthor), Limit: names.DefaultLimit})
		return len(more) - 1
	}
	type pair struct{ before, after int } // places in more
	asked := make([]pair, len(queries))
	for i := range queries {
		asked[i] = pair{-1, -1}
		if b, a := known(&then[i]), known(&now[i]); differ(b, a) {
			asked[i] = pair{ask(b), ask(a)}
		}
	}
	var moreThen, moreNow []Answer
	if len(more) > 0 {
		if moreThen, err = j.askAll(ctx, j.opt.Since, more); err != nil {
			return err
		}
		if moreNow, err = j.askAll(ctx, j.match, more); err != nil {
			return err
		}
	}
	at := func(answers []Answer, i int) *names.Entry {
		if i < 0 {
			return nil
		}
		return known(&answers[i])
	}
	for i := range now {
		c := comparison{then: known(&then[i]), now: known(&now[i]), beforeNow: at(moreNow, asked[i].before), afterThen: at(moreThen, asked[i].after)}
		now[i].Change = c.change()
	}
	return nil
}

// askAll calls a matcher, with at most [MaxNames] names each time.
func (j *job) askAll(ctx context.Context, match Matcher, queries []names.Query) ([]Answer, error) {
	done, err := j.opt.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	var all []Answer
	for part := range slices.Chunk(queries, MaxNames) {
		some, err := match(ctx, part)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// known returns the best candidate of an answer if it is the name itself, and not only a similar name
// or a higher taxon.
func known(a *Answer) *names.Entry {
	if a.Err != nil || len(a.Results) == 0 {
		return nil
	}
	e := &a.Results[0]
	if e.MatchType == names.MatchHigherRank || e.MatchType == names.MatchFuzzy && e.Score < names.ScoreLook {
		return nil
	}
	return e
}

func differ(a, b *names.Entry) bool {
	return a != nil && b != nil && (a.AcceptedName != b.AcceptedName || a.MatchedName != b.MatchedName)
}

// comparison has the answers for one name. Each may be nil.
type comparison struct {
	then, now *names.Entry
	beforeNow *names.Entry // what the accepted name of then is now
	afterThen *names.Entry // what the accepted name of now was then
}

func (c *comparison) change() *Change {
	out := &Change{Kinds: c.kinds()}
	if c.then != nil {
		out.Accepted = strings.TrimSpace(string(c.then.AcceptedName + " " + c.then.AcceptedAuthor))
	}
	if out.Kinds[0] != ChangeSame {
		if c.then != nil {
			out.Then = c.then.Steps
		}
		if c.now != nil {
			out.Now = c.now.Steps
		}
	}
	return out
}

func (c *comparison) kinds() []string {
	then, now := c.then, c.now
	switch {
	case then == nil && now == nil:
		return []string{ChangeSame}
	case then == nil:
		return []string{ChangeNew}
	case now == nil:
		return []string{ChangeGone}
	case then.MatchedName != now.MatchedName && (then.MatchType == names.MatchFuzzy) != (now.MatchType == names.MatchFuzzy):
		// The name itself is in one version only, and a similar one in the other.
		switch {
		case respelt(string(then.MatchedName), string(now.MatchedName)) && !isAccepted(c.afterThen, now.AcceptedName):
			return []string{ChangeRespelt}
		case now.MatchType == names.MatchFuzzy:
			return []string{ChangeGone}
		}
		return []string{ChangeNew}
	case several(now) && !several(then):
		return []string{ChangeAmbiguous}
	case several(then) && !several(now):
		return []string{ChangeResolved}
	}
	return c.taxon()
}

// taxon compares the accepted names of a name that both versions know.
func (c *comparison) taxon() []string {
	then, now := c.then, c.now
	if then.AcceptedName == now.AcceptedName {
		return c.details()
	}
	before, after := string(then.AcceptedName), string(now.AcceptedName)
	remains, wasThere := isAccepted(c.beforeNow, then.AcceptedName), isAccepted(c.afterThen, now.AcceptedName)
	switch {
	case before == "" || after == "":
		return []string{ChangeStatus}
	case remains:
		return []string{ChangeSplit}
	case wasThere:
		return []string{ChangeLumped}
	case respelt(before, after):
		return []string{ChangeRespelt}
	case sameTaxon(before, after):
		return []string{ChangeMoved}
	}
	return []string{ChangeSynonym}
}

// details compares status, author and family of names with the same accepted name.
func (c *comparison) details() []string {
	var kinds []string
	for _, d := range []struct {
		kind          string
		before, after string
	}{
		{ChangeStatus, string(c.then.TaxonStatus), string(c.now.TaxonStatus)},
		{ChangeAuthor, string(c.then.AcceptedAuthor), string(c.now.AcceptedAuthor)},
		{ChangeFamily, string(c.then.AcceptedFamily), string(c.now.AcceptedFamily)},
	} {
		if d.before != d.after {
			kinds = append(kinds, d.kind)
		}
	}
	if kinds == nil {
		return []string{ChangeSame}
	}
	return kinds
}

// several reports whether a candidate stands for several taxa.
func several(e *names.Entry) bool { return slices.Contains(e.Flags, names.Ambiguous.Words()[0]) }

// isAccepted reports whether an entry is the accepted name that was asked for, letter by letter.
func isAccepted(e *names.Entry, asked null.Text) bool {
	return e != nil && e.MatchedName == asked && e.AcceptedName == asked
}

// respelt reports whether two names differ only in the spelling of one word, by a few letters.
func respelt(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) || a == b {
		return false
	}
	differing := 0
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		if differing++; differing > 1 || editdistance.Distance([]rune(x[i]), []rune(y[i]), maxRespelt) > maxRespelt || []rune(x[i])[0] != []rune(y[i])[0] {
			return false
		}
	}
	return true
}

// maxRespelt is the largest number of letters by which two spellings of a word differ.
const maxRespelt = 3

// sameTaxon reports whether two names have the same last epithet, up to its gender: the ending may
// change when an epithet moves to another genus.
func sameTaxon(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	key := func(words []string) []byte {
		return spelling.AppendOrthoWord(nil, []byte(words[len(words)-1]), false)
	}
	return bytes.Equal(key(x), key(y))
}

// sinceColumns are the columns that [Options.Since] adds.
var sinceColumns = []column{
	ofChange("change", func(c *Change) string { return strings.Join(c.Kinds, "|") }),
	ofChange("acceptedNameThen", func(c *Change) string { return c.Accepted }),
	ofChange("stepsThen", func(c *Change) string { return strings.Join(c.Then, "; ") }),
	ofChange("stepsNow", func(c *Change) string { return strings.Join(c.Now, "; ") }),
}

func ofChange(name string, value func(*Change) string) column {
	text := func(m *matched) string {
		if m.change == nil {
			return ""
		}
		return value(m.change)
	}
	return column{name: name, cell: text, json: func(b []byte, m *matched) []byte { return appendOrNull(b, text(m)) }}
}
