package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/matchers"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/han"
	"bencao/names/pinyin"
)

// People type more than a name: a question (人参的功效与作用, 治咳嗽的方), a name with its other name in
// brackets (Dang Gui (Angelica sinensis)), or a formula with an English word for its dose form
// (Guizhi decoction). runRewritten searches for what they mean.

// The words of questions, each list with the longest word first where one ends with another. Spaces
// separate the words of a list; _ is a space inside of one.
var (
	// topics follow a name, with or without 的: 人参的功效.
	topics = list(`功效与作用 功效和作用 功能主治 药用价值 化学成分 药理作用 毒副作用 副作用 作用 不良反应 用法用量 用法 用量 配伍禁忌 禁忌
		功效 主治 拉丁学名 学名 拉丁名 英文名 别名 英文 拼音 图片 价格 产地 来源 出处 组成 成分 药理 研究进展 研究 文献 论文 替代品 栽培 种植 简介 介绍`)
	// asking follow a name too, without 的.
	asking = list(`是什么植物 是什么药 是什么 有什么功效 有什么作用 有什么用 治什么病 怎么用 怎么吃`)
	// englishBefore and englishAfter are the words of English questions around a name.
	englishBefore = list(`what_is_the_latin_name_of_ what_is_ what_are_ what's_ uses_of_ benefits_of_ side_effects_of_ the_latin_name_of_ latin_name_of_ dosage_of_ papers_about_`)
	englishAfter  = list(`_side_effects _benefits _uses _dosage _latin_name _scientific_name _botanical_name _chinese_name _in_chinese _pinyin _properties`)
	// formulaWords are words for formulas. The words before what the formulas contain or treat
	// are withWords and againstWords.
	formulaWords = list(`中成药 方剂 处方 药方 方子 汤方 经方 名方 古方 方`)
	withWords    = list(`含有 包含 含 用到 用 有 由`)
	againstWords = list(`能治疗 能治 治疗 主治 可治 治`)
	englishWith  = list(`formulas_containing_ formulas_with_ formula_with_ prescriptions_with_ prescriptions_containing_`)
	englishFor   = list(`formulas_for_ formula_for_ prescriptions_for_ prescription_for_`)
)

func list(words string) []string {
	out := strings.Fields(words)
	for i, w := range out {
		out[i] = strings.ReplaceAll(w, "_", " ")
	}
	return out
}

// wants says what a question asks for.
type wants uint8

const (
	nothingElse wants = iota // the text is no question
	aRecord                  // the record with a name
	formulasOf               // formulas of a book, an author or a dynasty, with a herb, or against a complaint
	formulasWith
	formulasFor // formulas against a complaint
)

// question returns what a question asks about, and what it wants.
func question(text string) (about string, what wants) {
	text = strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && !strings.ContainsRune("《》「」()（）", r)
	})
	if !han.Has(text) {
		return englishQuestion(text)
	}
	if rest, ok := cutFirst(text, formulaWords, strings.CutSuffix); ok {
		named, of := strings.CutSuffix(strings.TrimSpace(rest), "的")
		if about, ok := cutFirst(named, againstWords, strings.CutPrefix); ok {
			return about, formulasFor
		}
		if about, ok := cutFirst(named, withWords, strings.CutPrefix); ok && of {
			return strings.TrimSuffix(about, "组成"), formulasWith
		}
		if utf8.RuneCountInString(terms.ChineseKey(named)) < 2 { // 大方 is no question
			return "", nothingElse
		}
		return named, formulasOf
	}
	if about, ok := cutFirst(text, []string{"什么是"}, strings.CutPrefix); ok {
		return about, aRecord
	}
	if about, ok := cutFirst(text, asking, strings.CutSuffix); ok {
		return about, aRecord
	}
	if about, ok := cutFirst(text, topics, strings.CutSuffix); ok {
		return strings.TrimSuffix(strings.TrimSpace(about), "的"), aRecord
	}
	return "", nothingElse
}

