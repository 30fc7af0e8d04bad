package redis

import (
	"net"
	"strings"
	"testing"
	"time"

	"bencao/api/access"
	"bencao/internal/test/testkit"
)

// replying is a server that sends the same reply to everything that it reads.
func replying(t *testing.T, reply string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	ended := make(chan struct{})
	t.Cleanup(func() { testkit.Must(t, l.Close()); <-ended })
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				b := make([]byte, 4096)
				for {
					if _, err := c.Read(b); err != nil {
						return
					}
					if _, err := c.Write([]byte(reply)); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// TestReplies connects the limiter with servers that send replies of any form. It must count alone,
// and must not allocate what a reply announces.
func TestReplies(t *testing.T) {
	for name, reply := range map[string]string{
		"a huge array":          "*2147483647\r\n",
		"a huge array, cut off": "*2147483647\n",
		"an array in an array":  strings.Repeat("*3\r\n", 1000),
		"a huge string":         "$536870912\r\n",
		"a string":              "*3\r\n:1\r\n$-1\r\n:1\r\n",
		"an endless line":       "+" + strings.Repeat("x", 100_000),
		"an empty line":         "\r\n",
		"nothing of Redis":      "HTTP/1.1 400 Bad Request\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			l, err := New("redis://"+replying(t, reply), Options{Patience: time.Hour})
			testkit.Must(t, err)
			defer func() { testkit.Must(t, l.Close()) }()
			if err := l.probe(); err == nil || !strings.Contains(err.Error(), "no reply to the limiter") {
				t.Errorf("probe: %v, want an error that names the reply", err)
			}
			if q := l.Take(access.Subject{}, 1, 2); !q.OK || q.Remaining != 1 || l.unshared.Load() == 0 {
				t.Errorf("a request is not counted here: %+v", q)
			}
		})
	}
	l, err := New("redis://"+replying(t, "*3\r\n:1\r\n:5\r\n:60000\r\n"), Options{Patience: time.Hour})
	testkit.Must(t, err)
	defer func() { testkit.Must(t, l.Close()) }()
	if q := l.Take(access.Subject{}, 1, 9); q.Remaining != 4 || l.unshared.Load() != 0 {
		t.Errorf("the reply of the script: %+v", q)
	}
}

// FuzzBounded reads any bytes in pieces of any size. What it passes on must consist of short lines, and
// an array must have three numbers.
func FuzzBounded(f *testing.F) {
	f.Add("*3\r\n:1\r\n:5\r\n:60000\r\n+OK\r\n-NOSCRIPT\r\n", 7)
	f.Add("*2147483647\r\n", 3)
	f.Fuzz(func(t *testing.T, sent string, size int) {
		b := &bounded{Conn: &scripted{rest: sent}}
		piece := make([]byte, 1+min(max(size, 0), 4096))
		var got strings.Builder
		for {
			n, err := b.Read(piece)
			got.Write(piece[:n])
			if err != nil {
				break
			}
		}
		lines := strings.Split(strings.ReplaceAll(got.String(), "\r\n", "\n"), "\n")
		for _, line := range lines[:len(lines)-1] {
			if len(line) == 0 || len(line) > maxLine+1 || line[0] == '$' || line[0] == '*' && line != "*3" {
				t.Errorf("passes on %.40q of %.80q", line, sent)
			}
		}
	})
}

// scripted is a connection from which a text is read.
type scripted struct {
	net.Conn
	rest string
}

func (s *scripted) Read(p []byte) (int, error) {
	if s.rest == "" {
		return 0, net.ErrClosed
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
