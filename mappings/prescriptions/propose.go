package prescriptions

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/pinyin"
)

// mostProposals is the largest number of drugs that are proposed for a name.
const mostProposals = 5

// propose returns the drugs that a name without a dose may mean, the likeliest first. None of them is
// sure. several is true if the name has several meanings, instead of being miswritten.
func (b *Base) propose(name string, inside []string) (drugs []int, several bool) {
	key := han.Fold(name)
	if list := b.folk[key]; len(list) > 0 {
		return b.likely(list), len(list) > 1
	}
	if list := b.inTable(key); len(list) > 0 {
		return b.likely(list), len(list) > 1
	}
	if meant := herb.Slip(key); meant != "" {
		if n, ok := b.byName[han.Fold(meant)]; ok {
			return []int{n}, false
		}
	}
	if utf8.RuneCountInString(key) >= 2 && han.Has(key) {
		best := 0
		for _, k := range b.all {
			grade := alike([]rune(key), []rune(k.name))
			switch {
			case grade == 0 || best > 0 && grade > best:
			case grade < best || best == 0:
				best, drugs = grade, []int{k.drug}
			case !slices.Contains(drugs, k.drug):
				drugs = append(drugs, k.drug)
			}
		}
	}
	for _, plain := range inside {
		if n, ok := b.byName[plain]; ok && !slices.Contains(drugs, n) && len(drugs) == 0 {
			drugs = append(drugs, n)
		}
	}
	return b.likely(drugs), false
}

// likely sorts drugs by the number of their formulas, and leaves out those after mostProposals.
func (b *Base) likely(drugs []int) []int {
	drugs = slices.Clone(drugs)
	slices.SortStableFunc(drugs, func(x, y int) int { return cmp.Compare(b.drugs[y].formulas, b.drugs[x].formulas) })
	return drugs[:min(len(drugs), mostProposals)]
}

// inTable returns the drugs that the tables of herbs give a folded name that is none of a record: a folk
// name, or a name that meant several drugs.
func (b *Base) inTable(key string) (drugs []int) {
	for _, m := range herb.Lookup(key) {
		if n, ok := b.byName[han.Fold(m.Name)]; ok && !slices.Contains(drugs, n) {
			drugs = append(drugs, n)
		}
	}
	return drugs
}

// The grades of likeness, the likeliest first.
const (
	sameSound     = 1 + iota // 只十 and 枳实
	otherOrder               // 生黄地 and 生地黄
	leftOut                  // 肉蓉 and 肉苁蓉
	anotherSign              // 五灵子 and 五灵脂
	likelyGrades  = anotherSign
	mostDifferent = 1
)

// alike returns the grade of likeness of a text and a name, or 0.
func alike(text, name []rune) int {
	switch len(name) - len(text) {
	case 0:
		sound, differ := true, 0
		for i, r := range text {
			if r != name[i] {
				differ++
				sound = sound && soundsAs(r, name[i])
			}
		}
		switch {
		case differ == 0:
			return 0
		case sound:
			return sameSound
		case permuted(text, name):
			return otherOrder
		case differ == mostDifferent && len(text) > 2:
			return anotherSign
		}
	case 1:
		if len(text) > 1 && within(text, name) {
			return leftOut
		}
	}
	return 0
}

// soundsAs reports whether two characters have a reading in common. Tones do not count.
func soundsAs(a, b rune) bool {
	for _, x := range pinyin.Readings(a) {
		x, _ = pinyin.Tone(x)
		for _, y := range pinyin.Readings(b) {
			if y, _ = pinyin.Tone(y); x == y {
				return true
			}
		}
	}
	return false
}

// permuted reports whether two texts have the same characters.
func permuted(a, b []rune) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// within reports whether a text is a name without some of its characters.
func within(text, name []rune) bool {
	for _, r := range name {
		if len(text) > 0 && text[0] == r {
			text = text[1:]
		}
	}
	return len(text) == 0
}

// names returns the standard names of drugs, with 、 between them.
func (b *Base) namesOf(drugs []int) string {
	var all []string
	for _, n := range drugs {
		all = append(all, b.drugs[n].name)
	}
	return strings.Join(all, "、")
}
