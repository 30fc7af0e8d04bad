package vocabulary

// IPNIPrefix is how IPNI's identifiers begin when written out.
const IPNIPrefix = "urn:lsid:ipni.org:names:"

// Checklist names a list of names that is matched against.
type Checklist struct {
	// Source is WCVP, IPNI, WFO, CoL-China, or the configured name of
	// another checklist.
	Source string
	// Name and Version together are the checklistVersion of every answer.
	Name, Version string
}

// Usage is one row of a checklist: a name and what the checklist thinks of
// it. An empty string means that the checklist does not say.
type Usage struct {
	ID         string // the checklist's own identifier; unique in it
	AcceptedID string // ID of the accepted name; equal to ID or empty for an accepted one
	Name       string // without author: Genus × epithet subsp. epithet
	Author     string
	Rank       string // in lower case, such as species
	Status     Status
	Family     string
	// IPNIID is the IPNI identifier without its prefix: 91472-1.
	IPNIID string
	// WFOID is for a checklist other than WFO that knows WFO's identifiers.
	WFOID string
	// ChineseName is the name that the checklist itself gives.
	ChineseName string
}

// Record is one species of the database with all the names that lead to it.
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
	// Status is as the source has it: synonym, homotypic, heterotypic,
	// orthographic, misapplied or "pro parte".
	Status string
}

// RecordAlias is another Chinese name of a [Record].
type RecordAlias struct {
	Name   string
	Pinyin string // tone marks, a space between syllables
}
