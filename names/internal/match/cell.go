package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/answer"
	"bencao/names/internal/cell"
	"bencao/names/internal/parse"
)

// cell matches a text that has more than one name, or in which a name is not written as in the
// checklists.
func (q question) cell(text string) result {
	c := q.buf.cells.Read(text)
	if len(c.Names) == 1 {
		n, left := q.parse(&c, 0)
		r := q.scientific(n)
		if r.via != answer.ViaPinyin {
			r.unread = joinUnread(c.Unread, left)
		}
		return r
	}
	q.query.Author = ""
	var all joined
	unread, found := c.Unread, 0
	before := q.steps.count()
	for i := range c.Names {
		q.steps.truncate(before)
		q.steps.note("name ", c.Names[i])
		n, left := q.parse(&c, i)
		unread = joinUnread(unread, left)
		one := q.scientific(n)
		if one.canonical != "" {
			all.canonical = append(all.canonical, string(one.canonical))
		}
		if len(one.candidates) > 0 {
			found++
			all.add(one, q.sameMatchedName)
		} else if one.canonical != "" {
			unread = joinUnread(unread, string(one.canonical))
		}
	}
	if found == len(c.Names) && len(all.candidates) == 1 {
		// All names mean the same: two spellings, or a name and its synonym.
		n, _ := q.parse(&c, 0)
		n.OneOf, n.Flags = false, n.Flags&^answer.Ambiguous
		r := q.scientific(n)
		r.unread = unread
		return r
	}
	// A genus in place of a species that the checklists lack comes after the species that were
	// found.
	genusOnly := func(s scored) bool { return s.like == higherRank && s.up > 1 }
	if len(all.candidates) > 0 && genusOnly(all.candidates[0]) {
		slices.SortStableFunc(all.candidates, func(a, b scored) int { return compareBool(genusOnly(a), genusOnly(b)) })
		all.via = q.via(&all.candidates[0].candidate)
	}
	r := all.result()
	r.unread = unread
	return r
}

// joinUnread joins a and b, the unread words from two places of a text.
func joinUnread(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "" || strings.Contains(a, b):
		return a
	}
	return a + " … " + b
}

// parse parses name i of a cell. It adds the flags and the family that the cell gives for all
// names. left are the words that the parser did not read.
func (q question) parse(c *cell.Cell, i int) (n *parse.Name, left string) {
	n = q.buf.parser.Parse(c.Names[i])
	left = n.Left()
	n.Flags |= c.Flags
	n.OneOf = len(c.Names) > 1
	if n.Canonical != "" {
		n.Unread = c.Unread != "" || partOfName(left)
		n.NoOrganism = namesDisease(c.Unread) || namesDisease(left)
	}
	if n.OneOf {
		n.Flags |= answer.Ambiguous
	}
	for _, parent := range n.Parents {
		parent.OneOf, parent.Unread = n.OneOf, parent.Unread || n.Unread
		parent.Flags |= c.Flags
	}
	if n.Family == "" {
		n.Family = c.Family
	}
	return n, left
}

// partOfName reports whether unread words may be a part of a name. This is so if some word starts
// with a lower-case letter and is longer than a particle such as "from".
func partOfName(left string) bool {
	for w := range strings.FieldsSeq(left) {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) && len(w) > 4 {
			return true
		}
	}
	return false
}

// namesDisease reports whether words beside the name of a plant show that the text means a virus or
// another parasite of the plant.
func namesDisease(unread string) bool {
	for w := range strings.FieldsSeq(unread) {
		if slices.Contains(diseases, strings.ToLower(strings.Trim(w, ".,;()"))) {
			return true
		}
	}
	return false
}

var diseases = []string{"virus", "viroid", "phytoplasma", "betasatellite", "alphasatellite", "mosaic", "viridae"}

// joined collects the best candidate for each name of a text, in the order of the names.
type joined struct {
	canonical  []string
	via        string // the kind of lookup that found the first candidate
	candidates []scored
}

// add adds the best candidate of r, unless same reports that it equals a candidate added before. It
// reports whether it added the candidate.
func (j *joined) add(r result, same func(a, b *scored) bool) bool {
	best := r.candidates[0]
	if j.via == "" {
		j.via = r.via
	}
	if slices.ContainsFunc(j.candidates, func(o scored) bool { return same(&o, &best) }) {
		return false
	}
	j.candidates = append(j.candidates, best)
	return true
}

func (j *joined) result() result {
	r := nothing(strings.Join(j.canonical, "; "))
	if len(j.candidates) > 0 {
		r.via, r.candidates = j.via, j.candidates
	}
	return r
}

// sameMatchedName reports whether two candidates have the same name and author.
func (v view) sameMatchedName(a, b *scored) bool {
	return v.Name(a.usage) == v.Name(b.usage) && v.citedAuthor(a.usage) == v.citedAuthor(b.usage)
}

// sameAcceptedName reports whether two candidates have the same accepted name. Two candidates also
// count as the same if no checklist places either of them.
func (v view) sameAcceptedName(a, b *scored) bool {
	x, y := v.placed(&a.candidate), v.placed(&b.candidate)
	return x == y && (!x || v.Name(a.concept) == v.Name(b.concept) && v.citedAuthor(a.concept) == v.citedAuthor(b.concept))
}
