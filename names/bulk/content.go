package bulk

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/internal/family"
)

// sampleRows is the number of rows below the header whose cells tell what a column holds.
const sampleRows = 50

// cellKind is what a cell looks like.
type cellKind int

const (
	kindOther   cellKind = iota
	kindName             // a scientific name of a species, or a herb in pharmaceutical Latin
	kindGenus            // one capitalised Latin word
	kindEpithet          // one Latin word in lower case
	kindAuthor           // authors, of which at least one is abbreviated
	kindFamily           // a family
	kindRank             // the mark of a rank below species
	kindChinese          // Chinese characters
	numCellKinds
)

// look counts the cells of a column by what they look like.
type look struct {
	filled int
	of     [numCellKinds]int
	// parted counts the authors with parentheses, which no name of a person has.
	parted int
	// families counts the other cells that name a family.
	families int
	// short counts the Chinese texts that are as short as names.
	short int
}

// share returns the share of the filled cells that look like a kind.
func (l look) share(k cellKind) float64 { return float64(l.of[k]) / float64(max(1, l.filled)) }

// looksOf looks at the cells of the rows below the header of a table with width columns.
func looksOf(sample [][]string, width int) []look {
	looks := make([]look, width)
	for _, row := range sample {
		for i, cell := range row[:min(width, len(row))] {
			if cell = strings.TrimSpace(cell); names.Missing(cell) || isDitto(cell) {
				continue
			}
			l := &looks[i]
			l.filled++
			k := cellKindOf(cell)
			l.of[k]++
			if k == kindAuthor && (cell == "L." || strings.HasPrefix(cell, "(") && strings.Contains(cell, ") ")) {
				l.parted++
			}
			if k != kindName && family.Read(cell) != "" {
				l.families++
			}
			if k == kindChinese && utf8.RuneCountInString(cell) <= longestChinese {
				l.short++
			}
		}
	}
	return looks
}

// longestChinese is the number of characters that a Chinese name seldom exceeds.
const longestChinese = 12

// cellKindOf returns what a cell looks like.
func cellKindOf(cell string) cellKind {
	if han.Has(cell) {
		switch from := strings.IndexFunc(cell, isLatin); {
		case from >= 0 && looksLikeName(cell[from:]):
			return kindName
		case family.IsHeading(cell):
			return kindFamily
		}
		return kindChinese
	}
	switch {
	case isRankMark(cell):
		return kindRank
	case looksLikeName(cell):
		return kindName
	case family.IsHeading(cell):
		return kindFamily
	case isAuthors(cell):
		return kindAuthor
	case genusWord.MatchString(cell):
		return kindGenus
	case isEpithet(cell):
		return kindEpithet
	}
	return kindOther
}

// genusWord matches a capitalised word with an ending that genera have.
var genusWord = regexp.MustCompile(`^[×+]? ?\p{Lu}\p{Ll}+(?:a|us|um|is|on|os|as|es|ys|ops|x|en|er|or|ia|e)$`)

// isRankMark reports whether a cell is the mark of a rank below species and nothing else.
func isRankMark(cell string) bool {
	return slices.Contains([]string{"v", "s", "f", "fo", "ssp", "subsp", "subspecies", "var", "variety", "varietas", "form", "forma", "subvar", "subf", "亚种", "变种", "变型"},
		strings.TrimSuffix(strings.ToLower(cell), "."))
}

// authorLinks are the words between the authors of a name.
var authorLinks = []string{"&", "ex", "et", "in", "and", "f.", "fil.", "de", "van", "von", "la", "le", "du", "al.", "non", "nec"}

// isAuthors reports whether a cell holds authors of a name, of which at least one is abbreviated or
// in parentheses.
func isAuthors(cell string) bool {
	abbreviated := false
	for _, word := range strings.Fields(strings.NewReplacer(".", ". ", "&", " & ", "(", " ( ", ")", " ) ", ",", " ").Replace(cell)) {
		if word == "(" || word == ")" {
			abbreviated = true
			continue
		}
		first, _ := utf8.DecodeRuneInString(word)
		isYear := strings.Trim(word, "0123456789") == ""
		switch {
		case slices.Contains(authorLinks, word):
		case isYear && len(word) == 4 && first >= '1' && first <= '2':
		case unicode.IsUpper(first) && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(".-'’", r) }):
			abbreviated = abbreviated || strings.HasSuffix(word, ".")
		default:
			return false
		}
	}
	return abbreviated
}

// epithetEndings are endings of Latin epithets that few words of other languages have.
var epithetEndings = []string{"a", "us", "um", "is", "i", "ae", "ans", "ens", "oides", "odes", "ense", "ale", "ile", "are", "estre", "ops", "ceps", "pes", "ax", "ex", "ix"}

