package search

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/mappings"
	"bencao/mappings/internal/columns"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/matchers"
	"bencao/mappings/internal/reading"
	"bencao/mappings/internal/terms"
	"bencao/names/complaint"
	"bencao/names/han"
	"bencao/names/herb/written"
	"bencao/store"
)

// A query for formulas may consist of parts: herbs (麻黄 桂枝 杏仁 甘草), or a name with a book, an author
// or a dynasty (伤寒论 桂枝汤). Books, authors and dynasties restrict the hits. Two or more herbs find
// formulas. The other parts form a name. If the parts find nothing, the query is searched as a
// whole.

// mostParts is the maximum number of parts of a query.
const mostParts = 20

// piece is a part of a text between separators. joined is true if it is in one list with the piece
// before it: more than spaces separates them.
type piece struct {
	text   string
	joined bool
}

// piecesOf splits a text at separators. A word such as 不含 belongs to the piece after it.
func piecesOf(text string, separates func(rune) bool) (pieces []piece) {
	joined, without := false, ""
	for {
		start := strings.IndexFunc(text, func(r rune) bool { return !separates(r) })
		if start < 0 {
			return pieces
		}
		if without == "" {
			joined = strings.ContainsFunc(text[:start], func(r rune) bool { return !unicode.IsSpace(r) })
		}
		text = text[start:]
		end := strings.IndexFunc(text, separates)
		if end < 0 {
			end = len(text)
		}
		part := without + text[:end]
		if text = text[end:]; text != "" && slices.Contains(withoutWords, part) {
			without = part
			continue
		}
		pieces, without = append(pieces, piece{part, joined}), ""
	}
}

// isList reports whether a query may consist of parts: it has characters, and separators between
// two parts or more, but not too many.
func isList(text string) bool {
	if !strings.ContainsFunc(text, separates) || !han.Has(text) {
		return false
	}
	parts := len(strings.FieldsFunc(text, separates))
	return 2 <= parts && parts <= mostParts
}

// partReading is a query that was read as parts.
type partReading struct {
	recognised []mappings.Recognised
	herbs      [][]string // of each herb, the names that formulas use for it
	name       string     // the parts that are not books, authors or dynasties; "" if there are none, or if they are two or more herbs
	rest       string     // the parts that are nothing of these
	allowed    []uint64   // bit set of the records of the books, authors and dynasties; nil if no part names one
	lone       bool       // the query is a book, an author or a dynasty and nothing else, and names of formulas contain it
}

// read reads the parts of a query. 不含 before a herb holds for its whole list, to the next space.
// read returns false if the parts include neither a book, an author or a dynasty nor a herb beside
// another herb or another text.
func (p *properties) read(q *Query, text string, records int) (partReading, bool) {
	var r partReading
	var names, rest []string
	without := ""
	for _, piece := range p.apart(piecesOf(text, separates)) {
		part := piece.text
		key := terms.ChineseKey(part)
		field, column, values := p.property(key, true)
		switch {
		case field == "":
			without = p.excluded(part)
		case field == mappings.HerbsField && without != "" && piece.joined: // 不含麻黄、甘草
			without = part
		default:
			without = ""
		}
		if without != "" && !q.NoHerbs {
			part, field, column, values = without, mappings.WithoutField, p.herbs, p.herbsNamed(terms.ChineseKey(without))
		}
		rec := mappings.Recognised{Text: part, Field: field}
		for _, v := range values {
			rec.Values = append(rec.Values, column.Values[v].Text)
		}
		switch field {
		case mappings.HerbsField, "":
			names = append(names, part)
			if field == "" || q.NoHerbs {
				rest = append(rest, part)
				continue
			}
			rec.Values = q.herbsOr(part, rec.Values)
			r.herbs = append(r.herbs, rec.Values)
		case mappings.WithoutField:
			rec.Values = q.herbsOr(part, rec.Values)
			passed := make([]uint64, (records+63)/64)
			for _, name := range rec.Values {
				p.herbs.FindValue(name, passed)
			}
			invert(passed)
			intersect(passed, r.allowed)
			r.allowed = passed
		default:
			r.restrict(column, values, key, records)
			if len(values) == 0 { // a group of dynasties
				rec.Values = []string{mappings.DynastyKey(part)}
			}
		}
		r.recognised = append(r.recognised, rec)
	}
	if r.rest = strings.Join(rest, " "); r.rest != "" || len(r.herbs) == 1 {
		r.name = strings.Join(names, " ")
	}
	return r, len(r.herbs) > 1 || len(r.herbs) == 1 && r.rest != "" || r.allowed != nil
}

