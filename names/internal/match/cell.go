package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/internal/null"
	"bencao/names/han"
	"bencao/names/internal/cell"
	"bencao/names/internal/parse"
	"bencao/names/internal/vocabulary"
	"bencao/names/internal/wordlist"
)

// cell answers a text that is more than a name, or another spelling of one.
func (q question) cell(text string) (vocabulary.Response, []scored) {
	c := q.buf.cells.Read(text)
	switch len(c.Names) {
	case 0:
		if r, all, ok := q.pinyin(text); ok {
			return r, all
		}
		q.steps.note("this is not a name")
		r := nothing("")
		r.Unread = null.Text(strings.Clone(c.Unread))
		return r, nil
	case 1:
		n := q.part(&c, 0)
		r, all := q.latin(n)
		r.Unread = null.Text(strings.Clone(c.Unread))
		return r, all
	}
	return q.several(&c), nil
}

// part parses a name of a cell.
func (q question) part(c *cell.Cell, i int) *parse.Name {
	n := q.buf.parser.Parse(c.Names[i])
	n.Flags |= c.Flags
	n.OneOf, n.Unread = len(c.Names) > 1, c.Unread != ""
	if n.OneOf {
		n.Flags |= vocabulary.Ambiguous
	}
	for _, parent := range n.Parents {
		parent.OneOf, parent.Unread = n.OneOf, n.Unread
		parent.Flags |= c.Flags
	}
	if n.Family == "" {
		n.Family = c.Family
	}
	return n
}

// several answers each name of a cell with its best candidates, in the order
// of the cell. None of them is the answer more than another.
func (q question) several(c *cell.Cell) (r vocabulary.Response) {
	limit := q.query.Limit
	r = nothing("")
	r.Unread = null.Text(strings.Clone(c.Unread))
	q.query.Author, q.query.Limit = "", 1
	var canonical []string
	before := q.steps.count()
	for i := range c.Names {
		q.steps.back(before)
		q.steps.note("name ", c.Names[i])
		one, _ := q.latin(q.part(c, i))
		if one.CanonicalName != "" {
			canonical = append(canonical, string(one.CanonicalName))
		}
		if len(one.Results) == 0 {
			continue
		}
		if len(r.Results) == 0 {
			r.MatchedVia = one.MatchedVia
		}
		same := func(e vocabulary.Entry) bool {
			return e.MatchedName == one.Results[0].MatchedName && e.MatchedAuthor == one.Results[0].MatchedAuthor
		}
		if !slices.ContainsFunc(r.Results, same) {
			r.Results = append(r.Results, one.Results...)
		}
	}
	r.CanonicalName = null.Text(strings.Join(canonical, "; "))
	r.Results = r.Results[:min(len(r.Results), limit)]
	return r
}

// chineseCell answers a text with Chinese characters: one name, or several
// that signs or 和, 或, 与 part.
func (q question) chineseCell() vocabulary.Response {
	text := conjunctions.Replace(q.query.Name)
	for _, joined := range []bool{false, true} {
		pieces := chinesePieces(text, joined)
		if len(pieces) < 2 {
			continue
		}
		if r, ok := q.chinesePieces(pieces, joined); ok {
			return r
		}
	}
	return q.chinese()
}

// conjunctions are words of two characters for 及.
var conjunctions = strings.NewReplacer("以及", "及", "或者", "或", "还有", "及")

// chinesePieces parts a text at signs outside brackets, and between Chinese
// words. joined parts it at 和, 或, 与, 及 too, which are parts of names
// elsewhere.
func chinesePieces(s string, joined bool) []string {
	var pieces []string
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
		case strings.ContainsRune("、，,；;/／|\t", r), joined && strings.ContainsRune("和或与與及", r), unicode.IsSpace(r) && han.Is(last) && han.Is(next):
			pieces = append(pieces, s[from:i])
			from = i + utf8.RuneLen(r)
		}
		if !unicode.IsSpace(r) {
			last = r
		}
	}
	pieces = append(pieces, s[from:])
	return slices.DeleteFunc(pieces, func(p string) bool { return strings.TrimSpace(p) == "" })
}

