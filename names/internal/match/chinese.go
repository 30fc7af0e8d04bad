package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/internal/null"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/wordlist"
	"bencao/names/vernacular"
)

// chineseName is a text with one Chinese name, split into its Chinese and its Latin words, and the
// plants and the herb that have the Chinese name.
type chineseName struct {
	han, latin string     // the Chinese words and the Latin words beside them
	labels     []labelled // usages that have the Chinese name
	herb       *namedHerb // the herb that has the Chinese name, or nil
	// genusOnly is true if the text names a genus without saying which species: 狗尾草属一种, 狗尾草属 sp.
	genusOnly bool
	// within is true if the labels were found by only a part of the Chinese words.
	within bool
}

// readChinese looks up a Chinese name as the name of plants and as the name of a herb. If it is
// neither, readChinese looks for a name within the text, without the words around it and without a
// family or genus before it.
func (q question) readChinese(text string) chineseName {
	var n chineseName
	n.han, n.latin = splitScripts(text)
	if n.labels = q.openGenus(n.han, n.latin); len(n.labels) > 0 {
		n.genusOnly, n.latin = true, ""
		return n
	}
	n.labels = q.chineseLabels(n.han)
	if parts := chineseParts(n.han); len(n.labels) > 0 || q.ofSource(&n, parts) || !q.ofParts(&n, parts) {
		n.herb = q.chineseHerb(n.han, len(n.labels) > 0)
	}
	if n.herb != nil {
		return n
	}
	if len(n.labels) == 0 {
		n.labels, n.genusOnly = q.chineseWithin(n.han)
		n.within = true
	}
	if len(n.labels) > 0 && q.ofGenera(n.labels) && (openSpecies(n.latin) || q.buf.parser.Parse(n.latin).OpenGenus) {
		n.genusOnly = true
	}
	if n.genusOnly {
		n.latin = ""
	}
	return n
}

// ofSource reads a herb and, in brackets after it, one of the plants that it comes from or another
// name of the herb: 百部(对叶百部), 白芷(杭白芷).
// It returns false if the parts of a text are something else.
func (q question) ofSource(n *chineseName, parts []string) bool {
	if len(parts) != 2 || !strings.ContainsAny(n.han, "(（") {
		return false
	}
	h := q.chineseHerb(parts[0], false)
	if h == nil {
		return false
	}
	sources := h.labels()
	n.labels = slices.DeleteFunc(q.chineseLabels(parts[1]), func(l labelled) bool {
		c := q.candidateOf(l.usage)
		return !q.confirms(sources, &c)
	})
	if other := q.chineseHerb(parts[1], false); len(n.labels) == 0 && other != nil && other.name == h.name {
		n.han, n.labels = parts[0], q.chineseLabels(parts[0])
		return true
	}
	return len(n.labels) > 0
}

// ofParts reads a text of several parts. If only one of them is a name, it is the name of the text, and
// the others are remarks: 荆芥（统货）, 木瓜 316. If there are more, the text has the plants of all, and
// ofParts returns false.
func (q question) ofParts(n *chineseName, parts []string) bool {
	if han.Noted(n.han) {
		return false // the note belongs to the name: 拂子茅1(原变种)
	}
	var names []string
	for _, part := range parts {
		labels := q.chineseLabels(part)
		d := q.chineseHerb(part, len(labels) > 0)
		if len(labels) > 0 || d != nil {
			names, n.labels, n.herb = append(names, part), append(n.labels, labels...), d
		}
	}
	if len(names) != 1 {
		n.herb = nil
		return false
	}
	n.han = names[0]
	return true
}

// chinese matches a text with one Chinese name. If there is a scientific name beside it, chinese
// matches the scientific name first, and the Chinese name can confirm it.
func (q question) chinese() result {
	if slices.Contains(wordlist.ChineseVegetation, han.Fold(q.query.Name)) {
		return nothing(q.query.Name)
	}
	n := q.readChinese(q.query.Name)
	return q.latinAndChinese(&n)
}

// besideChinese matches the scientific name of the query together with beside, a Chinese name. It
// returns false if the Chinese name means neither a species nor a herb.
func (q question) besideChinese(beside string) (result, bool) {
	if _, ok := parse.Identifier(q.query.Name); ok {
		return result{}, false
	}
	words, _ := splitScripts(beside)
	n := q.readChinese(words)
	if n.herb == nil && q.ofGenera(n.labels) {
		q.steps.truncate(0)
		return result{}, false
	}
	n.latin = q.query.Name
	return q.latinAndChinese(&n), true
}

