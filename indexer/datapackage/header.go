package datapackage

import (
	"fmt"
	"slices"
	"strings"

	"bencao/indexer/finding"
	"bencao/names/editdistance"
)

// checkHeader compares a file's columns with those of its table. It logs the differences and
// reports whether the rows can be read.
func (l *loader) checkHeader(o *openFile, columns []string, required []bool) bool {
	ok := true
	report := func(severity finding.Severity, code finding.Code, label, message, hint string) {
		f := finding.Finding{Severity: severity, Code: code, Table: o.table, File: o.file, Line: o.rows.Line(0),
			Column: label, Message: message, Hint: hint}
		if severity == finding.Fatal {
			ok = false
			l.failed = append(l.failed, l.fatal(o.table, f))
			return
		}
		l.report(f)
	}
	var unread []string // columns of the file that the table lacks
	seen := map[string]bool{}
	for i, name := range o.header.Names {
		label := o.header.Labels[i]
		known := slices.Contains(columns, name)
		switch {
		case label == "":
			report(finding.Warn, finding.BlankLabel, "", fmt.Sprintf("column %d has no name and is not read", i+1), "")
		case seen[name] && known:
			report(finding.Fatal, finding.DuplicateLabel, label, "two columns are called "+name, "take one of them out or rename it")
		case seen[name]:
			report(finding.Warn, finding.DuplicateLabel, label, "two columns are called "+name, "neither is read")
		case !known:
			unread = append(unread, name)
		}
		seen[name] = true
	}
	for i, name := range columns {
		if !required[i] || seen[name] {
			continue
		}
		hint := ""
		if by := wrongSeparator(o.header.Labels); by != "" {
			hint = fmt.Sprintf("the columns are separated by %s: save the file with commas, or give the resource a dialect with that delimiter; otherwise ", by)
		}
		if near := editdistance.Nearest(name, unread); near != "" {
			hint = fmt.Sprintf("is it the column %q? ", near)
		}
		report(finding.Fatal, finding.MissingLabel, name, fmt.Sprintf("column %s is missing; the columns found are %s",
			name, strings.Join(o.header.Labels, ", ")), hint+"rename the column in the file, or give its name in the source's columns map")
	}
	for _, name := range unread {
		hint := "the columns of " + o.table + " are " + strings.Join(columns, ", ")
		if near := editdistance.Nearest(name, missingColumns(columns, seen)); near != "" {
			hint = fmt.Sprintf("did you mean %s?", near)
		}
		report(finding.Warn, finding.ExtraLabel, name, fmt.Sprintf("column %s is not read", name), hint)
	}
	return ok
}

// wrongSeparator returns the name of the separator that a file uses instead of the expected one, or
// "". It returns "" unless the header was read as a single column.
func wrongSeparator(labels []string) string {
	if len(labels) != 1 {
		return ""
	}
	for _, by := range []struct{ sign, name string }{{"\t", "tabs"}, {";", "semicolons"}, {"|", "vertical bars"}, {",", "commas"}} {
		if strings.Contains(labels[0], by.sign) {
			return by.name
		}
	}
	return ""
}

// missingColumns returns the columns that a file lacks.
func missingColumns(columns []string, seen map[string]bool) []string {
	var out []string
	for _, c := range columns {
		if !seen[c] {
			out = append(out, c)
		}
	}
	return out
}
