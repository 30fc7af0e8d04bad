// Package wcvp reads the World Checklist of Vascular Plants of the Royal Botanic Gardens, Kew. The
// file is wcvp_names.csv, separated by vertical bars and without quoting; the package recognises it
// by its header. wcvp_distribution.csv beside it says where the plants grow. This is the simplest of
// the checklist formats. Start with [Open].
package wcvp

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/names"
)

// requiredColumns must be in the header.
var requiredColumns = []string{"plant_name_id", "taxon_name", "taxon_status", "accepted_plant_name_id"}

// optionalColumns are read if they are in the header.
var optionalColumns = []string{"ipni_id", "taxon_rank", "family", "taxon_authors"}

// Checklist is an open WCVP.
type Checklist struct {
	src  *archive.Archive
	file string
	// places is the file of the distribution, or "" if there is none.
	places string
	meta   checklist.Meta
}

// Recognise reports whether a source is a WCVP, which means that it has a file with the columns
// plant_name_id and taxon_name.
func Recognise(src *archive.Archive) bool {
	_, ok := find(src, "taxon_name")
	return ok
}

// find returns the file whose rows belong to names and that has the given column.
func find(src *archive.Archive, column string) (string, bool) {
	for _, name := range src.Files() {
		low := strings.ToLower(name)
		if !strings.HasSuffix(low, ".csv") && !strings.HasSuffix(low, ".txt") {
			continue
		}
		t, err := open(src, name)
		if err != nil {
			continue // this file cannot be read as WCVP, so try the next one
		}
		ours := t.Header.Index("plant_name_id") >= 0 && t.Header.Index(column) >= 0
		if t.Close() == nil && ours {
			return name, true
		}
	}
	return "", false
}

// open opens a file and reads its header.
func open(src *archive.Archive, name string) (*checklist.Table, error) {
	return checklist.OpenTable(src, name, checklist.Dialect{Separator: "|"}, nil)
}

// Open opens a WCVP. The archive must stay open while the names are read.
func Open(src *archive.Archive) (*Checklist, error) {
	file, ok := find(src, "taxon_name")
	if !ok {
		return nil, finding.Finding{Severity: finding.Fatal, Code: finding.Source, File: src.Name(),
			Message: "has no file with the columns plant_name_id and taxon_name, separated by vertical bars",
			Hint:    "take the zip as Kew publishes it, with wcvp_names.csv in it"}
	}
	places, _ := find(src, "area_code_l3")
	return &Checklist{src: src, file: file, places: places, meta: checklist.Meta{
		Source: "WCVP", Name: "World Checklist of Vascular Plants", Version: version(src, file), Format: "WCVP",
	}}, nil
}

// Meta returns the list's metadata.
func (c *Checklist) Meta() checklist.Meta { return c.meta }

// Files lists the files from which the names are read.
func (c *Checklist) Files() []checklist.File {
	files := []checklist.File{checklist.HeadedFile(c.file, checklist.Dialect{Separator: "|"}, nil, "plant_name_id")}
	if c.places != "" {
		files = append(files, checklist.HeadedFile(c.places, checklist.Dialect{Separator: "|"}, nil, "plant_locality_id"))
	}
	return files
}

// Places yields where the plants grow, in the order of the file. It logs findings with the given list
// as their table. An error ends the iteration: it is yielded last.
func (c *Checklist) Places(ctx context.Context, list string, log *finding.Log) iter.Seq2[checklist.Place, error] {
	if c.places == "" {
		return checklist.NoPlaces
	}
	return checklist.ScanPlaces(ctx, list, log, func() (*checklist.Table, error) { return open(c.src, c.places) },
		[]string{"plant_name_id", "area_code_l3"}, func(cell func(string) string) (p checklist.Place, ok bool) {
			p = checklist.Place{ID: cell("plant_name_id"), Introduced: cell("introduced") == "1"}
			for _, level := range [][2]string{{"area_code_l3", "area"}, {"region_code_l2", "region"}, {"continent_code_l1", "continent"}} {
				if p.Code, p.Name = cell(level[0]), cell(level[1]); p.Code != "" {
					break
				}
			}
			switch {
			case cell("location_doubtful") == "1":
				p.Status = checklist.Doubtful
			case cell("extinct") == "1":
				p.Status = checklist.Extinct
			}
			return p, true
		})
}

