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

// runComplaint searches the indications of formulas for a complaint. It reports whether it found anything.
func (s *Searcher) runComplaint(ctx context.Context, b *buffers, q Query, rewrite mappings.Rewrite, record *recorder) (bool, error) {
	q.In, rewrite.In = inIndications, inIndications
	names := complaints(rewrite.ReadAs)
	if len(names) > 1 {
		place, err := s.against(ctx, b, q, names)
		if place.Total == 0 || err != nil {
			return false, err
		}
		names = []string{place.Text}
	}
	for _, name := range names {
		if err := s.run(ctx, b, q, name, record); err != nil {
			return false, err
		}
		if b.Hits.Any() {
			rewrite.ReadAs = name
			b.rewrite = rewrite
			return true, nil
		}
		record.restart()
	}
	return false, nil
}

// against counts the formulas that have a complaint in their indications, by the first of its names that
// any formula has, or a later one that clearly more have.
func (s *Searcher) against(ctx context.Context, b *buffers, q Query, names []string) (most mappings.Place, err error) {
	for _, name := range names {
		places, err := s.places(ctx, b, q, name, inIndications)
		if err != nil {
			return most, err
		}
		if len(places) > 0 && places[0].Total > most.Total*clearly {
			most = places[0]
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
			place, err := s.against(ctx, b, q, complaints(text))
			if err != nil {
				return nil, err
			}
			if place.Total > 0 {
				places = append(places, place)
			}
		case part == ofNames && strings.ContainsFunc(text, separates):
		case han.Has(text):
			here, err := s.places(ctx, b, q, text, part)
			if err != nil {
				return nil, err
			}
			places = append(places, here...)
		}
	}
	return places, nil
}

// places counts the records that contain a text in characters in a part. It returns nil if there are none.
func (s *Searcher) places(ctx context.Context, b *buffers, q Query, text, part string) ([]mappings.Place, error) {
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
	b.Hits.Reset(allowed, nil)
	in := part
	if part == ofNames {
		in = ""
	}
	if err := s.finder.Find(ctx, b.Scratch, matchers.Request{Reading: &rd, In: in, Unforgiving: true}); err != nil {
		return nil, err
	}
	if total := b.Hits.Page(0, 0).Total; total > 0 {
		return []mappings.Place{{In: part, Text: text, Total: total}}, nil
	}
	return nil, nil
}