// apart replaces each piece that joins several herbs in one word (赤白芍) by a piece for each herb.
func (p *properties) apart(pieces []piece) (all []piece) {
	for _, one := range pieces {
		names := p.joined(terms.ChineseKey(one.text))
		if names == nil {
			all = append(all, one)
		}
		for i, name := range names {
			all = append(all, piece{name, one.joined || i > 0})
		}
	}
	return all
}

// joined returns the herbs that a part of a query joins in one word, if formulas have them all.
func (p *properties) joined(key string) []string {
	if slices.ContainsFunc(p.herbs.Named(key), func(v uint32) bool { return !p.text[v] && terms.ChineseKey(p.herbs.Values[v].Text) == key }) {
		return nil // formulas have a herb of this name
	}
	names := written.Joined(key)
	if slices.ContainsFunc(names, func(name string) bool { return len(p.herbsNamed(name)) == 0 }) {
		return nil
	}
	return names
}

// excluded returns the herb that the formulas must not have, if a part of a query says so: 甘草 for
// 不含甘草. It returns "" for other parts.
func (p *properties) excluded(part string) string {
	herb, ok := cutFirst(part, withoutWords, strings.CutPrefix)
	if !ok || len(p.herbsNamed(terms.ChineseKey(herb))) == 0 {
		return ""
	}
	return herb
}

// ofBook reports whether a part of a query is a book.
func ofBook(rec mappings.Recognised) bool { return rec.Field == mappings.SourceField }

// ofHerb reports whether a part of a query is a herb.
func ofHerb(rec mappings.Recognised) bool { return rec.Field == mappings.HerbsField }

// restrict removes from r.allowed the records that have none of the values. If values is nil, key
// is a dynasty or a group of dynasties, and restrict removes the records of other dynasties.
func (r *partReading) restrict(column *columns.Column, values []uint32, key string, records int) {
	passed := make([]uint64, (records+63)/64)
	if values == nil {
		column.Find(key, passed)
	}
	for _, v := range values {
		column.Records(v, passed)
	}
	intersect(passed, r.allowed)
	r.allowed = passed
}

// A formula with all herbs of the query may also have other herbs. Each other herb after the first
// lowers the formula by one tier. mostOthers is the maximum number of these tiers. A formula of which
// some herbs are known to be missing comes after all these.
const mostOthers = 8

// having returns the bit set of the formulas that have all the herbs. Each element of herbs lists the
// names of one herb.
func (p *properties) having(herbs [][]string) (all []uint64) {
	for _, names := range herbs {
		has := make([]uint64, len(p.incomplete))
		for _, name := range names {
			p.herbs.FindValue(name, has)
		}
		intersect(has, all)
		all = has
	}
	return all
}

// collect adds to the hits the formulas that have all the herbs, as having finds them.
func (p *properties) collect(s *Searcher, herbs [][]string, to *hits.Collector) {
	asked, noted := p.asked(herbs)
	tiers := &s.index.Rows[p.herbsRow].Tiers
	for i, w := range p.having(herbs) {
		for ; w != 0; w &= w - 1 {
			at := store.Num(i*64 + bits.TrailingZeros64(w))
			others := p.others(at, asked, noted[at])
			why := hits.Why{Tier: tiers[mappings.AllHerbs], Row: p.herbsRow, Way: mappings.AllHerbs}
			below := min(max(others-1, 0), mostOthers)
			switch only := tiers[mappings.OnlyHerbs]; {
			case p.incomplete[i]&(w&-w) != 0:
				below = mostOthers + 1
			case only > 0 && others == 0 && len(herbs) > 1:
				why = why.As(mappings.OnlyHerbs, only)
			}
			to.Add(at, why.Lower(below))
		}
	}
}

