package matchers

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bencao/mappings/internal/reading"
)

// TestPrefiltersMissNothing checks that the letter sets and trigrams exclude no name
// that the full comparison would accept.
func TestPrefiltersMissNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 20261123))
	syllables := strings.Fields("gan cao ren shen nv lve lv zhen zi a an xi xian shan zha huang qi er")
	var values, names []string
	for range 400 {
		var value []string
		for range 1 + rnd.IntN(4) {
			value = append(value, syllables[rnd.IntN(len(syllables))]+string('0'+byte(rnd.IntN(5))))
		}
		values = append(values, strings.Join(value, " "))
		names = append(names, strings.NewReplacer(" ", "", "0", "", "1", "", "2", "", "3", "", "4", "").Replace(values[len(values)-1]))
	}
	near := newNearSoundIndex(names)
	took, held := 0, 0
	for range 3000 {
		var letters []byte
		for len(letters) < 3+rnd.IntN(4) {
			syllable := syllables[rnd.IntN(len(syllables))]
			letters = append(letters, syllable[:1+rnd.IntN(len(syllable))]...)
		}
		if rnd.IntN(2) == 0 {
			letters[rnd.IntN(len(letters))] = "abcdeghinorsuvwxz"[rnd.IntN(17)]
		}
		rd := reading.Read(string(letters))
		if !rd.HasSound || rd.Sound.Letters == "" {
			continue
		}
		q := &rd.Sound
		for _, value := range values {
			if _, ok := q.MatchAbbreviated(value); ok {
				took++
				if !letterSetsOf(value).has(letterBits(q.Letters), letterBits(q.Letters[:1])) {
					t.Errorf("%q matches the syllables %q, but is excluded", q.Letters, value)
				}
			}
		}
		if strings.Contains(near.lines, q.Letters) {
			held++
			if !near.mayContain(q.Letters) {
				t.Errorf("%q is in the near sounds, but is excluded", q.Letters)
			}
		}
	}
	if took < 1000 || held < 100 {
		t.Errorf("%d beginnings and %d near sounds were tried, too few", took, held)
	}
}
