package build

import (
	"bytes"
	"math/bits"
	"slices"

	"bencao/names/editdistance"
	"bencao/names/internal/author"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
)

// linkTable relates usages of several checklists that mean the same taxon. Each accepted name and
// each unplaced name belongs to a concept. The head of a concept is the usage in the checklist with
// the highest priority. The members of a concept are the names of its taxon in Catalogue of Life
// China and the database.
type linkTable struct {
	heads   []uint32
	starts  []uint32
	members []uint32
	edges   []file.Edge // To is the number of a concept until layout replaces it by a usage
}

// linker is the state of [link].
type linker struct {
	b    *Builder
	k    *keyTable
	prio []int
	out  linkTable
	// concept maps a usage to its concept, or to file.None.
	concept []uint32
	// autonym holds the usages that belong to a concept only because they are autonyms of the
	// concept's accepted name. They do not count as members of the concept.
	autonym map[uint32]bool
}

// link resolves accepted names, groups the usages of each key into names, and joins the concepts of
// the checklists.
func link(b *Builder, k *keyTable) *linkTable {
	l := &linker{b: b, k: k, prio: b.priorities(), concept: make([]uint32, len(b.usages))}
	for i := range l.concept {
		l.concept[i] = file.None
	}
	l.accept()
	for i := range k.keys {
		l.group(k.usages[i], k.usages[i+1])
	}
	l.join()
	l.joinRecords()
	l.gather()
	return &l.out
}

// accept finds, for each usage, the accepted usage in the same checklist. It also follows synonyms
// of synonyms. A usage without an accepted usage is unplaced.
func (l *linker) accept() {
	b := l.b
	byID := make([]map[uint64]uint32, len(b.lists))
	for i := range byID {
		byID[i] = make(map[uint64]uint32)
	}
	for i, p := range b.links {
		if p.id != 0 {
			byID[b.usages[i].Checklist][p.id] = uint32(i)
		}
	}
	for i := range b.usages {
		u := &b.usages[i]
		p := b.links[i]
		switch {
		case u.Accepted != 0:
		case p.accepted != 0 && p.accepted != p.id:
			if n, ok := byID[u.Checklist][p.accepted]; ok {
				u.Accepted = n + 1
			}
		case p.accepted != 0 || u.Status.Word() == checklist.Accepted:
			u.Accepted = uint32(i) + 1
		}
	}
	// Follow synonyms of synonyms for up to eight steps. The names of a cycle have no accepted
	// name.
	direct := make([]uint32, len(b.usages))
	for i := range b.usages {
		direct[i] = b.usages[i].Accepted
	}
	for i := range b.usages {
		a := direct[i]
		for range 8 {
			if a == 0 || direct[a-1] == a {
				break
			}
			a = direct[a-1]
		}
		if a != 0 && direct[a-1] != a {
			a = 0
		}
		b.usages[i].Accepted = a
	}
}

// group divides the usages in [from, to), which have the same key, into names. Usages of any
// checklist with the same rank and agreeing authors are one name, unless only some are misapplied.
func (l *linker) group(from, to uint32) {
	us := l.b.usages[from:to]
	if len(us) == 1 {
		return
	}
	var reps []int // a representative usage of each group, with an author if possible
	place := func(i, g int) {
		us[i].Group = uint8(g)
		if us[reps[g]].Author == 0 && us[i].Author != 0 {
			reps[g] = i
		}
	}
	open := func(i int) {
		if len(reps) < 255 {
			reps = append(reps, i)
		}
		us[i].Group = uint8(len(reps) - 1)
	}
	var waiting []int
	for i := range us {
		switch g := l.groupOf(us, reps, i); {
		case g >= 0:
			place(i, g)
		case us[i].Author == 0:
			waiting = append(waiting, i)
		default:
			open(i)
		}
	}
	for _, i := range waiting {
		if g := l.groupOf(us, reps, i); g >= 0 {
			place(i, g)
		} else if g := l.authorless(us, reps, i); g >= 0 {
			place(i, g)
		} else {
			open(i)
		}
	}
}

// groupOf returns the index in reps of the group that usage i belongs to: the group with the same
// IPNI identifier, or the one whose author agrees best. It returns -1 if there is none.
func (l *linker) groupOf(us []draft, reps []int, i int) int {
	u := &us[i]
	best, bestFit := -1, author.Differs
	for g, r := range reps {
		v := &us[r]
		if u.IPNI != 0 && v.IPNI != 0 && l.b.text.get(u.IPNI) == l.b.text.get(v.IPNI) {
			return g
		}
		if !l.mayBeOne(u, v) || u.Author == 0 || v.Author == 0 {
			continue
		}
		fit := author.Same
		if u.Author != v.Author {
			fit = author.Compare(l.b.text.get(u.Author), l.b.text.get(v.Author))
		}
		switch {
		case fit == author.Same && bestFit != author.Same:
			best, bestFit = g, fit
		case fit.Agrees() && u.Checklist != v.Checklist && best < 0:
			best, bestFit = g, fit
		}
	}
	return best
}

