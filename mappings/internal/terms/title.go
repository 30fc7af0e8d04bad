package terms

import (
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/char/asciifolding"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	unicodetokens "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"

	"bencao/mappings"
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
func titleTerms(_ mappings.Tiers, title string, _ []rune, add adder) {
	for _, t := range titleAnalyzer()[0].Analyze([]byte(withoutSoftHyphens(title))) {
		if w := titleWord(t); w != "" {
			add(mappings.Words, w)
		}
	}
}

// TitleWords returns the distinct words of a query for a title.
func TitleWords(q string) []string {
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

// withoutSoftHyphens cuts words at soft hyphens: in titles they stand where a
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
