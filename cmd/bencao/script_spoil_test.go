package main

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptShift moves a column of a CSV file down by a row, the last cell to the
// top. Columns count from 0:
//
//	shift FILE COLUMN
func scriptShift(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shift FILE COLUMN")
	}
	column, err := strconv.Atoi(args[1])
	ts.Check(err)
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	rows = rows[1:]
	last := rows[len(rows)-1][column]
	for i := len(rows) - 1; i > 0; i-- {
		rows[i][column] = rows[i-1][column]
	}
	rows[0][column] = last
	header, _, _ := strings.Cut(ts.ReadFile(args[0]), "\n")
	var b strings.Builder
	b.WriteString(header + "\n")
	ts.Check(csv.NewWriter(&b).WriteAll(rows))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o600))
}

// scriptCut cuts a file after a share of its bytes:
//
//	cut FILE SHARE
func scriptCut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE SHARE")
	}
	share, err := strconv.ParseFloat(args[1], 64)
	ts.Check(err)
	text := ts.ReadFile(args[0])
	ts.Check(os.Truncate(ts.MkAbs(args[0]), int64(share*float64(len(text)))))
}
