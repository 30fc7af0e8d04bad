package parse

import (
	"strings"

	"bencao/names/internal/checklist"
	"bencao/names/internal/spelling"
)

// Identifier recognises an identifier, or a web address that contains one. It returns the
// identifier in the form that the index uses.
func Identifier(s string) (id string, ok bool) {
	if len(s) < 3 || len(s) > 200 || strings.IndexFunc(s, isIDSign) < 0 {
		return "", false
	}
	s = strings.Trim(s, "<>()[]\"', ")
	if head, tail, ok := strings.Cut(s, " "); ok {
		// Accept identifiers with a space after the source: IPNI 91472-1, wfo: 0000263606.
		source := strings.ToLower(strings.TrimSuffix(head, ":"))
		if !identifierSources[source] || strings.IndexFunc(tail, isIDSign) < 0 {
			return "", false
		}
		s = source + ":" + tail
	}
	if strings.IndexByte(s, ' ') >= 0 {
		return "", false
	}
	return bareIdentifier(lastOfAddress(s))
}

var identifierSources = spelling.WordSet("ipni powo wfo wcvp")

// isIDSign reports whether r occurs in identifiers and addresses, but rarely in names.
func isIDSign(r rune) bool { return r >= '0' && r <= '9' || r == ':' }

// lastOfAddress returns the part of a web address that identifies the page: the last segment of the
// path or the last value of the query. It returns other texts unchanged.
func lastOfAddress(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		scheme, rest = "", s
	}
	if host, _, ok := strings.Cut(rest, "/"); !ok || scheme == "" && !strings.Contains(host, ".") {
		return s
	}
	rest, _, _ = strings.Cut(rest, "#")
	if path, query, ok := strings.Cut(rest, "?"); ok {
		// The identifier may be the last value of the query: …/search?id=…
		if i := strings.LastIndexByte(query, '='); i >= 0 && strings.ContainsAny(query[i:], "-:") {
			return query[i+1:]
		}
		rest = path
	}
	rest = strings.TrimRight(rest, "/")
	rest = rest[strings.LastIndexByte(rest, '/')+1:]
	return colons.Replace(rest)
}

// colons decodes percent-encoded colons.
var colons = strings.NewReplacer("%3a", ":", "%3A", ":")

func bareIdentifier(s string) (id string, ok bool) {
	l := strings.ToLower(s)
	if strings.HasPrefix(l, "ipni.org:") {
		l = "urn:lsid:" + l
	}
	switch {
	case strings.HasPrefix(l, checklist.IPNIPrefix):
		// Old LSIDs end with a colon and a revision.
		l, _, _ = strings.Cut(l[len(checklist.IPNIPrefix):], ":")
		return "ipni:" + l, isIPNI(l)
	case strings.HasPrefix(l, "powo:"):
		return bareIdentifier(l[len("powo:"):])
	case strings.HasPrefix(l, "wfo:wfo-"):
		return bareIdentifier(l[len("wfo:"):])
	case strings.HasPrefix(l, "wfo:"):
		return "wfo:wfo-" + l[len("wfo:"):], true
	case strings.HasPrefix(l, "wfo-") && len(l) > 4 && spelling.IsDigit(l[4]):
		// Identifiers in web addresses of WFO end with the date of the release.
		if i := strings.IndexByte(l[4:], '-'); i > 0 {
			l = l[:4+i]
		}
		return "wfo:" + l, true
	case isIPNI(l):
		return "ipni:" + l, true
	}
	// Accept all identifiers that are written source:id without spaces.
	if i := strings.IndexByte(l, ':'); i > 1 && i < len(l)-1 && strings.IndexFunc(l, func(r rune) bool { return r >= 0x80 }) < 0 {
		return l[:i] + ":" + s[i+1:], true
	}
	return "", false
}

// isIPNI reports whether s has the form of 91472-1.
func isIPNI(s string) bool {
	head, tail, ok := strings.Cut(s, "-")
	return ok && len(head) >= 1 && len(tail) == 1 && strings.Trim(head+tail, "0123456789") == ""
}
