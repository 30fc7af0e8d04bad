package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/mappings/internal/terms"
	"bencao/names/han"
)

// The words of questions, each list with the longest word first where one begins or ends with another.
// Spaces separate the words of a list; _ is a space inside of one.
var (
	// polite precede any question.
	polite = list(`请问一下 请问 我想知道 我想了解 想知道 想了解 查询 查一下 搜索 关于`)
	// topics follow a name, with or without 的: 人参的功效.
	topics = list(`功效与作用 功效和作用 功效作用 功能主治 药用价值 化学成分 药理作用 毒副作用 副作用 作用 不良反应 用法用量 用法 用量 配伍禁忌 禁忌
		功效 主治 拉丁学名 学名 拉丁文名 拉丁文 拉丁名 英文名 别名 俗名 异名 英文 拼音 图片 照片 价格 产地 来源 出处 组成 配方 方歌 加减 成分 药理 研究进展 研究
		文献 论文 替代品 栽培 种植 简介 介绍 方解 适应症 注意事项 煎法 性味归经 归经 性味 毒性 炮制方法 炮制 采收 鉴别 药性 花期 形态特征 形态 分布 原植物 基原`)
	// asking follow a name too, without 的.
	asking = list(`是什么植物的根茎 是什么植物的根 是什么植物的果实 是什么植物的种子 是什么植物的花 是什么植物的叶 是哪种植物 来自什么植物 是什么植物 是什么药 是什么科的植物 是什么科的 是什么科 是哪一科 是哪个科 属于什么科 属于哪个科 是什么方 是什么意思 是什么 有什么功效 有什么作用
		有什么用 有哪些功效 有哪些作用 可以治什么病 能治什么病 治什么病 可以治什么 能治什么 主治什么 治什么 由什么组成 由哪些药组成 由哪几味药组成 怎么用 怎么吃 怎么种 怎么养 怎么读 长什么样 有毒吗 有没有毒
		可以吃吗 能吃吗 出自哪本书 出自哪部书 出自何书 出自哪里 出自何处 是谁的方 是谁创的`)
	// treating follow a complaint.
	treating = list(`用什么方剂 用什么方子 吃什么方子 用什么方 吃什么方 用什么药 用什么中药 吃什么中药 吃什么药 吃什么好 怎么治疗 怎么治 怎么办 如何治疗 的治疗`)
	// englishBefore and englishAfter are the words of English questions around a name.
	englishBefore = list(`who_wrote_ who_created_ who_invented_ how_to_grow_ how_to_use_ how_to_take_ how_to_prepare_ how_to_make_ how_do_you_prepare_ how_do_you_use_ how_do_you_take_ when_to_use_ when_do_you_use_ what_family_does_ which_family_does_ what_does_ is_ are_
		which_plant_is_the_source_of_ what_kind_of_plant_is_ what_plant_is_ which_plant_is_ what_herb_is_ which_herb_is_ what_is_the_latin_name_of_ what_is_the_scientific_name_of_ what_is_the_composition_of_ what_is_in_ what_is_ what_are_the_ingredients_of_ what_are_ what's_
		uses_of_ benefits_of_ side_effects_of_ effects_of_ the_latin_name_of_ latin_name_of_ scientific_name_of_ botanical_name_of_ chinese_name_of_ english_name_of_ pinyin_of_
		composition_of_ ingredients_of_ ingredients_in_ indications_of_ actions_of_ toxicity_of_ dosage_of_ origin_of_ source_of_ papers_about_ papers_on_ research_on_ tell_me_about_`)
	englishAfter = list(`_used_for _good_for _belong_to _poisonous _toxic _edible _do _side_effects _health_benefits _benefits _medicinal_uses _uses _dosage _latin_name _scientific_name _botanical_name _chinese_name _english_name
		_in_chinese _in_english _pinyin _medicinal_properties _properties _ingredients _composition _indications _toxicity`)
	// englishKinds follow a name, and are a part of many: balloon flower.
	englishKinds = list(`_plant _tree _flower`)
	// introducing precede a name: 什么是人参. ending end any question.
	introducing = list(`什么是 介绍一下`)
	ending      = list(`呢 有哪些`)
	// medicines are words for what treats a complaint.
	medicines = list(`中药 药物 药`)
	// formulaWords are words for formulas. whichFormulas precede them. withWords precede a herb of
	// the formulas, againstWords a complaint, withoutWords a herb that they must not have, and
	// fromWords a book.
	formulaWords  = list(`中成药 方剂 处方 药方 方子 汤方 经方 名方 古方 方`)
	whichFormulas = list(`有哪些 哪些 有什么 什么 哪个 所有`)
	withWords     = list(`含有 包含 含 用到 用了 用 有 由`)
	againstWords  = list(`可以治疗 可以治 能够治疗 能治疗 能治 用于治疗 治疗 主治 可治 用于 治`)
	withoutWords  = list(`不含有 不包含 不含 没有 不用 无`)
	// betweenExcluded are words between the herbs of a list that withoutWords precede.
	betweenExcluded = list(`和 与 及 或`)
	fromWords       = list(`出自 来自 见于 收录在 收于`)
	// betweenParts are further words of a question around the parts of a query: 半夏和乌头一起用的方.
	betweenParts = list(`的 里面 里 中 都 和 与 及 同 跟 而 又 加 配 配伍 一起用 一起 同用 合用 多少 几 首 个 是 谁 写 创 病 症 等 吗 呢`)
	// The same in English. A formula has one of englishFormulas before one of the others, or after
	// all else: cough formulas.
	englishWhich    = list(`which_ what_ best_ are_there_ all_ list_of_ list_ find_ show_ chinese_ herbal_ tcm_ classical_`)
	englishFormulas = list(`formulas_ formulae_ formula_ prescriptions_ prescription_ recipes_ decoctions_`)
	englishThat     = list(`that_ which_ are_ is_`)
	englishWith     = list(`containing_both_ contain_both_ containing_ contain_ contains_ with_both_ with_ including_ include_ includes_ using_ use_ made_with_ made_of_ made_from_`)
	englishWithout  = list(`without_ not_containing_ do_not_contain_ don't_contain_ excluding_`)
	englishFor      = list(`used_for_ used_to_treat_ good_for_ for_treating_ for_ to_treat_ treating_ treat_ treats_ against_ cure_ curing_`)
	englishOf       = list(`of_ from_ by_ in_`)
	englishTreating = list(`how_to_treat_ treatment_of_ treatment_for_ remedies_for_ remedy_for_ medicine_for_ herbs_for_ herbs_to_treat_ treats_ treating_ treat_`)
	englishTreated  = list(`_treatment _remedies _remedy _medicine`)
)

