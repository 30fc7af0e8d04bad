package wire

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// read passes text through a head in pieces of so many bytes.
func read(text string, piece int) string {
	var h head
	b := []byte(text)
	for at := 0; at < len(b); at += piece {
		h.hide(b[at:min(at+piece, len(b))])
	}
	return string(b)
}

func TestHideExpect(t *testing.T) {
	for _, tt := range []struct{ given, want string }{
		{"GET / HTTP/1.1\r\nHost: x\r\nExpect: y\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nExpec!: y\r\n\r\n"},
		{"GET / HTTP/1.1\nEXPECT:y\n\n", "GET / HTTP/1.1\nEXPEC!:y\n\n"},
		{"GET / HTTP/1.1\r\nX-Expect: y\r\nExpec: z\r\nA: Expect\r\n\r\n", "GET / HTTP/1.1\r\nX-Expect: y\r\nExpec: z\r\nA: Expect\r\n\r\n"},
		{"GET / HTTP/1.1\r\n expect: y\r\n\r\n", "GET / HTTP/1.1\r\n expect: y\r\n\r\n"},
		// A request line is none of the headers, of the second request neither.
		{"expect / HTTP/1.1\r\nexpect: y\r\n\r\nexpect / HTTP/1.1\r\nexpect: z\r\n\r\n", "expect / HTTP/1.1\r\nexpec!: y\r\n\r\nexpect / HTTP/1.1\r\nexpec!: z\r\n\r\n"},
	} {
		for piece := 1; piece <= len(tt.given); piece++ {
			if got := read(tt.given, piece); got != tt.want {
				t.Errorf("%q in pieces of %d became %q, want %q", tt.given, piece, got, tt.want)
			}
		}
	}
}

// FuzzHideExpect wants no line of a head to be left that net/http would take
// for Expect, nothing else changed, and all that whatever the pieces.
func FuzzHideExpect(f *testing.F) {
	f.Add("GET / HTTP/1.1\r\nExpect: y\r\n\r\nGET / HTTP/1.1\r\n\r\n", 3)
	f.Add("\r\n\nexpect\nEXPECT:\n", 1)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		if piece < 1 || piece > 1<<20 {
			t.Skip()
		}
		got := read(text, piece)
		if whole := read(text, max(1, len(text))); got != whole {
			t.Fatalf("in pieces of %d: %q, at once: %q", piece, got, whole)
		}
		first := true // the next line is a request line
		for i, line := range strings.Split(got, "\n") {
			given := strings.Split(text, "\n")[i]
			if !first && len(line) >= len(expect) && strings.EqualFold(given[:len(expect)], expect) {
				given = given[:len(expect)-1] + Expect[len(expect)-1:] + given[len(expect):]
			}
			if line != given {
				t.Fatalf("line %d became %q, want %q", i, line, given)
			}
			first = len(strings.Trim(line, "\r")) == 0
		}
	})
}

// BenchmarkHideExpect is what each request pays for it.
func BenchmarkHideExpect(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("GET /api/v1/species?q=%E4%BA%BA%E5%8F%82 HTTP/1.1\r\n")
	for i := range 8 {
		fmt.Fprintf(&text, "X-Header-%d: %s\r\n", i, strings.Repeat("v", 30))
	}
	text.WriteString("\r\n")
	var h head
	for b.Loop() {
		h.hide(text.Bytes())
	}
}
