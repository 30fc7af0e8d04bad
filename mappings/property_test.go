package mappings_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/search"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/store"
)

// randomQuery returns a query of a random kind. It is made from names in a package.
func randomQuery(r *rand.Rand, p *pack) search.Query {
	cut := func(s string) string {
		runes := []rune(s)
		if len(runes) < 2 {
			return s
		}
		i := r.IntN(len(runes))
		return string(runes[i : i+1+r.IntN(len(runes)-i)])
	}
	one := func(s string) string { // returns s with one character replaced
		runes := []rune(s)
		if len(runes) > 0 {
			i := r.IntN(len(runes))
			runes[i] = []rune("aeinst" + s)[r.IntN(6+len(runes))]
		}
		return string(runes)
	}
	var name, py, latin string
	q := search.Query{}
	switch s := p.Species[r.IntN(len(p.Species))]; {
	case r.IntN(3) == 0:
		f, paper := p.Formulas[r.IntN(len(p.Formulas))], p.Papers[r.IntN(len(p.Papers))]
		name, py, latin = string(f.Name), string(f.NamePinyin), []string{string(paper.Title), string(paper.DOI)}[r.IntN(2)]
		q.Dynasty = []string{"", "宋", "汉", "唐朝", "nowhere"}[r.IntN(5)]
	case r.IntN(4) == 0 && len(s.Aliases) > 0 && len(s.Synonyms) > 0:
		alias := s.Aliases[r.IntN(len(s.Aliases))]
		name, py, latin = alias.Name, untrained().Read(alias.Name), s.Synonyms[r.IntN(len(s.Synonyms))].Name
	default:
		name, py, latin = string(s.ChineseName), string(s.ChineseNamePinyin), string(s.ScientificName)
	}
	letters := strings.Join(splitSyllables(py), "")
	switch r.IntN(13) {
	case 0:
		q.Text = name
	case 1:
		q.Text = cut(name)
	case 2:
		q.Text = letters[:r.IntN(len(letters)+1)]
	case 3:
		q.Text = py
	case 4:
		q.Text = cut(latin)
	case 5:
		q.Text = cut(name) + cut(letters)
	case 6:
		q.Text = string([]rune{'a' + rune(r.IntN(26)), 'a' + rune(r.IntN(26))})
	case 7:
		q.Text = latin
	case 8:
		q.Text = one(name)
	case 9:
		q.Text = one(letters)
	case 10:
		q.Text = one(latin)
	case 11:
		q.Text = firstLetters(py)
	case 12: // an empty query
	}
	if runes := []rune(q.Text); len(runes) > search.MaxQuery {
		q.Text = string(runes[:search.MaxQuery])
	}
	return q
}

func ask(tb testing.TB, ix *search.Searcher, q search.Query) search.Hits {
	tb.Helper()
	hits, err := ix.Search(context.Background(), q)
	if err != nil {
		tb.Fatalf("%+v: %v", q, err)
	}
	return hits
}

// TestPages reads all pages of random queries. The pages must be the same each time, without
// repetitions or gaps, and all must have the same total.
func TestPages(t *testing.T) {
	turnPages(t, sample(t), 1500)
}

// TestPagesFull repeats TestPages on the full package, whose indexes were merged from several
// batches.
func TestPagesFull(t *testing.T) {
	turnPages(t, full(t), 300)
}

func turnPages(t *testing.T, p *pack, queries int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range queries {
		q := randomQuery(r, p)
		for _, ix := range p.indexes() {
			q.From, q.Size = 0, ix.Len()+1
			all := ask(t, ix, q)
			if all.Total != len(all.Nums) {
				t.Fatalf("%+v: total is %d, the page of all hits has %d", q, all.Total, len(all.Nums))
			}
			if sorted := slices.Compact(slices.Sorted(slices.Values(all.Nums))); len(sorted) != len(all.Nums) {
				t.Fatalf("%+v: a record occurs twice", q)
			}
			q.Size = 1 + r.IntN(30) + all.Total/50
			var pages []store.Num
			for ; q.From < all.Total+2*q.Size; q.From += q.Size {
				page := ask(t, ix, q)
				if page.Total != all.Total {
					t.Fatalf("%+v: total is %d, on the page of all hits %d", q, page.Total, all.Total)
				}
				pages = append(pages, page.Nums...)
			}
			q.From, q.Size = min(1, all.Total), math.MaxInt
			if rest := ask(t, ix, q); !slices.Equal(rest.Nums, all.Nums[q.From:]) {
				t.Fatalf("%+v: a page of any size has %d hits, want %d", q, len(rest.Nums), all.Total-q.From)
			}
			if !slices.Equal(pages, all.Nums) {
				t.Fatalf("%+v: the pages together are %v, the page of all hits is %v", q, pages, all.Nums)
			}
		}
	}
}

