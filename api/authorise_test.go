package api_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/internal/test/race"
	"bencao/store"
)

// TestAuthorisationMatrix sends a request for every combination of endpoint, set of scopes, state
// of a key and kind of address. Each must get the answer that the contract requires. The requests
// are sequential, so the race detector finds little in them. When it is on, the test sends only
// every 13th request.
func TestAuthorisationMatrix(t *testing.T) {
	s := start(t, config{trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	network := []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}
	states := map[string]access.Entry{
		"valid":    {Expires: time.Now().Add(time.Hour)},
		"disabled": {Disabled: true},
		"expired":  {Expires: time.Now().Add(-time.Second)},
	}
	id := func(state string, scopes access.Scopes) string { return fmt.Sprintf("%s-%d", state, scopes) }
	for state, e := range states {
		for scopes := range allScopes + 1 {
			e.ID, e.Scopes, e.Networks, e.Rate = id(state, scopes), scopes, network, access.MaxRate
			secret, err := access.Create(s.path, e)
			must(t, err)
			s.keys[e.ID] = secret.Reveal()
		}
	}
	s.keys["unknown-0"] = "bencao_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	s.access.Look()
	addresses := map[string]string{ // X-Forwarded-For of the proxy
		"listed": "198.51.100.7", "listed, as IPv6": "::ffff:198.51.100.7", "not listed": "203.0.113.7", "not known": "garbage",
	}
	all := endpoints(t)
	combined, asked := 0, 0
	ask := func(e endpoint, key, state string, scopes access.Scopes, place string) {
		t.Helper()
		want, slug := http.StatusOK, ""
		switch {
		case place == "not known":
			want, slug = http.StatusForbidden, "address-unknown"
		case state != "valid":
			want, slug = http.StatusUnauthorized, "no-valid-key"
		case place == "not listed":
			want, slug = http.StatusForbidden, "address-not-allowed"
		case !scopes.Has(e.needs):
			want, slug = http.StatusForbidden, "scope-missing"
		}
		if combined++; race.On && combined%13 != 0 {
			return
		}
		asked++
		r := s.do(t, http.MethodGet, e.path, key, "X-Forwarded-For", addresses[place])
		if r.StatusCode != want {
			t.Errorf("%s with a %s key of the scopes %s from an address that is %s: status %d, want %d", e.op, state, scopes, place, r.StatusCode, want)
			return
		}
		if slug != "" {
			if p := decode[problem.Problem](t, r); p.Type != "/problems/"+slug {
				t.Errorf("%s with a %s key of the scopes %s from an address that is %s: problem %s, want %s", e.op, state, scopes, place, p.Type, slug)
			}
			return
		}
		if e.op == "herbs.detail" {
			d := decode[store.HerbDetail](t, r)
			if shown, may := d.WrittenAs != nil || d.GoesWith != nil, scopes.Has(access.PrescriptionComposition); shown != may || (d.GoesWith != nil) != may {
				t.Errorf("a herb with the scopes %s shows what formulas hold: %v, want %v", scopes, shown, may)
			}
		}
		if e.op == "formulas.detail" {
			d := decode[store.FormulaDetail](t, r)
			if d.Composition == "" || d.Preparation == "" {
				t.Errorf("a formula with the scopes %s lacks the texts of the source: %q, %q", scopes, d.Composition, d.Preparation)
			}
			composition, similarity := scopes.Has(access.PrescriptionComposition), scopes.Has(access.PrescriptionSimilarity)
			for part, is := range map[string]struct{ shown, may bool }{
				"ingredients": {d.Ingredients != nil, composition}, "codes": {d.Codes != nil, composition},
				"sharedHerbs":    {d.SimilarJaccard != nil && d.SimilarJaccard[0].SharedHerbs != nil && d.SimilarEuclidean != nil && d.SimilarEuclidean[0].SharedHerbs != nil, similarity && composition},
				"similarJaccard": {d.SimilarJaccard != nil, similarity}, "similarEuclidean": {d.SimilarEuclidean != nil, similarity},
			} {
				if is.shown != is.may {
					t.Errorf("a formula with the scopes %s shows %s: %v, want %v", scopes, part, is.shown, is.may)
				}
			}
		}
	}
	for _, e := range all {
		for place := range addresses {
			ask(e, "", "missing", 0, place)
			ask(e, "unknown-0", "unknown", 0, place)
			for state := range states {
				for scopes := range allScopes + 1 {
					ask(e, id(state, scopes), state, scopes, place)
				}
			}
		}
	}
	t.Logf("%d of %d combinations", asked, combined)
	if want := len(scopes) * len(addresses) * (2 + 32*len(states)); combined != want {
		t.Errorf("there are %d combinations, want %d: every operation from every address with every key", combined, want)
	}
}
