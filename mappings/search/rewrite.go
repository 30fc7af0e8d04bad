package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/names/herb/dose"
	"bencao/names/pinyin"
	"bencao/names/vernacular"
)

// People type more than a name: a question (人参的功效与作用, 治咳嗽的方), a name with its other name in
// brackets (Dang Gui (Angelica sinensis)), or a formula with an English word for its dose form
// (Guizhi decoction). runRewritten searches for what they mean.

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

// runRewritten reads a query as a question, as a name with another one in brackets, or as a name
// with an English dose form. It reports whether it found anything.
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
	var names []string // of a formula
	var herbs string
	if s.lazy.herbsRow >= 0 && !han.Has(text) {
		var err error
		if names, herbs, err = s.lazy.formulaNames(text); err != nil {
			return false, err
		}
	}
	if name := vernacular.Romanized(text); name != "" && s.lazy.herbsRow >= 0 { // かっこんとう is kakkontou
		found, err := first(text, name)
		if found == name {
			b.rewrite = mappings.Rewrite{ReadAs: name}
		}
		return found != "", err
	}
	about, what, err := s.asked(text, herbs)
	if err != nil {
		return false, err
	}
	if q.cuts >= mostCuts {
		what = nothingElse
	}
	if names != nil {
		found, err := s.closest(ctx, b, strict, append([]string{text}, names...), allowed, record)
		if found != "" && found != text {
			b.rewrite = mappings.Rewrite{ReadAs: found}
		}
		if found != "" || err != nil || q.Unforgiving && what == nothingElse {
			return found != "", err
		}
	}
	if what != nothingElse {
		if found, err := first(text); found != "" || err != nil {
			return true, err // a name with such words, not a question
		}
		if done, err := s.answerQuestion(ctx, b, q, about, what, allowed, record); done || err != nil {
			return done, err
		}
	}
	if names == nil || q.Unforgiving {
		return false, nil
	}
	b.rewrite = mappings.Rewrite{ReadAs: names[0]}
	return true, s.find(ctx, b, q, names[0], allowed, record)
}

// asked returns the subject of a question, and the kind of record that it asks for. herbs are the
// herbs of formulas that the text names in another language, or "".
func (s *Searcher) asked(text, herbs string) (about string, what wants, err error) {
	if herbs != "" {
		return herbs, formulasWith, nil
	}
	about, what = question(text)
	switch {
	case what != aRecord && s.lazy.herbsRow < 0:
		what = nothingElse
	case what == formulasOf:
		isTitle, err := s.lazy.isProperty(text)
		if err != nil {
			return "", what, err
		}
		if isTitle { // 千金方 is no question about the formulas of 千金
			what = nothingElse
		}
	}
	return about, what, nil
}

// reader searches for what a text means if it is read in one way. It reports whether it found anything.
type reader func(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error)

