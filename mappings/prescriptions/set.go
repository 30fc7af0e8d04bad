// Package prescriptions reads tables of prescriptions, such as those that a clinic or a study has,
// brings the names of their drugs to one standard, and counts and compares them.
//
//	file ─Base.Read─▶ Set ─Set.Count─▶ Report ─Report.Files─▶ drugs.csv, names.csv, …
//
// What is not sure is proposed, and does not count before the user confirms it: [Decisions] are the
// file names.csv with the user's changes. Package written finds the drugs in a text, package patterns
// counts them. The package does not know the command line and the pages.
package prescriptions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bencao/internal/rows"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/herb/dose"
	"bencao/names/herb/written"
)

// Options are the choices for reading a table. The zero value is ready for use.
type Options struct {
	// IDColumn, TextColumn, HerbColumn and DoseColumn are labels of columns. Empty means that the
	// column is found by its content.
	IDColumn, TextColumn, HerbColumn, DoseColumn string
	// Grams is true if numbers without a unit are grams. Otherwise they give none.
	Grams bool
	// Qian is the weight of a 钱 in grams. With 0, old units give no grams.
	Qian float64
	// Decisions are what the user has decided about names.
	Decisions Decisions
	// List tells how to read the file.
	List rows.ListOptions
	// MaxRows and MaxColumns are the largest numbers of rows and columns; 0 means no limit of rows and
	// mostColumns columns.
	MaxRows, MaxColumns int
	// Progress, if not nil, is called with the number of rows read.
	Progress func(rows int64)
}

// mostColumns is the largest number of columns. A matrix has as many as drugs.
const mostColumns = 4096

func (o *Options) columns() int {
	if o.MaxColumns > 0 {
		return o.MaxColumns
	}
	return mostColumns
}

// named reports whether the options name a column.
func (o *Options) named() bool {
	return o.IDColumn+o.TextColumn+o.HerbColumn+o.DoseColumn != ""
}

// State says how sure it is what a name means.
type State string

// The states. Only a sure name counts.
const (
	Sure          State = "sure"
	Proposed      State = "proposed"      // it may be miswritten, or be a folk name
	Several       State = "several"       // it has several meanings
	NotUnderstood State = "notUnderstood" // nobody knows
	Instruction   State = "instruction"   // it is no drug: how to take them, the name of a formula
)

// Name is a name as the prescriptions write it.
type Name struct {
	Written string
	State   State
	Count   int  // of mentions
	Decided bool // the user has decided otherwise than the program

	drugs     []int // several if one word joins them
	proposals []int
	relation  herb.Relation
}

// Drug is a mention of a drug in a prescription, or of something else.
type Drug struct {
	*Name
	Dose, Note string
	Grams      float64 // 0 if it is not certain
}

// Prescription is a prescription of a table.
type Prescription struct {
	ID    string
	Text  string // as written, or the cells with ； between them
	Drugs []Drug
	// Changes is true if the prescription only changes another one, or refers to it. Then its drugs do
	// not count.
	Changes bool
}

// Set is the prescriptions of a table. Its methods must not be called concurrently.
type Set struct {
	Prescriptions []Prescription
	Form          Form
	Labels        []string // of the columns that were read
	Encoding      string
	Rows          int64
	Wrong         int64    // rows that could not be split into cells, and were read as one text
	Undecoded     int64    // rows, with the header, with bytes that could not be decoded
	LeftOut       []string // sheets of a workbook that were not read

	base  *Base
	opt   Options
	names map[string]*Name
}

// Read reads a table of prescriptions.
func (b *Base) Read(ctx context.Context, in io.Reader, opt Options) (_ *Set, err error) {
	list, err := rows.OpenList(ctx, in, opt.List)
	defer func() {
		if list != nil {
			err = errors.Join(err, list.Close())
		}
	}()
	if err != nil {
		return nil, err
	}
	s := &Set{base: b, opt: opt, names: map[string]*Name{}}
	l, err := s.look(list)
	if err != nil {
		return nil, err
	}
	s.Form = l.form
	for _, c := range append([]int{l.id, l.text, l.dose}, l.drugs...) {
		if label := l.label(c); label != "" && l.form != MatrixForm {
			s.Labels = append(s.Labels, label)
		}
	}
	if err := list.Begin(l.place); err != nil {
		return nil, err
	}
	r := tableReader{Set: s, in: l, byID: map[string]int{}}
	for {
		if list.Lost() != nil { // in the header or the row before
			s.Undecoded++
		}
		cells, wrong, err := list.Row()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if s.Rows++; opt.MaxRows > 0 && s.Rows > int64(opt.MaxRows) {
			return nil, tooManyRows.With(opt.MaxRows)
		}
		if wrong != nil {
			s.Wrong++
		}
		r.row(cells, wrong != nil)
		if s.Rows%100 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if opt.Progress != nil {
				opt.Progress(s.Rows)
			}
		}
	}
	_, s.Encoding = list.Read()
	s.uniqueIDs()
	if len(s.Prescriptions) == 0 {
		return nil, noPrescriptions.With()
	}
	return s, nil
}

// uniqueIDs adds a number to an id that an earlier prescription has.
func (s *Set) uniqueIDs() {
	seen := map[string]int{}
	for i := range s.Prescriptions {
		p := &s.Prescriptions[i]
		id := p.ID
		for ; seen[p.ID] > 0; p.ID = fmt.Sprintf("%s (%d)", id, seen[id]) {
			seen[id]++
		}
		seen[p.ID]++
	}
}

