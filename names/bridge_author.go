package names

import "bencao/names/internal/author"

// The old names of the author room, for the files that have not moved.

type (
	fit     = author.Verdict
	authors = author.Authorship
)

const (
	fitSame     = author.Same
	fitNotGiven = author.NotGiven
	fitUnknown  = author.Unknown
	fitDiffers  = author.Differs
)

func parseAuthors(s string) authors { return author.Parse(s) }
func sameLetters(a, b string) bool  { return author.SameLetters(a, b) }
