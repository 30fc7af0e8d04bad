// Package datapackage reads the tables of a plant and formula database from a Frictionless Data
// Package: datapackage.json and one CSV for each table, in a folder or a zip. docs/data-package.md
// describes the format for people who export one.
//
// [Read] checks every row and reports problems as findings with file and physical line. The package
// that it returns contains only valid rows:
//
//	every key is unique, and every reference refers to a row
//	text is NFC without white space at its ends; an empty cell is ""
//	every species and formula has a GUID in lower case
//	rows are in the order of their keys
//
// [Write] does the reverse: reading its output with [Read] gives the same package.
//
// The package does not know checklists, name matching or the order of answers. Start reading at
// tables.go, which lists the tables. Each is a value of type table with a row for each column.
package datapackage

import (
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"bencao/names/pinyin"
	"bencao/store"
)

// Package is the content of a data package.
type Package struct {
	Name     string
	Title    string
	Version  string
	Created  string // as written in the package; usually in the format of RFC 3339
	Licenses []License
	// Description is an abstract, Homepage a URL.
	Description, Homepage string
	Contributors          []Contributor

	// Species contains all species with their synonyms, flora entries and uses, sorted by id, and
	// their aliases, sorted by name. Num, Papers, Formulas and Match are not set.
	Species []store.Species
	// Formulas contains all formulas with their ingredients, sorted by seq, and their codes. Num,
	// Species, the species of the ingredients and the similar formulas are not set.
	Formulas []store.Formula
	// Papers contains all papers. Their Num is not set.
	Papers []store.Paper

	SpeciesPapers   []SpeciesPaper
	HerbSpecies     []HerbSpecies
	SpeciesFormulas []SpeciesFormula
	Similarity      []Similarity
	NameMatches     []NameMatch

	// Tables counts the rows of every known table, in the order of reading.
	Tables []Table
	// Computed contains tables that are never read from a package, such as the records of herbs.
	// [Read] leaves it empty; exports fill it.
	Computed []Computed
}

// Computed is a table that the indexer computed. Each row has a cell for each column.
type Computed struct {
	TableSchema
	Rows [][]string
}

// Contributor is a person or an organisation that contributed to a package.
type Contributor struct {
	Title        string `json:"title"`
	Path         string `json:"path,omitempty"`
	Email        string `json:"email,omitempty"`
	Role         string `json:"role,omitempty"` // author, publisher, maintainer, wrangler, contributor
	Organization string `json:"organization,omitempty"`
}

// Contact returns the contributor to whom users should write: the first maintainer, or else the
// first publisher, or else the first contributor. If there is no contributor, the result has only
// the package's title.
func (p *Package) Contact() Contributor {
	for _, role := range []string{"maintainer", "publisher", ""} {
		for _, c := range p.Contributors {
			if role == "" || c.Role == role {
				return c
			}
		}
	}
	return Contributor{Title: cmp.Or(p.Title, p.Name, "untitled"), Path: p.Homepage}
}

// License is one licence of a package or a resource.
type License struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Path  string `json:"path"`
}

// Table counts the rows of a table.
type Table struct {
	Name     string `json:"name"`
	Present  bool   `json:"present"`
	Rows     int    `json:"rows"` // without the header and blank rows
	Kept     int    `json:"kept"`
	Rejected int    `json:"rejected"` // Rows - Kept
	// Computed means that the indexer computed the rows and the package did not have them.
	Computed bool `json:"-"`
}

// RejectedShare returns the share of rejected rows, in [0, 1].
func (t Table) RejectedShare() float64 {
	if t.Rows == 0 {
		return 0
	}
	return float64(t.Rejected) / float64(t.Rows)
}

// Table returns the counts of a table. The field Present of the result is false if the package
// lacks the table.
func (p *Package) Table(name string) Table {
	for _, t := range p.Tables {
		if t.Name == name {
			return t
		}
	}
	return Table{Name: name}
}

// SpeciesByID returns the index of each species by its entry id.
func (p *Package) SpeciesByID() map[int32]int {
	species := make(map[int32]int, len(p.Species))
	for i := range p.Species {
		species[p.Species[i].EntryID] = i
	}
	return species
}

// SpeciesPaper links a species with a paper.
type SpeciesPaper struct {
	SpeciesID int32 // entry id
	PaperID   string
}

