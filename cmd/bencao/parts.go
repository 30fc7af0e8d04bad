package main

import (
	"errors"

	"bencao/indexer/export"
)

// optionalParts holds the parts that the program can be built without. A nil field means that this
// program lacks the part.
//
// The variable parts has this type. standard.go sets all of its fields. minimal.go, for the build
// tag minimal, sets none.
type optionalParts struct {
	// sqlite is the export format "sqlite" of package indexer/export/sqlite.
	sqlite *export.Format
}

var errNoSQLite = errors.New("this program was built without SQLite; use another --format, or install the standard program")