func englishQuestion(text string) (string, wants) {
	if !strings.Contains(text, " ") {
		return "", nothingElse
	}
	text = strings.ToLower(text)
	if about, ok := cutFirst(text, englishWith, strings.CutPrefix); ok {
		return about, formulasWith
	}
	if about, ok := cutFirst(text, englishFor, strings.CutPrefix); ok {
		return about, formulasFor
	}
	if about, ok := cutFirst(text, englishBefore, strings.CutPrefix); ok {
		return about, aRecord
	}
	if about, ok := cutFirst(text, englishAfter, strings.CutSuffix); ok {
		return about, aRecord
	}
	return "", nothingElse
}

// cutFirst cuts the first of the words that the text begins or ends with. It returns false if the
// text has none of them, or nothing else.
func cutFirst(text string, words []string, cut func(string, string) (string, bool)) (string, bool) {
	for _, w := range words {
		if rest, ok := cut(text, w); ok {
			return rest, terms.ChineseKey(rest) != ""
		}
	}
	return "", false
}

// doseForms maps English words for dose forms to the syllables at the end of the formulas' names,
// the commonest first.
var doseForms = map[string][]string{
	"decoction": {"tang", "yin", "jian", "yinzi"}, "pill": {"wan", "dan", "yuan"}, "powder": {"san"}, "granule": {"keli", "tang", "san", "wan"},
	"capsule": {"jiaonang", "wan", "tang", "san"}, "injection": {"zhusheye", "san", "yin"}, "tablet": {"pian", "wan", "tang", "san"},
	"elixir": {"dan"}, "drink": {"yin"}, "beverage": {"yin"}, "paste": {"gao"}, "ointment": {"gao"}, "plaster": {"gao"}, "wine": {"jiu"},
	"syrup": {"tangjiang"}, "mixture": {"heji"}, "liquid": {"koufuye", "tang"}, "formula": {"fang", "tang", "san", "wan"},
}

// inPinyin returns the names in pinyin that a formula with an English word for its dose form may
// have: guizhi tang for Guizhi decoction. The likeliest comes first.
func inPinyin(text string) (names []string) {
	at := strings.LastIndexByte(text, ' ')
	if at < 0 {
		return nil
	}
	word := strings.ToLower(text[at+1:])
	forms := doseForms[word]
	if forms == nil {
		forms = doseForms[strings.TrimSuffix(word, "s")]
	}
	name := strings.TrimSpace(text[:at])
	name = strings.TrimSuffix(strings.TrimSuffix(name, " oral"), " Oral")
	if forms == nil || !isPinyin(name) {
		return nil
	}
	for _, f := range forms {
		names = append(names, name+" "+f)
	}
	return append(names, name) // Guizhi Tang decoction, as some papers write
}

// isPinyin reports whether all words of a text consist of whole syllables.
func isPinyin(text string) bool {
	return text != "" && !slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		typed, ok := pinyin.Parse(word)
		syllables := pinyin.Segment(typed.Letters)
		return !ok || len(syllables) == 0 || !pinyin.IsSyllable(syllables[len(syllables)-1])
	})
}

var widthOfBrackets = strings.NewReplacer("（", "(", "）", ")")

