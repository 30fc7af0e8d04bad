package search

import (
	"cmp"
	"context"
	"math"
	"strings"
	"unicode"

	"bencao/mappings"
	"bencao/mappings/internal/matchers"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/complaint"
	"bencao/names/han"
)

// inIndications is the part of formulas that has the complaints.
const inIndications = mappings.IndicationsField

// addComplaint adds to the hits the formulas whose indications have a complaint by any of its names.
func (s *Searcher) addComplaint(ctx context.Context, b *buffers, names []string, record *recorder) error {
	b.names = names
	for i, name := range names {
		rd := b.reading
		if rd.Raw != name {
			rd = reading.Read(name)
		}
		if i == 0 {
			b.reading = rd
			record.read(&b.reading, s.index.Rows)
		}
		if err := s.finder.Find(ctx, b.Scratch, matchers.Request{Reading: &rd, In: inIndications, Unforgiving: true, PageEnd: math.MaxInt, Trace: record.tracing()}); err != nil {
			return err
		}
	}
	return nil
}

// against counts the allowed formulas that have a complaint in their indications, by any of its names.
func (s *Searcher) against(ctx context.Context, b *buffers, text string, allowed []uint64) (place mappings.Place, err error) {
	names := complaint.Names(text)
	if len(names) == 0 {
		return place, nil
	}
	defer func(searched []string) { b.names = searched }(b.names)
	b.Hits.Reset(allowed, nil)
	if err := s.addComplaint(ctx, b, names, nil); err != nil {
		return place, err
	}
	return mappings.Place{In: inIndications, Text: names[0], Total: b.Hits.Page(0, 0).Total}, nil
}

// elsewhere counts the records that contain the text of a query in characters in other parts than
// the searched one. Of a complaint it counts the indications that have it by another name. It counts
// nothing for a query that was read as herbs, books, authors or dynasties, and no names with the text
// if a search of the names would read it so.
func (s *Searcher) elsewhere(ctx context.Context, b *buffers, q Query, text string) (places []mappings.Place, err error) {
	if b.rewrite.Question {
		text = b.rewrite.ReadAs
	}
	text = withoutSigns(text)
	if len(s.parts) < 2 || len(b.recognised) > 0 {
		return nil, nil
	}
	searched := cmp.Or(b.rewrite.In, q.In, ofNames)
	for _, part := range s.parts {
		switch {
		case part == searched:
		case part == inIndications:
			place, err := s.against(ctx, b, text, b.allowed)
			if err != nil {
				return nil, err
			}
			if place.Total > 0 {
				places = append(places, place)
			}
		case han.Has(text):
			if part == ofNames { // a search of the names reads 清 as the dynasty, and 半夏 茯苓 as herbs
				isProperty, err := s.lazy.isProperty(text)
				if err != nil {
					return nil, err
				}
				if isProperty || strings.ContainsFunc(text, separates) {
					continue
				}
			}
			n, err := s.count(ctx, b, text, part, b.allowed)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				places = append(places, mappings.Place{In: part, Text: text, Total: n})
			}
		}
	}
	return places, nil
}

// withoutSigns returns a text without the signs around it: 桂枝汤 of 桂枝汤？ and of 《桂枝汤》, but all of
// 桂枝汤（伤寒）.
func withoutSigns(text string) string {
	isSign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }
	isBracket := func(r rune) bool { return unicode.In(r, unicode.Ps, unicode.Pe) }
	if inside := strings.TrimFunc(text, isSign); !strings.ContainsFunc(inside, isBracket) {
		return inside
	}
	return strings.TrimFunc(text, func(r rune) bool { return isSign(r) && !isBracket(r) })
}

// withHerb returns the number of allowed formulas with the herb that a text names, or 0 if it names no
// herb or was read as something else than a name.
func (s *Searcher) withHerb(b *buffers, q Query, text string) (int, error) {
	p, err := s.lazy.propertiesOf()
	if p == nil || err != nil || q.NoHerbs || q.In != "" && q.In != ofNames || len(b.recognised) > 0 || b.rewrite.In != "" || !han.Has(text) {
		return 0, err
	}
	var names []string
	for _, v := range p.herbsNamed(terms.ChineseKey(text)) {
		names = append(names, p.herbs.Values[v].Text)
	}
	if len(names) == 0 {
		return 0, nil
	}
	having := p.having([][]string{q.herbsOr(text, names)})
	intersect(having, b.allowed)
	return size(having), nil
}

// count returns the number of allowed records that contain a text in characters in a part.
func (s *Searcher) count(ctx context.Context, b *buffers, text, part string, allowed []uint64) (int, error) {
	rd := b.reading
	if rd.Raw != text {
		rd = reading.Read(text)
	}
	b.Hits.Reset(allowed, nil)
	in := part
	if part == ofNames {
		in = ""
	}
	if err := s.finder.Find(ctx, b.Scratch, matchers.Request{Reading: &rd, In: in, Unforgiving: true}); err != nil {
		return 0, err
	}
	return b.Hits.Page(0, 0).Total, nil
}
