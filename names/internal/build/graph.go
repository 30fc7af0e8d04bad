package build

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"bencao/names/editdistance"
	"bencao/names/internal/author"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
)

// joinRecords joins species of the database to concepts of the winning checklist. This is the
// checklist with the highest priority. A species is joined only if the winning checklist does not
// have its name. An autonym joins its species. Any other record joins the concept of a synonym with
// the same epithet, or the concept that has its name in another spelling. The authors must agree.
// No record joins a concept that contains the name of another species of the database. A name with
// the same type, or a synonym with another epithet, gives a possible edge, which does not join
// concepts.
//
//	database  Isotrema fangchi      (Y.C.Wu …) X.X.Zhu …  accepted ─┐ no name of WCVP
//	database  Aristolochia fangchi  Y.C.Wu …       synonym of it ───┤
//	WCVP      Aristolochia fangchi  Y.C.Wu …       accepted ────────┘ joined, BySynonym
func (l *linker) joinRecords() {
	g := grapher{linker: l, best: l.winning()}
	l.autonym = map[uint32]bool{}
	if g.best == l.b.db {
		return
	}
	g.survey()
	var all []edge
	for _, r := range l.b.records {
		if e, ok := g.edge(r.Usage); ok {
			all = append(all, e)
		}
	}
	g.apply(slices.DeleteFunc(all, func(e edge) bool { return e.claims() && g.wanted[e.to] > 1 }))
}

// winning returns the number of the checklist with the highest priority.
func (l *linker) winning() int {
	best := 0
	for i, p := range l.prio {
		if p < l.prio[best] {
			best = i
		}
	}
	return best
}

// edge joins one concept to another. If [file.Reason.Possible] is true for its reason, the edge
// only suggests that the concepts are the same.
type edge struct {
	from, to uint32 // numbers of concepts
	via      uint32 // the usage that is the evidence
	reason   file.Reason
}

// claims reports whether an edge says that the species and the concept are the same taxon. Only one
// species can claim a concept.
func (e edge) claims() bool { return e.reason == file.BySynonym || e.reason == file.BySpelling }

// grapher finds the edges of records.
type grapher struct {
	*linker
	best int // number of the checklist with the highest priority
	// claimed holds the concepts that contain the name of a species of the database. wanted counts
	// the edges that claim each concept.
	claimed map[uint32]bool
	wanted  map[uint32]int
	// synonyms maps the number of a record to its synonyms. byLast maps the orthographic key of a
	// last epithet to the usages of the winning checklist that have this epithet.
	synonyms map[uint32][]uint32
	byLast   map[string][]uint32
}

// survey builds the indexes for finding edges.
func (g *grapher) survey() {
	us := g.b.usages
	g.claimed, g.wanted = map[uint32]bool{}, map[uint32]int{}
	g.synonyms, g.byLast = map[uint32][]uint32{}, map[string][]uint32{}
	lacked := map[string]bool{}
	for _, r := range g.b.records {
		if g.foreign(r.Usage) {
			lacked[string(g.last(r.Usage))] = true
		} else {
			g.claimed[g.concept[r.Usage]] = true
		}
	}
	for i := range us {
		u, n := &us[i], uint32(i)
		switch {
		case u.Record != 0 && u.Accepted != n+1:
			if !misapplied(u) && !u.Bits.Has(file.ProParte) {
				g.synonyms[u.Record] = append(g.synonyms[u.Record], n)
			}
		case g.placedBest(n):
			if last := g.last(n); len(last) > 0 && lacked[string(last)] {
				g.byLast[string(last)] = append(g.byLast[string(last)], n)
			}
		}
	}
}

// foreign reports whether the head of a usage's concept is in another checklist than the winning
// one.
func (g *grapher) foreign(n uint32) bool {
	return int(g.b.usages[g.out.heads[g.concept[n]]].Checklist) != g.best
}

// listed reports whether the winning checklist has the name of usage i. If listed is true for a
// foreign usage, the winning checklist has the name but does not place it.
func (g *grapher) listed(i uint32) bool {
	us := g.b.usages
	for j := g.k.usages[us[i].Key]; j < g.k.usages[us[i].Key+1]; j++ {
		if int(us[j].Checklist) == g.best && us[j].Group == us[i].Group {
			return true
		}
	}
	return false
}

// placedBest reports whether a usage is in the winning checklist and has an accepted name.
func (g *grapher) placedBest(n uint32) bool {
	u := &g.b.usages[n]
	return int(u.Checklist) == g.best && u.Accepted != 0 && !misapplied(u)
}

