package written

import (
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/dose"
)

// beforeMethod lists what a note may say before the method of processing, beside a dose: cut, pounded,
// a little.
var beforeMethod = []string{"各", "微", "略", "慢火", "锉", "碎", "细", "切", "捣", "研", "净", "洗", "并", "俱", "皆"}

// Noted returns the names of processed forms that a note adds to a herb: 炙甘草 for 甘草 with the note
// 半两，炙微赤. herb is the herb's plain name. The names are folded standard names that names.txt relates
// to the herb; other methods add none.
func Noted(plain, note string) (names []string) {
	for part := range strings.FieldsFuncSeq(han.Fold(note), func(r rune) bool { return !han.Is(r) }) {
		if name := processedForm(plain, untilMethod(part)); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// untilMethod removes a dose and the words of beforeMethod from the start of a part of a note.
func untilMethod(part string) string {
	for {
		rest := withoutFirst(part)
		if rest == part {
			return part
		}
		part = rest
	}
}

// withoutFirst removes the first word of beforeMethod, or else the longest dose, from the start of a
// part of a note.
func withoutFirst(part string) string {
	for _, word := range beforeMethod {
		if rest, ok := strings.CutPrefix(part, word); ok {
			return rest
		}
	}
	for end := len(part); end > 0; {
		if _, err := dose.Parse(part[:end]); err == nil {
			return part[end:]
		}
		_, size := utf8.DecodeLastRuneInString(part[:end])
		end -= size
	}
	return part
}

// processedForm returns the standard name of the processed form of a herb whose method of processing
// the text starts with, or "".
func processedForm(plain, text string) string {
	method := ""
	for c := range herb.Cuts(text + " ") { // the text itself may be the method
		if c.Front && (herb.Words("before")[c.Word] || herb.Words("formula-before")[c.Word]) {
			if form := han.Fold(standard(c.Word + plain)); herb.IsProcessed(form, plain) {
				method = form // of the longest word
			}
		}
	}
	return method
}

// standard returns the standard name that a name has in all years, or else the name.
func standard(name string) string {
	if s := herb.Standard(name); s != "" {
		return s
	}
	return name
}
