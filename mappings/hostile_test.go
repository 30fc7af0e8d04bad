package mappings_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/store"
)

// hostile lists queries that have caused problems in this or other search engines.
var hostile = []string{
	"*", "**", "name:*", "/.*/", "人参~2", "\"人参\"", "+人参 -茶", "(((((", "[艹／", "[/]", "a AND b OR NOT c", "\\", "%", "_", "?",
	"🌿", "👩‍👩‍👧‍👦", "\x00", "\x01人参\x7f", "\xff\xfe", "\xed\xa0\x80", "人\xff参", "\u202e人参", "\u200b人\u200b参", "\ufeff人参", "ｆｕｌｌ", "²³", "①②③", "Ⅻ",
	"١٢٣", "Привет", "שלום", "ไทย", "한국어", "にほんご", "İstanbul", "ß", "ﬁ", "e\u0301\u0301\u0301", "〇", "𠮷", "㐂", "\U000e0001",
	strings.Repeat("人", 200), strings.Repeat("a", 200), strings.Repeat("z", 200), strings.Repeat("a ", 100), strings.Repeat("草", 9), strings.Repeat("shi", 40),
	strings.Repeat("an", 60), strings.Repeat("a'", 99), strings.Repeat("a1", 99), strings.Repeat("人a", 100), strings.Repeat("e", 120), strings.Repeat("*", 200),
	strings.Repeat("the of ", 28), strings.Repeat("10.1000/", 20), "10.", "10.1234/", "10.1234/%00", "00000000", "PMID:", "1e9", "-1", "ü", "u:", ":::", "'", "’", "v", "ng", "m",
	"the quick brown fox jumps over the lazy dog and runs away with the spoon while one two three four five six seven eight nine ten",
	"x", "× ×", "x x x", "f. var. subsp.", "L.", "Panax ginseng C.A.Mey. var. var. f. f.", ".", "a.", "A. B. C. D. E. F. G. H. I. J. K. L. M.",
}

// guard runs a query with a limit on memory, and checks the answer.
func guard(t *testing.T, ix *search.Searcher, q search.Query, memory uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	hits, err := ix.Search(context.Background(), q)
	runtime.ReadMemStats(&after)
	if errors.Is(err, search.ErrQuery) {
		return
	}
	if err != nil {
		t.Errorf("%+v: %v", q, err)
		return
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > memory {
		t.Errorf("%+v took %d kB of memory, more than %d", q, used>>10, memory>>10)
	}
	if len(hits.Nums) > q.Size || hits.Total > ix.Len() || len(hits.Nums) > 0 && q.From+len(hits.Nums) > hits.Total {
		t.Errorf("%+v: %d hits of %d", q, len(hits.Nums), hits.Total)
	}
	sorted := slices.Clone(hits.Nums)
	slices.Sort(sorted)
	for i, n := range sorted {
		if int(n) >= ix.Len() || i > 0 && n == sorted[i-1] {
			t.Errorf("%+v: number %d is invalid or occurs twice", q, n)
		}
	}
}

// TestHostile runs hostile queries on the full package.
func TestHostile(t *testing.T) {
	p := full(t)
	for _, ix := range p.indexes() {
		ask(t, ix, search.Query{Text: "zzzzzzzz", Size: 1}) // builds the data that is built on first use
		ask(t, ix, search.Query{Text: "囧囧囧囧", Size: 1})
		for _, text := range hostile {
			guard(t, ix, search.Query{Text: text, Size: 100}, 64<<20)
			guard(t, ix, search.Query{Text: text, Dynasty: text, From: math.MaxInt, Size: 100}, 64<<20)
		}
	}
}

// TestReadingsThatBeginAlike searches for a long name in which each character has several readings
// with the same initial. Trying all combinations would take exponential time.
func TestReadingsThatBeginAlike(t *testing.T) {
	const long = 60
	dir := filepath.Join(t.TempDir(), "species.bleve")
	record := store.Species{SpeciesDetail: store.SpeciesDetail{EntryID: 7, ChineseName: store.Text(strings.Repeat("说", long)), ChineseNamePinyin: store.Text(strings.TrimSpace(strings.Repeat("shuō ", long))), ScientificName: "Panax ginseng"}}
	must(t, index.Build(context.Background(), dir, mappings.Species, []store.Species{record}))
	ix, err := search.Open(dir, mappings.Species)
	must(t, err)
	defer closeAll(t, ix)
	for _, letter := range []string{"s", "sh"} {
		for _, more := range []struct{ letters, want int }{{0, 1}, {1, 0}} {
			q := search.Query{Text: strings.Repeat(letter, long+more.letters), Size: 5}
			hits, err := ix.Search(t.Context(), q)
			if err != nil || hits.Total != more.want {
				t.Errorf("%d initials of %d: %d hits, %v; want %d", long+more.letters, long, hits.Total, err, more.want)
			}
		}
	}
}

// FuzzQuery runs random queries on the sample.
func FuzzQuery(f *testing.F) {
	p := sample(f)
	for _, text := range hostile {
		f.Add(text, "", 0, 20)
	}
	f.Add("桂枝汤", "宋", 1, 1)
	f.Add("人shen", "", 0, 5)
	f.Add("panax gingseng", "", math.MaxInt, math.MaxInt)
	f.Fuzz(func(t *testing.T, text, dynasty string, from, size int) {
		for _, ix := range p.indexes() {
			guard(t, ix, search.Query{Text: text, Dynasty: dynasty, From: from, Size: size}, 32<<20)
		}
	})
}
