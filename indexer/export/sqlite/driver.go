//go:build !race

package sqlite

// Builds with the race detector leave the library out. Compiling it takes minutes then, and only
// one goroutine uses it.
import _ "modernc.org/sqlite" // the driver "sqlite"
