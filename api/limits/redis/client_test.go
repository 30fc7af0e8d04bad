//go:build unix

package redis_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/api/access"
	"bencao/api/limits/redis"
	"bencao/internal/testkit"
)

// replies are replies of Redis to the script, and replies of other servers.
var replies = []string{
	"*3\r\n:1\r\n:5\r\n:100\r\n",
	"*3\r\n:0\r\n:-9223372036854775808\r\n:9223372036854775807\r\n",
	"-NOSCRIPT No matching script. Please use EVAL.\r\n",
	"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n",
	"+OK\r\n", ":1\r\n", "$2\r\nOK\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "\r\n", "\n", "", "*", "*3", "*3\r\n", "*3\r\n:\r\n",
	"*3\r\n:1\r\n-ERR\r\n:2\r\n",
	"*3\r\n:1\r\n$1\r\n5\r\n:100\r\n",
	"*3\r\n:1\r\n:99999999999999999999\r\n:100\r\n",
	"*3\r\n:1\r\n:5\r\n:100\r\n*3\r\n:1\r\n:6\r\n:100\r\n",
	"*1073741824\r\n", "*1073741824\r\n:1\r\n:5\r\n:100\r\n", "$1073741824\r\n", "*9223372036854775807\r\n", "%1073741824\r\n", ">1073741824\r\n",
	"-" + strings.Repeat("A", 1<<20) + "\r\n",
	"*3\r\n:" + strings.Repeat("0", 1<<20) + "1\r\n",
	strings.Repeat("*1\r\n", 1<<18),
	"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
}

// FuzzReply checks that only replies of the form that the script returns are accepted, and that no
// reply makes the client allocate as much memory as the reply announces.
func FuzzReply(f *testing.F) {
	for _, r := range replies {
		f.Add([]byte(r))
	}
	f.Fuzz(func(t *testing.T, reply []byte) {
		var got [3]int64
		var err error
		testkit.LimitAlloc(t, 64<<10, func() { got, err = redis.ReadReply(bytes.NewReader(reply)) })
		if err != nil {
			if len(err.Error()) > 2<<10 {
				t.Errorf("the error is of %d bytes", len(err.Error()))
			}
			return
		}
		var again [3]int64
		if n, err := fmt.Fscanf(bytes.NewReader(reply), "*3\r\n:%d\r\n:%d\r\n:%d\r\n", &again[0], &again[1], &again[2]); err != nil || n != 3 || again != got {
			t.Errorf("%q is read as %d", reply, got)
		}
	})
}

// impostor runs a server that is not a Redis. It answers each command with the text that reply
// returns, until the test ends.
func impostor(t *testing.T, reply func(command string) string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // the test has ended
			}
			all.Go(func() {
				defer func() { _ = c.Close() }() // the client may have closed the connection
				b := make([]byte, 4096)
				for {
					n, err := c.Read(b)
					if err != nil {
						return
					}
					if _, err := io.WriteString(c, reply(string(b[:n]))); err != nil {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		all.Wait()
	})
	return l.Addr().String()
}

// TestImpostor connects to servers that are not Redis. No request may fail, and the limiter must
// count locally. The log must have one line that says that Redis is away.
func TestImpostor(t *testing.T) {
	for i, reply := range replies[2:] {
		if reply == "" {
			continue
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			r, told := replica(t, "redis://"+impostor(t, func(string) string { return reply }), "")
			for i := range 10 {
				if q := r.Take(lab, 1, 5); q.OK != (i < 5) || q.Remaining < 0 {
					t.Errorf("request %d: %+v", i, q)
				}
			}
			until(t, "the log says that Redis is away", func() bool { return told.count("Redis is unreachable") > 0 })
		})
	}
}

// TestEchoedPassword checks that the log does not contain the password, even if the server repeats
// it in its error.
func TestEchoedPassword(t *testing.T) {
	const secret = "correct-horse"
	_, told := replica(t, "redis://limits@"+impostor(t, func(command string) string {
		return "-ERR unknown command, with args beginning with: " + strings.ReplaceAll(command, "\r\n", " ") + "\r\n"
	}), secret)
	until(t, "the log says that Redis is away", func() bool { return told.count("Redis is unreachable") == 1 })
	if told.count(secret) > 0 || told.count("AUTH") == 0 {
		t.Errorf("want AUTH named and no password in the log:\n%s", told)
	}
}

