package store

// Herb is a drug (药) under its standard name, together with its other names and with the processed
// forms that have no record of their own. Most herbs are plants or parts of plants, but not all.
type Herb struct {
	Num  Num
	GUID string // lower-case UUID, derived from the name
	// Name is the standard name: 黄芪, not 黄耆 or 绵黄芪.
	Name       string
	NamePinyin string // tone marks, a space between syllables
	// Latin are the pharmaceutical Latin names, such as Coptidis Rhizoma.
	Latin   []string
	Aliases []Reading // other names
	// Merged are the other names that belong to this herb alone. Each has the id that it would have
	// as a record; that id resolves to this herb.
	Merged []MergedHerb
	// Forms are the names of processed forms in the tables of herbs: 炙甘草.
	Forms []string
	Parts []string // of the plant: root, rhizome
	// Kind is plant, fungus, alga, animal, mineral or other; "" if unknown.
	Kind string
	// NoPlant is true if the herb is known not to be a plant.
	NoPlant bool
	Species []HerbSource
	// VariantOf lists the herbs of which this herb is a processed form or a part, and the herbs
	// that its broader name covers.
	VariantOf []HerbVariant

	// The fields below are derived from the formulas.
	Formulas []Num          // sorted
	Written  []HerbWritten  // the most frequent first
	With     []HerbTogether // herbs that occur most often in the same formulas
}

// Reading is a Chinese name with its pinyin.
type Reading struct {
	Name   string
	Pinyin string // derived; tone marks, a space between syllables
}

// HerbSource is a source species of a herb.
type HerbSource struct {
	Species Num
	// ChineseName and ScientificName are those of the species.
	ChineseName, ScientificName string

	Part      string
	Authority string // a book
	Preferred *bool  // nil if the source does not say
	// FromYear and ToYear limit the years of the formulas in which the herb is this
	// species. A nil bound does not limit.
	FromYear, ToYear *int32
}

// HerbVariant is a relation of a herb to another herb. The first herb is a processed form or a part
// of the other herb, or its name is broader and covers the other herb.
type HerbVariant struct {
	Herb Num
	How  string // processed, part or broader
	// FromYear and ToYear limit the years of the formulas in which a broader name covers the herb.
	// A nil bound does not limit.
	FromYear, ToYear *int32
	Source           string // a book; "" if the relation is read from the names
}

// MergedHerb is another name of a herb.
type MergedHerb struct {
	GUID string // lower-case UUID, derived from the name like that of a herb
	Name string
}

// HerbWritten is a spelling of a herb in formulas.
type HerbWritten struct {
	Herb     string // verbatim
	Formulas int    // number of formulas with this spelling
}

// HerbTogether is a herb that occurs in the same formulas as another.
type HerbTogether struct {
	Herb     Num
	Formulas int // number of formulas with both
}
