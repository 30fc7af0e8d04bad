package terms

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"bencao/mappings"
)

// Limits of the beginnings of a DOI that are terms, in bytes. A shorter one is no
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
// around it in a sentence, or "" if s is none. In the address of a publisher's
// page it is found wherever it stands.
func DOIKey(s string) string {
	if !strings.Contains(s, "10") || !strings.ContainsAny(s, ".%") {
		return ""
	}
	if isPlainDOI(s) {
		return strings.ToLower(s)
	}
	return foundDOI(s)
}

// isPlainDOI says whether s is a DOI as it is, with nothing to take off.
func isPlainDOI(s string) bool {
	slash := strings.IndexByte(s, '/')
	if slash < len("10.123") || slash > len("10.123456789") || s[:3] != "10." || slash == len(s)-1 {
		return false
	}
	for i := 3; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
		case i < slash, c <= ' ', c >= 0x7f, c == '%': // no DOI yet, or something to be read otherwise
			return false
		case i == len(s)-1: // a sign may be the sentence's
			return c|0x20 >= 'a' && c|0x20 <= 'z'
		}
	}
	return true
}

// foundDOI is the DOI in s, in lower case, or "".
func foundDOI(s string) string {
	s = strings.TrimLeft(doiDashes.Replace(s), doiQuotes+"([{<")
	if !strings.HasPrefix(s, "10.") {
		if m := doiInAddress.FindStringSubmatch(s); m != nil {
			s = m[1]
		}
		s = doiStart.ReplaceAllString(s, "")
	}
	s = strings.ToLower(s)
	if plain, err := url.PathUnescape(s); err == nil { // with %2F for the slash
		s = plain
	}
	s = withoutEnd(strings.Join(strings.Fields(s), ""))
	if !doiPattern.MatchString(s) {
		return ""
	}
	return s
}

// DOIKeys are the DOI of a query and, if it stands in an address, what is left of
// it without the ends that publishers add.
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
	// doiDashes are other signs for the hyphen, as typesetting puts them.
	doiDashes = strings.NewReplacer("\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-", "\u2212", "-", "\u00ad", "")
	isAddress = regexp.MustCompile(`(?i)^[\s"'<(\[]*(?:https?://|www\.|[a-z0-9-]+\.[a-z0-9.-]+/)`)
	// doiInAddress finds a DOI in an address, without the query and the place in the
	// page behind it.
	doiInAddress = regexp.MustCompile(`(?i)^(?:https?://|www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[0-9]+)?/(?:[^\s]*?[/=])?(10(?:\.|%2e)[0-9]{3,9}(?:/|%2f)[^\s?#&]+)`)
	// pageEnd is what publishers add to a DOI for the forms of a page.
	pageEnd = regexp.MustCompile(`(?:/(?:full|pdf|epdf|abstract|fulltext|full-text|meta|html|summary|references|epub|issue|download|tables|figures|suppinfo)|\.(?:full|pdf|abstract|html?)(?:\.pdf)?|v[0-9]+)$`)
)

// mayEndPage says whether a DOI may have an end for the form of a page: with digits
// at its end it has none, but for the number of a version.
func mayEndPage(doi string) bool {
	rest := strings.TrimRight(doi, digits)
	return len(rest) == len(doi) || strings.HasSuffix(rest, "v")
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

func doiTerms(_ mappings.Tiers, doi string, _ []rune, add adder) { add(mappings.Whole, doi) }

// Beginnings are the lengths of the beginnings of a DOI that are terms: bit n stands
// for n bytes more than MinDOIPrefix, beginsOthers for the whole DOI.
type Beginnings uint16

// beginsOthers marks a DOI longer than MaxDOIPrefix that others begin with.
const beginsOthers Beginnings = 1 << 15

// BeginningsOf says which beginnings of DOIs are terms, as in a radix tree: those
// behind which DOIs differ or one ends, and the longest. What lies between two of
// them begins the same DOIs as the next does. A longer DOI is a term of its own if
// others begin with it.
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
	// branch marks the lengths of DOIs that have n bytes in common.
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

// NumberKey is an identifier of digits without leading zeros and label, or "".
func NumberKey(s string) string {
	if !strings.ContainsAny(s, digits) {
		return ""
	}
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "mM") { // as each label does
		if strings.IndexByte(digits, s[0]) >= 0 { // a DOI, most often
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

// maxPubMed is how many digits the pattern takes.
const maxPubMed = 12

// IsLabelled says whether a query says of itself that it is a PubMed identifier.
func IsLabelled(s string) bool {
	return strings.ContainsAny(s, digits) && strings.ContainsAny(s, "mM") && pubMedLabel.MatchString(strings.TrimSpace(s))
}

const digits = "0123456789"

var pubMedLabel = regexp.MustCompile(`^(?i:(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/|(?:pubmed|pmid)(?:\s*id)?\s*[:#/]?\s*)[0-9]+/?$`)

func numberTerms(_ mappings.Tiers, number string, _ []rune, add adder) { add(mappings.Whole, number) }
