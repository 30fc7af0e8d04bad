package mappings_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/mappings/search"
	"bencao/store"
)

// facetsOf lists, for each table, the fields by which queries can be filtered.
var facetsOf = [][]string{
	{"family", "genus", "rank", "hasFormulas", "region", "establishment", "range", "lifeForm"},
	{"dynasty", "source", "author", "year", "herbs"},
	{"author", "year", "source", "family", "species"},
	{"kind", "part", "species"},
}

// randomFilters adds random filters and possibly an order and Distinct to a query.
func randomFilters(t *testing.T, r *rand.Rand, p *pack, table int, q search.Query) search.Query {
	t.Helper()
	ix := p.indexes()[table]
	if table != 1 {
		q.Dynasty = ""
	}
	for range r.IntN(3) {
		field := facetsOf[table][r.IntN(len(facetsOf[table]))]
		all, _, err := ix.Facets(t.Context(), search.Query{}, []string{field}, math.MaxInt)
		must(t, err)
		if len(all[0].Counts) == 0 {
			continue // no record has a value of the field
		}
		f := search.Filter{Field: field, Not: r.IntN(4) == 0}
		value := all[0].Counts[r.IntN(len(all[0].Counts))].Value
		if field == "year" {
			year, err := strconv.ParseInt(value, 10, 32)
			must(t, err)
			from := int32(year) - int32(r.IntN(300))
			to := from + int32(r.IntN(300))
			f.From, f.To = &from, &to
			if r.IntN(3) == 0 {
				f.To = nil
			}
		} else {
			f.Any = []string{value}
		}
		q.Filters = append(q.Filters, f)
	}
	if sorts := append(ix.Sorts(), ""); r.IntN(2) == 0 {
		q.Sort = sorts[r.IntN(len(sorts))]
	}
	q.Distinct = table == 1 && r.IntN(2) == 0
	if table == 1 && r.IntN(4) == 0 {
		q.In = []string{"name", "indications", "composition"}[r.IntN(3)]
	}
	return q
}

// TestFilteredPages reads all pages of random queries with filters and orders. The pages together
// must equal a single page of all hits, all pages must have the same total, and the query without
// filters must find every hit too.
func TestFilteredPages(t *testing.T) { turnFilteredPages(t, sample(t), 700) }

// TestFilteredPagesFull repeats TestFilteredPages on the full package, whose indexes were merged
// from several batches.
func TestFilteredPagesFull(t *testing.T) { turnFilteredPages(t, full(t), 100) }

func turnFilteredPages(t *testing.T, p *pack, queries int) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	for range queries {
		plain := randomQuery(r, p)
		for table, ix := range p.indexes() {
			q := randomFilters(t, r, p, table, plain)
			q.From, q.Size = 0, ix.Len()+1
			all := ask(t, ix, q)
			if all.Total != len(all.Nums) || q.Distinct != (all.Namesakes != nil) {
				t.Fatalf("%+v: total is %d, the page of all hits has %d, and namesakes of %d", q, all.Total, len(all.Nums), len(all.Namesakes))
			}
			if sorted := slices.Compact(slices.Sorted(slices.Values(all.Nums))); len(sorted) != len(all.Nums) {
				t.Fatalf("%+v: a record occurs twice", q)
			}
			q.Size = 1 + r.IntN(30) + all.Total/20
			var pages []store.Num
			var namesakes []int
			for ; q.From < all.Total+q.Size; q.From += q.Size {
				page := ask(t, ix, q)
				if page.Total != all.Total {
					t.Fatalf("%+v: total is %d, on the page of all hits %d", q, page.Total, all.Total)
				}
				pages, namesakes = append(pages, page.Nums...), append(namesakes, page.Namesakes...)
			}
			if !slices.Equal(pages, all.Nums) || !slices.Equal(namesakes, all.Namesakes) {
				t.Fatalf("%+v: the pages together are %v, the page of all hits is %v", q, pages, all.Nums)
			}
			thin := q
			thin.Sort, thin.Distinct, thin.From, thin.Size = "", false, 0, ix.Len()
			lines := ask(t, ix, thin)
			sum := len(all.Nums)
			for _, n := range all.Namesakes {
				sum += n
			}
			if q.Distinct && sum != lines.Total || !q.Distinct && all.Total != lines.Total {
				t.Fatalf("%+v: %d lines have %d records in all, want %d", q, all.Total, sum, lines.Total)
			}
			thin.Filters, thin.Dynasty = nil, ""
			free := map[store.Num]bool{}
			unfiltered := ask(t, ix, thin)
			if lines.Verdict != unfiltered.Verdict {
				t.Fatalf("%+v: the verdict is %+v, without filters %+v", q, lines.Verdict, unfiltered.Verdict)
			}
			for _, n := range unfiltered.Nums {
				free[n] = true
			}
			for _, n := range lines.Nums {
				if !free[n] {
					t.Fatalf("%+v: shows record %d, which the query does not find without filters", q, n)
				}
			}
		}
	}
}

