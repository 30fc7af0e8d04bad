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

// titleAnalyzers cut titles into words, and Chinese, Japanese and Korean ones
// into pairs of characters.
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
	a.ofTitle, a.ofQuery = of(true), of(false) // single characters stand beside the pairs of titles
	a.ascii = &analysis.DefaultAnalyzer{       // what is left of both for ASCII
		Tokenizer: unicodetokens.NewUnicodeTokenizer(), TokenFilters: []analysis.TokenFilter{lowercase.NewLowerCaseFilter()},
	}
	return a
})

// cutTitle cuts a title, or a query for one, into tokens.
func cutTitle(title string, by *analysis.DefaultAnalyzer) analysis.TokenStream {
	if strings.IndexFunc(title, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return titleAnalyzers().ascii.Analyze([]byte(title))
	}
	return by.Analyze([]byte(foldTitle(title)))
}

// maxWord is the longest word of a title, in bytes, that is searched.
const maxWord = 60

// foldTitle brings a title, or a query for one, to the form that is compared: in
// compatibility form (Ⅱ is II, ℃ is °C, ½ is 1⁄2, ｶﾞ is ガ), in simplified
// characters, with spaces where dashes were lost.
func foldTitle(s string) string {
	s = norm.NFKC.String(softHyphen.Replace(s))
	return strings.Map(han.Rune, s)
}

// softHyphen cuts words at soft hyphens: in titles they stand where a dash was lost.
var softHyphen = strings.NewReplacer("\u00ad", " ", "™", "", "®", "", "℠", "", "©", "")

// titleTerms are the words of a title.
func titleTerms(_ mappings.Tiers, title string, _ []rune, add adder) {
	eachWord(title, titleAnalyzers().ofTitle, func(w string) { add(mappings.Words, w) })
}

// TitleWords returns the distinct words of a query for a title.
func TitleWords(q string) []string {
	var words []string
	eachWord(q, titleAnalyzers().ofQuery, func(w string) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	})
	return words
}

// eachWord calls f with the words of a title, or of a query for one.
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

// isSimple tells whether a title is ASCII without signs that join letters or digits: in
// don't, 3.5 and a_b words go on (Unicode Standard Annex 29, rules WB6, WB7, WB11 to WB13b).
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

// eachSimple calls f with the words of a simple title: what the analyzers make of it.
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

// TitlePart is a word of a title and where it stands, in characters.
type TitlePart struct {
	Word     string
	From, To int
}

// TitleParts returns the words of a title. Each run of letters and digits is cut
// by itself, so that a sign that folding makes longer shifts nothing.
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
