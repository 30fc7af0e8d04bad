package match

import (
	"slices"
	"strings"

	"bencao/names/internal/answer"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// expand appends the candidates for hits.
func (f *finder) expand(cands []candidate, hits []hit) []candidate {
	for i := range hits {
		h := &hits[i]
		n := len(cands)
		cands = f.fromKey(cands, h.usage, f.nameFor(h), h.difference)
		if h.cultivar {
			cands = append(cands[:n], slices.DeleteFunc(cands[n:], func(c candidate) bool { return !strings.Contains(f.Name(c.usage), "'") })...)
		}
	}
	return cands
}

// nameFor returns the name that the names of a hit are compared with. It has neither author nor rank
// if the hit has a higher rank than the query.
func (f *finder) nameFor(h *hit) *parse.Name {
	if h.like == higherRank {
		return &parse.Name{Canonical: f.name.Canonical, Misapplied: f.name.Misapplied, Flags: f.name.Flags}
	}
	return f.name
}

// fromKey appends the candidates for all names that have the same key as usage. how is the
// difference between this key and the key of name.
func (f *finder) fromKey(cands []candidate, usage uint32, name *parse.Name, how difference) []candidate {
	from, to := f.Namesakes(usage)
	first := len(cands)
	how.flags |= name.Flags
	for g, more := 0, true; more && g < 256; g++ {
		n := len(cands)
		cands, more = f.fromGroup(cands, from, to, uint8(g), name)
		for i := n; i < len(cands); i++ {
			c := &cands[i]
			flags := c.flags
			c.difference = how
			c.flags |= flags
		}
	}
	cands = append(cands[:first], preferRank(cands[first:])...)
	f.markHomonyms(cands[first:])
	return cands
}

// preferRank drops names whose rank differs from the rank of the query, if some name has the
// query's rank. There is one exception. If the author of a name with another rank agrees with the
// query, and no author of a name with the right rank agrees, preferRank keeps the name with the
// other rank.
func preferRank(cands []candidate) []candidate {
	same, agrees := false, false
	for i := range cands {
		if !cands[i].flags.Has(answer.RankDiffers | answer.RankMissing) {
			same = true
			agrees = agrees || cands[i].author.Agrees()
		}
	}
	if !same {
		return cands
	}
	kept := cands[:0]
	for _, c := range cands {
		if !c.flags.Has(answer.RankDiffers) || c.author.Agrees() && !agrees {
			kept = append(kept, c)
		}
	}
	return kept
}

// fromGroup appends the candidates for one name. The usages of the name are those in [from, to)
// whose group is g. Usually there is one candidate. If a checklist assigns the name to several taxa
// (pro parte), there is one candidate for each of them. more reports whether there may be groups
// with higher numbers.
func (f *finder) fromGroup(cands []candidate, from, to uint32, g uint8, name *parse.Name) (_ []candidate, more bool) {
	best, verdict, more := f.representative(from, to, g, name)
	if best == file.None {
		return cands, more
	}
	speaks := &f.Usages[best]
	c := candidate{usage: best, concept: speaks.Concept, author: verdict}
	c.flags = f.compareNames(name, best)
	if speaks.Bits.Has(file.Joined) {
		if e, _ := f.EdgeOf(best); e.Reason == file.ByAutonym {
			c.flags |= answer.AutonymOfSpecies
		}
	}
	first := len(cands)
	cands = append(cands, c)
	for i := from; i < to; i++ {
		u := &f.Usages[i]
		if u.Group != g || i == best || !u.Bits.Has(file.Placed) || u.Concept == c.concept || f.hidden(u) {
			continue
		}
		switch {
		case u.Checklist == speaks.Checklist && speaks.Bits.Has(file.Own):
			// The checklist accepts the name for one taxon, but also has it as a synonym of another
			// taxon (pro parte).
			cands[first].flags |= answer.ProParte
		case u.Checklist == speaks.Checklist:
			d := c
			d.usage, d.concept = i, u.Concept
			cands = append(cands, d)
		case int(u.Checklist) != f.Database && speaks.Bits.Has(file.Placed):
			cands[first].flags |= answer.Disagree
		}
	}
	if parts := cands[first:]; len(parts) > 1 {
		for i := range parts {
			parts[i].flags |= answer.ProParte
		}
	}
	return cands, more
}

// representative returns the usage that represents the name of group g, or None if there is none.
// verdict says how well the authors of the group agree with the author of the query.
func (f *finder) representative(from, to uint32, g uint8, name *parse.Name) (best uint32, verdict author.Verdict, more bool) {
	best, verdict = file.None, author.Unknown
	differs := false
	for i := from; i < to; i++ {
		u := &f.Usages[i]
		if u.Group != g {
			more = more || u.Group > g
			continue
		}
		// Hidden usages contribute authors too, so that Reconcile gives the same answers as Match.
		if verdict != author.Same { // no author can agree better than Same
			if a := f.authorOf(name.Author, i); a == author.Differs {
				differs = true
			} else {
				verdict = min(verdict, a)
			}
		}
		if f.hidden(u) {
			continue
		}
		if best == file.None || representsBetter(u, &f.Usages[best]) || f.spelledCloser(i, best, name) {
			best = i
		}
	}
	if differs && !verdict.Agrees() {
		verdict = author.Differs
	}
	return best, verdict, more
}

// authorOf compares the author of the query with the author of a usage.
func (f *finder) authorOf(asked string, usage uint32) author.Verdict {
	if asked == "" {
		return author.NotGiven
	}
	return f.cited.Compare(f.Text(usage, file.Author))
}

// representsBetter reports whether u represents a name better than v, an earlier usage of the name.
// Placed usages come before others.
func representsBetter(u, v *file.Usage) bool {
	return !v.Bits.Has(file.Placed) && u.Bits.Has(file.Placed)
}

// spelledCloser reports whether usage a is spelt as in the query and usage b is not, although both
// are in the same checklist and taxon.
func (f *finder) spelledCloser(a, b uint32, name *parse.Name) bool {
	u, v := &f.Usages[a], &f.Usages[b]
	if u.Checklist != v.Checklist || u.Concept != v.Concept || (u.Bits ^ v.Bits).Has(file.Placed) {
		return false
	}
	return f.Name(a) == name.Canonical && f.Name(b) != name.Canonical
}

// compareNames compares a name with the name of a usage. It returns flags for differences in rank
// and hybrid sign, which keys do not contain.
func (f *finder) compareNames(name *parse.Name, usage uint32) answer.Flags {
	u := &f.Usages[usage]
	var flags answer.Flags
	rank := ""
	if u.Bits.Has(file.Ranked) {
		rank = spelling.RankOf(f.Name(usage))
	}
	switch {
	case name.Rank == "" && rank != "":
		flags |= answer.RankMissing
	case name.Rank != "" && rank != "" && spelling.PlainRank(name.Rank) != spelling.PlainRank(rank):
		flags |= answer.RankDiffers
	}
	if name.Hybrid != u.Bits.Has(file.Hybrid) {
		flags |= answer.HybridSignIgnored
	}
	return flags
}

// markHomonyms counts the different names among the candidates, which must have the same key. If
// there are several, it marks them as homonyms. A misapplied name is no name of its own.
func (f *finder) markHomonyms(cands []candidate) {
	names := uint16(0)
	for i := range cands {
		if misapplied(&f.Usages[cands[i].usage]) {
			continue
		}
		if i == 0 || f.Usages[cands[i].usage].Group != f.Usages[cands[i-1].usage].Group {
			names++
		}
	}
	for i := range cands {
		cands[i].homonym = names
		if names > 1 {
			cands[i].flags |= answer.Homonym
		}
	}
}
