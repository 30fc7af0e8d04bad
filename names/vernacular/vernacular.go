// Package vernacular holds the everyday names of plants, herbs and formulas that checklists, floras
// and books lack: licorice, 苦楝, オウレン, 황기, Ephedra Decoction.
//
//	english.txt, chinese.txt, japanese.txt, korean.txt ──▶ Table ──▶ names of a plant or a herb
//	formulas.txt ──▶ OfFormula ──▶ English and Japanese names of a formula
//
// README.md describes the files. The package does not know the records of a snapshot. Start with
// [English] and [Asian].
package vernacular

import (
	_ "embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"bencao/names/han"
)

var (
	//go:embed english.txt
	english string
	//go:embed chinese.txt
	chinese string
	//go:embed japanese.txt
	japanese string
	//go:embed korean.txt
	korean string
	//go:embed formulas.txt
	formulas string
)

// English returns the table of English names, which are in the singular.
var English = sync.OnceValue(func() *Table { return load("english.txt", english) })

// Asian returns the table of Chinese, Japanese and Korean names.
var Asian = sync.OnceValue(func() *Table {
	return load("chinese.txt", chinese, "japanese.txt", japanese, "korean.txt", korean)
})

// Table holds the names of one or more files. It must not be changed.
type Table struct {
	plants map[string][]string // scientific name in lower case → everyday names
	first  map[string]string   // everyday name → the first scientific name that the files list for it
	herbs  map[string][]string // folded Chinese name of a herb → everyday names
	named  map[string]string   // everyday name in lower case → the first herb that the files list for it
}

// columns is the number of columns in a line of a file.
const columns = 3

// load reads files, given as pairs of name and text. It panics if a line cannot be read. The files
// are embedded in the program, so a test would find such a line.
func load(files ...string) *Table {
	t := &Table{plants: map[string][]string{}, herbs: map[string][]string{}, first: map[string]string{}, named: map[string]string{}}
	for i := 0; i < len(files); i += 2 {
		for fields := range lines(files[i], files[i+1], columns) {
			names := list(fields[0])
			plants := list(fields[1])
			for _, plant := range plants {
				add(t.plants, strings.ToLower(plant), names)
			}
			for _, n := range names {
				if len(plants) > 0 && t.first[n] == "" {
					t.first[n] = plants[0]
				}
			}
			if len(fields) == columns {
				herbs := list(fields[2])
				for _, herb := range herbs {
					add(t.herbs, han.Fold(herb), names)
				}
				for _, n := range names {
					if key := strings.ToLower(n); len(herbs) > 0 && t.named[key] == "" {
						t.named[key] = herbs[0]
					}
				}
			}
		}
	}
	return t
}

// lines yields the columns of each line of a file: at least two, and at most most. It panics if a
// line has another number of columns.
func lines(file, text string, most int) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		n := 0
		for line := range strings.Lines(text) {
			n++
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			fields := strings.Split(line, "|")
			if len(fields) < 2 || len(fields) > most {
				panic(fmt.Sprintf("names/vernacular/%s:%d: %d columns instead of 2 to %d; put | between them", file, n, len(fields), most))
			}
			if !yield(fields) {
				return
			}
		}
	}
}

// ofFormulas maps the folded Chinese names of formulas to their English and Japanese names.
var ofFormulas = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for fields := range lines("formulas.txt", formulas, 2) {
		for _, formula := range list(fields[1]) {
			for _, name := range list(fields[0]) {
				add(all, han.Fold(formula), romanizations(name))
				if short := withoutForm(name); short != "" {
					add(all, han.Fold(formula), []string{short})
				}
			}
		}
	}
	return all
})

// OfFormula returns the English and Japanese names of a formula, given its Chinese name. Japanese
// names have every usual spelling of long vowels.
func OfFormula(name string) []string { return ofFormulas()[han.Fold(name)] }

// withoutForm returns the English name of a formula without its dose form, such as Free and Easy Wanderer.
// It returns "" if it has none, or if fewer than two words would be left.
func withoutForm(name string) string {
	for _, form := range []string{" Decoction", " Powder", " Pill", " Drink", " Elixir", " Brew"} {
		if short, ok := strings.CutSuffix(name, form); ok && strings.Contains(short, " ") {
			return short
		}
	}
	return ""
}

// longVowels has the long vowels of Japanese in its usual romanizations: kakkontō, kakkonto,
// kakkontou.
var longVowels = []*strings.Replacer{
	strings.NewReplacer("ō", "o", "ū", "u"), strings.NewReplacer("ō", "ou", "ū", "uu"), strings.NewReplacer("ō", "oh", "ū", "u"),
}

// romanizations returns a name in every usual spelling of its long vowels.
func romanizations(name string) []string {
	all := []string{name}
	if strings.ContainsAny(name, "ōū") {
		for _, spelling := range longVowels {
			all = append(all, spelling.Replace(name))
		}
	}
	return all
}

// list splits a column at its commas.
func list(column string) (out []string) {
	for s := range strings.SplitSeq(column, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func add(to map[string][]string, key string, names []string) {
	for _, n := range names {
		if !slices.Contains(to[key], n) {
			to[key] = append(to[key], n)
		}
	}
}

// OfPlant returns the everyday names of a plant. scientific is one of its scientific names, without
// author.
func (t *Table) OfPlant(scientific string) []string { return t.plants[strings.ToLower(scientific)] }

// First returns the scientific name of the plant that an everyday name usually means. It returns ""
// for an unknown name.
func (t *Table) First(name string) string { return t.first[name] }

// OfHerb returns the everyday names of a herb, given its Chinese name.
func (t *Table) OfHerb(name string) []string { return t.herbs[han.Fold(name)] }

// Herb returns the Chinese name of the herb that an everyday name usually means. Capitals do not
// matter. It returns "" for an unknown name.
func (t *Table) Herb(name string) string { return t.named[strings.ToLower(name)] }

// Plural returns the plural of an English name: goji berries. It returns a name that ends in s
// unchanged.
func Plural(name string) string {
	before, ends := strings.CutSuffix(name, "y")
	switch {
	case strings.HasSuffix(name, "s"):
		return name
	case ends && before != "" && !strings.ContainsRune("aeiou", rune(before[len(before)-1])):
		return before + "ies"
	case strings.HasSuffix(name, "ch"), strings.HasSuffix(name, "sh"), strings.HasSuffix(name, "o"):
		return name + "es"
	}
	return name + "s"
}
