package patterns

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"bencao/internal/null"
	"bencao/internal/varint"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/store"
)

// Naming determines which herbs count as the same herb.
type Naming string

// The namings. The comment of each says what identifies a herb.
const (
	Standard Naming = "standard" // the herb's record
	Written  Naming = "written"  // the name as written in the source
	Source   Naming = "source"   // the source species and the part
)

// joined is the naming for [Question.Together]. A processed form or a part of a herb counts as that
// herb.
const joined Naming = "together"

// namings lists the namings of a [Question]; the first is the default. storedNamings lists the
// namings that Build stores in a snapshot.
var (
	namings       = []Naming{Standard, Written, Source}
	storedNamings = []Naming{Standard, Written, Source, joined}
)

// The keys of the two stored values that do not belong to a naming. The first value holds the
// parent of each formula. The second value holds, for each herb of the naming [Standard], the herb
// that it counts as in the naming joined.
const (
	descentKey = "descent"
	formsKey   = "forms"
)

// Herb is a herb under the name that the question selects: its standard name, its name as written, or
// its source.
type Herb struct {
	ID   null.Text `json:"id" doc:"Of a standard name, the id of the herb; of a source, the guids of the species and the part. Null for a name as written."`
	Name string    `json:"name" doc:"The name: the standard one, the one as written, or the source species and the part."`
}

// herbs holds the herbs of all formulas for one naming. Herbs are numbered by frequency, the most
// frequent first.
type herbs struct {
	list  []Herb
	found map[string]uint32 // id, name or name folded by [han.Fold] → number of the herb
	// The herbs of formula n are of[start[n]:start[n+1]], in ascending order.
	of    []uint32
	start []uint32
	// class maps a formula to the first formula with the same herbs.
	class []store.Num
}

// find returns the number of the herb with an id or a name. The name may be in traditional
// characters.
func (d *herbs) find(name string) (uint32, bool) {
	n, ok := d.found[name]
	if !ok {
		n, ok = d.found[han.Fold(name)]
	}
	return n, ok
}

// formula returns the herbs of a formula.
func (d *herbs) formula(n store.Num) []uint32 { return d.of[d.start[n]:d.start[n+1]] }

// source returns the herb that a herb counts as in the naming [Source]: the source species of the
// herb that are in the list species, and their parts. It returns false if no source species of the
// herb is in the list.
func source(d *store.Data, h *store.Herb, species []store.Num) (Herb, bool) {
	var guids, names, parts []string
	for _, s := range h.Species {
		if !slices.Contains(species, s.Species) {
			continue
		}
		guids = append(guids, d.Species[s.Species].GUID)
		names = append(names, cmp.Or(s.ChineseName, s.ScientificName))
		if s.Part != "" {
			parts = append(parts, s.Part)
		}
	}
	if guids == nil {
		return Herb{}, false
	}
	for _, list := range []*[]string{&guids, &names, &parts} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	out := Herb{null.Text(strings.Join(guids, "+")), strings.Join(names, "、")}
	if parts != nil {
		part := strings.Join(parts, ", ")
		out.ID, out.Name = out.ID+null.Text("/"+part), out.Name+" ("+part+")"
	}
	return out, true
}

// named returns the herbs of an ingredient according to a naming.
func named(d *store.Data, by Naming, in *store.Ingredient) (out []Herb) {
	if by == Written {
		return []Herb{{Name: in.Herb}}
	}
	for _, n := range in.Herbs {
		if by == joined {
			n = madeFrom(d, n)
		}
		h := &d.Herbs[n]
		if by == Source {
			if s, ok := source(d, h, in.Species); ok {
				out = append(out, s)
				continue
			}
		}
		out = append(out, Herb{null.Text(h.GUID), h.Name})
	}
	return out
}

// longestChain is the maximum number of steps that madeFrom takes. 熟地炭 is made from 熟地黄, which is
// made from 生地黄.
const longestChain = 4

