// Package checklist is what the readers of checklists share: how a list
// introduces itself, the spelling of ranks and identifiers, and the checks that
// every list goes through, whatever its format:
//
//	an id stands once                              reject, primary-key
//	a name is not empty                            reject, constraint-error
//	an accepted id leads to a name of the list     warn, dangling
//	synonyms don't lead round in a circle          warn, cycle
//
// The formats themselves are next door: wcvp, dwca, coldp and csvmap.
package checklist

import (
	"strings"

	"bencao/names"
	"bencao/names/ranks"
)

// Meta is what a list says of itself. What it does not say is "".
type Meta struct {
	// Source is the short name that the list's content gives away: WCVP, WFO,
	// CoL-China or "".
	Source string
	// Name and Version are as its publisher gives them.
	Name, Version string
	// Format is how it is written, such as "Darwin Core Archive".
	Format string
}

// Rank is a rank in lower case and in full: "Var." is variety. It is "" where
// the publisher says that there is none.
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

// IPNI takes an identifier of the International Plant Names Index out of an
// LSID, an address or a prefixed form: 91472-1. It is "" when there is none.
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

// WFO takes an identifier of World Flora Online out of an address or a
// prefixed form: wfo-0000263606. It is "" when there is none.
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

// WithoutAuthor takes the author out of a scientific name that has it at its
// end or, in an autonym, in its middle: "Ranunculus hispidus Michaux var.
// hispidus". A name of which nothing would be left stays.
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

// Status reads a status. One that is empty follows from the ids: a name that
// points at another is its synonym. It reports false for an unknown word.
func Status(word, id, acceptedID string) (names.Status, bool) {
	switch {
	case strings.TrimSpace(word) != "":
		return names.ParseStatus(word)
	case acceptedID != "" && acceptedID != id:
		return names.Synonym, true
	}
	return names.Accepted, true
}
