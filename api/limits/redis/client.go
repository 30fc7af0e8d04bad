package redis

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

// maxLine is the maximum length of a line of a reply, in bytes. A line of a valid reply holds a
// number, "OK" or an error.
const maxLine = 1 << 10

//go:embed take.lua
var takeLua string

var takeSum = func() string {
	sum := sha1.Sum([]byte(takeLua)) // Redis identifies scripts by their SHA-1
	return hex.EncodeToString(sum[:])
}()

// refusal is an error with which Redis replies to a command. The connection remains usable.
type refusal string

func (r refusal) Error() string { return "Redis replies: " + string(r) }

// errReply is returned for a reply that take.lua never gives. The connection on which the reply
// came must be closed.
var errReply = errors.New("the reply does not come from this program's script; is the server a Redis?")

// server has the address of a Redis and what is needed to log in.
type server struct {
	address        string      // host:port
	tls            *tls.Config // nil means no TLS
	user, password string      // an empty password means none
	database       int
}

// parse reads an address such as rediss://user@10.0.0.5:6379/1.
func parse(address string) (server, error) {
	const write = "write one such as redis://10.0.0.5:6379, or rediss:// for TLS"
	u, err := url.Parse(address)
	if err != nil {
		return server{}, fmt.Errorf("not an address; %s", write) // err is left out, because its text has the whole address with the password
	}
	switch _, password := u.User.Password(); {
	case password:
		return server{}, fmt.Errorf("%s has a password, which process lists show; put it into a file", u.Redacted())
	case u.Scheme != "redis" && u.Scheme != "rediss" || u.Host == "":
		return server{}, fmt.Errorf("%q is not the address of a Redis; %s", address, write)
	case u.RawQuery != "" || u.Fragment != "":
		return server{}, fmt.Errorf("%q has a query or a fragment; %s", address, write)
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

// client talks to one Redis over a fixed number of connections, which are opened in advance. It
// implements the part of RESP2 that the script needs. It does not trust the lengths in replies: it
// never allocates memory of a size that a reply gives.
type client struct {
	server server
	// slots holds the idle connections. A nil stands for a connection that must be opened again.
	slots chan *conn
}

func newClient(s server) *client {
	c := &client{server: s, slots: make(chan *conn, connections)}
	for range connections {
		c.slots <- nil
	}
	return c
}

// open opens the connections whose slots are nil. If opening a connection fails, its slot stays
// nil, and the next request that takes the slot tries again.
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

// replace opens a connection and puts it into slots, in place of the element that the caller has
// taken from there. If opening fails, replace puts nil into slots.
func (c *client) replace() {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	cn, err := c.dial(ctx)
	if err != nil {
		cn = nil // the next request tries again and reports the error
	}
	c.slots <- cn
}

// close waits for the requests in progress and closes all connections.
func (c *client) close() error {
	var errs []error
	for range connections {
		if cn := <-c.slots; cn != nil {
			errs = append(errs, cn.Close())
		}
	}
	return errors.Join(errs...)
}

// count runs the script, which counts n requests in the window key. ctx must have a deadline. If
// Redis replied with an error, the error is a [refusal]. Any other error means that there is no
// valid reply.
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
	if idle && ended(err) { // Redis was restarted or has closed the idle connection: try a new one
		_ = cn.Close() // the other side has already closed the connection
		if cn, err = c.dial(ctx); err != nil {
			c.slots <- nil
			return reply, err
		}
		reply, err = cn.count(ctx, key, n, limit, window)
	}
	if err != nil && !errors.As(err, new(refusal)) {
		_ = cn.Close() // if it stayed open, a late reply would be taken for the reply to the next request
		go c.replace() // the method close waits until replace has returned the slot
		return reply, err
	}
	c.slots <- cn
	return reply, err
}

// ended reports whether err probably means that the other side has closed the connection.
func ended(err error) bool {
	return err != nil && !errors.As(err, new(refusal)) && !errors.Is(err, errReply) && !errors.Is(err, os.ErrDeadlineExceeded)
}

// dial opens a connection, logs in and selects the database.
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
	cn := &conn{Conn: socket, in: bufio.NewReaderSize(socket, maxLine)}
	if err := cn.greet(ctx, c.server); err != nil {
		_ = cn.Close() // only the error of greet is reported
		return nil, err
	}
	return cn, nil
}

// conn is a connection to Redis. Only one goroutine may use it at a time.
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
			if s.password != "" { // some servers repeat the command in the error, and with it the password
				text = strings.ReplaceAll(text, s.password, "[password]")
			}
			return fmt.Errorf("%s: %s", command[0], text) // not a refusal, because the connection is not usable
		}
	}
	return nil
}

// count runs the script by its SHA-1. If Redis does not know the script, count sends the text of
// the script.
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

// send writes a command. It sets the deadline of ctx for the command and for the reply.
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

// readOK reads a reply and returns an error unless it is "+OK".
func readOK(in *bufio.Reader) error {
	line, err := readLine(in)
	if err == nil && string(line) != "+OK" {
		err = errReply
	}
	return err
}

// readCount reads the result of the script: an array of three integers and nothing else.
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
		case errors.As(err, new(refusal)): // not a refusal, because the rest of the array is still to be read
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

// readLine reads a non-empty line of a reply. If the line is an error reply, readLine returns it as
// a [refusal].
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, errReply
	case errors.Is(err, io.EOF):
		return nil, errors.New("connection closed by the server")
	case err != nil:
		return nil, err
	case len(line) < 3 || line[len(line)-2] != '\r':
		return nil, errReply
	case line[0] == '-':
		return nil, refusal(line[1 : len(line)-2])
	}
	return line[:len(line)-2], nil
}
