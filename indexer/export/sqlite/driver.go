//go:build !race

package sqlite

// Race-detector builds leave the library out: compiling it takes minutes, and only one goroutine
// uses it.
import _ "modernc.org/sqlite" // the driver "sqlite"
