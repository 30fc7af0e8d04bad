package explorer

import (
	"slices"
	"strconv"
	"strings"

	"bencao/store"
)

// searchCSV returns the results of a search as CSV. It changes cells that look like spreadsheet
// formulas, so that no spreadsheet executes them.
func searchCSV(v *visit) (*page, error) {
	all := kinds()
	i := max(0, slices.IndexFunc(all, func(k *kind) bool { return k.name == v.query.Get("kind") }))
	k := all[i]
	if !v.may(k.scope) {
		return nil, refusal(v, k.scope)
	}
	var found [][]string
	var err error
	switch k.name {
	case "species":
		found, err = rowsOf(v, k, []string{"guid", "chineseName", "scientificName", "author", "family", "acceptedName", "url"}, func(s *store.SpeciesSummary) []string {
			return []string{s.GUID, string(s.ChineseName), string(s.ScientificName), string(s.Author), string(s.Family), string(s.AcceptedName), string(s.URL)}
		})
	case "herbs":
		found, err = rowsOf(v, k, []string{"id", "name", "namePinyin", "latinName", "kind", "scientificNames", "formulas", "url"}, func(h *store.HerbSummary) []string {
			return []string{h.GUID, h.Name, string(h.NamePinyin), string(h.LatinName), string(h.Kind), strings.Join(h.ScientificNames, "; "), strconv.Itoa(int(h.Formulas)), h.URL}
		})
	case "formulas":
		found, err = rowsOf(v, k, []string{"guid", "name", "namePinyin", "dynasty", "year", "originalSource", "url"}, func(f *store.FormulaSummary) []string {
			year := ""
			if f.Year != nil {
				year = strconv.Itoa(int(*f.Year))
			}
			return []string{f.GUID, string(f.Name), string(f.NamePinyin), string(f.Dynasty), year, string(f.OriginalSource), f.URL}
		})
	case "papers":
		found, err = rowsOf(v, k, []string{"id", "title", "authors", "source", "year", "doi", "pubmedId", "url"}, func(p *store.PaperSummary) []string {
			return []string{p.ID, string(p.Title), string(p.Authors), string(p.Source), string(p.Year), string(p.DOI), string(p.PubMedID), p.URL}
		})
	}
	if err != nil {
		return nil, err
	}
	return &page{file: spreadsheet("bencao-"+k.name+".csv", found)}, nil
}

// rowsOf returns the results of a search as rows, in the order of the page. It reads all pages of the
// results until it has mostRows rows.
func rowsOf[T any](v *visit, k *kind, header []string, cells func(*T) []string) ([][]string, error) {
	rows := [][]string{header}
	group := "name"
	if v.query.Has("group") { // the pages of records list formulas one by one
		group = v.query.Get("group")
	}
	for from := 1; len(rows) <= mostRows; from++ {
		params := []string{"q", v.query.Get("q"), "pageSize", "100", "page", strconv.Itoa(from)}
		params = append(params, k.narrowed(v, ofRecords)...)
		if k.name == "formulas" {
			params = append(params, "group", group)
		}
		l, err := ask[list[T]](v, k.op, "", params...)
		if err != nil {
			return nil, err
		}
		for i := range l.Items {
			rows = append(rows, cells(&l.Items[i]))
		}
		if from*100 >= l.Total {
			break
		}
	}
	return rows, nil
}
