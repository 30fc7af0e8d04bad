//go:build !unix

package listen

import "os"

// unixSockets reports whether a service may listen on one.
const unixSockets = false

// NotifyHandover does nothing: there is no such signal here.
func NotifyHandover(chan<- os.Signal) {}

// lock does nothing: here nobody listens on a unix socket.
func lock(*os.File) error { return nil }
