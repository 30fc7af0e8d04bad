package explorer

import (
	"html/template"
	"strconv"
	"strings"

	"bencao/api"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/texts"
	"bencao/api/explorer/typeset"
)

// bars is a bar chart of the most frequent values of a field.
type bars struct {
	Rows []bar
	Most int
	// More is the number of values without a bar.
	More int
	// Long reports that the values are titles and need more space.
	Long bool
}

type bar struct {
	Value, Chinese, Address string
	Count                   int
	// Pinyin is the reading of a Chinese value. It is shown to users who do not read Chinese.
	Pinyin string
	// Share is Count in percent of Of, as text. Of is the number of all such records, or 0 if that
	// number is not known. Length is the length of the bar, from 0 to 1.
	Share  string
	Of     int
	share  float64
	Length float64
}

// facetView is a facet beside the search results.
type facetView struct {
	Title string
	bars
	// Rest has the less frequent values, which are hidden until the user unfolds the list.
	Rest []bar
	// Latin reports that the values are scientific names, which are in italics.
	Latin bool
}

// facetRow is a value of a facet for its template.
type facetRow struct {
	bar
	Most  int
	Latin bool
}

// facets counts records by the fields in by. It returns nil if the pages lack the scope for this.
func facets(v *visit, op, by string, most int, filters ...string) (map[string]api.Facet, error) {
	params := append([]string{"by", by, "limit", strconv.Itoa(most)}, filters...)
	var counted api.Facets
	var err error
	if len(filters) == 0 {
		counted, err = askCached[api.Facets](v, op, params...)
	} else {
		counted, err = ask[api.Facets](v, op, "", params...)
	}
	if refused(err) {
		return nil, nil
	}
	out := map[string]api.Facet{}
	for _, f := range counted.Facets {
		out[f.By] = f
	}
	return out, err
}

// barsOf returns the bars of the most frequent values of a facet. most limits the number of bars.
// address returns the link of a value.
func barsOf(f api.Facet, most int, address func(api.ValueCount) string) bars {
	b := bars{More: int(f.Values) - min(most, len(f.Counts))}
	for _, c := range f.Counts[:min(most, len(f.Counts))] {
		row := bar{Value: c.Value, Count: int(c.Count), Address: address(c)}
		if c.Chinese != nil && *c.Chinese != c.Value {
			row.Chinese = *c.Chinese
		}
		b.Most = max(b.Most, row.Count)
		b.Rows = append(b.Rows, row)
	}
	return b
}

// yearRows returns the HTML rows of a table with the number of records of each year.
func yearRows(years []draw.Year) template.HTML {
	var b strings.Builder
	for _, y := range years {
		b.WriteString(`<tr><th scope="row" class="num">` + strconv.Itoa(y.Year) + `</th><td class="r num">` + typeset.Thousands(y.Count) + `</td></tr>`)
	}
	return template.HTML(b.String())
}

// barRows returns a function that writes the HTML rows of a bar chart. On Chinese pages the Chinese
// name of a value comes first.
func barRows(lang *texts.Language) func(bars) template.HTML {
	return func(all bars) template.HTML {
		var b strings.Builder
		for _, r := range all.Rows {
			first, second := r.Value, r.Chinese
			if lang.Code == "zh" && second != "" {
				first, second = second, first
			}
			name := string(typeset.RubyWord(first, r.Pinyin))
			if r.Address != "" {
				name = `<a href="` + typeset.Escape(r.Address) + `">` + name + `</a>`
			}
			if second != "" {
				name += ` <span class="sub">` + string(typeset.Chinese(second)) + `</span>`
			}
			share := float64(r.Count) / float64(max(1, all.Most))
			b.WriteString(`<tr><th scope="row">` + name + `</th><td>` + string(draw.Bar(share)) + `</td><td class="num">` + typeset.Thousands(r.Count) + `</td></tr>`)
		}
		return template.HTML(b.String())
	}
}
