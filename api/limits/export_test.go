package limits

import (
	"bufio"
	"io"
	"time"
)

// SetWindow makes windows end sooner than tests would wait for.
func (r *Redis) SetWindow(d time.Duration) { r.window = d }

// Alone is how many requests were counted without Redis.
func (r *Redis) Alone() int64 { return r.alone.Load() }

// ReadReply reads what Redis replies to the script.
func ReadReply(from io.Reader) ([3]int64, error) {
	return readCount(bufio.NewReaderSize(from, longestLine))
}
