package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// client asks over one connection that stays open. It does as little as it can,
// so that what is measured is the server.
type client struct {
	conn net.Conn
	in   *bufio.Reader
	key  string
	out  []byte
	body []byte
}

// question is what is asked: an address with its query, and the tag of an answer
// that the client already has.
type question struct {
	path, tag string
}

// append appends the request.
func (q question) append(b []byte, key string) []byte {
	b = append(append(append(b, "GET "...), q.path...), " HTTP/1.1\r\nHost: bench.example\r\nX-Api-Key: "...)
	b = append(append(b, key...), "\r\n"...)
	if q.tag != "" {
		b = append(append(append(b, "If-None-Match: "...), q.tag...), "\r\n"...)
	}
	return append(b, "\r\n"...)
}

// said is an answer as it came.
type said struct {
	status int
	header http.Header // nil unless it is kept
	body   []byte      // good until the next question
}

func dial(address, key string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), key: key}, nil
}

func (c *client) close() error { return c.conn.Close() }

// ask asks one question. The header is kept only where somebody wants it.
func (c *client) ask(q question, keep bool) (said, error) {
	c.out = q.append(c.out[:0], c.key)
	if _, err := c.conn.Write(c.out); err != nil {
		return said{}, err
	}
	return c.read(keep)
}

func (c *client) read(keep bool) (a said, err error) {
	if keep {
		a.header = http.Header{}
	}
	length := 0
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return a, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if first {
			if a.status, err = strconv.Atoi(string(line[9:12])); err != nil {
				return a, fmt.Errorf("the answer begins with %q", line)
			}
			continue
		}
		name, value, _ := strings.Cut(string(line), ": ")
		if keep {
			a.header.Add(name, value)
		}
		switch name {
		case "Content-Length":
			if length, err = strconv.Atoi(value); err != nil {
				return a, fmt.Errorf("an answer of %q bytes", value)
			}
		case "Transfer-Encoding":
			return a, fmt.Errorf("an answer of unknown length")
		}
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	_, err = io.ReadFull(c.in, c.body)
	a.body = c.body
	return a, err
}
