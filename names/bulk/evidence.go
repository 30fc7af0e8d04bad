package bulk

import (
	"html"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"bencao/internal/rows"
	"bencao/names"
	"bencao/names/han"
)

// Limits of what is looked at to tell the columns of a list.
const (
	// sampleRows is the number of rows, spread over the beginning of the list, whose cells are looked
	// at. fewCells is the number of cells that a column has in the sample, unless it has fewer.
	sampleRows = 300
	fewCells   = 10
	// maxLookups is the number of texts that are looked up in the checklists: as many as one call of a
	// [Matcher] takes, so that a list that is matched by a server costs one request more.
	maxLookups = MaxNames
	// eachLookups is the number of texts of one column that are looked up at most. Of texts that may be
	// headers, they are twice as many.
	eachLookups = 12
)

// evidence is what is known about the columns of a view.
type evidence struct {
	view    *rows.View
	rows    []int // the sample: indexes of rows, in random order
	body    []int // those of the sample that are below the header
	columns []traits
	kinds   map[string]cellKind
	found   lookups
	ranks   int // the column of ranks below species, or -1
}

// traits counts what the cells of a column look like, and what the checklists know of them.
type traits struct {
	filled int
	of     [numCellKinds]int
	// asked counts the cells that were looked up as what they look like, and found those that the
	// checklists have: names of species, genera, and Chinese names of species and herbs.
	asked, found int
	// maybe counts the cells that may be names or not: those that were looked up, those that were found,
	// and all.
	maybe [3]int
	// epithets counts cells that are epithets behind the genus of their row, and below those that are
	// epithets below its species: first those that were looked up, then those that were found.
	epithets, below [2]int
}

// share returns the share of the filled cells that look like a kind.
func (t *traits) share(k cellKind) float64 { return float64(t.of[k]) / float64(max(1, t.filled)) }

// areEpithets reports whether two cells or more were found as epithets behind their genus, and most of
// those that were looked up.
func (t *traits) areEpithets() bool { return t.epithets[1] > 1 && rate(t.epithets) >= enough }

// known returns the share of the cells looked up that were found, or 0.5 if none was looked up.
func (t *traits) known() float64 { return rate([2]int{t.asked, t.found}) }

// value says how much a column is one of a kind: the share of its cells that look so, more if they are
// found and less if they are not.
func (t *traits) value(k cellKind) float64 { return t.share(k) * (0.3 + 0.7*t.known()) }

// newEvidence looks at a sample of the rows of a view.
func newEvidence(v *rows.View) *evidence {
	e := &evidence{view: v, kinds: map[string]cellKind{}}
	for i, cells := range v.Rows {
		if filled(cells) > 0 {
			e.rows = append(e.rows, i)
		}
	}
	all := slices.Clone(e.rows)
	// A regular distance between the rows of the sample might be that of a pattern in the list.
	random := rand.New(rand.NewPCG(1, uint64(len(all))))
	random.Shuffle(len(e.rows), func(i, j int) { e.rows[i], e.rows[j] = e.rows[j], e.rows[i] })
	e.rows = e.rows[:min(len(e.rows), sampleRows)]
	e.addSparse(all)
	e.count(-1)
	return e
}

// addSparse adds rows to the sample for the columns that have few cells in it.
func (e *evidence) addSparse(all []int) {
	has := map[int]int{}
	seen := map[int]bool{}
	for _, i := range e.rows {
		seen[i] = true
		for c, cell := range e.view.Rows[i] {
			if !isMissing(strings.TrimSpace(cell)) {
				has[c]++
			}
		}
	}
	for _, i := range all {
		for c, cell := range e.view.Rows[i] {
			if has[c] < fewCells && !seen[i] && !isMissing(strings.TrimSpace(cell)) {
				has[c]++
				e.rows = append(e.rows, i)
				seen[i] = true
			}
		}
	}
}

// width returns the number of columns.
func (e *evidence) width() int {
	width := 0
	for _, i := range e.rows {
		width = max(width, len(e.view.Rows[i]))
	}
	return width
}

// cell returns the trimmed cell of a row, or "" if it has no value.
func (e *evidence) cell(row, column int) string {
	if cells := e.view.Rows[row]; column >= 0 && column < len(cells) {
		if cell := strings.TrimSpace(cells[column]); !isMissing(cell) {
			return cell
		}
	}
	return ""
}

