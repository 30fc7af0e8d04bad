//go:build !race

package export

// For the race detector SQLite is left out: it takes minutes to compile for it,
// and one goroutine writes with it.
import _ "modernc.org/sqlite" // the driver "sqlite"
