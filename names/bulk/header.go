package bulk

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"bencao/internal/rows"
	"bencao/names/han"
	"bencao/names/internal/family"
)

// role is the meaning of a column of the list.
type role int

// The roles of columns. The roles from infraspecific on are epithets below species.
const (
	roleName role = iota
	roleAuthor
	roleFamily
	roleChinese
	roleGenus
	roleEpithet
	roleRank
	roleInfraspecific
	roleSubspecies
	roleVariety
	roleForm
	roleBelowAuthor // the author of the epithet below species
	numRoles
)

// usual lists the usual headers of each role, the preferred ones first. They are in lower case and
// simplified characters, without separators and brackets. To support another header, add it here.
var usual = [numRoles][]string{
	roleName: {"scientificname", "scientific", "verbatimscientificname", "verbatimname", "fullscientificname", "taxonname", "sciname", "latinname", "latin", "nomlatin", "nombrelatino", "латинскоеназвание", "научноеназвание", "학명", "ラテン名", "学名", "拉丁学名", "拉丁名", "拉丁文名", "拉丁名称",
		"物种拉丁名", "物种学名", "种拉丁名", "植物学名", "植物拉丁名", "name", "fullname", "speciesname", "accspeciesname", "species", "taxon", "taxa", "canonicalname", "binomial", "botanicalname", "plantname",
		"nomscientifique", "nombrecientífico", "nombrecientifico", "nomecientífico", "nomecientifico", "wissenschaftlichername", "nomescientifico", "nomelatino", "nazwałacińska", "namailmiah", "espèce", "espece", "especie", "especies", "espécie", "specie", "вид", "종명",
		"物种", "物种名称", "种名", "种", "plant", "plants", "植物名称", "植物种类", "植物名", "植物", "树种", "中文名", "中文学名", "药名", "名称"},
	roleAuthor: {"scientificnameauthorship", "作者", "命名者", "定名者", "authorship", "author", "authors", "authority", "taxonauthor", "taxonauthors", "nameauthor", "命名人", "定名人",
		"命名人名", "著者", "auteur", "autor", "autore", "автор", "명명자"},
	roleFamily: {"family", "familyname", "familylatin", "科拉丁名", "科学名", "科名", "科", "科中文名", "familychinese", "famille", "familia", "семейство", "과명", "과", "família", "familie", "famili", "rodzina", "famiglia"},
	roleChinese: {"chinesename", "中文名", "中文名称", "中文学名", "中文种名", "中文正名", "物种中文名", "种中文名", "植物中文名", "植物名称", "植物名", "中名", "汉名", "chinese", "vernacularname",
		"commonname", "species", "speciesname", "物种", "物种名称", "种名", "种", "植物", "树种", "药名", "名称", "name"},
	roleGenus:         {"genus", "genusname", "genericname", "属拉丁名", "拉丁属名", "属学名", "属名", "属", "genre", "род", "속명", "género", "genero", "gênero", "genere", "gattung"},
	roleEpithet:       {"specificepithet", "speciesepithet", "epithet", "种加词", "种小名", "species", "种拉丁名", "种名", "种", "sp", "espèce", "espece", "especie", "espécie", "specie", "art", "вид", "종소명", "종명"},
	roleRank:          {"infraspecificrank", "verbatimtaxonrank", "taxonrank", "rank", "等级", "种下等级", "rang", "rango", "ранг", "ランク"},
	roleBelowAuthor:   {"infraspecificauthor", "infraspecificauthorship", "infraauthor", "subspeciesauthor", "varietyauthor"},
	roleInfraspecific: {"infraspecificepithet", "infraspecificname", "infraspecies", "ssp/var", "subsp/var", "种下加词", "种下名"},
	roleSubspecies:    {"subspecies", "subspeciesepithet", "ssp", "subsp", "亚种", "sousespèce", "subespecie", "subespécie", "sottospecie", "unterart", "подвид", "아종"},
	roleVariety:       {"variety", "var", "变种", "variété", "variedad", "variedade", "varietà", "varietät", "разновидность", "변종"},
	roleForm:          {"form", "forma", "变型", "forme", "форма"},
}

var separators = strings.NewReplacer(" ", "", "_", "", "-", "", ".", "", "\u3000", "", "*", "")

