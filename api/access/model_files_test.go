package access_test

import (
	"crypto/sha256"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"bencao/api/access"
)

// modelKeys are the keys that may occur in the files of all histories.
type modelKeys struct {
	secrets [3][]string
	hashes  [3]string
}

func newModelKeys() *modelKeys {
	k := new(modelKeys)
	for i := range k.secrets {
		secret, hash := access.NewKey()
		k.secrets[i], k.hashes[i] = []string{secret.Reveal()}, hash.String()
	}
	return k
}

var (
	modelNetworks = [...]string{"192.0.2.0/24", "2001:db8::/32"}
	modelClients  = [...]netip.Addr{netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("2001:db8::7")}
	modelScopes   = [...]access.Scopes{access.Open, access.PlantUses, access.Prescriptions}
	modelEnds     = [...]string{"", "2027-01-01", "2028-01-01T08:00:00+08:00"}
	modelTimes    = [...]time.Time{
		time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC), time.Date(2028, 6, 1, 0, 0, 0, 0, time.UTC),
	}
)

// allowed describes all rights: one bit for each combination of key, time, client and scope, and
// the rate of each key. anon is the rate of requests without a key.
type allowed struct {
	bits [3][3]uint8 // a bit for each client and scope, by key and time
	rate [3]int
	anon int
}

func (a *allowed) within(b *allowed) bool {
	for k := range a.bits {
		any := false
		for i := range a.bits[k] {
			if a.bits[k][i]&^b.bits[k][i] != 0 {
				return false
			}
			any = any || a.bits[k][i] != 0
		}
		if any && a.rate[k] > b.rate[k] {
			return false
		}
	}
	return a.anon <= b.anon
}

// inForce returns all rights that a table grants.
func (k *modelKeys) inForce(t *access.Table) (a allowed) {
	for i, header := range k.secrets {
		for j, now := range modelTimes {
			p, err := t.Authenticate(header, now)
			if err != nil {
				continue
			}
			a.rate[i] = p.Rate
			for c, client := range modelClients {
				for s, scope := range modelScopes {
					if p.Allows(client) && p.Scopes.Has(scope) {
						a.bits[i][j] |= 1 << (3*c + s)
					}
				}
			}
		}
	}
	a.anon = t.AnonymousRate()
	return a
}

// A version is the text of a complete file, with the rights that it grants.
type version struct {
	text    string
	allowed allowed
	marked  bool // has the first and the last line that "bencao keys" writes
}

// draw makes a random complete file.
func (h *history) draw() version {
	var v version
	var b strings.Builder
	r := h.rand
	if r.IntN(3) == 0 {
		b.WriteString("# Who may ask\n")
	}
	anonymous := func() {
		v.allowed.anon = 1 + r.IntN(2)
		fmt.Fprintf(&b, "[anonymous]\nrate = %d\n", v.allowed.anon)
	}
	early := r.IntN(6) == 0
	if early {
		anonymous()
	}
	for i, hash := range h.keys.hashes {
		if r.IntN(4) == 0 {
			continue
		}
		nets, scopes, end, disabled := 1+r.IntN(3), r.IntN(4), r.IntN(3), r.IntN(4) == 0
		v.allowed.rate[i] = 5 + r.IntN(20)
		fmt.Fprintf(&b, "[[key]]\nid = \"k%d\"\nhash = %q\nrate = %d\nnetworks = [", i, hash, v.allowed.rate[i])
		for c, n := range modelNetworks {
			if nets&(1<<c) != 0 {
				fmt.Fprintf(&b, "%q,", n)
			}
		}
		b.WriteString("]\nscopes = [")
		for s, scope := range modelScopes[1:] {
			if scopes&(1<<s) != 0 {
				fmt.Fprintf(&b, "%q,", scope)
			}
		}
		b.WriteString("]\n")
		if end > 0 {
			fmt.Fprintf(&b, "expires = %s\n", modelEnds[end])
		}
		if disabled || r.IntN(4) == 0 {
			fmt.Fprintf(&b, "disabled = %v\n", disabled)
		}
		for j := range modelTimes {
			for c := range modelClients {
				for s := range modelScopes {
					if !disabled && (end == 0 || j < end) && nets&(1<<c) != 0 && (s == 0 || scopes&(1<<(s-1)) != 0) {
						v.allowed.bits[i][j] |= 1 << (3*c + s)
					}
				}
			}
		}
	}
	if !early && r.IntN(3) == 0 {
		anonymous()
	}
	if v.text = b.String(); v.text == "" {
		v.text = "# nobody\n"
	}
	return v
}

const (
	modelFirst = `# bencao access file: whole only with its last line, "# end of access file"; leave both where they are`
	modelLast  = "# end of access file"
)

// seal adds the first and the last line that "bencao keys" writes to the version.
func (v version) seal() version {
	v.text = modelFirst + "\n" + v.text + "\n"
	sum := sha256.Sum256([]byte(v.text))
	v.text += fmt.Sprintf("%s (checksum %x)\n", modelLast, sum[:8])
	v.marked = true
	return v
}
