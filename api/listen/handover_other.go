//go:build !unix

package listen

import (
	"context"
	"errors"
	"os"
)

// unixSockets tells that a service may listen on one.
const unixSockets = false

// NotifyHandover does nothing: no signal asks for a successor here.
func NotifyHandover(chan<- os.Signal) {}

// lock does nothing: here nobody listens on a unix socket.
func lock(*os.File) error { return nil }

// Succeed is not there on this system.
func (s *Sockets) Succeed(context.Context) (int, error) {
	return 0, errors.New("this system hands no sockets over")
}
