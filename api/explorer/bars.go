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
	// More is the number of values that are not shown.
	More int
	// Long marks values that are titles and need space.
	Long bool
}

type bar struct {
	Value, Chinese, Address string
	Count                   int
	// Pinyin is the reading of a Chinese value. It is shown to users who do not read Chinese.
	Pinyin string
	// Share is the count divided by Of, in words; Of is 0 if it is not known. Length is the length
	// of the bar, from 0 to 1.
	Share  string
	Of     int
	share  float64
	Length float64
}

// facetView is a facet of the search results.
type facetView struct {
	Title string
	bars
	// Rest holds the values that are hidden until the user unfolds the list.
	Rest []bar
	// Latin marks values that are scientific names in italics.
	Latin bool
}

// facetRow is a value of a facet for its template.
type facetRow struct {
	bar
	Most  int
	Latin bool
}

// facets returns the facets by some fields. It returns no facets if the pages lack the scope.
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

// barsOf returns the most frequent values of a facet.
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

// yearRows returns the rows of a table of years.
func yearRows(years []draw.Year) template.HTML {
	var b strings.Builder
	for _, y := range years {
		b.WriteString(`<tr><th scope="row" class="num">` + strconv.Itoa(y.Year) + `</th><td class="r num">` + typeset.Thousands(y.Count) + `</td></tr>`)
	}
	return template.HTML(b.String())
}

// barRows returns a function for the rows of a bar chart. On Chinese pages the Chinese name comes
// first.
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
