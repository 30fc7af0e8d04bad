package author

import (
	"slices"
	"strings"
)

// The degrees of agreement of two persons, teams or citations, the weakest first.
const (
	differ = iota
	partly // they have some of several authors in common
	alike  // equal except for abbreviations and omissions
	same
)

// compare returns the verdict on a, the authors in a query, and known, the authors in a checklist.
func (a Authorship) compare(known Authorship) Verdict {
	if a.year != 0 && known.year != 0 && max(a.year-known.year, known.year-a.year) > 3 {
		return Differs
	}
	years := a.year != 0 && known.year != 0
	switch {
	case a.empty() && years, known.empty() && years:
		return Compatible
	case a.empty():
		return NotGiven
	case known.empty():
		return Unknown
	}
	switch a.agree(known) {
	case same:
		return Same
	case alike:
		return Compatible
	case partly:
		return Partly
	}
	return Differs
}

// sameBasionym reports whether a and b have the same author of the basionym.
func (a Authorship) sameBasionym(b Authorship) bool {
	return len(a.basionym) > 0 && len(b.basionym) > 0 && a.basionym.agree(b.basionym) == same
}

// SameType reports whether two names with the same epithet and the authors a and b have the same
// type. This holds if one is the author of the other's basionym, or if both have the same author of
// the basionym.
func (a Authorship) SameType(b Authorship) bool {
	of := func(c Authorship) citation {
		if len(c.basionym) > 0 {
			return c.basionym
		}
		return c.combination
	}
	if len(a.basionym) == 0 && len(b.basionym) == 0 || a.empty() || b.empty() {
		return false
	}
	return of(a).agree(of(b)) >= alike
}

func (a Authorship) empty() bool { return len(a.basionym) == 0 && len(a.combination) == 0 }

func (a Authorship) agree(b Authorship) int {
	switch {
	case len(a.combination) > 0 && len(b.combination) > 0:
		c := a.combination.agree(b.combination)
		if c == differ {
			// One citation gives the author of the basionym as the only author.
			if len(a.basionym) == 0 && len(b.basionym) > 0 && a.combination.agree(b.basionym) != differ ||
				len(b.basionym) == 0 && len(a.basionym) > 0 && b.combination.agree(a.basionym) != differ {
				return partly
			}
			return differ
		}
		if (len(a.basionym) > 0) != (len(b.basionym) > 0) {
			if a.newName(b) || b.newName(a) {
				return differ
			}
			return alike
		}
		if len(a.basionym) > 0 {
			return min(c, max(partly, a.basionym.agree(b.basionym)))
		}
		return c
	case len(a.combination) == 0 && len(b.combination) == 0:
		return a.basionym.agree(b.basionym)
	case len(a.combination) == 0:
		return b.agree(a)
	default:
		// b has only an author in parentheses.
		if len(a.basionym) > 0 {
			return min(alike, a.basionym.agree(b.basionym))
		}
		return min(alike, a.combination.agree(b.basionym))
	}
}

// newName reports whether a and b are the authors of names with different origins. This is so if a
// has the form Pohl ex Koehne, which cites a new name, and b has the form (L.) Koehne, which cites
// a new combination of an older name.
func (a Authorship) newName(b Authorship) bool {
	if len(a.basionym) > 0 || len(a.combination) < 2 || len(b.basionym) == 0 || len(b.combination) > 1 {
		return false
	}
	for _, t := range a.combination[:len(a.combination)-1] {
		if t.isGardeners() || slices.ContainsFunc(b.basionym, func(u team) bool { return t.agree(u) != differ }) {
			return false
		}
	}
	return true
}

// isGardeners reports whether a team is hort. (hortulanorum, "of gardeners").
func (t team) isGardeners() bool {
	return len(t.people) == 1 && strings.HasPrefix("hortulanorum", t.people[0].surname()) && len(t.people[0].surname()) >= 4
}

