package bulk

import (
	"encoding/json"
	"hash/maphash"
	"strings"

	"bencao/names"
)

// Kind is the kind of the best result of a row: a match type and a band of scores.
type Kind int

// The kinds that have no match type and band of scores. The other kinds follow them: one for each
// pair from matchTypes and bands.
const (
	// Unmatched means that a row has no result.
	Unmatched Kind = iota
	// Unreadable means that a row could not be read, or that its name is not valid text.
	Unreadable
	// Empty means that a row has no name.
	Empty
	firstMatch
	numKinds = firstMatch + Kind(len(matchTypes)*len(bands))
)

// matchTypes lists the match types, the surest first. Summaries show higherRank separately, because
// its results are only the species or genus that the name belongs to.
var matchTypes = [...]string{"exact", "variant", "fuzzy", "higherRank"}

// bands lists the bands of scores. Names in the first band can be accepted, those in the second
// need a review, and those in the last are unreliable.
var bands = [...]struct {
	name  string
	least float64
}{{"0.9 and more", names.ScoreTake}, {"0.7 to 0.9", names.ScoreLook}, {"below 0.7", 0}}

// Tally counts rows by [Kind].
type Tally [numKinds]int64

// kindOf returns the kind of the best of the results, which is the first one.
func kindOf(results []names.Entry) Kind {
	if len(results) == 0 {
		return Unmatched
	}
	best := results[0]
	kind := firstMatch
	for _, m := range matchTypes {
		for _, b := range bands {
			if m == best.MatchType && best.Score >= b.least {
				return kind
			}
			kind++
		}
	}
	return Unmatched
}

// TallyRow is one row of a [Tally]: for one match type, the numbers of rows in each band of scores.
type TallyRow struct {
	Type       string
	Counts     [len(bands)]int64
	HigherRank bool // the result is the species or genus that the name belongs to
}

// Bands returns the names of the bands of scores, in the order of [TallyRow.Counts].
func Bands() []string {
	var all []string
	for _, b := range bands {
		all = append(all, b.name)
	}
	return all
}

// Rows returns a row for each match type that occurs, the surest first.
func (t Tally) Rows() []TallyRow {
	var rows []TallyRow
	for i, m := range matchTypes {
		if r := (TallyRow{Type: m, Counts: [len(bands)]int64(t[firstMatch+Kind(i*len(bands)):]), HigherRank: m == "higherRank"}); r.Counts != ([len(bands)]int64{}) {
			rows = append(rows, r)
		}
	}
	return rows
}

// MarshalJSON returns the counts by match type and band.
func (t Tally) MarshalJSON() ([]byte, error) {
	all := map[string]any{"none": t[Unmatched], "unreadable": t[Unreadable], "empty": t[Empty]}
	for i, m := range matchTypes {
		of := map[string]int64{}
		for k, b := range bands {
			of[b.name] = t[firstMatch+Kind(i*len(bands)+k)]
		}
		all[m] = of
	}
	return json.Marshal(all)
}

// note stores the properties of the best result that the summary counts.
func (a *answer) note(results []names.Entry) {
	if a.doubtful = true; len(results) == 0 {
		return
	}
	e := &results[0]
	a.score = e.Score
	a.otherFamily = e.Flags.Has(names.FamilyDiffers)
	a.doubtful = e.Score < names.ScoreTake || a.otherFamily || e.AuthorMatch == names.AuthorDiffers
	a.ambiguous, a.disagree = e.Flags.Has(names.Ambiguous), e.Flags.Has(names.Disagree)
	a.unplaced = e.AcceptedName == ""
	if e.Score < names.ScoreLook {
		return
	}
	name := e.AcceptedName
	if name == "" {
		name = e.MatchedName
	}
	genus, rest := firstWord(string(name))
	if epithet, _ := firstWord(rest); epithet != "" {
		a.taxa[0] = hashOf(genus) ^ hashOf(epithet)<<1 | 1
	}
	if genus != string(e.AcceptedFamily) {
		a.taxa[1] = hashOf(genus)
	}
	if e.AcceptedFamily != "" {
		a.taxa[2] = hashOf(string(e.AcceptedFamily))
	}
}

// firstWord returns the first word of a name, without a hybrid sign before it, and the rest of the
// name.
func firstWord(name string) (word, rest string) {
	for _, sign := range []string{"× ", "+ "} {
		name = strings.TrimPrefix(name, sign)
	}
	word, rest, _ = strings.Cut(name, " ")
	return word, rest
}

var seed = maphash.MakeSeed()

// hashOf returns a hash of a name. The hash is never 0.
func hashOf(name string) uint64 { return maphash.String(seed, name) | 1 }

// taxa holds the hashes of the different species, genera and families of a list.
type taxa [3]map[uint64]struct{}

func newTaxa() taxa {
	return taxa{map[uint64]struct{}{}, map[uint64]struct{}{}, map[uint64]struct{}{}}
}

func (t *taxa) add(a *answer) {
	for i, hash := range a.taxa {
		if hash != 0 {
			t[i][hash] = struct{}{}
		}
	}
}

func (t *taxa) count(s *Stats) {
	s.Species, s.Genera, s.Families = int64(len(t[0])), int64(len(t[1])), int64(len(t[2]))
}
