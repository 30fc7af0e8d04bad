package similarity

// room has the formulas with one herb side by side in memory: all of them ask in it for
// those that are like them before the room of the next herb is opened.
type room struct {
	herb    int32
	places  []int32 // of its formulas
	sums    []int32 // the weights of the herbs of each
	names   []int32
	own     []float64 // the herb's part of each
	signs   []uint64  // their signatures
	starts  []int32   // where the herbs of each begin; one more tells where the last end
	herbs   []int32   // of all, one after another
	parts   []float64 // of each of these
	shelves []shelf   // by herb
	used    []int32   // the herbs that have shelves
	members []member  // of all shelves
}

// shelf is where those formulas of a room stand that have another herb, too. That of
// the room's own herb has them all.
type shelf struct{ from, size int32 }

// member is a formula of a room on a shelf.
type member struct {
	index int32
	part  float32 // of the shelf's herb
}

func newRoom(herbs int) room { return room{shelves: make([]shelf, herbs)} }

// open lets the formulas of a column in, in its order. Only herbs from a number on are
// in signatures and have shelves.
func (r *room) open(m *matrix, herb int32, places []int32, from int32) {
	r.herb, r.places = herb, places
	r.sums, r.names = r.sums[:0], r.names[:0]
	r.own, r.signs, r.starts, r.herbs, r.parts = r.own[:0], r.signs[:0], append(r.starts[:0], 0), r.herbs[:0], r.parts[:0]
	for _, h := range r.used {
		r.shelves[h] = shelf{}
	}
	r.used = r.used[:0]
	for _, place := range places {
		herbs, parts := m.row(place)
		signature := uint64(0)
		for i, h := range herbs {
			if h == herb {
				r.own = append(r.own, parts[i])
			}
			if h < from {
				continue
			}
			signature |= m.signs[h]
			if r.shelves[h].size == 0 {
				r.used = append(r.used, h)
			}
			r.shelves[h].size++
		}
		r.sums, r.names = append(r.sums, m.sums[place]), append(r.names, m.names[place].id)
		r.signs = append(r.signs, signature)
		r.herbs, r.parts = append(r.herbs, herbs...), append(r.parts, parts...)
		r.starts = append(r.starts, int32(len(r.herbs)))
	}
	r.fill(from)
}

// fill puts the formulas on shelves of known size.
func (r *room) fill(from int32) {
	size := int32(0)
	for _, h := range r.used {
		s := &r.shelves[h]
		size, *s = size+s.size, shelf{from: size}
	}
	if cap(r.members) < int(size) {
		r.members = make([]member, size+size/4)
	}
	r.members = r.members[:size]
	for i := range r.places {
		herbs, parts := r.row(i)
		for k, h := range herbs {
			if h >= from {
				s := &r.shelves[h]
				r.members[s.from+s.size] = member{int32(i), float32(parts[k])}
				s.size++
			}
		}
	}
}

// row is the herbs of the i-th formula and their parts.
func (r *room) row(i int) ([]int32, []float64) {
	from, to := r.starts[i], r.starts[i+1]
	return r.herbs[from:to], r.parts[from:to]
}

// with are the formulas that have another herb, too, in the order of the room.
func (r *room) with(herb int32) []member {
	s := r.shelves[herb]
	return r.members[s.from : s.from+s.size]
}
