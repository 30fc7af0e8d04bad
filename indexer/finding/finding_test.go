package finding_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"bencao/indexer/finding"
	"bencao/internal/test/testkit"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

func TestFindingAsError(t *testing.T) {
	tests := []struct {
		f    finding.Finding
		want string
	}{
		{finding.Finding{File: "species.csv", Line: 1042, Message: "guid is empty"}, "species.csv:1042: guid is empty"},
		{finding.Finding{File: "a.csv", Line: 3, Column: "year", Value: "x", Message: "not a year", Hint: "write digits"},
			`a.csv:3: year "x": not a year; write digits`},
		{finding.Finding{Table: "species", Message: "shrank"}, "species: shrank"},
		{finding.Finding{Message: "no files"}, "no files"},
	}
	for _, tt := range tests {
		var err error = tt.f
		if err.Error() != tt.want {
			t.Errorf("error = %q, want %q", err, tt.want)
		}
		var back finding.Finding
		if !errors.As(fmt.Errorf("read: %w", err), &back) || back != tt.f {
			t.Errorf("errors.As of a wrapped finding gives %+v, want %+v", back, tt.f)
		}
	}
}

func TestLogBoundsMemoryButCountsAll(t *testing.T) {
	var log finding.Log
	const n = finding.MaxKeptOfKind + 5
	for i := range n {
		log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Dose, Table: "formula_ingredients", Line: i + 2})
	}
	log.Add(finding.Finding{Severity: finding.Reject, Code: finding.ForeignKey, Table: "formula_ingredients", Line: 9})
	log.Add(finding.Finding{Severity: finding.Fatal, Code: finding.Encoding, Table: "formula_ingredients", Line: 10})

	if got, want := len(log.Kept()), finding.MaxKeptOfKind+2; got != want {
		t.Errorf("kept %d findings, want %d", got, want)
	}
	want := []finding.Count{
		{finding.Kind{"formula_ingredients", finding.Fatal, finding.Encoding}, 1},
		{finding.Kind{"formula_ingredients", finding.Reject, finding.ForeignKey}, 1},
		{finding.Kind{"formula_ingredients", finding.Warn, finding.Dose}, n},
	}
	if diff := cmp.Diff(want, log.Counts()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if got := log.Total(finding.Warn); got != n {
		t.Errorf("total of warnings = %d, want %d", got, n)
	}
	var out bytes.Buffer
	must(t, log.WriteCSV(&out))
	if !strings.Contains(out.String(), "5 more findings of code dose are counted but not listed") {
		t.Error("findings.csv does not say how many findings it leaves out")
	}
}

func TestLogBoundsAllKindsTogether(t *testing.T) {
	var log finding.Log
	for i := range finding.MaxKept + 10 {
		log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Dose, Table: fmt.Sprint(i % 50)})
	}
	if got := len(log.Kept()); got != finding.MaxKept {
		t.Errorf("kept %d findings, want %d", got, finding.MaxKept)
	}
	log.Add(finding.Finding{Severity: finding.Fatal, Code: finding.Source})
	if got := len(log.Kept()); got != finding.MaxKept+1 {
		t.Errorf("kept %d findings after a fatal one, want %d: a fatal finding is always kept", got, finding.MaxKept+1)
	}
}

func TestLogTakesFromManyGoroutines(t *testing.T) {
	var log finding.Log
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Year})
			}
		})
	}
	wg.Wait()
	if got := log.Total(finding.Warn); got != 8000 {
		t.Errorf("total = %d, want 8000", got)
	}
}

func TestWriteCSV(t *testing.T) {
	var log finding.Log
	log.Add(finding.Finding{Severity: finding.Reject, Code: finding.Type, Table: "species", File: "species.csv", Line: 7,
		Column: "entry_id", Value: `=cmd|"/c calc"!A1`, Message: "entry_id is not a whole number", Hint: "write digits, only"})
	log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Year, Table: "formulas", Column: "year", Value: "-219"})
	log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Name, Value: "@a"})
	log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Name, Value: "cut \xff\xfe"})
	log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Name, Value: strings.Repeat("藥", 300)})
	var out bytes.Buffer
	must(t, log.WriteCSV(&out))
	text, ok := strings.CutPrefix(out.String(), "\uFEFF")
	if !ok {
		t.Error("findings.csv has no byte-order mark, without which Excel takes it for another encoding")
	}
	if !strings.Contains(text, "\r\n") {
		t.Error("findings.csv has no CRLF, which RFC 4180 asks for")
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	must(t, err)
	want := [][]string{
		{"severity", "code", "table", "file", "line", "column", "value", "message", "hint"},
		{"reject", "type-error", "species", "species.csv", "7", "entry_id", `'=cmd|"/c calc"!A1`, "entry_id is not a whole number", "write digits, only"},
		{"warn", "year", "formulas", "", "", "year", "-219", "", ""},
		{"warn", "name", "", "", "", "", "'@a", "", ""},
		{"warn", "name", "", "", "", "", "cut \uFFFD", "", ""},
		{"warn", "name", "", "", "", "", strings.Repeat("藥", 200) + "…", "", ""},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("findings.csv (-want +got):\n%s", diff)
	}
}
