package store

import "encoding/binary"

// linkShelves are the links of formulas to their species and herbs.
type linkShelves struct{ species, herbs shelf }

// shelvesOf returns those of a store.
func shelvesOf(t *Tx) linkShelves {
	return linkShelves{t.get(formulaLinks, []byte(TableSpecies)), t.get(formulaLinks, []byte(TableHerbs))}
}

// at returns the link whose mark a template begins with, and how many bytes of that it takes. It
// returns nil if the bytes are damaged.
func (l linkShelves) at(t Template) (link Template, size int) {
	of := l.species
	if t[0] == markHerb {
		of = l.herbs
	}
	n, digits := binary.Uvarint(t[1:])
	text, ok := of.text(Num(n))
	if digits <= 0 || n >= 1<<32 || !ok || len(text) == 0 {
		return nil, 0
	}
	return text, 1 + digits
}

// withLinks puts the links in the places of their marks. It returns nil if the bytes
// are damaged.
func (t *Tx) withLinks(resting Template) Template {
	if len(resting) == firstLink(resting) {
		return resting
	}
	links := shelvesOf(t)
	room := t.needRoom()
	before, out := len(room.rendered), room.rendered
	for {
		at := firstLink(resting)
		out = append(out, resting[:at]...)
		if at == len(resting) {
			break
		}
		link, size := links.at(resting[at:])
		if link == nil {
			return nil
		}
		out, resting = append(out, link...), resting[at+size:]
	}
	room.rendered = out
	return out[before:len(out):len(out)]
}

// firstLink is where the first mark of a link stands, or else the length.
func firstLink(t Template) int {
	i := firstMark(t)
	for i < len(t) && !isLink(t[i]) {
		i += 1 + firstMark(t[i+1:])
	}
	return i
}