// TestRebuilt checks that a second build of an index gives the same answers. The answers could
// differ, because Bleve collects documents in random order.
func TestRebuilt(t *testing.T) {
	p := sample(t)
	again, err := packOf(sampleWithChecklists)
	must(t, err)
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		q := randomQuery(r, p)
		q.Size = 50
		for i, ix := range p.indexes() {
			if a, b := ask(t, ix, q), ask(t, again.indexes()[i], q); !reflect.DeepEqual(a, b) {
				t.Fatalf("%+v: one build answers %v, the next %v", q, a, b)
			}
		}
	}
}

func closeAll(t *testing.T, indexes ...*search.Searcher) {
	t.Helper()
	for _, ix := range indexes {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSightBeforeSound compares queries in characters with a slow search of the records. The search
// must find all records that contain the query, and no other records except those with a herb of
// that name. Records with the whole name must come first, each tier must be in answer order, and no
// record may have a worse tier than in the slow search.
func TestSightBeforeSound(t *testing.T) { compareSight(t, sample(t)) }

// TestSightBeforeSoundFull repeats TestSightBeforeSound on the full package.
func TestSightBeforeSoundFull(t *testing.T) { compareSight(t, full(t)) }

func compareSight(t *testing.T, p *pack) {
	t.Helper()
	species, formulas := make([]seen, len(p.Species)), make([]seen, len(p.Formulas))
	for n := range p.Species {
		species[n].names = spellings(string(p.Species[n].ChineseName))
		for _, a := range p.Species[n].Aliases {
			species[n].aliases = append(species[n].aliases, spellings(a.Name)...)
		}
	}
	for n := range p.Formulas {
		formulas[n].names = spellings(string(p.Formulas[n].Name))
	}
	sightBeforeSound(t, p.species, species)
	sightBeforeSound(t, p.formulas, formulas)
}

// seen holds the texts of a record that the slow search compares.
type seen struct{ names, aliases []string }

// tier returns the tier in which a query in characters finds the record in the slow
// search.
func (s *seen) tier(q string) int {
	best := 0
	for _, name := range s.names {
		switch {
		case name == q:
			best = max(best, 100)
		case strings.HasPrefix(name, q) && utf8.RuneCountInString(q) > 1: // single characters are ranked by prominence
			best = max(best, 80)
		case strings.Contains(name, q):
			best = max(best, 60)
		}
	}
	for _, name := range s.aliases {
		switch {
		case name == q:
			best = max(best, 85)
		case strings.Contains(name, q):
			best = max(best, 50)
		}
	}
	return best
}

func sightBeforeSound(t *testing.T, ix *search.Searcher, records []seen) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	compared := 0
	for turn := range 300 {
		record := records[r.IntN(len(records))]
		name := append(record.aliases, record.names...)[r.IntN(len(record.aliases)+len(record.names))]
		runes := []rune(name)
		if len(runes) == 0 {
			continue
		}
		i := r.IntN(len(runes))
		runes = runes[i : i+1+r.IntN(len(runes)-i)]
		if other := []rune(records[r.IntN(len(records))].names[0]); turn%3 == 0 && len(other) > 0 { // usually no name contains the resulting text
			runes[r.IntN(len(runes))] = other[0]
		}
		q := han.Fold(string(runes))
		if strings.ContainsFunc(q, func(r rune) bool { return !han.Is(r) }) {
			continue
		}
		tiers := make(map[store.Num]int)
		for n := range records {
			if t := records[n].tier(q); t > 0 {
				tiers[store.Num(n)] = t
			}
		}
		all := len(tiers)
		known := herb.Lookup(q) // 白蜡 is the name of a wax, not of the tree
		if all == 0 || len(known) > 0 && !slices.ContainsFunc(known, herb.Match.IsPlant) {
			continue
		}
		got, err := ix.Explain(t.Context(), search.Query{Text: q, Size: len(records)})
		must(t, err)
		if len(got.Recognised) > 0 { // herbs that make up a part of a name: 茯苓桂枝
			continue
		}
		for i, hit := range got.Hits {
			// A hit may lack the query in its names: a herb may have another name than its plant,
			// and 络石煎 also finds the dose form 络石散.
			held, meant := tiers[hit.Num], strings.HasPrefix(hit.Field, "drug") || strings.HasPrefix(hit.Field, "folkName") || hit.Way == mappings.OtherForm.String()
			switch {
			case held == 0 && !meant:
				t.Errorf("%q finds %d by %s %q, which does not hold it", q, hit.Num, hit.Field, hit.Text)
			case hit.Tier < held:
				t.Errorf("%q finds %d in tier %d, want %d or better", q, hit.Num, hit.Tier, held)
			case i > 0 && (hit.Tier > got.Hits[i-1].Tier || hit.Tier == got.Hits[i-1].Tier && hit.Num < got.Hits[i-1].Num):
				t.Errorf("%q: hit %d comes before a better one", q, i)
			}
			delete(tiers, hit.Num)
		}
		if len(tiers) > 0 {
			t.Errorf("%q does not find %d of %d records that hold it", q, len(tiers), all)
		}
		compared++
	}
	if compared < 150 {
		t.Errorf("compared %d queries only", compared)
	}
}

// spellings returns the folded name, and the name with each character folded by itself. If a word
// folds as a whole (瓜蒌 to 栝楼), the second form still contains its characters.
func spellings(name string) []string {
	var b strings.Builder
	for _, r := range name {
		b.WriteString(han.Fold(string(r)))
	}
	if folded := han.Fold(name); utf8.RuneCountInString(folded) == utf8.RuneCountInString(b.String()) {
		return []string{folded, b.String()}
	}
	return []string{han.Fold(name)}
}

// TestDynasty compares the hits of the filter by dynasty with the records.
func TestDynasty(t *testing.T) {
	p := sample(t)
	for _, tt := range []struct {
		asked string
		parts []string
	}{
		{"宋", []string{"宋", "北宋", "南宋"}}, {"宋代", []string{"宋", "北宋", "南宋"}}, {"汉", []string{"汉", "东汉", "西汉"}},
		{"漢朝", []string{"汉", "东汉", "西汉"}}, {"东汉", []string{"东汉"}}, {"後漢", []string{"东汉"}}, {"唐", []string{"唐"}}, {"nowhere", nil}, {"*", nil}, {"！", nil},
	} {
		want := 0
		for _, f := range p.Formulas {
			if slices.Contains(tt.parts, string(f.Dynasty)) {
				want++
			}
		}
		hits := ask(t, p.formulas, search.Query{Dynasty: tt.asked, Size: len(p.Formulas)})
		if hits.Total != want || !slices.IsSorted(hits.Nums) {
			t.Errorf("dynasty %q has %d formulas, want %d in answer order", tt.asked, hits.Total, want)
		}
		for _, n := range hits.Nums {
			if !slices.Contains(tt.parts, string(p.Formulas[n].Dynasty)) {
				t.Errorf("dynasty %q shows a formula of %q", tt.asked, p.Formulas[n].Dynasty)
			}
		}
	}
}

// TestBadQueries checks the errors for queries that exceed the limits.
func TestBadQueries(t *testing.T) {
	ix := sample(t).species
	for _, q := range []search.Query{
		{Text: strings.Repeat("人", search.MaxQuery+1)}, {Dynasty: strings.Repeat("人", search.MaxQuery+1)}, {From: -1}, {Size: -1},
	} {
		if _, err := ix.Search(context.Background(), q); !errors.Is(err, search.ErrQuery) {
			t.Errorf("%d characters, from %d, size %d: got error %v, want ErrQuery", len([]rune(q.Text)), q.From, q.Size, err)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ix.Search(done, search.Query{Text: "人参", Size: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("with its time over: got error %v, want context.Canceled", err)
	}
}