// headerForms returns the forms of a header cell that are compared with the usual headers: the
// whole cell, the cell without a prefix such as dwc:, the text before brackets and the text inside
// brackets. A cell with Chinese characters also has two forms by script: only its Chinese
// characters, and only its other letters.
func headerForms(cell string) []string {
	whole := strings.ToLower(strings.TrimSpace(cell))
	forms := []string{whole}
	if _, local, prefixed := strings.Cut(whole, ":"); prefixed {
		forms = append(forms, local)
	}
	if before, in, found := strings.Cut(strings.NewReplacer("（", "(", "）", ")").Replace(whole), "("); found {
		forms = append(forms, before, strings.TrimSuffix(in, ")"))
	}
	if han.Has(whole) {
		other := func(r rune) bool { return unicode.IsLetter(r) && !han.Is(r) }
		forms = append(forms, strings.Map(func(r rune) rune {
			if other(r) {
				return -1
			}
			return r
		}, whole), strings.Map(func(r rune) rune {
			if other(r) || r == ' ' {
				return r
			}
			return -1
		}, whole))
	}
	for i, f := range forms {
		forms[i] = han.Fold(separators.Replace(f))
	}
	return forms
}

// headerLines is the number of lines at the start of a list among which Run looks for the header.
const headerLines = 20

// why is the reason why a column has its role.
type why string

const (
	whyOption  why = "option"  // an option names it
	whyHeader  why = "header"  // its header is usual
	whyContent why = "content" // its cells tell
)

// table describes the columns of the list.
type table struct {
	columns []string
	at      [numRoles]int // index of the column of each role, or -1
	why     [numRoles]why
	others  []string // headers of other columns that hold names
	comma   byte
	plain   bool
	line    int // the line number of the header, from 1, or 0 if there is none
	// blocks is true if only the first row of each block has a family.
	blocks bool
}

// noTable returns the table of a list that has a name in each line.
func noTable() table {
	t := table{columns: []string{"name"}, comma: ',', plain: true}
	for r := range t.at {
		t.at[r] = -1
	}
	t.at[roleName] = 0
	return t
}

// findTable returns the table whose header has the given cells. sample has rows below it. found is
// true if the options, usual headers or the sample determine the column of names, or the columns of
// genera and epithets. known is true if usual headers or options would do so alone. The error lists
// the headers in the options that are not among the cells, or the columns that both hold names.
func findTable(cells []string, sample [][]string, comma byte, opt Options) (t table, found, known bool, err error) {
	t = table{columns: cells, comma: comma}
	forms := make([][]string, len(cells))
	for i, c := range cells {
		forms[i] = headerForms(c)
	}
	taken := map[int]bool{}
	explicit := func(r role, what, header string) bool {
		if header == "" {
			return true
		}
		t.at[r], t.why[r] = columnOf(cells, header), whyOption
		taken[t.at[r]] = true
		if t.at[r] < 0 {
			err = cmp.Or(err, error(listColumn.With(what, header, columnList(cells))))
		}
		return t.at[r] >= 0
	}
	for r := range t.at {
		t.at[r] = -1
	}
	if !explicit(roleName, "name", opt.Column) || !explicit(roleAuthor, "author", opt.AuthorColumn) ||
		!explicit(roleFamily, "family", opt.FamilyColumn) || !explicit(roleChinese, "Chinese name", opt.ChineseColumn) {
		return t, false, false, err
	}
	for _, r := range []role{roleName, roleAuthor, roleFamily, roleGenus, roleEpithet, roleRank, roleInfraspecific, roleSubspecies, roleVariety, roleForm, roleBelowAuthor, roleChinese} {
		if r == roleEpithet && t.at[roleName] >= 0 && t.at[roleGenus] < 0 {
			continue // 种名 beside 拉丁名 has Chinese names
		}
		for _, h := range usual[r] {
			i := slices.IndexFunc(forms, func(f []string) bool { return slices.Contains(f, h) })
			if t.at[r] < 0 && i >= 0 && !taken[i] {
				t.at[r], t.why[r], taken[i] = i, whyHeader, true
			}
		}
	}
	known = t.at[roleName] >= 0 || t.at[roleChinese] >= 0 || t.at[roleGenus] >= 0
	err = t.byContent(sample, taken)
	if t.at[roleName] < 0 && t.at[roleEpithet] >= 0 && t.at[roleGenus] >= 0 {
		t.blocks = inBlocks(sample, t.at[roleFamily], t.at[roleEpithet])
		return t, true, known, err
	}
	for _, r := range []role{roleChinese, roleGenus} {
		if t.at[roleName] < 0 {
			t.at[roleName], t.why[roleName], t.at[r] = t.at[r], t.why[r], -1
		}
	}
	t.blocks = inBlocks(sample, t.at[roleFamily], t.at[roleName])
	return t, t.at[roleName] >= 0, known, err
}

