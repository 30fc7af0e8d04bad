package explorer

import (
	"encoding/csv"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bencao/names"
	"bencao/store"
)

// matchRow is a row of the list: a name with its candidates.
type matchRow struct {
	Number     int
	Given      string
	Band       string // advice to the user: take, look, leave or none
	Best       *candidate
	Candidates []candidate
	// Said explains how the name was matched, in words.
	Said []string
	// Herb links to the herb that has this name, if no plant has the name. Otherwise it is nil.
	Herb *navLink
}

// candidate is a possible meaning of a name, as [bulk.Run] writes it in JSON.
type candidate struct {
	MatchedVia, GUID, ChineseName, MatchedName, MatchedAuthor            string
	AcceptedName, AcceptedAuthor, AcceptedFamily, WCVPID, IPNIID, WFOID  string
	Rank, AcceptedRank                                                   string
	MatchType, MatchSource, AuthorMatch, URL, Error, Unread, TaxonStatus string
	Score                                                                float64
	EditDistance                                                         int
	Flags                                                                []string
	said                                                                 []string // how it matches, in words
	// Value is the row of the downloaded table if this candidate is chosen.
	Value string
	// Name is the accepted name. If there is none, it is the matched name. Found is the matched
	// name as the checklist writes it, or empty if the page need not show it.
	Name, Found template.HTML
}

// tableColumns lists the columns of the downloaded table. To add a column, add a row here. A row
// for which the user chose no candidate has only the columns with ofRow, and c is nil.
var tableColumns = []struct {
	name  string
	ofRow bool
	cell  func(r *matchRow, c *candidate) string
}{
	{"row", true, func(r *matchRow, _ *candidate) string { return strconv.Itoa(r.Number) }},
	{"given", true, func(r *matchRow, _ *candidate) string { return r.Given }},
	{"band", true, func(r *matchRow, _ *candidate) string { return r.Band }},
	{"score", false, func(_ *matchRow, c *candidate) string { return strconv.FormatFloat(c.Score, 'f', 2, 64) }},
	{"matchType", false, func(_ *matchRow, c *candidate) string { return c.MatchType }},
	{"matchedName", false, func(_ *matchRow, c *candidate) string { return c.MatchedName }},
	{"matchedAuthor", false, func(_ *matchRow, c *candidate) string { return c.MatchedAuthor }},
	{"acceptedName", false, func(_ *matchRow, c *candidate) string { return c.AcceptedName }},
	{"acceptedAuthor", false, func(_ *matchRow, c *candidate) string { return c.AcceptedAuthor }},
	{"acceptedFamily", false, func(_ *matchRow, c *candidate) string { return c.AcceptedFamily }},
	{"chineseName", false, func(_ *matchRow, c *candidate) string { return c.ChineseName }},
	{"wcvpId", false, func(_ *matchRow, c *candidate) string { return c.WCVPID }},
	{"ipniId", false, func(_ *matchRow, c *candidate) string { return c.IPNIID }},
	{"wfoId", false, func(_ *matchRow, c *candidate) string { return c.WFOID }},
	{"guid", false, func(_ *matchRow, c *candidate) string { return c.GUID }},
	{"taxonStatus", false, func(_ *matchRow, c *candidate) string { return c.TaxonStatus }},
	{"matchSource", false, func(_ *matchRow, c *candidate) string { return c.MatchSource }},
	{"remark", true, func(r *matchRow, c *candidate) string {
		if c == nil {
			return strings.Join(r.Said, "; ")
		}
		return strings.Join(c.said, "; ")
	}},
}

