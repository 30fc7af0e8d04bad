package drug

// Kind says what a drug is.
type Kind string

// The kinds of drugs. Only what is a plant, or comes from one, has species
// that a checklist of plants may have.
const (
	Plant   Kind = "plant"
	Fungus  Kind = "fungus"
	Alga    Kind = "alga"
	Animal  Kind = "animal"
	Mineral Kind = "mineral"
	Other   Kind = "other" // made or mixed: 神曲
)

// Drug is one drug of the table. It must not be changed: the table shares it.
type Drug struct {
	// Name is the Chinese name, as the pharmacopoeia writes it.
	Name string
	// Latin are the pharmaceutical Latin names in the order of today (Coptidis
	// Rhizoma), the pharmacopoeia's first. Empty for a drug that has none.
	Latin []string
	Kind  Kind
	// Species are what the drug comes from; any of them will do. For a mineral
	// it is what it consists of.
	Species []Species
	// Aliases are its other Chinese names.
	Aliases []Alias
	// Unsure says that the whole entry is.
	Unsure bool
	// Book says what the drug comes from, in Chinese: the pharmacopoeia. Empty for
	// one that stands in older or in several books.
	Book string
}

// Species is a source of a drug.
type Species struct {
	// Names are its names without author, the pharmacopoeia's first; the others
	// are those of today's floras.
	Names []string
	// Unsure says that not all books have it as a source.
	Unsure bool
}

// Alias is another Chinese name of a drug.
type Alias struct {
	Name string
	// Unsure says that the name is at least as often another drug's.
	Unsure bool
}

// IsPlant says whether the drug is a plant or comes from one.
func (d *Drug) IsPlant() bool { return d.Kind == Plant }

// Match is a drug that a name leads to.
type Match struct {
	*Drug
	// Reading is how a Chinese name was taken apart; of a Latin name it has the
	// parts.
	Reading Reading
	// Alias says that the name is one of the drug's other names.
	Alias bool
	// PartDiffers says that the drug is another part of the plant than the Latin name
	// asks for, or is processed otherwise.
	PartDiffers bool
	// Unsure says that the name, or the drug, is marked as unsure in the table.
	Unsure bool
}

// All returns the drugs in the order of the files. The list must not be
// changed.
func All() []*Drug { return loaded().drugs }
