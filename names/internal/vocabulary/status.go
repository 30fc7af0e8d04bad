package vocabulary

import "strings"

// Status is the standing of a name in a checklist, in WCVP's terms.
type Status string

// The statuses that a checklist may give a name.
const (
	Accepted         Status = "accepted"
	Synonym          Status = "synonym"
	Illegitimate     Status = "illegitimate"
	Invalid          Status = "invalid"
	Orthographic     Status = "orthographic"
	Misapplied       Status = "misapplied"
	Unplaced         Status = "unplaced"
	ArtificialHybrid Status = "artificialHybrid"
	LocalBiotype     Status = "local"
)

// Statuses lists every status by its [StatusNumber].
var Statuses = [...]Status{Accepted, Synonym, Orthographic, Unplaced, Illegitimate, Invalid, Misapplied, ArtificialHybrid, LocalBiotype}

// statusWords says what the words of WCVP, Darwin Core and ColDP mean.
var statusWords = map[string]Status{
	"accepted":              Accepted,
	"provisionallyaccepted": Accepted,
	"valid":                 Accepted,
	"synonym":               Synonym,
	"homotypicsynonym":      Synonym,
	"homotypic":             Synonym,
	"heterotypicsynonym":    Synonym,
	"heterotypic":           Synonym,
	"ambiguoussynonym":      Synonym,
	"proparte":              Synonym,
	"propartesynonym":       Synonym,
	"illegitimate":          Illegitimate,
	"invalid":               Invalid,
	"orthographic":          Orthographic,
	"misapplied":            Misapplied,
	"unplaced":              Unplaced,
	"unchecked":             Unplaced,
	"unresolved":            Unplaced,
	"doubtful":              Unplaced,
	"ambiguous":             Unplaced,
	"barename":              Unplaced,
	"artificialhybrid":      ArtificialHybrid,
	"local":                 LocalBiotype,
	"localbiotype":          LocalBiotype,
}

var separators = strings.NewReplacer(" ", "", "_", "", "-", "")

// ParseStatus reads a status as WCVP, a Darwin Core Archive or ColDP writes
// it, in any case. It reports false for a word that it does not know, with
// [Unplaced], which claims least.
func ParseStatus(s string) (Status, bool) {
	s = strings.ToLower(separators.Replace(s))
	if st, ok := statusWords[s]; ok {
		return st, true
	}
	return Unplaced, false
}

// StatusNumber stands for a status in the names file. Numbers are in the order
// in which an answer prefers the statuses.
type StatusNumber uint8

// Word returns the status that n stands for.
func (n StatusNumber) Word() Status { return Statuses[n] }

// Number returns the status' number; an unknown one counts as unplaced.
func (s Status) Number() StatusNumber {
	for i, t := range Statuses {
		if t == s {
			return StatusNumber(i)
		}
	}
	return Unplaced.Number()
}