// runParts reads a query as parts and searches for the parts. It reports whether it found anything.
func (s *Searcher) runParts(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error) {
	p, err := s.lazy.propertiesOf()
	if p == nil || err != nil {
		return false, err
	}
	if !isList(text) {
		if q.NamesAlone {
			return false, nil
		}
		return s.runLone(ctx, b, q, text, allowed, record)
	}
	r, ok := p.read(&q, text, s.Len())
	if !ok {
		return false, nil
	}
	return s.collectParts(ctx, b, p, q, r, text, allowed, record)
}

// runLone reads a query as a book, an author or a dynasty, or as a herb that formulas must not
// have: 伤寒论, 不含麻黄. If it is the name of a formula, it means the name. runLone reports whether it
// found anything.
func (s *Searcher) runLone(ctx context.Context, b *buffers, q Query, text string, allowed []uint64, record *recorder) (bool, error) {
	part, quoted := strings.CutPrefix(text, "《")
	part = strings.TrimSuffix(part, "》")
	readAs, err := s.lazy.propertyInChinese(part)
	if err != nil {
		return false, err
	}
	if part = cmp.Or(readAs, part); !han.Has(part) || strings.ContainsFunc(part, separates) {
		return false, nil
	}
	p, err := s.lazy.propertiesOf()
	if err != nil {
		return false, err
	}
	key := terms.ChineseKey(part)
	field, column, values := p.property(key, false)
	if p.excluded(part) != "" && field == "" && !quoted { // 不含麻黄
		strict := q
		strict.Unforgiving = true
		if err := s.find(ctx, b, strict, text, allowed, record); err != nil || b.Hits.Any() {
			return true, err
		}
		record.restart()
		return s.runProperties(ctx, b, q, part, true, allowed, record)
	}
	single := utf8.RuneCountInString(part) == 1
	if field == "" || single && field != mappings.DynastyField {
		return false, nil
	}
	contained := false // names of formulas contain the text
	if !quoted {
		named, ofDynasty := 0, make([]uint64, len(p.incomplete)) // counted without filters, since no filter changes the reading of a query
		if single {
			column.Find(key, ofDynasty)
			if named, err = s.count(ctx, b, part, ofNames, nil); err != nil {
				return false, err
			}
		}
		strict := q
		strict.Unforgiving = true
		err := s.find(ctx, b, strict, text, allowed, record)
		best := b.Hits.Best()
		contained = best > 0 && b.Hits.Verdict().Forgiven == ""
		isName := best == mappings.MaxTier || readAs != "" && best > 0 && b.Hits.Verdict() == mappings.Verdict{}
		if single { // 元 is rather a part of names, 唐 the dynasty
			isName = named*clearly > size(ofDynasty)
		}
		if err != nil || isName || contained && field != mappings.DynastyField && !isWhole(column, values, mappings.TitleKey(mappings.PersonKey(key))) {
			return true, err
		}
		record.restart()
	}
	r, _ := p.read(&q, part, s.Len())
	if len(r.recognised) == 0 {
		return false, nil
	}
	r.name, r.lone = "", contained && readAs == ""
	read, err := s.collectParts(ctx, b, p, q, r, part, allowed, record)
	if read {
		b.rewrite.ReadAs = readAs
	}
	return read, err
}

// clearly is how many times as many formulas count as clearly more: those of a dynasty of one character
// than those with the character in their names, if a query means the dynasty, and those with one name
// of a complaint than those with another.
const clearly = 10

