package names

import (
	"slices"
	"strings"
	"unicode"

	"bencao/names/han"
	"bencao/names/internal/parse"
	"bencao/names/pinyin"

	"bencao/names/internal/file"
)

// byIdentifier answers with the name that has an identifier.
func (m *matcher) byIdentifier(id string, q Query) (Response, bool) {
	ix := m.ix

	for n := range ix.Values(file.ByIdentifier, []byte(id)) {
		if !m.hasIdentifier(n, id) {
			continue
		}
		m.note("identifier: %s", id)
		c := candidate{usage: n, concept: ix.Usages[n].Concept, author: fitNotGiven, homonym: 1}
		m.cands = append(m.cands[:0], c)
		p := &parse.Name{}
		m.labelScore = func(*candidate) (string, float64) { return "identifier", 1 }
		defer func() { m.labelScore = nil }()
		return Response{CanonicalName: m.clone(ix.Name(n)), MatchedVia: ViaIdentifier, Results: m.answer(p, q.Limit)}, true
	}
	return Response{}, false
}

func (m *matcher) hasIdentifier(usage uint32, id string) bool {
	_, local, _ := strings.Cut(id, ":")
	for _, which := range []file.TextName{file.ID, file.IPNI, file.WFO} {
		if m.ix.Text(usage, which) == local {
			return true
		}
	}
	return false
}

// labelled is a usage that a Chinese name or pinyin leads to.
type labelled struct{ usage, kind uint32 }

// lookLabel returns what a folded Chinese name, or pinyin without tones, leads
// to; fits decides on the label's own text.
func (m *matcher) lookLabel(key string, fits func(text string, kind uint32) bool) []labelled {
	ix := m.ix
	var found []labelled

	for n := range ix.Values(file.ByLabel, []byte(key)) {
		l := ix.Labels[n]
		if fits(ix.SharedText(l.Text), l.Kind) {
			found = append(found, labelled{l.Usage, l.Kind})
		}
	}
	return found
}

// chinese matches a name with Chinese characters: they are looked up as
// Chinese name and alias, Latin words beside them as a scientific name, and
// the two confirm each other.
func (m *matcher) chinese(q Query) Response {
	hanPart, latinPart := splitScripts(q.Name)
	found := m.lookChinese(hanPart)
	if len(found) == 0 {
		for _, part := range chineseParts(hanPart) {
			found = append(found, m.lookChinese(part)...)
		}
	}
	if latinPart != "" {
		if r, ok := m.confirmed(q, latinPart, found); ok {
			return r
		}
	}
	r := Response{CanonicalName: Text(strings.TrimSpace(hanPart)), MatchedVia: ViaNone, Results: []Entry{}}
	latin := false // there is a scientific name that led nowhere
	if latinPart != "" {
		if c := m.parser.Parse(latinPart).Canonical; c != "" {
			r.CanonicalName, latin = Text(c), true
		}
	}
	if len(found) == 0 {
		return r
	}
	m.fromLabels(found)
	r.MatchedVia = ViaChineseName
	if found[0].kind == file.LabelAlias {
		r.MatchedVia = ViaChineseAlias
	}
	m.unconfirmed = latin
	r.Results = m.answerLabels(&parse.Name{}, q, found)
	m.unconfirmed = false
	return r
}

// lookChinese returns what a Chinese name leads to.
func (m *matcher) lookChinese(name string) []labelled {
	key := han.Fold(name)
	m.note("Chinese name: %s", key)
	found := m.lookLabel(key, func(text string, kind uint32) bool { return kind < file.LabelPinyin && text == key })
	return preferAutonyms(found, han.Noted(name))
}

// chineseParts are the parts of a text of several Chinese words, without the
// families and genera among them: 人参 of 人参（五加科）.
func chineseParts(s string) []string {
	parts := strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("()（）[]［］/／,，、;；:：", r)
	})
	if len(parts) < 2 {
		return nil
	}
	return slices.DeleteFunc(parts, func(p string) bool {
		return strings.HasSuffix(p, "科") || strings.HasSuffix(p, "属") || strings.HasSuffix(p, "屬")
	})
}

// preferAutonyms keeps the autonyms if the name says 原变种 or the like, else
// the others, as far as there are any.
func preferAutonyms(found []labelled, noted bool) []labelled {
	var kept []labelled
	for _, l := range found {
		if (l.kind == file.LabelAutonym) == noted {
			kept = append(kept, l)
		}
	}
	if len(kept) == 0 {
		return found
	}
	return kept
}

