package bulk

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"bencao/names"
	"bencao/names/han"
	"bencao/names/internal/family"
	"bencao/names/internal/wordlist"
)

// rowQuery is the query for a row, with remarks about how it was read.
type rowQuery struct {
	name, author, family, kingdom, chinese string
	// other is another reading of the row, which is matched if this one has no sure answer, or nil.
	other *rowQuery
	// above is true if a row above completed the query.
	above bool
	// noFamily is true if the family's cell does not contain a family. epithet is true if the name
	// is one word in lower case and no column gives its genus.
	noFamily, epithet bool
}

// orElse adds the last of the other readings of q: it is q after change.
func (q *rowQuery) orElse(change func(*rowQuery)) {
	last := q
	for last.other != nil {
		last = last.other
	}
	changed := *last
	change(&changed)
	last.other = &changed
}

// queryOf reads the query of a row. In a table, rows above may complete it: if a cell has a ditto mark,
// if the genus is abbreviated or empty, or if the family is in a row of its own.
func (r *reader) queryOf(row *row) rowQuery {
	if r.table.plain || row.err != nil {
		return rowQuery{name: row.cell(r.table.at[roleName])}
	}
	if filled(row.cells) == 0 {
		return rowQuery{}
	}
	q := rowQuery{}
	if heading := headingOf(row.cells); heading != "" && (row.cell(r.table.at[roleName]) == "" || row.cell(r.table.at[roleFamily]) == "") {
		if r.headings++; r.table.headings || r.headings > 1 {
			r.heading = heading
		}
		q.name = heading
		return q
	}
	cell := func(of role) string { return r.cellOrAbove(row, of, &q) }
	name, genus, epithet := cell(roleName), latinGenus(cell(roleGenus)), cell(roleEpithet)
	q.author, q.family, q.kingdom, q.chinese = cell(roleAuthor), cell(roleFamily), cell(roleKingdom), cell(roleChinese)
	if genus != "" && family.IsHeading(name) {
		name, q.family = "", cmp.Or(q.family, name)
	}
	switch {
	case name == "":
		if name = epithet; genus != "" {
			name = smallEpithet(epithet)
		}
	case epithet != "" && isGenus(name) && isEpithet(strings.ToLower(epithet)): // the name is only the genus
		name += " " + strings.ToLower(epithet)
	}
	name = r.withGenus(name, genus, &q)
	q.name = name
	if r.hasBelowSpecies {
		r.addBelow(&q, row)
	}
	if mark := qualifierIn(cell(roleQualifier)); mark != "" {
		q.name = withQualifier(q.name, mark)
	}
	if q.name == "" {
		q.name = q.chinese
	}
	if q.family != "" {
		q.noFamily = !r.isFamily(q.family)
	}
	r.addAbove(&q)
	return q
}

// addAbove completes a query with the genus and the family of rows above. The row without what the rows
// above say is its other reading.
func (r *reader) addAbove(q *rowQuery) {
	written, above := q.name, q.above
	expanded := r.expand(q)
	of := ""
	switch {
	case q.family != "" || q.name == "":
	case r.heading != "":
		of = r.heading
	case r.table.blocks && r.known:
		of = r.family
	}
	if of != "" {
		without := q.above
		q.family, q.above = of, true
		q.orElse(func(other *rowQuery) { other.family, other.above = "", without })
	}
	if expanded {
		q.orElse(func(other *rowQuery) { other.name, other.above = written, above })
	}
}

// withQualifier returns a name with a qualifier between genus and epithet, or a question mark behind
// them: Panax cf. ginseng, Panax ginseng ?.
func withQualifier(name, mark string) string {
	if mark == "?" {
		return name + " ?"
	}
	genus, rest, found := strings.Cut(name, " ")
	if !found || strings.Contains(rest, mark) {
		return name
	}
	return genus + " " + strings.TrimSuffix(mark, ".") + ". " + rest
}

// rowsAbove holds the cells and words of earlier rows that can complete later rows.
type rowsAbove struct {
	cells   [numRoles]string // cells of the previous row
	genus   string           // the last genus that was not abbreviated
	heading string           // the family in the last row that is a heading
	// headings is the number of rows that have only a family.
	headings int
	family   string // the last family cell that isFamily read
	known    bool   // whether the cell in family contains a family
}

