package checklist

import "strings"

// Status is the taxonomic status of a name in a checklist, in the words of WCVP.
type Status string

// The statuses of names.
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

// Statuses lists the statuses in the order of their [StatusNumber].
var Statuses = [...]Status{Accepted, Synonym, Orthographic, Unplaced, Illegitimate, Invalid, Misapplied, ArtificialHybrid, LocalBiotype}

// statusWords maps the words of WCVP, Darwin Core and ColDP to statuses.
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

// ParseStatus parses a status of WCVP, Darwin Core or ColDP, in any case of its letters. For an
// unknown word it returns [Unplaced] and false.
func ParseStatus(s string) (Status, bool) {
	s = strings.ToLower(separators.Replace(s))
	if st, ok := statusWords[s]; ok {
		return st, true
	}
	return Unplaced, false
}

// StatusNumber is a status as the names file stores it. Answers prefer names whose status has a
// lower number.
type StatusNumber uint8

// Word returns the status with the number n.
func (n StatusNumber) Word() Status { return Statuses[n] }

// Number returns the number of a status. For an unknown status, it returns the number of
// [Unplaced].
func (s Status) Number() StatusNumber {
	for i, t := range Statuses {
		if t == s {
			return StatusNumber(i)
		}
	}
	return Unplaced.Number()
}
