package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/internal/messages"
	"bencao/names/region"
)

// MaxNameLen is the maximum length of a name in runes.
const MaxNameLen = 256

// DefaultLimit and MaxLimit are the default and the largest value of [Query.Limit].
const (
	DefaultLimit = 5
	MaxLimit     = 20
)

// RegionChina is the [Query.Region] of the plants of the database and of Catalogue of Life China.
const RegionChina = "china"

// IsRegion reports whether a text can be a [Query.Region].
func IsRegion(text string) bool {
	r, ok := region.Default().Get(text)
	return text == RegionChina || ok && r.Level == 3
}

// Query is a query for one name.
type Query struct {
	// Name is the verbatim name: a scientific name with or without author, a Chinese name, both of
	// these, pinyin, or an identifier. It has 1 to [MaxNameLen] runes.
	Name string
	// Author is an author that is given separately. It is treated as if it followed the name.
	Author string
	// Family is a hint, in Latin or Chinese. Candidates of other families get a flag and come after
	// those of this family. A text that is not a known family is ignored.
	// A family of animals, whose name ends in -idae, excludes all plants.
	Family string
	// Kingdom is a hint: the kingdom that the source gives, such as Plantae, Animalia or 动物界. A
	// kingdom of other organisms excludes all plants. A text that is not a known kingdom is ignored.
	Kingdom string
	// ChineseName is a hint: the Chinese name that the source has beside the scientific name in
	// Name. It is treated as if both were in one text. It can confirm a candidate, choose between
	// candidates, find a candidate if the scientific name finds none, or contradict the match. It
	// is ignored if Name has Chinese characters itself.
	ChineseName string
	// Region is a hint that decides between homonyms if the query has no author. It is
	// [RegionChina], a code of level 3 of package region, such as CHC, or empty.
	Region string
	// Grows reports whether a taxon grows in a region with a code. Without it, none does.
	Grows func(ListedAs) bool
	// Limit is the maximum number of results, from 1 to [MaxLimit]; 0 means [DefaultLimit].
	Limit int
	// NoFuzzy excludes candidates whose spelling differs from the name in more than orthography.
	NoFuzzy bool
	// Distribution asks for [Entry.Taxa].
	Distribution bool
	// Explain asks for an explanation: the parts of each score and the steps of the match.
	Explain bool
}

// missing are the texts that state that there is no value, in lower case.
var missing = []string{"-", "--", "–", "—", "na", "n/a", "#n/a", "n.a.", "null", "none", "nan", "unknown", "s.n."}

// Missing reports whether a text is empty or states that there is no value, as n/a does.
func Missing(text string) bool {
	if text == "" {
		return true
	}
	switch text[0] { // the first byte of a mark; other texts are rejected quickly
	case '-', '#', 'n', 'N', 'u', 'U', 's', 'S', 0xe2:
		return len(text) <= len("unknown") && slices.Contains(missing, strings.ToLower(text))
	}
	return false
}

// InputError describes an invalid part of a query and how to fix it.
type InputError struct{ *messages.Message }

// Unwrap returns the message, for translation.
func (e *InputError) Unwrap() error { return e.Message }

// The errors of a query. {1} is the invalid parameter: name, author, family, kingdom or
// chineseName.
var (
	nameBlank    = messages.Define("name-blank", "name is blank; give a name of 1 to %v characters")
	nameTooLong  = messages.Define("name-too-long", "%v has %v characters; give at most %v, one name at a time")
	nameNotUTF8  = messages.Define("name-not-utf8", "%v is not valid UTF-8; encode it as UTF-8")
	nameControls = messages.Define("name-controls", "%v has a control character (%v) at byte %v; take it out")
	regionWrong  = messages.Define("region-wrong", "region is %v; use %v or a code of three letters such as CHC, or leave it out")
	limitWrong   = messages.Define("limit-wrong", "limit is %v; use a whole number from 1 to %v")
)

// Check returns the query with spaces removed from the ends of its texts. If the query is invalid,
// the error is an [*InputError].
func (q Query) Check() (Query, error) {
	q.Name = strings.TrimSpace(q.Name)
	for _, hint := range []*string{&q.Author, &q.Family, &q.Kingdom, &q.ChineseName} {
		if *hint = strings.TrimSpace(*hint); Missing(*hint) {
			*hint = ""
		}
	}
	if q.Name == "" {
		return q, &InputError{nameBlank.With(MaxNameLen)}
	}
	err := checkText("name", q.Name)
	if err == nil {
		err = checkText("author", q.Author)
	}
	if err == nil {
		err = checkText("family", q.Family)
	}
	if err == nil {
		err = checkText("kingdom", q.Kingdom)
	}
	if err == nil {
		err = checkText("chineseName", q.ChineseName)
	}
	if err != nil {
		return q, err
	}
	switch {
	case q.Region != "" && !IsRegion(q.Region):
		return q, &InputError{regionWrong.With(strconv.Quote(q.Region), RegionChina)}
	case q.Limit == 0:
		q.Limit = DefaultLimit
	case q.Limit < 0 || q.Limit > MaxLimit:
		return q, &InputError{limitWrong.With(q.Limit, MaxLimit)}
	}
	return q, nil
}

func checkText(field, s string) error {
	if len(s) <= MaxNameLen && isPrintable(s) {
		return nil
	}
	if !utf8.ValidString(s) {
		return &InputError{nameNotUTF8.With(field)}
	}
	if len(s) > MaxNameLen {
		if n := utf8.RuneCountInString(s); n > MaxNameLen {
			return &InputError{nameTooLong.With(field, n, MaxNameLen)}
		}
	}
	for i, r := range s {
		if unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' {
			return &InputError{nameControls.With(field, fmt.Sprintf("%U", r), i)}
		}
	}
	return nil
}

// isPrintable reports whether s consists of printable ASCII characters.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
