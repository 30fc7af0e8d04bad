package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// The stored detail of a formula leaves out two parts, which are filled in when the detail is read:
//
//   - the herbs and species that the ingredients link to. A few herbs are in most formulas, so the
//     JSON of each linked species and herb is stored once, in the bucket formulaLinks. A link in
//     the detail is a mark and a record number.
//   - the lists of similar formulas, see similarity.go.

// relationField is the start of the last field of a link to a herb.
const relationField = `,"relation":"`

// ingredients renders the ingredients of a formula as they are stored.
func (d *Data) ingredients(f *Formula) (Template, error) {
	out := Template("[")
	for i, in := range f.Ingredients {
		one, err := render(FormulaIngredient{Seq: in.Seq, Herb: in.Herb, Dose: Text(in.Dose), Grams: in.Grams, Note: Text(in.Note), Role: Text(in.Role)}, 0)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		one = putLinks(one, "species", markSpecies, in.Species, nil)
		out = append(out, putLinks(one, "herbs", markHerb, in.Herbs, in.Relations)...)
	}
	return append(out, ']'), nil
}

// putLinks replaces the null of a field with a list of links. The stored text of a link to a herb
// stops before its relation, so putLinks writes the relation after the mark.
func putLinks(answer Template, field string, mark byte, nums []Num, relations []string) Template {
	list := []byte{'['}
	for i, n := range nums {
		if i > 0 {
			list = append(list, ',')
		}
		list = binary.AppendUvarint(append(list, mark), uint64(n))
		if mark == markHerb {
			relation := "same"
			if i < len(relations) {
				relation = relations[i]
			}
			list = append(append(append(list, relationField...), relation...), `"}`...)
		}
	}
	return replaceNull(answer, field, append(list, ']'))
}

// packLinks returns the JSON of a link to each species and to each herb, by record number. The text
// for a species that no formula uses is empty.
func (d *Data) packLinks() (species, herbs textArray, err error) {
	linked := make([]bool, len(d.Species))
	for i := range d.Formulas {
		for _, in := range d.Formulas[i].Ingredients {
			for _, n := range in.Species {
				linked[n] = true
			}
		}
	}
	species, err = newTextArray(len(d.Species), func(out []byte, i int) ([]byte, error) {
		if !linked[i] {
			return out, nil
		}
		s := &d.Species[i]
		one, err := render(HerbSpecies{GUID: s.GUID, ChineseName: s.ChineseName, ScientificName: s.ScientificName, URL: speciesLink(s)}, ours(s.URL))
		if err != nil {
			return nil, fmt.Errorf("species %d: %w", i, err)
		}
		return append(out, one...), nil
	})
	if err != nil {
		return nil, nil, err
	}
	herbs, err = newTextArray(len(d.Herbs), func(out []byte, i int) ([]byte, error) {
		h := &d.Herbs[i]
		one, err := render(HerbLink{GUID: h.GUID, Name: h.Name, URL: herbLink(h)}, 1)
		if err != nil {
			return nil, fmt.Errorf("herb %d: %w", i, err)
		}
		return append(out, bytes.TrimSuffix(one, []byte(relationField+`"}`))...), nil
	})
	return species, herbs, err
}

// IngredientCounts has the number of ingredients of each formula, as two bytes, little-endian.
type IngredientCounts []byte

func (d *Data) packIngredientCounts() (IngredientCounts, error) {
	out := make(IngredientCounts, 0, 2*len(d.Formulas))
	for i := range d.Formulas {
		n := len(d.Formulas[i].Ingredients)
		if n > math.MaxUint16 {
			return nil, fmt.Errorf("formula %d has %d ingredients, more than %d", i, n, math.MaxUint16)
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
	}
	return out, nil
}

// Of returns the number of ingredients of a formula.
func (c IngredientCounts) Of(n Num) int {
	if at := 2 * int(n); at+2 <= len(c) {
		return int(binary.LittleEndian.Uint16(c[at:]))
	}
	return 0
}

// links holds the texts that packLinks returned.
type links struct{ species, herbs textArray }

func newLinks(t *Tx) links {
	return links{t.get(formulaLinks, []byte(TableSpecies)), t.get(formulaLinks, []byte(TableHerbs))}
}

// at returns the text of the link at the start of a template, and the size of the link's mark and
// number. It returns nil if the bytes are damaged.
func (l links) at(t Template) (link Template, size int) {
	texts := l.species
	if t[0] == markHerb {
		texts = l.herbs
	}
	n, digits := binary.Uvarint(t[1:])
	text, ok := texts.text(Num(n))
	if digits <= 0 || n >= 1<<32 || !ok || len(text) == 0 {
		return nil, 0
	}
	return text, 1 + digits
}

// appendDetail renders the stored detail of formula n, fills in its links and its lists of similar
// formulas, and appends the result to dst. It returns nil if the bytes are damaged.
func appendDetail(t *Tx, dst []byte, stored Template, n Num, site string, show Parts) []byte {
	links := newLinks(t)
	var similar similarReader
	for {
		at := firstMark(stored)
		dst = append(dst, stored[:at]...)
		if at == len(stored) {
			return dst
		}
		stored = stored[at:]
		size := 1
		switch mark := stored[0]; {
		case mark == markSite:
			dst = append(dst, site...)
		case isLink(mark):
			var link Template
			if link, size = links.at(stored); link == nil {
				return nil
			}
			dst = link.Append(dst, site, show)
		case mark == markSimilarity && show&Similarity != 0: // the stored part is empty; the lists are appended here
			if similar.Rest == nil {
				similar = newSimilarReader(t, n)
			}
			if dst = similar.appendList(dst, site, show); similar.Failed {
				return nil
			}
		case mark == markSimilarity, mark == markComposition && show&Composition == 0:
			dst, size = append(dst, "null"...), partEnd(stored)
		}
		stored = stored[size:]
	}
}