// kind returns what a cell looks like. What may be a name is one if it was found.
func (e *evidence) kind(cell string) cellKind {
	k, ok := e.kinds[cell]
	if !ok {
		k = looksLike(html.UnescapeString(cell))
		e.kinds[cell] = k
	}
	if k == kindMaybeName && e.found.isName(cell) {
		return kindName
	}
	return k
}

// headerKind returns what a cell is for [rows.HeaderRow]. What was looked up and not found is no name if
// the checklists have those of its column.
func (e *evidence) headerKind(column int, cell string) int {
	switch k := e.kind(cell); k {
	case kindName, kindGenus, kindChinese:
		if e.found[cell] == nil || e.knows(cell, k) {
			return int(k)
		}
		if l := e.columns[min(column, len(e.columns)-1)]; l.share(k) >= enough && 2*l.found < l.asked {
			return -1
		}
		return int(kindOther)
	case kindMaybeName:
		if e.found[cell] == nil {
			return -1
		}
		return int(kindOther)
	case kindEpithet, kindMaybeEpithet, kindQualifier, kindText, kindHerbs, kindKingdom:
		return int(kindOther)
	default:
		return int(k)
	}
}

// knows reports whether a cell that was looked up as a kind was found.
func (e *evidence) knows(cell string, k cellKind) bool {
	switch k {
	case kindName:
		return e.found.isName(cell)
	case kindGenus:
		return e.found.isGenus(cell)
	}
	return e.found.isChinese(cell)
}

// count counts the cells of the rows of the sample below the header.
func (e *evidence) count(header int) {
	e.body = slices.DeleteFunc(slices.Clone(e.rows), func(i int) bool { return i <= header })
	e.columns = make([]traits, e.width())
	for c := range e.columns {
		l := &e.columns[c]
		for _, i := range e.body {
			if cell := e.cell(i, c); cell != "" {
				e.countCell(l, cell)
			}
		}
		if l.maybe[0] > 0 { // those that were not looked up are names as often as those that were
			l.of[kindName] += (l.maybe[2] - l.maybe[0]) * l.maybe[1] / l.maybe[0]
		}
	}
	of := e.columnsOfNames()
	e.ranks = e.best(kindRank)
	for c := range e.columns {
		l := &e.columns[c]
		if l.epithetsOrNames() < some && !e.mayBeEpithets(c, of) { // this only saves time
			continue
		}
		for _, i := range e.body {
			k := e.kind(e.cell(i, c))
			is := e.found.isSpecies
			if k != kindEpithet && k != kindMaybeEpithet {
				is = e.found.isExact // an author may be like an epithet, as Hayata and hayatae
			}
			e.countFound(l, &l.epithets, e.inGenus(i, of.genus, c), is, k != kindEpithet)
			e.countFound(l, &l.below, e.belowSpecies(i, of, c), e.found.isBelow, k == kindMaybeEpithet)
		}
	}
}

// countCell counts a cell of a column by what it looks like, and by whether it was found.
func (e *evidence) countCell(l *traits, cell string) {
	k := e.kind(cell)
	asked := e.found[cell] != nil
	l.filled++
	l.of[k]++
	if e.kinds[cell] == kindMaybeName {
		l.maybe[2]++
		l.maybe[0] += oneIf(asked)
		l.maybe[1] += oneIf(k == kindName)
	}
	if asked && (k == kindName || k == kindGenus || k == kindChinese) {
		l.asked++
		l.found += oneIf(e.knows(cell, k))
	}
}

// countFound counts a text that a cell of epithets completes, if the text was looked up. A cell that
// may be an epithet or not is one if the text was found.
func (e *evidence) countFound(l *traits, n *[2]int, text string, is func(string) bool, maybe bool) {
	if text == "" || e.found[text] == nil {
		return
	}
	n[0]++
	if is(text) {
		n[1]++
		l.of[kindEpithet] += oneIf(maybe)
	}
}

// oneIf returns 1 if is is true, or else 0.
func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// epithetsOrNames returns the share of the cells that may be epithets or names, as a column of taxa below
// species has.
func (t *traits) epithetsOrNames() float64 {
	return t.share(kindEpithet) + t.share(kindMaybeEpithet) + t.share(kindName)
}

// mayBeEpithets reports whether a column may have epithets: it looks so; or they have capitals, or authors
// behind them, and it has most of the few that look like epithets, or no column has any.
func (e *evidence) mayBeEpithets(c int, of nameColumns) bool {
	l := &e.columns[c]
	return l.share(kindEpithet)+l.share(kindMaybeEpithet) >= some || of.species < 0 || of.species == c
}

