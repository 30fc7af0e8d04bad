package rows_test

import (
	"bytes"
	"io"
	"testing"

	"bencao/internal/rows"
)

func TestDefuse(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "人参": "人参", "=1+1": "'=1+1", "@SUM(1)": "'@SUM(1)", "-cmd": "'-cmd", "+A1": "'+A1", "-168": "-168", "+1.5": "+1.5",
		"-NaN": "'-NaN", "-Inf": "'-Inf", "\t=1": "'\t=1", "\r=1": "'\r=1", "a=1": "a=1",
	} {
		if got := rows.Defuse(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}

// TestWriteSheet reads what it wrote.
func TestWriteSheet(t *testing.T) {
	var book bytes.Buffer
	if err := rows.WriteSheet(&book, "names", [][]string{{"row", "given"}, {"1", " 人参 <a> & b"}, {"2", "=HYPERLINK(1)"}}); err != nil {
		t.Fatal(err)
	}
	in, isSheet, err := rows.Sheet(&book)
	if err != nil || !isSheet {
		t.Fatalf("%v, %v", isSheet, err)
	}
	got, err := io.ReadAll(in)
	if want := "row,given\n1,\" 人参 <a> & b\"\n2,'=HYPERLINK(1)\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
