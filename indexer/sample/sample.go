// Package sample has the data embedded in the program: a small data package, and small checklists
// in the four formats that the indexer reads.
//
//	package/     datapackage.json and one CSV file per table
//	checklists/  wcvp, wfo and vascan (Darwin Core Archives), vascan-coldp, china (a CSV with Chinese headers)
//
// LICENSES.md in this folder states the origin and the licence of each file.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed package checklists LICENSES.md
var files embed.FS

// FS returns the whole sample: package, checklists and LICENSES.md.
func FS() fs.FS { return files }

// Package returns the data package.
func Package() fs.FS { return sub("package") }

// Version is the version of the sample's package and its checklists. Increase it when the content
// changes.
const Version = "2026.11.1"

// Source is a value of the setting source. It selects the embedded sample instead of a file.
const Source = "bencao:sample"

// The GUIDs of two records that the demo and the tests use as examples.
const (
	Species = "af3292fc-12d3-59b2-83b2-9deda4bc842a" // 人参, Panax ginseng
	Formula = "7c0dea0f-00af-56ad-9a48-171a85941d9e" // 桂枝汤 of 《伤寒论》
)

// Checklist is one checklist of the sample.
type Checklist struct {
	Name string // its name on the command line: wcvp, wfo, china …
	FS   fs.FS  // the folder that contains it
}

// Checklists lists the sample's checklists in order of precedence.
func Checklists() []Checklist {
	var all []Checklist
	for _, name := range []string{"wcvp", "wfo", "china", "vascan", "vascan-coldp"} {
		all = append(all, Checklist{name, sub("checklists/" + name)})
	}
	return all
}

// sub returns a subfolder of the files. It cannot fail, since dir is a valid path.
func sub(dir string) fs.FS {
	f, err := fs.Sub(files, dir)
	if err != nil {
		panic(err)
	}
	return f
}
