package store_test

import (
	"bytes"
	"io"
	"testing"

	"bencao/store"
)

// TestTemplateWithoutEnd renders a template whose part has no end mark. The part must not be shown.
func TestTemplateWithoutEnd(t *testing.T) {
	for _, mark := range []string{"\x02", "\x04"} {
		got := string(store.Template(`{"a":1,"b":`+mark+`"secret"`).Append(nil, site, 0))
		if got != `{"a":1,"b":null` {
			t.Errorf("mark %q without its end mark gives %s, want null for the rest", mark, got)
		}
	}
}

// FuzzTemplateReader checks that a Reader renders the same bytes as Append in chunks of any size.
func FuzzTemplateReader(f *testing.F) {
	f.Add([]byte("{\"a\":\x02[1]\x03,\"b\":\x04\"x\"\x05,\"url\":\"\x01/y\"}"), "https://x.example", byte(1), 3)
	f.Add([]byte("\x01\x02\x03\x04"), "", byte(0), 1)
	f.Fuzz(func(t *testing.T, text []byte, site string, show byte, piece int) {
		if piece < 1 || piece > 1<<20 {
			t.Skip()
		}
		want := store.Template(text).Append(nil, site, store.Parts(show))
		r := store.Template(text).Reader(site, store.Parts(show))
		if r.Len() != len(want) {
			t.Errorf("its length is %d, want %d", r.Len(), len(want))
		}
		var got []byte
		for b := make([]byte, piece); ; {
			n, err := r.Read(b)
			got = append(got, b[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil || n == 0 {
				t.Fatalf("%d bytes, %v after %q", n, err, got)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("read: %q, appended: %q", got, want)
		}
	})
}
