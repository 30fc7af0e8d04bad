package bulk

import (
	"cmp"
	"slices"
	"strings"

	"bencao/names/internal/author"
	"bencao/names/internal/family"
)

// The shares of the filled cells from which a column is taken for one of a kind.
const (
	some   = 0.25 // the column has them too
	enough = 0.5  // the column holds nothing else
	plenty = 0.6  // and its header says nothing
	// nearlyAll is the share for kinds of cells that other columns have too, such as a question mark.
	nearlyAll = 0.9
)

// why is the reason why a column has its role.
type why string

const (
	whyOption  why = "option"  // an option names it
	whyHeader  why = "header"  // its header is usual
	whyContent why = "content" // its cells tell
)

// assignment gives columns their roles by the evidence. The cells decide; headers decide between columns
// whose cells say the same, and where the cells say nothing.
type assignment struct {
	*table
	e     *evidence
	forms [][]string
	taken map[int]bool
}

// ofNames returns the columns that have been taken for names, or for genera and epithets.
func (a *assignment) ofNames() nameColumns {
	return nameColumns{a.at[roleName], a.at[roleGenus], a.at[roleEpithet]}
}

// fit returns how well the header of a column fits a role: 0 for not at all, more for a preferred
// header.
func (a *assignment) fit(r role, c int) int {
	return fit(r, a.forms[c])
}

// take gives a column a role.
func (a *assignment) take(r role, c int) {
	if c < 0 || a.at[r] >= 0 {
		return
	}
	reason := whyContent
	if a.fit(r, c) > 0 {
		reason = whyHeader
	}
	a.at[r], a.why[r], a.taken[c] = c, reason, true
}

// choose returns the free column with the greatest value, or -1 if no value is positive. Of equal ones
// it is the first.
func (a *assignment) choose(value func(c int, t *traits) float64) int {
	best, most := -1, 0.0
	for c := range a.e.columns {
		if a.taken[c] {
			continue
		}
		if v := value(c, &a.e.columns[c]); v > most {
			best, most = c, v
		}
	}
	return best
}

// isElse reports whether the cells of a column are plainly something else than one of some kinds.
func (t *traits) isElse(kinds ...cellKind) bool {
	for k := kindNumber; k < kindMaybeName; k++ {
		if !slices.Contains(kinds, k) && t.share(k) >= enough {
			return true
		}
	}
	return false
}

// assign gives the columns of a table their roles. It returns an error if two columns hold names and
// nothing tells which is meant, or if no column does.
func (t *table) assign(e *evidence) error {
	a := &assignment{table: t, e: e, taken: map[int]bool{}}
	for _, h := range t.columns {
		a.forms = append(a.forms, headerForms(h))
	}
	for r, c := range t.at {
		if t.why[r] == whyOption {
			a.taken[c] = true
		}
	}
	for len(e.columns) < len(t.columns) {
		e.columns = append(e.columns, traits{})
	}
	e.columns = e.columns[:len(t.columns)] // a longer row is invalid
	if err := a.names(); err != nil {
		return err
	}
	a.family()
	if t.at[roleName] < 0 || e.columns[t.at[roleName]].share(kindChinese) < enough {
		a.chinese()
	}
	a.below()
	a.author()
	a.marked(roleQualifier, kindQualifier)
	a.marked(roleKingdom, kindKingdom)
	t.blocks = inBlocks(e.view.Rows[t.header+1:], t.at[roleFamily], max(t.at[roleName], t.at[roleEpithet]))
	t.headings = a.headings()
	a.unused()
	return nil
}

// marked gives a role to the column whose cells are nearly all of one kind, or some, under a usual
// header.
func (a *assignment) marked(r role, k cellKind) {
	a.take(r, a.choose(func(c int, l *traits) float64 {
		if a.fit(r, c) > 0 && (l.of[k] > 0 || l.filled == 0) {
			return 2
		}
		return max(0, l.share(k)-nearlyAll)
	}))
}

