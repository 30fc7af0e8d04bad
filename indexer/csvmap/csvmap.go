// Package csvmap reads a checklist from any CSV with a header. A map assigns the file's columns to
// the fields of this package. The maps of common lists are built in. Start with [Open]. To support
// another list, add a row to builtin.
package csvmap

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/internal/rows"
	"bencao/names"
)

// fields lists the fields of this package. Only name is required. If a row has no id, its name with
// the author serves as the id. accepted_name gives the accepted name as text, accepted_id gives its
// id.
var fields = []string{
	"id", "accepted_id", "accepted_name", "name", "author", "rank", "status", "family", "ipni_id", "wfo_id", "chinese_name",
}

// mapping assigns the columns of a list to fields.
type mapping struct {
	// Source and Name identify the list. They are empty for the operator's own map.
	Source, Name string
	// Columns maps column names of the file to fields.
	Columns map[string]string
}

// builtin lists the maps that are tried if the operator gives no map. The map that reads the most
// columns of a file is used. To support another list, add a row.
var builtin = []mapping{
	{"CoL-China", "Catalogue of Life China", map[string]string{
		"物种ID": "id", "物种编号": "id", "物种拉丁名": "name", "物种学名": "name", "学名": "name", "拉丁名": "name",
		"物种中文名": "chinese_name", "中文名": "chinese_name", "命名人": "author", "命名信息": "author", "定名人": "author",
		"科拉丁名": "family", "接受名": "accepted_name", "接受名ID": "accepted_id", "分类等级": "rank", "等级": "rank", "名称状态": "status",
	}},
	{"", "", map[string]string{ // Darwin Core without a meta.xml
		"taxonID": "id", "scientificName": "name", "acceptedNameUsageID": "accepted_id", "acceptedNameUsage": "accepted_name",
		"scientificNameAuthorship": "author", "taxonRank": "rank", "taxonomicStatus": "status", "scientificNameID": "ipni_id",
	}},
	{"", "", nil}, // columns that already have the names of the fields
}

// Checklist is an open list.
type Checklist struct {
	src  *archive.Archive
	file string
	m    mapping
	meta checklist.Meta
}

// Recognise reports whether a source has a CSV that a built-in map can read.
func Recognise(src *archive.Archive) bool {
	_, _, ok := find(src, nil)
	return ok
}

// Open opens a list. columns maps column names of the file to fields; nil tries the built-in maps.
// The archive must stay open while the list is read.
func Open(src *archive.Archive, columns map[string]string) (*Checklist, error) {
	if err := checkColumns(columns); err != nil {
		return nil, err
	}
	file, m, ok := find(src, columns)
	if !ok {
		message, hint := "has no CSV with a known column for the scientific name", "give a columns map for the list, from a label of the file to one of "+strings.Join(fields, ", ")
		if columns != nil {
			message = "has no CSV with the column " + strings.Join(labelsOf(columns, "name"), " or ") + ", which the columns map reads as the name"
			hint = "compare the map with the file's header"
		}
		return nil, finding.Finding{Severity: finding.Fatal, Code: finding.MissingLabel, File: src.Name(), Message: message, Hint: hint}
	}
	return &Checklist{src: src, file: file, m: m, meta: checklist.Meta{
		Source: m.Source, Name: m.Name, Version: version(src, file), Format: "CSV",
	}}, nil
}

// checkColumns returns an error if a map has an unknown field or no column for the name.
func checkColumns(columns map[string]string) error {
	if columns == nil {
		return nil
	}
	for _, label := range slices.Sorted(maps.Keys(columns)) {
		if !slices.Contains(fields, columns[label]) {
			return fmt.Errorf("columns map: %q is to be read as %q, which is none of %s", label, columns[label], strings.Join(fields, ", "))
		}
	}
	if len(labelsOf(columns, "name")) == 0 {
		return fmt.Errorf("columns map: no column is read as the name; add one, such as \"scientificName\" = \"name\"")
	}
	return nil
}

// labelsOf returns the labels that are mapped to a field, quoted and sorted.
func labelsOf(columns map[string]string, field string) []string {
	var out []string
	for label, f := range columns {
		if f == field {
			out = append(out, fmt.Sprintf("%q", label))
		}
	}
	slices.Sort(out)
	return out
}

// fit returns the number of columns of the header that the map reads, or 0 if it reads no name. The
// built-in map without columns expects the names of the fields. These are common words, so the
// header must then have the columns author, and status or rank.
func (m mapping) fit(h rows.Header) int {
	if m.Columns == nil && (h.Index("author") < 0 || h.Index("status") < 0 && h.Index("rank") < 0) {
		return 0
	}
	n := 0
	for _, field := range fields {
		i := h.Index(field)
		if i >= 0 && (m.Columns == nil || m.field(h.Labels[i]) == field) {
			n++
		} else if field == "name" {
			return 0
		}
	}
	return n
}

// field returns the field to which the map assigns a label of the file, in any case, or "".
func (m mapping) field(label string) string {
	for l, field := range m.Columns {
		if strings.EqualFold(l, label) {
			return field
		}
	}
	return ""
}

