package store

import "encoding/binary"

// withLinks puts the links in the places of their marks. It returns nil if the bytes
// are damaged.
func (t *Tx) withLinks(resting Template) Template {
	if len(resting) == firstLink(resting) {
		return resting
	}
	species, herbs := shelf(t.get(formulaLinks, []byte(TableSpecies))), shelf(t.get(formulaLinks, []byte(TableHerbs)))
	room := t.needRoom()
	before, out := len(room.rendered), room.rendered
	for {
		at := firstLink(resting)
		out = append(out, resting[:at]...)
		if at == len(resting) {
			break
		}
		of := species
		if resting[at] == markHerb {
			of = herbs
		}
		n, size := binary.Uvarint(resting[at+1:])
		link, ok := of.text(Num(n))
		if size <= 0 || n >= 1<<32 || !ok || len(link) == 0 {
			return nil
		}
		out, resting = append(out, link...), resting[at+1+size:]
	}
	room.rendered = out
	return out[before:len(out):len(out)]
}

// firstLink is where the first mark of a link stands, or else the length.
func firstLink(t Template) int {
	i := firstMark(t)
	for i < len(t) && t[i] != markSpecies && t[i] != markHerb {
		i += 1 + firstMark(t[i+1:])
	}
	return i
}