// names chooses the column of names, or those of genera and epithets.
func (a *assignment) names() error {
	genus, epithet := a.pair()
	name, err := a.name(genus, epithet)
	if err != nil {
		return err
	}
	a.take(roleName, name)
	if name < 0 && genus >= 0 && epithet >= 0 {
		a.take(roleGenus, genus)
		a.take(roleEpithet, epithet)
	}
	if a.at[roleName] < 0 && a.at[roleEpithet] < 0 {
		if a.take(roleName, a.otherName(genus)); a.at[roleName] < 0 {
			return a.none()
		}
		a.why[roleName] = cmp.Or(a.why[roleName], whyContent)
	}
	// Genus and epithet stand in for a name that is empty or lacks its genus.
	if c := a.at[roleName]; c >= 0 && genus >= 0 && genus != c && !a.taken[genus] && a.goesWith(c, genus) {
		a.take(roleGenus, genus)
		if epithet >= 0 && epithet != c && !a.taken[epithet] {
			a.take(roleEpithet, epithet)
		}
	}
	return nil
}

// pair returns the columns of genera and of epithets, or -1.
func (a *assignment) pair() (genus, epithet int) {
	genus = a.choose(func(c int, l *traits) float64 {
		v := l.value(kindGenus)
		if l.share(kindGenus) < enough || l.asked > 2 && l.found == 0 {
			v = 0
		}
		if fit := a.fit(roleGenus, c); fit > 0 && !l.isElse(kindGenus, kindEpithet) {
			v += 1 + float64(fit)/1000
		}
		return v
	})
	if genus < 0 {
		return -1, -1
	}
	epithet = a.choose(func(c int, l *traits) float64 {
		if c == genus || l.isElse(kindEpithet, kindGenus) && !l.areEpithets() || l.filled > 0 && l.of[kindEpithet] == 0 && a.fit(roleEpithet, c) == 0 {
			return 0
		}
		v, share := 0.0, l.share(kindEpithet)
		if l.areEpithets() {
			share = max(share, rate(l.epithets))
		}
		if share >= enough {
			v = share * (0.3 + 0.7*rate(l.epithets)) * (0.5 + 0.5*float64(l.filled)/float64(max(1, a.e.columns[genus].filled)))
		}
		if fit := a.fit(roleEpithet, c); fit > 0 && (l.epithets[0] < 3 || l.epithets[1] > 0) {
			v += 0.5 + float64(fit)/1000
		}
		return v
	})
	return genus, epithet
}

// name returns the column of names among those that hold scientific names, or -1 if there is none, or
// if genus and epithet name something else.
func (a *assignment) name(genus, epithet int) (int, error) {
	if a.why[roleName] == whyOption {
		return a.at[roleName], nil
	}
	meant := a.columnsOfNames()
	if genus >= 0 && epithet >= 0 {
		meant = slices.DeleteFunc(meant, func(c int) bool { return a.fit(roleName, c) == 0 && !a.saysTheSame(c, genus, epithet) })
	}
	if len(meant) == 0 {
		return -1, nil
	}
	rank := func(c int) int {
		if fit := a.fit(roleName, c); fit > 0 {
			return 1000 + fit
		}
		return nameRank(a.forms[c])
	}
	poor := func(c int) bool {
		return slices.ContainsFunc(meant, func(b int) bool { return rank(b) >= 0 && a.addsWords(c, b) })
	}
	best := slices.DeleteFunc(slices.Clone(meant), poor)
	if len(best) == 0 { // each adds authors to another one
		best = meant
	}
	most := slices.MaxFunc(best, func(b, c int) int { return rank(b) - rank(c) })
	best = slices.DeleteFunc(best, func(c int) bool { return rank(c) < rank(most) })
	// Names in Chinese, genera and families are meant if their header says so and that of the column of
	// scientific names does not.
	if other := a.choose(func(c int, l *traits) float64 {
		chinese := l.share(kindChinese) >= enough && l.found > 0 && (rank(most) < 0 || 2*a.e.columns[most].filled < l.filled)
		if chinese || a.fit(roleName, most) == 0 && l.share(kindGenus)+l.share(kindFamily)+l.share(kindName) >= enough && l.share(kindGenus)*l.known() >= some {
			return float64(a.fit(roleName, c))
		}
		return 0
	}); other >= 0 {
		return other, nil
	}
	if len(best) > 1 {
		var headers []string
		for _, c := range best {
			headers = append(headers, a.columns[c])
		}
		return -1, listTwoNames.With(columnList(headers))
	}
	return best[0], nil
}

