package redis

import (
	"bufio"
	"io"
	"time"
)

// SetWindow sets the length of the limiter's windows, so that tests can use short ones.
func (r *Limiter) SetWindow(d time.Duration) { r.window = d }

// Unshared returns how many requests were counted without Redis.
func (r *Limiter) Unshared() int64 { return r.unshared.Load() }

// ReadReply reads a reply to the script as the client does.
func ReadReply(from io.Reader) ([3]int64, error) {
	return readCount(bufio.NewReaderSize(from, maxLine))
}
