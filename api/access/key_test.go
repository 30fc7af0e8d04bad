package access_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"bencao/api/access"
)

func TestNewKey(t *testing.T) {
	form := regexp.MustCompile(`^bencao_[A-Z2-7]{32}$`)
	seen := map[string]bool{}
	for range 1000 {
		s, h := access.NewKey()
		if !form.MatchString(s.Reveal()) {
			t.Fatalf("key %q does not have the form %s", s.Reveal(), form)
		}
		if seen[s.Reveal()] {
			t.Fatalf("key %q was made twice", s.Reveal())
		}
		seen[s.Reveal()] = true
		if of := access.Hash(sha256.Sum256([]byte(s.Reveal()))); of != h {
			t.Fatalf("NewKey returns %q with the hash %v, want %v", s.Reveal(), h, of)
		}
	}
}

// TestTypos checks that the checksum detects every change of one character and every swap of two
// neighbouring characters.
func TestTypos(t *testing.T) {
	path, secrets := newFile(t, lab(t))
	table, key := readTable(t, path), secrets[0].Reveal()
	refused := func(typo string) {
		t.Helper()
		var ke *access.KeyError
		if _, err := table.Authenticate([]string{typo}, noon); !errors.As(err, &ke) || ke.Reason != access.Malformed {
			t.Errorf("%q for %q: %v, want the reason %q", typo, key, err, access.Malformed)
		}
	}
	for i := len("bencao_"); i < len(key); i++ {
		for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" {
			if typo := key[:i] + string(c) + key[i+1:]; typo != key {
				refused(typo)
			}
		}
		if i+1 < len(key) && key[i] != key[i+1] {
			refused(key[:i] + key[i+1:i+2] + key[i:i+1] + key[i+2:])
		}
	}
	for _, bad := range []string{"", "bencao_", key + "A", " " + key, key[:len(key)-1], strings.ToLower(key), strings.Repeat("A", 39)} {
		refused(bad)
	}
}

func TestSecretHides(t *testing.T) {
	s, _ := access.NewKey()
	type holder struct{ hidden access.Secret }
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		for _, v := range []any{s, &s, holder{s}, &holder{s}, []access.Secret{s}, map[string]access.Secret{"a": s}} {
			mustNotHold(t, "fmt "+verb, fmt.Appendf(nil, verb, v), s)
		}
	}
	j, err := json.Marshal(map[string]any{"key": s, "keys": []access.Secret{s}})
	must(t, err)
	mustNotHold(t, "JSON", j, s)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("key", "key", s, "in", holder{s})
	slog.New(slog.NewTextHandler(&log, nil)).Info("key", "key", s, "in", holder{s})
	mustNotHold(t, "slog", log.Bytes(), s)
}

func TestParseHash(t *testing.T) {
	_, h := access.NewKey()
	if back, err := access.ParseHash(h.String()); err != nil || back != h {
		t.Errorf("ParseHash(%q) = %v, %v", h, back, err)
	}
	digits := strings.Repeat("0", 64)
	for _, bad := range []string{"", digits, "sha256:", "sha256:" + digits[1:], "sha256:" + digits + "0", "sha256:G" + digits[1:], "SHA256:" + digits, "sha256:A" + digits[1:]} {
		if got, err := access.ParseHash(bad); err == nil {
			t.Errorf("ParseHash(%q) = %v, want an error", bad, got)
		}
	}
}

func FuzzAuthenticate(f *testing.F) {
	path, secrets := newFile(f, lab(f))
	table, key := readTable(f, path), secrets[0].Reveal()
	f.Add(key)
	f.Add("bencao_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := table.Authenticate([]string{text}, noon)
		if (err == nil) != (text == key) || (p == nil) == (err == nil) {
			t.Errorf("Authenticate(%q) = %+v, %v", text, p, err)
		}
		if err != nil && len(text) > 8 && strings.Contains(err.Error(), text) {
			t.Errorf("the error quotes %q", text)
		}
	})
}
