package search

import (
	"cmp"
	"context"
	"strings"

	"bencao/mappings"
	"bencao/mappings/internal/matchers"
	"bencao/mappings/internal/reading"
	"bencao/names/complaint"
	"bencao/names/han"
)

// inIndications is the part of formulas that has the complaints.
const inIndications = "indications"

// complaints returns the names that a complaint may have in indications: its own name and the old ones,
// or the Chinese ones of an English name.
func complaints(text string) []string {
	if han.Has(text) {
		return append([]string{text}, complaint.Older(text)...)
	}
	return complaint.Chinese(text)
}

// runComplaint searches the indications of formulas for a complaint. It reports whether it found
// anything.
func (s *Searcher) runComplaint(ctx context.Context, b *buffers, q Query, rewrite mappings.Rewrite, allowed []uint64, record *recorder) (bool, error) {
	q.In, rewrite.In = inIndications, inIndications
	switch names := complaints(rewrite.ReadAs); len(names) {
	case 0:
		return false, nil
	case 1:
		rewrite.ReadAs = names[0]
	default:
		place, err := s.against(ctx, b, names, allowed)
		if place.Total == 0 || err != nil {
			return false, err
		}
		rewrite.ReadAs = place.Text
	}
	if err := s.find(ctx, b, q, rewrite.ReadAs, allowed, record); err != nil {
		return false, err
	}
	if !b.Hits.Any() {
		record.restart()
		return false, nil
	}
	b.rewrite = rewrite
	return true, nil
}

// against counts the allowed formulas that have a complaint in their indications, by the first of
// its names that any of them has, or a later one that clearly more have.
func (s *Searcher) against(ctx context.Context, b *buffers, names []string, allowed []uint64) (most mappings.Place, err error) {
	for _, name := range names {
		n, err := s.count(ctx, b, name, inIndications, allowed)
		if err != nil {
			return most, err
		}
		if n > most.Total*clearly {
			most = mappings.Place{In: inIndications, Text: name, Total: n}
		}
	}
	return most, nil
}

// elsewhere counts the records that contain the text of a query in characters in other parts than
// the searched one. Of a complaint it counts the indications that have it by another name. It counts
// nothing for a query that was read as herbs, books, authors or dynasties, and no names with the text
// if a search of the names would read it so.
func (s *Searcher) elsewhere(ctx context.Context, b *buffers, q Query, text string) (places []mappings.Place, err error) {
	if b.rewrite.Question {
		text = b.rewrite.ReadAs
	}
	if len(s.parts) < 2 || len(b.recognised) > 0 {
		return nil, nil
	}
	searched := cmp.Or(b.rewrite.In, q.In, ofNames)
	for _, part := range s.parts {
		switch {
		case part == searched:
		case part == inIndications:
			place, err := s.against(ctx, b, complaints(text), b.allowed)
			if err != nil {
				return nil, err
			}
			if place.Total > 0 {
				places = append(places, place)
			}
		case part == ofNames && strings.ContainsFunc(text, separates):
		case han.Has(text):
			isProperty, err := s.lazy.isProperty(text)
			if err != nil {
				return nil, err
			}
			if part == ofNames && isProperty {
				continue
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

// count returns the number of allowed records that contain a text in characters in a part.
func (s *Searcher) count(ctx context.Context, b *buffers, text, part string, allowed []uint64) (int, error) {
	rd := b.reading
	if rd.Raw != text {
		rd = reading.Read(text)
	}
	if rd.Script != reading.Characters {
		return 0, nil
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