// inBlocks reports whether only the first row of each block has a family: no family stands twice in
// succession, and at least as many rows with a name have none.
func inBlocks(sample [][]string, of, name int) bool {
	last, with, without := "", 0, 0
	for i, row := range sample {
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

// findHeader looks for the header among the first rows of a list. cut returns these rows, split by
// a separator. A header that is known comes before one that only the rows below it tell.
func findHeader(lines int, separator func(i int) byte, cut func(comma byte) [][]string, opt Options) (t table, at int, err error) {
	var wrong error
	for _, byContent := range []bool{false, true} {
		var above [][]string
		for i := range min(lines, headerLines) {
			comma := separator(i)
			rows := cut(comma)
			cells, sample := rows[i], rows[i+1:]
			t, found, known, err := findTable(cells, sample[:min(len(sample), sampleRows)], comma, opt)
			if i == 0 {
				wrong = err
			}
			ok := found && (known || byContent && isHeader(cells, t.nameColumn(), sample))
			if !ok || i > 0 && !belowTitles(above, cells) {
				above = append(above, cells)
				continue
			}
			return t, i, err
		}
	}
	return table{}, -1, wrong
}

// nameColumn returns the column of names, or that of epithets if there is none.
func (t *table) nameColumn() int {
	if t.at[roleName] >= 0 {
		return t.at[roleName]
	}
	return t.at[roleEpithet]
}

// isHeader reports whether cells may be a header that is not usual: it has several labels, none is a
// family or a number, the one over the column of names is no name, and most rows below have as many
// cells.
func isHeader(cells []string, names int, sample [][]string) bool {
	if filled(cells) < 2 || isName(cells[names]) || cellKindOf(strings.TrimSpace(cells[names])) == kindName {
		return false
	}
	for _, c := range cells {
		if cellKindOf(strings.TrimSpace(c)) == kindFamily || strings.Trim(c, "0123456789., ") == "" && c != "" {
			return false
		}
	}
	full := 0
	for _, row := range sample {
		if len(row) == len(cells) {
			full++
		}
	}
	return full > 0 && 2*full >= len(sample)
}

// columnOf returns the index of the column with a header, or -1.
func columnOf(cells []string, header string) int {
	if i := slices.Index(cells, header); i >= 0 {
		return i
	}
	return slices.IndexFunc(cells, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), header) })
}

// belowTitles reports whether cells may be the header although there are rows above. Those rows
// must be titles: they have fewer cells, and no cell is a name.
func belowTitles(above [][]string, cells []string) bool {
	if slices.ContainsFunc(cells, isName) {
		return false
	}
	width := filled(cells)
	for _, row := range above {
		if n := filled(row); n >= width && !(n == 1 && len(above) <= 2 && !slices.ContainsFunc(row, isName)) {
			return false
		}
	}
	return true
}

// filled returns the number of cells that are not empty.
func filled(cells []string) (n int) {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			n++
		}
	}
	return n
}

// columnList returns the headers as text for an error message, shortened if there are very many.
func columnList(cells []string) string {
	const most, long = 50, 60
	var all []string
	for _, c := range cells[:min(len(cells), most)] {
		if r := []rune(c); len(r) > long {
			c = string(r[:long]) + "…"
		}
		all = append(all, c)
	}
	if len(cells) > most {
		all = append(all, "…")
	}
	return strings.Join(all, ", ")
}

// name matches the start of a line that is a scientific name rather than a header: a genus and an
// epithet.
var name = regexp.MustCompile(`^["']?(?:[×+] ?)?[A-ZÄÖÜÉÅØ][a-zäëïöüéèçñøåœß]+\.? (?:[×x] ?)?([a-zäëïöüéèçñøåœß-]{3,})[ ,;\t|"']`)

// isName reports whether a cell starts with a scientific name. It returns false for words that may
// be a title, such as Plant name and Latin binomial.
func isName(cell string) bool {
	m := name.FindStringSubmatch(cell + " ")
	return m != nil && !slices.Contains(titleWords, m[1]) && !title.MatchString(cell)
}

// title matches the first word of a title.
var title = regexp.MustCompile(`(?i)^["']?(?:scientific|latin|botanical|accepted|full|plant|species|source|taxon|common|vernacular|local|family|genus) `)

// titleWords are words that make a header look like a species name when they follow a capitalised
// word: Plant name.
var titleWords = []string{
	"name", "names", "species", "list", "author", "authors", "family", "rank", "epithet", "number", "code", "notes", "status", "synonym", "synonyms",
	"taxonomy", "scientific", "botanical", "common", "vernacular", "accepted", "latin", "latino", "latine", "scientifique", "científico", "cientifico", "scientifico", "botanique", "botánico",
	"naam", "namn", "navn", "nimi", "nimetus", "naziv", "ime", "nume", "nombre", "khoa", "ilmiah", "név", "łacińska", "source", "label",
}

