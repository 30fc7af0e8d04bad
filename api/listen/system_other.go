//go:build !unix

package listen

import "os"

// unixSockets reports whether the system has unix sockets with file modes.
const unixSockets = false

// lock does nothing because the system has no unix sockets with file modes.
func lock(*os.File) error { return nil }
