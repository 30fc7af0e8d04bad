package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// result is the result of a measurement: rows of figures with the same columns.
type result struct {
	What    string    `json:"what"`
	Command []string  `json:"command"`
	Machine string    `json:"machine"`
	Date    time.Time `json:"date"`
	Load    string    `json:"load"` // load of the machine at the end: averages of 1, 5 and 15 minutes
	Scale   float64   `json:"scale,omitempty"`
	Columns []string  `json:"columns"`
	Rows    []row     `json:"rows"`
	Notes   []string  `json:"notes,omitempty"`
}

// row has a figure for each column; null means that it was not measured.
type row struct {
	Name    string     `json:"name"`
	Figures []*float64 `json:"figures"`
}

func newResult(what string, columns ...string) *result {
	return &result{What: what, Command: os.Args[1:], Machine: machine(), Date: time.Now().UTC().Truncate(time.Second), Columns: columns}
}

func (r *result) add(name string, figures ...float64) {
	out := row{Name: name}
	for _, f := range figures {
		out.Figures = append(out.Figures, &f)
	}
	for len(out.Figures) < len(r.Columns) {
		out.Figures = append(out.Figures, nil)
	}
	r.Rows = append(r.Rows, out)
}

func (r *result) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// write writes path.md and path.json and prints the table.
func (r *result) write(path string, out io.Writer) error {
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		r.Load = strings.Join(strings.Fields(string(load))[:3], " ")
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".json", append(b, '\n'), 0o644); err != nil {
		return err
	}
	text := r.table()
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	return os.WriteFile(path+".md", []byte(text), 0o644)
}

// table returns the result as a Markdown table.
func (r *result) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s, %s, load %s\n\n    bench %s\n\n", r.What, r.Machine, r.Date.Format("2006-01-02 15:04"), r.Load, strings.Join(r.Command, " "))
	fmt.Fprintf(&b, "| | %s |\n|---|%s\n", strings.Join(r.Columns, " | "), strings.Repeat("--:|", len(r.Columns)))
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s |", row.Name)
		for _, f := range row.Figures {
			b.WriteString(" " + show(f) + " |")
		}
		b.WriteString("\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\n%s\n", n)
	}
	return b.String()
}

// show formats a figure with three significant digits, or with all digits before the decimal point.
func show(f *float64) string {
	switch {
	case f == nil:
		return ""
	case *f >= 100 || *f == float64(int(*f)):
		return fmt.Sprintf("%.0f", *f)
	case *f >= 10:
		return fmt.Sprintf("%.1f", *f)
	}
	return fmt.Sprintf("%.2f", *f)
}

// machine returns the name of the processors.
func machine() string {
	model := "unknown processor"
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return model
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			model = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%d × %s, %s", runtime.NumCPU(), model, runtime.Version())
}
