package access_test

import (
	"errors"
	"strings"
	"testing"

	"bencao/api/access"
)

func newGate(tb testing.TB, path string, opt access.GateOptions) *access.Gate {
	tb.Helper()
	f, err := access.OpenFile(path, access.FileOptions{})
	must(tb, err)
	return access.NewGate(f.Table, access.NewClients(proxies), opt)
}

// TestAdmitOrder checks that the first failing check of [access.Gate.Admit] determines the error.
func TestAdmitOrder(t *testing.T) {
	path, secrets := newFile(t, lab(t))
	key := []string{secrets[0].Reveal()}
	const (
		listed   = "192.0.2.1:1"
		unlisted = "203.0.113.1:1"
	)
	tests := []struct {
		why     string
		request access.Request
		need    access.Scopes
		want    error
		limit   int
		left    int
	}{
		{"all is well", access.Request{RemoteAddr: listed, Keys: key}, access.Prescriptions, nil, 600, 599},
		{"behind a proxy", access.Request{RemoteAddr: "10.0.0.1:1", ForwardedFor: []string{"192.0.2.1"}, Keys: key}, access.Open, nil, 600, 599},
		{"no scope", access.Request{RemoteAddr: listed, Keys: key}, access.PlantUses, access.ErrScope, 600, 599},
		{"one scope of two", access.Request{RemoteAddr: listed, Keys: key}, access.PlantUses | access.Prescriptions, access.ErrScope, 600, 599},
		{"no scope and no such address", access.Request{RemoteAddr: unlisted, Keys: key}, access.PlantUses, access.ErrNetwork, 60, 59},
		{"no scope and no key", access.Request{RemoteAddr: unlisted}, access.PlantUses, access.ErrKey, 60, 59},
		{"a forged address", access.Request{RemoteAddr: unlisted, ForwardedFor: []string{"192.0.2.1"}, Keys: key}, access.Open, access.ErrNetwork, 60, 59},
		{"no client and no key", access.Request{RemoteAddr: "10.0.0.1:1"}, access.PlantUses, access.ErrClient, 60, 59},
		{"a proxy in the key's networks", access.Request{RemoteAddr: "10.0.0.1:1", ForwardedFor: []string{"x"}, Keys: key}, access.Open, access.ErrClient, 60, 59},
	}
	for _, tt := range tests {
		a, err := newGate(t, path, access.GateOptions{Now: newClock().Now}).Admit(tt.request, tt.need)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.why, err, tt.want)
		}
		if a.Quota.Limit != tt.limit || a.Quota.Remaining != tt.left {
			t.Errorf("%s: quota %+v, want %d of %d left", tt.why, a.Quota, tt.left, tt.limit)
		}
		if byKey := a.Counted.Key == "lab"; byKey != (tt.limit == 600) {
			t.Errorf("%s: counted against %v, but the limit is %d", tt.why, a.Counted, tt.limit)
		}
		if a.Client.IsValid() == errors.Is(err, access.ErrClient) {
			t.Errorf("%s: client %v with the error %v", tt.why, a.Client, err)
		}
	}
}

// TestStolenKey checks that requests with a key do not count against the owner of the key if they
// come from a foreign address.
func TestStolenKey(t *testing.T) {
	e := lab(t)
	e.Rate = 2
	path, secrets := newFile(t, e)
	c := newClock()
	g := newGate(t, path, access.GateOptions{AddressRate: 3, Now: c.Now})
	thief := access.Request{RemoteAddr: "203.0.113.1:1", Keys: []string{secrets[0].Reveal()}}
	owner := access.Request{RemoteAddr: "192.0.2.1:1", Keys: thief.Keys}
	for i := range 10 {
		want := access.ErrNetwork
		if i >= 3 {
			want = access.ErrLimit
		}
		if _, err := g.Admit(thief, access.Open); !errors.Is(err, want) {
			t.Errorf("request %d of the thief: %v, want %v", i, err, want)
		}
	}
	for i := range 3 {
		var want error
		if i == 2 {
			want = access.ErrLimit
		}
		if _, err := g.Admit(owner, access.Open); !errors.Is(err, want) {
			t.Errorf("request %d of the owner: %v, want %v", i, err, want)
		}
	}
	// The limit is checked before the scope, so requests that lack a scope count as well.
	if _, err := g.Admit(owner, access.PlantUses); !errors.Is(err, access.ErrLimit) {
		t.Errorf("beyond the limit and without the scope: %v, want ErrLimit", err)
	}
	c.Go(access.Window)
	if a, err := g.Admit(owner, access.Open); err != nil || a.Principal.ID != "lab" {
		t.Errorf("a minute later: %+v, %v", a, err)
	}
}

