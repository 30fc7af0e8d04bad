package checklist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bencao/indexer/finding"
	"bencao/internal/rows"
	"bencao/names"
	"bencao/names/editdistance"

	"golang.org/x/text/unicode/norm"
)

// Sheet is an open file of names whose header has been read.
type Sheet struct {
	// List and File are the names of the list and the file in findings.
	List, File string
	Rows       *rows.Reader
	// Width is the required number of cells in a row; other rows are rejected. Zero accepts any
	// number.
	Width int
	// MinWidth is the minimum number of cells in a row, used if Width is zero.
	MinWidth int
	// AllowShort accepts rows that lack cells at their end. Each of these rows gives a warning.
	AllowShort bool
	// Usage converts a row to a name. It returns false for a row that is not a name. Scan has
	// already applied [Text] to the cells.
	Usage func(cells []string) (names.Usage, bool)
}

// Text returns a cell in NFC without leading and trailing white space.
func Text(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }

// Scan yields those names of a sheet that pass the audit. An error ends the iteration: it is
// yielded last.
func Scan(ctx context.Context, s Sheet, a *Audit) iter.Seq2[names.Usage, error] {
	return func(yield func(names.Usage, error) bool) {
		for n := 0; ; n++ {
			if n%4096 == 0 && ctx.Err() != nil {
				yield(names.Usage{}, ctx.Err())
				return
			}
			cells, err := s.Rows.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(names.Usage{}, a.Fatal(err))
				return
			}
			if !s.fits(cells, a) {
				continue
			}
			for i, c := range cells {
				cells[i] = Text(c)
			}
			if blank(cells) {
				continue
			}
			u, ok := s.Usage(cells)
			if ok && a.Keep(&u, s.File, s.Rows.Line(0)) && !yield(u, nil) {
				return
			}
		}
	}
}

// fits reports whether a row has the right number of cells.
func (s Sheet) fits(cells []string, a *Audit) bool {
	code, want := finding.MissingCell, max(s.Width, s.MinWidth)
	switch {
	case len(cells) == s.Width || s.Width == 0 && len(cells) >= s.MinWidth || len(cells) == 1 && cells[0] == "":
		return true
	case len(cells) > want:
		code = finding.ExtraCell
		if blank(cells[s.Width:]) {
			return true
		}
	}
	f := finding.Finding{Severity: finding.Reject, Code: code, File: s.File, Line: s.Rows.Line(len(cells)),
		Value: cells[0], Message: fmt.Sprintf("%d cells instead of %d", len(cells), want),
		Hint: "look for a delimiter or a line break inside a cell"}
	stays := s.AllowShort && code == finding.MissingCell
	if stays {
		f.Severity, f.Hint = finding.Warn, "the missing ones at the end count as empty"
	}
	a.Log(f)
	return stays
}

func blank(cells []string) bool {
	for _, c := range cells {
		if c != "" {
			return false
		}
	}
	return true
}

// Fatal returns the error with which reading the list ended. If the error is a finding, Fatal also
// logs it, as a finding about the list.
func (a *Audit) Fatal(err error) error {
	err = finding.Of(err)
	var f finding.Finding
	if errors.As(err, &f) {
		if f.Table == "" {
			f.Table = a.list
		}
		a.log.Add(f)
		return f
	}
	return err
}

// Log logs a finding under the list's name.
func (a *Audit) Log(f finding.Finding) {
	f.Table = a.list
	a.log.Add(f)
}

// Warn logs a finding that does not change the data.
func (a *Audit) Warn(code finding.Code, file string, line int, column, value, message, hint string) {
	a.Log(finding.Finding{Severity: finding.Warn, Code: code, File: file, Line: line, Column: column, Value: value, Message: message, Hint: hint})
}

// RequireColumns returns a fatal finding if a header lacks one of the columns.
func RequireColumns(file string, h rows.Header, columns ...string) error {
	for _, c := range columns {
		if h.Index(c) >= 0 {
			continue
		}
		hint := ""
		if near := editdistance.Nearest(c, h.Names); near != "" {
			hint = fmt.Sprintf("is it the column %q?", near)
		}
		return finding.Finding{Severity: finding.Fatal, Code: finding.MissingLabel, File: file, Line: 1, Column: c,
			Message: fmt.Sprintf("column %s is missing; the columns found are %s", c, strings.Join(h.Labels, ", ")), Hint: hint}
	}
	return nil
}