// best returns the column with the most cells of a kind, if at least half of its cells are of it and
// no column is the better one by what was found, or -1.
func (e *evidence) best(k cellKind) int {
	best, most := -1, 0.0
	for c := range e.columns {
		l := &e.columns[c]
		if v := l.value(k) * float64(l.filled); l.share(k) >= enough && v > most {
			best, most = c, v
		}
	}
	return best
}

// epithetColumn returns the column of epithets that belongs to a column of genera: the one with the
// most cells that are found behind their genus, or else the next one with epithets.
func (e *evidence) epithetColumn(genus int) int {
	if genus < 0 {
		return -1
	}
	best, most := -1, 0.0
	for c := range e.columns {
		l := &e.columns[c]
		if v := float64(l.of[kindEpithet]) * (0.3 + 0.7*rate(l.epithets)); c != genus && v > most {
			best, most = c, v
		}
	}
	return best
}

// rate returns the share of cells looked up that were found, or 0.5 if none was.
func rate(n [2]int) float64 {
	if n[0] == 0 {
		return 0.5
	}
	return float64(n[1]) / float64(n[0])
}

// inGenus returns the name of genus and epithet in two columns of a row, or "".
func (e *evidence) inGenus(row, genus, epithet int) string {
	g := latinGenus(e.cell(row, genus))
	word := smallEpithet(e.cell(row, epithet))
	first, _, _ := strings.Cut(word, " ")
	if g == "" || epithet == genus || !isEpithet(first) || strings.EqualFold(first, g) {
		return ""
	}
	return g + " " + word
}

// nameColumns are the columns that may hold scientific names, or genera with epithets of species; -1
// for none.
type nameColumns struct{ name, genus, species int }

// columnsOfNames returns the columns with the most names and genera, and that of epithets beside the
// genera.
func (e *evidence) columnsOfNames() nameColumns {
	genus := e.best(kindGenus)
	return nameColumns{e.best(kindName), genus, e.epithetColumn(genus)}
}

// species returns the name of a species or below in a row, or "".
func (e *evidence) species(row int, of nameColumns) string {
	if name := e.cell(row, of.name); name != "" {
		return name
	}
	return e.inGenus(row, of.genus, of.species)
}

// belowSpecies returns the name below species that a row has, if the column below has its epithet.
func (e *evidence) belowSpecies(row int, of nameColumns, below int) string {
	epithet := e.cell(row, below)
	if epithet == "" || below == of.name || below == of.genus || below == of.species {
		return ""
	}
	return joinBelow(e.species(row, of), rankMark(e.cell(row, e.ranks)), epithet)
}

