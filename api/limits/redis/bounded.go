package redis

import (
	"bytes"
	"fmt"
	"net"
)

// maxLine is the largest length in bytes of a line that is read from Redis.
const maxLine = 4 << 10

// bounded is a connection to Redis from which only replies to the limiter's commands can be read: a
// line with a status, an error or a number, or the three numbers of take.lua. redigo would allocate
// what any other reply announces.
type bounded struct {
	net.Conn
	line []byte // the beginning of a line whose end has not been read yet
	left int    // how many numbers of an array have not been read yet
}

// Read returns an error, and no bytes, if Redis sends another reply.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		b.line, rest = append(b.line, part...), after
		if len(b.line) > maxLine || ended && !b.take(string(bytes.TrimSuffix(b.line, []byte("\r")))) {
			return 0, fmt.Errorf("the server sends %.20q, which is no reply to the limiter", b.line)
		}
		if ended {
			b.line = b.line[:0]
		}
	}
	return n, err
}

// take reports whether a line may follow the lines before it.
func (b *bounded) take(line string) bool {
	number := len(line) > 0 && line[0] == ':'
	switch {
	case b.left > 0:
		b.left--
		return number
	case line == "*3":
		b.left = 3
		return true
	}
	return number || len(line) > 0 && (line[0] == '+' || line[0] == '-')
}
