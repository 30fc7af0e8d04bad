//go:build !minimal

package main

import "bencao/indexer/export/sqlite"

// parts lists all optional parts.
var parts = optionalParts{
	sqlite: new(sqlite.Format()),
}
