package build

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
)

// keyTable holds the distinct keys in sorted order, and the usages of each key.
type keyTable struct {
	keys    [][]byte // whole keys
	genusOf []uint32
	genera  [][]byte
	start   []uint32 // genus → its first key; one extra row for the end
	usages  []uint32 // key → its first usage; one extra row for the end
}

// sortKeys computes the keys and sorts the usages by key.
func (b *Builder) sortKeys() *keyTable {
	var arena []byte
	type keyRef struct {
		off, end uint32
		genus    uint16
	}
	refs := make([]keyRef, len(b.usages))
	for i := range b.usages {
		u := &b.usages[i]
		name := b.text.get(u.Name)
		off := len(arena)
		var genus int
		arena, genus = spelling.AppendKey(arena, name)
		refs[i] = keyRef{uint32(off), uint32(len(arena)), uint16(genus)}
		if strings.ContainsRune(name, spelling.HybridSign) {
			u.Bits |= file.Hybrid
		}
		if spelling.RankOf(name) != "" {
			u.Bits |= file.Ranked
		}
	}
	key := func(i uint32) []byte { return arena[refs[i].off:refs[i].end] }
	prio := b.priorities()
	order := make([]uint32, len(b.usages))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		if c := bytes.Compare(key(x), key(y)); c != 0 {
			return c
		}
		u, v := &b.usages[x], &b.usages[y]
		return cmp.Or(cmp.Compare(prio[u.Checklist], prio[v.Checklist]), cmp.Compare(u.Status, v.Status), cmp.Compare(x, y))
	})

	k := &keyTable{}
	place := make([]uint32, len(order)) // old number of a usage → its new number
	usages := make([]draft, len(order))
	links := make([]pendingLink, len(order))
	for n, i := range order {
		if n == 0 || !bytes.Equal(key(i), key(order[n-1])) {
			g := key(i)[:refs[i].genus]
			if len(k.genera) == 0 || !bytes.Equal(g, k.genera[len(k.genera)-1]) {
				k.genera = append(k.genera, g)
				k.start = append(k.start, uint32(len(k.keys)))
			}
			k.keys = append(k.keys, key(i))
			k.genusOf = append(k.genusOf, uint32(len(k.genera)-1))
			k.usages = append(k.usages, uint32(n))
		}
		place[i] = uint32(n)
		usages[n], links[n] = b.usages[i], b.links[i]
		usages[n].Key = uint32(len(k.keys) - 1)
	}
	k.start = append(k.start, uint32(len(k.keys)))
	k.usages = append(k.usages, uint32(len(order)))
	for i := range usages {
		if a := usages[i].Accepted; a > 0 {
			usages[i].Accepted = place[a-1] + 1
		}
	}
	for i := range b.records {
		b.records[i].Usage = place[b.records[i].Usage]
	}
	for i := range b.labels {
		b.labels[i].Usage = place[b.labels[i].Usage]
	}
	b.usages, b.links = usages, links
	return k
}

// priorities returns the rank of each checklist, 0 for the highest priority: WCVP first, then the
// others in the order given, then the database.
func (b *Builder) priorities() []int {
	prio := make([]int, len(b.lists))
	for i, c := range b.lists {
		switch {
		case i == b.db:
			prio[i] = len(b.lists)
		case c.Source == checklist.SourceHerbs:
			prio[i] = len(b.lists) + 1
		case c.Source == checklist.SourceWCVP:
			prio[i] = -1
		default:
			prio[i] = i
		}
	}
	return prio
}
