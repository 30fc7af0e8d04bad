package store

// Herb is a drug (药) as formulas name it: what all its processed forms have in
// common. Most herbs are plants or parts of plants, some are no plants at all.
type Herb struct {
	Num  Num
	GUID string // lower-case UUID, made from the name
	// Name is the plain name: 甘草, not 炙甘草.
	Name       string
	NamePinyin string // tone marks, a space between syllables
	// Latin are its pharmaceutical Latin names, such as Coptidis Rhizoma.
	Latin   []string
	Aliases []Reading // other names
	// Forms are the names of its processed forms, as tables list them: 炙甘草.
	Forms []string
	Parts []string // of the plant: root, rhizoma
	// Kind is plant, fungus, alga, animal, mineral or other; "" is not known.
	Kind string
	// NoPlant says that it is known to be no plant.
	NoPlant bool
	Species []HerbSource
	// VariantOf are the herbs of which its name is another name, a processed form
	// or a part.
	VariantOf []HerbVariant

	// What follows is what the formulas hold.
	Formulas []Num          // sorted
	Written  []HerbWritten  // the most frequent first
	With     []HerbTogether // those that it stands with most often
}

// Reading is a Chinese name and how it is read aloud.
type Reading struct {
	Name   string
	Pinyin string // derived; tone marks, a space between syllables
}

// HerbSource is a species from which a herb comes.
type HerbSource struct {
	Species Num
	// ChineseName and ScientificName are the species'.
	ChineseName, ScientificName string

	Part      string
	Authority string // a book
	Preferred *bool  // nil when the source does not say
	// FromYear and ToYear are the first and the last year of formulas in which the
	// herb is this species; nil is no limit.
	FromYear, ToYear *int32
}

// HerbVariant is a herb of which another one's name is a variant.
type HerbVariant struct {
	Herb Num
	How  string // otherName, processed or part
}

// HerbWritten is a herb as formulas write it.
type HerbWritten struct {
	Herb     string // verbatim
	Formulas int    // that write it so
}

// HerbTogether is a herb that stands in formulas with another.
type HerbTogether struct {
	Herb     Num
	Formulas int // that have both
}