// tableLine returns a row of the downloaded table as a line of CSV. c is the candidate that the user
// chose, or nil if there is none.
func tableLine(r *matchRow, c *candidate) string {
	cells := make([]string, len(tableColumns))
	for i, column := range tableColumns {
		if c != nil || column.ofRow {
			cells[i] = column.cell(r, c)
		}
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(cells) // writing to a strings.Builder never fails
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// judge sets the row's band, which tells the user what to do, and gives the reasons in Said.
func (r *matchRow) judge(v *visit) {
	first := r.Candidates[0]
	if first.MatchType == "" {
		r.Band, r.Candidates = "none", nil
		r.Said = first.wrong(v)
		switch {
		case first.Error != "":
		case familyName.MatchString(r.Given):
			r.Said = append(r.Said, v.say("match.family"))
		default:
			r.Said = append(r.Said, v.say("match.nothing"))
		}
		return
	}
	r.Best = &r.Candidates[0]
	if strings.Contains(r.Given, first.MatchedName) {
		r.Best.Found = ""
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.said = append(c.how(v), c.wrong(v)...)
	}
	r.Said = r.Best.said
	switch {
	case first.Score >= names.ScoreTake && !first.doubtful():
		r.Band = "take"
	case first.Score >= names.ScoreLook:
		r.Band = "look"
	default:
		r.Band = "leave"
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.URL, c.MatchSource = v.ours(c.URL), v.lang.Known("matchSource."+c.MatchSource, c.MatchSource)
		c.Value = tableLine(r, c)
	}
}

// doubtful reports whether a person should check a candidate even if its score is high. Reasons
// are, for example, that it is no species, that several taxa are possible, or that the spelling
// differs by more than one letter.
func (c *candidate) doubtful() bool {
	return c.MatchType == "higherRank" || c.MatchedVia == "hybridFormula" || c.AcceptedName == "" || c.wide() ||
		c.MatchType == "fuzzy" && c.EditDistance > 1 || slices.ContainsFunc(c.Flags, func(f string) bool { return slices.Contains(doubts, f) })
}

// wide reports whether the candidate is a taxon above species.
func (c *candidate) wide() bool { return c.AcceptedRank == "genus" || c.Rank == "genus" }

// how describes how the candidate matches the name in the list, and where the two differ.
func (c *candidate) how(v *visit) []string {
	var said []string
	if c.MatchType == "exact" || c.MatchedVia != "acceptedName" {
		if text := v.lang.Known("via."+c.MatchedVia, ""); text != "" {
			said = append(said, text)
		}
	}
	spelt := slices.ContainsFunc(c.Flags, func(f string) bool { return slices.Contains(spellings, f) })
	if text := v.lang.Known("type."+c.MatchType, ""); text != "" && !spelt {
		said = append(said, text)
	}
	if c.wide() && c.MatchType != "higherRank" {
		said = append(said, v.say("match.genus"))
	}
	for _, flag := range c.Flags {
		said = append(said, v.lang.Known("flag."+flag, flag))
	}
	if text := v.lang.Known("author."+c.AuthorMatch, ""); text != "" {
		said = append(said, text)
	}
	return said
}

// wrong describes the errors in the name that the user submitted, and the parts of the name that were
// not understood.
func (c *candidate) wrong(v *visit) []string {
	var said []string
	if c.Error != "" {
		said = append(said, c.Error)
	}
	if c.Unread != "" {
		said = append(said, v.say("match.unread", c.Unread))
	}
	return said
}

// familyName matches scientific names of families. They have no candidates.
var familyName = regexp.MustCompile(`^(?i)[a-z]+aceae$`)

// mostHerbs is the largest number of names in a list that are looked up as herbs because they match
// no plant.
const mostHerbs = 200

// addHerb adds a link to the herb whose Chinese name is exactly the name in the row. It is called
// for names that match no plant. Minerals, animals and fungi are herbs, but they are not in
// checklists of plants.
func (r *matchRow) addHerb(v *visit) error {
	l, err := ask[list[store.HerbSummary]](v, "herbs.search", "", "q", r.Given, "pageSize", "1")
	if err != nil || len(l.Items) == 0 || l.Items[0].Name != r.Given {
		return err
	}
	h := l.Items[0]
	r.Herb = &navLink{Text: v.say("match.drug", v.lang.Known("herb."+string(h.Kind), string(h.Kind))), Address: v.ours(h.URL)}
	return nil
}

// Decided returns the row of the downloaded table if the page does not let the user choose. The row
// has the best candidate if the band is take, and no candidate otherwise.
func (r *matchRow) Decided() string {
	if r.Band == "take" {
		return r.Best.Value
	}
	return r.Undecided()
}

// Open reports whether the page lets the user choose a candidate.
func (r *matchRow) Open() bool {
	return len(r.Candidates) > 1 || len(r.Candidates) == 1 && r.Band != "take"
}

// Synonym reports whether the name in the list is a synonym.
func (r *matchRow) Synonym() bool { return r.Best != nil && r.Best.MatchedVia == "synonym" }

// bytes returns the largest number of bytes that the row takes in the form with the user's choices.
func (r *matchRow) bytes() int {
	most := len(url.QueryEscape(r.Undecided()))
	for _, c := range r.Candidates {
		most = max(most, len(url.QueryEscape(c.Value)))
	}
	return most + len("&r10000=")
}

// Undecided returns the row of the downloaded table if the user chooses no candidate.
func (r *matchRow) Undecided() string { return tableLine(r, nil) }

// doubts lists the flags that make a person check a match, however high the score is.
// docs/name-matching.md explains each flag.
var doubts = []string{"ambiguous", "qualifier", "proParte", "possible", "familyDiffers", "authorDiffers", "drugDiffersFromPlant", "chineseNameDiffers", "nameNotFound", "folkName", "rankDiffers"}

// spellings lists the flags for a name that is spelled differently from the matched name.
var spellings = []string{"orthography", "genderEnding", "epithetCorrected", "genusCorrected"}
