package terms

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"bencao/mappings"
)

// The lengths in bytes of the DOI prefixes that are terms. Shorter prefixes are too common. For a
// longer prefix, a search scans the dictionary from that prefix on, where few DOIs follow.
const (
	MinDOIPrefix = 7
	MaxDOIPrefix = 20
)

var (
	doiStart   = regexp.MustCompile(`^(?i:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi\s*[:=]?\s*|info:doi/|urn:doi:)+`)
	doiPattern = regexp.MustCompile(`^10\.[0-9]{3,9}(?:/|$)`)
	pubMed     = regexp.MustCompile(`^(?i:(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/|(?:pubmed|pmid)(?:\s*id)?\s*[:#/]?\s*)?([0-9]{1,12})/?$`)
)

// DOIKey returns the DOI in s in lower case, without the address of a resolver and without
// punctuation around it. It also finds the DOI in the address of a publisher's page. It returns ""
// if s contains no DOI.
func DOIKey(s string) string {
	if !strings.Contains(s, "10") || !strings.ContainsAny(s, ".%") {
		return ""
	}
	if isPlainDOI(s) {
		return strings.ToLower(s)
	}
	return foundDOI(s)
}

// isPlainDOI reports whether s consists of a DOI only.
func isPlainDOI(s string) bool {
	slash := strings.IndexByte(s, '/')
	if slash < len("10.123") || slash > len("10.123456789") || s[:3] != "10." || slash == len(s)-1 {
		return false
	}
	for i := 3; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
		case i < slash, c <= ' ', c >= 0x7f, c == '%': // may not be a DOI, or is escaped
			return false
		case i == len(s)-1: // the punctuation may end the sentence
			return c|0x20 >= 'a' && c|0x20 <= 'z'
		}
	}
	return true
}

// foundDOI returns the DOI in s in lower case, or "".
func foundDOI(s string) string {
	s = strings.TrimLeft(doiDashes.Replace(s), doiQuotes+"([{<")
	if !strings.HasPrefix(s, "10.") {
		if m := doiInAddress.FindStringSubmatch(s); m != nil {
			s = m[1]
		}
		s = doiStart.ReplaceAllString(s, "")
	}
	s = strings.ToLower(s)
	if plain, err := url.PathUnescape(s); err == nil { // decode %2F, which may replace the slash
		s = plain
	}
	s = withoutEnd(strings.Join(strings.Fields(s), ""))
	if !doiPattern.MatchString(s) {
		return ""
	}
	return s
}

// DOIKeys returns the DOI of a query. Publishers add suffixes such as /pdf to a DOI in an address.
// For a DOI in an address, DOIKeys also returns the DOI without its last such suffix, without its
// last two, and so on.
func DOIKeys(s string) []string {
	key := DOIKey(s)
	if key == "" {
		return nil
	}
	keys := []string{key}
	if !mayEndPage(key) || !strings.Contains(s, "/") || !isAddress.MatchString(s) {
		return keys
	}
	for {
		next := pageEnd.ReplaceAllString(key, "")
		if next == key || !doiPattern.MatchString(next) {
			return keys
		}
		key = next
		keys = append(keys, key)
	}
}

var (
	// doiDashes replaces typographic dashes by hyphens.
	doiDashes = strings.NewReplacer("\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2212", "-", "\u00ad", "")
	isAddress = regexp.MustCompile(`(?i)^[\s"'<(\[]*(?:https?://|www\.|[a-z0-9-]+\.[a-z0-9.-]+/)`)
	// doiInAddress matches a DOI in an address without query string and fragment.
	doiInAddress = regexp.MustCompile(`(?i)^(?:https?://|www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[0-9]+)?/(?:[^\s]*?[/=])?(10(?:\.|%2e)[0-9]{3,9}(?:/|%2f)[^\s?#&]+)`)
	// pageEnd matches a suffix that publishers add to a DOI for a form of the article's page, such
	// as /pdf.
	pageEnd = regexp.MustCompile(`(?:/(?:full|pdf|epdf|abstract|fulltext|full-text|meta|html|summary|references|epub|issue|download|tables|figures|suppinfo)|\.(?:full|pdf|abstract|html?)(?:\.pdf)?|v[0-9]+)$`)
)

