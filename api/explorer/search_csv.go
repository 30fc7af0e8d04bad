package explorer

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"strconv"
)

// searchCSV returns the results of a search as CSV, with the columns of the API and in the order of
// the page. It has at most mostRows rows. It changes cells that look like spreadsheet formulas, so
// that no spreadsheet executes them.
func searchCSV(v *visit) (*page, error) {
	k := cmp.Or(kindNamed(v.query.Get("kind")), kinds()[0])
	if !v.may(k.scope) {
		return nil, refusal(v, k.scope)
	}
	params := append([]string{"q", v.query.Get("q"), "pageSize", strconv.Itoa(rowsAtOnce)}, k.narrowed(v, ofRecords)...)
	if k.name == "formulas" && !v.query.Has("group") { // the pages of records list formulas one by one
		params = append(params, "group", "name")
	}
	var table [][]string
	for at := 1; len(table) <= mostRows; at++ {
		part, err := v.AskCSV(v.ctx, k.op, values(append(params, "page", strconv.Itoa(at))))
		if err != nil {
			return nil, err
		}
		rows, err := csv.NewReader(bytes.NewReader(part)).ReadAll()
		if err != nil {
			return nil, err
		}
		if at == 1 {
			table = rows[:1] // the names of the fields
		}
		if table = append(table, rows[1:]...); len(rows) <= rowsAtOnce {
			break
		}
	}
	return &page{file: spreadsheet("bencao-"+k.name+".csv", table)}, nil
}