// columnsOfNames returns the columns that hold scientific names, with at least half as many as the
// column that has the most, and found half as often.
func (a *assignment) columnsOfNames() []int {
	most, known := 0, 0.0
	var all []int
	for c := range a.e.columns {
		l := &a.e.columns[c]
		if a.taken[c] && a.at[roleName] != c {
			continue
		}
		if l.share(kindName) >= enough {
			all, most, known = append(all, c), max(most, l.of[kindName]), max(known, l.known())
		}
	}
	return slices.DeleteFunc(all, func(c int) bool {
		l := &a.e.columns[c]
		return 2*l.of[kindName] < most && a.fit(roleName, c) == 0 || l.asked > 2 && 2*l.known() < known && a.fit(roleName, c) == 0
	})
}

// saysTheSame reports whether a column of names has, in most rows, the name that genus and epithet
// make.
func (a *assignment) saysTheSame(name, genus, epithet int) bool {
	same, of := 0, 0
	for _, i := range a.e.body {
		if text, pair := a.e.cell(i, name), a.e.inGenus(i, genus, epithet); text != "" && pair != "" {
			of++
			same += oneIf(strings.HasPrefix(strings.ToLower(text), strings.ToLower(pair)))
		}
	}
	return 2*same >= of
}

// goesWith reports whether a column of genera belongs to a column of names: in most rows the name
// begins with the genus, or lacks a genus.
func (a *assignment) goesWith(name, genus int) bool {
	same, of := 0, 0
	for _, i := range a.e.body {
		text, g := a.e.cell(i, name), latinGenus(a.e.cell(i, genus))
		if text == "" || g == "" {
			continue
		}
		first, rest, more := strings.Cut(text, " ")
		if family.IsHeading(first) {
			if text = strings.TrimSpace(rest); text == "" {
				continue
			}
			first, _, more = strings.Cut(text, " ")
		}
		of++
		same += oneIf(strings.EqualFold(first, g) || beginsSmall(text) || strings.HasSuffix(first, ".") || !more)
	}
	return 2*same >= of
}

// addsWords reports whether most cells in column d of the sample are those in column c followed by
// authors.
func (a *assignment) addsWords(c, d int) bool {
	adds, of := 0, 0
	for _, i := range a.e.body {
		if short := a.e.cell(i, c); short != "" {
			of++
			more, ok := strings.CutPrefix(a.e.cell(i, d), short+" ")
			adds += oneIf(ok && isAuthors(more))
		}
	}
	return of > 0 && 2*adds >= of
}

// otherName returns the column that is matched if no column holds scientific names: one of Chinese
// names of plants or herbs, one with a usual header, or one of genera.
func (a *assignment) otherName(genus int) int {
	if c := a.choose(func(c int, l *traits) float64 {
		fit := a.fit(roleName, c) + a.fit(roleChinese, c)
		if l.share(kindChinese) < enough || fit == 0 && (l.asked == 0 || l.known() < some) {
			return 0
		}
		v := l.value(kindChinese)
		if fit > 0 {
			v += 0.25 + float64(fit)/10_000
		}
		return v + float64(nameRank(a.forms[c]))/1000
	}); c >= 0 {
		return c
	}
	if c := a.choose(func(c int, l *traits) float64 {
		if l.isElse(kindName, kindGenus, kindEpithet, kindChinese, kindText) || l.of[kindHerbs] > 0 {
			return 0
		}
		return float64(a.fit(roleName, c))
	}); c >= 0 {
		return c
	}
	return genus
}

// none returns the error for a table without a column of names.
func (a *assignment) none() error {
	if c := a.choose(func(_ int, l *traits) float64 { return l.share(kindHerbs) }); c >= 0 {
		return listHerbs.With(a.columns[c])
	}
	return listNoColumn.With(columnList(a.columns))
}