// last returns the orthographic key of the last epithet of a usage.
func (g *grapher) last(n uint32) []byte {
	key := g.k.keys[g.b.usages[n].Key]
	if i := bytes.LastIndexByte(key, ' '); i > 0 {
		return spelling.AppendOrthoWord(nil, key[i+1:], false)
	}
	return nil
}

// author returns the author of a usage. It returns "" if the checklist has something else as the
// author, such as another name.
func (g *grapher) author(n uint32) string {
	if a := g.b.text.get(g.b.usages[n].Author); author.IsCitation(a) {
		return a
	}
	return ""
}

// edge returns the most certain edge of a record. i is the usage of the record's name.
func (g *grapher) edge(i uint32) (edge, bool) {
	if !g.foreign(i) || g.listed(i) {
		return edge{}, false
	}
	for _, look := range []func(uint32) (edge, bool){g.autonymEdge, g.synonymEdge, g.spellingEdge, g.basionymEdge, g.opinionEdge} {
		if e, ok := look(i); ok {
			e.from = g.concept[i]
			if e.claims() {
				g.wanted[e.to]++
			}
			return e, true
		}
	}
	return edge{}, false
}

// autonymEdge connects an autonym with its species if the winning checklist places the name of the
// species in exactly one concept.
func (g *grapher) autonymEdge(i uint32) (e edge, ok bool) {
	key := g.k.keys[g.b.usages[i].Key]
	words := bytes.Split(key, []byte(" "))
	if len(words) != 3 || !bytes.Equal(words[1], words[2]) {
		return e, false
	}
	n, ok := slices.BinarySearchFunc(g.k.keys, key[:len(words[0])+1+len(words[1])], bytes.Compare)
	if !ok {
		return e, false
	}
	accepted, placed := target{concept: file.None}, target{concept: file.None}
	for j := g.k.usages[n]; j < g.k.usages[n+1]; j++ {
		if !g.placedBest(j) {
			continue
		}
		placed.add(g.concept[j], j)
		if g.b.usages[j].Accepted == j+1 {
			accepted.add(g.concept[j], j)
		}
	}
	if accepted.concept == file.None {
		accepted = placed
	}
	return edge{to: accepted.concept, via: accepted.via, reason: file.ByAutonym}, accepted.good()
}

// synonymEdge connects a record with the concept in which the winning checklist places a synonym of
// the record. The synonym must have the record's epithet, as it does if the species was moved to
// another genus.
func (g *grapher) synonymEdge(i uint32) (edge, bool) {
	t := g.bySynonyms(i, true)
	return edge{to: t.concept, via: t.via, reason: file.BySynonym}, t.good() && !g.claimed[t.concept]
}

// opinionEdge connects a record with the concept in which the winning checklist places synonyms of
// the record. The synonyms must have another epithet than the record. That these are synonyms is
// the opinion of the database; the checklist may circumscribe the species differently.
func (g *grapher) opinionEdge(i uint32) (edge, bool) {
	t := g.bySynonyms(i, false)
	return edge{to: t.concept, via: t.via, reason: file.ByOpinion}, t.good() && !g.claimed[t.concept]
}

// bySynonyms returns the concept of record i's synonyms. If ownEpithet is true, it uses the
// synonyms with the record's epithet, otherwise those with another epithet. It returns no concept
// for a cultivar.
func (g *grapher) bySynonyms(i uint32, ownEpithet bool) target {
	us := g.b.usages
	t := target{concept: file.None}
	if strings.Contains(g.b.text.get(us[i].Name), "'") {
		return t
	}
	for _, s := range g.synonyms[us[i].Record] {
		own := g.author(s)
		if own == "" || bytes.Equal(g.last(s), g.last(i)) != ownEpithet {
			continue
		}
		for j := g.k.usages[us[s].Key]; j < g.k.usages[us[s].Key+1]; j++ {
			if !g.placedBest(j) || !g.ranksAgree(&us[s], &us[j]) || (us[i].Bits ^ us[j].Bits).Has(file.Hybrid) {
				continue
			}
			if other := g.author(j); other != "" && author.Compare(own, other).AgreesWell() {
				t.add(g.concept[j], s)
			}
		}
	}
	return t
}

