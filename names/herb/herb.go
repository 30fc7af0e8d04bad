package herb

// Kind is the kind of a herb.
type Kind string

// The kinds of herbs. Only herbs of the kind Plant have species that a checklist of plants may
// have.
const (
	Plant   Kind = "plant"
	Fungus  Kind = "fungus"
	Alga    Kind = "alga"
	Animal  Kind = "animal"
	Mineral Kind = "mineral"
	Other   Kind = "other" // a prepared or mixed herb: 神曲
)

// Herb is one herb of the table. It must not be changed, because callers share it.
type Herb struct {
	// Name is the Chinese name, as the pharmacopoeia writes it.
	Name string
	// Latin has the pharmaceutical Latin names in today's word order (Coptidis Rhizoma), first the
	// name in the pharmacopoeia. It is empty if there is none.
	Latin []string
	Kind  Kind
	// Species lists the species that the herb may come from. For a mineral, it lists the
	// components.
	Species []Species
	// Aliases lists the other Chinese names: those of names.txt, with those of the herb's processed
	// forms and parts that are no herbs of the table, then the folk names.
	Aliases []Alias
	// Unsure is true if the table marks the whole entry as unsure.
	Unsure bool
	// Book is the source of the entry, in Chinese, such as the pharmacopoeia. It is empty for herbs
	// of older books or of several books.
	Book string
	// Edition is the author and the year of the edition of Book that has the entry, in Chinese. It is
	// "" if Book is.
	Edition string

	folk []Alias // as the file lists them; empty once the table is loaded
}

// Species is one of the species that a herb comes from.
type Species struct {
	// Names lists the names of the species without author: first the name in the pharmacopoeia,
	// then the names in today's floras.
	Names []string
	// Unsure is true if some books do not give the species as a source of the herb.
	Unsure bool
}

// Alias is another Chinese name of a herb.
type Alias struct {
	Name string
	Kind NameKind
	// From and To are the first and the last year in which the name means the herb. Nil means no
	// limit.
	From, To *int32
	Source   string // the book that is the source, in Chinese; "" for a folk name
	// Unsure is true if the name means another herb at least as often.
	Unsure bool
}

// IsPlant reports whether the herb is a plant or comes from one.
func (d *Herb) IsPlant() bool { return d.Kind == Plant }

// Match is a herb that was found by a name.
type Match struct {
	*Herb
	// Reading is the reading of a Chinese name. For a Latin name, it has the parts and qualities.
	Reading Reading
	// By is the kind of the name by which the herb was found. It is StandardName for the main name
	// and for Latin names.
	By NameKind
	// PartDiffers is true if the Latin name means another part of the plant than the herb.
	PartDiffers bool
	// Unsure is true if the table marks the name or the herb as unsure.
	Unsure bool
	// Dated is true if it depends on the year which herb the name means: 青木香 was 木香 up to 1367.
	Dated bool
}

// Alias reports whether the herb was found by an alias, not by its main name.
func (m *Match) Alias() bool { return m.By != StandardName }

// All returns the herbs in the order of the files. The list must not be changed.
func All() []*Herb { return loaded().herbs }
