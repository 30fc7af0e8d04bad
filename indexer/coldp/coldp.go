// Package coldp reads checklists in the Catalogue of Life Data Package format, in either of its
// forms:
//
//	NameUsage                a row is a name with its taxonomic status
//	Name + Taxon + Synonym   names and their taxonomic status are in separate tables
//
// Files are TSV or CSV and are found by their base name. Labels may have the prefix "col:". The
// file VernacularName has the Chinese names, Distribution where the plants grow, and metadata.yaml the
// name and version. Start with [Open].
package coldp

import (
	"context"
	"iter"
	"path"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/internal/rows"
	"bencao/names"
	"bencao/names/ranks"
)

// Checklist is an open package.
type Checklist struct {
	src  *archive.Archive
	meta checklist.Meta
}

// Recognise reports whether a source is a ColDP package, which means that it has the files of one
// of the two forms.
func Recognise(src *archive.Archive) bool {
	if _, ok := entity(src, "NameUsage"); ok {
		return true
	}
	_, name := entity(src, "Name")
	_, taxon := entity(src, "Taxon")
	return name && taxon
}

// entity returns the file of an entity, such as NameUsage.tsv or name-usage.csv.
func entity(src *archive.Archive, name string) (string, bool) {
	for _, f := range src.Files() {
		base := path.Base(f)
		ext := path.Ext(base)
		stem := strings.NewReplacer("-", "", "_", "").Replace(strings.TrimSuffix(base, ext))
		switch strings.ToLower(ext) {
		case ".tsv", ".csv", ".txt", ".tab":
			if strings.EqualFold(stem, name) {
				return f, true
			}
		}
	}
	return "", false
}

// Open opens a package and reads its metadata. The archive must stay open while the names are read.
func Open(src *archive.Archive) (*Checklist, error) {
	if !Recognise(src) {
		return nil, finding.Finding{Severity: finding.Fatal, Code: finding.Source, File: src.Name(),
			Message: "has neither NameUsage nor Name and Taxon", Hint: "the files found are " + strings.Join(src.Files()[:min(10, len(src.Files()))], ", ")}
	}
	meta, err := readMeta(src)
	if err != nil {
		return nil, err
	}
	return &Checklist{src: src, meta: meta}, nil
}

// Meta returns the list's metadata.
func (c *Checklist) Meta() checklist.Meta { return c.meta }

// entities lists the entities that are read. key is the column that identifies their rows. If key
// is "", all cells of a row together identify it.
var entities = []struct{ entity, key string }{
	{"NameUsage", "ID"}, {"Name", "ID"}, {"Taxon", "ID"}, {"Synonym", ""}, {"VernacularName", ""}, {"Distribution", ""},
}

// Files lists the files from which the names are read.
func (c *Checklist) Files() []checklist.File {
	var out []checklist.File
	for _, k := range entities {
		file, ok := entity(c.src, k.entity)
		switch {
		case !ok:
		case k.key == "":
			out = append(out, checklist.HeadedFile(file, checklist.Dialect{}, nil))
		default:
			out = append(out, checklist.HeadedFile(file, checklist.Dialect{}, map[string]string{"col:" + k.key: k.key, k.key: k.key}, k.key))
		}
	}
	return out
}

// Names yields the list's names in the order of the files. It logs findings with the given list as
// their table. An error ends the iteration: it is yielded last.
func (c *Checklist) Names(ctx context.Context, list string, log *finding.Log) iter.Seq2[names.Usage, error] {
	return func(yield func(names.Usage, error) bool) {
		r := &reader{src: c.src, list: list, audit: checklist.NewAudit(list, log)}
		read := r.parts
		if _, ok := entity(c.src, "NameUsage"); ok {
			read = r.usages
		}
		chinese, err := r.chineseNames(ctx)
		if err != nil {
			yield(names.Usage{}, r.audit.Fatal(err))
			return
		}
		for u, err := range read(ctx) {
			if err == nil {
				u.ChineseName = chinese[u.ID]
			}
			if !yield(u, err) || err != nil {
				return
			}
		}
		r.audit.End()
	}
}

// gazetteers maps the gazetteers of ColDP whose codes are those of the geography, or that begin a code
// so that it is not one of these.
var gazetteers = map[string]string{"tdwg": "", "iso": "ISO:", "longhurst": "LONGHURST:", "mrgid": "MRGID:", "iho": "IHO:", "fao": "FAO:"}

