package bulk

import "context"

// Format is the format of the results.
type Format int

// The formats of results.
const (
	CSV Format = iota
	JSONLines
)

// Options are the options of [Run]. With the zero value, Run finds the column of names by its
// header and writes the best candidate for each name as CSV.
type Options struct {
	// Column is the header of the column of names. If it is empty, Run looks for a usual header,
	// such as name or scientificName. Without such a header, Run reads a list of one column as one
	// name in each line and refuses a list of several columns.
	Column string
	// AuthorColumn, FamilyColumn and ChineseColumn are the headers of the columns of authors,
	// families and Chinese names. Their cells are hints. If an option is empty, Run looks for a
	// usual header, such as scientificNameAuthorship, family or 中文名.
	AuthorColumn, FamilyColumn, ChineseColumn string
	// Sheet is the name of the sheet to read, if the list is a workbook. If it is empty, Run reads all
	// sheets that have the header of the first sheet with names. If these are several, a column of the
	// results has the name of the sheet.
	Sheet string
	// Encoding is the encoding of a text, one of rows.Encodings. If it is empty, Run tells UTF-8, UTF-16,
	// GB18030, Big5 and Windows-1252 apart.
	Encoding string
	// Plain means that every line is a name, including the first.
	Plain bool

	Format Format
	// Columns is the set of columns of the results: [ColumnsFull], [ColumnsPaper] or [ColumnsIDs].
	// Empty means [ColumnsFull].
	Columns string
	// Given, for [JSONLines], replaces the columns of the list by one field, "given". The field has
	// the non-empty cells of the row, separated by " · ". For a row with more than [MaxGiven]
	// bytes, the field has only the name, the author and the family.
	Given bool
	// Excel writes CSV for Excel, with a byte-order mark and CRLF. If a cell starts with = + - or
	// @, a quote is written before it, so that Excel does not run the cell as a formula.
	Excel bool

	// All writes a row for every candidate of a name instead of only for the best candidate.
	All bool
	// Limit is the maximum number of candidates for a name; 0 means names.DefaultLimit.
	Limit int
	// Region is a hint for all names, see [names.Query].
	Region string
	// NoFuzzy excludes candidates whose spelling differs from the name in more than orthography.
	NoFuzzy bool
	// Source and Rank, if not empty, exclude candidates of other checklists and of other ranks.
	// MinScore excludes candidates with a lower score.
	Source, Rank string
	MinScore     float64

	// Distribution adds columns with where the plant of the accepted name grows, its life form, and where
	// the name was published. The [Matcher] must set [names.Entry.Distribution].
	Distribution bool
	// Explain adds a column with the steps of matching, which is empty for exact names.
	Explain bool

	// Since, if not nil, matches names against an earlier version of the checklists. Columns of the
	// results then tell what has changed since.
	Since Matcher

	// MaxColumns is the maximum number of columns of the list; 0 means [MaxColumns].
	MaxColumns int
	// MaxRows is the maximum number of rows that are matched; 0 means any number. If the list has more,
	// the next row gets an error, which says so, and Run reads no further.
	MaxRows int64
	// MaxUnpacked is the maximum size of an unpacked workbook in bytes; 0 means 64 MiB. Parts of
	// the workbook without cells do not count.
	MaxUnpacked int64
	// TempDir is the folder for the temporary files of large workbooks; empty means the system's
	// temporary folder. Run creates a folder in TempDir and removes it at the end.
	TempDir string

	// Turn, if not nil, waits for a turn to use a processor. A run holds a turn while it reads or
	// matches a batch. It calls done to give the turn back.
	Turn func(context.Context) (done func(), err error)

	// ErrorText returns the message for an error in a row. If ErrorText is nil, messages are in
	// English.
	ErrorText func(error) string
	// Word translates a word of a remark. code identifies the word, such as flag.ambiguous, and
	// english is its English text. If Word is nil, remarks are in English.
	Word func(code, english string) string
	// Workers is the number of batches that are matched at the same time; 0 means one for each
	// processor.
	Workers int
	// CacheSize is the maximum number of names whose answers are cached; 0 means 40,000.
	CacheSize int
	// Progress, if not nil, is called during the run with the counts so far. Calls do not overlap.
	Progress func(Stats)
}

// turn waits for a turn to use a processor. The caller must call done to give the turn back.
func (o *Options) turn(ctx context.Context) (done func(), err error) {
	if o.Turn == nil {
		return func() {}, nil
	}
	return o.Turn(ctx)
}