// family chooses the column of families.
func (a *assignment) family() {
	a.take(roleFamily, a.choose(func(c int, l *traits) float64 {
		fit := a.fit(roleFamily, c)
		switch {
		case l.share(kindFamily) >= plenty:
			begins := oneIf(strings.HasPrefix(a.forms[c][0], "fam")) + oneIf(strings.HasPrefix(a.forms[c][0], "family"))
			return 1 + l.share(kindFamily) + float64(fit)/1000 + float64(begins)/10_000
		case fit > 0 && !l.isElse(kindFamily, kindChinese, kindGenus, kindText, kindQualifier):
			return float64(fit) / 1000
		}
		return 0
	}))
}

// chinese chooses the column of Chinese names beside the scientific ones.
func (a *assignment) chinese() {
	a.take(roleChinese, a.choose(func(c int, l *traits) float64 {
		fit := a.fit(roleChinese, c)
		if l.share(kindChinese) < plenty || fit == 0 && l.found < 2 && (l.asked == 0 || l.known() < some) {
			return 0
		}
		return l.value(kindChinese) + float64(fit)/1000
	}))
}

// below chooses the columns of epithets below species, of their rank and of their author.
func (a *assignment) below() {
	for _, b := range belowSpecies {
		a.take(b.role, a.choose(func(c int, l *traits) float64 {
			fit := a.fit(b.role, c)
			epithets := l.share(kindEpithet) + l.share(kindName) + l.share(kindGenus)
			if fit > 0 {
				epithets += l.share(kindMaybeEpithet)
			}
			switch {
			case l.filled == 0 && fit > 0:
				return 1
			case !a.saysMore(c):
				return 0
			case epithets < enough || l.isElse(kindEpithet, kindName, kindGenus):
				return 0
			case l.below[0] > 2 && l.below[1] == 0 && (l.share(kindEpithet) < plenty || fit == 0 && !a.ranked(c)):
				return 0 // words such as grass and tree
			case fit > 0:
				return 2 + rate(l.below)
			case b.role == roleInfraspecific && a.ranked(c):
				return 1
			case b.role == roleInfraspecific && l.below[1] > 0 && rate(l.below) >= some && nameRank(a.forms[c]) >= 0 && !a.ofOthers(c):
				return rate(l.below)
			}
			return 0
		}))
	}
	infra := a.at[roleInfraspecific]
	if infra < 0 {
		return
	}
	a.take(roleRank, a.choose(func(c int, l *traits) float64 {
		if fit := a.fit(roleRank, c); l.share(kindRank) >= plenty || fit > 0 && l.of[kindRank] > 0 || fit > 0 && l.filled == 0 {
			return l.share(kindRank) + float64(fit)/1000
		}
		return 0
	}))
	// The author of the epithet is to the right of the epithet and its rank, if the species has another.
	first := min(infra, cmp.Or(max(a.at[roleRank], 0), infra))
	a.take(roleBelowAuthor, a.choose(func(c int, l *traits) float64 {
		if fit := a.fit(roleBelowAuthor, c); fit > 0 {
			return 2
		}
		other := a.choose(func(d int, l *traits) float64 { return l.share(kindAuthor) - enough*float64(oneIf(d > first)) })
		if c > first && c <= infra+2 && l.share(kindAuthor) >= enough && other >= 0 && other < first {
			return 1
		}
		return 0
	}))
}

// ranked reports whether most cells of a column have a rank below species beside them.
func (a *assignment) ranked(c int) bool {
	marks, of := 0, 0
	for _, i := range a.e.body {
		if a.e.cell(i, c) != "" {
			of++
			marks += oneIf(isRankMark(a.e.cell(i, a.e.ranks)))
		}
	}
	return 2*marks > of
}

// ofOthers reports whether a column has whole names of other species than those of their rows, as
// columns of synonyms have: more than one of five whole names.
func (a *assignment) ofOthers(c int) bool {
	other, of := 0, 0
	for _, i := range a.e.body {
		cell, species := strings.Fields(a.e.cell(i, c)), strings.Fields(a.e.species(i, a.ofNames()))
		if len(cell) > 1 && len(species) > 1 && a.e.kind(a.e.cell(i, c)) == kindName {
			of++
			other += oneIf(!strings.EqualFold(cell[1], species[1]))
		}
	}
	return 5*other > of
}