// tabular reports whether the first lines are a table with the given separator. The first line must
// have several cells and must not be a name in two cells. For commas, at least half of the other
// lines must have the same number of cells.
func tabular(first [][]byte, comma byte) bool {
	width := rows.CountCells(first[0], comma)
	if width < 2 || width == 2 && isName(string(first[0])) {
		return false
	}
	full := 0
	for _, line := range first[1:] {
		if rows.CountCells(line, comma) == width {
			full++
		}
	}
	// A plain list may have commas after names, so other lines must agree. Half of them is enough,
	// because a row of a table may continue in the next line.
	return comma != ',' || 2*full >= len(first)-1 && full > 0
}

// separatorLine matches a first line such as sep=; that tells Excel which character separates the
// cells.
var separatorLine = regexp.MustCompile(`^"?sep=([,;|\t])"?$`)

// textHeader reads the header of a text, if it has one. The header is the first line with known
// column names; the lines before it are titles.
func (r *reader) textHeader(opt Options) error {
	first, err := r.in.Ahead(headerLines + sampleRows)
	if err != nil {
		return listUnread.With(err)
	}
	if opt.Plain || len(first) == 0 {
		return nil
	}
	skip := 0
	lines := first
	separator := func(i int) byte { return rows.Separator(lines[i], lines[i+1:]...)[0] }
	if m := separatorLine.FindSubmatch(bytes.TrimSpace(first[0])); m != nil {
		skip = 1
		separator = func(int) byte { return m[1][0] }
	}
	lines = lines[skip:]
	if len(lines) == 0 {
		return nil
	}
	most := cmp.Or(opt.MaxColumns, MaxColumns)
	if comma := separator(0); rows.CountCells(lines[0], comma) > most {
		return r.tooWide(skip, comma, most)
	}
	split := map[byte][][]string{}
	cut := func(comma byte) [][]string {
		if split[comma] == nil {
			for _, line := range lines {
				var cells []string
				if rows.CountCells(line, comma) <= most {
					cells = rows.Cells(line, comma)
				}
				split[comma] = append(split[comma], cells)
			}
		}
		return split[comma]
	}
	t, at, err := findHeader(len(lines), separator, cut, opt)
	switch {
	case err != nil:
		return err
	case at >= 0:
		if wrong := rows.TooLong(lines[at]); wrong != nil {
			return listHeader.With(wrong)
		}
		for range skip + at + 1 {
			if _, _, err := r.in.Line(); err != nil {
				return err
			}
		}
		r.in.Header(lines[at], t.comma)
		t.line = skip + at + 1
		r.table = t
		return nil
	}
	if comma := separator(0); !opt.named() {
		if t, ok := headless(cut(comma), comma); ok {
			for range skip {
				if _, _, err := r.in.Line(); err != nil {
					return err
				}
			}
			r.in.Header(lines[0], comma)
			r.table = t
			return nil
		}
	}
	if comma := separator(0); opt.named() || tabular(lines, comma) {
		return listNoColumn.With(columnList(rows.Cells(lines[0], comma)))
	}
	return nil
}

// minHeadless is the number of rows that must agree to take a list without a header for a table.
const minHeadless = 5

// headless returns the table of a list without a header: all rows have as many cells, and one column
// holds a name in nearly every row. Its columns have numbers instead of headers.
func headless(all [][]string, comma byte) (t table, ok bool) {
	width := len(all[0])
	if width < 2 || len(all) < minHeadless || slices.ContainsFunc(all, func(row []string) bool { return len(row) != width }) {
		return t, false
	}
	var columns []string
	for i := range width {
		columns = append(columns, fmt.Sprint("column ", i+1))
	}
	t, found, _, err := findTable(columns, all, comma, Options{})
	if !found || err != nil || t.at[roleName] < 0 || len(t.others) > 0 {
		return t, false
	}
	names := looksOf(all, width)[t.at[roleName]]
	return t, 10*names.of[kindName] >= 8*len(all)
}

// tooWide returns the error for a first row with more than most cells, after skip lines.
func (r *reader) tooWide(skip int, comma byte, most int) error {
	for range skip {
		if _, _, err := r.in.Line(); err != nil {
			return err
		}
	}
	n, err := r.in.Columns(comma)
	if err != nil {
		return listUnread.With(err)
	}
	return listColumns.With(n, most)
}

// named reports whether the options give the header of a column.
func (o *Options) named() bool {
	return o.Column != "" || o.AuthorColumn != "" || o.FamilyColumn != "" || o.ChineseColumn != ""
}

