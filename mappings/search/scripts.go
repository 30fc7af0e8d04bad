package search

import (
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/names/pinyin"
	"bencao/names/vernacular"
)

// People write a name in two scripts: Dang Gui (Angelica sinensis), 归脾汤 (Guipi Tang), or one that
// records have in another: かっこんとう, Guizhi decoction.

var widthOfBrackets = strings.NewReplacer("（", "(", "）", ")")

// inBrackets returns the two names of a text such as Dang Gui (Angelica sinensis), of which one is
// scientific and the other is Chinese, in characters or pinyin. It returns "" for other texts.
func inBrackets(text string) (chinese, latin string) {
	if !strings.ContainsAny(text, "(（") {
		return "", "" // the usual case
	}
	text = strings.TrimSuffix(strings.TrimSpace(widthOfBrackets.Replace(text)), ")")
	isChinese := func(s string) bool { return han.Has(s) || isPinyin(s) }
	isLatin := func(s string) bool { return !han.Has(s) && len(terms.LatinWords(s)) > 1 && !isPinyin(s) }
	for _, at := range []int{strings.IndexByte(text, '('), strings.LastIndexByte(text, '(')} { // an author may have brackets too
		before, inside := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
		switch {
		case isChinese(before) && isLatin(inside):
			return before, inside
		case isChinese(inside) && isLatin(before):
			return inside, before
		}
	}
	return "", ""
}

// otherScripts reads a query as a name in two scripts, or in another than that of the records. It
// reports whether it found anything.
func (a *attempt) otherScripts(meanings []meaning) (bool, error) {
	if chinese, latin := inBrackets(a.text); chinese != "" && !(len(meanings) > 0 && len(meanings[0].parts) > 0) {
		names := []string{chinese, latin}
		if slices.ContainsFunc(a.index.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.SciName }) {
			names = []string{latin, chinese}
		}
		for _, name := range names {
			if found, err := a.strict(name, nil); found || err != nil {
				a.b.rewrite = mappings.Rewrite{ReadAs: name}
				return found, err
			}
		}
		return false, nil
	}
	if a.lazy.herbsRow < 0 {
		return false, nil
	}
	names, err := a.lazy.formulaNames(a.text)
	if kana := vernacular.Romanized(a.text); kana != "" { // かっこんとう is kakkontou
		names = []string{kana}
	}
	if names == nil || err != nil {
		return false, err
	}
	found, err := a.closest(append([]string{a.text}, names...))
	if found != "" && found != a.text {
		a.b.rewrite = mappings.Rewrite{ReadAs: found}
	}
	if found != "" || err != nil || a.q.Unforgiving {
		return found != "", err
	}
	if slices.ContainsFunc(meanings, func(m meaning) bool { return len(m.names) == 0 && (m.recognises() || len(m.complaints) > 0) }) {
		return false, nil
	}
	a.b.rewrite = mappings.Rewrite{ReadAs: names[0]}
	a.record.restart()
	return true, a.find(a.ctx, a.b, a.q, names[0], a.allowed, a.record)
}

// closest searches for the names, and returns the one of which most is found: a whole name, then one
// with another dose form, then the beginning of a name. It returns "" if none is found.
func (a *attempt) closest(names []string) (found string, err error) {
	for _, accepts := range []func(mappings.Verdict) bool{
		func(v mappings.Verdict) bool { return v == mappings.Verdict{} },
		func(v mappings.Verdict) bool { return v == mappings.OtherForm.Verdict() },
		func(v mappings.Verdict) bool { return v == mappings.Prefix.Verdict() },
		func(mappings.Verdict) bool { return true },
	} {
		for _, name := range names {
			if found, err := a.strict(name, nil); err != nil {
				return "", err
			} else if found && accepts(a.b.Hits.Verdict()) {
				return name, nil
			}
		}
	}
	return "", nil
}

// beside searches for a name in characters that has its pinyin or a translation beside it:
// 归脾汤 (Guipi Tang). It reports whether it found anything.
func (a *attempt) beside(text string, among []uint64) (bool, error) {
	if a.q.In != "" || a.q.Unforgiving || !a.named || !han.Has(text) || !strings.ContainsFunc(text, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }) {
		return false, nil
	}
	var name, letters string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return separates(r) || strings.ContainsRune("()[]（）【】", r) }) {
		switch strings.IndexFunc(word, func(r rune) bool { return !han.Is(r) }) {
		case -1:
			name += word
		case 0:
			if !han.Has(word) {
				letters += " " + word
			}
		default:
			return false, nil // characters and letters in one word
		}
	}
	if letters = strings.TrimSpace(letters); name == "" || letters == "" {
		return false, nil
	}
	if found, err := a.strict(text, among); found || err != nil {
		return found, err
	}
	sound := isPinyin(letters)
	own := sound && mayRead(name, letters)
	if sound && !own && a.lazy.herbsRow >= 0 {
		return false, nil
	}
	sets := [][]uint64{among}        // the records among which the name is searched, in turn
	if a.lazy.herbsRow < 0 && !own { // a scientific or English name, or else a translation
		found, err := a.all(letters, among)
		if err != nil {
			return true, err
		}
		switch {
		case size(found) > 0 && a.isTranslation(a.b.Hits.Best()): // flower, which ends the names of other plants
			sets = [][]uint64{found, among}
		case size(found) > 0:
			sets = [][]uint64{found}
		case sound:
			sets = nil
		}
	}
	for _, records := range sets {
		if found, err := a.strict(name, records); found || err != nil {
			a.b.rewrite = mappings.Rewrite{ReadAs: name, Question: a.lazy.herbsRow >= 0}
			return true, err
		}
	}
	a.record.restart()
	return false, nil
}

// isTranslation reports whether a tier is that of names in other languages. Their fields are
// searched for whole names only.
func (s *Searcher) isTranslation(tier int) bool {
	return slices.ContainsFunc(s.index.Rows, func(r mappings.Row) bool {
		return r.Analyzer == mappings.Chinese && r.Tiers == mappings.Tiers{mappings.Whole: uint8(tier)}
	})
}

// mayRead reports whether letters are the pinyin of a name in characters, or of a part of it.
func mayRead(name, letters string) bool {
	typed, _ := pinyin.Parse(letters)
	return slices.ContainsFunc(reading.AllReadings([]rune(terms.ChineseKey(name))), func(r string) bool {
		read, _ := pinyin.Parse(r)
		return strings.Contains(read.Letters, typed.Letters)
	})
}
