// Package checklist contains the code that the readers of all checklist formats share: metadata,
// the spelling of ranks and identifiers, and the checks of every list:
//
//	an id occurs twice                             reject, primary-key
//	a name is empty                                reject, constraint-error
//	an accepted id is not in the list              warn, dangling
//	synonyms refer to each other in a cycle        warn, cycle
//
// It does not know any file format. The formats are the packages wcvp, dwca, coldp and csvmap. Each
// opens its files with [OpenTable] and yields names through [Scan]. wcvp is the shortest example.
package checklist

import (
	"strings"

	"bencao/names"
	"bencao/names/ranks"
)

// Meta is the metadata that a list states. Missing values are "".
type Meta struct {
	// Source is the list's short name, as far as the list's content reveals it: WCVP, WFO,
	// CoL-China or "".
	Source string
	// Name and Version are those that the publisher gives.
	Name, Version string
	// Format is the file format, such as "Darwin Core Archive".
	Format string
}

// Rank returns a rank in lower case and without abbreviation: "Var." becomes variety. It returns ""
// if the publisher states that there is no rank.
func Rank(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "infraspecific name" || s == "unranked" {
		return ""
	}
	if full, ok := ranks.Full(s); ok {
		return full
	}
	return s
}

// IPNI extracts an identifier of the International Plant Names Index, such as 91472-1, from an
// LSID, a URL or a prefixed form. It returns "" if s contains no such identifier.
func IPNI(s string) string {
	switch {
	case strings.Contains(s, "ipni.org"):
		s = s[strings.LastIndexAny(s, ":/")+1:]
	case len(s) > 5 && strings.EqualFold(s[:5], "ipni:"):
		s = s[5:]
	}
	s = strings.TrimSpace(s)
	number, version, ok := strings.Cut(s, "-")
	if !ok || !digits(number) || !digits(version) {
		return ""
	}
	return s
}

// WFO extracts an identifier of World Flora Online, such as wfo-0000263606, from a URL or a
// prefixed form. It returns "" if s contains no such identifier.
func WFO(s string) string {
	i := strings.LastIndex(strings.ToLower(s), "wfo-")
	if i < 0 {
		return ""
	}
	id := strings.ToLower(strings.TrimSpace(s[i:]))
	if len(id) < len("wfo-")+10 || !digits(id[4:14]) {
		return ""
	}
	return id[:14]
}

func digits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// WithoutAuthor removes the author from a scientific name. The author may be at the end or, in an
// autonym, in the middle: "Ranunculus hispidus Michaux var. hispidus". If nothing else would
// remain, it returns the name unchanged.
func WithoutAuthor(name, author string) string {
	if author == "" {
		return name
	}
	if bare, ok := strings.CutSuffix(name, author); ok {
		if bare = strings.TrimSpace(bare); bare != "" {
			return bare
		}
		return name
	}
	if before, after, ok := strings.Cut(name, " "+author+" "); ok {
		return before + " " + after
	}
	return name
}

// Status parses a status. If word is empty, the status follows from the ids: a name whose accepted
// id differs from its own id is a synonym. Status returns false for an unknown word.
func Status(word, id, acceptedID string) (names.Status, bool) {
	switch {
	case strings.TrimSpace(word) != "":
		return names.ParseStatus(word)
	case acceptedID != "" && acceptedID != id:
		return names.Synonym, true
	}
	return names.Accepted, true
}
