package store

// Herb is a herb (药) under its standard name, together with its other names and with the processed
// forms that have no record of their own. Most herbs are plants or parts of plants, but not all.
type Herb struct {
	Num  Num
	GUID string // lower-case UUID, derived from the name
	// Name is the standard name: 黄芪, not 黄耆 or 绵黄芪.
	Name       string
	NamePinyin string // tone marks, a space between syllables
	// Latin are the pharmaceutical Latin names, such as Coptidis Rhizoma.
	Latin   []string
	Aliases []HerbName // other names
	// Merged are the other names that belong to this herb alone. Each has the id that a record of
	// that name would have. Requests for this id get this herb.
	Merged []MergedHerb
	// Forms are the names of processed forms in the tables of herbs, such as 炙甘草.
	Forms []string
	Parts []string // used parts of the plant, such as root and rhizome
	// Kind is plant, fungus, alga, animal, mineral or other; "" if unknown.
	Kind string
	// NoPlant is true if the herb is known not to be a plant.
	NoPlant bool
	Species []HerbSource
	// Others are source species that only the program's table of herbs gives. They do not count in
	// formulas, because the package's table gives the herb other species.
	Others []HerbSource
	// Absent are source species that the package does not have.
	Absent []HerbAbsent
	// Meant are the herbs that the name of this one means in formulas of some years.
	Meant []HerbMeant
	// Apart are the herbs from which a book keeps this one apart.
	Apart []HerbApart
	// LeftYear is the year in which the herb left the pharmacopoeia, 0 if it did not, and LeftBy the
	// edition or the order.
	LeftYear int32
	LeftBy   string
	// VariantOf relates this herb to other herbs. Either this herb is a processed form or a part of
	// the other herb, or the name of this herb is a broader name that also covers the other herb.
	VariantOf []HerbVariant

	// The fields below are derived from the formulas.
	Formulas []Num          // sorted
	Noted    []Num          // further formulas, in which only a note of another herb gives the name; sorted
	Written  []HerbWritten  // the most frequent first
	With     []HerbTogether // herbs that occur most often in the same formulas
	// InText is the number of further formulas whose text names the herb although their list of
	// ingredients does not.
	InText int32
	Doses  []HerbDose // in the order of the dynasties
}

// HerbMeant is a herb that the name of another one means in formulas of some years.
type HerbMeant struct {
	Herb             Num
	FromYear, ToYear *int32 // nil is no limit
	Source           string // a book
}

// HerbApart is another herb with which a herb is easily confused.
type HerbApart struct {
	Herb   Num
	Source string // the book that keeps the two apart
}

// HerbName is a name of a herb.
type HerbName struct {
	Reading
	Kind string // standard, pharmacopoeia, book, trade or folk
	// FromYear and ToYear limit the years of the formulas in which the name means the herb. A nil
	// year is no limit.
	FromYear, ToYear *int32
	Source           string // in Chinese; "" if the kind is standard or folk, or if no book is known
	Edition          string // author and year of the source, in Chinese; "" if it is no book
}

// Folk reports whether the name is a folk name, which helps a search and proves nothing.
func (n *HerbName) Folk() bool { return n.Kind == "folk" }

// Reading is a Chinese name with its pinyin.
type Reading struct {
	Name   string
	Pinyin string // derived; tone marks, a space between syllables
}

// HerbSource is a source species of a herb.
type HerbSource struct {
	Species Num
	// ChineseName and ScientificName are the names of the species.
	ChineseName, ScientificName string

	Part      string
	Authority string // a book
	Preferred *bool  // nil if the source does not say
	// FromYear and ToYear limit the years of the formulas in which the herb is this species. A nil
	// year is no limit.
	FromYear, ToYear *int32
	Evidence         []HerbEvidence
}

// HerbVariant is an entry of [Herb.VariantOf]. It relates the herb to another herb.
type HerbVariant struct {
	Herb Num    // the other herb
	How  string // processed, part or broader
	// FromYear and ToYear limit the years of the formulas in which a broader name covers the other
	// herb. A nil year is no limit.
	FromYear, ToYear *int32
	Source           string // a book; "" if the relation is read from the names
}

// MergedHerb is an entry of [Herb.Merged].
type MergedHerb struct {
	GUID string // lower-case UUID, derived from Name in the same way as the GUID of a herb
	Name string
}

// HerbWritten is a spelling of a herb in formulas.
type HerbWritten struct {
	Herb     string // verbatim
	Formulas int    // number of formulas with this spelling
}

// HerbTogether is a herb that occurs in the same formulas as another herb.
type HerbTogether struct {
	Herb     Num
	Formulas int // number of formulas with both herbs
}