// placeholders are the words that stand for an epithet.
var placeholders = []string{"sp", "spp", "spec", "indet"}

// looksLikeName reports whether a text starts with a genus and an epithet, which Latin words do
// and most words of other languages do not, or is a herb in pharmaceutical Latin.
func looksLikeName(text string) bool {
	words := strings.Fields(strings.ReplaceAll(text, "_", " "))
	if len(words) > 0 && (words[0] == "×" || words[0] == "+" || words[0] == "?") {
		words = words[1:]
	}
	if len(words) < 2 {
		return false
	}
	genus, epithet := strings.TrimLeft(words[0], `"'[(×+`), words[1]
	for _, mark := range words[1 : len(words)-1] { // P. cf. ginseng, P. × hybrida
		if mark = strings.Trim(mark, ".?()"); mark != "cf" && mark != "aff" && mark != "x" && mark != "×" {
			break
		}
		words = words[1:]
		epithet = words[1]
	}
	if herb.HasPart(text) {
		if _, ok := herb.ParseLatin(text); ok {
			return true
		}
	}
	if genus == strings.ToUpper(genus) && utf8.RuneCountInString(genus) > 2 {
		_, first := utf8.DecodeRuneInString(genus)
		genus, epithet = genus[:first]+strings.ToLower(genus[first:]), strings.ToLower(epithet)
	}
	short := strings.TrimSuffix(genus, ".")
	if !allLatin(short) || len(short) < 2 && short == genus || unicode.IsLower([]rune(short + " ")[0]) && !slices.ContainsFunc(epithetEndings[:4], func(end string) bool { return strings.HasSuffix(short, end) }) {
		return false
	}
	if slices.Contains(placeholders, strings.TrimSuffix(epithet, ".")) {
		return true
	}
	epithet = strings.Trim(strings.TrimPrefix(epithet, "×"), `,;.)"'*`)
	return isEpithet(epithet) && !slices.Contains(titleWords, epithet) &&
		slices.ContainsFunc(epithetEndings, func(end string) bool { return strings.HasSuffix(epithet, end) })
}

// allLatin reports whether a word has only Latin letters and hyphens, at least one.
func allLatin(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !isLatin(r) && r != '-' })
}

// The shares of the filled cells from which a column is taken for one of a kind.
const (
	some   = 0.25 // the column has them between families, and no other column has any
	enough = 0.5  // the column holds nothing else
	plenty = 0.6  // and its header says nothing
)

// byContent chooses columns by what is in them: for the roles that no usual header has, and for
// those whose column holds something else. It returns an error if two columns hold names and
// nothing tells which is meant.
func (t *table) byContent(sample [][]string, taken map[int]bool) error {
	looks := looksOf(sample, len(t.columns))
	free := func(i int) bool { return !taken[i] }
	if err := t.nameByContent(looks, sample, taken); err != nil {
		return err
	}
	t.dropWrong(looks, taken)
	if t.at[roleName] < 0 || t.at[roleGenus] >= 0 {
		for i := range looks {
			if looks[i].share(kindGenus) >= plenty && free(i) {
				t.take(roleGenus, i, taken)
			}
		}
		for i := t.at[roleGenus] + 1; i < len(looks); i++ {
			if t.at[roleGenus] >= 0 && t.at[roleName] < 0 && looks[i].share(kindEpithet) >= plenty && free(i) {
				t.take(roleEpithet, i, taken)
			}
		}
	}
	t.familyByContent(looks, taken)
	t.belowByContent(looks, taken)
	if t.at[roleChinese] < 0 && t.at[roleName] >= 0 && looks[t.at[roleName]].share(kindChinese) < enough {
		for i, l := range looks {
			if float64(l.short) >= plenty*float64(max(1, l.filled)) && free(i) && !isRemark(t.columns[i]) {
				t.take(roleChinese, i, taken)
			}
		}
	}
	if t.at[roleAuthor] < 0 {
		for i := range looks {
			if looks[i].share(kindAuthor) >= plenty && (looks[i].parted > 0 || i == t.at[roleName]+1) && free(i) && !isPerson(t.columns[i]) {
				t.take(roleAuthor, i, taken)
			}
		}
	}
	return nil
}

// take gives a column a role because of its cells, unless another column has the role.
func (t *table) take(r role, i int, taken map[int]bool) {
	if t.at[r] < 0 {
		t.at[r], t.why[r], taken[i] = i, whyContent, true
	}
}

