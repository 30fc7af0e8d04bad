package match

import (
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// fromKey adds the names of a key, given by a usage, as candidates that differ
// from name, the one asked for, as is said.
func (f *finder) fromKey(cands []candidate, usage uint32, name *parse.Name, how difference) []candidate {
	from, to := f.Namesakes(usage)
	first := len(cands)
	for g, more := 0, true; more && g < 256; g++ {
		n := len(cands)
		cands, more = f.fromGroup(cands, from, to, uint8(g), name)
		for i := n; i < len(cands); i++ {
			c := &cands[i]
			c.like, c.edits, c.cost = how.like, how.edits, how.cost
			c.flags |= how.flags | name.Flags
		}
	}
	cands = append(cands[:first], preferRank(cands[first:])...)
	f.markHomonyms(cands[first:])
	return cands
}

// preferRank drops names of another rank than the one asked for if one has
// it, unless only theirs is the author asked for.
func preferRank(cands []candidate) []candidate {
	same, agrees := false, false
	for i := range cands {
		if !cands[i].flags.Has(vocabulary.RankDiffers | vocabulary.RankMissing) {
			same = true
			agrees = agrees || cands[i].author.Agrees()
		}
	}
	if !same {
		return cands
	}
	kept := cands[:0]
	for _, c := range cands {
		if !c.flags.Has(vocabulary.RankDiffers) || c.author.Agrees() && !agrees {
			kept = append(kept, c)
		}
	}
	return kept
}

// fromGroup adds the candidates of one name, group g of the usages from from
// to to: one, or one for each part of a name that is divided. It reports
// whether there may be a group with a higher number.
func (f *finder) fromGroup(cands []candidate, from, to uint32, g uint8, name *parse.Name) (_ []candidate, more bool) {
	best, verdict, more := f.spokesman(from, to, g, name)
	if best == file.None {
		return cands, more
	}
	speaks := &f.Usages[best]
	c := candidate{usage: best, concept: speaks.Concept, author: verdict, flags: f.compareNames(name, best)}
	if speaks.Bits.Has(file.Joined) {
		if e, _ := f.EdgeOf(best); e.Reason == file.ByAutonym {
			c.flags |= vocabulary.AutonymOfSpecies
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
			// The accepted name; parts of what was called so are elsewhere.
			cands[first].flags |= vocabulary.ProParte
		case u.Checklist == speaks.Checklist && (!misapplied(u) || misapplied(speaks)):
			d := c
			d.usage, d.concept = i, u.Concept
			cands = append(cands, d)
		case int(u.Checklist) != f.Database && speaks.Bits.Has(file.Placed):
			cands[first].flags |= vocabulary.Disagree
		}
	}
	if parts := cands[first:]; len(parts) > 1 {
		for i := range parts {
			parts[i].flags |= vocabulary.ProParte
		}
	} else if speaks.Bits.Has(file.ProParte) {
		parts[0].flags |= vocabulary.ProParte
	}
	return cands, more
}

// spokesman returns the usage that speaks for the name that is group g, or
// None, and how the author asked for agrees with those that the checklists
// give.
func (f *finder) spokesman(from, to uint32, g uint8, name *parse.Name) (best uint32, verdict author.Verdict, more bool) {
	best, verdict = file.None, author.Unknown
	differs := false
	for i := from; i < to; i++ {
		u := &f.Usages[i]
		if u.Group != g {
			more = more || u.Group > g
			continue
		}
		// The database's author counts where its names do not, so that Reconcile
		// gives the answer that Match gives.
		if verdict != author.Same { // nothing agrees better
			if a := f.authorOf(name.Author, i); a == author.Differs {
				differs = true
			} else {
				verdict = min(verdict, a)
			}
		}
		if f.hidden(u) {
			continue
		}
		if best == file.None || better(u, &f.Usages[best], name.Misapplied) || f.closer(i, best, name) {
			best = i
		}
	}
	if differs && !verdict.Agrees() {
		verdict = author.Differs
	}
	return best, verdict, more
}

// authorOf compares the author asked for with that of a usage.
func (f *finder) authorOf(asked string, usage uint32) author.Verdict {
	if asked == "" {
		return author.NotGiven
	}
	return f.cited.Compare(f.Text(usage, file.Author))
}

// better says whether u speaks for a name rather than v, which comes before
// it: a usage that is placed rather than one that is not, and a misapplied
// one only when asked for.
func better(u, v *file.Usage, asked bool) bool {
	if mu, mv := misapplied(u), misapplied(v); mu != mv {
		return mu == asked
	}
	return !v.Bits.Has(file.Placed) && u.Bits.Has(file.Placed)
}

// closer says whether usage a, which the same checklist has beside b for the
// same taxon, is spelt more like the name asked for.
func (f *finder) closer(a, b uint32, name *parse.Name) bool {
	u, v := &f.Usages[a], &f.Usages[b]
	if u.Checklist != v.Checklist || u.Concept != v.Concept || (u.Bits ^ v.Bits).Has(file.Placed) {
		return false
	}
	return f.Name(a) == name.Canonical && f.Name(b) != name.Canonical
}

// compareNames compares what keys leave out: rank and hybrid sign.
func (f *finder) compareNames(name *parse.Name, usage uint32) vocabulary.Flags {
	u := &f.Usages[usage]
	var flags vocabulary.Flags
	rank := ""
	if u.Bits.Has(file.Ranked) {
		rank = spelling.RankOf(f.Name(usage))
	}
	switch {
	case name.Rank == "" && rank != "":
		flags |= vocabulary.RankMissing
	case name.Rank != "" && rank != "" && spelling.PlainRank(name.Rank) != spelling.PlainRank(rank):
		flags |= vocabulary.RankDiffers
	}
	if name.Hybrid != u.Bits.Has(file.Hybrid) {
		flags |= vocabulary.HybridSignIgnored
	}
	return flags
}

// markHomonyms counts the different names among the candidates of one key.
func (f *finder) markHomonyms(cands []candidate) {
	names := uint16(0)
	for i := range cands {
		if i == 0 || f.Usages[cands[i].usage].Group != f.Usages[cands[i-1].usage].Group {
			names++
		}
	}
	for i := range cands {
		cands[i].homonym = names
		if names > 1 {
			cands[i].flags |= vocabulary.Homonym
		}
	}
}