// TestUnkeyedLimit checks that requests without a valid key count against their address only, and
// do not use up the limit of a key.
func TestUnkeyedLimit(t *testing.T) {
	path, secrets := newFile(t, lab(t))
	g := newGate(t, path, access.GateOptions{AddressRate: 2, Now: newClock().Now})
	wrong := access.Request{RemoteAddr: "192.0.2.1:1", Keys: []string{"wrong"}}
	for i, want := range []error{access.ErrKey, access.ErrKey, access.ErrLimit} {
		if _, err := g.Admit(wrong, access.Open); !errors.Is(err, want) {
			t.Errorf("request %d without a valid key: %v, want %v", i, err, want)
		}
	}
	if _, err := g.AdmitPublic(access.Request{RemoteAddr: "192.0.2.1:2"}); !errors.Is(err, access.ErrLimit) {
		t.Errorf("what needs no key, from an address that has spent its limit: %v, want ErrLimit", err)
	}
	if _, err := g.AdmitPublic(access.Request{RemoteAddr: "192.0.2.2:2"}); err != nil {
		t.Errorf("what needs no key, from another address: %v", err)
	}
	if _, err := g.AdmitPublic(access.Request{RemoteAddr: "10.0.0.1:2"}); !errors.Is(err, access.ErrClient) {
		t.Errorf("what needs no key, from a proxy that does not say for whom: %v, want ErrClient", err)
	}
	if _, err := g.Admit(access.Request{RemoteAddr: "192.0.2.1:1", Keys: []string{secrets[0].Reveal()}}, access.Open); err != nil {
		t.Errorf("a valid key from the same address: %v", err)
	}
}

func TestAdmitAnonymous(t *testing.T) {
	t.Parallel()
	path, secrets := newFile(t, lab(t))
	write(t, path, append([]byte("[anonymous]\nrate = 1\n\n"), read(t, path)...))
	g := newGate(t, path, access.GateOptions{Now: newClock().Now})
	r := access.Request{RemoteAddr: "203.0.113.1:1"}
	a, err := g.Admit(r, access.Open)
	if err != nil || !a.Principal.Anonymous() || a.Quota.Limit != 1 {
		t.Errorf("without a key: %+v, %v; want the anonymous principal", a, err)
	}
	if _, err := g.Admit(r, access.Open); !errors.Is(err, access.ErrLimit) {
		t.Errorf("the second of 1 from an address: %v, want ErrLimit", err)
	}
	r.RemoteAddr = "203.0.113.2:1"
	if _, err := g.Admit(r, access.Prescriptions); !errors.Is(err, access.ErrScope) || !strings.Contains(err.Error(), "prescriptions") {
		t.Errorf("what needs a scope: %v, want ErrScope that names it", err)
	}
	r = access.Request{RemoteAddr: "192.0.2.1:1", Keys: []string{secrets[0].Reveal()}}
	if a, err := g.Admit(r, access.Prescriptions); err != nil || a.Principal.ID != "lab" {
		t.Errorf("with a key: %+v, %v", a, err)
	}
}

// TestAdmitExpiry checks that a key expires between two requests, without the file being read
// again.
func TestAdmitExpiry(t *testing.T) {
	c := newClock()
	e := lab(t)
	e.Expires = noon.Add(access.Window)
	path, secrets := newFile(t, e)
	g := newGate(t, path, access.GateOptions{Now: c.Now})
	r := access.Request{RemoteAddr: "192.0.2.1:1", Keys: []string{secrets[0].Reveal()}}
	if _, err := g.Admit(r, access.Open); err != nil {
		t.Fatal(err)
	}
	c.Go(access.Window)
	if _, err := g.Admit(r, access.Open); !errors.Is(err, access.ErrKey) {
		t.Errorf("at the moment of expiry: %v, want ErrKey", err)
	}
}

func BenchmarkAdmit(b *testing.B) {
	path, secrets := newFile(b, lab(b))
	g := newGate(b, path, access.GateOptions{})
	r := access.Request{RemoteAddr: "10.0.0.1:1", ForwardedFor: []string{"1.1.1.1, 192.0.2.1"}, Keys: []string{secrets[0].Reveal()}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Admit(r, access.Open); err != nil && !errors.Is(err, access.ErrLimit) {
			b.Fatal(err)
		}
	}
}