// belowHeading returns the names of the rows below a row that may be a heading.
func (e *evidence) belowHeading(row int) []string {
	of := e.columnsOfNames()
	var all []string
	for i := row + 1; i < len(e.view.Rows) && len(all) < 4; i++ {
		if text := e.species(i, of); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// headings returns the rows below the header that have only a family.
func (e *evidence) headings(header int) []int {
	var all []int
	for i, cells := range e.view.Rows {
		if i > header && headingOf(cells) != "" {
			all = append(all, i)
		}
	}
	return all
}

// plan collects texts to look up, in lists. A text is in one list only.
type plan struct {
	lists [][]string
	seen  map[string]bool
}

// add adds a list of at most the given number of texts.
func (p *plan) add(most int, texts iter.Seq[string]) {
	var list []string
	for text := range texts {
		if len(list) < most && text != "" && len(text) < 200 && !p.seen[text] {
			p.seen[text] = true
			list = append(list, text)
		}
	}
	p.lists = append(p.lists, list)
}

// plan returns the texts to look up, in lists: each that may be a label, the names below a heading, and
// those of each column.
func (e *evidence) plan() [][]string {
	p := &plan{seen: map[string]bool{}}
	for text := range e.labels {
		if len(p.lists) < 2*eachLookups {
			p.add(1, slices.Values([]string{text}))
		}
	}
	if at := e.headings(-1); len(at) == 1 {
		p.add(4, slices.Values(e.belowHeading(at[0])))
	}
	of := e.columnsOfNames()
	if len(e.view.Rows) > 0 { // it may have no header
		p.add(1, slices.Values([]string{e.inGenus(0, of.genus, of.species)}))
	}
	for c := range e.columns {
		l := &e.columns[c]
		for _, k := range []cellKind{kindName, kindMaybeName, kindGenus, kindChinese} {
			if l.share(k) >= some || k == kindMaybeName && l.of[k] > 0 && l.share(k)+l.share(kindName) >= some {
				p.add(eachLookups, e.sampled(func(row int) string { return e.cellOf(k, row, c) }))
			}
		}
		for genus := range e.columns { // which of them has genera is known when they have been looked up
			if e.columns[genus].share(kindGenus) >= enough && e.mayBeEpithets(c, of) {
				p.add(eachLookups, e.sampled(func(row int) string { return e.inGenus(row, genus, c) }))
			}
		}
		if (of.name >= 0 || of.species >= 0) && l.epithetsOrNames() >= enough {
			p.add(eachLookups, e.sampled(func(row int) string { return e.belowSpecies(row, of, c) }))
		}
	}
	return p.lists
}

// labels yields the cells of the first rows that may be labels or names: what looks like a name, and in
// the very first rows, what looks like the genera or Chinese names of its column.
func (e *evidence) labels(yield func(text string) bool) {
	for i, cells := range e.view.Rows[:min(len(e.view.Rows), rows.HeaderLines)] {
		for c := range cells[:min(len(cells), len(e.columns))] {
			cell := e.cell(i, c)
			k := e.kind(cell)
			if k == kindName || k == kindMaybeName || i < 5 && (k == kindGenus || k == kindChinese) && e.columns[c].share(k) >= some {
				if !yield(cell) {
					return
				}
			}
		}
	}
}

// sampled yields a text of each row of the sample. The first rows of a long list tell nothing of its
// columns.
func (e *evidence) sampled(text func(row int) string) iter.Seq[string] {
	first := rows.HeaderLines
	if len(e.view.Rows) < 3*first {
		first = -1
	}
	return func(yield func(string) bool) {
		for _, i := range e.rows {
			if i > first && !yield(text(i)) {
				return
			}
		}
	}
}

// cellOf returns a cell if it looks like a kind, or "".
func (e *evidence) cellOf(k cellKind, row, column int) string {
	if cell := e.cell(row, column); cell != "" && e.kind(cell) == k {
		return cell
	}
	return ""
}

// lookups has the answers to the texts that were looked up.
type lookups map[string]*names.Response

// lookUp looks up texts of several lists, some of each, at most [maxLookups].
func lookUp(lists [][]string, ask func([]names.Query) ([]Answer, error)) (lookups, error) {
	var texts []string
	var queries []names.Query
	for i := range eachLookups * 2 {
		for _, list := range lists {
			if i < len(list) && len(texts) < maxLookups && !slices.Contains(texts, list[i]) {
				texts = append(texts, list[i])
				queries = append(queries, names.Query{Name: list[i], Limit: 1})
			}
		}
	}
	if len(queries) == 0 {
		return nil, nil
	}
	answers, err := ask(queries)
	if err != nil {
		return nil, err
	}
	found := lookups{}
	for i := range min(len(answers), len(texts)) {
		found[texts[i]] = &answers[i].Response
	}
	return found, nil
}

// result returns the answer to a text, or nil if there is none.
func (l lookups) result(text string) *names.Entry {
	if r := l[text]; r != nil && len(r.Results) > 0 {
		return &r.Results[0]
	}
	return nil
}

// isSpecies reports whether a text was found as the scientific name of a species or below.
func (l lookups) isSpecies(text string) bool {
	e := l.result(text)
	return e != nil && e.MatchType != names.MatchHigherRank && e.Rank != "genus" && e.Rank != "family" && l[text].MatchedVia != "pinyin"
}

// isExact reports whether a text was found as the scientific name of a species or below as it is written.
func (l lookups) isExact(text string) bool {
	return l.isSpecies(text) && l.result(text).MatchType == names.MatchExact
}

// isBelow reports whether a text was found as a name below species.
func (l lookups) isBelow(text string) bool {
	return l.isSpecies(text) && l.result(text).Rank != "species"
}

// isName reports whether a text was found as a scientific name, or names a species that no checklist
// has in a genus that they have.
func (l lookups) isName(text string) bool {
	e := l.result(text)
	return l.isSpecies(text) || e != nil && e.Rank == "genus" && strings.Contains(text, " ")
}

// isGenus reports whether a text was found as a genus.
func (l lookups) isGenus(text string) bool {
	e := l.result(text)
	return e != nil && e.Rank == "genus" && e.MatchType != names.MatchFuzzy
}

// isChinese reports whether a text was found as the Chinese name of a species or a herb.
func (l lookups) isChinese(text string) bool {
	r := l[text]
	return r != nil && han.Has(text) && (r.HerbName != "" || l.isSpecies(text))
}
