package mappings_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/store"
)

// kinds returns sample queries for each kind of query. docs/performance.md gives the time limit of
// each kind.
func kinds(p *pack) []kind {
	every := func(step int, f func(i int) string) []string {
		var out []string
		for i := 0; i < len(p.Species); i += step {
			if q := f(i); q != "" {
				out = append(out, q)
			}
		}
		return out
	}
	runes := func(s string) []rune { return []rune(s) }
	letters := func(i int) string { return plainLetters(string(p.Species[i].ChineseNamePinyin)) }
	return []kind{
		{"hanzi whole", every(97, func(i int) string { return string(p.Species[i].ChineseName) })},
		{"hanzi inside", every(97, func(i int) string {
			if r := runes(string(p.Species[i].ChineseName)); len(r) > 3 {
				return string(r[1:3])
			}
			return ""
		})},
		{"hanzi one", []string{"草", "花", "兰", "藤", "树", "蕨", "菊", "竹", "松", "梅"}},
		{"pinyin whole", every(97, letters)},
		{"pinyin partial", every(97, func(i int) string {
			if l := letters(i); len(l) > 7 {
				return l[:len(l)-2]
			}
			return ""
		})},
		{"pinyin toned", every(97, func(i int) string { return string(p.Species[i].ChineseNamePinyin) })},
		{"initials", every(97, func(i int) string { return firstLetters(string(p.Species[i].ChineseNamePinyin)) })},
		{"mixed", every(97, func(i int) string {
			if r := runes(string(p.Species[i].ChineseName)); len(r) > 2 {
				return string(r[:2]) + "c"
			}
			return ""
		})},
		{"latin whole", every(97, func(i int) string { return string(p.Species[i].ScientificName) })},
		{"latin genus", every(397, func(i int) string { return fmt.Sprint(p.Species[i].ScientificName[:5]) })},
		{"latin typo", every(197, func(i int) string { return typo(string(p.Species[i].ScientificName)) })},
		{"hanzi typo", every(197, func(i int) string {
			if r := runes(string(p.Species[i].ChineseName)); len(r) > 3 {
				r[1] = '囧'
				return string(r)
			}
			return ""
		})},
		{"pinyin typo", every(197, func(i int) string {
			if l := letters(i); len(l) > 9 {
				return l[:4] + "v" + l[5:]
			}
			return ""
		})},
		{"nothing", []string{"囧囧囧囧", "qqqqqq", "zzzzxxxx", "不存在的植物名称", "hello world", "xylophone", "魑魅魍魉", "asdfghjkl", "name:*", "/.*/"}},
	}
}

// kind is a kind of query with sample queries.
type kind struct {
	name    string
	queries []string
}

func plainLetters(py string) string {
	var out []byte
	for _, w := range splitSyllables(py) {
		out = append(out, w...)
	}
	return string(out)
}

func firstLetters(py string) string {
	var out []byte
	for _, w := range splitSyllables(py) {
		out = append(out, w[0])
	}
	return string(out)
}

func typo(s string) string {
	b := []byte(s)
	if len(b) > 6 {
		b[4], b[5] = b[5], b[4]
	}
	return string(b)
}

// BenchmarkKinds measures queries of each kind on the full package.
func BenchmarkKinds(b *testing.B) {
	p := full(b)
	for _, k := range kinds(p) {
		b.Run(k.name, func(b *testing.B) { measure(b, p.species, k.queries, 0) })
	}
	b.Run("everything", func(b *testing.B) { measure(b, p.species, []string{""}, 20_000) })
	b.Run("past the end", func(b *testing.B) { measure(b, p.species, []string{"人参", "草", "panax"}, 1_000_000) })
	b.Run("grass, page 1", func(b *testing.B) { measure(b, p.species, []string{"草"}, 0) })
	b.Run("grass, page 500", func(b *testing.B) { measure(b, p.species, []string{"草"}, 499*10) })
	b.Run("formulas", func(b *testing.B) {
		measure(b, p.formulas, []string{"桂枝汤", "guizhitang", "gzt", "六味", "散", "liuwei dihuang"}, 0)
	})
	b.Run("formula name", func(b *testing.B) {
		var names []string
		for i := 0; i < len(p.Formulas); i += 97 {
			names = append(names, string(p.Formulas[i].Name))
		}
		measure(b, p.formulas, names, 0)
	})
	b.Run("papers", func(b *testing.B) {
		measure(b, p.papers, []string{"phylogeny", "a new species of", "10.1016/j.ympev"}, 0)
	})
}

