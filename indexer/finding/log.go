package finding

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bencao/internal/invisible"
	"bencao/internal/rows"
)

// These limits bound the findings that a [Log] keeps. It counts all findings.
const (
	// MaxKept is the maximum number of findings that a log keeps.
	MaxKept = 100_000
	// MaxKeptOfKind is the maximum number of findings of one kind that a log keeps, so that one
	// kind with very many findings does not displace the other kinds.
	MaxKeptOfKind = 10_000
)

// Kind is a group of findings that are counted together.
type Kind struct {
	Table    string   `json:"table"`
	Severity Severity `json:"severity"`
	Code     Code     `json:"code"`
}

// String returns the table, the severity and the code of a kind as text, such as "synonyms: reject
// foreign-key".
func (k Kind) String() string {
	return k.Table + ": " + string(k.Severity) + " " + string(k.Code)
}

// Count is the number of findings of a kind.
type Count struct {
	Kind
	Count int `json:"count"`
}

// Log collects findings in bounded memory. It counts all findings and keeps the first findings of
// each kind. The zero value is ready for use. Its methods are safe for concurrent use.
type Log struct {
	mu     sync.Mutex // guards the other fields
	kept   []Finding
	counts map[Kind]int
	listed map[Kind]int
}

// Add adds a finding.
func (l *Log) Add(f Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts == nil {
		l.counts, l.listed = map[Kind]int{}, map[Kind]int{}
	}
	k := Kind{f.Table, f.Severity, f.Code}
	l.counts[k]++
	if f.Severity != Fatal && (l.listed[k] >= MaxKeptOfKind || len(l.kept) >= MaxKept) {
		return
	}
	l.listed[k]++
	// A value is often a substring of a row or a file. A copy lets the memory of the row or file be
	// freed.
	f.Value = strings.Clone(truncate(f.Value))
	l.kept = append(l.kept, f)
}

// Kept returns the findings that are kept, in the order of Add.
func (l *Log) Kept() []Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.kept)
}

// First returns the first kept finding that is such, if there is one.
func (l *Log) First(such func(Finding) bool) (Finding, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.kept, such)
	if i < 0 {
		return Finding{}, false
	}
	return l.kept[i], true
}

// Counts returns the number of findings of each kind, sorted by table, then from the worst severity
// to the mildest, then by code.
func (l *Log) Counts() []Count {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Count, 0, len(l.counts))
	for _, k := range slices.SortedFunc(maps.Keys(l.counts), compareKinds) {
		out = append(out, Count{k, l.counts[k]})
	}
	return out
}

// Total returns the number of findings of a severity.
func (l *Log) Total(s Severity) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for k, c := range l.counts {
		if k.Severity == s {
			n += c
		}
	}
	return n
}

func compareKinds(a, b Kind) int {
	return cmp.Or(
		cmp.Compare(a.Table, b.Table),
		cmp.Compare(rank(a.Severity), rank(b.Severity)),
		cmp.Compare(a.Code, b.Code),
	)
}

func rank(s Severity) int { return slices.Index([]Severity{Fatal, Reject, Warn}, s) }

// header is the first line of findings.csv.
var header = []string{"severity", "code", "table", "file", "line", "column", "value", "message", "hint"}

// WriteCSV writes the kept findings as RFC 4180 CSV in the order of Add. A byte-order mark makes
// Excel read it as UTF-8. For each kind with findings that were not kept, a line at the end gives
// their number.
//
// Values come from foreign files, so a cell that a spreadsheet would evaluate as a formula gets a
// leading apostrophe. Numbers stay as they are. Invisible characters are written like \u202e.
func (l *Log) WriteCSV(w io.Writer) error {
	if _, err := io.WriteString(w, "\uFEFF"); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	if err := out.Write(header); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	for _, f := range append(l.Kept(), l.unlisted()...) {
		line := ""
		if f.Line > 0 {
			line = strconv.Itoa(f.Line)
		}
		cells := []string{string(f.Severity), string(f.Code), f.Table, f.File, line, f.Column, f.Value, f.Message, f.Hint}
		for i, c := range cells {
			cells[i] = rows.Defuse(string(invisible.Escape([]byte(c))))
		}
		if err := out.Write(cells); err != nil {
			return fmt.Errorf("write findings: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	return nil
}

// ReadCSV reads the output of [Log.WriteCSV]. It does not remove leading apostrophes.
func ReadCSV(r io.Reader) ([]Finding, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = len(header)
	rows, err := in.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || strings.TrimPrefix(rows[0][0], "\uFEFF") != header[0] {
		return nil, errors.New("no list of findings: the first line is not its header")
	}
	list := make([]Finding, 0, len(rows)-1)
	for _, c := range rows[1:] {
		f := Finding{Severity: Severity(c[0]), Code: Code(c[1]), Table: c[2], File: c[3], Column: c[5], Value: c[6], Message: c[7], Hint: c[8]}
		if c[4] != "" {
			if f.Line, err = strconv.Atoi(c[4]); err != nil {
				return nil, fmt.Errorf("line %q: %w", c[4], err)
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// unlisted returns, for each kind, a finding with the number of findings that were counted but not
// kept.
func (l *Log) unlisted() []Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Finding
	for _, k := range slices.SortedFunc(maps.Keys(l.counts), compareKinds) {
		if n := l.counts[k] - l.listed[k]; n > 0 {
			out = append(out, Finding{
				Severity: k.Severity, Code: Cut, Table: k.Table,
				Message: fmt.Sprintf("%d more findings of code %s are counted but not listed", n, k.Code),
				Hint:    "fix the listed ones and run again",
			})
		}
	}
	return out
}
