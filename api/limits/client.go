package limits

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/tls"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// longestLine bounds a line of a reply, in bytes. No reply has more to read at
// a time: a number, "OK" or an error.
const longestLine = 1 << 10

//go:embed take.lua
var takeLua string

var takeSum = func() string {
	sum := sha1.Sum([]byte(takeLua)) // the name that Redis gives a script
	return hex.EncodeToString(sum[:])
}()

// refusal is the error that Redis replied to a script. The connection is fine.
type refusal string

func (r refusal) Error() string { return "Redis replies: " + string(r) }

// errReply is an answer that our script does not give.
var errReply = errors.New("the reply is none of our script; is it a Redis?")

// server says how to reach a Redis.
type server struct {
	address        string      // host:port
	tls            *tls.Config // nil is without TLS
	user, password string      // an empty password is none
	database       int
}

// parse reads an address such as rediss://user@10.0.0.5:6379/1.
func parse(address string) (server, error) {
	const write = "write one such as redis://10.0.0.5:6379, or rediss:// for TLS"
	u, err := url.Parse(address)
	if err != nil {
		return server{}, fmt.Errorf("it is no address; %s", write) // the error holds all of it, with a password
	}
	switch _, password := u.User.Password(); {
	case password:
		return server{}, fmt.Errorf("%s has a password, which every process list shows; put it into a file", u.Redacted())
	case u.Scheme != "redis" && u.Scheme != "rediss" || u.Host == "":
		return server{}, fmt.Errorf("%q is no address of a Redis; %s", address, write)
	case u.RawQuery != "" || u.Fragment != "":
		return server{}, fmt.Errorf("%q has more than a server, a user and a database; %s", address, write)
	}
	host, port := u.Hostname(), u.Port()
	if host == "" {
		host = "localhost"
	}
	if port == "" {
		port = "6379"
	}
	s := server{address: net.JoinHostPort(host, port), user: u.User.Username()}
	if u.Scheme == "rediss" {
		s.tls = &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	}
	if path := strings.Trim(u.Path, "/"); path != "" {
		if s.database, err = strconv.Atoi(path); err != nil || s.database < 0 {
			return server{}, fmt.Errorf("%q: invalid database number %q; %s", address, path, write)
		}
	}
	return s, nil
}

// client asks one Redis over connections that are open before anybody asks. It
// speaks the part of RESP2 that our script needs, and allocates nothing for
// what a reply announces.
type client struct {
	server server
	// slots has room for all connections; nil is the place of one that was lost.
	slots chan *conn
}

func newClient(s server) *client {
	c := &client{server: s, slots: make(chan *conn, connections)}
	for range connections {
		c.slots <- nil
	}
	return c
}

// open opens the connections that are not open yet. One that can't be opened is
// tried again by the request that is given its place.
func (c *client) open() {
	var all sync.WaitGroup
	for range connections {
		if cn := <-c.slots; cn != nil {
			defer func() { c.slots <- cn }()
			continue
		}
		all.Go(c.replace)
	}
	all.Wait()
}

// replace opens a connection for a place that was taken.
func (c *client) replace() {
	ctx, cancel := context.WithTimeout(context.Background(), hello)
	defer cancel()
	cn, err := c.dial(ctx)
	if err != nil {
		cn = nil // the next request says why, if it can't either
	}
	c.slots <- cn
}

// close ends all connections, when what is asked over them has ended.
func (c *client) close() error {
	var errs []error
	for range connections {
		if cn := <-c.slots; cn != nil {
			errs = append(errs, cn.Close())
		}
	}
	return errors.Join(errs...)
}

// count runs the script for a key until ctx ends, which must have a deadline.
// An error is a [refusal], or else no reply came.
func (c *client) count(ctx context.Context, key string, n, limit int, window time.Duration) (reply [3]int64, err error) {
	var cn *conn
	select {
	case cn = <-c.slots:
	case <-ctx.Done():
		return reply, errors.New("all connections wait for a reply")
	}
	idle := cn != nil
	if !idle {
		if cn, err = c.dial(ctx); err != nil {
			c.slots <- nil
			return reply, err
		}
	}
	reply, err = cn.count(ctx, key, n, limit, window)
	if idle && ended(err) { // while nobody asked: Redis was restarted, or closes what is idle
		_ = cn.Close() // it has ended
		if cn, err = c.dial(ctx); err != nil {
			c.slots <- nil
			return reply, err
		}
		reply, err = cn.count(ctx, key, n, limit, window)
	}
	if err != nil && !errors.As(err, new(refusal)) {
		_ = cn.Close() // a reply that comes late would be taken for that to the next request
		go c.replace() // close waits for its place
		return reply, err
	}
	c.slots <- cn
	return reply, err
}

