package drug

// Kind is the kind of a drug.
type Kind string

// The kinds of drugs. Only a drug that is a plant, or comes from one, has species that a checklist
// of plants may have.
const (
	Plant   Kind = "plant"
	Fungus  Kind = "fungus"
	Alga    Kind = "alga"
	Animal  Kind = "animal"
	Mineral Kind = "mineral"
	Other   Kind = "other" // prepared or mixed: 神曲
)

// Drug is one drug of the table. It must not be changed, since the table shares it.
type Drug struct {
	// Name is the Chinese name, as the pharmacopoeia writes it.
	Name string
	// Latin are the pharmaceutical Latin names in today's word order (Coptidis Rhizoma), that of
	// the pharmacopoeia first. Empty if there is none.
	Latin []string
	Kind  Kind
	// Species are the species that the drug may come from. For a mineral they are its
	// components.
	Species []Species
	// Aliases are the other Chinese names.
	Aliases []Alias
	// Unsure reports that the table marks the whole entry as unsure.
	Unsure bool
	// Book is the source of the entry, in Chinese: the pharmacopoeia. Empty for drugs of older or
	// of several books.
	Book string
}

// Species is a source of a drug.
type Species struct {
	// Names are its names without author: that of the pharmacopoeia, then those of today's
	// floras.
	Names []string
	// Unsure reports that some books do not have it as a source.
	Unsure bool
}

// Alias is another Chinese name of a drug.
type Alias struct {
	Name string
	// Unsure reports that the name is at least as often the name of another drug.
	Unsure bool
}

// IsPlant reports whether the drug is a plant or comes from one.
func (d *Drug) IsPlant() bool { return d.Kind == Plant }

// Match is a drug that has a name.
type Match struct {
	*Drug
	// Reading is the reading of a Chinese name, or the parts and qualities of a Latin name.
	Reading Reading
	// Alias reports that the name is one of the drug's other names.
	Alias bool
	// PartDiffers reports that the drug is another part of the plant than in the Latin name.
	PartDiffers bool
	// Unsure reports that the table marks the name or the drug as unsure.
	Unsure bool
}

// All returns the drugs in the order of the files. The list must not be changed.
func All() []*Drug { return loaded().drugs }