// authorless returns the index in reps of the group for a usage whose checklist gives no author. It
// is the first group that another checklist accepts, or else the first group of another checklist.
// authorless returns -1 if there is none.
func (l *linker) authorless(us []draft, reps []int, i int) int {
	first := -1
	for g, r := range reps {
		v := &us[r]
		if !l.mayBeOne(&us[i], v) || us[i].Checklist == v.Checklist {
			continue
		}
		if v.Status.Word() == checklist.Accepted {
			return g
		}
		if first < 0 {
			first = g
		}
	}
	return first
}

func (l *linker) ranksAgree(u, v *draft) bool {
	return u.Rank == v.Rank || u.Rank == 0 || v.Rank == 0
}

// mayBeOne reports whether two usages with the same key may be one name.
func (l *linker) mayBeOne(u, v *draft) bool {
	return l.ranksAgree(u, v) && misapplied(u) == misapplied(v)
}

func misapplied(u *draft) bool { return u.Status.Word() == checklist.Misapplied }

// join assigns a concept to every usage. It takes the checklists in the order of their priority.
func (l *linker) join() {
	us := l.b.usages
	byPrio := make([]int, len(l.prio))
	for i := range byPrio {
		byPrio[i] = i
	}
	slices.SortFunc(byPrio, func(x, y int) int { return l.prio[x] - l.prio[y] })
	for _, list := range byPrio {
		for pass := range 2 { // first assign the accepted names, then the unplaced ones
			for i := range us {
				u := &us[i]
				if int(u.Checklist) != list || (u.Accepted == uint32(i)+1) != (pass == 0) || u.Accepted != 0 && pass == 1 {
					continue
				}
				c := l.known(uint32(i))
				if c == file.None && list == l.b.db {
					c = l.similar(uint32(i))
				}
				if c == file.None {
					c = uint32(len(l.out.heads))
					l.out.heads = append(l.out.heads, uint32(i))
				} else if pass == 0 && us[l.out.heads[c]].Accepted == 0 {
					l.out.heads[c] = uint32(i)
				}
				l.concept[i] = c
			}
		}
		for i := range us {
			u := &us[i]
			if int(u.Checklist) == list && u.Accepted != 0 && u.Accepted != uint32(i)+1 {
				l.concept[i] = l.concept[u.Accepted-1]
			}
		}
	}
	for i := range us {
		us[i].Concept = l.concept[i]
	}
}

// known returns the concept that a checklist of higher priority has for the name of usage i, or
// file.None. If several usages have the name, it prefers a placed one. The database may give a
// wrong author: if the author of a record agrees with no usage, but exactly one placed concept has
// the name, known returns that concept.
func (l *linker) known(i uint32) uint32 {
	us := l.b.usages
	key := us[i].Key
	found, others, other := file.None, 0, file.None
	for j := l.k.usages[key]; j < l.k.usages[key+1]; j++ {
		v := &us[j]
		if l.concept[j] == file.None || v.Checklist == us[i].Checklist {
			continue
		}
		if v.Group == us[i].Group {
			if v.Accepted != 0 {
				return l.concept[j]
			}
			if found == file.None {
				found = l.concept[j]
			}
		} else if v.Accepted != 0 && l.mayBeOne(&us[i], v) && l.concept[j] != other {
			others++
			other = l.concept[j]
		}
	}
	if found == file.None && others == 1 && int(us[i].Checklist) == l.b.db {
		return other
	}
	return found
}

// similar returns the concept that has a name similar to that of record i: the orthographic keys
// are equal, and the authors agree. It returns file.None if no concept or more than one has such a
// name.
func (l *linker) similar(i uint32) uint32 {
	us := l.b.usages
	key := l.k.keys[us[i].Key]
	g := us[i].Key
	start, end := l.k.start[l.k.genusOf[g]], l.k.start[l.k.genusOf[g]+1]
	want := spelling.AppendOrtho(nil, key)
	mask := editdistance.Mask(key)
	found := file.None
	var buf []byte
	for n := start; n < end; n++ {
		other := l.k.keys[n]
		if n == g || abs(len(other)-len(key)) > 3 || bits.OnesCount32(editdistance.Mask(other)^mask) > 4 {
			continue
		}
		if buf = spelling.AppendOrtho(buf[:0], other); !bytes.Equal(buf, want) {
			continue
		}
		for j := l.k.usages[n]; j < l.k.usages[n+1]; j++ {
			v := &us[j]
			if l.concept[j] == file.None || v.Checklist == us[i].Checklist || !l.ranksAgree(&us[i], v) {
				continue
			}
			if author.Compare(l.b.text.get(us[i].Author), l.b.text.get(v.Author)) == author.Differs {
				continue
			}
			if found != file.None && found != l.concept[j] {
				return file.None
			}
			found = l.concept[j]
		}
	}
	return found
}

// gather lists the members of each concept.
func (l *linker) gather() {
	us := l.b.usages
	counts := make([]uint32, len(l.out.heads)+1)
	member := func(i int) bool {
		u := &us[i]
		return u.Accepted == uint32(i)+1 && !l.autonym[uint32(i)] && (int(u.Checklist) == l.b.db || l.b.lists[u.Checklist].Source == checklist.SourceColChina)
	}
	for i := range us {
		if member(i) {
			counts[us[i].Concept+1]++
		}
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	l.out.starts = slices.Clone(counts)
	l.out.members = make([]uint32, counts[len(counts)-1])
	for i := range us {
		if member(i) {
			c := us[i].Concept
			l.out.members[counts[c]] = uint32(i)
			counts[c]++
		}
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