// ended reports whether err is that of a connection that the other side ended.
func ended(err error) bool {
	return err != nil && !errors.As(err, new(refusal)) && !errors.Is(err, errReply) && !errors.Is(err, os.ErrDeadlineExceeded)
}

// dial opens a connection, and says who we are and which database we mean.
func (c *client) dial(ctx context.Context) (*conn, error) {
	var d interface {
		DialContext(context.Context, string, string) (net.Conn, error)
	} = &net.Dialer{}
	if c.server.tls != nil {
		d = &tls.Dialer{Config: c.server.tls}
	}
	socket, err := d.DialContext(ctx, "tcp", c.server.address)
	if err != nil {
		return nil, err
	}
	cn := &conn{Conn: socket, in: bufio.NewReaderSize(socket, longestLine)}
	if err := cn.greet(ctx, c.server); err != nil {
		_ = cn.Close() // it was of no use
		return nil, err
	}
	return cn, nil
}

// conn is a connection. One goroutine asks at a time.
type conn struct {
	net.Conn
	in  *bufio.Reader
	out []byte
}

// greet logs in and selects the database.
func (c *conn) greet(ctx context.Context, s server) error {
	var commands [][]string
	switch {
	case s.password != "" && s.user != "":
		commands = append(commands, []string{"AUTH", s.user, s.password})
	case s.password != "":
		commands = append(commands, []string{"AUTH", s.password})
	}
	if s.database != 0 {
		commands = append(commands, []string{"SELECT", strconv.Itoa(s.database)})
	}
	for _, command := range commands {
		if err := c.send(ctx, command...); err != nil {
			return err
		}
		if err := readOK(c.in); err != nil {
			text := err.Error()
			if s.password != "" { // some servers repeat the command
				text = strings.ReplaceAll(text, s.password, "[password]")
			}
			return fmt.Errorf("%s: %s", command[0], text) // no refusal: nothing can be counted
		}
	}
	return nil
}

// count runs the script, and sends all of it to a Redis that does not know it.
func (c *conn) count(ctx context.Context, key string, n, limit int, window time.Duration) ([3]int64, error) {
	for _, script := range [][2]string{{"EVALSHA", takeSum}, {"EVAL", takeLua}} {
		if err := c.send(ctx, script[0], script[1], "1", key, strconv.Itoa(n), strconv.Itoa(limit),
			strconv.FormatInt(window.Milliseconds(), 10)); err != nil {
			return [3]int64{}, err
		}
		reply, err := readCount(c.in)
		if err == nil {
			return reply, nil
		}
		if r := refusal(""); !errors.As(err, &r) || !strings.HasPrefix(string(r), "NOSCRIPT") {
			return reply, err
		}
	}
	return [3]int64{}, refusal("NOSCRIPT to EVAL")
}

// send writes a command. Its reply must come before ctx ends.
func (c *conn) send(ctx context.Context, command ...string) error {
	deadline, limited := ctx.Deadline()
	if !limited {
		return errors.New("no deadline for Redis")
	}
	if err := c.SetDeadline(deadline); err != nil {
		return err
	}
	c.out = fmt.Appendf(c.out[:0], "*%d\r\n", len(command))
	for _, word := range command {
		c.out = fmt.Appendf(c.out, "$%d\r\n%s\r\n", len(word), word)
	}
	_, err := c.Write(c.out)
	return err
}

// readOK reads "+OK".
func readOK(in *bufio.Reader) error {
	line, err := readLine(in)
	if err == nil && string(line) != "+OK" {
		err = errReply
	}
	return err
}

// readCount reads the result of our script, an array of three integers, after
// which nothing may follow.
func readCount(in *bufio.Reader) (reply [3]int64, err error) {
	line, err := readLine(in)
	if err != nil {
		return reply, err
	}
	if string(line) != "*3" {
		return reply, errReply
	}
	for i := range reply {
		line, err := readLine(in)
		switch {
		case errors.As(err, new(refusal)): // the rest of the array is still to come
			return reply, errReply
		case err != nil:
			return reply, err
		}
		number, integer := bytes.CutPrefix(line, []byte(":"))
		if reply[i], err = strconv.ParseInt(string(number), 10, 64); err != nil || !integer {
			return reply, errReply
		}
	}
	if in.Buffered() > 0 {
		return reply, errReply
	}
	return reply, nil
}

// readLine reads a line of a reply, which is not empty. An error that Redis
// replies is a [refusal].
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, errReply
	case errors.Is(err, io.EOF):
		return nil, errors.New("Redis ended the connection")
	case err != nil:
		return nil, err
	case len(line) < 3 || line[len(line)-2] != '\r':
		return nil, errReply
	case line[0] == '-':
		return nil, refusal(line[1 : len(line)-2])
	}
	return line[:len(line)-2], nil
}
