package explorer

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/api/cite"
	"bencao/store"
)

// recordOf returns a function that returns the record of a table that a page shows.
func recordOf(table string) func(*visit) record {
	return func(v *visit) record {
		return record{op: table + ".detail", id: v.Param("guid"), address: "/api/v1/" + table + "/" + url.PathEscape(v.Param("guid"))}
	}
}

// sendRecord answers with the record of a page as JSON. A client with a key gets its address in the
// API, since the key may have other scopes than the pages, and so does a client that may not use the
// explorer.
func sendRecord(w http.ResponseWriter, v *visit, r record) error {
	if v.r.Header.Get("X-Api-Key") != "" || !v.Admitted() {
		http.Redirect(w, v.r, r.address, http.StatusSeeOther)
		return nil
	}
	answer, err := v.Ask(v.ctx, r.op, r.id, r.query, 0)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	_, err = w.Write(answer)
	return err
}

// titled is a record with its title and its address.
type titled struct{ guid, title, address string }

// titledRecord returns a record with its title.
func titledRecord(v *visit, table, id string) (titled, error) {
	switch table {
	case "species":
		s, err := ask[store.SpeciesDetail](v, "species.detail", id)
		return titled{s.GUID, speciesTitle(&s), s.URL}, err
	case "herbs":
		h, err := ask[store.HerbDetail](v, "herbs.detail", id)
		return titled{h.GUID, herbTitle(&h), h.URL}, err
	case "formulas":
		f, err := askHiding[store.FormulaDetail](v, access.PrescriptionSimilarity, "formulas.detail", id)
		return titled{f.GUID, formulaTitle(v, &f), f.URL}, err
	}
	p, err := ask[store.PaperDetail](v, "papers.detail", "", "id", id)
	return titled{p.ID, paperTitle(v, &p.PaperSummary), p.URL}, err
}

// citationOf returns a function that serves the citation of a record of a table as a download. what
// names such a record in the names of files.
func citationOf(table, what string) func(*visit) (*page, error) {
	return func(v *visit) (*page, error) {
		form, ok := strings.CutPrefix(v.Param("file"), "cite.")
		if !ok {
			return nil, noPage(v)
		}
		r, err := titledRecord(v, table, v.Param("guid"))
		if err != nil {
			return nil, err
		}
		return v.references(form, what, recordReference(v, what+"-"+r.guid, r.title, r.address))
	}
}

// speciesFile returns a download: the references of the papers about a species, or the citation of
// the species.
func speciesFile(v *visit) (*page, error) {
	form, ok := strings.CutPrefix(v.Param("file"), "papers.")
	if !ok {
		return citationOf("species", "species")(v)
	}
	papers, err := papersAbout(v, v.Param("guid"))
	if err != nil {
		return nil, err
	}
	var all []cite.Reference
	for _, p := range papers {
		all = append(all, cite.Paper(&p))
	}
	return v.references(form, "papers", all...)
}

func paperRecord(v *visit) record {
	query := url.Values{"id": {paperID(v)}}
	return record{op: "papers.detail", query: query, address: "/api/v1/papers/detail?" + query.Encode()}
}
