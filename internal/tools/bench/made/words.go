package made

import (
	_ "embed"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/herb"
)

//go:embed words.txt
var wordList string

// words holds the words from which texts are made.
type words struct {
	lists    map[string][]string // lists of words.txt, by their first word
	herbs    []string            // herbs of formulas, the most frequent first
	herbZipf *zipf
	clauses  []string // clauses about the use of formulas
	signs    []rune   // characters of the clauses, with repetitions
	title    []string // words of titles, with repetitions
	skeleton [][]string
	latin    *letters
	english  *letters
	authors  []string // authors of names
	people   []string // authors of papers
}

func newWords(s *source) *words {
	w := &words{lists: map[string][]string{}}
	for _, line := range strings.Split(wordList, "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] != "#" {
			w.lists[f[0]] = f[1:]
		}
	}
	for i, j := range w.lists["journal"] {
		w.lists["journal"][i] = strings.ReplaceAll(j, "~", " ")
	}
	w.herbs = byFrequency(s.filled("formula_ingredients", "herb"))
	for _, d := range herb.All() {
		if !slices.Contains(w.herbs, d.Name) {
			w.herbs = append(w.herbs, d.Name)
		}
	}
	w.herbZipf = newZipf(len(w.herbs), 0.95, 3)
	for _, column := range []string{"indications", "preparation", "efficacy"} {
		for _, text := range s.filled("formulas", column) {
			for _, c := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("，。；：、()（） ", r) }) {
				w.clauses = append(w.clauses, c)
				w.signs = append(w.signs, []rune(c)...)
			}
		}
	}
	w.latin, w.english = &letters{}, &letters{}
	for _, n := range s.wcvp["taxon_name"] {
		if f := strings.Fields(n); len(f) > 1 && isPlain(f[1]) {
			w.latin.learn(f[1])
		}
	}
	for _, t := range s.filled("papers", "title") {
		f := strings.Fields(t)
		w.skeleton = append(w.skeleton, f)
		w.title = append(w.title, f...)
		for _, word := range f {
			if isPlain(word) && len(word) > 3 {
				w.english.learn(word)
			}
		}
	}
	w.authors = filled(s.wcvp["taxon_authors"])
	for _, a := range s.filled("papers", "authors") {
		w.people = append(w.people, strings.Split(a, "; ")...)
	}
	return w
}

func isPlain(word string) bool {
	for _, b := range []byte(word) {
		if b < 'a' || b > 'z' {
			return false
		}
	}
	return word != ""
}

// byFrequency returns the different words of a list, the most frequent first.
func byFrequency(list []string) []string {
	count := map[string]int{}
	for _, w := range list {
		count[w]++
	}
	out := make([]string, 0, len(count))
	for w := range count {
		out = append(out, w)
	}
	sort.Slice(out, func(i, j int) bool {
		if a, b := count[out[i]], count[out[j]]; a != b {
			return a > b
		}
		return out[i] < out[j]
	})
	return out
}

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// early draws a word from a list. The first words are drawn most often.
func early(r *rand.Rand, list []string) string {
	x := r.Float64()
	return list[int(x*x*float64(len(list)))]
}

// zipf draws numbers from 0 by Zipf's law.
type zipf struct{ sums []float64 }

// newZipf returns a zipf that draws numbers below n. The weight of number k is 1/(k+flat)^power.
func newZipf(n int, power, flat float64) *zipf {
	z := &zipf{sums: make([]float64, n)}
	sum := 0.0
	for k := range n {
		sum += math.Pow(float64(k)+flat, -power)
		z.sums[k] = sum
	}
	return z
}

func (z *zipf) draw(r *rand.Rand) int {
	x := r.Float64() * z.sums[len(z.sums)-1]
	return min(sort.SearchFloat64s(z.sums, x), len(z.sums)-1)
}

// letters makes words that look like the words it has learned. The next letter depends on the two
// before it.
type letters struct{ next [27 * 27][]byte }

const letterEnd = 26

func pair(a, b byte) int { return int(a)*27 + int(b) }

func (l *letters) learn(word string) {
	a, b := byte(letterEnd), byte(letterEnd)
	for _, c := range []byte(word) {
		c -= 'a'
		l.next[pair(a, b)] = append(l.next[pair(a, b)], c)
		a, b = b, c
	}
	l.next[pair(a, b)] = append(l.next[pair(a, b)], letterEnd)
}

// make makes a word of 4 to 15 letters.
func (l *letters) make(r *rand.Rand) string {
	for {
		word := make([]byte, 0, 16)
		for a, b := byte(letterEnd), byte(letterEnd); len(word) < 16; {
			c := one(r, l.next[pair(a, b)])
			if c == letterEnd {
				break
			}
			word = append(word, 'a'+c)
			a, b = b, c
		}
		if len(word) >= 4 && len(word) < 16 {
			return string(word)
		}
	}
}

// different makes n different words. Shorter words tend to come first, because the most frequent
// words of a language are short.
func (l *letters) different(r *rand.Rand, n int) []string {
	seen := make(map[string]bool, n)
	out := make([]string, 0, n)
	for len(out) < n {
		w := l.make(r)
		for tries := 0; seen[w] && tries < 20; tries++ {
			w = l.make(r)
		}
		for seen[w] {
			w += l.make(r)
		}
		seen[w] = true
		out = append(out, w)
	}
	return out
}

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
