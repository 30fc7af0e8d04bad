package prescriptions

import (
	"slices"
	"strings"

	"bencao/internal/messages"
	"bencao/internal/rows"
	"bencao/names/han"
	"bencao/names/herb/dose"
	"bencao/names/herb/written"
)

// Form is the form of a table of prescriptions.
type Form string

// The forms.
const (
	TextForm   Form = "text"   // each row has a whole prescription in a cell
	LongForm   Form = "long"   // each row has one drug, and the id of its prescription
	WideForm   Form = "wide"   // each row is a prescription, with a drug in each of several columns
	MatrixForm Form = "matrix" // each column is a drug, and each row a prescription: 1 where it has the drug
)

// layout tells where the prescriptions of a table are.
type layout struct {
	form   Form
	place  rows.Place
	labels []string
	// id, text and dose are columns, or -1. drugs has the columns of drugs: the one of [LongForm], or
	// those of [WideForm] and [MatrixForm].
	id, text, dose int
	drugs          []int
	doses          map[int]int // of [WideForm]: column of drugs → column of their doses
}

// The errors about a table.
var (
	noPrescriptions = messages.Define("prescriptions-none", "no prescription is found; write one into each line, such as 麻黄9g 桂枝6g, or name the column with --text-column or --herb-column")
	noColumn        = messages.Define("prescriptions-column", "there is no column %q among %s; name one of them")
	severalTexts    = messages.Define("prescriptions-several", "the columns %s all hold prescriptions; name one with --text-column")
	noID            = messages.Define("prescriptions-id", "each row has one drug, and no column tells to which prescription it belongs; name it with --id-column")
	tooManyColumns  = messages.Define("prescriptions-columns", "the table has %d columns; at most %d are taken, so leave out those that are not needed")
	tooManyRows     = messages.Define("prescriptions-rows", "the table has more than %v rows; split it")
)

// The kinds of cells, for [rows.HeaderRow].
const (
	aText   = 0
	aNumber = rows.KindNumber
	oneDrug = 2
	many    = 3
	aDose   = 4
)

// The words of labels: of the column of ids, of whole prescriptions, of drugs and of doses.
var labelWords = map[string][]string{
	"id":   {"id", "no", "no.", "序号", "编号", "病例号", "病历号", "门诊号", "住院号", "处方号", "方号", "号", "就诊号", "pid", "prescription id", "prescription", "处方", "方剂", "方剂名称", "方名", "名称", "prescription name", "formula", "case", "row"},
	"text": {"text", "处方", "方药", "处方内容", "药物组成", "组成", "组方", "方剂组成", "中药", "用药", "药方", "prescription", "prescriptions", "composition", "ingredients", "herbs", "drugs"},
	"herb": {"herb", "drug", "药物", "药名", "中药", "药材", "饮片", "药物名称", "中药名称", "药品名称", "herb name", "drug name", "name", "名称"},
	"dose": {"dose", "dosage", "amount", "剂量", "用量", "重量", "克数", "克", "g", "剂量g", "用量g", "剂量(g)", "用量(g)", "剂量（g）", "用量（g）", "剂量/g", "用量/g"},
}

// is reports whether a label is one of the words for a kind of column.
func is(label, kind string) bool {
	return slices.Contains(labelWords[kind], han.Fold(strings.ToLower(strings.TrimSpace(label))))
}

// kindOf returns what a cell is.
func (b *Base) kindOf(cell string) int {
	cell = strings.TrimSpace(cell)
	if isNumber(cell) {
		return aNumber
	}
	if _, err := dose.Parse(cell); err == nil {
		return aDose
	}
	return kindOfMentions(b.reader.Read(cell))
}

func kindOfMentions(list []written.Mention) int {
	drugs, others := 0, 0
	for _, m := range list {
		switch {
		case m.Drugs != nil:
			drugs++
		case !m.Instruction:
			others++
		}
	}
	switch {
	case drugs == 0 || others > drugs:
		return aText
	case len(list) == 1:
		return oneDrug
	}
	return many
}

// isNumber reports whether a cell is a number.
func isNumber(cell string) bool {
	return cell != "" && strings.Trim(cell, "0123456789.") == "" && strings.Count(cell, ".") < 2
}

// mostSample is the number of rows by which the form of a table is told.
const mostSample = 200

// share of the cells of a column that must be of a kind.
const share = 0.5