// dropWrong takes roles from columns whose headers are usual but whose cells are something else.
func (t *table) dropWrong(looks []look, taken map[int]bool) {
	for _, r := range []role{roleAuthor, roleFamily, roleChinese} {
		i := t.at[r]
		if i < 0 || t.why[r] == whyOption || looks[i].filled == 0 {
			continue
		}
		wrong := looks[i].share(kindName) >= enough
		switch r {
		case roleChinese: // a common name in another language is no hint
			wrong = wrong || t.at[roleName] >= 0 && looks[i].of[kindChinese] == 0
		case roleFamily:
			wrong = wrong || looks[i].of[kindFamily] == 0 && slices.ContainsFunc(looks, func(l look) bool { return l.share(kindFamily) >= plenty })
		}
		if wrong {
			t.at[r], taken[i] = -1, false
		}
	}
}

// nameByContent chooses the column of names among those that hold scientific names. A column that
// adds the authors to the names of another comes before that other column.
func (t *table) nameByContent(looks []look, sample [][]string, taken map[int]bool) error {
	all := t.columnsOfNames(looks, taken)
	if len(all) == 0 {
		return nil
	}
	poor := func(i int) bool {
		return slices.ContainsFunc(all, func(j int) bool { return nameRank(t.columns[j]) >= 0 && addsAuthors(sample, i, j) })
	}
	if !slices.ContainsFunc(all, func(i int) bool { return !poor(i) }) { // each adds authors to another one
		poor = func(int) bool { return false }
	}
	var best []int // the columns whose headers fit best
	rank := 0
	for _, i := range all {
		r := nameRank(t.columns[i])
		switch {
		case poor(i):
		case len(best) == 0 || r > rank:
			best, rank = []int{i}, r
		case r == rank:
			best = append(best, i)
		}
	}
	was := t.at[roleName]
	chosen := was >= 0 && t.why[roleName] == whyOption
	switch {
	case chosen || was != best[0] && (was < 0 || !poor(was)) && t.fits(looks, best[0], rank):
	case len(best) > 1:
		var headers []string
		for _, i := range best {
			headers = append(headers, t.columns[i])
		}
		return listTwoNames.With(columnList(headers))
	case was != best[0]:
		t.setName(best[0], looks, taken)
	}
	for _, i := range all {
		if i != t.at[roleName] {
			t.others = append(t.others, t.columns[i])
		}
	}
	return nil
}

// hasNames reports whether any cell may be a name.
func (l look) hasNames() bool {
	return l.of[kindName]+l.of[kindGenus]+l.of[kindEpithet]+l.of[kindChinese] > 0
}

// columnsOfNames returns the columns that hold scientific names, at least half as many as the column
// that has the most.
func (t *table) columnsOfNames(looks []look, taken map[int]bool) []int {
	most, least := 0, enough
	if !slices.ContainsFunc([]role{roleName, roleGenus, roleEpithet, roleChinese}, func(r role) bool { return t.at[r] >= 0 && looks[t.at[r]].hasNames() }) {
		least = some
	}
	var all []int
	for i, l := range looks {
		free := !taken[i] || i == t.at[roleName] || i == t.at[roleGenus] || i == t.at[roleEpithet]
		alone := l.share(kindName) >= enough || float64(l.of[kindName]+l.families) >= plenty*float64(l.filled)
		if free && alone && l.share(kindName) >= least {
			all, most = append(all, i), max(most, l.of[kindName])
		}
	}
	return slices.DeleteFunc(all, func(i int) bool { return 2*looks[i].of[kindName] < most })
}

// setName makes a column the column of names. The one before, if it holds Chinese names, becomes their
// column.
func (t *table) setName(name int, looks []look, taken map[int]bool) {
	for r := range t.at {
		if t.at[r] == name {
			t.at[r] = -1
		}
	}
	if was := t.at[roleName]; was >= 0 {
		taken[was] = false
		if looks[was].share(kindChinese) >= enough && t.at[roleChinese] < 0 {
			t.at[roleChinese], t.why[roleChinese], taken[was] = was, t.why[roleName], true
		}
	}
	t.at[roleName] = -1
	t.take(roleName, name, taken)
}

// addsAuthors reports whether most cells in column b of the sample are those in column a followed by
// authors.
func addsAuthors(sample [][]string, a, b int) bool {
	adds, of := 0, 0
	for _, row := range sample {
		if max(a, b) >= len(row) || strings.TrimSpace(row[a]) == "" {
			continue
		}
		of++
		if authors, ok := strings.CutPrefix(strings.TrimSpace(row[b]), strings.TrimSpace(row[a])+" "); ok && isAuthors(authors) {
			adds++
		}
	}
	return of > 0 && float64(adds) >= enough*float64(of)
}

