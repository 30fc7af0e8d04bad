package store

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

	// Herbs are the names of the herbs that are made from the species. HerbAliases are the other
	// names of these herbs.
	Herbs, HerbAliases []Reading
	// FolkNames are the folk names of those herbs.
	FolkNames []Reading
	// NoPlants are the names of herbs that are known not to be plants. They belong to no species,
	// so the first species of the table has all of them.
	NoPlants []string
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