// confirmed matches the Latin part and prefers what the Chinese name leads to
// as well. It reports false if the Latin part leads no lower than a genus.
func (m *matcher) confirmed(q Query, latin string, found []labelled) (Response, bool) {
	all := q
	all.Name, all.Limit = latin, MaxLimit
	p := m.parser.Parse(latin)
	if len(found) > 0 && (len(p.Keys) == 0 || len(p.Keys[0].Text) == p.Keys[0].Genus) {
		return Response{}, false
	}
	r := m.latin(p, all)
	if len(r.Results) == 0 || r.MatchedVia == ViaHigherRank && len(found) > 0 {
		m.reset()
		return Response{}, false
	}
	first := -1
	for i := range r.Results {
		if i < len(m.cands) && slices.ContainsFunc(found, func(l labelled) bool { return m.leadsTo(l, &m.cands[i], &r.Results[i]) }) {
			first = i
			break
		}
	}
	if first >= 0 {
		e := r.Results[first]
		if first > 0 {
			copy(r.Results[1:first+1], r.Results[:first])
			r.Results[0] = e
		}
		confirmed := min(1, e.Score+0.1)
		if m.explain {
			r.Results[0].ScoreParts = append(r.Results[0].ScoreParts, ScorePart{Reason: "the Chinese name confirms it", Value: confirmed - e.Score})
		}
		r.Results[0].Score = float64(int(confirmed*100+0.5)) / 100
		r.Results[0].Flags = without(r.Results[0].Flags, "ambiguous")
		r.MatchedVia = m.via(&m.cands[first])
	} else if len(found) > 0 && found[0].kind != file.LabelAlias && r.Results[0].Score > labelContradicts {
		e := &r.Results[0]
		if m.explain {
			e.ScoreParts = append(e.ScoreParts, ScorePart{Reason: "the Chinese name is another plant's", Value: labelContradicts - e.Score})
		}
		e.Score = labelContradicts
	}
	if len(r.Results) > q.Limit {
		r.Results = r.Results[:q.Limit]
	}
	return r, true
}

// leadsTo says whether a Chinese name leads to the taxon of c, which e
// describes, if only under the name that the database or Catalogue of Life
// China prefers.
func (m *matcher) leadsTo(l labelled, c *candidate, e *Entry) bool {
	ix := m.ix
	u := &ix.Usages[l.usage]
	if u.Concept == c.concept {
		return true
	}
	if u.Record != 0 {
		return e.EntryID != nil && int32(ix.Records[u.Record-1].EntryID) == *e.EntryID
	}
	return ix.Name(l.usage) == string(e.AcceptedNameColChina)
}

func without(list []string, s string) []string {
	out := make([]string, 0, len(list))
	for _, t := range list {
		if t != s {
			out = append(out, t)
		}
	}
	return out
}

// fromLabels makes candidates of the usages that labels lead to.
func (m *matcher) fromLabels(found []labelled) {
	m.cands = m.cands[:0]
	for _, l := range found {
		m.cands = append(m.cands, candidate{usage: l.usage, concept: m.ix.Usages[l.usage].Concept, author: fitNotGiven, homonym: 1})
	}
}

// answerLabels scores what Chinese names and pinyin lead to: the same name
// counts as an exact match, an alias or a reading for less, several species
// for less still.
func (m *matcher) answerLabels(p *parse.Name, q Query, found []labelled) []Entry {
	kind := make(map[uint32]uint32)
	for _, l := range found {
		if k, ok := kind[m.ix.Usages[l.usage].Concept]; !ok || l.kind < k {
			kind[m.ix.Usages[l.usage].Concept] = l.kind
		}
	}
	best := found[0].kind
	for _, l := range found {
		best = min(best, l.kind)
	}
	equals := 0
	for _, k := range kind {
		if k == best {
			equals++
		}
	}
	m.labelScore = func(c *candidate) (string, float64) {
		k := kind[c.concept]
		v := labelScores[k]
		if len(kind) > 1 {
			v -= 0.2
		}
		if k > best {
			v -= 0.2
		} else if equals > 1 && v > labelShared {
			return labelReasons[k] + " of several plants", labelShared
		}
		if m.unconfirmed && v > labelUnconfirmed {
			return labelReasons[k] + ", but the Latin name beside it is unknown", labelUnconfirmed
		}
		return labelReasons[k], v
	}
	defer func() { m.labelScore = nil }()
	return m.answer(p, q.Limit)
}

var (
	labelScores  = [...]float64{file.LabelName: 0.98, file.LabelList: 0.96, file.LabelAlias: 0.85, file.LabelAutonym: 0.98, file.LabelPinyin: 0.80, file.LabelPinyin2: 0.65}
	labelReasons = [...]string{"Chinese name", "Chinese name in a checklist", "another Chinese name", "Chinese name of an autonym", "pinyin of the Chinese name", "pinyin of another Chinese name"}
)

// labelUnconfirmed is the most that a Chinese name is worth beside a Latin
// name that is in no checklist.
const labelUnconfirmed = 0.75

// labelShared is the most that a Chinese name is worth that several plants
// bear with equal right; pinyin of several is worth no less than one in two.
const labelShared = 0.50

// labelContradicts is the most that a scientific name is worth beside the
// Chinese name of another plant.
const labelContradicts = 0.85

// splitScripts parts a text into its Chinese and its Latin words.
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
	return h.String(), strings.Trim(l.String(), " ,;()/[]")
}

// pinyin answers a text that no scientific name fits if it reads like the
// pinyin of a Chinese name; nil if it does not.
func (m *matcher) pinyin(s string, q Query) *Response {
	folded := pinyin.Joined(s)
	if folded == "" {
		return nil
	}
	found := m.lookLabel("~"+pinyin.WithoutTones(folded), func(text string, kind uint32) bool {
		return kind >= file.LabelPinyin && pinyin.SameReading(folded, text)
	})
	if len(found) == 0 {
		return nil
	}
	m.reset()
	m.note("pinyin: %s", s)
	m.fromLabels(found)
	return &Response{CanonicalName: Text(s), MatchedVia: ViaPinyin, Results: m.answerLabels(&parse.Name{}, q, found)}
}