// runList reads a text as the parts of a query without separators, as herbs in Latin letters
// (huanglian wuzhuyu), or as a book, an author or a dynasty beside herbs or a name in Latin letters
// (Jingui wenjing tang). It keeps the hits if the text is nothing of these.
func (s *Searcher) runList(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (err error) {
	var rewrite mappings.Rewrite
	read := s.runParts
	if han.Has(text) {
		if b.Hits.Verdict() == mappings.OtherForm.Verdict() || utf8.RuneCountInString(text) < 4 {
			return nil
		}
		rewrite, read, err = s.cut(text)
	} else {
		rewrite.ReadAs, err = s.lazy.listed(text)
	}
	if rewrite.ReadAs == "" || err != nil {
		return err
	}
	if done, err := s.runAs(ctx, b, q, rewrite, read, allowed, record); done || err != nil {
		return err
	}
	return s.find(ctx, b, q, text, allowed, record)
}

// cut returns the parts that a text without separators, or a question, consists of (菟丝子五味子,
// 张仲景的含麻黄的方), and how to read them. It returns nothing for other texts.
func (s *Searcher) cut(text string) (rewrite mappings.Rewrite, read reader, err error) {
	p, err := s.lazy.propertiesOf()
	if p == nil || err != nil {
		return rewrite, nil, err
	}
	parts, asked := p.cut(text)
	rewrite = mappings.Rewrite{ReadAs: strings.Join(parts, " "), Question: asked}
	switch {
	case len(parts) > 1:
		return rewrite, s.runParts, nil
	case !asked:
		return mappings.Rewrite{}, nil, nil
	case complaint.Known(rewrite.ReadAs):
		return rewrite, func(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error) {
			return s.runComplaint(ctx, b, q, rewrite, allowed, record)
		}, nil
	}
	return rewrite, func(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error) {
		return s.runProperties(ctx, b, q, text, false, allowed, record)
	}, nil
}

// runAs searches for the text as which a query is read. It reports whether it found anything.
func (s *Searcher) runAs(ctx context.Context, b *buffers, q Query, rewrite mappings.Rewrite, read reader, allowed []uint64, record *recorder) (bool, error) {
	record.restart()
	done, err := read(ctx, b, q, rewrite.ReadAs, allowed, record)
	if b.rewrite.In != "" {
		rewrite.ReadAs, rewrite.In = b.rewrite.ReadAs, b.rewrite.In // the complaint that was searched
	}
	if done {
		b.rewrite = rewrite
	}
	return done, err
}

// closest searches for the names, and returns the one of which most is found: a whole name, then one
// with another dose form, then the beginning of a name. It returns "" if none is found.
func (s *Searcher) closest(ctx context.Context, b *buffers, q Query, names []string, allowed []uint64, record *recorder) (found string, err error) {
	for _, accepts := range []func(mappings.Verdict) bool{
		func(v mappings.Verdict) bool { return v == mappings.Verdict{} },
		func(v mappings.Verdict) bool { return v == mappings.OtherForm.Verdict() },
		func(v mappings.Verdict) bool { return v == mappings.Prefix.Verdict() },
		func(mappings.Verdict) bool { return true },
	} {
		for _, name := range names {
			if err := s.find(ctx, b, q, name, allowed, record); err != nil {
				return "", err
			}
			if b.Hits.Any() && accepts(b.Hits.Verdict()) {
				return name, nil
			}
			record.restart()
		}
	}
	return "", nil
}

// answerQuestion searches for what a question asks about. It reports whether it found anything.
func (s *Searcher) answerQuestion(ctx context.Context, b *buffers, q Query, about string, what wants, allowed []uint64, record *recorder) (bool, error) {
	rewrite := mappings.Rewrite{ReadAs: strings.TrimSpace(about), Question: true}
	if what == formulasOf || what == formulasWith {
		properties, err := s.properties(rewrite.ReadAs, what)
		if err != nil {
			return false, err
		}
		for _, text := range properties {
			if read, err := s.runProperties(ctx, b, q, text, what == formulasWith, allowed, record); read || err != nil {
				rewrite.ReadAs = text
				b.rewrite = rewrite
				return read, err
			}
		}
	}
	if what != aRecord && han.Has(about) && !complaint.Known(about) {
		parts, read, err := s.cut(about)
		if err != nil {
			return false, err
		}
		if read != nil {
			parts.Question = true
			if done, err := s.runAs(ctx, b, q, parts, read, allowed, record); done || err != nil {
				return done, err
			}
		}
	}
	if what == formulasOf { // 桂枝汤的方子
		strict := q
		strict.Unforgiving = true
		if err := s.find(ctx, b, strict, rewrite.ReadAs, allowed, record); err != nil || b.Hits.Best() == mappings.MaxTier {
			b.rewrite = rewrite
			return true, err
		}
		record.restart()
		if isHerb, err := s.lazy.isHerb(about); err != nil {
			return false, err
		} else if !isHerb {
			what = formulasFor
		}
	}
	if what == formulasFor {
		return s.runComplaint(ctx, b, q, rewrite, allowed, record)
	}
	q.cuts++
	if err := s.runAllowed(ctx, b, q, rewrite.ReadAs, allowed, record); err != nil || !b.Hits.Any() {
		record.restart()
		return false, err
	}
	b.rewrite = rewrite
	return true, nil
}

// properties returns the texts in Chinese that may be the books, authors, dynasties or herbs that a
// question is about.
func (s *Searcher) properties(about string, what wants) (texts []string, err error) {
	if han.Has(about) {
		return []string{about}, nil
	}
	property := ""
	if what == formulasOf {
		if property, err = s.lazy.propertyInChinese(about); err != nil {
			return nil, err
		}
	}
	herbs, err := s.lazy.herbsInChinese(about)
	return slices.DeleteFunc([]string{property, herbs}, func(text string) bool { return text == "" }), err
}

// partsInBrackets splits a text at separators and brackets.
func partsInBrackets(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return separates(r) || strings.ContainsRune("()[]（）【】", r) })
}