// madeFrom returns the herb from which herb n is made: n is a processed form or a part of it. If
// there are several such herbs, madeFrom uses the first in VariantOf: 熟地黄 counts as 生地黄. It then
// continues with that herb. If there is no such herb, it returns n. It ignores entries of VariantOf
// with another relation, such as a broader name.
func madeFrom(d *store.Data, n store.Num) store.Num {
	for range longestChain {
		i := slices.IndexFunc(d.Herbs[n].VariantOf, func(v store.HerbVariant) bool {
			return v.How == string(herb.Processed) || v.How == string(herb.Part)
		})
		if i < 0 {
			break
		}
		n = d.Herbs[n].VariantOf[i].Herb
	}
	return n
}

// Build returns the stored values for [Open], by key. The formulas must be in answer order.
func Build(d *store.Data) map[string][]byte {
	out := map[string][]byte{}
	var standard []Herb
	for _, by := range storedNamings {
		list, sets := collect(d, by)
		out[string(by)] = pack(list, sets)
		switch by {
		case Standard:
			standard = list
		case joined:
			out[formsKey] = packForms(d, standard, list)
			out[descentKey] = packDescent(origins(d, list, sets), namedInText(d, standard))
		}
	}
	return out
}

// packForms returns the stored value that maps each herb of the naming [Standard] to its herb of
// the naming joined. The value is the count of the Standard herbs and then, for each of them, the
// number of the herb of the naming joined.
func packForms(d *store.Data, standard, list []Herb) []byte {
	numbers, herbs := map[null.Text]uint64{}, map[null.Text]store.Num{}
	for i, one := range list {
		numbers[one.ID] = uint64(i)
	}
	for i := range d.Herbs {
		herbs[null.Text(d.Herbs[i].GUID)] = store.Num(i)
	}
	out := binary.AppendUvarint(nil, uint64(len(standard)))
	for _, one := range standard {
		of := &d.Herbs[madeFrom(d, herbs[one.ID])]
		out = binary.AppendUvarint(out, numbers[null.Text(of.GUID)])
	}
	return out
}

// openForms reads the result of packForms. A nil packed means no herbs.
func (e *Engine) openForms(packed []byte) error {
	r := varint.Reader{Rest: packed}
	if packed == nil {
		r.Rest = []byte{0}
	}
	standard, by := e.namings[Standard], e.namings[joined]
	e.forms = make([][]uint32, len(by.list))
	if int(r.Count()) != len(standard.list) {
		return errDamaged
	}
	for i, one := range standard.list {
		n := r.Number()
		if n >= uint64(len(by.list)) {
			return errDamaged
		}
		e.forms[n] = append(e.forms[n], uint32(i))
		e.joined = append(e.joined, uint32(n))
		for _, key := range []string{string(one.ID), one.Name, han.Fold(one.Name)} {
			if _, taken := by.found[key]; !taken {
				by.found[key] = uint32(n)
			}
		}
	}
	if r.Failed || len(r.Rest) > 0 {
		return errDamaged
	}
	return nil
}

// Forms returns the names of all herbs that count as the same herb as the given herb if
// [Question.Together] is set. It lists only herbs that some formula contains. It returns nil if no
// formula contains the given herb.
func (e *Engine) Forms(name string) (names []string) {
	n, ok := e.namings[joined].find(name)
	if !ok {
		return nil
	}
	for _, i := range e.forms[n] {
		names = append(names, e.namings[Standard].list[i].Name)
	}
	return names
}

// Herb returns the herb of the naming [Standard] with a name. It returns false if no formula has it.
func (e *Engine) Herb(name string) (Herb, bool) {
	d := e.namings[Standard]
	n, ok := d.find(name)
	if !ok {
		return Herb{}, false
	}
	return d.list[n], true
}

// HerbsOf returns the keys of the herbs that a herb counts as in a naming. [Question.Chosen] takes
// them.
func (e *Engine) HerbsOf(by Naming, h *store.HerbDetail) (keys []string) {
	switch by {
	case Written:
		for _, text := range h.WrittenAs {
			keys = append(keys, text.Herb)
		}
	case Source:
		var guids, parts []string
		for _, s := range h.Species {
			guids, parts = append(guids, s.GUID), append(parts, string(s.Part))
		}
		for _, d := range e.namings[Source].list {
			species, part, _ := strings.Cut(string(d.ID), "/")
			if hasAll(strings.Split(species, "+"), guids) && (part == "" || hasAll(strings.Split(part, ", "), parts)) {
				keys = append(keys, string(d.ID))
			}
		}
	}
	return append(keys, h.GUID)
}