// bookHeader reads the headers of a workbook, unless the workbook is empty. The list is on the first
// sheet with known column names, and on all further sheets with the same header.
func (r *reader) bookHeader(opt Options) error {
	if opt.Plain {
		return listPlainBook.With()
	}
	names := r.book.Sheets()
	if opt.Sheet != "" && columnOf(names, opt.Sheet) < 0 {
		return listSheet.With(opt.Sheet, columnList(names))
	}
	var none error // the reason why no header was found; nil for an empty workbook
	for i, name := range names {
		if opt.Sheet != "" && i != columnOf(names, opt.Sheet) {
			continue
		}
		t, at, full, err := r.sheetHeader(i, opt)
		switch {
		case err != nil && at < 0 && none == nil && len(r.sheets) == 0:
			none = err
		case err != nil && at >= 0 && len(r.sheets) == 0:
			return err
		}
		switch {
		case at >= 0 && len(r.sheets) == 0:
			r.table = t
			r.sheets = append(r.sheets, sheetAt{i, at, name})
		case at >= 0 && slices.Equal(headed(t.columns), headed(r.table.columns)):
			r.sheets = append(r.sheets, sheetAt{i, at, name})
		case full:
			r.leftOut = append(r.leftOut, name)
		}
	}
	if len(r.sheets) == 0 {
		return none
	}
	if err := r.openSheet(); err != nil {
		return err
	}
	if r.table.line = r.header; len(r.sheets) > 1 {
		r.table.columns = append(slices.Clip(r.table.columns), sheetColumn(r.table.columns))
	}
	return nil
}

// sheetColumn returns the header of the column that has the names of the sheets.
func sheetColumn(columns []string) string {
	if slices.Contains(columns, "sheet") {
		return "match.sheet"
	}
	return "sheet"
}

// headed returns the labels of a header in lower case, without empty ones at the end.
func headed(cells []string) []string {
	var labels []string
	for _, c := range cells {
		labels = append(labels, strings.ToLower(strings.TrimSpace(c)))
	}
	for len(labels) > 0 && labels[len(labels)-1] == "" {
		labels = labels[:len(labels)-1]
	}
	return labels
}

// sheetHeader looks for the header of a sheet. It returns the index of its row, or -1. full reports
// whether the sheet has rows.
func (r *reader) sheetHeader(sheet int, opt Options) (t table, at int, full bool, err error) {
	first, wrong, err := r.book.Peek(sheet, headerLines+sampleRows)
	if err != nil {
		return t, -1, false, listError(err)
	}
	most := cmp.Or(opt.MaxColumns, MaxColumns)
	for _, cells := range first[:min(len(first), headerLines)] {
		if len(cells) > most {
			return t, -1, true, listColumns.With(len(cells), most)
		}
	}
	t, at, err = findHeader(len(first), func(int) byte { return ',' }, func(byte) [][]string { return first }, opt)
	switch {
	case at >= 0 || err != nil:
	case wrong != nil:
		err = listHeader.With(wrong)
	case len(first) > 0:
		err = listNoColumn.With(columnList(first[0]))
	}
	return t, at, len(first) > 0, err
}

// sheetAt is a sheet of the list.
type sheetAt struct {
	index int
	above int // number of rows above the header
	name  string
}

// openSheet opens the next sheet of the list and reads its header.
func (r *reader) openSheet() error {
	s := r.sheets[r.current]
	if err := r.book.Open(s.index); err != nil {
		return listError(err)
	}
	for range s.above + 1 {
		if _, _, err := r.book.Row(); err != nil {
			return listError(err)
		}
	}
	r.header = r.book.Header()
	return nil
}

// taken returns the headers of the columns that have a role.
func (t *table) taken() Taken {
	if t.plain {
		return Taken{}
	}
	header := func(r role) string {
		if t.at[r] < 0 {
			return ""
		}
		return t.columns[t.at[r]]
	}
	taken := Taken{Others: t.others, Name: header(roleName), Genus: header(roleGenus), Author: header(roleAuthor), Family: header(roleFamily), ChineseName: header(roleChinese)}
	if taken.Genus != "" {
		taken.Epithet = header(roleEpithet)
	}
	var below []string
	for _, b := range belowSpecies {
		if h := header(b.role); h != "" {
			below = append(below, h)
		}
	}
	if taken.Infraspecific = strings.Join(below, ", "); t.at[roleInfraspecific] >= 0 {
		taken.Rank = header(roleRank)
	}
	for r, why := range t.why {
		if t.at[r] >= 0 && why == whyContent {
			taken.ByCells = append(taken.ByCells, header(role(r)))
		}
	}
	return taken
}