// mayEndPage reports whether a DOI may end with a suffix that pageEnd matches. A DOI that ends with
// digits has no such suffix, unless the digits follow a v and so are a version.
func mayEndPage(doi string) bool {
	rest := strings.TrimRight(doi, digits)
	return len(rest) == len(doi) || strings.HasSuffix(rest, "v")
}

// doiQuotes lists signs and spaces that are never the first or the last character of a DOI.
const doiQuotes = "\"'`“”‘’.,;:!? \t\u3000。，；：、"

// withoutEnd removes punctuation that ends a sentence, and a closing bracket that has no opening
// bracket.
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

func doiTerms(_ mappings.Tiers, doi string, _ []rune, add adder) { add(mappings.Whole, doi) }

// Beginnings is a bit set that says which prefixes of a DOI are terms. Bit n is for the prefix of
// MinDOIPrefix+n bytes. The bit beginsOthers is for the whole DOI.
type Beginnings uint16

// beginsOthers is set for a DOI that is longer than MaxDOIPrefix and is a prefix of other DOIs.
const beginsOthers Beginnings = 1 << 15

// BeginningsOf returns, for each DOI, which of its prefixes are terms. As in a radix tree, these
// are the prefixes after which two DOIs differ or a DOI ends, and the longest prefix. For any other
// prefix, the next longer term finds the same DOIs. A DOI longer than MaxDOIPrefix is a term if it
// is a prefix of other DOIs.
func BeginningsOf(dois []string) []Beginnings {
	order := make([]int, 0, len(dois))
	for i, doi := range dois {
		if len(doi) >= MinDOIPrefix {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(dois[a], dois[b]) })
	out := make([]Beginnings, len(dois))
	for k, i := range order[:max(0, len(order)-1)] {
		if next := dois[order[k+1]]; len(dois[i]) > MaxDOIPrefix && len(next) > len(dois[i]) && strings.HasPrefix(next, dois[i]) {
			out[i] = beginsOthers
		}
	}
	same := func(part []int, n int) bool { return dois[part[0]][:n] == dois[part[len(part)-1]][:n] }
	// branch sets the prefix lengths of the DOIs in part. These DOIs have their first n bytes in
	// common.
	var branch func(part []int, n int)
	branch = func(part []int, n int) {
		for n < MaxDOIPrefix && len(dois[part[0]]) > n+1 && same(part, n+1) {
			n++
		}
		for _, i := range part {
			if n < len(dois[i]) {
				out[i] |= 1 << (n - MinDOIPrefix)
			}
		}
		if n == MaxDOIPrefix {
			return
		}
		for len(part) > 0 {
			end := 1
			if len(dois[part[0]]) > n {
				for end < len(part) && dois[part[end]][n] == dois[part[0]][n] {
					end++
				}
				branch(part[:end], n+1)
			}
			part = part[end:]
		}
	}
	for len(order) > 0 {
		end := 1
		for end < len(order) && same(order[:end+1], MinDOIPrefix) {
			end++
		}
		branch(order[:end], MinDOIPrefix)
		order = order[end:]
	}
	return out
}

// NumberKey returns a numeric identifier without its label and without leading zeros. It returns ""
// for other texts.
func NumberKey(s string) string {
	if !strings.ContainsAny(s, digits) {
		return ""
	}
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "mM") { // every label contains an m
		if strings.IndexByte(digits, s[0]) >= 0 { // not a label; usually a DOI
			return ""
		}
		m := pubMed.FindStringSubmatch(s)
		if m == nil {
			return ""
		}
		s = m[1]
	} else if s = strings.TrimSuffix(s, "/"); len(s) > maxPubMed || strings.Trim(s, digits) != "" {
		return ""
	}
	return strings.TrimLeft(s, "0")
}

// maxPubMed is the maximum number of digits of a PubMed identifier.
const maxPubMed = 12

// IsLabelled reports whether a query has the label of a PubMed identifier.
func IsLabelled(s string) bool {
	return strings.ContainsAny(s, digits) && strings.ContainsAny(s, "mM") && pubMedLabel.MatchString(strings.TrimSpace(s))
}

const digits = "0123456789"

var pubMedLabel = regexp.MustCompile(`^(?i:(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/|(?:pubmed|pmid)(?:\s*id)?\s*[:#/]?\s*)[0-9]+/?$`)

func numberTerms(_ mappings.Tiers, number string, _ []rune, add adder) { add(mappings.Whole, number) }
