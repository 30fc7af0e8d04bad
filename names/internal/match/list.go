package match

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/dose"
	"bencao/names/internal/answer"
	"bencao/names/internal/wordlist"
)

// chineseText matches a text with Chinese characters. It splits the text at punctuation. If this
// does not give two plants, it splits the text at conjunctions too. For a sentence of a
// pharmacopoeia, it tries the two ways in the other order. If neither gives two plants, it matches
// the text as one name, which may have a dose. The members of a list that name nothing are unread.
func (q question) chineseText(text string) result {
	list, sentence := sourceNames(conjunctions.Replace(text))
	list, doses := withoutFigures(list)
	first, unread := "", "" // the first part of the text when it was split at punctuation, and the parts that name nothing
	for i, atWords := range []bool{sentence, !sentence} {
		parts := splitChinese(list, atWords)
		if len(parts) > 1 {
			r, ok := q.chineseNames(parts)
			if ok {
				return r
			}
			if !atWords && len(q.labelsOf(han.Fold(text))) == 0 {
				unread = r.unread
			}
		}
		if i == 0 && len(parts) > 0 && han.Has(parts[0]) {
			first = strings.TrimSpace(parts[0])
		}
	}
	if doses && first != "" {
		q.query.Name = first
	}
	r := q.chinese()
	if len(r.candidates) > 0 || r.herb != nil {
		if unread != "" {
			r.unread = joinUnread(r.unread, unread)
			for i := range r.candidates {
				r.candidates[i].leavesUnread()
			}
		}
		return r
	}
	if name, ok := withoutDose(text); ok {
		first = name
	} else if !sentence {
		first = ""
	}
	if first == "" {
		return r
	}
	q.query.Name = first
	return q.chinese()
}

// conjunctions replaces conjunctions of two characters by conjunctions of one character, and a dash
// by a comma.
var conjunctions = strings.NewReplacer("以及", "及", "或者", "或", "还有", "及", "——", "、")

// splitChinese splits a text at punctuation outside brackets, and at spaces and signs between
// Chinese words. If atWords is true, it also splits at 和, 或, 与 and 及. These characters also occur
// within some names.
func splitChinese(s string, atWords bool) []string {
	var parts []string
	depth, from := 0, 0
	var last rune
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune("(（[［【", r):
			depth++
		case strings.ContainsRune(")）]］】", r):
			depth = max(0, depth-1)
		case depth > 0:
		case strings.ContainsRune("、，,；;。/／\\|+＋\t", r), atWords && strings.ContainsRune("和或與与及", r),
			(unicode.IsSpace(r) || strings.ContainsRune("-－–—×&＆·•・", r)) && han.Is(last) && han.Is(next):
			parts = append(parts, s[from:i])
			from = i + utf8.RuneLen(r)
		}
		last = r
	}
	parts = append(parts, s[from:])
	return slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" })
}

// chineseNames matches each part of a text and joins the best species of each part. It returns true
// if it finds at least two Chinese names or at least two scientific names. One of each is not
// enough, since they may be names of the same plant. The Chinese words of parts that name nothing are
// unread.
func (q question) chineseNames(parts []string) (result, bool) {
	before := q.steps.count()
	var found joined
	chinese, scientific, unread := 0, 0, ""
	onlyChinese := !slices.ContainsFunc(parts, hasLatin) // beside scientific names, Chinese words may be anything
	for _, p := range parts {
		q.query.Name = strings.TrimSpace(p)
		q.steps.truncate(before)
		isChinese := han.Has(p)
		var one result
		if isChinese {
			one = q.chinese()
		} else {
			one = q.latinText(q.query.Name)
		}
		if onlyChinese && isChinese && len(one.candidates) == 0 && one.herb == nil && isWord(p) {
			unread = joinUnread(unread, q.query.Name)
		}
		if !q.namesSpecies(one) {
			continue
		}
		best := &one.candidates[0]
		best.flags |= answer.Ambiguous
		best.cap(otherNames)
		switch {
		case !found.add(one, q.sameAcceptedName):
			continue
		case isChinese:
			chinese++
		default:
			scientific++
		}
		found.canonical = append(found.canonical, string(one.canonical))
	}
	r := found.result()
	r.unread = unread
	return r, chinese >= 2 || scientific >= 2
}

// hasLatin reports whether a text has Latin letters.
func hasLatin(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// isWord reports whether a member of a list is a word that may be a name. It returns false for a unit
// as in 500g/包, an instruction as in 附子10g，先煎, a higher taxon, a word as in 银杏 栽培, and a remark in
// brackets.
func isWord(member string) bool {
	word := han.Fold(bracketed.ReplaceAllString(member, ""))
	higher := slices.ContainsFunc([]string{"科", "属", "植物"}, func(end string) bool { return strings.HasSuffix(word, end) })
	return !higher && utf8.RuneCountInString(word) > 1 && !herb.Words("how")[word] &&
		!slices.Contains(wordlist.ChineseBefore, word) && !slices.Contains(wordlist.ChineseBehind, word)
}

var (
	// dosed matches a dose in figures: 30g, 10~15克, (6 g).
	dosed = regexp.MustCompile(`[(（]?(?:各|约)?\p{Nd}+(?:[.．]\p{Nd}+)?(?:[-~～–—]\p{Nd}+(?:[.．]\p{Nd}+)?)?\s*(?:mg|kg|ml|mL|g|ｇ|克|毫克|千克|公斤|斤|两|钱|分|厘|片|枚|个|粒|颗|只|条|支|朵|份|毫升|升|寸|尺|%|％)[)）]?`)
	// bracketed matches a remark in brackets.
	bracketed = regexp.MustCompile(`[(（\[［【][^)）\]］】]*[)）\]］】]`)
	// numbered matches the number of an item: ①, (1), 1.
	numbered = regexp.MustCompile(`[①-⑳]|[(（]\d{1,2}[)）]|\b\d{1,2}[.．、]`)
)

// withoutFigures replaces doses and item numbers by separators. ①黄芪②当归 has item numbers, and 黄芪30g
// has a dose. doses reports whether the text has doses.
func withoutFigures(text string) (list string, doses bool) {
	list = dosed.ReplaceAllString(text, "、")
	return numbered.ReplaceAllString(list, "、"), list != text
}

// withoutDose removes a dose in Chinese numerals from the end of a name: 人参三钱. It returns false if
// there is no dose.
func withoutDose(text string) (string, bool) {
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
