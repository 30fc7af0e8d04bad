package match

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/herb/dose"
)

// The following functions read Chinese texts with several plants: lists with numbers and doses, and
// sentences of pharmacopoeias.

var (
	// dosed matches a dose in figures: 30g, 10~15克, (6 g).
	dosed = regexp.MustCompile(`[(（]?(?:各|约)?\p{Nd}+(?:[.．]\p{Nd}+)?(?:[-~～–—]\p{Nd}+(?:[.．]\p{Nd}+)?)?\s*(?:mg|kg|ml|mL|g|ｇ|克|毫克|千克|公斤|斤|两|钱|分|厘|片|枚|个|粒|颗|只|条|支|朵|份|毫升|升|寸|尺|%|％)[)）]?`)
	// numbered matches the number of an item: ①, (1), 1.
	numbered = regexp.MustCompile(`[①-⑳]|[(（]\d{1,2}[)）]|\b\d{1,2}[.．、]`)
)

// hasFigures reports whether a text has digits or circled numbers.
func hasFigures(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsDigit(r) || r >= '①' && r <= '⑳' })
}

// withoutFigures replaces doses and item numbers by separators. ①黄芪②当归 has item numbers, and 黄芪30g
// has a dose. doses reports whether the text has doses.
func withoutFigures(text string) (list string, doses bool) {
	if !hasFigures(text) {
		return text, false
	}
	list = dosed.ReplaceAllString(text, "、")
	return numbered.ReplaceAllString(list, "、"), list != text
}

// withoutDose removes a dose in Chinese numerals from the end of a name: 人参三钱. It returns false if
// there is no dose.
func withoutDose(text string) (string, bool) {
	if !strings.ContainsAny(text, "一二三四五六七八九十百半两数") {
		return text, false
	}
	for i := range text {
		if d, err := dose.Parse(text[i:]); err == nil && d.Kind != dose.Vague && d.Kind != dose.Equal {
			name := strings.TrimRight(strings.TrimSpace(text[:i]), "各约")
			return name, name != ""
		}
	}
	return text, false
}

// sourceNames returns the part of a pharmacopoeia's sentence that names the source plants. For
// 本品为豆科植物甘草、胀果甘草或光果甘草的干燥根, it returns 甘草、胀果甘草或光果甘草. For any other text, it returns false.
func sourceNames(text string) (string, bool) {
	family, plants := strings.Index(text, "科"), strings.Index(text, "植物")
	if family < 0 || plants < family || utf8.RuneCountInString(text[family:plants]) > 10 {
		return text, false
	}
	names, _, _ := strings.Cut(text[plants+len("植物"):], "的")
	return names, names != ""
}
