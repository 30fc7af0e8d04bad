//go:build !unix

package listen

import (
	"context"
	"errors"
	"os"
)

// NotifyHandover does nothing: no signal asks for a successor here.
func NotifyHandover(chan<- os.Signal) {}

// lock does nothing: here nobody replaces a socket that is in use.
func lock(*os.File) error { return nil }

// Succeed is not there on this system.
func (s *Sockets) Succeed(context.Context) (int, error) {
	return 0, errors.New("this system hands no sockets over")
}
