package match

import (
	"strings"
	"unicode"

	"bencao/internal/null"
	"bencao/names/internal/answer"
	"bencao/names/internal/file"
	"bencao/names/pinyin"
	"bencao/names/vernacular"
)

// labelled is a usage that was found by a Chinese name or pinyin, with the kind of the label that
// found it.
type labelled struct{ usage, kind uint32 }

// labels returns the usages that have a label with the given key. It omits a label if fits returns
// false for its text and kind.
func (v view) labels(key string, fits func(text string, kind uint32) bool) []labelled {
	var all []labelled
	for n := range v.Values(file.ByLabel, []byte(key)) {
		if l := v.Labels[n]; fits(v.SharedText(l.Text), l.Kind) {
			all = append(all, labelled{l.Usage, l.Kind})
		}
	}
	return all
}

// labelScores gives the reason and the score for each kind of label. The scores of Chinese names,
// aliases and pinyin are measured, see score.go.
var labelScores = [...]struct {
	score  float64
	reason string
}{
	file.LabelName:    {0.98, "Chinese name"},
	file.LabelList:    {0.96, "Chinese name in a checklist"},
	file.LabelAlias:   {0.85, "another Chinese name"},
	file.LabelAutonym: {0.98, "Chinese name of an autonym"},
	file.LabelPinyin:  {0.80, "pinyin of the Chinese name"},
	file.LabelPinyin2: {0.65, "pinyin of another Chinese name"},
}

const (
	// labelShared is the highest score of a plant if other plants have a label of the same kind. It
	// is measured.
	labelShared = 0.50
	// labelUnconfirmed is the highest score of a Chinese name if no checklist has the Latin name
	// beside it.
	labelUnconfirmed = 0.75
	// labelElsewhere is the highest score of a Chinese name if the words of the Latin name beside
	// it belong to other plants.
	labelElsewhere = 0.65
	// labelContradicts is the highest score of a scientific name if the Chinese name beside it is
	// the name of another plant.
	labelContradicts = 0.85
	// labelSyllable is the highest score of pinyin that is a single syllable.
	labelSyllable = 0.60
	// labelFirst is added for the plant that package vernacular lists first, if several plants have
	// the name.
	labelFirst = 0.05
	// labelSeveral is deducted if several plants have the label. It is deducted a second time from
	// a plant whose label is of a weaker kind than the best label.
	labelSeveral = 0.2
)

// weighLabels scores the usages of labels by the kinds of the labels. The score is lower if the
// labels belong to several concepts. most is the highest score allowed. It is below 1 if no
// checklist has the Latin name beside the label.
func (q question) weighLabels(all []labelled, most float64) []scored {
	if len(all) == 0 {
		return nil
	}
	kinds := make(map[uint32]uint32) // concept → the best kind among its labels
	best := all[0].kind
	for _, l := range all {
		concept := q.Usages[l.usage].Concept
		if k, ok := kinds[concept]; !ok || l.kind < k {
			kinds[concept] = l.kind
		}
		best = min(best, l.kind)
	}
	equals := 0
	for _, k := range kinds {
		if k == best {
			equals++
		}
	}
	weigh := func(kind uint32) (reason string, score float64) {
		reason, score = labelScores[kind].reason, labelScores[kind].score
		if len(kinds) > 1 {
			score -= labelSeveral
		}
		switch {
		case kind > best:
			score -= labelSeveral
		case equals > 1 && score > labelShared:
			return reason + " of several plants", labelShared
		}
		if score > most {
			return reason + ", but the Latin name beside it is unknown", most
		}
		return reason, score
	}
	out := q.buf.scored[:0]
	for _, l := range all {
		s := q.scored(q.candidateOf(l.usage))
		s.add(weigh(kinds[s.concept]))
		out = append(out, s)
	}
	q.buf.scored = out
	return q.order(out, false)
}

// vernacular matches an everyday name in kana or hangul, such as オウレン or 황기. It returns false for a
// text without these scripts, and for an unknown name.
func (q question) vernacular(text string) (result, bool) {
	if strings.ContainsFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' }) {
		return result{}, false // most texts start with a Latin letter, so they leave the function here at once
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Katakana, unicode.Hiragana, unicode.Hangul) }) {
		return result{}, false
	}
	name := strings.TrimSpace(text)
	labels := q.chineseLabels(name)
	if len(labels) == 0 {
		return result{}, false
	}
	all := q.weighLabels(labels, 1)
	if first := vernacular.Asian().First(name); len(all) > 1 {
		for i := range all {
			if strings.EqualFold(q.Name(all[i].usage), first) {
				all[i].add("the plant that is meant first", labelFirst)
			}
		}
		all = q.order(all, false)
	}
	return result{canonical: null.Text(name), via: labelVia(labels), oneName: true, candidates: all}, true
}

// pinyin matches a text that is the pinyin of a Chinese name. It returns false if the text is not
// the pinyin of a known name.
func (q question) pinyin(s string) (result, bool) {
	asked := pinyin.Joined(s)
	if asked == "" {
		return result{}, false
	}
	labels := q.labels(file.LabelKey(file.LabelPinyin, asked), func(text string, kind uint32) bool {
		return kind >= file.LabelPinyin && kind < file.LabelHerb && pinyin.SameReading(asked, text)
	})
	if len(labels) == 0 {
		return result{}, false
	}
	q.steps.truncate(0)
	q.steps.note("pinyin: ", s)
	all := q.weighLabels(labels, 1)
	if pinyin.IsSyllable(pinyin.WithoutTones(asked)) {
		for i := range all {
			all[i].cap("one syllable", labelSyllable) // a text of a single syllable is more often a surname or a word
		}
	}
	return result{canonical: null.Text(s), via: answer.ViaPinyin, oneName: true, candidates: all}, true
}
