package pinyin_test

import (
	_ "embed"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"bencao/internal/test/fullsize"
	"bencao/names/pinyin"
)

// judged returns names whose pinyin was checked by hand, or skips the test.
func judged(t *testing.T) []pinyin.Pair {
	t.Helper()
	b, err := os.ReadFile(fullsize.Path(t, "golden/pinyin-dev.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pinyin.Pair
	for line := range strings.Lines(string(b)) {
		name, py, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if name != "chinese_name" {
			pairs = append(pairs, pinyin.Pair{Name: name, Pinyin: py})
		}
	}
	return pairs
}

// TestJudged trains a model on half of the judged names and reads the other half, then exchanges
// the halves. It splits the names into halves in two ways: by odd and even lines, and by the first
// character. The file is sorted by name. The first split therefore puts similar names into both
// halves, and the second does not.
func TestJudged(t *testing.T) {
	pairs := judged(t)
	splits := []struct {
		name           string
		half           func(i int, p pinyin.Pair) int
		letters, toned float64 // least percentage of names that are right in letters, and in letters and tones
		// Least percentages of right names among the names that have only one right reading: sure
		// for letters, sureToned for letters and tones.
		sure, sureToned float64
	}{
		{"every other line", func(i int, _ pinyin.Pair) int { return i % 2 }, 99.9, 99.5, 99.97, 99.5},
		{"by first character", func(_ int, p pinyin.Pair) int { return int([]rune(p.Name)[0]) % 2 }, 99.9, 99.1, 99.97, 99.5},
	}
	contestedLetters, contestedTones := contested(pairs, pinyin.Letters), contested(pairs, func(syllables string) string { return syllables })
	for _, s := range splits {
		var n, letters, toned, sure, surely, sureToned, surelyToned int
		for half := range 2 {
			m := pinyin.Train(func(yield func(pinyin.Pair) bool) {
				for i, p := range pairs {
					if s.half(i, p) == half && !yield(p) {
						return
					}
				}
			})
			wrong := 0
			for i, p := range pairs {
				if s.half(i, p) == half {
					continue
				}
				n++
				got := m.Read(p.Name)
				if !contestedTones[i] {
					sureToned++
					if got == p.Pinyin {
						surelyToned++
					}
				}
				if !contestedLetters[i] {
					sure++
					if pinyin.Letters(got) == pinyin.Letters(p.Pinyin) {
						surely++
					}
				}
				switch {
				case got == p.Pinyin:
					toned++
					letters++
				case pinyin.Letters(got) == pinyin.Letters(p.Pinyin):
					letters++
					if testing.Verbose() {
						t.Logf("%s: read %q, judged %q (tones)", p.Name, got, p.Pinyin)
					}
				default:
					if wrong++; wrong <= 80 && testing.Verbose() {
						t.Logf("%s: read %q, judged %q", p.Name, got, p.Pinyin)
					}
				}
			}
		}
		a, b := 100*float64(letters)/float64(n), 100*float64(toned)/float64(n)
		c, d := 100*float64(surely)/float64(sure), 100*float64(surelyToned)/float64(sureToned)
		t.Logf("%s: of %d names %.2f %% right in letters, %.2f %% with tones", s.name, n, a, b)
		t.Logf("of which one reading is right: of %d %.3f %% in letters, of %d %.2f %% with tones", sure, c, sureToned, d)
		if a < s.letters || b < s.toned || c < s.sure || d < s.sureToned {
			t.Errorf("%s: at least %.1f %%, %.1f %%, %.2f %% and %.1f %% are wanted; see with -v which names are misread", s.name, s.letters, s.toned, s.sure, s.sureToned)
		}
	}
}

// contested reports for each name whether it is uncertain which reading is right. There are three
// cases: the judged pinyin has a syllable that is not a reading of its character; it does not have
// one syllable for each character; or the judged names read a character in two ways next to the
// same neighbour. form returns the part of a reading that is compared.
func contested(pairs []pinyin.Pair, form func(string) string) []bool {
	beside := make(map[string]map[string]bool)
	each := func(p pinyin.Pair, f func(key, syllable string)) {
		name, syllables := []rune(p.Name), strings.Fields(form(p.Pinyin))
		for i := range min(len(name), len(syllables)) {
			if i > 0 {
				f(string(name[i-1:i+1])+"<", syllables[i])
			}
			if i+1 < len(name) {
				f(string(name[i:i+2])+">", syllables[i])
			}
		}
	}
	for _, p := range pairs {
		each(p, func(key, syllable string) {
			if beside[key] == nil {
				beside[key] = make(map[string]bool)
			}
			beside[key][syllable] = true
		})
	}
	out := make([]bool, len(pairs))
	for i, p := range pairs {
		name, syllables := []rune(p.Name), strings.Fields(p.Pinyin)
		out[i] = len(name) != len(syllables)
		for k := range min(len(name), len(syllables)) {
			out[i] = out[i] || !slices.ContainsFunc(pinyin.Readings(name[k]), func(r string) bool { return form(r) == form(syllables[k]) })
		}
		each(p, func(key, _ string) { out[i] = out[i] || len(beside[key]) > 1 })
	}
	return out
}

// TestUntrained reads the judged names with an untrained model, which has only the dictionary and
// the table of herbs and formulas.
func TestUntrained(t *testing.T) {
	m := pinyin.Train(nil)
	pairs := judged(t)
	right := 0
	for _, p := range pairs {
		if pinyin.Letters(m.Read(p.Name)) == pinyin.Letters(p.Pinyin) {
			right++
		}
	}
	share := 100 * float64(right) / float64(len(pairs))
	t.Logf("%.2f %% right in letters", share)
	if share < 96.5 {
		t.Errorf("%.2f %% of the names are right in letters without training; 96.5 %% are wanted", share)
	}
}

// beyond lists characters that have a reading in the floras but not in the dictionary.
const beyond = "瓟棯苹"

// TestPhrases checks the table of phrases.
func TestPhrases(t *testing.T) {
	n := 0
	seen := make(map[string]bool)
	for p := range pinyin.Phrases() {
		n++
		if seen[p.Name] {
			t.Errorf("phrases.txt: %s stands twice; remove one", p.Name)
		}
		seen[p.Name] = true
		syllables := strings.Fields(p.Pinyin)
		if len(syllables) != len([]rune(p.Name)) {
			t.Errorf("phrases.txt: %s has %d syllables; write one for each character", p.Name, len(syllables))
			continue
		}
		choice := p.Last
		for i, r := range []rune(p.Name) {
			readings := pinyin.Readings(r)
			choice = choice || len(readings) > 1 || pinyin.Letters(syllables[i]) == syllables[i]
			if !strings.ContainsRune(beyond, r) && !slices.ContainsFunc(readings, func(s string) bool {
				return s == syllables[i] || pinyin.Letters(s) == syllables[i]
			}) {
				t.Errorf("phrases.txt: %s: %s is no reading of %c; the dictionary has %v", p.Name, syllables[i], r, readings)
			}
		}
		if !choice {
			t.Errorf("phrases.txt: every character of %s has one reading; remove it", p.Name)
		}
	}
	if n < 400 {
		t.Errorf("phrases.txt has %d entries; 400 are wanted", n)
	}
}

//go:embed testdata/read.txt
var readCases string

//go:embed testdata/words.txt
var wordCases string

// TestRead reads names whose pinyin is known, with an untrained model.
func TestRead(t *testing.T) {
	m := pinyin.Train(nil)
	for line := range strings.Lines(readCases + wordCases) {
		name, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if got := m.Read(name); got != want {
			t.Errorf("Read(%q) = %q, want %q; add a line to phrases.txt", name, got, want)
		}
	}
}

func TestSegment(t *testing.T) {
	tests := []struct{ run, want string }{
		{"renshen", "ren shen"},
		{"xian", "xian"},
		{"tiepishihu", "tie pi shi hu"},
		{"rénshēn", "rén shēn"},
		{"xīān", "xī ān"}, // a syllable has one tone
		{"huangq", "huang q"},
		{"lüe", "lüe"},
		{"qqq", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(pinyin.Segment(tt.run), " "); got != tt.want {
			t.Errorf("Segment(%q) = %q, want %q", tt.run, got, tt.want)
		}
	}
}

func TestSyllable(t *testing.T) {
	tests := []struct {
		syllable, letters string
		tone              int
		one, two          string
	}{
		{"rén", "ren", 2, "r", "r"},
		{"shēn", "shen", 1, "s", "sh"},
		{"lǜ", "lü", 4, "l", "l"},
		{"zi", "zi", 0, "z", "z"},
		{"ér", "er", 2, "e", "e"},
		{"", "", 0, "", ""},
	}
	for _, tt := range tests {
		letters, tone := pinyin.Tone(tt.syllable)
		one, two := pinyin.Initials(tt.syllable)
		if letters != tt.letters || tone != tt.tone || one != tt.one || two != tt.two {
			t.Errorf("%q: got %q %d %q %q, want %q %d %q %q", tt.syllable, letters, tone, one, two, tt.letters, tt.tone, tt.one, tt.two)
		}
	}
}

// TestEverySyllableIsKnown checks that the list of syllables has every syllable of the dictionary.
// Segment can then split all pinyin that Read writes.
func TestEverySyllableIsKnown(t *testing.T) {
	rare := []string{"m", "n", "ng", "hm", "hng", "ê", "fiao", "bong", "wong"} // syllables of interjections and dialects, which the list lacks
	for r := rune(0x3400); r < 0xA000; r++ {
		for _, s := range pinyin.Readings(r) {
			sound := strings.ContainsFunc(s, unicode.IsMark) // the sound of an interjection, such as m̀
			if !sound && !pinyin.IsSyllable(s) && !slices.Contains(rare, pinyin.Letters(s)) {
				t.Errorf("%c is read %s, which is no syllable of the list; add it", r, s)
			}
		}
	}
}

// TestRefused checks that Train ignores pairs with errors.
func TestRefused(t *testing.T) {
	m := pinyin.Train(slices.Values([]pinyin.Pair{
		{Name: "人参", Pinyin: "rén shēn"},
		{Name: "重阳木", Pinyin: "hái yáng mù"}, // hái is not a reading of 重
		{Name: "重阳木", Pinyin: "chóng yáng"},
		{Name: "", Pinyin: ""},
	}))
	if learned, refused := m.Learned(); learned != 1 || refused != 3 {
		t.Errorf("learned %d and refused %d pairs, want 1 and 3", learned, refused)
	}
}

// TestNeighbours checks that the model learns how a character is read next to its neighbours.
func TestNeighbours(t *testing.T) {
	m := pinyin.Train(slices.Values([]pinyin.Pair{
		{Name: "华重楼", Pinyin: "huá chóng lóu"},
		{Name: "重齿当归", Pinyin: "zhòng chǐ dāng guī"},
	}))
	for name, want := range map[string]string{"滇重楼": "diān chóng lóu", "重齿枫": "zhòng chǐ fēng"} {
		if got := m.Read(name); got != want {
			t.Errorf("Read(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"人参", "[艹／洽]草", "拂子茅1(原变种)", "β-胡萝卜", "\xff", "〇"} {
		f.Add(s)
	}
	m := pinyin.Train(nil)
	f.Fuzz(func(t *testing.T, s string) {
		got := m.Read(s)
		if strings.Join(strings.Fields(got), " ") != got {
			t.Errorf("Read(%q) = %q has spaces at its ends or two together", s, got)
		}
		if got != m.Read(s) {
			t.Errorf("Read(%q) differs from one time to the next", s)
		}
	})
}

func FuzzSegment(f *testing.F) {
	for _, s := range []string{"renshen", "xīān", "zhuangzhuang", "aaaaaaaa"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if cut := pinyin.Segment(s); cut != nil && strings.Join(cut, "") != string([]rune(s)) {
			t.Errorf("Segment(%q) = %q loses letters", s, cut)
		}
	})
}

// TestIsUsual asks which readings people use.
func TestIsUsual(t *testing.T) {
	for _, tt := range []struct {
		char    rune
		letters string
		want    bool
	}{{'苓', "ling", true}, {'苓', "lian", false}, {'洋', "xiang", false}, {'术', "zhu", true}, {'重', "zhong", true}, {'重', "chong", true}, {'\uE000', "ling", false}} {
		if got := pinyin.IsUsual(tt.char, tt.letters); got != tt.want {
			t.Errorf("IsUsual(%c, %s) = %t", tt.char, tt.letters, got)
		}
	}
}