// inBrackets returns the two names of a text such as Dang Gui (Angelica sinensis), of which one is
// scientific and the other is Chinese, in characters or pinyin. It returns "" for other texts.
func inBrackets(text string) (chinese, latin string) {
	if !strings.ContainsAny(text, "(（") {
		return "", "" // the usual case
	}
	text, closed := strings.CutSuffix(strings.TrimSpace(widthOfBrackets.Replace(text)), ")")
	if !closed || !strings.Contains(text, " ") && !han.Has(text) {
		return "", ""
	}
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

// runRewritten reads a query as a question, as a name with another one in brackets, or as a name with an
// English dose form. It reports whether it found anything.
func (s *Searcher) runRewritten(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error) {
	if !s.named {
		return false, nil
	}
	strict := q
	strict.Unforgiving = true
	// first searches for the first of the texts that is a name as it stands.
	first := func(asked ...string) (string, error) {
		for _, text := range asked {
			if err := s.find(ctx, b, strict, text, allowed, record); err != nil || b.Hits.Any() {
				return text, err
			}
			record.restart()
		}
		return "", nil
	}
	if chinese, latin := inBrackets(text); chinese != "" {
		names := []string{chinese, latin}
		if slices.ContainsFunc(s.index.Rows, func(r mappings.Row) bool { return r.Analyzer == mappings.SciName }) {
			names = []string{latin, chinese}
		}
		found, err := first(names...)
		b.rewrite = mappings.Rewrite{ReadAs: found}
		return found != "", err
	}
	if s.lazy.herbsRow >= 0 && !han.Has(text) {
		if names := inPinyin(text); names != nil {
			found, err := first(append([]string{text}, names...)...)
			if found != "" && found != text {
				b.rewrite = mappings.Rewrite{ReadAs: found}
			}
			if found != "" || err != nil || q.Unforgiving {
				return found != "", err
			}
			b.rewrite = mappings.Rewrite{ReadAs: names[0]}
			return true, s.find(ctx, b, q, names[0], allowed, record)
		}
	}
	about, what := question(text)
	if what == nothingElse || what != aRecord && s.lazy.herbsRow < 0 {
		return false, nil
	}
	if found, err := first(text); found != "" || err != nil {
		return true, err // a name with such words, not a question
	}
	return s.answerQuestion(ctx, b, q, about, what, allowed, record)
}

// answerQuestion searches for what a question asks about. It reports whether it found anything.
func (s *Searcher) answerQuestion(ctx context.Context, b *buffers, q Query, about string, what wants, allowed []uint64, record *recorder) (bool, error) {
	rewrite := mappings.Rewrite{ReadAs: strings.TrimSpace(about), Question: true}
	var err error
	if what == formulasOf || what == formulasWith {
		var read bool
		if read, err = s.runProperties(ctx, b, q, about, what == formulasWith, allowed, record); read || err != nil {
			b.rewrite = rewrite
			return read, err
		}
		if what == formulasOf && !s.lazy.isHerb(about) {
			what = formulasFor
		}
	}
	if what == formulasFor {
		q.In, rewrite.In = "indications", "indications"
	}
	if err = s.run(ctx, b, q, rewrite.ReadAs, record); err != nil || !b.Hits.Any() {
		record.restart()
		return false, err
	}
	b.rewrite = rewrite
	return true, nil
}

// elsewhere counts the records that contain the text of a query in characters in other parts than
// the searched one. It counts nothing for a query that was read as herbs, books, authors or dynasties.
func (s *Searcher) elsewhere(ctx context.Context, b *buffers, q Query, text string) (places []mappings.Place, err error) {
	if b.rewrite.Question {
		text = b.rewrite.ReadAs
	}
	if len(s.parts) < 2 || len(b.recognised) > 0 || !han.Has(text) {
		return nil, nil
	}
	rd := b.reading
	if rd.Raw != text {
		rd = reading.Read(text)
	}
	if rd.Script != reading.Characters {
		return nil, nil
	}
	allowed, err := s.lazy.passing(&q)
	if err != nil {
		return nil, err
	}
	searched := cmp.Or(b.rewrite.In, q.In, ofNames)
	for _, part := range s.parts {
		if part == searched {
			continue
		}
		b.Hits.Reset(allowed, nil)
		in := part
		if part == ofNames {
			in = ""
		}
		if err := s.finder.Find(ctx, b.Scratch, matchers.Request{Reading: &rd, In: in, Unforgiving: true}); err != nil {
			return nil, err
		}
		if total := b.Hits.Page(0, 0).Total; total > 0 {
			places = append(places, mappings.Place{In: part, Total: total})
		}
	}
	return places, nil
}