// latinAndChinese matches a Chinese name and the scientific or pharmaceutical name beside it, if
// there is one.
func (q question) latinAndChinese(n *chineseName) result {
	r := nothing(strings.TrimSpace(n.han))
	if n.latin == "" {
		return q.chineseOnly(r, n)
	}
	if _, listed := q.buf.parser.Listed(n.latin); !listed && isHerbLatin(n.latin) {
		return q.herbLatinAndChinese(n)
	}
	labels := n.labels
	asked := q
	if n.herb != nil {
		labels = append(slices.Clone(labels), n.herb.labels()...)
		asked.query.NoFuzzy = q.query.NoFuzzy || !n.herb.isPlant()
	}
	if r, ok := asked.confirmed(n.latin, labels, n.within); ok {
		return r
	}
	p := q.buf.parser.Parse(n.latin)
	if p.Canonical == "" {
		return q.chineseOnly(r, n)
	}
	r.canonical = null.Text(p.Canonical)
	known := p.OpenGenus || len(p.Epithets) == 0 && q.HasGenus([]byte(strings.ToLower(p.Genus)))
	most := latinUnknown
	if q.ofOthers(p, labels) {
		most = latinElsewhere
	}
	if is, _ := q.otherLife([]byte(strings.ToLower(p.Genus))); is {
		return r // the scientific name is that of an animal, a fungus, an alga or a bacterium
	}
	r = q.chineseOnly(r, n)
	capAll(r.candidates, most)
	if !known {
		notFound(r.candidates)
	}
	return r
}

// chineseOnly adds to r the answer for the Chinese name alone.
func (q question) chineseOnly(r result, n *chineseName) result {
	switch {
	case n.herb != nil && !n.herb.yields(n.labels):
		return q.plantsAndHerb(r, n.herb, n.labels)
	case len(n.labels) == 0:
		return r
	case n.genusOnly:
		return q.genusOnly(r, n.labels)
	}
	r.via, r.candidates = labelVia(n.labels), q.weighLabels(n.labels)
	return r
}

// notFound marks the candidates of a Chinese name beside a scientific name that is not found.
func notFound(all []scored) {
	for i := range all {
		c := &all[i]
		c.flags |= answer.NameNotFound
		if c.like < fuzzy {
			c.like = fuzzy
		}
	}
}

// herbLatinAndChinese matches a Chinese name and the pharmaceutical Latin beside it. If both name a
// plant, that plant is the answer. If they name different plants, the answer has both, the plant of
// the Latin first.
func (q question) herbLatinAndChinese(n *chineseName) result {
	latin := q
	latin.query.Name = n.latin
	l := latin.latinText(n.latin)
	l.candidates = slices.Clone(l.candidates) // matching the Chinese name reuses the buffer of candidates
	c := q.chineseOnly(nothing(strings.TrimSpace(n.han)), n)
	switch {
	case len(c.candidates) == 0 && c.herb == nil:
		return l
	case len(l.candidates) == 0:
		capAll(c.candidates, latinUnknown)
		notFound(c.candidates)
		return c
	case !q.namesSpecies(l) || len(c.candidates) == 0 || q.namesGenus(n.latin, c.candidates[0]):
		return c // the Latin says only the genus, or the Chinese name is no plant's
	}
	first := &c.candidates[0].candidate
	if slices.ContainsFunc(l.candidates, func(s scored) bool { return q.sameTaxon(&s.candidate, first) }) {
		return c
	}
	q.differ(l.candidates)
	q.differ(c.candidates)
	// The plants of the Chinese name come after the plant of the Latin, whatever its score.
	capAll(c.candidates, &ceiling{name: "the Latin name is another plant's", most: max(0, l.candidates[0].score-0.1)})
	l.candidates = append(l.candidates, c.candidates...)
	return l
}

// namesGenus reports whether pharmaceutical Latin gives only the genus of a candidate: Lonicerae
// Flos is the flower of any honeysuckle.
func (q question) namesGenus(latin string, c scored) bool {
	l, _ := herb.ParseLatin(latin)
	genus, _, _ := strings.Cut(strings.ToLower(q.Name(c.usage)), " ")
	return len(l.Nominatives(func(name string) bool { return name == genus })) > 0
}

// differ marks the candidates of a Chinese name and of the Latin name beside it, which is another
// plant's.
func (q question) differ(all []scored) {
	for i := range all {
		all[i].flags |= answer.ChineseNameDiffers
	}
	capAll(all, chineseDiffers)
}

// ofOthers is called for a scientific name n that is in no checklist. It reports whether the words
// of n belong to other plants than the usages of labels. This is so if the epithet of n is a known
// word, or if the genus of n is known and no usage of labels is in this genus.
func (q question) ofOthers(n *parse.Name, labels []labelled) bool {
	if len(n.Epithets) > 0 && q.HasEpithet([]byte(n.Epithets[0].Word)) {
		return true
	}
	if !q.HasGenus([]byte(strings.ToLower(n.Genus))) {
		return false
	}
	return !slices.ContainsFunc(labels, func(l labelled) bool {
		return strings.HasPrefix(q.Name(l.usage), n.Genus+" ") || strings.HasPrefix(q.Name(q.Usages[l.usage].Concept), n.Genus+" ")
	})
}

