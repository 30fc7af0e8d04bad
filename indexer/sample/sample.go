// Package sample holds the data that ships inside the program: a small data
// package in the form that every source has, and a small checklist in each of
// the four forms that the indexer reads.
//
//	package/     datapackage.json and one CSV file per table
//	checklists/  wcvp, wfo and vascan (Darwin Core Archives), vascan-coldp, china (a CSV with Chinese headers)
//
// LICENSES.md in this folder says where each file comes from and under which
// licence; the files are written by "go run ./indexer/sample/gen SOURCES".
package sample

import (
	"embed"
	"io/fs"
)

//go:embed package checklists LICENSES.md
var files embed.FS

// FS returns the whole sample: package, checklists and LICENSES.md.
func FS() fs.FS { return files }

// Package returns the data package: the folder with datapackage.json.
func Package() fs.FS { return sub("package") }

// Checklist is one checklist of the sample.
type Checklist struct {
	Name string // as the command line would name it: wcvp, wfo, china …
	Path string // its place in [FS]: a file or a folder
}

// Checklists lists the checklists that the sample is reconciled against, the
// one that counts most first.
func Checklists() []Checklist {
	return []Checklist{
		{"wcvp", "checklists/wcvp"},
		{"wfo", "checklists/wfo"},
		{"china", "checklists/china/china.csv"},
		{"vascan", "checklists/vascan"},
		{"vascan-coldp", "checklists/vascan-coldp"},
	}
}

// sub cannot fail: its argument is a valid path, and that is all fs.Sub asks.
func sub(dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic(err)
	}
	return f
}