// Names yields the list's names in the order of the file. It logs findings with the given list as
// their table. An error ends the iteration: it is yielded last.
func (c *Checklist) Names(ctx context.Context, list string, log *finding.Log) iter.Seq2[names.Usage, error] {
	return func(yield func(names.Usage, error) bool) {
		audit := checklist.NewAudit(list, log)
		t, err := open(c.src, c.file)
		if err == nil {
			defer t.Close()
			err = checklist.RequireColumns(c.file, t.Header, requiredColumns...)
		}
		if err != nil {
			yield(names.Usage{}, audit.Fatal(err))
			return
		}
		for _, w := range optionalColumns {
			if t.Header.Index(w) < 0 {
				audit.Warn(finding.MissingLabel, c.file, 1, w, "", fmt.Sprintf("column %s is missing", w), "it stays empty")
			}
		}
		for u, err := range checklist.Scan(ctx, c.sheet(list, t, audit), audit) {
			if !yield(u, err) || err != nil {
				return
			}
		}
		audit.End()
	}
}

// sheet returns the sheet that converts rows to names.
func (c *Checklist) sheet(list string, t *checklist.Table, audit *checklist.Audit) checklist.Sheet {
	at := t.Header.Index
	id, name, author := at("plant_name_id"), at("taxon_name"), at("taxon_authors")
	status, accepted, rank := at("taxon_status"), at("accepted_plant_name_id"), at("taxon_rank")
	family, ipni := at("family"), at("ipni_id")
	editor, place, page, published := at("publication_author"), at("place_of_publication"), at("volume_and_page"), at("first_published")
	form, climate, basionym, formula := at("lifeform_description"), at("climate_description"), at("basionym_plant_name_id"), at("hybrid_formula")
	remarks, area, reviewed, homotypic := at("nomenclatural_remarks"), at("geographic_area"), at("reviewed"), at("homotypic_synonym")
	return checklist.Sheet{List: list, File: c.file, Rows: t.Rows, Width: len(t.Header.Labels), Usage: func(cells []string) (names.Usage, bool) {
		cell := func(i int) string {
			if i < 0 || i >= len(cells) {
				return ""
			}
			return cells[i]
		}
		u := names.Usage{
			ID: cell(id), AcceptedID: cell(accepted), Name: cell(name), Author: cell(author),
			Rank: checklist.Rank(cell(rank)), Family: cell(family), IPNIID: cell(ipni),
			Facts: names.Facts{
				Publication: publication(cell(editor), cell(place), cell(page)), Published: checklist.Published(cell(published)), LifeForm: cell(form), Climate: cell(climate),
				BasionymID: cell(basionym), HybridFormula: cell(formula), Remarks: cell(remarks), Area: cell(area), Reviewed: cell(reviewed),
				Homotypic: checklist.IsTrue(cell(homotypic)),
			},
		}
		var known bool
		u.Status, known = checklist.Status(cell(status), u.ID, u.AcceptedID)
		line := t.Rows.Line(0)
		if !known {
			audit.Warn(finding.Vocabulary, c.file, line, "taxon_status", cell(status), "an unknown status", "the name counts as unplaced")
		}
		if u.Status == names.Accepted && u.AcceptedID == "" {
			audit.Warn(finding.Constraint, c.file, line, "accepted_plant_name_id", u.ID, "an accepted name without an accepted id", "it counts as its own accepted name")
			u.AcceptedID = u.ID
		}
		return u, true
	}}
}

// publication joins the authors of a work, if they are not those of the name, with the work, the volume
// and the page. The last may begin with a colon or a comma.
func publication(authors, work, page string) string {
	if authors != "" && work != "" {
		work = authors + ", " + work
	}
	if strings.HasPrefix(page, ":") || strings.HasPrefix(page, ",") {
		return work + page
	}
	return strings.TrimSpace(work + " " + page)
}