// layoutOf finds the prescriptions in a table.
func (b *Base) layoutOf(v *rows.View, opt *Options) (*layout, error) {
	if v.TooWide > 0 {
		return nil, tooManyColumns.With(v.TooWide, opt.columns())
	}
	if v.Wrong != nil {
		return nil, v.Wrong
	}
	if l, err := b.matrix(v, opt); l != nil || err != nil {
		return l, err
	}
	sample := sampleOf(v)
	usual := func(label string) bool {
		for kind := range labelWords {
			if is(label, kind) {
				return true
			}
		}
		return false
	}
	header := rows.HeaderRow(v, sample, func(_ int, cell string) int { return b.kindOf(cell) }, usual)
	if opt.named() { // the header is the row with the labels
		header = slices.IndexFunc(v.Rows[:min(len(v.Rows), rows.HeaderLines)], func(cells []string) bool {
			return slices.ContainsFunc([]string{opt.TextColumn, opt.HerbColumn, opt.IDColumn, opt.DoseColumn}, func(l string) bool { return l != "" && columnOf(cells, l) >= 0 })
		})
		if header < 0 {
			first := []string{}
			if len(v.Rows) > 0 {
				first = v.Rows[0]
			}
			return nil, noColumn.With(opt.TextColumn+opt.HerbColumn+opt.IDColumn+opt.DoseColumn, strings.Join(first, ", "))
		}
	}
	if header < 0 && v.Comma != '\t' && v.Comma != '\n' && v.Sheet == "" {
		v = v.Whole() // 麻黄9g,桂枝6g: each line is a prescription
		sample = sampleOf(v)
	}
	l := &layout{place: rows.Place{View: v, Header: header}, id: -1, text: -1, dose: -1, doses: map[int]int{}}
	if header >= 0 {
		l.labels = v.Rows[header]
	}
	if err := l.take(opt); err != nil {
		return nil, err
	}
	return l, b.assign(l, opt, sample)
}

// sampleOf returns the indexes of the rows by which the form of a table is told.
func sampleOf(v *rows.View) (sample []int) {
	for i := range v.Rows {
		if v.Rows[i] != nil && len(sample) < mostSample {
			sample = append(sample, i)
		}
	}
	return sample
}

// columnOf returns the column with a label, or -1.
func columnOf(labels []string, label string) int {
	return slices.IndexFunc(labels, func(l string) bool { return strings.EqualFold(strings.TrimSpace(l), strings.TrimSpace(label)) })
}

// take takes the columns that the options name.
func (l *layout) take(opt *Options) error {
	herb := -1
	for _, c := range []struct {
		label string
		into  *int
	}{{opt.IDColumn, &l.id}, {opt.TextColumn, &l.text}, {opt.HerbColumn, &herb}, {opt.DoseColumn, &l.dose}} {
		if c.label == "" {
			continue
		}
		if *c.into = columnOf(l.labels, c.label); *c.into < 0 {
			return noColumn.With(c.label, strings.Join(l.labels, ", "))
		}
	}
	if herb >= 0 {
		l.drugs = []int{herb}
	}
	return nil
}

// column counts the cells of a column.
type column struct {
	filled   int
	of       [5]int // by kind
	distinct map[string]bool
	repeats  bool // a cell equals the one above
}