// BenchmarkLong measures the longest queries to the formulas of the full package, explained: herbs with
// doses and without separators, prose, random characters, and Latin names.
func BenchmarkLong(b *testing.B) {
	p := full(b)
	r := rand.New(rand.NewPCG(1, 1))
	herbs := p.herbsOf(b)
	herb := func() string {
		of := herbs[r.IntN(len(herbs))]
		return of[r.IntN(len(of))]
	}
	formula := func() *store.Formula { return &p.Formulas[r.IntN(len(p.Formulas))] }
	for _, k := range []struct {
		name string
		part func() string
	}{
		{"herbs, doses", func() string { return fmt.Sprintf("%s %dg ", herb(), 3+r.IntN(27)) }},
		{"herbs, nothing between", herb},
		{"prose", func() string { return string(formula().Indications) }},
		{"names", func() string { return string(formula().Name) + " " }},
		{"any characters", func() string { return string(rune(0x4E00 + r.IntN(20_000))) }},
		{"Latin", func() string { return string(p.Species[r.IntN(len(p.Species))].ScientificName) + ", " }},
	} {
		var queries []string
		for range 20 {
			var q []rune
			for len(q) < search.MaxQuery {
				q = append(q, []rune(k.part())...)
			}
			queries = append(queries, string(q[:search.MaxQuery]))
		}
		b.Run(k.name, func(b *testing.B) {
			measureEach(b, queries, func(text string) {
				if _, err := p.formulas.Explain(b.Context(), search.Query{Text: text, Size: 20}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// BenchmarkFilters measures the queries of kinds without options, with filters, in another order,
// with one line per name, and with facets. A filter may take at most a millisecond.
func BenchmarkFilters(b *testing.B) {
	p := full(b)
	from, to := int32(900), int32(1300)
	is := func(field, value string) search.Filter { return search.Filter{Field: field, Any: []string{value}} }
	for _, table := range []struct {
		name    string
		index   *search.Searcher
		queries []string
		narrow  search.Query
		facets  []string
	}{
		{"species", p.species, []string{"", "草", "人参", "Panax", "gan", "茅"}, search.Query{Filters: []search.Filter{is("family", "禾本科"), is("hasFormulas", "false")}}, []string{"family", "genus"}},
		{"formulas", p.formulas, []string{"", "汤", "桂枝汤", "散", "ren", "丸"}, search.Query{Filters: []search.Filter{is("herbs", "甘草"), is("herbs", "人参"), {Field: "year", From: &from, To: &to}}}, []string{"dynasty", "source", "herbs"}},
		{"papers", p.papers, []string{"", "phylogeny", "a new species of", "china", "molecular evolution"}, search.Query{Filters: []search.Filter{is("author", "Wen"), {Field: "year", To: &to}}}, []string{"year", "author"}},
		{"herbs", p.herbs, []string{"", "草", "甘草", "fu", "Rhizoma Coptidis", "茯笭"}, search.Query{Filters: []search.Filter{is("kind", "plant")}}, []string{"kind", "part"}},
	} {
		run := func(name string, q search.Query) {
			b.Run(table.name+", "+name, func(b *testing.B) {
				measureEach(b, table.queries, func(text string) {
					q.Text, q.Size = text, 20
					ask(b, table.index, q)
				})
			})
		}
		run("plain", search.Query{})
		run("filters", table.narrow)
		for _, sort := range table.index.Sorts() {
			run("sort "+sort, search.Query{Sort: sort})
		}
		if table.name == "formulas" {
			run("distinct", search.Query{Distinct: true})
			run("everything, distinct, filters", search.Query{Distinct: true, Filters: table.narrow.Filters})
			run("indications", search.Query{In: "indications"})
		}
		b.Run(table.name+", facets", func(b *testing.B) {
			measureEach(b, table.queries, func(text string) {
				if _, _, err := table.index.Facets(b.Context(), search.Query{Text: text}, table.facets, 100); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// measureEach runs the queries one after another. It reports how long the queries take. It also
// reports the median time of the slowest query, which other work on the machine hardly changes.
func measureEach(b *testing.B, queries []string, ask func(text string)) {
	for _, q := range queries { // builds the data that is built on first use
		ask(q)
	}
	var took []time.Duration
	each := make([][]time.Duration, len(queries))
	for i := 0; b.Loop(); i++ {
		q := i % len(queries)
		start := time.Now()
		ask(queries[q])
		took = append(took, time.Since(start))
		each[q] = append(each[q], took[i])
	}
	slowest := time.Duration(0)
	for _, times := range each {
		if slices.Sort(times); len(times) > 0 {
			slowest = max(slowest, times[len(times)/2])
		}
	}
	b.ReportMetric(float64(slowest.Nanoseconds())/1e3, "slowest-µs")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-µs")
}

// measure runs the queries one after another and reports how long they take.
func measure(b *testing.B, ix *search.Searcher, queries []string, from int) {
	ask(b, ix, search.Query{Text: "zzzzzzzz", Size: 1}) // builds the data that is built on first use
	var took []time.Duration
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		ask(b, ix, search.Query{Text: queries[i%len(queries)], From: from, Size: 20})
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-µs")
}

// BenchmarkMillionPapers measures queries to a million generated titles. The titles consist of the
// words in the titles of the full package, with the same frequencies.
func BenchmarkMillionPapers(b *testing.B) {
	const million = 1_000_000
	p := full(b)
	r := rand.New(rand.NewPCG(1, 1))
	var words []string
	var lengths []int
	for _, paper := range p.Papers {
		if w := strings.Fields(string(paper.Title)); len(w) > 0 {
			words, lengths = append(words, w...), append(lengths, len(w))
		}
	}
	papers := make([]store.Paper, million)
	for i := range papers {
		title := make([]string, lengths[r.IntN(len(lengths))])
		for k := range title {
			title[k] = words[r.IntN(len(words))]
		}
		papers[i] = store.Paper{PaperSummary: store.PaperSummary{Title: store.Text(strings.Join(title, " ")), DOI: store.Text(fmt.Sprintf("10.%d/j.made.%d", 1000+i%500, i)), PubMedID: store.Text(fmt.Sprint(i + 1))}, Num: store.Num(i)}
	}
	dir := filepath.Join(b.TempDir(), "papers")
	start := time.Now()
	must(b, index.Build(context.Background(), dir, mappings.Papers, papers))
	built := time.Since(start)
	start = time.Now()
	ix, err := search.Open(dir, mappings.Papers)
	must(b, err)
	defer ix.Close()
	b.Logf("built in %v, opened in %v", built.Round(time.Second), time.Since(start).Round(time.Millisecond))
	take := func(n int) []string {
		var out []string
		for range 300 {
			w := strings.Fields(string(papers[r.IntN(million)].Title))
			q := []rune(strings.Join(w[:min(n, len(w))], " "))
			out = append(out, string(q[:min(len(q), search.MaxQuery-20)]))
		}
		return out
	}
	for n := 1; n <= 4; n++ {
		b.Run(fmt.Sprintf("words %d", n), func(b *testing.B) { measure(b, ix, take(n), 0) })
	}
	b.Run("whole title", func(b *testing.B) { measure(b, ix, take(99), 0) })
	b.Run("any word", func(b *testing.B) {
		some := take(4)
		for i := range some {
			some[i] += " unobtainium"
		}
		measure(b, ix, some, 0)
	})
	b.Run("of the", func(b *testing.B) { measure(b, ix, []string{"of the", "and", "the of and in"}, 0) })
	b.Run("doi prefix", func(b *testing.B) { measure(b, ix, []string{"10.1001", "10.1001/j.made.1", "10.1001/j.made.10000"}, 0) })
	b.Run("pubmed", func(b *testing.B) { measure(b, ix, []string{"77", "999999"}, 0) })
}
