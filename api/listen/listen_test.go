package listen_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bencao/api/listen"
	"bencao/internal/test/testkit"
)

// must ends the test if there is an error.
var must = testkit.Must

func TestParse(t *testing.T) {
	long := "unix:/" + strings.Repeat("a", 107)
	for _, tt := range []struct {
		text string
		want listen.Address
		ok   bool
	}{
		{"127.0.0.1:8080", listen.Address{Network: "tcp", Place: "127.0.0.1:8080"}, true},
		{":0", listen.Address{Network: "tcp", Place: ":0"}, true},
		{"[::1]:80", listen.Address{Network: "tcp", Place: "[::1]:80"}, true},
		{"unix:/run/b.sock", listen.Address{Network: "unix", Place: "/run/b.sock", Mode: 0o660}, true},
		{"unix:/run/b.sock?mode=0666", listen.Address{Network: "unix", Place: "/run/b.sock", Mode: 0o666}, true},
		{"", listen.Address{}, false},
		{"8080", listen.Address{}, false},
		{"localhost:http", listen.Address{}, false},
		{"localhost:70000", listen.Address{}, false},
		{"unix:run/b.sock", listen.Address{}, false},
		{"unix:", listen.Address{}, false},
		{"unix:@abstract", listen.Address{}, false},
		{"unix:/run/b\x00.sock", listen.Address{}, false},
		{"unix:/run/b.sock?mode=rw", listen.Address{}, false},
		{"unix:/run/b.sock?mode=0666&mode=0600", listen.Address{}, false},
		{"unix:/run/b.sock?mode=4777", listen.Address{}, false},
		{"unix:/run/b.sock?group=www", listen.Address{}, false},
		{long, listen.Address{}, false},
	} {
		got, err := listen.Parse(tt.text)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("Parse(%q) = %+v, %v; want %+v, and no error: %v", tt.text, got, err, tt.want, tt.ok)
		}
		if again, err := listen.Parse(got.String()); tt.ok && (err != nil || again != got) {
			t.Errorf("Parse(%q).String() = %q, which reads as %+v, %v", tt.text, got, again, err)
		}
	}
}

// FuzzParse checks that the text of an address that was parsed can be parsed again, and gives the
// same address.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"127.0.0.1:80", "unix:/a", "unix:/a?mode=0600", "unix:/a?b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := listen.Parse(text)
		if err != nil {
			return
		}
		if again, err := listen.Parse(a.String()); err != nil || again != a {
			t.Errorf("Parse(%q) = %+v, written %q, read as %+v, %v", text, a, a, again, err)
		}
	})
}

// open listens on an address.
func open(t *testing.T, address string) (net.Listener, error) {
	t.Helper()
	s, err := listen.Inherit()
	must(t, err)
	l, err := s.Listen(t.Context(), listen.API, address)
	if err == nil {
		t.Cleanup(func() { l.Close() }) // some tests have already closed the listener
	}
	return l, errors.Join(err, s.Close())
}

func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "api.sock")
	l, err := open(t, "unix:"+path+"?mode=0600")
	must(t, err)
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("the socket has the mode %v, %v; want that of a socket and 0600", info.Mode(), err)
	}
	if live, err := listen.Answers(t.Context(), path); !live || err != nil {
		t.Errorf("it answers: %v, %v", live, err)
	}
	if _, err := open(t, "unix:"+path); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("a second process listens there: %v; want that it is in use", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("after the end there are %v, %v; want nothing", left, err)
	}
}

// leaveSocket leaves a unix socket behind on which no process listens.
func leaveSocket(t *testing.T, path string) {
	t.Helper()
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	must(t, err)
	dead.SetUnlinkOnClose(false)
	must(t, dead.Close())
}

// TestStaleUnixSocket checks that Listen replaces the socket of a killed process, but no other
// file.
func TestStaleUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "api.sock")
	leaveSocket(t, path)
	l, err := open(t, "unix:"+path)
	if err != nil {
		t.Fatalf("a socket that nobody listens on is not replaced: %v", err)
	}
	if live, err := listen.Answers(t.Context(), path); !live || err != nil {
		t.Errorf("the new socket answers: %v, %v", live, err)
	}
	must(t, l.Close())

	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, []byte("precious"), 0o600))
	link := file + ".link"
	must(t, os.Symlink(file, link))
	for _, path := range []string{file, link, filepath.Dir(file)} {
		if _, err := open(t, "unix:"+path); err == nil || !strings.Contains(err.Error(), "is not a socket") {
			t.Errorf("%s: %v, want that it is not a socket", path, err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "precious" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