// spellingEdge connects a record with another spelling of its name in the winning checklist. Genus
// and author must be equal, and the spellings must differ by one slip ([oneSlip]). There is no edge
// if the other spelling is also in the database or the Catalogue of Life China, because then it is
// probably another species.
func (g *grapher) spellingEdge(i uint32) (edge, bool) {
	us := g.b.usages
	own := g.author(i)
	if own == "" {
		return edge{}, false
	}
	n := us[i].Key
	genus := g.k.genusOf[n]
	rest := g.rest(n)
	mask := editdistance.Mask(rest)
	t := target{concept: file.None}
	for k := g.k.start[genus]; k < g.k.start[genus+1]; k++ {
		other := g.rest(k)
		if k == n || abs(len(other)-len(rest)) > 2 || bits.OnesCount32(editdistance.Mask(other)^mask) > 4 || !oneSlip(rest, other) {
			continue
		}
		for j := g.k.usages[k]; j < g.k.usages[k+1]; j++ {
			v := &us[j]
			if int(v.Checklist) == g.b.db || g.b.lists[v.Checklist].Source == checklist.SourceColChina {
				t.several = true // a list of China has this spelling too
			}
			if g.placedBest(j) && g.ranksAgree(&us[i], v) && author.Compare(own, g.author(j)) == author.Same {
				t.add(g.concept[j], j)
			}
		}
	}
	return edge{to: t.concept, via: t.via, reason: file.BySpelling}, t.good() && !g.claimed[t.concept]
}

// basionymEdge connects a record with a name in another genus or rank that may have the same type.
// The last epithets must be equal, and the authors must agree by [author.Authorship.SameType].
func (g *grapher) basionymEdge(i uint32) (edge, bool) {
	us := g.b.usages
	own := author.Parse(g.author(i))
	t := target{concept: file.None}
	for _, j := range g.byLast[string(g.last(i))] {
		other := g.author(j)
		if us[j].Family != us[i].Family || other == "" {
			continue
		}
		if own.SameType(author.Parse(other)) {
			t.add(g.concept[j], j)
		}
	}
	return edge{to: t.concept, via: t.via, reason: file.ByBasionym}, t.good()
}

// rest returns the part of key n after the genus.
func (g *grapher) rest(n uint32) []byte {
	key := g.k.keys[n]
	return key[min(len(g.k.genera[g.k.genusOf[n]])+1, len(key)):]
}

// oneSlip reports whether a and b, two names without their common genus, differ only by a slip in
// one word. Their other words must be equal. The two words differ by a slip if their keys by
// [spelling.AppendOrthoWord] are equal or their edit distance is 1.
//
// An edit distance of 2 is also a slip if the words have different lengths and at least nine
// letters. Words of equal length at this distance may be different words: napoensis and nagaensis
// are named after two places. Words of fewer than five letters and opposites (marginata,
// emarginata) never differ by a slip.
func oneSlip(a, b []byte) bool {
	x, y := bytes.Split(a, []byte(" ")), bytes.Split(b, []byte(" "))
	if len(x) != len(y) {
		return false
	}
	differ := -1
	for i := range x {
		if !bytes.Equal(x[i], y[i]) {
			if differ >= 0 {
				return false
			}
			differ = i
		}
	}
	if differ < 0 {
		return false
	}
	v, w := x[differ], y[differ]
	if min(len(v), len(w)) < 5 || spelling.Opposites(v, w) {
		return false
	}
	if bytes.Equal(spelling.AppendOrthoWord(nil, v, false), spelling.AppendOrthoWord(nil, w, false)) {
		return true
	}
	most := 1
	if len(v) != len(w) && min(len(v), len(w)) >= 9 {
		most = 2
	}
	return editdistance.WithBlocks(v, w, most) <= most
}

// target is the concept that several names have in common. several is true if the names have
// different concepts.
type target struct {
	concept, via uint32
	several      bool
}

func (t *target) add(concept, via uint32) {
	switch t.concept {
	case file.None:
		t.concept, t.via = concept, via
	case concept:
	default:
		t.several = true
	}
}

func (t *target) good() bool { return t.concept != file.None && !t.several }

// apply joins the concepts and stores the edges of all their usages.
func (g *grapher) apply(all []edge) {
	us := g.b.usages
	of := make(map[uint32]*edge, len(all))
	for i := range all {
		if other, ok := of[all[i].from]; ok && (other == nil || other.to != all[i].to) {
			of[all[i].from] = nil // the edges of this concept go to different concepts
			continue
		}
		of[all[i].from] = &all[i]
	}
	for i := range us {
		e := of[us[i].Concept]
		if e == nil {
			continue
		}
		n := uint32(i)
		g.out.edges = append(g.out.edges, file.Edge{Usage: n, To: e.to, Via: e.via, Reason: e.reason})
		if e.reason.Possible() {
			continue
		}
		us[i].Concept, g.concept[i] = e.to, e.to
		us[i].Bits |= file.Joined
		if e.reason == file.ByAutonym {
			g.autonym[n] = true
		}
	}
}
