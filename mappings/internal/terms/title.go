package terms

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/char/asciifolding"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	unicodetokens "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"

	"golang.org/x/text/unicode/norm"

	"bencao/mappings"
	"bencao/names/han"
)

// titleAnalyzers split titles into words. They split Chinese, Japanese and Korean titles into pairs
// of characters.
var titleAnalyzers = sync.OnceValue(func() (a struct{ ofTitle, ofQuery, ascii *analysis.DefaultAnalyzer }) {
	of := func(single bool) *analysis.DefaultAnalyzer {
		return &analysis.DefaultAnalyzer{
			CharFilters: []analysis.CharFilter{asciifolding.New()},
			Tokenizer:   unicodetokens.NewUnicodeTokenizer(),
			TokenFilters: []analysis.TokenFilter{
				cjk.NewCJKWidthFilter(), lowercase.NewLowerCaseFilter(), cjk.NewCJKBigramFilter(single),
			},
		}
	}
	a.ofTitle, a.ofQuery = of(true), of(false) // single characters are terms of titles, but not of queries
	a.ascii = &analysis.DefaultAnalyzer{       // a reduced analyzer for ASCII texts
		Tokenizer: unicodetokens.NewUnicodeTokenizer(), TokenFilters: []analysis.TokenFilter{lowercase.NewLowerCaseFilter()},
	}
	return a
})

// cutTitle splits a title, or a query for titles, into tokens.
func cutTitle(title string, by *analysis.DefaultAnalyzer) analysis.TokenStream {
	if strings.IndexFunc(title, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return titleAnalyzers().ascii.Analyze([]byte(title))
	}
	return by.Analyze([]byte(foldTitle(title)))
}

// maxWord is the maximum length of a title word in bytes. Longer words are truncated.
const maxWord = 60

// foldTitle normalizes a title or a query for titles. It applies the Unicode compatibility form (Ⅱ
// to II, ℃ to °C, ½ to 1⁄2, ｶﾞ to ガ), simplifies characters, and replaces soft hyphens by spaces.
func foldTitle(s string) string {
	s = norm.NFKC.String(softHyphen.Replace(s))
	return strings.Map(han.Rune, s)
}

// softHyphen replaces soft hyphens by spaces, because the soft hyphens in the data were dashes. It
// also removes signs such as ™.
var softHyphen = strings.NewReplacer("\u00ad", " ", "™", "", "®", "", "℠", "", "©", "")

// titleTerms adds the words of a title.
func titleTerms(_ mappings.Tiers, title string, _ []rune, add adder) {
	eachWord(title, titleAnalyzers().ofTitle, func(w string) { add(mappings.Words, w) })
}

// TitleWords returns the distinct words of a query for titles.
func TitleWords(q string) []string {
	var words []string
	eachWord(q, titleAnalyzers().ofQuery, func(w string) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	})
	return words
}

// eachWord calls f with each word of a title or of a query for titles.
func eachWord(title string, by *analysis.DefaultAnalyzer, f func(string)) {
	if isSimple(title) {
		eachSimple(title, f)
		return
	}
	for _, t := range cutTitle(title, by) {
		if w := titleWord(t); w != "" {
			f(w)
		}
	}
}

// isSimple reports whether a title is ASCII and has no sign that joins letters or digits into one
// word, as in don't, 3.5 and a_b (Unicode Standard Annex 29, rules WB6, WB7, WB11 to WB13b).
func isSimple(title string) bool {
	for i := range len(title) {
		switch c := title[i]; {
		case c >= utf8.RuneSelf || c == '_':
			return false
		case strings.IndexByte("'.:,;", c) >= 0 && i > 0 && i+1 < len(title) && alphanumeric(title[i-1]) && alphanumeric(title[i+1]):
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// eachSimple calls f with each word of a simple title. The words are the same as those that the
// analyzers find.
func eachSimple(title string, f func(string)) {
	title = strings.ToLower(title)
	for i := 0; i < len(title); i++ {
		begin := i
		for i < len(title) && alphanumeric(title[i]) {
			i++
		}
		if begin < i {
			f(title[begin:min(i, begin+maxWord)])
		}
	}
}

// titleWord returns the text of a token, or "" if the token has no letter or digit.
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

// TitlePart is a word of a title and its range in characters.
type TitlePart struct {
	Word     string
	From, To int
}

// TitleParts returns the words of a title. It folds each run of letters and digits separately, so
// that the ranges are correct even after a sign that folds to several characters.
func TitleParts(title string) []TitlePart {
	var parts []TitlePart
	runes := []rune(title)
	for i := 0; i < len(runes); {
		if !inWord(runes[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(runes) && inWord(runes[end]) {
			end++
		}
		for _, w := range TitleWords(string(runes[i:end])) {
			part := TitlePart{w, i, end}
			if size := utf8.RuneCountInString(w); han.Has(w) && size < end-i {
				for k := i; k+size <= end; k++ {
					if foldTitle(string(runes[k:k+size])) == w {
						parts = append(parts, TitlePart{w, k, k + size})
					}
				}
				continue
			}
			parts = append(parts, part)
		}
		i = end
	}
	return parts
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }
