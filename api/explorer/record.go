package explorer

import (
	"net/http"
	"net/url"
	"strconv"
)

// record is a record of the API.
type record struct {
	op, id  string
	query   url.Values
	address string // the API's address of the record
}

// recordOf returns a function that returns the record that a page shows. id is the name of the path
// parameter with the record's id.
func recordOf(table, id string) func(*visit) record {
	return func(v *visit) record {
		return record{op: table + ".detail", id: v.Param(id), address: "/api/v1/" + table + "/" + url.PathEscape(v.Param(id))}
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