// minColumns is the number of columns, the name among them, by which a built-in map recognises a
// header. A label for the name alone, such as Taxon, is in lists of many kinds.
const minColumns = 2

// find returns the name of the first file with a header that matches a column map, and that map. If
// several maps match, it returns the map that reads the most columns.
func find(src *archive.Archive, columns map[string]string) (string, mapping, bool) {
	candidates, least := builtin, minColumns
	if columns != nil {
		candidates, least = []mapping{{Columns: columns}}, 1
	} else if _, ok := src.Find("datapackage.json"); ok {
		return "", mapping{}, false // the source is a data package, not a checklist
	}
	for _, name := range src.Files() {
		if ext := strings.ToLower(path.Ext(name)); ext != ".csv" && ext != ".tsv" && ext != ".txt" {
			continue
		}
		best, most := mapping{}, 0
		for _, m := range candidates {
			t, err := checklist.OpenTable(src, name, checklist.Dialect{}, m.Columns)
			if err != nil {
				if columns != nil { // the operator gave a column map, so accept the file; reading it reports the problem
					return name, m, true
				}
				break
			}
			if n := m.fit(t.Header); t.Close() == nil && n >= least && n > most {
				best, most = m, n
			}
		}
		if most > 0 {
			return name, best, true
		}
	}
	return "", mapping{}, false
}

// dateInName matches a date in a file's name. The date may lack the day, or both the month and the
// day.
var dateInName = regexp.MustCompile(`(?:19|20)\d\d(?:[-_.]?[01]\d(?:[-_.]?[0-3]\d)?)?`)

// version returns the date that the name of the file or of the source contains, or else the
// modification date of the file.
func version(src *archive.Archive, file string) string {
	for _, name := range []string{path.Base(file), src.Name()} {
		if v := dateInName.FindString(name); v != "" {
			return v
		}
	}
	if t := src.Modified(file); !t.IsZero() {
		return t.UTC().Format("2006-01-02")
	}
	return ""
}

// Meta returns the list's metadata.
func (c *Checklist) Meta() checklist.Meta { return c.meta }

// Files lists the files from which the names are read.
func (c *Checklist) Files() []checklist.File {
	key := []string{"name"}
	if t, err := checklist.OpenTable(c.src, c.file, checklist.Dialect{}, c.m.Columns); err == nil {
		switch t.Close(); { // read-only: Names reports read errors
		case t.Header.Index("id") >= 0:
			key = []string{"id"}
		case t.Header.Index("author") >= 0:
			key = append(key, "author")
		}
	}
	return []checklist.File{checklist.HeadedFile(c.file, checklist.Dialect{}, c.m.Columns, key...)}
}

// Names yields the list's names in the order of the file. It logs findings with the given list as
// their table. An error ends the iteration: it is yielded last.
func (c *Checklist) Names(ctx context.Context, list string, log *finding.Log) iter.Seq2[names.Usage, error] {
	return func(yield func(names.Usage, error) bool) {
		audit := checklist.NewAudit(list, log)
		t, err := checklist.OpenTable(c.src, c.file, checklist.Dialect{}, c.m.Columns)
		if err != nil {
			yield(names.Usage{}, audit.Fatal(err))
			return
		}
		defer t.Close()
		sheet := checklist.Sheet{List: list, File: c.file, Rows: t.Rows, Width: len(t.Header.Labels), AllowShort: true, Usage: usage(t.Header, func(word string) {
			audit.Warn(finding.Vocabulary, c.file, t.Rows.Line(0), "status", word, "an unknown status", "the name counts as unplaced")
		})}
		for u, err := range checklist.Scan(ctx, sheet, audit) {
			if !yield(u, err) || err != nil {
				return
			}
		}
		audit.End()
	}
}

// Places yields nothing: the format has no table of distribution.
func (c *Checklist) Places(context.Context, string, *finding.Log) iter.Seq2[checklist.Place, error] {
	return checklist.NoPlaces
}

// usage returns a function that converts a row to a name. If the row has an unknown status, the
// function passes the word to unknown.
func usage(h rows.Header, unknown func(word string)) func(cells []string) (names.Usage, bool) {
	return func(cells []string) (names.Usage, bool) {
		cell := func(field string) string { return h.Cell(cells, field) }
		u := names.Usage{
			ID: cell("id"), AcceptedID: cell("accepted_id"), Author: cell("author"), Rank: checklist.Rank(cell("rank")),
			Family: cell("family"), IPNIID: checklist.IPNI(cell("ipni_id")), WFOID: checklist.WFO(cell("wfo_id")),
			ChineseName: cell("chinese_name"),
		}
		u.Name = checklist.WithoutAuthor(cell("name"), u.Author)
		if h.Index("id") < 0 {
			u.ID = strings.TrimSpace(u.Name + " " + u.Author)
			if u.AcceptedID == "" {
				u.AcceptedID = cell("accepted_name")
			}
		}
		var known bool
		if u.Status, known = checklist.Status(cell("status"), u.ID, u.AcceptedID); !known {
			unknown(cell("status"))
		}
		return u, true
	}
}
