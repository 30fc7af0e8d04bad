// Package datapackage reads the tables of a plant and formula database from a
// Frictionless Data Package: datapackage.json and one CSV per table, in a
// folder or a zip. docs/data-package.md describes it for those who export one.
//
// [Read] checks every row and says what is wrong as findings with file and
// physical line; what it returns holds only rows that keep the rules:
//
//	every key stands once, and every reference leads to a row
//	text is NFC without white space at its ends; an empty cell is ""
//	every species and formula has a GUID in lower case
//	rows are in the order of their keys, in whatever order they came
//
// [Write] is the way back: what it writes is read as the same package.
//
// The package knows nothing of checklists, of matching names or of the
// answers' order.
package datapackage

import "bencao/store"

// Package is what a data package holds.
type Package struct {
	Name     string
	Title    string
	Version  string
	Created  string // as given; a time in RFC 3339 form as a rule
	Licenses []License

	// Species have their synonyms, aliases, flora entries and uses attached,
	// aliases by name and the others by id; Num, Papers, Formulas and Match are not set.
	Species []store.Species
	// Formulas have their ingredients, by seq, and codes attached; Num,
	// Species, the ingredients' species and the similar formulas are not set.
	Formulas []store.Formula
	// Papers have no Num.
	Papers []store.Paper

	SpeciesPapers   []SpeciesPaper
	HerbSpecies     []HerbSpecies
	SpeciesFormulas []SpeciesFormula
	Similarity      []Similarity
	NameMatches     []NameMatch

	// Tables says of every table that we know how its rows fared, in the order
	// in which they are read.
	Tables []Table
}

// License is one licence of a package or a resource.
type License struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Path  string `json:"path"`
}

// Table says how the rows of a table fared.
type Table struct {
	Name     string `json:"name"`
	Present  bool   `json:"present"`
	Rows     int    `json:"rows"` // without the header and blank rows
	Kept     int    `json:"kept"`
	Rejected int    `json:"rejected"` // Rows - Kept
}

// RejectedShare is the rejected part of the rows, in [0, 1].
func (t Table) RejectedShare() float64 {
	if t.Rows == 0 {
		return 0
	}
	return float64(t.Rejected) / float64(t.Rows)
}

// Table returns the table of that name. It is not present when the package
// lacks it.
func (p *Package) Table(name string) Table {
	for _, t := range p.Tables {
		if t.Name == name {
			return t
		}
	}
	return Table{Name: name}
}

// SpeciesByID gives the index of each species by its entry id.
func (p *Package) SpeciesByID() map[int32]int {
	species := make(map[int32]int, len(p.Species))
	for i := range p.Species {
		species[p.Species[i].EntryID] = i
	}
	return species
}

// SpeciesPaper links a species with a paper.
type SpeciesPaper struct {
	SpeciesID int32 // entry id
	PaperID   string
}

// HerbSpecies says from which species a herb comes. One herb may come from
// several species and one species give several herbs.
type HerbSpecies struct {
	Herb string
	// SpeciesID is an entry id; nil in the row of a drug that is known to be no
	// plant, or of another name for the herb Plain.
	SpeciesID *int32
	Part      string
	Authority string
	Preferred *bool // nil when the source does not say
	// Plain is the herb's plain name, as 茯苓 for 云苓; "" is that which follows
	// from the name.
	Plain string
	// FromYear and ToYear are the first and the last year of the formulas in
	// which the herb comes from the species; nil is no limit.
	FromYear, ToYear *int32
}

// SpeciesFormula links a species with a formula, instead of the links that
// follow from herbs.
type SpeciesFormula struct {
	SpeciesID int32 // entry id
	FormulaID int32 // entry id
	Evidence  string
}

// Similarity is the likeness of two formulas, instead of our own measure.
type Similarity struct {
	FormulaID int32  // entry id
	OtherID   int32  // entry id
	Method    string // jaccard or euclidean
	Value     float64
}

// NameMatch is the operator's own judgement of a species' name.
type NameMatch struct {
	SpeciesID int32 // entry id
	store.NameMatchInfo
}
