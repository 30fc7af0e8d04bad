package names

// The sections of the names file.
const (
	secMeta    = iota // JSON: fileMeta
	secTexts          // texts that many rows share, each behind its length
	secNames          // the texts of each usage, in the order of the usages
	secKeys           // what follows the genus in each key
	secKeyRows        // and one row that ends the last
	secExact          // hash of a key → its first usage, see slots.go
	secGenera         // folded names of the genera
	secGenusRows
	secUsages // and one row that ends the last
	secMembers
	secRecords
	secLabels // Chinese names and pinyin
	secTables // two sections for each table, see table.go
	sections  = secTables + 2*tables
)

// fileMeta is the part of the file that is not an array.
type fileMeta struct {
	Checklists []Checklist `json:"checklists"`
}

// usageRow is one usage in the file. The usages of a key stand together, and
// so do their texts: a look-up reads a slot, a row or two, and a few lines of
// texts, whatever else the file holds.
type usageRow struct {
	Texts                          uint32 // start of its texts in secNames, see texts.go
	Rank, Family                   uint32 // start of each in secTexts
	Key                            uint32
	Concept                        uint32 // the usage that heads its concept and stands for it, see linkTable
	Members                        uint32 // of a head: where secMembers lists the members of its concept; 0 for none
	Record                         uint32 // number of the record + 1, for names of the database
	Checklist, Status, Group, Bits uint8
}

// Bits of a usageRow.
const (
	bitProParte = 1 << iota
	bitHybrid   // the name has a hybrid sign
	bitRank     // the name has a rank word
	bitPlaced   // its checklist has an accepted name for it
	bitOwn      // which is itself
)

// keyRow is one key; what begins in it ends where the next row's begins.
type keyRow struct {
	Rest  uint32 // start of what follows the genus
	Genus uint32
	Usage uint32 // first usage
	Mask  uint32 // letters in what follows the genus
}

// genusRow is one genus.
type genusRow struct {
	Name uint32 // start of its name
	Key  uint32 // first key
	Mask uint32 // letters in its name
}

// recordRow is one species of the database.
type recordRow struct {
	EntryID uint32
	GUID    uint32 // start in secTexts
	Usage   uint32 // its name
}

// labelRow is a Chinese name, folded, or a pinyin reading, with what it
// leads to.
type labelRow struct {
	Text, Usage, Kind uint32
}

// Kinds of labels, the strongest first.
const (
	labelName    = iota // Chinese name of a record
	labelList           // Chinese name in a checklist
	labelAlias          // other Chinese name of a record
	labelAutonym        // name with a note such as 原变种: of the type of the species, not the species
	labelPinyin         // pinyin of the name
	labelPinyin2        // pinyin of an alias
)