// look finds the prescriptions in the first sheet that has any.
func (s *Set) look(list *rows.List) (l *layout, err error) {
	for v, viewErr := range list.Views(s.opt.columns()) {
		if viewErr != nil {
			return nil, viewErr
		}
		if l != nil {
			if len(v.Rows) > 0 {
				s.LeftOut = append(s.LeftOut, v.Sheet)
			}
			continue
		}
		var wrong error
		if l, wrong = s.base.layoutOf(v, &s.opt); wrong != nil {
			l = nil
			if err == nil {
				err = wrong
			}
		}
	}
	if l == nil && err == nil {
		err = noPrescriptions.With()
	}
	if l != nil {
		err = nil
	}
	return l, err
}

// tableReader makes prescriptions of rows.
type tableReader struct {
	*Set
	in   *layout
	byID map[string]int
	last int // the prescription of the row above
}

// row reads a row. If it is invalid, cells has its whole text.
func (r *tableReader) row(cells []string, invalid bool) {
	at := func(c int) string {
		if c < 0 || c >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[c])
	}
	id := at(r.in.id)
	if id == "" || invalid {
		id = strconv.FormatInt(r.Rows, 10)
	}
	p := Prescription{ID: id}
	switch {
	case invalid:
		r.text(&p, cells[0], "")
	case r.in.form == TextForm:
		r.text(&p, at(r.in.text), "")
	case r.in.form == MatrixForm:
		for _, c := range r.in.drugs {
			if cell := at(c); cell != "" && strings.Trim(cell, "0.") != "" {
				if cell == "1" {
					cell = ""
				}
				r.text(&p, r.in.label(c), cell)
			}
		}
	case r.in.form == WideForm:
		for _, c := range r.in.drugs {
			of, has := r.in.doses[c]
			if !has {
				of = -1
			}
			if cell := at(c); cell != "" {
				r.text(&p, cell, at(of))
			}
		}
	default:
		if at(r.in.id) == "" { // the id is above, as in merged cells
			if n := len(r.Prescriptions); n > 0 && at(r.in.drugs[0]) != "" {
				r.text(&r.Prescriptions[r.last], at(r.in.drugs[0]), at(r.in.dose))
			}
			return
		}
		n, known := r.byID[id]
		if !known {
			n = len(r.Prescriptions)
			r.byID[id] = n
			r.Prescriptions = append(r.Prescriptions, p)
		}
		r.last = n
		r.text(&r.Prescriptions[n], at(r.in.drugs[0]), at(r.in.dose))
		return
	}
	if len(p.Drugs) > 0 {
		r.Prescriptions = append(r.Prescriptions, p)
	}
}

// text adds the mentions of a text to a prescription. dose is that of a column of its own.
func (s *Set) text(p *Prescription, text, dose string) {
	p.Changes = p.Changes || s.base.reader.Changes(text)
	if p.Text != "" {
		p.Text += "；"
	}
	p.Text += text + dose
	list := s.base.reader.Read(text)
	for i, m := range list {
		if m.Dose == "" && i == len(list)-1 {
			m.Dose = dose
		} else if i == len(list)-1 && dose != "" {
			m.Note = strings.TrimSpace(m.Note + " " + dose)
		}
		d := Drug{Name: s.nameOf(&m), Dose: m.Dose, Note: m.Note}
		d.Grams = s.grams(m.Dose)
		p.Drugs = append(p.Drugs, d)
	}
	if len(list) == 0 && text != "" {
		p.Drugs = append(p.Drugs, Drug{Name: s.nameOf(&written.Mention{Written: text, Instruction: true}), Dose: dose})
	}
}

// nameOf returns the name of a mention, which counts once more.
func (s *Set) nameOf(m *written.Mention) *Name {
	n := s.names[m.Written]
	if n == nil {
		n = s.base.name(m)
		s.opt.Decisions.decide(n)
		s.names[m.Written] = n
	}
	n.Count++
	return n
}

// name returns what a mention means.
func (b *Base) name(m *written.Mention) *Name {
	n := &Name{Written: strings.Clone(m.Written), State: NotUnderstood}
	switch {
	case m.Drugs != nil:
		n.State, n.drugs = Sure, b.indexes(m.Drugs)
		n.relation = b.relation(m.Written, n.drugs)
	case m.Instruction:
		n.State = Instruction
	default:
		several := false
		if n.proposals, several = b.propose(m.Written, m.Inside); several {
			n.State = Several
		} else if n.proposals != nil {
			n.State = Proposed
		}
	}
	return n
}

// indexes returns the indexes of drugs with plain names, which all have one.
func (b *Base) indexes(plain []string) (drugs []int) {
	for _, p := range plain {
		drugs = append(drugs, b.byName[p])
	}
	return drugs
}

// relation returns how a name as written relates to its drug. The name of a processed form with a
// record of its own is the form of its drug.
func (b *Base) relation(name string, drugs []int) herb.Relation {
	if len(drugs) != 1 {
		return herb.Same
	}
	d := &b.drugs[drugs[0]]
	if r := herb.Relation(b.names.Relation(name)); r != herb.Same || d.how == "" || han.Fold(name) != han.Fold(d.name) && d.how == broader {
		return r
	}
	return herb.Relation(d.how)
}

// grams returns the weight of a dose in grams, or 0 if it is not certain.
func (s *Set) grams(text string) float64 {
	text = strings.NewReplacer("$", "", "@", "", " ", "").Replace(text)
	if isNumber(text) {
		if !s.opt.Grams {
			return 0
		}
		text += "g"
	}
	d, err := dose.Parse(text)
	if err != nil { // 1两5钱
		d, err = dose.Parse(han.Numerals(text))
	}
	switch {
	case err != nil || d.Kind != dose.Weight:
		return 0
	case dose.IsMetric(text):
		return 3 * d.Value // Parse converts 3 g to 1 钱
	}
	return d.Value * s.opt.Qian
}