// TestFacets counts the hits of random queries by facets. It repeats each query with a filter by
// each value that a facet lists. The number of hits must agree with the count in the facet.
func TestFacets(t *testing.T) {
	p := sample(t)
	r := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		plain := randomQuery(r, p)
		for table, ix := range p.indexes() {
			q := randomFilters(t, r, p, table, plain)
			counted, told, err := ix.Facets(t.Context(), q, facetsOf[table], math.MaxInt)
			must(t, err)
			q.Sort, q.Distinct, q.Size = "", false, 1
			total := told.Total
			if want := ask(t, ix, q); total != want.Total || told.Verdict != want.Verdict {
				t.Fatalf("%+v: %d are counted (%+v), %d found (%+v)", q, total, told.Verdict, want.Total, want.Verdict)
			}
			for _, f := range counted {
				sum := f.Without
				for i, c := range f.Counts {
					sum += c.Count
					if i > 5 && r.IntN(10) > 0 {
						continue
					}
					one := q
					by := search.Filter{Field: f.Field, Any: []string{c.Value}}
					if f.Field == "year" {
						year, err := strconv.ParseInt(c.Value, 10, 32)
						must(t, err)
						y := int32(year)
						by = search.Filter{Field: f.Field, From: &y, To: &y}
					}
					one.Filters = append(slices.Clone(q.Filters), by)
					found := ask(t, ix, one).Total
					// The filter may find more records than the facet counts. The name of a dynasty
					// may include other dynasties, an author's name may be a part of another name,
					// and a herb may be written in other ways.
					if wide := f.Field == "dynasty" || f.Field == "author" || f.Field == "herbs"; found < c.Count || !wide && found != c.Count {
						t.Errorf("%+v: %s %q is counted %d times, found %d times", q, f.Field, c.Value, c.Count, found)
					}
				}
				if f.Values != len(f.Counts) || sum < total || (f.Field == "family" && table == 0 || f.Field == "dynasty" || f.Field == "source") && sum != total { // a paper may be about several families
					t.Errorf("%+v: the counts of %s make %d, want %d", q, f.Field, sum, total)
				}
			}
		}
	}
}

// TestFilters checks filters with known answers.
func TestFilters(t *testing.T) {
	p := sample(t)
	year := func(y int32) *int32 { return &y }
	is := func(field, value string) []search.Filter {
		return []search.Filter{{Field: field, Any: []string{value}}}
	}
	for _, tt := range []struct {
		table string
		query search.Query
		first string // the name of the first hit; "" means that there must be no hits
	}{
		{"species", search.Query{Text: "参", Filters: is("family", "五加科")}, "人参"},
		{"species", search.Query{Text: "参", Filters: is("family", "araliaceae")}, "人参"},
		{"species", search.Query{Text: "党参", Filters: is("family", "Araliaceae")}, ""},
		{"species", search.Query{Text: "参", Filters: is("genus", "人參屬")}, "人参"},
		{"species", search.Query{Text: "三七", Filters: is("genus", "Panax")}, "三七"},
		{"species", search.Query{Text: "黄花蒿", Filters: is("family", "Compositae")}, "黄花蒿"},
		{"species", search.Query{Text: "人参", Filters: is("rank", "variety")}, ""},
		{"species", search.Query{Text: "凹叶厚朴", Filters: is("hasFormulas", "false")}, ""},
		{"formulas", search.Query{Text: "桂枝汤", Dynasty: "清"}, ""},
		{"formulas", search.Query{Text: "桂枝汤", Filters: is("source", "伤寒论")}, "桂枝汤"},
		{"formulas", search.Query{Text: "桂枝汤", Filters: []search.Filter{{Field: "year", From: year(200), To: year(220)}}}, "桂枝汤"},
		{"formulas", search.Query{Text: "桂枝汤", Filters: []search.Filter{{Field: "year", From: year(1900)}}}, ""},
		{"formulas", search.Query{Text: "桂枝附子", Filters: []search.Filter{{Field: "herbs", Any: []string{"附子"}}}}, "桂枝附子汤"},
		{"formulas", search.Query{Text: "四逆汤", Filters: []search.Filter{{Field: "herbs", Any: []string{"附子"}, Not: true}}}, "当归四逆汤"},
		{"formulas", search.Query{Text: "恶寒", In: "indications", Filters: is("author", "张仲景")}, "桂枝汤"},
		{"formulas", search.Query{Text: "桂枝汤", In: "indications", Dynasty: "清"}, ""},
		{"papers", search.Query{Text: "qinghaosu", Filters: is("author", "Youyou T")}, "The discovery of artemisinin (qinghaosu) and gifts from Chinese medicine"},
		{"papers", search.Query{Text: "qinghaosu gifts", Filters: []search.Filter{{Field: "year", To: year(2010)}}}, ""},
		{"papers", search.Query{Text: "qinghaosu gifts", Filters: is("family", "菊科")}, "The discovery of artemisinin (qinghaosu) and gifts from Chinese medicine"},
		{"papers", search.Query{Text: "qinghaosu gifts", Filters: is("family", "Compositae")}, "The discovery of artemisinin (qinghaosu) and gifts from Chinese medicine"},
		{"papers", search.Query{Text: "qinghaosu gifts", Filters: is("family", "Araliaceae")}, ""},
	} {
		ix, label := p.endpoint(tt.table)
		tt.query.Size = 1
		hits := ask(t, ix, tt.query)
		if tt.first == "" && hits.Total > 0 {
			t.Errorf("%+v: found %d, the first is %s; nothing is wanted", tt.query, hits.Total, label(hits.Nums[0]))
		} else if tt.first != "" && (hits.Total == 0 || label(hits.Nums[0]) != tt.first) {
			t.Errorf("%+v: found %v of %d, want %s first", tt.query, hits.Nums, hits.Total, tt.first)
		}
	}
}