// openSpecies reports whether the Latin words beside a Chinese name mean an unnamed species: sp.,
// indet.
func openSpecies(latin string) bool {
	switch strings.Trim(latin, " .1234567890") {
	case "sp", "spp", "sp.", "spp.", "indet":
		return true
	}
	return false
}

// ofGenera reports whether all labels are names of genera.
func (q question) ofGenera(all []labelled) bool {
	return !slices.ContainsFunc(all, func(l labelled) bool { return !q.isGenus(l.usage) })
}

// genusOnly adds the candidates to the result for a text that names only the genus of a plant.
func (q question) genusOnly(r result, labels []labelled) result {
	r.via, r.candidates = answer.ViaHigherRank, q.weighLabels(labels)
	for i := range r.candidates {
		c := &r.candidates[i]
		c.like, c.up, c.score = higherRank, 2, scoreGenus
		c.flags |= answer.OpenNomenclature
		if c.why != nil {
			c.why.parts = nil
		}
	}
	return r
}

// chineseParts splits a text at figures and signs and removes families and genera: for 人参（五加科） and
// 人参*30, it returns 人参. It does not split at a question mark, which stands for a lost character.
func chineseParts(s string) []string {
	parts := strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsDigit(r) || strings.ContainsRune("()（）[]［］【】/／,，、;；:：.。*＊", r)
	})
	return slices.DeleteFunc(parts, func(p string) bool {
		return strings.HasSuffix(p, "科") || strings.HasSuffix(p, "属") || strings.HasSuffix(p, "屬")
	})
}

// chineseWithin looks for a name inside a Chinese text: after a family or genus, or between other
// words. If the text names only a genus, it returns the labels of the genus. genusOnly is true if
// the text says that the species is unnamed.
func (q question) chineseWithin(text string) (labels []labelled, genusOnly bool) {
	s := strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsSpace(r) || r >= '①' && r <= '⑳' || r < utf8.RuneSelf && unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
	if i := strings.Index(s, "的"); i > 0 {
		s = s[:i] // cut off words for the part of the plant that is used: 的干燥根
	}
	for _, above := range []string{"科", "属", "屬"} {
		i := strings.Index(s, above)
		if i <= 0 {
			continue
		}
		head, tail := s[:i+len(above)], s[i+len(above):]
		tail = strings.TrimPrefix(strings.TrimPrefix(tail, "的"), "植物")
		if above != "科" && tail == "" || strings.HasPrefix(tail, "一种") || tail == "未定种" {
			return q.genusLabels(head), tail != ""
		}
		s = tail
	}
	return q.withoutWords(s), false
}

// openGenus reads a text such as 苔草 sp. or 槭树一种: the name of a genus without 属, and words that say
// that the species is unnamed. It returns the usages of the genus. For other texts, it returns nil.
func (q question) openGenus(chinese, latin string) []labelled {
	name, open := strings.TrimSpace(chinese), openSpecies(latin)
	for _, w := range []string{"的一种", "一种", "未定种"} {
		if head, ok := strings.CutSuffix(name, w); ok {
			name, open = head, true
			break
		}
	}
	if !open || name == "" || strings.HasSuffix(name, "属") || strings.HasSuffix(name, "屬") || strings.HasSuffix(name, "科") {
		return nil
	}
	for _, genus := range []string{name, strings.TrimSuffix(name, "树"), strings.TrimSuffix(name, "木")} {
		if labels := q.genusLabels(genus + "属"); len(labels) > 0 {
			return labels
		}
	}
	return nil
}

// genusLabels returns the usages with the Chinese name of a genus. If there are none, it adds or
// removes 花 before 属 and tries again.
func (q question) genusLabels(genus string) []labelled {
	for _, g := range []string{genus, strings.Replace(genus, "花属", "属", 1), strings.Replace(genus, "属", "花属", 1)} {
		if l := q.chineseLabels(g); len(l) > 0 {
			return l
		}
	}
	return nil
}

// withoutWords looks a name up. If it is not found, withoutWords removes up to three words around
// the name, one after the other, and looks up the rest each time.
func (q question) withoutWords(s string) []labelled {
	for range 4 {
		if l := q.chineseLabels(s); len(l) > 0 && utf8.RuneCountInString(s) > 1 {
			return l
		}
		t := s
		for _, w := range wordlist.ChineseBefore {
			if t = strings.TrimPrefix(s, w); t != s {
				break
			}
		}
		if t == s {
			for _, w := range wordlist.ChineseBehind {
				if t = strings.TrimSuffix(s, w); t != s {
					break
				}
			}
		}
		if t == s {
			return nil
		}
		s = t
	}
	return nil
}

