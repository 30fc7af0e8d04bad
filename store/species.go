package store

import (
	"encoding/binary"
	"fmt"
)

// Num is the place of a record in the answer order of its table, from 0. Numbers are dense and
// valid within one snapshot only. The GUID stays the same in other snapshots.
type Num = uint32

// Species is a row of the species table with all records that belong to it. A plain column of the
// table needs only its field in [SpeciesDetail] and its row in the table of columns in package
// datapackage.
type Species struct {
	Num Num
	// SpeciesDetail has the columns of the row and the accepted name. Its URL is the operator's own
	// page, or "". Rendering fills in the lengths of the lists below, which hide the fields of the
	// same names.
	SpeciesDetail

	Synonyms []Synonym
	Aliases  []Alias
	Flora    []FloraTreatment
	Uses     []PlantUse
	Papers   []Num // sorted
	Formulas []Num // sorted

	// Listings says where the checklists have the species.
	Listings []Listing
	// Areas has the codes of the areas that checklists list for the species, each once, and LifeForms
	// its life forms.
	Areas     []ListedArea
	LifeForms []string

	// Herbs are the names of the herbs that are made from the species. HerbAliases are the other
	// names of these herbs.
	Herbs, HerbAliases []Reading
	// FolkNames are the folk names of those herbs.
	FolkNames []Reading
	// NoPlants are the names of herbs that are known not to be plants. They belong to no species,
	// so the first species of the table has all of them.
	NoPlants []string
}

// Listing is the place of a species in a checklist.
type Listing struct {
	List     uint8 // number of the checklist in [Taxa]
	Relation Relation
	ID       string // the name's id in the checklist
}

// Relation is how the name of a species relates to the accepted name of its taxon in a checklist.
type Relation uint8

// The relations.
const (
	IsAccepted Relation = iota // the species has the accepted name
	IsSynonym                  // its name is a synonym
	IsBelow                    // the list lacks the variety; the accepted name is that of its species
)

var relationWords = [...]string{"accepted", "synonym", "species"}

// String returns the word for the relation: accepted, synonym or species.
func (r Relation) String() string { return relationWords[r] }

// packListings encodes listings: of each, the number of the list, the relation, and the id with its
// length.
func packListings(all []Listing) Template {
	var out []byte
	for _, l := range all {
		out = append(binary.AppendUvarint(append(out, l.List, byte(l.Relation)), uint64(len(l.ID))), l.ID...)
	}
	return out
}

// SpeciesListings returns where the checklists have a species.
func (t *Tx) SpeciesListings(n Num) (all []Listing, err error) {
	d := decode(t.record(speciesListings, n))
	for len(d.Rest) > 2 && !d.Failed {
		l := Listing{List: d.Rest[0], Relation: Relation(d.Rest[1])}
		d.Rest = d.Rest[2:]
		l.ID = d.text()
		if int(l.Relation) >= len(relationWords) {
			d.Failed = true
		}
		all = append(all, l)
	}
	if d.Failed {
		return nil, fmt.Errorf("the listings of a species: %w", ErrDamaged)
	}
	return all, nil
}

// ListedArea is an area that a checklist lists for a species.
type ListedArea struct {
	Code, Name, Chinese string
	Introduced          bool
}

// Synonym is another scientific name of a species.
type Synonym struct {
	ID     int64
	Name   string // without author
	Author string
	Rank   string
	// Status is synonym, homotypic, heterotypic, orthographic, misapplied or
	// "pro parte".
	Status string
}

// Alias is another Chinese name of a species.
type Alias struct {
	Name   string
	Pinyin string // derived; tone marks, a space between syllables
	// Kind is standard, alias, local, ethnic, herb, pharmaceutical, trade or
	// historical.
	Kind   string
	Source string
}
