package terms

import (
	"net/url"
	"regexp"
	"strings"

	"bencao/mappings"
)

// Limits of the beginnings of a DOI that are terms. A shorter one is no
// beginning of anything in particular; longer ones are looked up in the order
// of the dictionary, where few follow.
const (
	MinDOIPrefix = 7
	MaxDOIPrefix = 20
)

var (
	doiStart   = regexp.MustCompile(`^(?i:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi\s*[:=]?\s*|info:doi/|urn:doi:)+`)
	doiPattern = regexp.MustCompile(`^10\.[0-9]{3,9}(?:/|$)`)
	pubMed     = regexp.MustCompile(`^(?i:(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/|(?:pubmed|pmid)(?:\s*id)?\s*[:#/]?\s*)?([0-9]{1,12})/?$`)
)

// DOIKey is a DOI in lower case, without resolver and without what stands
// around it in a sentence, or "" if s is none.
func DOIKey(s string) string {
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

func doiTerms(_ mappings.Tiers, doi string, _ []rune, add adder) {
	if doi == "" {
		return
	}
	add(mappings.Whole, doi)
	for n := MinDOIPrefix; n <= min(MaxDOIPrefix, len(doi)-1); n++ {
		add(mappings.Prefix, strings.ToValidUTF8(doi[:n], ""))
	}
}

// NumberKey is an identifier of digits without leading zeros and label, or "".
func NumberKey(s string) string {
	m := pubMed.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	return strings.TrimLeft(m[1], "0")
}

func numberTerms(_ mappings.Tiers, number string, _ []rune, add adder) { add(mappings.Whole, number) }
