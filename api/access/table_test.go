package access_test

import (
	"crypto/sha256"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"bencao/api/access"
)

func TestAuthenticate(t *testing.T) {
	good, off, ends := lab(t), lab(t), lab(t)
	off.ID, off.Disabled = "off", true
	ends.ID, ends.Expires = "ends", noon
	path, secrets := newFile(t, good, off, ends)
	labKey, offKey, endsKey := secrets[0].Reveal(), secrets[1].Reveal(), secrets[2].Reveal()
	other, _ := access.NewKey()

	before := noon.Add(-time.Nanosecond)
	tests := []struct {
		why    string
		header []string
		now    time.Time
		id     string        // wanted id of the principal, or of the key in the error
		reason access.Reason // wanted reason; empty if the key is accepted
	}{
		{"right", []string{labKey}, noon, "lab", ""},
		{"not yet expired", []string{endsKey}, before, "ends", ""},
		{"expired from the very moment on", []string{endsKey}, noon, "ends", access.Expired},
		{"disabled", []string{offKey}, noon, "off", access.Disabled},
		{"no header", nil, noon, "", access.Missing},
		{"empty", []string{""}, noon, "", access.Malformed},
		{"twice", []string{labKey, labKey}, noon, "", access.Several},
		{"two in one", []string{labKey + "," + labKey}, noon, "", access.Malformed},
		{"in lower case", []string{strings.ToLower(labKey)}, noon, "", access.Malformed},
		{"cut", []string{labKey[:len(labKey)-1]}, noon, "", access.Malformed},
		{"a space too many", []string{labKey + " "}, noon, "", access.Malformed},
		{"the hash", []string{access.Hash(sha256.Sum256([]byte(labKey))).String()}, noon, "", access.Malformed},
		{"well-formed but not ours", []string{other.Reveal()}, noon, "", access.Unknown},
	}
	table := readTable(t, path)
	for _, tt := range tests {
		p, err := table.Authenticate(tt.header, tt.now)
		if tt.reason == "" {
			if err != nil || p.ID != tt.id || p.Anonymous() {
				t.Errorf("%s: got %+v, %v; want the key %q", tt.why, p, err, tt.id)
			}
			continue
		}
		var ke *access.KeyError
		if p != nil || !errors.Is(err, access.ErrKey) || !errors.As(err, &ke) {
			t.Errorf("%s: got %+v, %v; want nobody and a *KeyError", tt.why, p, err)
			continue
		}
		if ke.Reason != tt.reason || ke.ID != tt.id {
			t.Errorf("%s: reason %q of key %q, want %q of %q", tt.why, ke.Reason, ke.ID, tt.reason, tt.id)
		}
		for _, s := range secrets {
			mustNotHold(t, tt.why, []byte(err.Error()), s)
		}
	}
}

// TestAuthenticateSameWork checks that Authenticate does the same work whatever is wrong with a
// key. It compares the memory used, since a test cannot measure the time reliably.
func TestAuthenticateSameWork(t *testing.T) {
	off, ends := lab(t), lab(t)
	off.ID, off.Disabled = "off", true
	ends.ID, ends.Expires = "ends", noon
	path, secrets := newFile(t, off, ends)
	other, _ := access.NewKey()
	table := readTable(t, path)
	allocs := func(header []string) float64 {
		return testing.AllocsPerRun(200, func() {
			if _, err := table.Authenticate(header, noon); err == nil {
				t.Errorf("Authenticate lets a refused key in")
			}
		})
	}
	want := allocs(nil)
	for why, header := range map[string][]string{
		"disabled": {secrets[0].Reveal()}, "expired": {secrets[1].Reveal()}, "unknown": {other.Reveal()},
		"malformed": {"x"}, "long": {strings.Repeat("x", 16<<10)}, "several": {"x", "y"},
	} {
		if got := allocs(header); got != want {
			t.Errorf("%s: %v allocations, %v for a missing key; want the same work for all", why, got, want)
		}
	}
}

func TestAnonymous(t *testing.T) {
	table, err := access.Parse("access.toml", []byte("[anonymous]\nrate = 30\n"+endLine))
	must(t, err)
	p, err := table.Authenticate(nil, noon)
	if err != nil || !p.Anonymous() || p.Rate != 30 || p.Scopes != access.Open || p.ID != "" {
		t.Errorf("without a key: %+v, %v; want the anonymous principal with rate 30 and the open scope", p, err)
	}
	if !p.Allows(netip.MustParseAddr("203.0.113.9")) {
		t.Error("the anonymous principal is bound to addresses")
	}
	// A wrong key is refused even if requests without a key are admitted: a typo must not go
	// unnoticed.
	if p, err := table.Authenticate([]string{""}, noon); !errors.Is(err, access.ErrKey) {
		t.Errorf("with an empty key: %+v, %v; want ErrKey", p, err)
	}
}

func TestAllows(t *testing.T) {
	e := lab(t)
	e.Networks = append(e.Networks, network(t, "2001:db8::/32"), network(t, "198.51.100.7"))
	path, secrets := newFile(t, e)
	p, err := readTable(t, path).Authenticate([]string{secrets[0].Reveal()}, noon)
	must(t, err)
	for addr, want := range map[string]bool{
		"192.0.2.0": true, "192.0.2.255": true, "192.0.3.0": false, "192.0.1.255": false,
		"::ffff:192.0.2.1": true, "::ffff:192.0.3.1": false,
		"2001:db8::1": true, "2001:db8:ffff::": true, "2001:db9::": false, "2001:db8::1%eth0": true,
		"198.51.100.7": true, "198.51.100.8": false, "::192.0.2.1": false,
	} {
		if got := p.Allows(netip.MustParseAddr(addr)); got != want {
			t.Errorf("Allows(%s) = %v, want %v with networks %v", addr, got, want, e.Networks)
		}
	}
	if p.Allows(netip.Addr{}) {
		t.Error("Allows(no address) = true")
	}
}

// TestTableIsImmutable changes the values that a table returns. The table must stay the same.
func TestTableIsImmutable(t *testing.T) {
	path, _ := newFile(t, lab(t))
	table := readTable(t, path)
	table.Entries()[0].Networks[0] = network(t, "203.0.113.0/24")
	e, ok := table.Entry("lab")
	if !ok || e.Networks[0] != network(t, "192.0.2.0/24") {
		t.Errorf("Entry(lab) = %v, %v after its copy was changed", e, ok)
	}
	if _, ok := table.Entry("nobody"); ok {
		t.Error("Entry(nobody) finds a key")
	}
}

func BenchmarkAuthenticate(b *testing.B) {
	path, secrets := newFile(b, lab(b))
	table := readTable(b, path)
	for why, header := range map[string][]string{"right": {secrets[0].Reveal()}, "missing": nil, "long": {strings.Repeat("x", 16<<10)}} {
		b.Run(why, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := table.Authenticate(header, noon)
				if (err == nil) != (why == "right") {
					b.Fatal(err)
				}
			}
		})
	}
}