// cut returns the parts of a query that a text without separators, or a question, consists of: 菟丝子
// 五味子 for 菟丝子五味子, and 张仲景 麻黄 for 张仲景的含麻黄的方. Where several cuts are possible, longer parts come
// first: 熟地黄 当归 for 熟地黄当归, but 熟地 黄芪 当归 for 熟地黄芪当归. Doses and notes in brackets do not count:
// 桂枝（去皮，三两）. asked means that words are left out. cut returns nil if other characters are left.
func (p *properties) cut(text string) (parts []string, asked bool) {
	if strings.ContainsAny(text, "(（") {
		text = notes.ReplaceAllString(text, " ")
	}
	without := "" // the word before the last herb that formulas must not have, while its list lasts
	for _, piece := range piecesOf(text, func(r rune) bool { return separates(r) || unicode.IsPunct(r) }) {
		if !piece.joined {
			without = ""
		}
		name := withoutDose(piece.text)
		asked = asked || name != piece.text
		runes := []rune(terms.ChineseKey(name))
		first := make([]int, len(runes)) // the length of the first part or word of runes[i:]; -1 if that has no cut
		var fits func(i int) bool
		fits = func(i int) bool {
			if i == len(runes) || first[i] != 0 {
				return i == len(runes) || first[i] > 0
			}
			for n := min(len(runes)-i, shortTitle); n > 0; n-- {
				alone := n == len(runes) || i == 0 && n > 1 || i > 0 && i+n == len(runes) && runes[i-1] == '的' // 局方治霍乱的膏
				if name := string(runes[i : i+n]); (aroundParts[name] || name == "或" || p.isPart(name, alone)) && fits(i+n) {
					first[i] = n
					return true
				}
			}
			first[i] = -1
			return false
		}
		if !fits(0) {
			return nil, false
		}
		for i := 0; i < len(runes); i += first[i] {
			switch name := string(runes[i : i+first[i]]); {
			case name == "或" && without == "": // one of two herbs cannot be asked for
				return nil, false
			case aroundParts[name] || name == "或":
				asked = true
				if !slices.Contains(betweenExcluded, name) {
					without = ""
				}
			case len(p.herbsNamed(name)) > 0:
				parts = append(parts, without+name)
			default:
				without = strings.TrimSuffix(name, p.excluded(name))
				if without == name {
					without = ""
				}
				parts = append(parts, name)
			}
		}
	}
	return parts, asked
}

// notes matches texts in brackets.
var notes = regexp.MustCompile(`[(（][^()（）]*[)）]`)

// isPart reports whether a text is a part of a query by itself. Shorter names count if it stands alone.
func (p *properties) isPart(name string, alone bool) bool {
	several := utf8.RuneCountInString(name) > 1
	if several && (isHerbName(name) && len(p.herbsNamed(name)) > 0 || p.joined(name) != nil || isHerbName(p.excluded(name)) || complaint.Known(name)) {
		return true
	}
	if form, ok := strings.CutSuffix(name, "剂"); (ok || alone) && slices.Contains(chineseForms, form) {
		return true
	}
	switch field, _, _ := p.property(name, false); {
	case field == "":
		return false
	case field == mappings.SourceField && utf8.RuneCountInString(name) < leastSyllables:
		for other := range mappings.OtherTitles() {
			alone = alone || terms.ChineseKey(other) == name
		}
		return alone
	}
	return alone || several
}

// isWhole reports whether one of the values is the whole title of a book or name of an author, not one
// that has the key as a part.
func isWhole(column *columns.Column, values []uint32, key string) bool {
	return slices.ContainsFunc(values, func(v uint32) bool { return terms.ChineseKey(column.Values[v].Text) == key })
}

// runProperties searches for the formulas of a book, an author or a dynasty, or with herbs, even with
// a single one. If herbs is true, every part must be a herb. It reports whether the text has only
// such parts.
func (s *Searcher) runProperties(ctx context.Context, b *buffers, q Query, text string, herbs bool, allowed []uint64, record *recorder) (bool, error) {
	p, err := s.lazy.propertiesOf()
	if p == nil || err != nil {
		return false, err
	}
	r, _ := p.read(&q, text, s.Len())
	if len(r.recognised) == 0 || r.rest != "" || herbs && !slices.ContainsFunc(r.recognised, func(rec mappings.Recognised) bool { return ofHerb(rec) || rec.Field == mappings.WithoutField }) {
		return false, nil
	}
	r.name = ""
	return s.collectParts(ctx, b, p, q, r, text, allowed, record)
}

