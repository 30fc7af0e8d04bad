package editdistance_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"bencao/names/editdistance"
)

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b          string
		limit         int
		plain, blocks int
	}{
		{"ginseng", "ginseng", 3, 0, 0},
		{"ginsen", "ginseng", 3, 1, 1},
		{"ginesng", "ginseng", 3, 1, 1},
		{"gniesng", "ginseng", 3, 2, 2},
		{"serrulatus", "serratulus", 4, 4, 2},
		{"vesiculosus", "vecusilosus", 4, 4, 2},
		{"vesiculosus", "vecusilosus", 2, 3, 2},
		{"", "abc", 3, 3, 3},
		{"abc", "", 2, 3, 3},
		{"pxxxxomus", "pomatomus", 2, 3, 3},
		{"pxxxxomus", "pomatomus", 10, 4, 4},
		{"人参", "人蔘", 2, 1, 1}, // an edit changes a rune, not a byte
	}
	for _, tt := range tests {
		for _, w := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := editdistance.Distance([]rune(w[0]), []rune(w[1]), tt.limit); got != tt.plain {
				t.Errorf("Distance(%q, %q, %d) = %d, want %d", w[0], w[1], tt.limit, got, tt.plain)
			}
			if got := editdistance.WithBlocks([]rune(w[0]), []rune(w[1]), tt.limit); got != tt.blocks {
				t.Errorf("WithBlocks(%q, %q, %d) = %d, want %d", w[0], w[1], tt.limit, got, tt.blocks)
			}
		}
	}
}

// TestDistanceByDefinition compares Distance, which fills only part of the table of distances, with
// the full table of the textbook definition. It also checks that Mask excludes no word within the
// limit.
func TestDistanceByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() []byte {
		w := make([]byte, rng.IntN(12))
		for i := range w {
			w[i] = "abc"[rng.IntN(3)]
		}
		return w
	}
	for range 20_000 {
		a, b := word(), word()
		for limit := range 8 {
			plain, blocks := byDefinition(a, b, false), byDefinition(a, b, true)
			if got := editdistance.Distance(a, b, limit); got != min(plain, limit+1) {
				t.Fatalf("Distance(%q, %q, %d) = %d, want %d", a, b, limit, got, min(plain, limit+1))
			}
			if got := editdistance.WithBlocks(a, b, limit); got != min(blocks, limit+1) {
				t.Fatalf("WithBlocks(%q, %q, %d) = %d, want %d", a, b, limit, got, min(blocks, limit+1))
			}
			if n := bits.OnesCount32(editdistance.Mask(a) ^ editdistance.Mask(b)); n > 2*plain {
				t.Fatalf("the masks of %q and %q differ in %d bits, their distance is %d", a, b, n, plain)
			}
		}
	}
}

// byDefinition returns the optimal string alignment distance by its textbook recurrence.
func byDefinition(a, b []byte, blocks bool) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
				continue
			case j == 0:
				d[i][j] = i
				continue
			}
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
			if blocks && i > 3 && j > 3 && string(a[i-2:i]) == string(b[j-4:j-2]) && string(a[i-4:i-2]) == string(b[j-2:j]) {
				d[i][j] = min(d[i][j], d[i-4][j-4]+2)
			}
		}
	}
	return d[len(a)][len(b)]
}

// TestDeletions checks that two words have a form in common if their edit distance is at most the
// number of edits allowed for their length.
func TestDeletions(t *testing.T) {
	forms := func(w string) map[string]bool {
		m := make(map[string]bool)
		editdistance.Deletions([]byte(w), func(less []byte) { m[string(less)] = true })
		return m
	}
	for _, pair := range [][2]string{{"panax", "pnax"}, {"salvia", "sallvia"}, {"magnolia", "mgnolai"}, {"reynoutria", "raynoutira"}, {"euodia", "euodia"}} {
		a, b := forms(pair[0]), forms(pair[1])
		shared := false
		for f := range a {
			shared = shared || b[f]
		}
		if !shared {
			t.Errorf("%q and %q share no form: %v, %v", pair[0], pair[1], a, b)
		}
	}
	if got := forms("iva"); len(got) != 1 {
		t.Errorf("a word of three letters has the forms %v, want itself only", got)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"entry_id", "chinese_name", "scientific_name", "rank"}
	for want, is := range map[string]string{
		"entryID": "entry_id", "Chinese Name": "chinese_name", "scientifc_name": "scientific_name", "Rank": "rank", "volume": "", "": "",
	} {
		if got := editdistance.Nearest(want, names); got != is {
			t.Errorf("nearest of %q = %q, want %q", want, got, is)
		}
	}
}
