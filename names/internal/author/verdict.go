// Package author parses author citations and compares them.
//
//	(Juss.) Benth. & Hook.f.       as in a checklist or on a label
//	basionym     juss              the author of the basionym, in parentheses
//	combination  benth, hook f     the authors of the combination
//
// Citations abbreviate authors in many ways (L., Linn., Linnaeus), omit some, and transcribe names
// differently; such differences count as compatible. The words ex and in have the meaning of ICN
// Art. 46. A surname may be shortened at its end or by omitting vowels. Tables list the
// equivalences that follow from no rule: persons.txt (other forms of one person), teams.txt (R. &
// P.), surnames.txt (irregular abbreviations) and chinese.txt (romanisations of surnames).
//
// The package knows nothing of names or checklists. Start with [Compare].
package author

import (
	"strings"

	"bencao/names/internal/answer"
)

// Verdict says how well the authors of a query agree with the authors in a checklist. A lower
// number is a better verdict.
type Verdict uint8

// The verdicts.
const (
	Same       Verdict = iota
	Compatible         // equal except for abbreviations and omissions
	Partly             // at least one of several authors agrees
	NotGiven           // the query has no author
	Unknown            // the checklist has no author
	Differs
)

var words = [...]string{
	answer.AuthorSame, answer.AuthorCompatible, answer.AuthorCompatible,
	answer.AuthorNotGiven, answer.AuthorUnknown, answer.AuthorDiffers,
}

// String returns the verdict as a value of authorMatch in answers.
func (v Verdict) String() string { return words[v] }

// Agrees reports whether the authors support the match.
func (v Verdict) Agrees() bool { return v <= Partly }

// AgreesWell reports whether all authors of the query support the match.
func (v Verdict) AgreesWell() bool { return v <= Compatible }

// Compare compares the author of a query with the author in a checklist.
func Compare(given, known string) Verdict {
	var c Cited
	c.Set(given)
	return c.Compare(known)
}

// Cited is the author of a query, for comparison with several authors of checklists. It parses the
// author at the first comparison and keeps the result. It must not be used concurrently.
type Cited struct {
	text       string
	parsed     Authorship
	done       bool
	own, other reader
}

// Set sets the author.
func (c *Cited) Set(text string) { c.text, c.done = text, false }

// Compare compares the author of the query with an author in a checklist.
func (c *Cited) Compare(known string) Verdict {
	switch {
	case strings.TrimSpace(c.text) == "":
		return NotGiven
	case strings.TrimSpace(known) == "":
		return Unknown
	case sameLetters(c.text, known):
		return Same
	}
	return c.read().compare(c.readOther(known))
}

// SameBasionym reports whether both citations have the same author of the basionym. Names with the
// same basionym have the same type.
func (c *Cited) SameBasionym(known string) bool { return c.read().sameBasionym(c.readOther(known)) }

// Year returns the year that the query gives after the author, or 0.
func (c *Cited) Year() int {
	if !strings.ContainsAny(c.text, "0123456789") {
		return 0
	}
	return c.read().year
}

func (c *Cited) read() Authorship {
	if !c.done {
		c.own.reset()
		c.parsed, c.done = c.own.read(c.text), true
	}
	return c.parsed
}

func (c *Cited) readOther(known string) Authorship {
	c.other.reset()
	return c.other.read(known)
}

// sameLetters reports whether a and b differ only in spaces, full stops, commas and case. It
// returns false for texts that are not ASCII.
func sameLetters(a, b string) bool {
	if a == b {
		return true
	}
	i, j := 0, 0
	for {
		for i < len(a) && (a[i] == ' ' || a[i] == '.' || a[i] == ',') {
			i++
		}
		for j < len(b) && (b[j] == ' ' || b[j] == '.' || b[j] == ',') {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] && (a[i]|0x20 != b[j]|0x20 || a[i]|0x20 < 'a' || a[i]|0x20 > 'z') {
			return false
		}
		i++
		j++
	}
}