// cellOrAbove returns the cell of a row in the column with the given role. If the cell is a ditto
// mark, it returns the cell above instead and marks q as completed from a row above.
func (r *reader) cellOrAbove(row *row, of role, q *rowQuery) string {
	if r.table.at[of] < 0 {
		return ""
	}
	s := strings.TrimSpace(row.cell(r.table.at[of]))
	if names.Missing(s) {
		s = ""
	}
	if above := r.cells[of]; isDitto(s) && above != "" {
		s, q.above = above, true
	}
	r.cells[of] = s
	return s
}

// dittoMarks lists the marks that repeat the cell above. Dashes around a mark are removed before
// the comparison.
var dittoMarks = []string{`"`, "”", "“", "″", "〃", "''", "„", "同上", "同前", "ditto", "do", "id", "idem"}

// isDitto reports whether a cell is a mark that repeats the cell above.
func isDitto(s string) bool {
	if s == "" || len(s) > 16 {
		return false
	}
	switch s[0] { // the first byte of a mark or dash; other cells are rejected quickly
	case '"', '\'', ',', '-', '~', 'd', 'D', 'i', 'I', 0xe2, 0xe3, 0xe5:
		return slices.Contains(dittoMarks, strings.ToLower(strings.Trim(s, " -–—−~.")))
	}
	return false
}

// latinGenus returns the genus in a cell, capitalised, without author, Chinese name and signs behind
// it. It returns "" if the cell has no Latin letters.
func latinGenus(cell string) string {
	from := strings.IndexFunc(cell, func(r rune) bool { return isLatin(r) || r == '×' })
	if from < 0 {
		return ""
	}
	words := strings.Fields(cell[from:])
	sign := ""
	if words[0] == "×" && len(words) > 1 {
		sign, words = "× ", words[1:]
	}
	word := words[0]
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '.' && r != '×' || han.Is(r) }); end > 0 {
		word = word[:end]
	}
	first := []rune(word)
	return sign + strings.ToUpper(string(first[:1])) + strings.ToLower(string(first[1:]))
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// withGenus adds a genus to a name that lacks it: the genus of another column, or of a row above.
func (r *reader) withGenus(name, genus string, q *rowQuery) string {
	if rest, ok := afterDitto(name); ok && r.genus != "" {
		q.above = true
		return r.genus + " " + rest
	}
	if r.table.at[roleGenus] < 0 {
		q.epithet = isEpithet(name)
		return name
	}
	if names.Missing(name) {
		return genus
	}
	if genus == "" && beginsSmall(name) && r.genus != "" {
		genus, q.above = r.genus, true
	}
	return joinGenus(genus, name)
}

// WithGenus returns a name with the genus of another cell before it, if the name lacks its genus. A
// name lacks its genus if it starts with a lower-case letter, or if it is one word that differs
// from the genus.
func WithGenus(genus, name string) string {
	if names.Missing(name) || names.Missing(genus) {
		return name
	}
	return joinGenus(latinGenus(genus), name)
}

// joinGenus works like [WithGenus]. genus must come from [latinGenus].
func joinGenus(genus, name string) string {
	switch {
	case genus == "":
	case beginsSmall(name):
		return genus + " " + name
	case isLatin([]rune(name)[0]) && !strings.EqualFold(name, genus) && !strings.ContainsFunc(name, func(r rune) bool { return !isLatin(r) && r != '-' }):
		return genus + " " + strings.ToLower(name)
	}
	return name
}

// beginsSmall reports whether a name starts with a lower-case Latin letter, perhaps behind a hybrid
// sign.
func beginsSmall(name string) bool {
	first := []rune(strings.TrimLeft(name, "× ") + " ")[0]
	return unicode.IsLower(first) && isLatin(first)
}

// afterDitto returns the rest of a name that has a ditto mark instead of its genus: 〃 notoginseng.
func afterDitto(name string) (string, bool) {
	mark, rest, found := strings.Cut(name, " ")
	rest = strings.TrimSpace(rest)
	return rest, found && isDitto(mark) && rest != "" && (isLatin([]rune(rest)[0]) && unicode.IsLower([]rune(rest)[0]) || strings.HasPrefix(rest, "×"))
}

// isEpithet reports whether a name is a single word in lower case.
func isEpithet(name string) bool {
	for _, r := range name {
		if r != '-' && (!unicode.IsLower(r) || !isLatin(r)) {
			return false
		}
	}
	return len(name) > 2
}