// fits reports whether the columns with usual headers hold the names of the list, although another
// column, of the given rank, has more scientific names: because they are Chinese, taxa above
// species, or in two columns.
func (t *table) fits(looks []look, other, rank int) bool {
	name, isUsual := t.at[roleName], rank > 1000-len(usual[roleName])
	if t.at[roleGenus] >= 0 && max(name, t.at[roleEpithet]) >= 0 && !isUsual {
		return looks[max(name, t.at[roleEpithet])].share(kindName) < enough
	}
	if name < 0 {
		return false
	}
	l := looks[name]
	if l.share(kindChinese) >= enough {
		return rank < 0 || 2*looks[other].filled < l.filled
	}
	return l.share(kindName)+l.share(kindGenus)+l.share(kindFamily) >= enough
}

// nameWords are the words that headers of names have in many languages, with their weight. The
// last ones tell that a column of names is not the one that is meant.
var nameWords = []struct {
	word   string
	weight int
}{
	{"scientific", 5}, {"latin", 5}, {"学名", 5}, {"拉丁", 5}, {"학명", 5}, {"латин", 5}, {"научн", 5}, {"łaciń", 5}, {"ilmiah", 5}, {"tudományos", 5}, {"botani", 4}, {"species", 4}, {"taxon", 4}, {"name", 4}, {"plant", 4}, {"organism", 3}, {"nom", 3},
	{"ラテン", 3}, {"full", 1}, {"accepted", 1}, {"acc", 1}, {"current", 1},
	{"taxonomy", -4}, {"synonym", -6}, {"异名", -6}, {"orig", -3}, {"old", -3}, {"previous", -3}, {"former", -3}, {"basionym", -6}, {"source", -3}, {"common", -6}, {"host", -6}, {"pathogen", -8}, {"pest", -8}, {"원", -1},
}

// headersOfRemarks are words in headers over remarks in Chinese.
var headersOfRemarks = []string{"备考", "备注", "附注", "说明", "层次", "生活型", "用途", "产地", "分布", "生境", "习性", "部位", "功效"}

// isRemark reports whether a header is that of remarks in Chinese.
func isRemark(header string) bool {
	forms := headerForms(header)
	return len(forms) > 0 && slices.ContainsFunc(headersOfRemarks, func(w string) bool { return strings.Contains(forms[0], w) })
}

// nameRank returns how well a header fits a column of names. A usual header comes first, in the
// order of the usual headers.
func nameRank(header string) int {
	for _, form := range headerForms(header) {
		if i := slices.Index(usual[roleName], form); i >= 0 {
			return 1000 - i
		}
	}
	rank := 0
	if isRemark(header) {
		rank = -6
	}
	for _, form := range headerForms(header)[:1] {
		if strings.HasPrefix(form, "inci") { // names of cosmetics
			rank -= 8
		}
		for _, w := range nameWords {
			if strings.Contains(form, w.word) {
				rank += w.weight
			}
		}
	}
	return rank
}

// familyByContent chooses the column of families if no usual header does: the first of those whose
// header begins most like the word.
func (t *table) familyByContent(looks []look, taken map[int]bool) {
	best, most := -1, 0
	for i, l := range looks {
		fit := 1
		for _, begin := range []string{"fam", "famil", "family"} {
			if strings.HasPrefix(headerForms(t.columns[i])[0], begin) {
				fit++
			}
		}
		if l.share(kindFamily) >= plenty && !taken[i] && fit > most {
			best, most = i, fit
		}
	}
	if best >= 0 {
		t.take(roleFamily, best, taken)
	}
}

// belowByContent chooses the columns of a rank and of an epithet below species, which stand side by
// side, and of the author of that epithet.
func (t *table) belowByContent(looks []look, taken map[int]bool) {
	for i, l := range looks[:max(0, len(looks)-1)] {
		rank := l.share(kindRank) >= plenty && (!taken[i] || i == t.at[roleRank])
		below := i + 1
		if !rank || looks[below].share(kindEpithet) < plenty || taken[below] && below != t.at[roleInfraspecific] {
			continue
		}
		t.take(roleRank, i, taken)
		t.take(roleInfraspecific, below, taken)
		if next := below + 1; next < len(looks) && looks[next].share(kindAuthor) >= plenty && (!taken[next] || next == t.at[roleAuthor] && t.why[roleAuthor] == whyContent) {
			t.take(roleBelowAuthor, next, taken)
		}
		return
	}
}

// isPerson reports whether a header is that of collectors or determiners, whose names look like
// authors.
func isPerson(header string) bool {
	for _, word := range []string{"collect", "record", "identif", "determin", "det", "leg", "coll", "observ", "采集", "鉴定"} {
		if strings.Contains(strings.ToLower(header), word) {
			return true
		}
	}
	return false
}