func (c citation) agree(d citation) int {
	last, other := c[len(c)-1], d[len(d)-1]
	if r := last.agree(other); r != differ {
		if len(c) != len(d) {
			return alike
		}
		for i := range c {
			r = min(r, max(partly, c[i].agree(d[i])))
		}
		return r
	}
	// One citation may omit the author before ex, or give only this author.
	for _, t := range c {
		for _, u := range d {
			if t.agree(u) != differ {
				return alike
			}
		}
	}
	return differ
}

func (t team) agree(u team) int {
	if len(t.people) == 0 || len(u.people) == 0 {
		return differ
	}
	if len(t.people) > len(u.people) {
		t, u = u, t
	}
	found, worst := 0, same
	var taken [16]bool
	for i := range t.people {
		for j := range u.people {
			if j < len(taken) && taken[j] {
				continue
			}
			if r := t.people[i].agree(&u.people[j]); r != differ {
				if j < len(taken) {
					taken[j] = true
				}
				found++
				worst = min(worst, r)
				break
			}
		}
	}
	first := t.people[0].agree(&u.people[0]) != differ
	switch {
	case found == len(u.people):
		return worst
	case found == len(t.people) && t.open:
		return alike
	case found == len(t.people), first && (found*2 >= len(t.people) || t.open || u.open):
		return partly
	}
	return differ
}

// agree compares two persons. If both are in the table of persons, the table decides; otherwise
// their spelling decides.
func (p *person) agree(q *person) int {
	if p.filius == q.filius && p.initials == q.initials && slices.Equal(p.names, q.names) {
		return same
	}
	if len(p.known) > 0 && len(q.known) > 0 {
		common := slices.ContainsFunc(p.known, func(n uint16) bool { return slices.Contains(q.known, n) })
		switch {
		case !common:
			return differ
		case len(p.known) == 1 && len(q.known) == 1:
			return same
		}
		return alike
	}
	return max(p.resembles(q), p.resemblesForm(q), q.resemblesForm(p))
}

// resemblesForm compares q with the other forms that the table has for p. It compares a Chinese
// name in full only with another Chinese name in full.
func (p *person) resemblesForm(q *person) int {
	r := differ
	for _, n := range p.known {
		for i := range known.forms[n] {
			form := &known.forms[n][i]
			if len(form.names) > 1 && len(q.names) == 1 && (pinyinOf[form.surname()] != nil || pinyinOf[form.names[0]] != nil) {
				continue
			}
			r = max(r, min(alike, form.resembles(q)))
		}
	}
	return r
}

// resembles compares the spelling of two persons.
func (p *person) resembles(q *person) int {
	if p.filius != q.filius {
		return differ
	}
	a, b := p.surname(), q.surname()
	if s := pinyinOf[a]; s != nil {
		if t := pinyinOf[b]; t != nil {
			return p.agreeChinese(q, s, t)
		}
	}
	single := len(p.names) == 1 && len(q.names) == 1
	r := agreeSurname(strings.Join(p.names, ""), strings.Join(q.names, ""))
	ai, bi := p.initials, q.initials
	if r == differ && len(p.names) == len(q.names) && !single {
		// Compare word by word: Schultz-Bip., Sch.Bip.
		r = same
		for i := range p.names {
			r = min(r, agreeSurname(p.names[i], q.names[i]))
		}
		r = min(r, alike)
	}
	if r == differ && !single {
		// One person may have first names in full. Compare the surnames here, and all initials
		// below.
		r = min(alike, agreeSurname(a, b))
		ai, bi = p.allInitials(), q.allInitials()
	}
	if r == differ {
		return differ
	}
	return min(r, agreeInitials(ai, bi))
}

// allInitials returns the initials, including those of full first names.
func (p *person) allInitials() string {
	s := p.initials
	for _, n := range p.names[:len(p.names)-1] {
		s += n[:1]
	}
	return s
}
