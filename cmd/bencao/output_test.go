package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestTable checks the width of columns: a Chinese character counts as two columns, and a combining
// mark as none.
func TestTable(t *testing.T) {
	tbl := &table{heading: []string{"name", "family", "n"}}
	tbl.row("人参", "Araliaceae", 12)
	tbl.row("Pa\u0301nax", "五加科")
	tbl.row("麻黄汤 x", "", 3)
	var b strings.Builder
	must(t, tbl.write(&b))
	want := "" +
		"name      family      n\n" +
		"人参      Araliaceae  12\n" +
		"Pa\u0301nax     五加科\n" +
		"麻黄汤 x              3\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}

// TestLogForms checks the format of the log: short lines on a terminal, and JSON or key=value
// elsewhere.
func TestLogForms(t *testing.T) {
	for _, tt := range []struct {
		log  string
		want string
	}{
		{"auto", `{"time":`}, {"json", `{"time":`}, {"text", "time="},
	} {
		var b bytes.Buffer
		(&settings{log: tt.log}).logger(&b).Info("hello", "n", 1)
		if !strings.HasPrefix(b.String(), tt.want) {
			t.Errorf("log %s, without a terminal, writes %q, want %s…", tt.log, &b, tt.want)
		}
	}
	var b bytes.Buffer
	slog.New(forPeople(&b, slog.LevelWarn)).Warn("careful", "n", 1)
	if want := " WRN careful n=1\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("for people: got %q, want …%q", &b, want)
	}
}
