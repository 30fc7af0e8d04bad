package bulk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bencao/internal/rows"
)

// table describes the columns of the list.
type table struct {
	columns []string
	at      [numRoles]int // index of the column of each role, or -1
	why     [numRoles]why
	others  []string // headers of other columns that hold names
	left    []Unused // columns of epithets, ranks and qualifiers without a role
	comma   byte     // the separator of the results
	plain   bool
	// lines is true if the list has separators and is read as plain lines all the same.
	lines bool
	// whole is true if the header is a single cell, so that separators belong to the cells below it.
	whole  bool
	header int // index of the header among the rows of the view, or -1
	line   int // the line number of the header, from 1, or 0 if there is none
	// blocks is true if only the first row of each block has a family, and headings if a family alone in
	// a row is that of the rows below it.
	blocks, headings bool
}

// newTable returns a table without roles.
func newTable(columns []string, comma byte) *table {
	t := &table{columns: columns, comma: comma, header: -1}
	if comma == '\n' {
		t.comma = ','
	}
	for r := range t.at {
		t.at[r] = -1
	}
	return t
}

// plainTable returns the table of a list that has a name in each line.
func plainTable() *table {
	t := newTable([]string{"name"}, ',')
	t.plain, t.at[roleName] = true, 0
	return t
}

// maxViews is the number of sheets in which names are looked for.
const maxViews = 4

// beginning is what was seen of a list before its columns are known: the evidence of each view that
// may be the list, and the first rows of all views.
type beginning struct {
	views    []*rows.View
	evidence []*evidence
}

// look reads the beginning of a list.
func (r *reader) look() (*beginning, error) {
	b := &beginning{}
	var other *evidence // of the first sheet, if nothing in it looks like a name
	most := cmp.Or(r.opt.MaxColumns, MaxColumns)
	for v, err := range r.list.Views(most) {
		if err != nil {
			return nil, listError(err)
		}
		if r.opt.Sheet != "" && !strings.EqualFold(strings.TrimSpace(v.Sheet), strings.TrimSpace(r.opt.Sheet)) {
			v.Rows = nil
		}
		if v.TooWide > 0 {
			return nil, listColumns.With(v.TooWide, most)
		}
		b.views = append(b.views, v)
		if len(b.evidence) == maxViews || len(v.Rows) == 0 {
			continue
		}
		switch e := newEvidence(v); {
		case e.mayHaveNames() || r.list.IsText() || r.opt.named():
			b.evidence = append(b.evidence, e)
		case other == nil:
			other = e
		default:
			v.Rows = slices.Clone(v.Rows[:min(len(v.Rows), rows.HeaderLines)])
		}
	}
	if len(b.evidence) == 0 && other != nil {
		b.evidence = append(b.evidence, other)
	}
	if r.opt.Sheet != "" && columnOf(r.list.Sheets(), r.opt.Sheet) < 0 && !r.list.IsText() {
		return nil, listSheet.With(r.opt.Sheet, columnList(r.list.Sheets()))
	}
	return b, nil
}

// mayHaveNames reports whether some column may hold names.
func (e *evidence) mayHaveNames() bool {
	return slices.ContainsFunc(e.columns, func(l traits) bool {
		return l.share(kindName)+l.share(kindGenus)+l.share(kindChinese)+l.share(kindHerbs)+l.share(kindMaybeName) >= some
	})
}

// isUsual reports whether a cell is a usual header.
func isUsual(cell string) bool {
	forms := headerForms(cell)
	return isListed(forms) || fit(roleName, forms) > 0
}

// plan returns the texts to look up.
func (b *beginning) plan() [][]string {
	var lists [][]string
	for _, e := range b.evidence {
		lists = append(lists, e.plan()...)
	}
	return lists
}

// decide chooses the sheet, the header and the columns, and begins to read the rows. found has the
// answers to the plan.
func (r *reader) decide(b *beginning, found lookups) error {
	var none error // the reason why no table was found; nil for an empty list
	for _, e := range b.evidence {
		e.found = found
		e.count(-1)
		t, err := r.tableOf(e)
		if err != nil {
			none = cmp.Or(none, err)
			continue
		}
		r.table = t
		if t.whole {
			return r.begin(&beginning{}, e.view.Whole())
		}
		return r.begin(b, e.view)
	}
	for _, v := range b.views {
		if none == nil && v.Wrong != nil {
			none = listHeader.With(v.Wrong)
		}
		if none == nil && len(v.Rows) > 0 {
			none = listNoColumn.With(columnList(v.Rows[0]))
		}
	}
	if none == nil {
		r.table = plainTable()
		return r.list.Begin()
	}
	return none
}

