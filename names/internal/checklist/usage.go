package checklist

// IPNIPrefix is the prefix of IPNI's LSIDs.
const IPNIPrefix = "urn:lsid:ipni.org:names:"

// The fixed names of sources in answers. Other checklists have the source name that the
// configuration gives them.
const (
	SourceWCVP     = "WCVP"
	SourceIPNI     = "IPNI"
	SourceWFO      = "WFO"
	SourceColChina = "CoL-China"
	SourceDatabase = "database"
	SourceHerbs    = "drugs" // names that only books on herbs use, from package herb
)

// Checklist identifies a checklist.
type Checklist struct {
	// Source is WCVP, IPNI, WFO, CoL-China, or a configured name.
	Source string
	// Name and Version together are the text of the field checklistVersion in answers.
	Name, Version string
}

// Usage is a name usage, which is a row of a checklist. A field is "" if the checklist gives no
// value.
type Usage struct {
	ID         string // identifier that is unique in the checklist
	AcceptedID string // ID of the accepted name; for an accepted name, its own ID or ""
	Name       string // name without author: Genus × epithet subsp. epithet
	Author     string
	Rank       string // in lower case, such as species
	Status     Status
	Family     string
	// IPNIID is the IPNI identifier without prefix: 91472-1.
	IPNIID string
	// WFOID is the WFO identifier, if another checklist than WFO gives it. In WFO itself, ID is
	// this identifier.
	WFOID string
	// ChineseName is the Chinese name in the checklist.
	ChineseName string

	Facts
}

// Facts is what a checklist says about a name beside its place in the list. The names file has none
// of it. A field is "" if the checklist gives no value.
type Facts struct {
	Publication   string // place of publication, volume and page
	Published     string // when the name was published, as the list writes it: 1843 publ. 1844
	LifeForm      string
	Climate       string
	BasionymID    string // ID of the basionym
	HybridFormula string
	Remarks       string // nomenclatural remarks
	Area          string // where the plant grows, as a text
	Reviewed      string // Y, N or ""
	// Homotypic means that the list says that the name has the type of its accepted name.
	Homotypic bool
}

// Record is one species of the database with all its names.
type Record struct {
	EntryID        int32
	GUID           string
	ChineseName    string
	Pinyin         string // with tone marks, and a space between syllables
	ScientificName string // without author
	Author         string
	Rank           string
	Family         string
	GenusChinese   string // Chinese name of the genus, such as 人参属
	Synonyms       []RecordSynonym
	Aliases        []RecordAlias
}

// RecordSynonym is another scientific name of a [Record].
type RecordSynonym struct {
	Name   string // without author
	Author string
	Rank   string
	// Status is the status that the source gives: synonym, homotypic, heterotypic, orthographic,
	// misapplied or "pro parte".
	Status string
}

// RecordAlias is another Chinese name of a [Record].
type RecordAlias struct {
	Name   string
	Pinyin string // with tone marks, and a space between syllables
}
