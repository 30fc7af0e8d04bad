package vocabulary

// IPNIPrefix is the prefix of IPNI's LSIDs.
const IPNIPrefix = "urn:lsid:ipni.org:names:"

// Checklist identifies a checklist.
type Checklist struct {
	// Source is WCVP, IPNI, WFO, CoL-China, or a configured name.
	Source string
	// Name and Version together are the field checklistVersion of answers.
	Name, Version string
}

// Usage is a name usage: a row of a checklist. An empty string means that the checklist gives no
// value.
type Usage struct {
	ID         string // identifier in the checklist, unique
	AcceptedID string // ID of the accepted name; an accepted name has its own ID or ""
	Name       string // without author: Genus × epithet subsp. epithet
	Author     string
	Rank       string // in lower case, such as species
	Status     Status
	Family     string
	// IPNIID is the IPNI identifier without prefix: 91472-1.
	IPNIID string
	// WFOID is the WFO identifier, if the checklist is another than WFO.
	WFOID string
	// ChineseName is the Chinese name in the checklist.
	ChineseName string
}

// Record is one species of the database with all its names.
type Record struct {
	EntryID        int32
	GUID           string
	ChineseName    string
	Pinyin         string // tone marks, a space between syllables
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
	// Status is the status in the source: synonym, homotypic, heterotypic, orthographic, misapplied
	// or "pro parte".
	Status string
}

// RecordAlias is another Chinese name of a [Record].
type RecordAlias struct {
	Name   string
	Pinyin string // tone marks, a space between syllables
}