// TestPoisoned makes Redis reply with errors for the window of one API key. Each server must count
// the requests of that key locally. The counts of all other keys must still be shared.
func TestPoisoned(t *testing.T) {
	for name, poison := range map[string][]string{
		"another type": {"LPUSH", "bencao:limit:key:lab", "x"},
		"no number":    {"SET", "bencao:limit:key:lab", "ginseng"},
		"negative":     {"SET", "bencao:limit:key:lab", "-1000"},
		"too large":    {"SET", "bencao:limit:key:lab", "1e300"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, testkit.FreeAddress(t))
			a, told := replica(t, "redis://"+s.addr, "")
			b, _ := replica(t, "redis://"+s.addr, "")
			cli(t, s, poison...)
			cli(t, s, "PEXPIRE", "bencao:limit:key:lab", "50000")
			passed, other := 0, 0
			for i := range 40 {
				if a.Take(lab, 1, 5).OK {
					passed++
				}
				if []interface {
					Take(access.Subject, int, int) access.Quota
				}{a, b}[i%2].Take(access.Subject{Key: "other"}, 1, 10).OK {
					other++
				}
			}
			if told.count("timeout") > 0 || b.Unshared() > 0 {
				t.Skip("SKIPPED: this machine is so slow that Redis does not answer in time")
			}
			// A stored count above every limit is a valid count. The window is then full, so no
			// request passes.
			if full := name == "too large" && passed == 0; passed != 5 && !full {
				t.Errorf("%d requests of the poisoned window passed, want 5", passed)
			}
			if other != 10 {
				t.Errorf("%d requests of another key passed, want 10", other)
			}
			if told.count("Redis is unreachable") > 0 || told.count("refuses to count in a window") > 1 {
				t.Errorf("want the window told of once and Redis not away:\n%s", told)
			}
		})
	}
}

// TestIdleEnded closes all idle connections, as Redis does after a timeout. The next requests must
// still count in Redis.
func TestIdleEnded(t *testing.T) {
	s := start(t, testkit.FreeAddress(t))
	r, told := replica(t, "redis://"+s.addr, "")
	for range 2 {
		cli(t, s, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
		cli(t, s, "SCRIPT", "FLUSH")
		for range 40 {
			r.Take(lab, 1, 1000)
		}
	}
	if told.count("timeout") > 0 {
		t.Skip("SKIPPED: this machine is so slow that Redis does not answer in time")
	}
	if r.Unshared() > 0 || told.count("Redis is unreachable") > 0 {
		t.Errorf("%d requests were counted without Redis, want 0:\n%s", r.Unshared(), told)
	}
}

// authority writes a self-signed certificate for localhost and its key.
func authority(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	err = errors.Join(
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// TestTLS connects over TLS, logs in as a named user, and counts requests in a database other than
// 0.
func TestTLS(t *testing.T) {
	cert, key := authority(t)
	t.Setenv("SSL_CERT_FILE", cert)
	secure := testkit.FreeAddress(t)
	_, port, err := net.SplitHostPort(secure)
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, testkit.FreeAddress(t), "--tls-port", port, "--tls-cert-file", cert, "--tls-key-file", key,
		"--tls-ca-cert-file", cert, "--tls-auth-clients", "no")
	cli(t, s, "ACL", "SETUSER", "limits", "on", ">correct-horse", "~bencao:*", "+@all")
	cli(t, s, "ACL", "SETUSER", "default", "-eval", "-evalsha")
	r, told := replica(t, "rediss://limits@localhost:"+port+"/3", "correct-horse")
	until(t, "Redis counts", func() bool {
		r.Take(lab, 1, 1<<30)
		_, plain, err := net.SplitHostPort(s.addr)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("redis-cli", "-p", plain, "-n", "3", "GET", "bencao:limit:key:lab").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out)) != ""
	})
	// The server's certificate is for localhost, so it is not valid for this address.
	other, told2 := replica(t, "rediss://limits@127.0.0.1:"+port, "correct-horse")
	other.Take(lab, 1, 1)
	until(t, "the certificate is refused", func() bool { return told2.count("x509") == 1 })
	if told.count("x509") > 0 {
		t.Errorf("the certificate of localhost is refused:\n%s", told)
	}
}
