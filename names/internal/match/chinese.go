package match

import (
	"slices"
	"strings"
	"unicode"

	"bencao/internal/null"
	"bencao/names/han"
	"bencao/names/internal/file"
	"bencao/names/internal/vocabulary"
	"bencao/names/internal/wordlist"
)

// chinese answers a text with Chinese characters: they are looked up as
// Chinese name and alias, Latin words beside them as a scientific name, and
// the two confirm each other.
func (q question) chinese() vocabulary.Response {
	hanPart, latinPart := splitScripts(q.query.Name)
	labels := q.chineseLabels(hanPart)
	if len(labels) == 0 {
		for _, part := range chineseParts(hanPart) {
			labels = append(labels, q.chineseLabels(part)...)
		}
	}
	herb, isDrug := druggist{q}.chineseDrug(hanPart, len(labels) > 0)
	genus := false
	if len(labels) == 0 && !isDrug {
		w := q.chineseWithin(hanPart)
		labels, genus = w.labels, w.more
	}
	if genus || len(labels) > 0 && !isDrug && (nameless(latinPart) || q.ofGenera(labels) && q.buf.parser.Parse(latinPart).OpenGenus) {
		latinPart, genus = "", true
	}
	r := nothing(strings.TrimSpace(hanPart))
	unconfirmed := false // there is a scientific name that led nowhere
	if latinPart != "" && !(isDrug && isDrugLatin(latinPart)) {
		known := labels
		if isDrug {
			known = append(slices.Clone(labels), herb.labels()...)
			q.query.NoFuzzy = q.query.NoFuzzy || !herb.isPlant()
		}
		if r, ok := q.confirmed(latinPart, known); ok {
			return r
		}
		if c := q.buf.parser.Parse(latinPart).Canonical; c != "" {
			r.CanonicalName, unconfirmed = null.Text(c), true
		}
	}
	if isDrug && !(herb.alias && !herb.isPlant() && len(labels) > 0) {
		most := 1.0
		if unconfirmed {
			most = labelUnconfirmed
		}
		return q.answerDrug(r, herb, labels, most)
	}
	if len(labels) == 0 {
		return r
	}
	if genus {
		return q.genusOnly(r, labels)
	}
	r.MatchedVia = labelVia(labels)
	r.Results = q.entries(q.weighLabels(labels, unconfirmed), q.query.Limit)
	return r
}

// nameless says whether the Latin words beside a Chinese name say that nobody
// named the species.
func nameless(latin string) bool {
	switch strings.Trim(latin, " .1234567890") {
	case "sp", "spp", "sp.", "spp.", "indet":
		return true
	}
	return false
}

// ofGenera says whether labels lead to genera alone.
func (q question) ofGenera(all []labelled) bool {
	return !slices.ContainsFunc(all, func(l labelled) bool { return strings.Contains(q.Name(l.usage), " ") })
}

// genusOnly answers a species of a genus that nobody named.
func (q question) genusOnly(r vocabulary.Response, labels []labelled) vocabulary.Response {
	all := q.weighLabels(labels, false)
	for i := range all {
		c := &all[i]
		if strings.Contains(q.Name(c.usage), " ") {
			continue // 人参 sp.: the name of a species
		}
		c.like, c.up, c.score = higherRank, 2, scoreGenus
		c.flags |= vocabulary.OpenNomenclature
		c.parts = nil
		r.MatchedVia = vocabulary.ViaHigherRank
	}
	if r.MatchedVia != vocabulary.ViaHigherRank {
		r.MatchedVia = vocabulary.ViaChineseName
	}
	r.Results = q.entries(all, q.query.Limit)
	return r
}

// chineseLabels returns what a Chinese name leads to. The everyday name of a
// crop is another name of what floras call it.
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

// labelsOf returns what a folded Chinese name leads to in the lists.
func (q question) labelsOf(key string) []labelled {
	return q.labels(key, func(text string, kind uint32) bool { return kind < file.LabelPinyin && text == key })
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

// confirmed answers the Latin part and prefers what the Chinese name leads to
// as well. It reports false if the Latin part leads no lower than a genus.
func (q question) confirmed(latin string, labels []labelled) (vocabulary.Response, bool) {
	limit := q.query.Limit
	q.query.Name, q.query.Limit = latin, vocabulary.MaxLimit
	r, all := q.text(latin)
	if len(r.Results) > 0 && !strings.Contains(string(r.Results[0].MatchedName), " ") && !q.ofGenera(labels) {
		r.Results = nil // a genus says less than the Chinese name
	}
	if len(r.Results) == 0 || r.MatchedVia == vocabulary.ViaHigherRank && len(labels) > 0 {
		q.steps.back(0)
		return vocabulary.Response{}, false
	}
	leads := func(i int) bool {
		return slices.ContainsFunc(labels, func(l labelled) bool { return q.leadsTo(l, &all[i].candidate, &r.Results[i]) })
	}
	first := 0
	for first < len(r.Results) && (first >= len(all) || !leads(first)) {
		first++
	}
	switch {
	case first < len(r.Results):
		e := r.Results[first]
		copy(r.Results[1:first+1], r.Results[:first])
		r.Results[0] = e
		q.change(&r.Results[0], "the Chinese name confirms it", min(1, e.Score+0.1))
		r.Results[0].Flags = e.Flags.Without(vocabulary.Ambiguous)
		r.MatchedVia = q.via(&all[first].candidate)
	case len(labels) > 0 && labels[0].kind != file.LabelAlias && r.Results[0].Score > labelContradicts:
		q.change(&r.Results[0], "the Chinese name is another plant's", labelContradicts)
	}
	r.Results = r.Results[:min(len(r.Results), limit)]
	return r, true
}

// change gives an entry another score for a reason.
func (q question) change(e *vocabulary.Entry, reason string, score float64) {
	if q.steps != nil {
		e.ScoreParts = append(e.ScoreParts, vocabulary.ScorePart{Reason: reason, Value: score - e.Score})
	}
	e.Score = rounded(score)
}

// leadsTo says whether a Chinese name leads to the taxon of c, which e
// describes, if only under the name that the database or Catalogue of Life
// China prefers.
func (v view) leadsTo(l labelled, c *candidate, e *vocabulary.Entry) bool {
	if v.Usages[l.usage].Concept == c.concept {
		return true
	}
	if r := v.RecordOf(l.usage); r != 0 {
		return e.EntryID != nil && int32(v.Records[r-1].EntryID) == *e.EntryID
	}
	return v.Name(l.usage) == string(e.AcceptedNameColChina)
}

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