// assign decides on the form, and finds the columns that the options do not name.
func (b *Base) assign(l *layout, opt *Options, sample []int) error {
	var columns []column
	last := []string{}
	for _, i := range sample {
		if i <= l.place.Header {
			continue
		}
		cells := l.place.View.Rows[i]
		for c, cell := range cells {
			if c == len(columns) {
				columns = append(columns, column{distinct: map[string]bool{}})
			}
			if cell = strings.TrimSpace(cell); cell == "" {
				continue
			}
			k := &columns[c]
			k.filled++
			k.of[b.kindOf(cell)]++
			k.distinct[cell] = true
			k.repeats = k.repeats || c < len(last) && strings.TrimSpace(last[c]) == cell
		}
		last = cells
	}
	var texts, drugs []int
	for c := range columns {
		k := &columns[c]
		most := share * float64(k.filled)
		switch {
		case k.filled == 0 || c == l.id || c == l.dose:
		case float64(k.of[many]) >= most:
			texts = append(texts, c)
		case float64(k.of[oneDrug]+k.of[many]) >= most:
			drugs = append(drugs, c)
		}
	}
	switch {
	case l.text >= 0:
		l.form = TextForm
	case len(l.drugs) == 1:
		l.form = LongForm
	case len(texts) == 1:
		l.form, l.text = TextForm, texts[0]
	case len(texts) > 1:
		named := slices.DeleteFunc(slices.Clone(texts), func(c int) bool { return !is(l.label(c), "text") })
		if len(named) != 1 {
			return severalTexts.With(strings.Join(l.labelsOf(texts), ", "))
		}
		l.form, l.text = TextForm, named[0]
	case len(drugs) > 1:
		l.form, l.drugs = WideForm, drugs
		for _, c := range drugs {
			if d := c + 1; d < len(columns) && !slices.Contains(drugs, d) && columns[d].of[aNumber]+columns[d].of[aDose] > columns[d].filled/2 {
				l.doses[c] = d
			}
		}
	case len(drugs) == 1 && len(columns) > 1:
		l.form, l.drugs = LongForm, drugs
	case len(drugs) == 1:
		l.form, l.text = TextForm, drugs[0]
	default:
		return noPrescriptions.With()
	}
	l.findID(columns)
	if l.form == LongForm && l.dose < 0 {
		l.dose = slices.IndexFunc(columns, func(k column) bool { return k.filled > 0 && k.of[aDose] > k.filled/2 })
		for c := range columns {
			if l.dose < 0 && c != l.id && is(l.label(c), "dose") {
				l.dose = c
			}
		}
	}
	if l.form == LongForm && l.id < 0 {
		return noID.With()
	}
	return nil
}

// findID finds the column of ids. A column without such a label is one only of [LongForm], if it
// repeats its cells: another text may be the name of a person.
func (l *layout) findID(columns []column) {
	taken := func(c int) bool { return c == l.text || c == l.dose || slices.Contains(l.drugs, c) }
	for c := range columns {
		if l.id < 0 && !taken(c) && is(l.label(c), "id") {
			l.id = c
		}
	}
	for c := range columns {
		if k := &columns[c]; l.id < 0 && l.form == LongForm && !taken(c) && k.repeats && len(k.distinct) > 1 {
			l.id = c
		}
	}
}

func (l *layout) label(c int) string {
	if c >= 0 && c < len(l.labels) {
		return strings.TrimSpace(l.labels[c])
	}
	return ""
}

func (l *layout) labelsOf(columns []int) (labels []string) {
	for _, c := range columns {
		labels = append(labels, l.label(c))
	}
	return labels
}

// leastMatrix is the smallest number of drugs among the labels of a matrix.
const leastMatrix = 3

// matrix returns the layout of a table whose columns are drugs, or nil. A column of it has only 0, 1 or
// nothing below a label in characters, or other numbers, which are doses, below the name of a drug.
func (b *Base) matrix(v *rows.View, opt *Options) (*layout, error) {
	for header := range min(len(v.Rows)-1, rows.HeaderLines) {
		labels := v.Rows[header]
		l := &layout{form: MatrixForm, place: rows.Place{View: v, Header: header}, labels: labels, id: -1, text: -1, dose: -1}
		known := 0
		for c, label := range labels {
			isDrug := b.reader.Drugs(strings.TrimSpace(label)) != nil
			if !isDrug && !han.Has(label) || is(label, "id") || columnOf([]string{label}, opt.IDColumn) == 0 {
				continue
			}
			numbers, signs := true, true
			for _, cells := range v.Rows[header+1:] {
				if c >= len(cells) {
					continue
				}
				cell := strings.TrimSpace(cells[c])
				numbers = numbers && (cell == "" || isNumber(cell))
				signs = signs && (cell == "" || cell == "0" || cell == "1")
			}
			if signs || numbers && isDrug {
				l.drugs = append(l.drugs, c)
				if isDrug {
					known++
				}
			}
		}
		if known < leastMatrix || 2*known < len(l.drugs) {
			continue
		}
		if opt.IDColumn != "" {
			if l.id = columnOf(labels, opt.IDColumn); l.id < 0 {
				return nil, noColumn.With(opt.IDColumn, strings.Join(labels, ", "))
			}
		}
		for c := range labels {
			if l.id < 0 && is(labels[c], "id") && !slices.Contains(l.drugs, c) {
				l.id = c
			}
		}
		return l, nil
	}
	return nil, nil
}
