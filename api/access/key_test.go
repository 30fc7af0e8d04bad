package access_test

import (
	"bytes"
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
		back, err := access.ParseKey(s.Reveal())
		if err != nil || back.Hash() != h {
			t.Fatalf("ParseKey(%q) has hash %v, %v; NewKey said %v", s.Reveal(), back.Hash(), err, h)
		}
	}
}

// TestParseKeyTypos checks that the checksum detects every change of one character and every swap
// of two neighbouring characters.
func TestParseKeyTypos(t *testing.T) {
	s, _ := access.NewKey()
	key := s.Reveal()
	for i := len("bencao_"); i < len(key); i++ {
		for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" {
			typo := key[:i] + string(c) + key[i+1:]
			if _, err := access.ParseKey(typo); typo != key && !errors.Is(err, access.ErrNotKey) {
				t.Errorf("character %d of %q changed to %c passes as %q", i, key, c, typo)
			}
		}
		if i+1 < len(key) && key[i] != key[i+1] {
			swap := key[:i] + key[i+1:i+2] + key[i:i+1] + key[i+2:]
			if _, err := access.ParseKey(swap); err == nil {
				t.Errorf("characters %d and %d of %q swapped pass as %q", i, i+1, key, swap)
			}
		}
	}
	for _, bad := range []string{"", "bencao_", key + "A", " " + key, key[:len(key)-1], strings.ToLower(key), strings.Repeat("A", 39)} {
		if _, err := access.ParseKey(bad); err == nil {
			t.Errorf("ParseKey(%q) = nil error, want ErrNotKey", bad)
		}
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

func FuzzParseKey(f *testing.F) {
	s, _ := access.NewKey()
	f.Add(s.Reveal())
	f.Add("bencao_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := access.ParseKey(text)
		if err != nil {
			if s.Reveal() != "" {
				t.Errorf("ParseKey(%q) returns an error and the key %q", text, s.Reveal())
			}
			if len(text) > 8 && strings.Contains(err.Error(), text) {
				t.Errorf("the error quotes %q", text)
			}
			return
		}
		if s.Reveal() != text {
			t.Errorf("ParseKey(%q) holds %q", text, s.Reveal())
		}
	})
}