// TestSorted checks each order, and that Distinct shows every name once.
func TestSorted(t *testing.T) {
	p := sample(t)
	years := ask(t, p.formulas, search.Query{Sort: "year", Size: len(p.Formulas)}).Nums
	if !slices.IsSortedFunc(years, func(a, b store.Num) int { return int(yearOf(p, a)) - int(yearOf(p, b)) }) {
		t.Error("formulas sorted by year are not in the order of years")
	}
	names := ask(t, p.species, search.Query{Sort: "name", Size: len(p.Species)}).Nums
	if a, b := p.Species[names[0]], p.Species[names[len(names)-1]]; len(names) != len(p.Species) || a.ChineseNamePinyin > b.ChineseNamePinyin && b.ChineseName != "" {
		t.Errorf("species by name begin with %s and end with %s", a.ChineseName, b.ChineseName)
	}
	seen := map[string]bool{}
	lines := ask(t, p.formulas, search.Query{Text: "桂枝", Distinct: true, Size: len(p.Formulas)})
	for i, n := range lines.Nums {
		if name := p.Formulas[n].Name; seen[string(name)] {
			t.Errorf("%s has two lines", name)
		} else if seen[string(name)] = true; i == 0 && lines.Namesakes[0] == 0 {
			t.Errorf("%s comes first, although no other formula has its name", name)
		}
	}
	var together []string // the names of the formulas, without repetitions one after the other
	for _, n := range ask(t, p.formulas, search.Query{Text: "桂枝", Grouped: true, Size: len(p.Formulas)}).Nums {
		if name := string(p.Formulas[n].Name); len(together) == 0 || together[len(together)-1] != name {
			together = append(together, name)
		}
	}
	if len(together) != len(lines.Nums) {
		t.Errorf("the formulas of each name together: %d runs of %d names", len(together), len(lines.Nums))
	}
	for q, want := range map[string]search.Query{
		"use relevance, name, prominence":              {Sort: "year"},
		"use family, genus, rank, hasFormulas":         {Filters: []search.Filter{{Field: "colour"}}},
		"only formulas can be listed":                  {Distinct: true},
		`these records have no part "smell"; use name`: {In: "smell", Text: "x"},
	} {
		if _, err := p.species.Search(t.Context(), want); !errors.Is(err, search.ErrQuery) || !strings.Contains(err.Error(), q) {
			t.Errorf("%+v: error %v, want one that says %q", want, err, q)
		}
	}
}

func yearOf(p *pack, n store.Num) int32 {
	if y := p.Formulas[n].Year; y != nil {
		return *y
	}
	return math.MaxInt32
}

// TestNarrowDocs runs every example of "Narrow it down" in docs/search.md on the
// sample.
func TestNarrowDocs(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "docs", "search.md"))
	must(t, err)
	p := sample(t)
	examples := regexp.MustCompile("(?m)^\\| (species|formulas|papers) \\| `([^`]+)` \\| `([^`]+)` \\| ([^|]+) \\|").FindAllStringSubmatch(string(b), -1)
	for _, m := range examples {
		ix, label := p.endpoint(m[1])
		q := search.Query{Text: m[2], Size: 1}
		for pair := range strings.FieldsSeq(m[3]) {
			name, value, _ := strings.Cut(pair, "=")
			switch name {
			case "dynasty":
				q.Dynasty = value
			case "in":
				q.In = value
			case "sort":
				q.Sort = value
			case "fromYear", "toYear":
				var year int32
				if _, err := fmt.Sscan(value, &year); err != nil {
					t.Fatal(err)
				}
				f := search.Filter{Field: "year"}
				if name == "toYear" {
					f.To = &year
				} else {
					f.From = &year
				}
				q.Filters = append(q.Filters, f)
			default:
				q.Filters = append(q.Filters, search.Filter{Field: name, Any: []string{value}})
			}
		}
		first := "nothing"
		if hits := ask(t, ix, q); len(hits.Nums) > 0 {
			first = label(hits.Nums[0])
		}
		if first != m[4] {
			t.Errorf("docs/search.md says that %q with %s finds %s first; it finds %s", m[2], m[3], m[4], first)
		}
	}
	if len(examples) < 9 {
		t.Errorf("docs/search.md has %d examples of filters that can be read, 9 are wanted", len(examples))
	}
}