// author chooses the column of authors: those that agree with the authors of the names, or that have a
// usual header.
func (a *assignment) author() {
	a.take(roleAuthor, a.choose(func(c int, l *traits) float64 {
		agree, compared := a.agrees(c)
		fit := a.fit(roleAuthor, c)
		switch {
		case fit > 0 && !l.isElse(kindAuthor, kindGenus):
			return 1 + agree + float64(fit)/1000
		case agree > 0:
			return agree
		case l.share(kindAuthor) >= plenty && compared == 0 && (c == a.at[roleName]+1 || c == a.at[roleEpithet]+1):
			return l.share(kindAuthor) / 2
		}
		return 0
	}))
}

// agrees returns the share of the cells of a column that agree with the author of the name in their row,
// or 0 if it is no more than half or a single cell, and the number of cells that were compared.
func (a *assignment) agrees(c int) (share float64, compared int) {
	same := 0
	for _, i := range a.e.body {
		cell := a.e.cell(i, c)
		if cell == "" {
			continue
		}
		text := a.e.species(i, a.ofNames())
		if below := a.e.cell(i, a.at[roleInfraspecific]); below != "" {
			text = joinBelow(text, rankMark(a.e.cell(i, a.at[roleRank])), below)
		}
		if a.e.found.isSpecies(text) {
			compared++
			same += oneIf(author.Compare(cell, string(a.e.found.result(text).MatchedAuthor)).AgreesWell())
		}
	}
	if same < 2 || 2*same <= compared {
		return 0, compared
	}
	return float64(same) / float64(compared), compared
}

// headings reports whether a row with only a family is a heading of the rows below it: because there
// are two or more, or because at least two of the names below are of the family.
func (a *assignment) headings() bool {
	all := a.e.headings(a.header)
	if len(all) != 1 {
		return len(all) > 1
	}
	agree := 0
	of := family.Read(headingOf(a.e.view.Rows[all[0]]))
	for _, text := range a.e.belowHeading(all[0]) {
		if e := a.e.found.result(text); e != nil && family.Same(of, string(e.AcceptedFamily)) {
			agree++
		}
	}
	return agree > 1
}

// headingOf returns the family in a row that has nothing else, or "".
func headingOf(cells []string) string {
	if filled(cells) != 1 {
		return ""
	}
	for _, cell := range cells {
		if cell = strings.TrimSpace(cell); cell != "" && family.IsHeading(cell) {
			return cell
		}
	}
	return ""
}

// unused notes the columns without a role that look like names, and those that look like epithets, ranks
// or qualifiers and say more than the name of their row.
func (a *assignment) unused() {
	for c := range a.e.columns {
		l := &a.e.columns[c]
		if a.taken[c] {
			continue
		}
		if l.share(kindName) >= enough {
			a.others = append(a.others, a.columns[c])
		}
		for _, is := range []struct {
			kind  cellKind
			holds string
		}{{kindEpithet, HoldsEpithets}, {kindRank, HoldsRanks}, {kindQualifier, HoldsQualifiers}} {
			if l.share(is.kind) >= plenty && a.saysMore(c) {
				a.left = append(a.left, Unused{Column: a.columns[c], Holds: is.holds})
			}
		}
	}
}

// saysMore reports whether a column has a word that the name of its row lacks.
func (a *assignment) saysMore(c int) bool {
	for _, i := range a.e.body {
		cell, name := a.e.cell(i, c), a.e.species(i, a.ofNames())
		if !strings.Contains(strings.ToLower(name), strings.ToLower(strings.TrimSuffix(afterRank(cell), "."))) {
			return true
		}
	}
	return false
}

// inBlocks reports whether only the first row of each block has a family: no family stands twice in
// succession, and at least as many rows with a name have none.
func inBlocks(rows [][]string, of, name int) bool {
	last, with, without := "", 0, 0
	for i, row := range rows {
		at := func(column int) string {
			if column < 0 || column >= len(row) {
				return ""
			}
			return strings.TrimSpace(row[column])
		}
		switch cell := at(of); {
		case cell != "" && (cell == last || !family.IsHeading(cell)), cell == "" && i == 0:
			return false
		case cell != "":
			last = cell
			with++
		case at(name) != "":
			without++
		}
	}
	return with > 0 && without >= with
}
