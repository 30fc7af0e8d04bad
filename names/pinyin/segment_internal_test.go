package pinyin

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSegmentTyped checks that segmentTyped splits runs as segmentMarked does. The runs are random
// syllables, some with changed or missing letters, and all runs of three letters.
func TestSegmentTyped(t *testing.T) {
	same := func(run string) {
		if got, want := segmentTyped(run), segmentMarked(run); !slices.Equal(got, want) {
			t.Errorf("%q is cut into %q, want %q", run, got, want)
		}
	}
	same("")
	for _, a := range letters {
		for _, b := range letters {
			for _, c := range letters {
				same(string([]rune{a, b, c}))
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	list := strings.Fields(syllableList)
	for range 20_000 {
		var run strings.Builder
		for range 1 + random.IntN(6) {
			run.WriteString(strings.ReplaceAll(list[random.IntN(len(list))], "ü", "u"))
		}
		text := []byte(run.String())
		for range random.IntN(3) {
			at := random.IntN(len(text))
			if random.IntN(2) == 0 {
				text[at] = letters[random.IntN(len(letters))]
			} else {
				text = slices.Delete(text, at, min(at+1, len(text)-1))
			}
		}
		same(string(text))
	}
	same(strings.Repeat("zhuang", 20))
	same(strings.Repeat("a", 64))
	same(strings.Repeat("fangan", 11))
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// TestAppendNear compares appendNear, for all syllables, with a simple replacement of the sounds
// that fuzzy pinyin does not distinguish.
func TestAppendNear(t *testing.T) {
	near := strings.NewReplacer("zh", "z", "ch", "c", "sh", "s", "ng", "n", "l", "n")
	for _, s := range append(strings.Fields(syllableList), "", "nng", "szh", "zzh", "ngg", "h", "zhh", "lh", "ngh", "shng", "n", "z") {
		if got, want := string(appendNear([]byte("x"), s)), "x"+near.Replace(s); got != want {
			t.Errorf("%q sounds near %q, want %q", s, got, want)
		}
	}
	value := "nv3 zhuang1 leng2 shi4"
	sound, _ := Near(value)
	if got, _ := AppendNear(nil, nil, value); string(got) != sound || sound != "nuzuannensi" {
		t.Errorf("%s sounds near %q and %q", value, got, sound)
	}
}

// BenchmarkSegment splits a name of four syllables with segmentTyped and with segmentMarked.
func BenchmarkSegment(b *testing.B) {
	b.Run("typed", func(b *testing.B) {
		for b.Loop() {
			segmentTyped("dongchongxiacao")
		}
	})
	b.Run("marked", func(b *testing.B) {
		for b.Loop() {
			segmentMarked("dongchongxiacao")
		}
	})
}