// Stats counts the rows of a run. As JSON it is the summary of the run.
type Stats struct {
	Rows       int64 `json:"rows"`       // rows of the input, without the header
	Matched    int64 `json:"matched"`    // rows with at least one result
	Unreadable int64 `json:"unreadable"` // rows that could not be read, or in which the name is not valid text
	Empty      int64 `json:"empty"`      // rows without a name
	Bytes      int64 `json:"-"`          // bytes of the input read so far, in UTF-8
	// Encoding is the encoding of the input, such as GB18030. Undecoded counts the rows, with the header,
	// that have U+FFFD in the results instead of bytes that are not in this encoding.
	Encoding  string `json:"encoding"`
	Undecoded int64  `json:"undecoded"`
	// Best counts rows by the kind of their best result.
	Best Tally `json:"best"`

	// Species, Genera and Families count the different taxa among the best results with a score of
	// 0.7 or more. A subspecies counts as its species.
	Species  int64 `json:"species"`
	Genera   int64 `json:"genera"`
	Families int64 `json:"families"`
	// Ambiguous counts the rows whose best result may mean several taxa. Unplaced counts the rows
	// whose best result has no accepted name. Disagree counts the rows for which checklists place
	// the name of the best result in different taxa.
	Ambiguous int64 `json:"ambiguous"`
	Unplaced  int64 `json:"unplaced"`
	Disagree  int64 `json:"checklistsDisagree"`
	// RowAbove counts the rows that were completed from a row above. NoFamily counts the rows whose
	// family cell does not contain a family. Epithets counts the rows whose name is one word in
	// lower case, without a genus.
	RowAbove int64 `json:"rowAbove"`
	NoFamily int64 `json:"noFamily"`
	Epithets int64 `json:"epithets"`
	// Changes counts the rows by their changes, with [Options.Since].
	Changes map[string]int64 `json:"changes,omitempty"`
	// Sheets names the sheets that were read, if the list is a workbook, and LeftOut the sheets with
	// rows that were not read. Header is the line number of the first header, from 1, or 0 if there is
	// none.
	Sheets  []string `json:"sheets,omitempty"`
	LeftOut []string `json:"sheetsLeftOut,omitempty"`
	Header  int      `json:"header,omitempty"`
	Taken   Taken    `json:"columns"`
}

// addChange counts the changes of a row.
func (s *Stats) addChange(c *Change) {
	if c == nil {
		return
	}
	if s.Changes == nil {
		s.Changes = map[string]int64{}
	}
	for _, kind := range c.Kinds {
		s.Changes[kind]++
	}
}

// Taken has the headers of the columns that Run used as name, author and so on. "" means that no
// column was used.
type Taken struct {
	Name          string `json:"name,omitempty"`
	Genus         string `json:"genus,omitempty"`
	Epithet       string `json:"epithet,omitempty"`
	Infraspecific string `json:"infraspecific,omitempty"` // one or several headers
	Rank          string `json:"rank,omitempty"`
	Author        string `json:"author,omitempty"`
	BelowAuthor   string `json:"infraspecificAuthor,omitempty"`
	Qualifier     string `json:"qualifier,omitempty"`
	Family        string `json:"family,omitempty"`
	Kingdom       string `json:"kingdom,omitempty"`
	ChineseName   string `json:"chineseName,omitempty"`
	// ByCells lists the headers above whose columns were chosen by the contents of their cells.
	// Others lists the headers of other columns that hold names, and Unused the columns of epithets,
	// ranks and qualifiers that were not used although they say more than the name.
	ByCells []string `json:"byCells,omitempty"`
	Others  []string `json:"otherNames,omitempty"`
	Unused  []Unused `json:"unused,omitempty"`
	// Lines is true if the list has separators and was read as plain lines all the same.
	Lines bool `json:"plainLines,omitempty"`
}

// Unused is a column that was not used, with the kind of its cells.
type Unused struct {
	Column string `json:"column"`
	Holds  string `json:"holds"`
}

// The kinds of cells of an [Unused] column.
const (
	HoldsEpithets   = "epithets"
	HoldsRanks      = "ranks"
	HoldsQualifiers = "qualifiers"
)

// MaxColumns is the default of [Options.MaxColumns].
const MaxColumns = 2000