// collectParts collects the hits of a query that was read as parts. It reports whether it found
// anything.
func (s *Searcher) collectParts(ctx context.Context, b *buffers, p *properties, q Query, r partReading, text string, allowed []uint64, record *recorder) (bool, error) {
	filtered := allowed
	if r.allowed != nil {
		intersect(r.allowed, allowed)
		allowed = r.allowed
	}
	if r.rest != "" {
		herbs, recognised := r.herbs, r.recognised
		r.herbs, r.recognised = nil, slices.DeleteFunc(slices.Clone(recognised), ofHerb)
		strict := q
		strict.Unforgiving = true
		if err := s.find(ctx, b, strict, r.name, allowed, record); err != nil || size(b.Hits.All()) > 0 {
			b.recognised = r.recognised
			return true, err
		}
		record.restart()
		if done, err := s.runAgainst(ctx, b, p, q, r.rest, herbs, recognised, allowed, record); done || err != nil {
			return done, err
		}
		if len(herbs) > 0 { // 附子 丸: formulas with the herbs whose name has the rest
			having := p.having(herbs)
			intersect(having, allowed)
			if err := s.find(ctx, b, strict, strings.TrimSuffix(r.rest, "剂"), having, record); err != nil || size(b.Hits.All()) > 0 {
				b.recognised = recognised
				return true, err
			}
			record.restart()
		}
		if r.allowed == nil {
			return false, nil
		}
	}
	b.Hits.Reset(allowed, record.best())
	p.collect(s, r.herbs, b.Hits)
	if r.name == "" && !q.Unforgiving && !b.Hits.Any() { // no formula has all the herbs
		p.collectNear(s, r.herbs, b.Hits)
	}
	name, sort := r.name, ""
	var found []uint64 // the hits that were not found by their names alone; nil if all count as such
	switch {
	case len(r.herbs) == 0 && name == "": // all formulas of a book, an author or a dynasty
		b.Hits.Reset(filtered, record.best())
		for at := range store.Num(s.Len()) {
			if r.allowed[at/64]&(1<<(at%64)) != 0 {
				b.Hits.Add(at, hits.Why{Tier: mappings.MaxTier, Row: p.herbsRow, Way: mappings.AllHerbs})
			}
		}
		if slices.ContainsFunc(r.recognised, ofBook) {
			sort = "year" // the formulas of a book have its order
		}
		if r.lone {
			found, name = b.Hits.All(), text
		}
	case b.Hits.Any() && name == "": // formulas with the herbs, and those whose name has all of them
		found, name = b.Hits.All(), text
	case b.Hits.Any(): // formulas with the herb; those of them come first whose name has it
		b.Hits.Reset(b.Hits.All(), record.best())
		p.collect(s, r.herbs, b.Hits)
	default: // no formula has the herbs
		r.recognised = slices.DeleteFunc(r.recognised, ofHerb)
	}
	if name != "" {
		b.reading = reading.Read(name)
		record.read(&b.reading, s.index.Rows)
		if err := s.finder.Find(ctx, b.Scratch, matchers.Request{Reading: &b.reading, Unforgiving: q.Unforgiving, PageEnd: math.MaxInt, Trace: record.tracing()}); err != nil {
			return false, err
		}
	}
	named := 0
	if found != nil {
		for i, w := range b.Hits.All() {
			named += bits.OnesCount64(w &^ found[i])
		}
	}
	if size(b.Hits.All()) == 0 {
		record.restart()
		return false, nil
	}
	b.recognised, b.named, b.sort, b.first = r.recognised, named, sort, found
	return true, nil
}

// runAgainst searches the indications of the allowed formulas with the herbs for a complaint: 咳嗽
// 宋代, 麻黄 咳嗽. A text that no name has may be a complaint too. recognised are the parts of the query
// beside it. It reports whether it found anything.
func (s *Searcher) runAgainst(ctx context.Context, b *buffers, p *properties, q Query, text string, herbs [][]string, recognised []mappings.Recognised, allowed []uint64, record *recorder) (bool, error) {
	if !complaint.Known(text) {
		if strings.ContainsFunc(text, separates) || withoutDose(text) != text {
			return false, nil
		}
		if named, err := s.count(ctx, b, text, ofNames, nil); named > 0 || err != nil {
			return false, err
		}
	}
	if len(herbs) > 0 {
		having := p.having(herbs)
		intersect(having, allowed)
		allowed = having
	}
	found, err := s.runComplaint(ctx, b, q, mappings.Rewrite{ReadAs: text}, allowed, record)
	if !found || size(b.Hits.All()) == 0 || err != nil {
		return false, err
	}
	if len(herbs) > 0 {
		b.Hits.Reset(b.Hits.All(), record.best())
		p.collect(s, herbs, b.Hits)
	}
	b.recognised = recognised
	return true, nil
}