// aroundParts has the words that may stand around the parts of a query.
var aroundParts = func() map[string]bool {
	all := map[string]bool{}
	for _, words := range [][]string{betweenParts, polite, ending, medicines, formulaWords, whichFormulas, withWords, againstWords, fromWords} {
		for _, w := range words {
			all[w] = true
		}
	}
	return all
}()

func list(words string) []string {
	out := strings.Fields(words)
	for i, w := range out {
		out[i] = strings.ReplaceAll(w, "_", " ")
	}
	return out
}

// wants is the kind of record that a question asks for.
type wants uint8

const (
	nothingElse  wants = iota // the text is no question
	aRecord                   // the record with a name
	formulasOf                // formulas of a book, an author or a dynasty, with a herb, or against a complaint
	formulasWith              // formulas with herbs
	formulasFor               // formulas against a complaint
)

// question returns the subject of a question, and the kind of record that it asks for.
func question(text string) (about string, what wants) {
	text = strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && !strings.ContainsRune("《》「」()（）", r)
	})
	if !han.Has(text) {
		return englishQuestion(text)
	}
	if !mayAsk(text) {
		return "", nothingElse
	}
	if rest, ok := cutFirst(text, polite, strings.CutPrefix); ok {
		if about, what = question(rest); what == nothingElse {
			about, what = rest, aRecord
		}
		return about, what
	}
	for _, word := range ending {
		text = strings.TrimSuffix(text, word)
	}
	if rest, ok := cutFirst(text, whichFormulas, strings.CutPrefix); ok { // 哪些方剂含有黄芪
		if of, ok := cutFirst(rest, formulaWords, strings.CutPrefix); ok {
			if about, what := formulasAsked(of, withWords, againstWords, fromWords); what != nothingElse {
				return about, what
			}
		}
	}
	if about, ok := cutFirst(text, treating, strings.CutSuffix); ok {
		return about, formulasFor
	}
	if rest, ok := cutFirst(text, formulaWords, strings.CutSuffix); ok {
		return ofFormulas(rest)
	}
	if rest, ok := cutFirst(text, medicines, strings.CutSuffix); ok { // 治咳嗽的药
		if about, ok := cutFirst(strings.TrimSuffix(rest, "的"), againstWords, strings.CutPrefix); ok {
			return about, formulasFor
		}
	}
	if about, ok := cutFirst(text, introducing, strings.CutPrefix); ok {
		return about, aRecord
	}
	if about, ok := cutFirst(text, asking, strings.CutSuffix); ok {
		return about, aRecord
	}
	if about, ok := cutFirst(text, topics, strings.CutSuffix); ok {
		return strings.TrimSuffix(strings.TrimSpace(about), "的"), aRecord
	}
	if about, ok := cutFirst(text, againstWords, strings.CutPrefix); ok {
		return about, formulasFor
	}
	return "", nothingElse
}

