package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/han"
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
	if len(c.Names) == 0 {
		if r, ok := q.pinyin(text); ok {
			return r
		}
		q.steps.note("this is not a name")
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
		if w = strings.Trim(w, ".,;()"); len(w) < 5 {
			continue
		}
		for _, d := range diseases {
			if strings.EqualFold(w, d) {
				return true
			}
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
	if r.annotated {
		best.flags |= answer.AnnotationIgnored
	}
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

// chineseText matches a text with Chinese characters. It splits the text at punctuation. If this
// does not give two plants, it splits the text at conjunctions too. For a sentence of a
// pharmacopoeia, it tries the two ways in the other order. If neither gives two plants, it matches
// the text as one name, which may have a dose.
func (q question) chineseText(text string) result {
	list, sentence := sourceNames(conjunctions.Replace(text))
	list, doses := withoutFigures(list)
	first := "" // the first part of the text when it was split the first time
	for i, atWords := range []bool{sentence, !sentence} {
		parts := splitChinese(list, atWords)
		if len(parts) > 1 {
			if r, ok := q.chineseNames(parts, atWords && !sentence); ok {
				return r
			}
		}
		if i == 0 && len(parts) > 0 && han.Has(parts[0]) {
			first = strings.TrimSpace(parts[0])
		}
	}
	if doses && first != "" {
		q.query.Name = first
	}
	r := q.chinese()
	if len(r.candidates) > 0 || r.herb != nil {
		return r
	}
	if name, ok := withoutDose(text); ok {
		first = name
	} else if !sentence {
		first = ""
	}
	if first == "" {
		return r
	}
	q.query.Name = first
	return q.chinese()
}

// conjunctions replaces conjunctions of two characters by conjunctions of one character, and a dash
// by a comma.
var conjunctions = strings.NewReplacer("以及", "及", "或者", "或", "还有", "及", "——", "、")

// splitChinese splits a text at punctuation outside brackets, and at spaces and signs between
// Chinese words. If atWords is true, it also splits at 和, 或, 与 and 及. These characters also occur
// within some names.
func splitChinese(s string, atWords bool) []string {
	var parts []string
	depth, from := 0, 0
	var last rune
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune("(（[［【", r):
			depth++
		case strings.ContainsRune(")）]］】", r):
			depth = max(0, depth-1)
		case depth > 0:
		case strings.ContainsRune("、，,；;。/／\\|+＋\t", r), atWords && strings.ContainsRune("和或與与及", r),
			(unicode.IsSpace(r) || strings.ContainsRune("-－–—×&＆·•・", r)) && han.Is(last) && han.Is(next):
			parts = append(parts, s[from:i])
			from = i + utf8.RuneLen(r)
		}
		if !unicode.IsSpace(r) {
			last = r
		}
	}
	parts = append(parts, s[from:])
	return slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" })
}

// chineseNames matches each part of a text and joins the best species of each part. It returns true
// if it finds at least two Chinese names or at least two scientific names. One of each is not
// enough, since they may be names of the same plant. If all is true, it returns false unless every
// part is the name of a species.
func (q question) chineseNames(parts []string, all bool) (result, bool) {
	before := q.steps.count()
	var found joined
	chinese, scientific := 0, 0
	for _, p := range parts {
		q.query.Name = strings.TrimSpace(p)
		q.steps.truncate(before)
		isChinese := han.Has(p)
		var one result
		if isChinese {
			one = q.chinese()
		} else {
			one = q.latinText(q.query.Name)
		}
		if !q.namesSpecies(one) {
			if all {
				return result{}, false
			}
			continue
		}
		best := &one.candidates[0]
		best.flags |= answer.Ambiguous
		if rounded(best.score) > scoreOneOf {
			best.change("the text has other names too", scoreOneOf)
		}
		switch {
		case !found.add(one, q.sameAcceptedName):
			continue
		case isChinese:
			chinese++
		default:
			scientific++
		}
		found.canonical = append(found.canonical, string(one.canonical))
	}
	return found.result(), chinese >= 2 || scientific >= 2
}

// namesSpecies reports whether the best candidate of r is a species or a lower taxon that was found
// by its own name.
func (q question) namesSpecies(r result) bool {
	return len(r.candidates) > 0 && r.candidates[0].like != higherRank && !q.isGenus(r.candidates[0].usage)
}

// isGenus reports whether the name of a usage consists of one word.
func (v view) isGenus(usage uint32) bool { return !strings.Contains(v.Name(usage), " ") }
