package ways

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
	if len(rd.Runes) < 2 || len(rd.Runes) > maxRunes {
		return
	}
	name := l.asDrug(rd)
	if name.known || l.anyNamed(l.rows.names, rd.Key) {
		return
	}
	l.tried(why)
	for _, r := range name.readings {
		if p := l.find(why.Row, mappings.Whole, terms.ChineseKey(r.Base)); !r.Whole() && !p.Empty() {
			l.take(p, why, nil)
			return
		}
	}
}

// drugName is a query in characters as the name of a drug.
type drugName struct {
	read     bool // the rest is known
	known    bool // a species or one of its drugs has the name
	readings []drug.Reading
}

// asDrug reads a query in characters as the name of a drug, once.
func (l *lookup) asDrug(rd *reading.Reading) *drugName {
	d := &l.drugName
	if !d.read {
		d.read = true
		d.known = l.anyNamed(l.rows.own, rd.Key)
		if !d.known {
			d.readings = drug.Read(rd.Key)
		}
	}
	return d
}

// anyNamed says whether a record has the name in one of the rows.
func (l *lookup) anyNamed(rows []int, name string) bool {
	return slices.ContainsFunc(rows, func(row int) bool { return !l.find(row, mappings.Whole, name).Empty() })
}

// drugLatin finds the drugs that have a pharmaceutical Latin name.
func drugLatin(l *lookup, rd *reading.Reading, why hits.Why) {
	found := drug.Latin(rd.Text)
	if len(found) == 0 {
		return
	}
	l.tried(why)
	for _, f := range found {
		l.look(mappings.Whole, terms.ChineseKey(f.Name), why, nil)
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
	if l.rows.noPlant < 0 || rd.Literal || len(rd.Runes) > maxRunes {
		return false
	}
	var found []drug.Found
	switch {
	case rd.Script == reading.Letters && len(rd.Words) > 0:
		found = drug.Latin(rd.Text)
	case rd.Script == reading.Characters && len(rd.Runes) > 1:
		for _, r := range l.asDrug(rd).readings {
			if len(r.Parts) > 0 {
				continue
			}
			if !l.find(l.rows.noPlant, mappings.Whole, terms.ChineseKey(r.Base)).Empty() {
				return true
			}
			if found = drug.Named(r); len(found) > 0 {
				break
			}
		}
	}
	return len(found) > 0 && !slices.ContainsFunc(found, func(f drug.Found) bool { return f.IsPlant() || f.Unsure })
}
