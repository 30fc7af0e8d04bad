package store

// Num is the place of a record in the answer order of its table, from 0. Numbers are dense and
// valid within one snapshot only. The GUID stays the same in other snapshots.
type Num = uint32

// Species is a row of the species table with all records that belong to it. A string is empty if
// the source has no value.
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
	URL               string // the operator's own page; if empty, the page of this site

	Synonyms []Synonym
	Aliases  []Alias
	Flora    []Flora
	Uses     []Use
	Papers   []Num // sorted
	Formulas []Num // sorted

	// Herbs are the names of the herbs that are made from the species. HerbAliases are the other
	// names of these herbs.
	Herbs, HerbAliases []Reading
	// NoPlants are the names of herbs that are known not to be plants. They belong to no species,
	// so the first species of the table has all of them.
	NoPlants []string

	// Match is the accepted name in the checklists, or nil.
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
	// Kind is standard, alias, local, ethnic, herb, pharmaceutical, trade or
	// historical.
	Kind   string
	Source string
}

// Flora is the entry of a species in a flora, without its text.
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