// hasAll reports whether all has each of some.
func hasAll(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// collect returns the herbs of all formulas, the most frequent first. sets has, for each formula,
// the indexes of its herbs in list, in ascending order.
func collect(d *store.Data, by Naming) (list []Herb, sets [][]uint32) {
	numbers := map[Herb]uint32{}
	var count []int
	sets = make([][]uint32, len(d.Formulas))
	for i := range d.Formulas {
		f := &d.Formulas[i]
		for k := range f.Ingredients {
			for _, herb := range named(d, by, &f.Ingredients[k]) {
				n, known := numbers[herb]
				if !known {
					n = uint32(len(list))
					numbers[herb] = n
					list, count = append(list, herb), append(count, 0)
				}
				if !slices.Contains(sets[i], n) {
					sets[i] = append(sets[i], n)
					count[n]++
				}
			}
		}
	}
	order := make([]uint32, len(list))
	for n := range order {
		order[n] = uint32(n)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(list[a].Name, list[b].Name), cmp.Compare(list[a].ID, list[b].ID))
	})
	sorted, place := make([]Herb, len(list)), make([]uint32, len(list))
	for to, from := range order {
		sorted[to], place[from] = list[from], uint32(to)
	}
	for _, set := range sets {
		for i, n := range set {
			set[i] = place[n]
		}
		slices.Sort(set)
	}
	return sorted, sets
}

// pack returns the stored form of herbs and formulas. All numbers are varints:
//
//	herbs      the count; then, for each herb, the lengths and texts of its id and its name
//	formulas   the count; then, for each formula, the count of its herbs and
//	           the steps between their numbers
func pack(list []Herb, sets [][]uint32) []byte {
	out := binary.AppendUvarint(nil, uint64(len(list)))
	for _, d := range list {
		for _, text := range []string{string(d.ID), d.Name} {
			out = append(binary.AppendUvarint(out, uint64(len(text))), text...)
		}
	}
	out = binary.AppendUvarint(out, uint64(len(sets)))
	for _, set := range sets {
		out = binary.AppendUvarint(out, uint64(len(set)))
		last := uint32(0)
		for _, n := range set {
			out = binary.AppendUvarint(out, uint64(n-last))
			last = n
		}
	}
	return out
}

// errDamaged is the error for a stored value that [Build] cannot have returned.
var errDamaged = errors.New("the patterns of the snapshot are damaged; verify the snapshot")

// textOf reads a text and the length that precedes it.
func textOf(r *varint.Reader) string { return string(r.Take(r.Number())) }

// unpack reads the result of [pack].
func unpack(packed []byte) (*herbs, error) {
	r := varint.Reader{Rest: packed}
	d := &herbs{list: make([]Herb, r.Count()), found: map[string]uint32{}}
	for i := range d.list {
		d.list[i] = Herb{null.Text(textOf(&r)), textOf(&r)}
	}
	for i := len(d.list) - 1; i >= 0; i-- { // in reverse, so that the most frequent of several herbs with a name is found
		d.found[han.Fold(d.list[i].Name)] = uint32(i)
	}
	for i := len(d.list) - 1; i >= 0; i-- {
		d.found[d.list[i].Name] = uint32(i)
	}
	for i := range d.list {
		if id := string(d.list[i].ID); id != "" {
			d.found[id] = uint32(i)
		}
	}
	n := r.Count()
	d.start, d.class = make([]uint32, 1, n+1), make([]store.Num, n)
	first := map[string]store.Num{}
	var key []byte
	for f := range n {
		last, key0 := uint64(0), r.Rest
		for k := range r.Count() {
			delta := r.Number()
			if last += delta; last >= uint64(len(d.list)) || k > 0 && delta == 0 {
				return nil, errDamaged
			}
			d.of = append(d.of, uint32(last))
		}
		d.start = append(d.start, uint32(len(d.of)))
		key = key0[:len(key0)-len(r.Rest)] // equal sets have equal bytes
		if same, ok := first[string(key)]; ok {
			d.class[f] = same
		} else {
			first[string(key)] = store.Num(f)
			d.class[f] = store.Num(f)
		}
	}
	if r.Failed || len(r.Rest) > 0 {
		return nil, errDamaged
	}
	return d, nil
}
