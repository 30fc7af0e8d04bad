package prescriptions

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bencao/internal/messages"
	"bencao/internal/rows"
	"bencao/names/herb"
)

// Decisions are what a user has decided about names: the file names.csv, as [Report.Files] writes it,
// with the user's changes. The keys are the names as written.
type Decisions map[string]decision

type decision struct {
	drugs []int // none if the name is no drug
	none  bool  // the user says that it is no drug
}

// The errors in names.csv.
var (
	namesUnread = messages.Define("names-unread", "names.csv cannot be read: %w")
	namesHeader = messages.Define("names-header", "names.csv has no column %q; give back the file as it was written, with your changes")
	notOneDrug  = messages.Define("prescriptions-drug", "%q is not the name of one drug; write a name that the search of drugs finds, or 、 between several")
	namesDrug   = messages.Define("names-drug", "names.csv, line %v: %q is not the name of one drug; write a name that the search of drugs finds, or 、 between several")
)

// namesColumns are the columns of names.csv.
var namesColumns = []string{"written", "standardName", "state", "proposals", "count", "decided"}

// ReadDecisions reads names.csv. A row with a standard name decides that the name means the drug; one
// of the state instruction, or without a standard name where the program has one, that it is no drug.
func (b *Base) ReadDecisions(ctx context.Context, in io.Reader, opt rows.ListOptions) (all Decisions, err error) {
	list, err := rows.OpenList(ctx, in, opt)
	defer func() {
		if list != nil {
			err = errors.Join(err, list.Close())
		}
	}()
	if err != nil {
		return nil, namesUnread.With(err)
	}
	at := map[string]int{}
	for v, viewErr := range list.Views(mostColumns) {
		if viewErr != nil {
			return nil, namesUnread.With(viewErr)
		}
		if len(v.Rows) == 0 {
			continue
		}
		for i, label := range v.Rows[0] {
			at[strings.TrimSpace(label)] = i
		}
		if err := list.Begin(rows.Place{View: v, Header: 0}); err != nil {
			return nil, namesUnread.With(err)
		}
		break
	}
	for _, label := range namesColumns[:2] {
		if _, ok := at[label]; !ok {
			return nil, namesHeader.With(label)
		}
	}
	all = Decisions{}
	for line := 2; ; line++ {
		cells, wrong, err := list.Row()
		switch {
		case err == io.EOF:
			return all, nil
		case cmp.Or(err, wrong, list.Lost()) != nil:
			return nil, namesUnread.With(cmp.Or(err, wrong, list.Lost()))
		}
		cell := func(label string) string {
			if i, ok := at[label]; ok && i < len(cells) {
				return strings.TrimSpace(cells[i])
			}
			return ""
		}
		d, wrongName := b.decided(cell("standardName"))
		if wrongName != "" {
			return nil, namesDrug.With(line, wrongName)
		}
		d.none = State(cell("state")) == Instruction && d.drugs == nil
		all[cell("written")] = d
	}
}

// decided returns the decision that a name means drugs, which have 、 between them. If a text is no name
// of a drug, it returns the text.
func (b *Base) decided(names string) (d decision, wrong string) {
	for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return strings.ContainsRune("、;；,，", r) }) {
		plain := b.reader.Drugs(strings.TrimSpace(name))
		if len(plain) != 1 {
			return d, name
		}
		d.drugs = append(d.drugs, b.byName[plain[0]])
	}
	return d, ""
}

// decide applies the decision on a name.
func (all Decisions) decide(n *Name) {
	d, ok := all[n.Written]
	if !ok || slices.Equal(d.drugs, n.drugs) && !(d.none && n.State != Instruction) {
		return
	}
	n.Decided, n.drugs, n.relation = true, d.drugs, herb.Same
	n.State = Sure
	if d.drugs == nil {
		n.State = Instruction
	}
}

// Names returns the names that were read, the most frequent first. An instruction is no name, unless
// the user has decided so.
func (s *Set) Names() []*Name {
	return slices.SortedFunc(maps.Values(s.names), func(x, y *Name) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), strings.Compare(x.Written, y.Written))
	})
}

// namesTable returns the rows of names.csv.
func (s *Set) namesTable() [][]string {
	all := [][]string{namesColumns}
	for _, n := range s.Names() {
		if n.State == Instruction && !n.Decided {
			continue
		}
		decided := ""
		if n.Decided {
			decided = "yes"
		}
		all = append(all, []string{n.Written, s.base.namesOf(n.drugs), string(n.State), s.base.namesOf(n.proposals), strconv.Itoa(n.Count), decided})
	}
	return all
}

// Proposals returns the standard names of the drugs that a name may mean, with 、 between them.
func (s *Set) Proposals(n *Name) string { return s.base.namesOf(n.proposals) }

// Decide adds the decision that a name means the drugs with the standard names, which have 、 between them,
// or is no drug if there is none.
func (b *Base) Decide(all Decisions, written, names string) error {
	d, wrong := b.decided(names)
	if wrong != "" {
		return notOneDrug.With(wrong)
	}
	d.none = d.drugs == nil
	all[written] = d
	return nil
}

// Decided returns the decisions that differ from what the program says, as a names.csv.
func (s *Set) Decided() File {
	return table("names.csv", func(row func(...string)) {
		for i, cells := range s.namesTable() {
			if i == 0 || cells[len(cells)-1] != "" {
				row(cells...)
			}
		}
	})
}

// ProposalsOf returns the standard names of the drugs that a name may mean.
func (s *Set) ProposalsOf(n *Name) (names []string) {
	for _, d := range n.proposals {
		names = append(names, s.base.drugs[d].name)
	}
	return names
}

// Plain returns the prescriptions as a table with an id and a text, which is read as the same set.
func (s *Set) Plain() File {
	return table("prescriptions.csv", func(row func(...string)) {
		row("id", "处方")
		for i := range s.Prescriptions {
			row(s.Prescriptions[i].ID, s.Prescriptions[i].Text)
		}
	})
}
