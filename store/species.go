package store

// Num is a record's place in its table's answer order, from 0. It is dense
// and holds within one snapshot only; between snapshots use the GUID.
type Num = uint32

// Species is one row of the species table with all that hangs on it. An empty
// string means that the source does not say.
type Species struct {
	Num               Num
	EntryID           int32
	GUID              string // lower-case UUID
	ChineseName       string // NFC, as the source writes it
	ChineseNamePinyin string // tone marks, a space between syllables
	ScientificName    string // without author
	Author            string
	Rank              string // species, subspecies, variety, form, cultivar …
	Family            string
	FamilyChinese     string
	Genus             string
	GenusChinese      string
	URL               string // the operator's own page; empty is the site's

	Synonyms []Synonym
	Aliases  []Alias
	Flora    []Flora
	Uses     []Use
	Papers   []Num // sorted
	Formulas []Num // sorted

	// Drugs are the names of the drugs that it gives, and DrugAliases other names
	// of these.
	Drugs, DrugAliases []Reading
	// NoPlants are the names of drugs that are known to be no plants. They are of
	// no species, and one record holds them all.
	NoPlants []string

	// Match is the accepted name that the checklists give, or nil.
	Match *NameMatchInfo
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
	// Kind is standard, alias, local, ethnic, drug, pharmaceutical, trade or
	// historical.
	Kind   string
	Source string
}

// Flora is a species' entry in a flora: where to read on, no text.
type Flora struct {
	ID                 int64
	Flora              string // FRPS, FOC …
	NameInFlora        string
	ChineseNameInFlora string
	Volume             string // as printed: 7(2)
	Page               string // as printed: 233–235
	URL                string
}

// Use is one recorded use of a species.
type Use struct {
	ID          int64
	Collection  string // general, economic_flora, himalaya or folk
	NameCited   string
	Category    string
	Part        string
	Description string
	EthnicGroup string
	Country     string
	Region      string
	Reference   string
}
