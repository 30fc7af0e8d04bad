package similarity

// block is a copy of all formulas that contain one herb, contiguous in memory. Each formula of the
// block is compared with the other formulas of the block. Then the block of the next herb is
// loaded. The slices from places to signs have an entry for each formula of the block.
type block struct {
	herb     int32
	places   []int32   // by formula of the block: its place in the matrix
	sums     []int32   // by formula of the block: the total weight of its herbs
	names    []int32   // by formula of the block: the number of its name
	own      []float64 // the coordinate of the block's herb in each formula's unit vector
	signs    []uint64  // by formula of the block: its signature
	starts   []int32   // index in herbs of each formula's first herb; the last entry is len(herbs)
	herbs    []int32   // the herbs of all formulas
	parts    []float64 // for each entry of herbs: its coordinate in the formula's unit vector
	spans    []span    // by herb: its range of postings
	used     []int32   // the herbs whose span is not empty
	postings []posting // the postings of all herbs, grouped by herb
}

// span is the range in block.postings that lists the formulas of the block with a given herb. All
// formulas of the block contain the block's own herb, so its span lists all of them.
type span struct{ from, size int32 }

// posting is a formula of the block. The list in which it is stored belongs to one herb that the
// formula contains.
type posting struct {
	index int32   // index of the formula in the block
	part  float32 // the herb's coordinate in the formula's unit vector
}

func newBlock(herbs int) block { return block{spans: make([]span, herbs)} }

// load loads the formulas at the given places, in that order. from is the smallest number of a herb
// that signatures and spans include.
func (r *block) load(m *matrix, herb int32, places []int32, from int32) {
	r.herb, r.places = herb, places
	r.sums, r.names = r.sums[:0], r.names[:0]
	r.own, r.signs, r.starts, r.herbs, r.parts = r.own[:0], r.signs[:0], append(r.starts[:0], 0), r.herbs[:0], r.parts[:0]
	for _, h := range r.used {
		r.spans[h] = span{}
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
			if r.spans[h].size == 0 {
				r.used = append(r.used, h)
			}
			r.spans[h].size++
		}
		r.sums, r.names = append(r.sums, m.sums[place]), append(r.names, m.names[place].id)
		r.signs = append(r.signs, signature)
		r.herbs, r.parts = append(r.herbs, herbs...), append(r.parts, parts...)
		r.starts = append(r.starts, int32(len(r.herbs)))
	}
	r.fill(from)
}

// fill writes the postings. The sizes of the spans are already known.
func (r *block) fill(from int32) {
	size := int32(0)
	for _, h := range r.used {
		s := &r.spans[h]
		size, *s = size+s.size, span{from: size}
	}
	if cap(r.postings) < int(size) {
		r.postings = make([]posting, size+size/4)
	}
	r.postings = r.postings[:size]
	for i := range r.places {
		herbs, parts := r.row(i)
		for k, h := range herbs {
			if h >= from {
				s := &r.spans[h]
				r.postings[s.from+s.size] = posting{int32(i), float32(parts[k])}
				s.size++
			}
		}
	}
}

// row returns the herbs of the block's i-th formula, and the coordinate of each herb in the
// formula's unit vector.
func (r *block) row(i int) ([]int32, []float64) {
	from, to := r.starts[i], r.starts[i+1]
	return r.herbs[from:to], r.parts[from:to]
}

// postingsOf returns the formulas of the block that contain herb, in the order of the block.
func (r *block) postingsOf(herb int32) []posting {
	s := r.spans[herb]
	return r.postings[s.from : s.from+s.size]
}