// HerbSpecies links a herb with a species that is its source. A herb may have several source
// species, and a species may be the source of several herbs.
type HerbSpecies struct {
	Herb string
	// SpeciesID is an entry id. It is nil for a herb that is not a plant, and for a row that only
	// gives another name of the herb Plain.
	SpeciesID *int32
	Part      string
	Authority string
	Preferred *bool // nil if the source does not say
	// Plain is the herb's plain name, such as 茯苓 for 云苓. If it is "", the plain name is derived
	// from Herb.
	Plain string
	// FromYear and ToYear are the first and the last year of the formulas to which the row applies.
	// Nil means no limit.
	FromYear, ToYear *int32
}

// SpeciesFormula links a species with a formula. If a package has a table of such links, that table
// replaces the links that the indexer derives from herbs.
type SpeciesFormula struct {
	SpeciesID int32 // entry id
	FormulaID int32 // entry id
	Evidence  string
}

// Similarity is the similarity of two formulas. If a package has a table of similarities, that
// table replaces the similarities that the indexer computes.
type Similarity struct {
	FormulaID int32  // entry id
	OtherID   int32  // entry id
	Method    string // jaccard or euclidean
	Value     float64
}

// NameMatch is a match that the operator gives for a species' name.
type NameMatch struct {
	SpeciesID int32 // entry id
	store.NameMatchInfo
}

// Contents describes the package by the numbers of its rows.
func (p *Package) Contents() string {
	rows := func(table string) int { return p.Table(table).Kept }
	return fmt.Sprintf("Plant species, historical Chinese formulas, papers and plant uses: %d species with %d synonyms, %d formulas, %d papers and %d recorded uses.",
		rows("species"), rows("synonyms"), rows("formulas"), rows("papers"), rows("uses"))
}

// License returns the names of the package's licences and the URL of the first licence.
func (p *Package) License() (names, address string) {
	var all []string
	for _, l := range p.Licenses {
		all = append(all, joinNonEmpty(": ", l.Name, l.Title))
		address = cmp.Or(address, l.Path)
	}
	return joinNonEmpty("; ", all...), address
}

// Citation returns the text with which to cite the package.
func (p *Package) Citation() string {
	version := ""
	if p.Version != "" {
		version = "version " + p.Version
	}
	day, _, _ := strings.Cut(p.Created, "T")
	return joinNonEmpty(". ", cmp.Or(p.Title, p.Name, "untitled"), joinNonEmpty(", ", version, day), "Data set, by way of Bencao 本草")
}

// joinNonEmpty joins the parts that are not empty.
func joinNonEmpty(sep string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, sep)
}

// namespace is the UUID namespace for derived GUIDs. It must never change: the same row must get
// the same GUID in every build and at every site. It is the UUIDv5 of "bencao" in the DNS
// namespace.
var namespace = uuid.MustParse("01de2ccd-52ed-50a0-ab98-b4035c3576a1")

// GUID returns the derived GUID of a row without one: the UUIDv5 of its table and entry id, such as
// "species/42".
func GUID(table string, entryID int32) string {
	return NameGUID(table, strconv.Itoa(int(entryID)))
}

// NameGUID returns the GUID of a record that is identified by its name: the UUIDv5 of its table and
// name, such as "herbs/甘草".
func NameGUID(table, name string) string {
	return uuid.NewSHA1(namespace, []byte(table+"/"+name)).String()
}

// guidOrDerived returns guid, the GUID that a row gives. If it is empty, guidOrDerived returns the
// derived GUID.
func guidOrDerived(guid, table string, entryID int32) string {
	if guid == "" {
		return GUID(table, entryID)
	}
	return guid
}

// PinyinPairs yields the names whose pinyin the package gives. The model that derives the pinyin of
// other names is trained on these.
func (p *Package) PinyinPairs() iter.Seq[pinyin.Pair] {
	return func(yield func(pinyin.Pair) bool) {
		for i := range p.Species {
			s := &p.Species[i]
			if s.ChineseName != "" && s.ChineseNamePinyin != "" && !yield(pinyin.Pair{Name: string(s.ChineseName), Pinyin: string(s.ChineseNamePinyin)}) {
				return
			}
		}
		for i := range p.Formulas {
			f := &p.Formulas[i]
			if f.Name != "" && f.NamePinyin != "" && !yield(pinyin.Pair{Name: string(f.Name), Pinyin: string(f.NamePinyin)}) {
				return
			}
		}
	}
}
