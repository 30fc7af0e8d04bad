package search

import (
	"slices"
	"strings"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/drug"
)

// processed finds the drug of which the query is a processed form or a part: the
// longest name that is left of it. A name that is known whole is none.
func processed(l *lookup, rd *reading.Reading, why hits.Why) {
	if len(rd.Runes) < 2 || len(rd.Runes) > maxRunes || l.known(rd.Key) {
		return
	}
	l.tried(why)
	for _, r := range drug.Read(rd.Key) {
		if p := l.find(why.Row, mappings.Whole, terms.ChineseKey(r.Base)); !r.Whole() && !p.Empty() {
			l.take(p, why, nil)
			return
		}
	}
}

// row is the place of a row, or -1.
func (l *lookup) row(name string) int {
	return slices.IndexFunc(l.Rows, func(r mappings.Row) bool { return r.Name == name })
}

// known says whether a species or one of its drugs has the name.
func (l *lookup) known(key string) bool {
	for _, name := range []string{"chineseName", "drug"} {
		if row := l.row(name); row >= 0 && !l.find(row, mappings.Whole, key).Empty() {
			return true
		}
	}
	return false
}

// drugLatin finds the drugs that have a pharmaceutical Latin name.
func drugLatin(l *lookup, rd *reading.Reading, why hits.Why) {
	found := drug.Latin(rd.Text)
	if len(found) == 0 {
		return
	}
	l.tried(why)
	for _, f := range found {
		if f.IsPlant() {
			l.look(mappings.Whole, terms.ChineseKey(f.Name), why, nil)
		}
	}
}

// latinStem finds the genus or the species that a pharmaceutical Latin name is
// made of, if it is none that the table of drugs knows.
func latinStem(l *lookup, rd *reading.Reading, why hits.Why) {
	if !drug.HasPart(rd.Text) || len(drug.Latin(rd.Text)) > 0 {
		return
	}
	n, ok := drug.ReadLatin(rd.Text)
	if !ok {
		return
	}
	l.tried(why)
	of := func(name string) index.Postings {
		if words := strings.Fields(name); len(words) > 1 {
			return l.find(why.Row, mappings.Whole, strings.Join(words, "_"))
		}
		return l.find(why.Row, mappings.Genus, name)
	}
	for _, name := range n.Nominatives(func(name string) bool { return !of(name).Empty() }) {
		l.take(of(name), why, nil)
	}
}

// noPlant says whether a query names a drug that is known to be no plant: by the
// operator's table or by the table of drugs, as it stands or processed. A part,
// such as 草 or 花, is a plant's.
func (l *lookup) noPlant(rd *reading.Reading) bool {
	row := l.row(mappings.NoPlant)
	if row < 0 || rd.Literal || len(rd.Runes) > maxRunes {
		return false
	}
	var found []drug.Found
	switch {
	case rd.Script == reading.Letters && len(rd.Words) > 0:
		found = drug.Latin(rd.Text)
	case rd.Script == reading.Characters && len(rd.Runes) > 1 && !l.known(rd.Key):
		for _, r := range drug.Read(rd.Key) {
			if len(r.Parts) > 0 {
				continue
			}
			if !l.find(row, mappings.Whole, terms.ChineseKey(r.Base)).Empty() {
				return true
			}
			if found = drug.Named(r); len(found) > 0 {
				break
			}
		}
	}
	return len(found) > 0 && !slices.ContainsFunc(found, func(f drug.Found) bool { return f.IsPlant() || f.Unsure })
}

// names says whether a step looks for the very name: what is no plant can only
// be the name of one by chance, and then it is that name.
func (s *step) names(rows []mappings.Row) bool {
	own := []string{"chineseName", "scientificName", "drug"}
	return s.why.Way == mappings.Whole && slices.Contains(own, rows[s.why.Row].Name)
}
