// Package dwca reads checklists in Darwin Core Archives: a meta.xml, a core of type Taxon, and
// optionally an extension with vernacular names. World Flora Online and most lists of GBIF are
// published in this format.
//
// The columns are those that meta.xml declares; headers in the files are ignored. A scientificName
// often includes the author. The author is removed if scientificNameAuthorship repeats it. Start
// with [Open].
package dwca

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/internal/rows"
	"bencao/names"
)

// Checklist is an open archive.
type Checklist struct {
	src     *archive.Archive
	m       *meta
	file    string // the core's file
	dialect checklist.Dialect
	columns columns
	info    checklist.Meta
}

// Recognise reports whether a source is a Darwin Core Archive.
func Recognise(src *archive.Archive) bool {
	_, ok := src.Find(metaFile)
	return ok
}

// Open reads meta.xml and the metadata. The archive must stay open while the names are read.
func Open(src *archive.Archive) (*Checklist, error) {
	m, err := readMeta(src)
	if err != nil {
		return nil, err
	}
	c := &Checklist{src: src, m: m}
	if c.file, err = m.file(src, m.Core); err != nil {
		return nil, err
	}
	if c.dialect, err = m.Core.dialect(); err != nil {
		return nil, err
	}
	if c.columns, err = m.Core.columns(); err != nil {
		return nil, err
	}
	if _, ok := c.columns.index["scientificName"]; !ok {
		return nil, metaError(metaFile, finding.MissingLabel, 0, "the core has no column of the term scientificName", "")
	}
	if _, ok := c.columns.index["taxonID"]; !ok && c.columns.id < 0 {
		return nil, metaError(metaFile, finding.MissingLabel, 0, "the core has neither an id nor a column of the term taxonID", "")
	}
	c.info = checklistMeta(src, m, c.file)
	if strings.Contains(c.info.Name, "World Checklist of Vascular Plants") {
		c.info.Source = names.SourceWCVP
	}
	if c.info.Source == "" && c.startsWith("wfo-") {
		c.info.Source = "WFO"
	}
	return c, nil
}

// startsWith reports whether the first id of the core has a prefix.
func (c *Checklist) startsWith(prefix string) bool {
	f, err := c.src.Open(c.file)
	if err != nil {
		return false
	}
	defer f.Close()
	r := c.dialect.Reader(f, c.file)
	for range c.m.Core.skipHeader + 1 {
		cells, err := r.Read()
		if err != nil {
			return false
		}
		if strings.HasPrefix(c.id(cells), prefix) {
			return true
		}
	}
	return false
}

// id returns a row's id. For World Flora Online, which writes some ids as URLs, it returns the
// plain id.
func (c *Checklist) id(cells []string) string {
	id := c.columns.cell(cells, "taxonID")
	if id == "" && c.columns.id >= 0 && c.columns.id < len(cells) {
		id = cells[c.columns.id]
	}
	return plainID(id)
}

func plainID(id string) string {
	if wfo := checklist.WFO(id); wfo != "" {
		return wfo
	}
	return id
}

// Meta returns the list's metadata.
func (c *Checklist) Meta() checklist.Meta { return c.info }

// Names yields the list's names in the order of the file. It logs findings with the given list as
// their table. An error ends the iteration: it is yielded last.
func (c *Checklist) Names(ctx context.Context, list string, log *finding.Log) iter.Seq2[names.Usage, error] {
	return func(yield func(names.Usage, error) bool) {
		audit := checklist.NewAudit(list, log)
		chinese, err := c.chineseNames(ctx, audit)
		if err != nil {
			yield(names.Usage{}, audit.Fatal(err))
			return
		}
		f, err := c.src.Open(c.file)
		if err != nil {
			yield(names.Usage{}, err)
			return
		}
		defer f.Close()
		r := c.dialect.Reader(f, c.file)
		if err := c.skipHeader(r, audit); err != nil {
			yield(names.Usage{}, audit.Fatal(err))
			return
		}
		sheet := checklist.Sheet{List: list, File: c.file, Rows: r, MinWidth: c.columns.width, Usage: func(cells []string) (names.Usage, bool) {
			return c.usage(cells, chinese, audit, r), true
		}}
		for u, err := range checklist.Scan(ctx, sheet, audit) {
			if !yield(u, err) || err != nil {
				return
			}
		}
		audit.End()
	}
}

// skipHeader skips the header. It warns if the header and meta.xml disagree, since one of the two
// is wrong about the columns.
func (c *Checklist) skipHeader(r *rows.Reader, audit *checklist.Audit) error {
	for n := range c.m.Core.skipHeader {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		for _, f := range c.m.Core.Terms {
			if f.Index == nil || *f.Index >= len(cells) {
				continue
			}
			label := short(strings.TrimSpace(cells[*f.Index]))
			if term := f.term(); label != "" && !strings.EqualFold(label, term) && rows.NewHeader(cells, nil).Index(term) >= 0 {
				audit.Warn(finding.IncorrectLabel, c.file, 1, label, "", fmt.Sprintf("%s says that column %d is %s, the header says %s", metaFile, *f.Index, term, label), "one of them is wrong; "+metaFile+" is used")
			}
		}
	}
	return nil
}

// usage converts a row to a name.
func (c *Checklist) usage(cells []string, chinese map[string]string, audit *checklist.Audit, r *rows.Reader) names.Usage {
	cell := func(term string) string { return c.columns.cell(cells, term) }
	u := names.Usage{
		Facts: c.facts(cells),
		ID:    c.id(cells), AcceptedID: plainID(cell("acceptedNameUsageID")), Author: cell("scientificNameAuthorship"),
		Rank: checklist.Rank(cell("taxonRank")), Family: cell("family"),
	}
	if u.Rank == "" {
		u.Rank = checklist.Rank(cell("verbatimTaxonRank"))
	}
	if u.Name = cell("canonicalName"); u.Name == "" {
		u.Name = checklist.WithoutAuthor(cell("scientificName"), u.Author)
	}
	for _, id := range []string{cell("scientificNameID"), cell("taxonID"), cell("identifier")} {
		if u.IPNIID == "" {
			u.IPNIID = checklist.IPNI(id)
		}
		if wfo := checklist.WFO(id); u.WFOID == "" && wfo != u.ID {
			u.WFOID = wfo
		}
	}
	if u.ChineseName = chinese[u.ID]; u.ChineseName == "" {
		u.ChineseName = chineseOf(cell("vernacularName"), cell("language"))
	}
	word := cell("taxonomicStatus")
	var known bool
	if u.Status, known = checklist.Status(word, u.ID, u.AcceptedID); !known {
		audit.Warn(finding.Vocabulary, c.file, r.Line(0), "taxonomicStatus", word, "an unknown status", "the name counts as unplaced")
	}
	if u.Status != names.Accepted {
		switch s, _ := names.ParseStatus(cell("nomenclaturalStatus")); s {
		case names.Illegitimate, names.Invalid, names.Orthographic:
			u.Status = s
		}
	}
	return u
}