// Places yields where the plants grow, in the order of the file. It logs findings with the given list
// as their table. An error ends the iteration: it is yielded last.
func (c *Checklist) Places(ctx context.Context, list string, log *finding.Log) iter.Seq2[checklist.Place, error] {
	file, ok := entity(c.src, "Distribution")
	if !ok {
		return checklist.NoPlaces
	}
	r := &reader{src: c.src, list: list + checklist.PlacesSuffix, audit: checklist.NewAudit(list+checklist.PlacesSuffix, log)}
	return checklist.ScanPlaces(ctx, list, log, func() (*checklist.Table, error) {
		t, err := r.open("Distribution", "taxonid")
		if t == nil && err == nil {
			err = finding.Finding{Severity: finding.Fatal, Code: finding.Source, File: file, Message: "the file is missing"}
		}
		return t, err
	}, nil, func(cell func(string) string) (checklist.Place, bool) {
		p := checklist.Place{ID: cell("taxonid"), Code: cell("areaid"), Name: cell("area")}
		before, coded := gazetteers[strings.ToLower(cell("gazetteer"))]
		switch {
		case coded && p.Code == "": // older versions have the code in the column area
			p.Code, p.Name = before+p.Name, ""
		case coded:
			p.Code = before + p.Code
		case p.Name == "":
			p.Name, p.Code = p.Code, ""
		default:
			p.Code = ""
		}
		return p, p.Words(cell("establishmentmeans"), cell("status"), cell("degreeofestablishment"), cell("threatstatus"))
	})
}

// reader reads the tables of a package.
type reader struct {
	src   *archive.Archive
	list  string
	audit *checklist.Audit
}

// open opens an entity's file and reads its header. It returns nil if the package lacks the entity.
func (r *reader) open(name string, needed ...string) (*checklist.Table, error) {
	file, ok := entity(r.src, name)
	if !ok {
		return nil, nil
	}
	t, err := checklist.OpenTable(r.src, file, checklist.Dialect{}, nil)
	if err != nil {
		return nil, r.audit.Fatal(err)
	}
	for i, label := range t.Header.Labels {
		if _, plain, ok := strings.Cut(label, ":"); ok {
			label = plain
		}
		t.Header.Labels[i] = strings.ToLower(label)
	}
	t.Header = rows.NewHeader(t.Header.Labels, nil)
	if err := checklist.RequireColumns(file, t.Header, needed...); err != nil {
		t.Close() // read-only: report the missing column instead
		return nil, r.audit.Fatal(err)
	}
	return t, nil
}

// usages reads NameUsage. There, the parent id of a synonym refers to its accepted name.
func (r *reader) usages(ctx context.Context) iter.Seq2[names.Usage, error] {
	return func(yield func(names.Usage, error) bool) {
		t, err := r.open("NameUsage", "id", "status")
		if err != nil {
			yield(names.Usage{}, err)
			return
		}
		defer t.Close()
		sheet := checklist.Sheet{List: r.list, File: t.File, Rows: t.Rows, Width: len(t.Header.Labels), Usage: func(cells []string) (names.Usage, bool) {
			cell := func(label string) string { return t.Header.Cell(cells, label) }
			u := nameUsage(cell)
			r.status(&u, t, cell("status"), "")
			if u.Status != names.Accepted && u.Status != names.Unplaced {
				u.AcceptedID = cell("parentid")
			}
			return u, true
		}}
		for u, err := range checklist.Scan(ctx, sheet, r.audit) {
			if !yield(u, err) || err != nil {
				return
			}
		}
	}
}

// status sets the status of a name. If word is empty, it sets implied, the status of all names in
// the table.
func (r *reader) status(u *names.Usage, t *checklist.Table, word string, implied names.Status) {
	if word == "" && implied != "" {
		u.Status = implied
		return
	}
	var known bool
	if u.Status, known = checklist.Status(word, u.ID, u.AcceptedID); !known {
		r.audit.Warn(finding.Vocabulary, t.File, t.Rows.Line(0), "status", word, "an unknown status", "the name counts as unplaced")
	}
}

// nameUsage builds a name from the columns that Name and NameUsage share.
func nameUsage(cell func(label string) string) names.Usage {
	u := names.Usage{
		ID: cell("id"), Author: cell("authorship"), Rank: checklist.Rank(cell("rank")), Family: cell("family"),
	}
	u.Facts = names.Facts{
		Publication: strings.TrimSpace(cell("publishedin") + " " + cell("publishedinpage")), Published: cell("publishedinyear"), BasionymID: cell("basionymid"), Remarks: cell("nameremarks"),
		Homotypic: strings.EqualFold(strings.ReplaceAll(cell("status"), " ", ""), "homotypicSynonym"),
	}
	if u.Name = checklist.WithoutAuthor(cell("scientificname"), u.Author); u.Name == "" {
		u.Name = composeName(cell, u.Rank)
	}
	for _, ids := range []string{cell("id"), cell("nameid"), cell("namealternativeid"), cell("alternativeid"), cell("link")} {
		for id := range strings.SplitSeq(ids, ",") {
			if u.IPNIID == "" {
				u.IPNIID = checklist.IPNI(strings.TrimSpace(id))
			}
			if wfo := checklist.WFO(id); u.WFOID == "" && wfo != u.ID {
				u.WFOID = wfo
			}
		}
	}
	return u
}

// composeName joins the parts of a name.
func composeName(cell func(label string) string, rank string) string {
	notho := strings.ToLower(cell("notho"))
	parts := []string{cell("uninomial") + cell("genericname")}
	if notho == "generic" {
		parts = append([]string{"×"}, parts...)
	}
	if s := cell("specificepithet"); s != "" {
		if notho == "specific" {
			parts = append(parts, "×")
		}
		parts = append(parts, s)
	}
	if s := cell("infraspecificepithet"); s != "" {
		parts = append(parts, ranks.MarkOf(rank), s)
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
