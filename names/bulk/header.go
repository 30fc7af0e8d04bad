package bulk

import (
	"regexp"
	"slices"
	"strings"

	"bencao/internal/rows"
	"bencao/names/han"
)

// Usual headers of the columns, in the order in which they are looked for, in
// small letters and simplified characters, without separators. To have one
// found, add it.
var (
	usualNames = []string{"scientificname", "verbatimscientificname", "verbatimname", "fullscientificname", "taxonname", "latinname", "name", "speciesname", "species",
		"taxon", "canonicalname", "binomial", "plantname", "学名", "拉丁学名", "拉丁名", "拉丁文名", "物种拉丁名", "植物学名", "物种", "种名", "中文名", "中文学名", "植物名", "药名", "名称"}
	usualAuthors  = []string{"scientificnameauthorship", "作者", "命名者", "定名者", "authorship", "author", "authors", "authority", "taxonauthor", "taxonauthors", "nameauthor", "命名人", "定名人", "命名人名"}
	usualFamilies = []string{"family", "familyname", "familylatin", "科拉丁名", "科学名", "科名", "科"}
)

var separators = strings.NewReplacer(" ", "", "_", "", "-", "", ".", "", "\u3000", "")

// usual finds a usual header among cells, or -1. A prefix such as dwc: is none
// of it.
func usual(cells, headers []string) int {
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

// looked is how many lines say whether a list is a table.
const looked = 20

// findTable makes a table of the cells of a header, if it is one: if it is known,
// or a column is named. first are the first lines of a text, none of a workbook.
func findTable(cells []string, comma byte, first [][]byte, opt Options) (t table, found bool, err error) {
	t = table{columns: cells, comma: comma}
	named := opt.Column != "" || opt.AuthorColumn != "" || opt.FamilyColumn != ""
	if t.name, err = place("name", cells, opt.Column, usualNames); err != nil {
		return t, false, err
	}
	if t.name < 0 {
		if named || first == nil || tabular(first, comma) {
			return t, false, listNoColumn.With(listed(cells))
		}
		return t, false, nil
	}
	if t.author, err = place("author", cells, opt.AuthorColumn, usualAuthors); err != nil {
		return t, false, err
	}
	t.family, err = place("family", cells, opt.FamilyColumn, usualFamilies)
	return t, err == nil, err
}

// listed are the columns for a message, not all of very many.
func listed(cells []string) string {
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

// place is that of the column that has a header, or a usual one if it is
// empty; -1 if there is none.
func place(what string, cells []string, header string, headers []string) (int, error) {
	if header == "" {
		return usual(cells, headers), nil
	}
	if i := slices.Index(cells, header); i >= 0 {
		return i, nil
	}
	if i := slices.IndexFunc(cells, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), header) }); i >= 0 {
		return i, nil
	}
	return -1, listColumn.With(what, header, listed(cells))
}

// name is how a line begins that is a scientific name and no header: a genus
// and an epithet.
var name = regexp.MustCompile(`^["']?(?:[×+] ?)?\p{Lu}\p{Ll}+\.? (?:[×x] ?)?[\p{Ll}-]{3,}[ ,;\t|"']`)

// tabular tells that the first lines are a table: all have as many cells, more
// than one, and the first is no name.
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
	// A name may have commas behind it, a table rows that go on.
	return comma != ',' || 2*full >= len(first)-1 && full > 0
}
