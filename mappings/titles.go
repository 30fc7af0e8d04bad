package mappings

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/char/asciifolding"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	unicodetokens "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
)

// titleAnalyzer cuts titles into words, and Chinese, Japanese and Korean ones
// into pairs of characters, with the single ones beside them if asked.
var titleAnalyzer = sync.OnceValue(func() [2]*analysis.DefaultAnalyzer {
	of := func(unigrams bool) *analysis.DefaultAnalyzer {
		return &analysis.DefaultAnalyzer{
			CharFilters: []analysis.CharFilter{asciifolding.New()},
			Tokenizer:   unicodetokens.NewUnicodeTokenizer(),
			TokenFilters: []analysis.TokenFilter{
				cjk.NewCJKWidthFilter(), lowercase.NewLowerCaseFilter(), cjk.NewCJKBigramFilter(unigrams),
			},
		}
	}
	return [2]*analysis.DefaultAnalyzer{of(true), of(false)}
})

// maxWord is the longest word of a title, in bytes, that is searched.
const maxWord = 60

// titleTerms are the words of a title.
func titleTerms(title string, add func(Way, string)) {
	for _, t := range titleAnalyzer()[0].Analyze([]byte(withoutSoftHyphens(title))) {
		if w := titleWord(t); w != "" {
			add(Words, w)
		}
	}
}

// titleQuery returns the distinct words of a query for a title.
func titleQuery(q string) []string {
	var words []string
	seen := make(map[string]bool)
	for _, t := range titleAnalyzer()[1].Analyze([]byte(withoutSoftHyphens(q))) {
		if w := titleWord(t); w != "" && !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words
}

// withoutSoftHyphens parts words at soft hyphens: in titles they stand where a
// dash was lost.
func withoutSoftHyphens(s string) string { return strings.ReplaceAll(s, "\u00ad", " ") }

// titleWord is the text of a token, or "" if it holds no letter or digit.
func titleWord(t *analysis.Token) string {
	w := string(t.Term)
	if !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	w = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, w)
	if len(w) > maxWord {
		w = strings.ToValidUTF8(w[:maxWord], "")
	}
	return w
}

// Limits of the beginnings of a DOI that are terms. A shorter one is no
// beginning of anything in particular; longer ones are looked up in the order
// of the dictionary, where few follow.
const (
	minDOIPrefix = 7
	maxDOIPrefix = 20
)

var (
	doiStart   = regexp.MustCompile(`^(?i:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi\s*[:=]?\s*|info:doi/|urn:doi:)+`)
	doiPattern = regexp.MustCompile(`^10\.[0-9]{3,9}(?:/|$)`)
	pubMed     = regexp.MustCompile(`^(?i:(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/|(?:pubmed|pmid)(?:\s*id)?\s*[:#/]?\s*)?([0-9]{1,12})/?$`)
)

// doiKey is a DOI in lower case, without resolver and without what stands
// around it in a sentence, or "" if s is none.
func doiKey(s string) string {
	s = strings.TrimLeft(s, doiQuotes+"([{<")
	s = strings.ToLower(doiStart.ReplaceAllString(s, ""))
	if plain, err := url.PathUnescape(s); err == nil { // with %2F for the slash
		s = plain
	}
	s = withoutEnd(strings.Join(strings.Fields(s), ""))
	if !doiPattern.MatchString(s) {
		return ""
	}
	return s
}

// doiQuotes are signs and spaces that a DOI neither begins nor ends with.
const doiQuotes = "\"'`“”‘’.,;:!? \t\u3000。，；：、"

// withoutEnd takes off what ends a sentence, and brackets that were not opened.
func withoutEnd(s string) string {
	for {
		t := strings.TrimRight(s, doiQuotes)
		for _, pair := range []string{"()", "[]", "{}", "<>"} {
			if rest, ok := strings.CutSuffix(t, pair[1:]); ok && strings.Count(t, pair[:1]) < strings.Count(t, pair[1:]) {
				t = rest
			}
		}
		if t == s {
			return s
		}
		s = t
	}
}

func doiTerms(doi string, add func(Way, string)) {
	if doi == "" {
		return
	}
	add(Whole, doi)
	for n := minDOIPrefix; n <= min(maxDOIPrefix, len(doi)-1); n++ {
		add(Prefix, strings.ToValidUTF8(doi[:n], ""))
	}
}

// numberKey is an identifier of digits without leading zeros and label, or "".
func numberKey(s string) string {
	m := pubMed.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	return strings.TrimLeft(m[1], "0")
}