// chinesePieces answers each piece with its best candidate, in their order. It
// reports false if they do not name two plants at least; with all, also if one
// of them names none.
func (q question) chinesePieces(pieces []string, all bool) (vocabulary.Response, bool) {
	limit, explain := q.query.Limit, q.steps.count()
	q.query.Limit = 1
	r := nothing("")
	var canonical []string
	chinese, latin := 0, 0
	for _, p := range pieces {
		q.query.Name = strings.TrimSpace(p)
		q.steps.back(explain)
		var one vocabulary.Response
		isChinese := han.Has(p)
		if isChinese {
			one = q.chinese()
		} else {
			one, _ = q.text(q.query.Name)
		}
		if len(one.Results) == 0 || one.Results[0].MatchType == vocabulary.MatchHigherRank || !strings.Contains(string(one.Results[0].MatchedName), " ") {
			if all {
				return r, false
			}
			continue
		}
		e := one.Results[0]
		same := func(o vocabulary.Entry) bool {
			return o.AcceptedName == e.AcceptedName && o.AcceptedAuthor == e.AcceptedAuthor
		}
		if slices.ContainsFunc(r.Results, same) {
			continue
		}
		if isChinese {
			chinese++
		} else {
			latin++
		}
		if e.Score > scoreOneOf {
			q.change(&e, "the text has other names too", scoreOneOf)
		}
		e.Flags = append(e.Flags.Without(vocabulary.Ambiguous), vocabulary.Ambiguous.Words()...)
		slices.SortStableFunc(e.Flags, func(a, b string) int { return ambiguousFirst(b) - ambiguousFirst(a) })
		if len(r.Results) == 0 {
			r.MatchedVia = one.MatchedVia
		}
		r.Results = append(r.Results, e)
		canonical = append(canonical, string(one.CanonicalName))
	}
	r.CanonicalName = null.Text(strings.Join(canonical, "; "))
	r.Results = r.Results[:min(len(r.Results), limit)]
	// A Chinese name and a Latin one are two names of one plant.
	return r, chinese >= 2 || latin >= 2
}

func ambiguousFirst(flag string) int {
	if flag == vocabulary.Ambiguous.Words()[0] {
		return 1
	}
	return 0
}

// wholeOf is what a Chinese text names: a plant, or a genus.
type wholeOf struct {
	labels []labelled
	// more says that a genus is named and something of it: 狗尾草属一种.
	more bool
}

// chineseWithin looks for the name in a Chinese text that is more than one: a
// family or a genus before it, words around it, a genus alone.
func (q question) chineseWithin(text string) wholeOf {
	s := strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsSpace(r) || r >= '①' && r <= '⑳' || r < utf8.RuneSelf && unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
	if s != text {
		if l := q.chineseLabels(s); len(l) > 0 {
			return wholeOf{labels: l}
		}
	}
	if i := strings.Index(s, "的"); i > 0 {
		s = s[:i] // 的干燥根
	}
	for _, above := range []string{"科", "属", "屬"} {
		i := strings.Index(s, above)
		if i <= 0 {
			continue
		}
		head, tail := s[:i+len(above)], s[i+len(above):]
		tail = strings.TrimPrefix(strings.TrimPrefix(tail, "的"), "植物")
		if above != "科" && tail == "" || strings.HasPrefix(tail, "一种") || tail == "未定种" {
			return wholeOf{q.genusLabels(head), tail != ""}
		}
		s = tail
	}
	if l := q.without(s); len(l) > 0 {
		return wholeOf{labels: l}
	}
	return wholeOf{}
}

// genusLabels returns what the Chinese name of a genus leads to, with 花 or
// without.
func (q question) genusLabels(genus string) []labelled {
	for _, g := range []string{genus, strings.Replace(genus, "花属", "属", 1), strings.Replace(genus, "属", "花属", 1)} {
		if l := q.chineseLabels(g); len(l) > 0 {
			return l
		}
	}
	return nil
}

// without looks a name up without the words around it, one after the other.
func (q question) without(s string) []labelled {
	for range 4 {
		if l := q.chineseLabels(s); len(l) > 0 && utf8.RuneCountInString(s) > 1 {
			return l
		}
		t := s
		for _, w := range wordlist.ChineseBefore {
			if t = strings.TrimPrefix(s, w); t != s {
				break
			}
		}
		if t == s {
			for _, w := range wordlist.ChineseBehind {
				if t = strings.TrimSuffix(s, w); t != s {
					break
				}
			}
		}
		if t == s {
			return nil
		}
		s = t
	}
	return nil
}
