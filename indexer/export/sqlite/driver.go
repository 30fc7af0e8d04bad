//go:build !race

package sqlite

// Builds with the race detector leave the library out. With the detector, compiling the library
// takes minutes, and only one goroutine uses it anyway.
import _ "modernc.org/sqlite" // the driver "sqlite"
