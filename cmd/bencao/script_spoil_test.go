package main

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptShift moves the cells of a column of a CSV file down by one row, and the last cell to the
// top. Columns count from 0.
//
//	shift FILE COLUMN
func scriptShift(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shift FILE COLUMN")
	}
	column, err := strconv.Atoi(args[1])
	ts.Check(err)
	editRows(ts, args[0], func(rows [][]string) {
		last := rows[len(rows)-1][column]
		for i := len(rows) - 1; i > 0; i-- {
			rows[i][column] = rows[i-1][column]
		}
		rows[0][column] = last
	})
}

// scriptTrade swaps the cells of a column in two rows. Columns count from 0. Rows count from 0
// after the header.
//
//	trade FILE COLUMN ROW ROW
func scriptTrade(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: trade FILE COLUMN ROW ROW")
	}
	var at [3]int
	for i := range at {
		var err error
		at[i], err = strconv.Atoi(args[i+1])
		ts.Check(err)
	}
	editRows(ts, args[0], func(rows [][]string) {
		a, b := rows[at[1]], rows[at[2]]
		a[at[0]], b[at[0]] = b[at[0]], a[at[0]]
	})
}

// editRows lets edit change the rows of a CSV file, without the header.
func editRows(ts *testscript.TestScript, file string, edit func(rows [][]string)) {
	all, err := csv.NewReader(strings.NewReader(ts.ReadFile(file))).ReadAll()
	ts.Check(err)
	edit(all[1:])
	header, _, _ := strings.Cut(ts.ReadFile(file), "\n")
	var b strings.Builder
	b.WriteString(header + "\n")
	ts.Check(csv.NewWriter(&b).WriteAll(all[1:]))
	ts.Check(os.WriteFile(ts.MkAbs(file), []byte(b.String()), 0o600))
}

// scriptCut truncates a file to a share of its bytes:
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
