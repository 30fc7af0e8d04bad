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

// bars are the commonest values of something.
type bars struct {
	Rows []bar
	Most int
	// More is how many values are not shown.
	More int
	// Long says that values are titles, which need room.
	Long bool
}

type bar struct {
	Value, Chinese, Address string
	Count                   int
	// Pinyin is how a Chinese value is read, for who may not read Chinese.
	Pinyin string
	// Share is the count against Of, which is 0 if that is not known, and Length that
	// of the bar, from 0 to 1.
	Share  string
	Of     int
	share  float64
	Length float64
}

// facetView is a field by which hits are counted.
type facetView struct {
	Title string
	bars
	// Rest are the values that unfold.
	Rest []bar
	// Latin says that values are scientific names that slant.
	Latin bool
}

// facetRow is a value of a facet as its template takes it.
type facetRow struct {
	bar
	Most  int
	Latin bool
}

// facets counts by some fields. What the pages may not count is empty.
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

// barsOf are the commonest values of a facet.
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

// yearRows writes the rows of a table of years.
func yearRows(years []draw.Year) template.HTML {
	var b strings.Builder
	for _, y := range years {
		b.WriteString(`<tr><th scope="row" class="num">` + strconv.Itoa(y.Year) + `</th><td class="r num">` + typeset.Thousands(y.Count) + `</td></tr>`)
	}
	return template.HTML(b.String())
}

// barRows writes the rows of a table of bars, in Chinese with the Chinese name first.
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
