package bulk

import (
	"bytes"
	"cmp"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"bencao/internal/rows"
	"bencao/names/han"
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
	numRoles
)

// usual lists the usual headers of each role, the preferred ones first. They are in lower case and
// simplified characters, without separators and brackets. To support another header, add it here.
var usual = [numRoles][]string{
	roleName: {"scientificname", "verbatimscientificname", "verbatimname", "fullscientificname", "taxonname", "sciname", "latinname", "学名", "拉丁学名", "拉丁名", "拉丁文名", "拉丁名称",
		"物种拉丁名", "物种学名", "种拉丁名", "植物学名", "植物拉丁名", "name", "speciesname", "species", "taxon", "taxa", "canonicalname", "binomial", "botanicalname", "plantname",
		"nomscientifique", "nombrecientífico", "nombrecientifico", "nomecientífico", "nomecientifico", "wissenschaftlichername", "espèce", "espece", "especie", "especies", "espécie", "specie",
		"物种", "物种名称", "种名", "种", "plant", "plants", "植物名称", "植物种类", "植物名", "植物", "树种", "中文名", "中文学名", "药名", "名称"},
	roleAuthor: {"scientificnameauthorship", "作者", "命名者", "定名者", "authorship", "author", "authors", "authority", "taxonauthor", "taxonauthors", "nameauthor", "命名人", "定名人",
		"命名人名", "auteur", "autor"},
	roleFamily: {"family", "familyname", "familylatin", "科拉丁名", "科学名", "科名", "科", "科中文名", "familychinese", "famille", "familia", "família", "familie"},
	roleChinese: {"chinesename", "中文名", "中文名称", "中文学名", "中文种名", "中文正名", "物种中文名", "种中文名", "植物中文名", "植物名称", "植物名", "中名", "汉名", "chinese", "vernacularname",
		"commonname", "species", "speciesname", "物种", "物种名称", "种名", "种", "植物", "树种", "药名", "名称", "name"},
	roleGenus:         {"genus", "genusname", "genericname", "属拉丁名", "拉丁属名", "属学名", "属名", "属", "genre", "género", "genero", "gênero", "genere", "gattung"},
	roleEpithet:       {"specificepithet", "speciesepithet", "epithet", "种加词", "种小名", "species", "种拉丁名", "种名", "种", "sp", "espèce", "espece", "especie", "espécie", "specie", "art"},
	roleRank:          {"infraspecificrank", "verbatimtaxonrank", "taxonrank", "rank", "等级", "种下等级"},
	roleInfraspecific: {"infraspecificepithet", "infraspecificname", "infraspecies", "种下加词", "种下名"},
	roleSubspecies:    {"subspecies", "subspeciesepithet", "ssp", "subsp", "亚种"},
	roleVariety:       {"variety", "var", "变种"},
	roleForm:          {"form", "forma", "变型"},
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

// table describes the columns of the list.
type table struct {
	columns []string
	at      [numRoles]int // index of the column of each role, or -1
	comma   byte
	plain   bool
	sheet   string // the name of the sheet of a workbook
	line    int    // the line number of the header, from 1, or 0 if there is none
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

// findTable returns the table whose header has the given cells. found is true if the options or
// usual headers determine the column of names, or the columns of genera and epithets. The error
// lists the headers in the options that are not among the cells.
func findTable(cells []string, comma byte, opt Options) (t table, found bool, err error) {
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
		t.at[r] = columnOf(cells, header)
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
		return t, false, err
	}
	for _, r := range []role{roleName, roleAuthor, roleFamily, roleGenus, roleEpithet, roleRank, roleInfraspecific, roleSubspecies, roleVariety, roleForm, roleChinese} {
		for _, h := range usual[r] {
			i := slices.IndexFunc(forms, func(f []string) bool { return slices.Contains(f, h) })
			if t.at[r] < 0 && i >= 0 && !taken[i] {
				t.at[r], taken[i] = i, true
			}
		}
	}
	if t.at[roleName] < 0 && t.at[roleEpithet] >= 0 && t.at[roleGenus] >= 0 {
		return t, true, nil
	}
	for _, r := range []role{roleChinese, roleGenus} {
		if t.at[roleName] < 0 {
			t.at[roleName], t.at[r] = t.at[r], -1
		}
	}
	return t, t.at[roleName] >= 0, nil
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
var name = regexp.MustCompile(`^["']?(?:[×+] ?)?\p{Lu}\p{Ll}+\.? (?:[×x] ?)?[\p{Ll}-]{3,}[ ,;\t|"']`)

// isName reports whether a cell starts with a scientific name. It returns false for two words that
// may be a title, such as Plant name.
func isName(cell string) bool {
	return name.MatchString(cell) || name.MatchString(cell+" ") && len(strings.Fields(cell)) == 2 && !slices.Contains(titleWords, strings.ToLower(strings.Fields(cell)[1]))
}

// titleWords are words that make a header look like a species name when they follow a capitalised
// word: Plant name.
var titleWords = []string{"name", "names", "species", "list", "author", "authors", "family", "rank", "epithet", "number", "code", "notes"}

// tabular reports whether the first lines are a table with the given separator. The first line must
// have several cells and must not be a name in two cells. For commas, at least half of the other
// lines must have the same number of cells.
func tabular(first [][]byte, comma byte) bool {
	width := rows.CountCells(first[0], comma)
	if width < 2 || width == 2 && name.Match(first[0]) {
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
	first, err := r.in.Ahead(headerLines)
	if err != nil {
		return listUnread.With(err)
	}
	if opt.Plain || len(first) == 0 {
		return nil
	}
	skip := 0
	separator := func(line []byte) byte { return rows.Separator(line)[0] }
	if m := separatorLine.FindSubmatch(bytes.TrimSpace(first[0])); m != nil {
		skip = 1
		separator = func([]byte) byte { return m[1][0] }
	}
	most := cmp.Or(opt.MaxColumns, MaxColumns)
	var wrong error
	var above [][]string
	for i, line := range first[skip:] {
		comma := separator(line)
		if wide := rows.CountCells(line, comma) > most; wide && i == 0 {
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
		} else if wide {
			continue
		}
		cells := rows.Cells(line, comma)
		t, found, err := findTable(cells, comma, opt)
		if i == 0 {
			wrong = err
		}
		if !found || i > 0 && !belowTitles(above, cells) {
			above = append(above, cells)
			continue
		}
		if wrong := rows.TooLong(line); wrong != nil {
			return listHeader.With(wrong)
		}
		for range skip + i + 1 {
			if _, _, err := r.in.Line(); err != nil {
				return err
			}
		}
		r.in.Header(line, comma)
		t.line = skip + i + 1
		r.table = t
		return nil
	}
	if len(first) == skip || wrong != nil {
		return wrong
	}
	if comma := separator(first[skip]); opt.named() || tabular(first[skip:], comma) {
		return listNoColumn.With(columnList(rows.Cells(first[skip], comma)))
	}
	return nil
}

// named reports whether the options give the header of a column.
func (o *Options) named() bool {
	return o.Column != "" || o.AuthorColumn != "" || o.FamilyColumn != "" || o.ChineseColumn != ""
}

// bookHeader reads the header of a workbook, unless the workbook is empty. The header is the first
// row with known column names, on the first sheet that has such a row.
func (r *reader) bookHeader(opt Options) error {
	if opt.Plain {
		return listPlainBook.With()
	}
	var none error // the reason why no header was found; nil for an empty workbook
	most := cmp.Or(opt.MaxColumns, MaxColumns)
	for {
		var above [][]string
		for len(above) < headerLines {
			cells, wrong, err := r.book.Row()
			switch {
			case err == io.EOF:
			case err != nil:
				return listError(err)
			case wrong != nil:
				return listHeader.With(wrong)
			case len(cells) > most:
				return listColumns.With(len(cells), most)
			}
			if err == io.EOF {
				break
			}
			t, found, err := findTable(cells, ',', opt)
			if found && (len(above) == 0 || belowTitles(above, cells)) {
				t.line, t.sheet = r.book.Header(), r.book.SheetName()
				r.table = t
				return nil
			}
			if none == nil {
				none = cmp.Or(err, error(listNoColumn.With(columnList(cells))))
			}
			above = append(above, cells)
		}
		if err := r.book.Next(); err == io.EOF {
			return none
		} else if err != nil {
			return cmp.Or(none, listError(err))
		}
	}
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
	taken := Taken{Name: header(roleName), Genus: header(roleGenus), Author: header(roleAuthor), Family: header(roleFamily), ChineseName: header(roleChinese)}
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
	return taken
}