// firstOfQuestions and lastOfQuestions have the characters that a question can begin or end with.
var firstOfQuestions, lastOfQuestions = func() (first, last map[rune]bool) {
	first, last = map[rune]bool{}, map[rune]bool{}
	for _, words := range [][]string{polite, whichFormulas, againstWords, introducing} {
		for _, w := range words {
			r, _ := utf8.DecodeRuneInString(w)
			first[r] = true
		}
	}
	for _, words := range [][]string{ending, treating, formulaWords, medicines, asking, topics} {
		for _, w := range words {
			r, _ := utf8.DecodeLastRuneInString(w)
			last[r] = true
		}
	}
	return first, last
}()

// mayAsk reports whether a text has the first or the last character of a question. Most names have
// neither.
func mayAsk(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	return firstOfQuestions[first] || lastOfQuestions[last]
}

// ofFormulas returns what the words before a word for formulas ask about: 治咳嗽的, 张仲景的, 含有附子的.
func ofFormulas(text string) (about string, what wants) {
	named, of := strings.CutSuffix(strings.TrimSpace(text), "的")
	if about, ok := cutFirst(named, againstWords, strings.CutPrefix); ok {
		return about, formulasFor
	}
	if about, ok := cutFirst(named, withWords, strings.CutPrefix); ok && of {
		return strings.TrimSuffix(about, "组成"), formulasWith
	}
	if about, ok := cutFirst(named, fromWords, strings.CutPrefix); ok {
		named = about
	}
	for _, inside := range []string{"里面", "里", "中"} { // 金匮要略里的方子
		if about, ok := strings.CutSuffix(named, inside); ok && of {
			named = about
			break
		}
	}
	if utf8.RuneCountInString(terms.ChineseKey(named)) < 2 { // 大方 is no question
		return "", nothingElse
	}
	return named, formulasOf
}

func englishQuestion(text string) (string, wants) {
	if !strings.Contains(text, " ") {
		return "", nothingElse
	}
	text = strings.ToLower(text)
	if about, ok := cutFirst(withoutWhich(text), englishTreating, strings.CutPrefix); ok {
		return about, formulasFor
	}
	if about, ok := cutFirst(text, englishTreated, strings.CutSuffix); ok {
		return about, formulasFor
	}
	if strings.Contains(text, "formula") || strings.Contains(text, "prescription") || strings.Contains(text, "recipe") || strings.Contains(text, "decoctions") {
		if about, what := englishFormulasAsked(text); what != nothingElse {
			return about, what
		}
	}
	about, before := cutFirst(text, englishBefore, strings.CutPrefix)
	if before {
		text = strings.TrimPrefix(about, "the ")
	}
	about, after := cutFirst(text, englishAfter, strings.CutSuffix)
	if !before && !after {
		about, after = cutFirst(text, englishKinds, strings.CutSuffix)
	}
	switch {
	case after:
		return about, aRecord
	case before:
		return text, aRecord
	}
	return "", nothingElse
}

// withoutWhich cuts words such as which and Chinese from the beginning of a question.
func withoutWhich(text string) string {
	for {
		rest, ok := cutFirst(text, englishWhich, strings.CutPrefix)
		if !ok {
			return text
		}
		text = rest
	}
}

// englishFormulasAsked reads a question such as: which formulas contain ephedra; formulas for cough;
// cough formulas.
func englishFormulasAsked(text string) (about string, what wants) {
	text = withoutWhich(text)
	of, ok := cutFirst(text, englishFormulas, strings.CutPrefix)
	if !ok {
		for _, word := range englishFormulas {
			if about, ok := strings.CutSuffix(text, " "+strings.TrimSpace(word)); ok {
				return strings.TrimSuffix(about, "'s"), formulasOf
			}
		}
		return "", nothingElse
	}
	if rest, ok := cutFirst(of, englishThat, strings.CutPrefix); ok {
		of = rest
	}
	if rest, ok := cutFirst(of, englishWithout, strings.CutPrefix); ok {
		return "without " + rest, formulasWith
	}
	about, what = formulasAsked(of, englishWith, englishFor, englishOf)
	return strings.TrimPrefix(about, "the "), what
}

// formulasAsked cuts the words before the herb, the complaint or the book of formulas from the
// beginning of a text, and returns the rest.
func formulasAsked(text string, with, against, from []string) (about string, what wants) {
	for _, asked := range []struct {
		words []string
		what  wants
	}{{with, formulasWith}, {against, formulasFor}, {from, formulasOf}} {
		if about, ok := cutFirst(text, asked.words, strings.CutPrefix); ok {
			return about, asked.what
		}
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