// tableOf returns the table of a view, or the reason why it is none.
func (r *reader) tableOf(e *evidence) (*table, error) {
	v := e.view
	header, err := r.headerOf(e)
	if err != nil {
		return nil, err
	}
	if header < 0 {
		return r.headless(e)
	}
	t := newTable(v.Rows[header], v.Comma)
	t.header, t.whole = header, len(v.Rows[header]) == 1 && v.Comma != '\n' && r.list.IsText()
	for _, o := range []struct {
		role   role
		header string
	}{{roleName, r.opt.Column}, {roleAuthor, r.opt.AuthorColumn}, {roleFamily, r.opt.FamilyColumn}, {roleChinese, r.opt.ChineseColumn}} {
		if o.header != "" {
			t.at[o.role], t.why[o.role] = columnOf(t.columns, o.header), whyOption
		}
	}
	e.count(header)
	return t, t.assign(e)
}

// headerOf returns the index of the row with the labels of the columns, or -1.
func (r *reader) headerOf(e *evidence) (int, error) {
	sample := slices.Sorted(slices.Values(e.rows))
	header := rows.HeaderRow(e.view, sample, e.headerKind, isUsual)
	if of := e.columnsOfNames(); header == 0 && e.found.isSpecies(e.inGenus(0, of.genus, of.species)) {
		header = -1
	}
	if !r.opt.named() {
		return header, nil
	}
	var wrong error
	for i, cells := range e.view.Rows[:min(len(e.view.Rows), rows.HeaderLines)] {
		err := r.opt.missing(cells)
		if err == nil {
			return i, nil
		}
		if wrong == nil || i == header {
			wrong = err
		}
	}
	return -1, wrong
}

// missing returns an error if one of the headers in the options is not among the cells.
func (o *Options) missing(cells []string) error {
	for _, c := range []struct{ what, header string }{
		{"name", o.Column}, {"author", o.AuthorColumn}, {"family", o.FamilyColumn}, {"Chinese name", o.ChineseColumn},
	} {
		if c.header != "" && columnOf(cells, c.header) < 0 {
			return listColumn.With(c.what, c.header, columnList(cells))
		}
	}
	return nil
}

// minHeadless is the number of rows that must agree to take a list without a header for a table.
const minHeadless = 5

// headless returns the table of a list without a header. If all rows have as many cells, and a column
// holds a name in nearly every row, it is a table whose columns have numbers instead of headers. If it
// may be a list of names with some commas, it is plain lines.
func (r *reader) headless(e *evidence) (*table, error) {
	v := e.view
	width := len(v.Rows[0])
	if r.list.IsText() {
		width, _ = rows.UsualWidth(v.Rows)
	}
	even := (width > 1 && len(v.Rows) >= minHeadless || width == 1 && !r.list.IsText()) && !slices.ContainsFunc(v.Rows, func(cells []string) bool {
		return r.list.IsText() && len(cells) < width || rows.FilledWidth(cells) > width
	})
	if even {
		var columns []string
		for c := range width {
			columns = append(columns, fmt.Sprint("column ", c+1))
		}
		t := newTable(columns, v.Comma)
		if err := t.assign(e); err == nil && len(t.others) == 0 && e.tellNames(t) {
			return t, nil
		}
	}
	if !r.list.IsText() || v.Comma != '\n' && !e.isLines() { // a workbook has no plain lines
		if c := slices.IndexFunc(e.columns, func(l traits) bool { return l.share(kindHerbs) >= enough }); c >= 0 {
			return nil, listHerbs.With(columnList(v.Rows[0][c:min(c+1, width)]))
		}
		return nil, listNoHeader.With(columnList(v.Rows[0]))
	}
	t := plainTable()
	t.lines = v.Comma != '\n'
	return t, nil
}

// tellNames reports whether the cells alone tell that nearly every row of a table has a name.
func (e *evidence) tellNames(t *table) bool {
	const nearly = 0.8
	if c := t.at[roleName]; c >= 0 {
		l := &e.columns[c]
		return l.share(kindName) >= nearly || l.share(kindChinese) >= nearly && l.asked > 0 && l.known() >= nearly
	}
	epithets := &e.columns[t.at[roleEpithet]]
	return epithets.areEpithets() && rate(epithets.epithets) >= nearly
}