// belowSpecies lists the columns of epithets of a subspecies, variety or form, with their ranks.
var belowSpecies = []struct {
	role role
	rank string
}{{roleInfraspecific, ""}, {roleSubspecies, "subsp."}, {roleVariety, "var."}, {roleForm, "f."}}

// addBelow adds to the name of a species the epithets of a subspecies, variety or form, which are in
// other columns of the row, and takes their author.
func (r *reader) addBelow(q *rowQuery, row *row) {
	name := q.name
	for _, below := range belowSpecies {
		if epithet := strings.TrimSpace(row.cell(r.table.at[below.role])); !names.Missing(epithet) {
			name = cmp.Or(joinBelow(name, cmp.Or(below.rank, rankMark(row.cell(r.table.at[roleRank]))), epithet), name)
		}
	}
	if name == q.name {
		return
	}
	q.name = name
	if r.table.at[roleBelowAuthor] >= 0 {
		q.author = strings.TrimSpace(row.cell(r.table.at[roleBelowAuthor]))
	} else if q.author != "" { // it may be the author of the species
		q.orElse(func(other *rowQuery) { other.author = "" })
	}
}

// smallEpithet returns an epithet, with or without authors behind it, in lower case: sylvestris L. for
// Sylvestris L. It returns any other text as it is.
func smallEpithet(text string) string {
	word, authors, _ := strings.Cut(text, " ")
	first, _, _ := strings.Cut(authors, " ")
	if small := strings.ToLower(word); isEpithet(small) && (!isEpithet(first) || wordlist.Of(first).Is(wordlist.Particle)) {
		return small + text[len(word):]
	}
	return text
}

// joinBelow returns the name of a taxon below species: a species with the mark of a rank, which may be
// empty, and an epithet. The epithet may have the mark itself, or be the whole name. joinBelow returns
// "" if the name is no species, or has an epithet below it already.
func joinBelow(species, mark, epithet string) string {
	words := strings.Fields(strings.ReplaceAll(species, "× ", "×"))
	if len(words) < 2 || !isLatin([]rune(strings.TrimPrefix(words[0], "×") + " ")[0]) {
		return ""
	}
	for _, w := range words[2:] {
		if rankMark(w) != "" && w != "f." || isEpithet(w) && isLatinEpithet(w) {
			return ""
		}
	}
	if of, _, more := strings.Cut(epithet, " "); more && strings.EqualFold(of, words[0]) {
		return epithet
	}
	return species + " " + strings.TrimSpace(mark+" "+epithet)
}

// abbreviated matches a name whose genus has one to three letters and a full stop.
var abbreviated = regexp.MustCompile(`^(\p{Lu}\p{Ll}{0,2})\. ?((?:[×x] ?)?\p{Ll}[\p{Ll}-]+.*)$`)

// expand replaces the abbreviated genus of q by the last genus of the rows above, if that genus
// starts with the same letters, and reports whether it did.
func (r *reader) expand(q *rowQuery) bool {
	from := 0
	if q.name != "" && (q.name[0] < 'A' || q.name[0] > 'z') {
		from = strings.IndexFunc(q.name, isLatin)
	}
	if from < 0 || from > 0 && !han.Has(q.name[:from]) {
		return false
	}
	text := q.name[from:]
	if i := strings.IndexByte(text, '.'); i > 0 && i < 6 { // check this first, because matching the pattern is slow
		if m := abbreviated.FindStringSubmatch(text); m != nil {
			if !strings.HasPrefix(r.genus, m[1]) {
				return false
			}
			q.name, q.above = q.name[:from]+r.genus+" "+m[2], true
			return true
		}
	}
	if word, _, more := strings.Cut(text, " "); isGenus(word) && (more || genusWord.MatchString(word)) && !(strings.HasSuffix(word, "ae") && family.IsHeading(word)) {
		r.genus = word
	}
	return false
}

// isGenus reports whether a word has the form of an unabbreviated genus: a capital and lower-case
// letters.
func isGenus(word string) bool {
	for i, r := range word {
		if i == 0 && !unicode.IsUpper(r) || i > 0 && r != '-' && !unicode.IsLower(r) {
			return false
		}
	}
	return len(word) > 2
}

// isFamily reports whether a cell contains a family. It remembers the result for the last cell,
// because lists often repeat a family in many rows.
func (r *reader) isFamily(cell string) bool {
	if cell != r.family {
		r.family, r.known = cell, family.Read(cell) != ""
	}
	return r.known
}