// confirmed matches the Latin words beside a Chinese name. labels are the usages with the Chinese
// name. confirmed prefers a candidate that one of them confirms. within is true if the labels were
// found by only a part of the Chinese name. confirmed returns false if the Latin words give no
// candidate, or only a less exact one than the Chinese name gives.
func (q question) confirmed(latin string, labels []labelled, within bool) (result, bool) {
	q.query.Name = latin
	r := q.latinText(latin)
	r.candidates = r.candidates[:min(len(r.candidates), answer.MaxLimit)]
	if len(r.candidates) == 0 || r.via == answer.ViaHigherRank && len(labels) > 0 || q.isGenus(r.candidates[0].usage) && !q.ofGenera(labels) {
		q.steps.truncate(0)
		return result{}, false
	}
	first := -1
	if r.oneName {
		first = slices.IndexFunc(r.candidates, func(s scored) bool { return q.confirms(labels, &s.candidate) })
	}
	best := &r.candidates[0]
	if first >= 0 && best.score-r.candidates[first].score < decisive {
		q.choose(r.candidates, first, labels[0].kind)
		r.via = q.via(&best.candidate)
		return r, true
	}
	if len(labels) == 0 || within {
		return r, true
	}
	if r.oneName {
		best.flags |= answer.ChineseNameDiffers
	}
	if best.like == exact && best.author.AgreesWell() {
		return r, true // the author confirms the name
	}
	if labels[0].kind != file.LabelAlias {
		capAll(r.candidates, chineseDiffers)
	}
	return r, true
}

// choose moves the candidate all[chosen] to the front, because a label of the given kind confirms
// it. It lowers the scores of the other candidates.
func (q question) choose(all []scored, chosen int, kind uint32) {
	s := all[chosen]
	copy(all[1:chosen+1], all[:chosen])
	score := min(1, rounded(s.score)+0.1)
	if s.like == exact && s.homonym > 1 && kind != file.LabelAlias && s.author == author.NotGiven {
		score = max(score, scoreHomonymUsed)
	}
	if s.flags.Has(answer.FamilyDiffers) {
		score = min(score, scoreNoAuthor)
	}
	s.change("the Chinese name confirms it", score)
	s.flags &^= answer.Ambiguous
	all[0] = s
	for i := range all[1:] {
		c := &all[1+i]
		if rounded(c.score) > s.score-0.1 && i < chosen {
			c.change(chineseDiffers.name, max(0, s.score-0.1))
			c.flags &^= answer.Ambiguous
		}
	}
}

// confirms reports whether one of the labels names the taxon of c.
func (v view) confirms(labels []labelled, c *candidate) bool {
	return slices.ContainsFunc(labels, func(l labelled) bool { return v.Usages[l.usage].Concept == c.concept })
}

// splitScripts splits a text into its Chinese and its Latin words.
func splitScripts(s string) (chinese, latin string) {
	var h, l strings.Builder
	inHan := false
	for _, r := range s {
		switch {
		case han.Is(r) || r >= 0x3000 && r < 0x3040 || r >= 0xE000 && r < 0xF900 || r == '／' || r == '［' || r == '］' || r == '（' || r == '）':
			inHan = true
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '×':
			inHan = false
		}
		if inHan || strings.ContainsRune("[]/()", r) && l.Len() == 0 {
			h.WriteRune(r)
		} else {
			l.WriteRune(r)
		}
	}
	chinese = h.String()
	if strings.Count(chinese, "(") != strings.Count(chinese, ")") {
		chinese = strings.Trim(chinese, "() ") // the other bracket is beside the Latin words
	}
	return chinese, strings.Trim(l.String(), " ,;()/[]")
}

// vernacular matches an everyday name in kana or hangul, such as オウレン or 황기. It returns false for a
// text without these scripts, and for an unknown name.
func (q question) vernacular(text string) (result, bool) {
	if strings.ContainsFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' }) {
		return result{}, false // most texts start with a Latin letter, so they leave the function here at once
	}
	name := strings.TrimSpace(text)
	labels := q.chineseLabels(name)
	if len(labels) == 0 {
		return result{}, false
	}
	all := q.weighLabels(labels)
	if first := vernacular.Asian().First(name); len(all) > 1 {
		for i := range all {
			if q.Name(all[i].usage) == first {
				all[i].add("the plant that is meant first", labelFirst)
			}
		}
		all = q.order(all, false)
	}
	return result{canonical: null.Text(name), via: labelVia(labels), oneName: true, candidates: all}, true
}