// isLines reports whether each line begins with a name, and may be a name with something behind it: the
// first is a scientific name, or nearly all are known Chinese names.
func (e *evidence) isLines() bool {
	if len(e.columns) == 0 {
		return false
	}
	l := &e.columns[0]
	return e.headerKind(0, e.cell(0, 0)) == int(kindName) || l.share(kindChinese) >= nearlyAll && l.asked > 0 && l.known() >= enough
}

// begin begins to read the rows of a view, and of all sheets that have the same header.
func (r *reader) begin(b *beginning, v *rows.View) error {
	places := []rows.Place{{View: v, Header: r.table.header}}
	labels := headed(r.table.columns)
	for _, other := range b.views {
		if other == v || len(other.Rows) == 0 {
			continue
		}
		at := slices.IndexFunc(other.Rows[:min(len(other.Rows), rows.HeaderLines)], func(cells []string) bool { return slices.Equal(headed(cells), labels) })
		if at >= 0 && r.table.header >= 0 {
			places = append(places, rows.Place{View: other, Header: at})
		} else {
			r.leftOut = append(r.leftOut, other.Sheet)
		}
	}
	if err := r.list.Begin(places...); err != nil {
		return listError(err)
	}
	r.table.line, r.headerLost = r.list.Header(), r.list.Lost() != nil
	for _, p := range places {
		if p.View.Sheet != "" {
			r.sheets = append(r.sheets, p.View.Sheet)
		}
	}
	if len(places) > 1 {
		r.table.columns = append(slices.Clip(r.table.columns), sheetColumn(r.table.columns))
	}
	return nil
}

// columnOf returns the index of the column with a header, or -1.
func columnOf(cells []string, header string) int {
	if i := slices.Index(cells, header); i >= 0 {
		return i
	}
	return slices.IndexFunc(cells, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), header) })
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

// named reports whether the options give the header of a column.
func (o *Options) named() bool {
	return o.Column != "" || o.AuthorColumn != "" || o.FamilyColumn != "" || o.ChineseColumn != ""
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

// takenRoles lists the roles of [Taken] with their words in the summary.
var takenRoles = []struct {
	role   role
	word   string
	header func(*Taken) *string
}{
	{roleName, "name", func(t *Taken) *string { return &t.Name }},
	{roleGenus, "genus", func(t *Taken) *string { return &t.Genus }},
	{roleEpithet, "epithet", func(t *Taken) *string { return &t.Epithet }},
	{roleInfraspecific, "below species", func(t *Taken) *string { return &t.Infraspecific }},
	{roleRank, "rank", func(t *Taken) *string { return &t.Rank }},
	{roleAuthor, "author", func(t *Taken) *string { return &t.Author }},
	{roleBelowAuthor, "author below species", func(t *Taken) *string { return &t.BelowAuthor }},
	{roleQualifier, "qualifier", func(t *Taken) *string { return &t.Qualifier }},
	{roleFamily, "family", func(t *Taken) *string { return &t.Family }},
	{roleKingdom, "kingdom", func(t *Taken) *string { return &t.Kingdom }},
	{roleChinese, "Chinese name", func(t *Taken) *string { return &t.ChineseName }},
}

// label returns the header of a column, or its number if the header is empty.
func (t *table) label(c int) string {
	if strings.TrimSpace(t.columns[c]) == "" {
		return fmt.Sprint("column ", c+1)
	}
	return t.columns[c]
}

// taken returns the headers of the columns that have a role.
func (t *table) taken() Taken {
	taken := Taken{Lines: t.lines}
	if t.plain {
		return taken
	}
	taken.Others, taken.Unused = t.others, t.left
	for _, r := range takenRoles {
		if c := t.at[r.role]; c >= 0 {
			*r.header(&taken) = t.label(c)
		}
	}
	var below []string
	for _, b := range belowSpecies {
		if c := t.at[b.role]; c >= 0 {
			below = append(below, t.label(c))
		}
	}
	taken.Infraspecific = strings.Join(below, ", ")
	for r, c := range t.at {
		if c >= 0 && t.why[r] == whyContent {
			taken.ByCells = append(taken.ByCells, t.label(c))
		}
	}
	return taken
}
