package match

import (
	"slices"

	"bencao/internal/null"
	"bencao/names/han"
	"bencao/names/internal/answer"
	"bencao/names/internal/file"
	"bencao/names/internal/wordlist"
	"bencao/names/pinyin"
)

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
	// labelFirst is added for the plant that package vernacular lists first, if several plants have
	// the name.
	labelFirst = 0.05
	// labelSeveral is deducted if several plants have the label. It is deducted a second time from
	// a plant whose label is of a weaker kind than the best label.
	labelSeveral = 0.2
)

// weighLabels scores the usages of labels by the kinds of the labels. The score is lower if the
// labels belong to several concepts.
func (q question) weighLabels(all []labelled) []scored {
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

// pinyin matches a text that is the pinyin of a Chinese name. It returns false if the text is not
// the pinyin of a known name.
func (q question) pinyin(s string) (result, bool) {
	asked := pinyin.Joined(s)
	labels := q.labels(file.LabelKey(file.LabelPinyin, asked), func(text string, kind uint32) bool {
		return kind >= file.LabelPinyin && kind < file.LabelHerb && pinyin.SameReading(asked, text)
	})
	if len(labels) == 0 {
		return result{}, false
	}
	q.steps.truncate(0)
	q.steps.note("pinyin: ", s)
	all := q.weighLabels(labels)
	if pinyin.IsSyllable(pinyin.WithoutTones(asked)) {
		capAll(all, oneSyllable)
	}
	return result{canonical: null.Text(s), via: answer.ViaPinyin, oneName: true, candidates: all}, true
}

// chineseLabels returns the usages with a given Chinese name. If there are none, but the name is
// the everyday name of a crop, it returns the usages that have the crop's names in floras.
func (q question) chineseLabels(name string) []labelled {
	key := han.Fold(name)
	q.steps.note("Chinese name: ", key)
	labels := q.labelsOf(key)
	if len(labels) == 0 {
		for _, flora := range wordlist.Crop(key) {
			q.steps.note("a crop, in floras ", flora)
			for _, l := range preferAutonyms(q.labelsOf(han.Fold(flora)), false) {
				labels = append(labels, labelled{l.usage, file.LabelAlias})
			}
		}
	}
	return preferAutonyms(labels, han.Noted(name))
}

// labelsOf returns the usages with a folded Chinese name.
func (q question) labelsOf(key string) []labelled {
	return q.labels(key, func(text string, kind uint32) bool { return kind < file.LabelPinyin && text == key })
}

// preferAutonyms returns the labels of the kind LabelAutonym if noted is true, which means that the
// name has a note such as 原变种. Otherwise it returns the labels of other kinds. If there are none of
// the wanted kinds, it returns all labels.
func preferAutonyms(all []labelled, noted bool) []labelled {
	preferred := slices.DeleteFunc(slices.Clone(all), func(l labelled) bool { return (l.kind == file.LabelAutonym) != noted })
	if len(preferred) == 0 {
		return all // a checklist may have an autonym without its species
	}
	return preferred
}

// labelVia returns the kind of lookup for labels: by a Chinese name or by an alias.
func labelVia(labels []labelled) string {
	if labels[0].kind == file.LabelAlias {
		return answer.ViaChineseAlias
	}
	return answer.ViaChineseName
}
