// Package author reads the citations of the authors of names and says how two
// of them agree.
//
//	(Juss.) Benth. & Hook.f.       as a checklist or a label has it
//	basionym     juss              Parse: who first named it, in parentheses,
//	combination  benth, hook f     and who put it where it stands
//
// Authors are abbreviated as everybody likes (L., Linn., Linnaeus), left out,
// and transcribed in several ways; what is alike counts as compatible. What ex
// and in mean is ICN Art. 46. A surname may be shortened at its end or by its
// vowels, which needs no list; what no rule gives away stands in tables:
// persons.txt (other forms of one person, whom no other form may mean),
// teams.txt (R. & P.), surnames.txt (words abbreviated otherwise) and
// chinese.txt (surnames in several romanisations).
package author

import (
	"strings"

	"bencao/names/internal/vocabulary"
)

// Verdict is how the authors asked for agree with those of a checklist, the
// best first.
type Verdict uint8

// The verdicts.
const (
	Same       Verdict = iota
	Compatible         // one leaves out or abbreviates what the other has
	Partly             // compatible, but by one of several authors only
	NotGiven           // none asked for
	Unknown            // the checklist has none
	Differs
)

var words = [...]string{
	vocabulary.AuthorSame, vocabulary.AuthorCompatible, vocabulary.AuthorCompatible,
	vocabulary.AuthorNotGiven, vocabulary.AuthorUnknown, vocabulary.AuthorDiffers,
}

// String is the word of an answer's authorMatch.
func (v Verdict) String() string { return words[v] }

// Agrees says that the authors speak for the name.
func (v Verdict) Agrees() bool { return v <= Partly }

// AgreesWell says that they do so as a whole.
func (v Verdict) AgreesWell() bool { return v <= Compatible }

// Compare says how the author asked for agrees with the one that a checklist
// gives.
func Compare(given, known string) Verdict {
	var c Cited
	c.Set(given)
	return c.Compare(known)
}

// Cited is an author asked for, held against those of the checklists. It is
// parsed when one of them differs from it in letters, once. It is for one
// goroutine, and keeps its memory for the next author.
type Cited struct {
	text       string
	parsed     Authorship
	done       bool
	own, other reader
}

// Set makes it another author.
func (c *Cited) Set(text string) { c.text, c.done = text, false }

// Compare says how the author agrees with that of a checklist.
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

// SameBasionym says whether the author differs from that of a checklist only in
// who combined the name: the same basionym has the same type.
func (c *Cited) SameBasionym(known string) bool { return c.read().sameBasionym(c.readOther(known)) }

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

// sameLetters says whether a and b differ in nothing but spaces, full stops,
// commas and case. It only knows ASCII; false decides nothing.
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
