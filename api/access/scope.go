package access

import (
	"fmt"
	"strings"
)

// Scopes is a set of scopes; each is a part of the data that a key may read. The zero value is
// [Open].
type Scopes uint8

// Open is the data that every valid key may read: species, papers, names, statistics.
const Open Scopes = 0

// The scopes that a key may have besides [Open].
const (
	// SpeciesPrescriptions opens the formulas of a species.
	SpeciesPrescriptions Scopes = 1 << iota
	// PlantUses opens the uses of a species.
	PlantUses
	// Prescriptions opens the search for formulas and their details.
	Prescriptions
	// PrescriptionComposition shows ingredients and codes in a formula's details.
	PrescriptionComposition
	// PrescriptionSimilarity shows similar formulas in a formula's details.
	PrescriptionSimilarity

	// All is the set of all scopes.
	All = SpeciesPrescriptions | PlantUses | Prescriptions | PrescriptionComposition | PrescriptionSimilarity
)

// scopeNames has the name of each scope in the access file. The index is the bit of the scope.
var scopeNames = [...]string{
	"species_prescriptions",
	"plant_uses",
	"prescriptions",
	"prescription_composition",
	"prescription_similarity",
}

// ScopeNames lists the scopes that a key may have.
func ScopeNames() []string { return append([]string(nil), scopeNames[:]...) }

// ParseScope reads one scope; the error lists the valid scopes.
func ParseScope(name string) (Scopes, error) {
	for i, s := range scopeNames {
		if s == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("scope %q does not exist; valid are %s", cut(name), strings.Join(scopeNames[:], ", "))
}

// Has reports whether s contains every scope in need.
func (s Scopes) Has(need Scopes) bool { return s&need == need }

// Names returns the scopes in s in the order of [ScopeNames]. It never returns nil.
func (s Scopes) Names() []string {
	names := []string{}
	for i, name := range scopeNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names of the scopes, separated by commas, or "open" for [Open].
func (s Scopes) String() string {
	if s == Open {
		return "open"
	}
	return strings.Join(s.Names(), ",")
}