// runInFamily searches for a name beside that of its family: 蔷薇科 悬钩子属, Nerium (Apocynaceae). It reports
// whether it found anything.
func (s *Searcher) runInFamily(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error) {
	if !s.named || !strings.Contains(text, "科") && !strings.Contains(text, "ae") {
		return false, nil
	}
	families, err := s.lazy.column("family")
	switch {
	case errors.Is(err, ErrQuery): // the records have no families
		return false, nil
	case err != nil:
		return false, err
	}
	words := partsInBrackets(text)
	for i, word := range words {
		if len(words) == 1 || !strings.HasSuffix(word, "科") && !strings.HasSuffix(word, "ae") {
			continue
		}
		passed := b.Hits.None()
		if families.Find(word, passed); size(passed) == 0 {
			continue
		}
		intersect(passed, allowed)
		q.Unforgiving = true
		err = s.find(ctx, b, q, strings.Join(slices.Delete(words, i, i+1), " "), passed, record)
		if err != nil || size(b.Hits.All()) > 0 {
			return true, err
		}
		record.restart()
		break
	}
	return false, nil
}

// withoutDose cuts the dose off the end of a text that was copied from a prescription: 黄芪 for 黄芪
// 30g. It returns "" for a dose alone.
func withoutDose(text string) string {
	for i, r := range text {
		if !dose.Begins(r) {
			continue
		}
		if _, err := dose.Parse(text[i:]); err == nil {
			return strings.TrimLeft(strings.TrimSpace(text[:i]), "·• ")
		}
	}
	return text
}

// runWithoutDose searches for a herb with its dose. It keeps the hits if the text has no dose or
// nothing is found.
func (s *Searcher) runWithoutDose(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error) {
	name := withoutDose(text)
	if !s.named || name == "" || name == text || q.cuts >= mostCuts {
		return false, nil
	}
	record.restart()
	q.cuts++
	if err := s.runAllowed(ctx, b, q, name, allowed, record); err != nil || b.Hits.Any() {
		b.rewrite.ReadAs, b.rewrite.Question = cmp.Or(b.rewrite.ReadAs, name), true
		return true, err
	}
	record.restart()
	return false, s.find(ctx, b, q, text, allowed, record)
}

// runCharacters searches for a name in characters that has its pinyin or a translation beside it:
// 归脾汤 (Guipi Tang). It keeps the hits if the text is nothing of the kind or nothing is found.
func (s *Searcher) runCharacters(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error) {
	if !s.named || !han.Has(text) || !strings.ContainsFunc(text, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }) {
		return false, nil
	}
	var name, letters string
	for _, word := range partsInBrackets(text) {
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
	sound := isPinyin(letters)
	own := sound && mayRead(name, letters)
	if sound && !own && s.lazy.herbsRow >= 0 {
		return false, nil
	}
	record.restart()
	strict := q
	strict.Unforgiving = true
	among := [][]uint64{allowed}     // the records among which the name is searched, in turn
	if s.lazy.herbsRow < 0 && !own { // a scientific or English name, or else a translation
		if err := s.find(ctx, b, strict, letters, allowed, record); err != nil {
			return true, err
		}
		switch {
		case b.Hits.Any() && s.isTranslation(b.Hits.Best()): // flower, which ends the names of other plants
			among = [][]uint64{b.Hits.All(), allowed}
		case b.Hits.Any():
			among = [][]uint64{b.Hits.All()}
		case sound:
			among = nil
		}
		record.restart()
	}
	for _, records := range among {
		if err := s.find(ctx, b, strict, name, records, record); err != nil || size(b.Hits.All()) > 0 {
			b.rewrite = mappings.Rewrite{ReadAs: name, Question: true}
			return true, err
		}
		record.restart()
	}
	return false, s.find(ctx, b, q, text, allowed, record)
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
