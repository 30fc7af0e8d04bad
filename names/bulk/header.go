package bulk

import (
	"regexp"
	"slices"
	"strings"

	"bencao/internal/rows"
	"bencao/names/han"
)

// Usual headers of the columns, the preferred ones first, in lower case and simplified
// characters, without separators. To support another header, add it.
var (
	usualNames = []string{"scientificname", "verbatimscientificname", "verbatimname", "fullscientificname", "taxonname", "latinname", "name", "speciesname", "species",
		"taxon", "canonicalname", "binomial", "plantname", "学名", "拉丁学名", "拉丁名", "拉丁文名", "物种拉丁名", "植物学名", "物种", "种名", "中文名", "中文学名", "植物名", "药名", "名称"}
	usualAuthors  = []string{"scientificnameauthorship", "作者", "命名者", "定名者", "authorship", "author", "authors", "authority", "taxonauthor", "taxonauthors", "nameauthor", "命名人", "定名人", "命名人名"}
	usualFamilies = []string{"family", "familyname", "familylatin", "科拉丁名", "科学名", "科名", "科"}
)

var separators = strings.NewReplacer(" ", "", "_", "", "-", "", ".", "", "\u3000", "")

// findUsual returns the index of the first usual header among cells, or -1. It ignores a prefix
// such as dwc:.
func findUsual(cells, headers []string) int {
	for _, h := range headers {
		for i, c := range cells {
			_, local, prefixed := strings.Cut(c, ":")
			if !prefixed {
				local = c
			}
			if han.Fold(separators.Replace(strings.ToLower(local))) == h {
				return i
			}
		}
	}
	return -1
}

// headerLines is the number of lines that decide whether a list is a table.
const headerLines = 20

// findTable returns the table with a header, if cells are one: an option or a usual header names a
// column. first are the first lines of a text; a workbook has none.
func findTable(cells []string, comma byte, first [][]byte, opt Options) (t table, found bool, err error) {
	t = table{columns: cells, comma: comma}
	named := opt.Column != "" || opt.AuthorColumn != "" || opt.FamilyColumn != ""
	if t.name, err = findColumn("name", cells, opt.Column, usualNames); err != nil {
		return t, false, err
	}
	if t.name < 0 {
		if named || first == nil || tabular(first, comma) {
			return t, false, listNoColumn.With(columnList(cells))
		}
		return t, false, nil
	}
	if t.author, err = findColumn("author", cells, opt.AuthorColumn, usualAuthors); err != nil {
		return t, false, err
	}
	t.family, err = findColumn("family", cells, opt.FamilyColumn, usualFamilies)
	return t, err == nil, err
}

// columnList returns the columns for a message, shortened if there are very many.
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

// findColumn returns the index of the column with a header, or with a usual one if header is
// empty; -1 if there is none.
func findColumn(what string, cells []string, header string, headers []string) (int, error) {
	if header == "" {
		return findUsual(cells, headers), nil
	}
	if i := slices.Index(cells, header); i >= 0 {
		return i, nil
	}
	if i := slices.IndexFunc(cells, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), header) }); i >= 0 {
		return i, nil
	}
	return -1, listColumn.With(what, header, columnList(cells))
}

// name matches the start of a line that is a scientific name and no header: a genus and an
// epithet.
var name = regexp.MustCompile(`^["']?(?:[×+] ?)?\p{Lu}\p{Ll}+\.? (?:[×x] ?)?[\p{Ll}-]{3,}[ ,;\t|"']`)

// tabular reports whether the first lines are a table: they have the same number of cells, more
// than one, and the first line is no name.
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
	// A name may be followed by commas, and a row may continue in the next line.
	return comma != ',' || 2*full >= len(first)-1 && full > 0
}
