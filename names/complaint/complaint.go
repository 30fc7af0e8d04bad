// Package complaint holds other names of complaints than the indications of formulas have: the
// modern 肺痨 for 骨蒸 and 劳瘵, and the English cough for 咳嗽.
//
// complaints.txt and english.txt are the tables, and say where their names come from. words.txt has
// words that look like names. The package does not know the records of a snapshot. Start with [Names].
package complaint

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
	//go:embed complaints.txt
	complaints string
	//go:embed english.txt
	english string
	//go:embed words.txt
	words string
)

// lines yields the two sides of the bar in each line of a file. It panics if a side is empty. The
// files are embedded in the program, so a test would find such a line.
func lines(name, text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		n := 0
		for line := range strings.Lines(text) {
			n++
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			left, right, _ := strings.Cut(line, "|")
			left, right = strings.TrimSpace(left), strings.TrimSpace(right)
			if left == "" || right == "" {
				panic(fmt.Sprintf("names/complaint/%s:%d: write names, a bar and names", name, n))
			}
			if !yield(left, right) {
				return
			}
		}
	}
}

// names has the names of complaints, folded.
type names struct {
	older  map[string][]string   // modern names to the old names of the same complaint
	modern map[string][]string   // modern names to the other modern names in their lines
	lines  map[string][][]string // old names to the lines that have them, with all names of the line
	used   map[string]bool       // the old names, and the Chinese ones of english.txt
}

var readNames = sync.OnceValue(func() names {
	all := names{map[string][]string{}, map[string][]string{}, map[string][][]string{}, map[string]bool{}}
	for modern, old := range lines("complaints.txt", complaints) {
		for _, n := range strings.Fields(old) {
			all.used[han.Fold(n)] = true
			all.lines[han.Fold(n)] = append(all.lines[han.Fold(n)], strings.Fields(modern+" "+old))
		}
		for _, name := range strings.Fields(modern) {
			key := han.Fold(name)
			for _, n := range strings.Fields(modern) {
				if n != name && !slices.Contains(all.modern[key], n) {
					all.modern[key] = append(all.modern[key], n)
				}
			}
			for _, n := range strings.Fields(old) {
				if !slices.Contains(all.older[key], n) {
					all.older[key] = append(all.older[key], n)
				}
			}
		}
	}
	for _, chinese := range lines("english.txt", english) {
		all.used[han.Fold(chinese)] = true
	}
	return all
})

// Older returns the old names of a complaint that has a modern name, in simplified characters. It
// understands words that people add to a name, and returns a name that books have without such words
// first: 中风 for 急性中风, 惊悸 for 惊悸病. It returns nil for other names.
func Older(modern string) []string {
	known, name := readNames(), han.Fold(strings.TrimSpace(modern))
	base := name
	for _, beginning := range []string{"急性", "慢性"} {
		base = strings.TrimPrefix(base, beginning)
	}
	bare := base
	for _, ending := range []string{"病", "证", "症"} {
		bare = strings.TrimSuffix(bare, ending)
	}
	var all []string
	for _, n := range [...]string{base, bare} {
		if n != name && known.used[n] && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	for _, n := range [...]string{name, base, bare} {
		if old := known.older[n]; old != nil {
			return append(all, slices.DeleteFunc(slices.Clone(old), func(o string) bool { return slices.Contains(all, o) })...)
		}
	}
	return all
}

// Names returns the names in Chinese by which indications may have a complaint: the given name, or the
// Chinese one of an English name, then its old names and its other modern names. It returns nil for an
// English name that the tables lack.
func Names(name string) []string {
	var all []string
	if han.Has(name) {
		all = append([]string{strings.TrimSpace(name)}, Older(name)...)
	} else {
		all = Chinese(name)
	}
	if len(all) == 0 {
		return nil
	}
	known := readNames()
	for _, n := range known.modern[han.Fold(all[0])] {
		another := slices.ContainsFunc(known.lines[han.Fold(n)], func(line []string) bool { // 结核 is also an old name of 瘰疬
			return !slices.ContainsFunc(line, func(o string) bool { return o != n && slices.Contains(all, o) })
		})
		if !another && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// Unlike returns the words that have a name of a complaint in them and mean something else, folded: 喉痹
// for 痹.
func Unlike(name string) []string { return unlike()[han.Fold(name)] }

var unlike = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for name, list := range lines("words.txt", words) {
		for _, word := range strings.Fields(list) {
			all[han.Fold(name)] = append(all[han.Fold(name)], han.Fold(word))
		}
	}
	return all
})

// Known reports whether the tables have a text as a name of a complaint, in Chinese or English.
func Known(name string) bool {
	return readNames().used[han.Fold(strings.TrimSpace(name))] || Older(name) != nil || Chinese(name) != nil
}

// inChinese maps English names, in lower case and the singular, to Chinese ones.
var inChinese = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for names, chinese := range lines("english.txt", english) {
		for name := range strings.SplitSeq(names, ",") {
			all[strings.TrimSpace(name)] = chinese
		}
	}
	return all
})

// Chinese returns the Chinese names of a complaint that has an English name, in the singular or
// plural, also with words such as chronic: the usual one first, then its old names. It
// returns nil if the table lacks the name.
func Chinese(english string) []string {
	if han.Has(english) {
		return nil
	}
	name := strings.ToLower(strings.Join(strings.Fields(english), " "))
	name = strings.TrimPrefix(strings.TrimPrefix(name, "chronic "), "acute ")
	for _, singular := range []string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es")} {
		if chinese := inChinese()[singular]; chinese != "" {
			return append([]string{chinese}, Older(chinese)...)
		}
	}
	return nil
}
