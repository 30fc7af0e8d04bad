package api_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bencao/api"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

// several returns the address of a request that matches the names in list, with the parameters in
// in.
func several(in url.Values, list ...string) string {
	in["name"] = list
	return "/api/v1/names/matches?" + in.Encode()
}

// TestSeveralNames checks that each name is answered in its place as by names.match, with its own
// author and family.
func TestSeveralNames(t *testing.T) {
	s := start(t, config{})
	list := []string{"Panax ginseng", "人参", "Xqzwklerty vbnmasdfgh", "Panax ginseng", "renshen"}
	authors, families := []string{"C.A.Mey.", "", "", "Nees", ""}, []string{"", "", "", "豆科", "五加科"}
	chinese := []string{"人参", "", "人参", "三七", ""}
	for _, in := range []url.Values{{}, {"author": authors, "family": families}, {"chineseName": chinese}, {"limit": {"1"}, "fuzzy": {"false"}}, {"region": {"china"}}} {
		all := decode[[]names.Response](t, s.get(t, several(in, list...)).wantStatus(t, http.StatusOK))
		if len(all) != len(list) {
			t.Fatalf("%d answers for %d names", len(all), len(list))
		}
		for i, name := range list {
			one := url.Values{"name": {name}}
			for key, given := range in {
				switch {
				case key == "name":
				case len(given) == len(list):
					if given[i] != "" {
						one.Set(key, given[i])
					}
				default:
					one[key] = given
				}
			}
			want := decode[names.Response](t, s.get(t, "/api/v1/names/match?"+one.Encode()).wantStatus(t, http.StatusOK))
			if diff := cmp.Diff(want, all[i]); diff != "" {
				t.Errorf("%s, name %d (-names.match +names.matches):\n%s", in.Encode(), i+1, diff)
			}
		}
	}
	all := decode[[]names.Response](t, s.get(t, several(url.Values{"chineseName": chinese}, list...)).wantStatus(t, http.StatusOK))
	if len(all[2].Results) == 0 || all[2].Results[0].AcceptedName != "Panax ginseng" || !slices.Contains(all[3].Results[0].Flags, "chineseNameDiffers") {
		t.Errorf("beside Chinese names: %+v, want the answer of 人参 and a contradiction of 三七", all[2:4])
	}
	if got := s.get(t, several(url.Values{}, "Xqzwklerty vbnmasdfgh")).wantStatus(t, http.StatusOK); !strings.Contains(string(got.body), `"results":[]`) {
		t.Errorf("a name that nothing fits is %s, want an empty list of results", got.body)
	}
}

// TestSeveralNamesRefused checks which lists of names are refused and with which messages.
func TestSeveralNamesRefused(t *testing.T) {
	s := start(t, config{})
	for _, tt := range []struct{ path, want string }{
		{several(url.Values{}, strings.Split(strings.Repeat("x,", 101), ",")...), "name is given more than 100 times; split the list"},
		{several(url.Values{}, "x", " "), "name is"},
		{several(url.Values{"author": {"L."}}, "x", "y"), "author is given 1 times and name 2 times"},
		{several(url.Values{"family": {"Poaceae", "", ""}}, "x", "y"), "family is given 3 times and name 2 times"},
		{several(url.Values{"chineseName": {"人参"}}, "x", "y"), "chineseName is given 1 times and name 2 times"},
		{several(url.Values{"limit": {"2", "3"}}, "x"), "limit is given twice"},
		{"/api/v1/names/matches", "name is missing"},
	} {
		if got := s.get(t, tt.path).wantStatus(t, http.StatusBadRequest); !strings.Contains(string(got.body), tt.want) {
			t.Errorf("%.80s: %s, want %q in it", tt.path, got.body, tt.want)
		}
	}
}

// TestSeveralNamesCost checks that a hundred names cost as many requests as the operator has
// configured, and that a request which costs more than the limit is refused.
func TestSeveralNamesCost(t *testing.T) {
	hundred := make([]string, 100)
	for i := range hundred {
		hundred[i] = "Panax ginseng" // a cheap name: a hundred of them take no time even with the race detector
	}
	for per, tt := range map[int]struct{ fit int }{0: {6}, 10: {6}, 100: {60}} {
		s := start(t, config{opt: api.Options{NamesPerRequest: per}})
		fit := 0
		for range 61 {
			r := s.do(t, http.MethodGet, several(url.Values{}, hundred...), "sixty")
			if r.StatusCode != http.StatusOK {
				r.wantStatus(t, http.StatusTooManyRequests)
				if r.Header.Get("Retry-After") == "" {
					t.Error("429 without Retry-After")
				}
				break
			}
			fit++
		}
		if fit != tt.fit {
			t.Errorf("with %d names a request, a limit of 60 lets %d calls with 100 names through, want %d", per, fit, tt.fit)
		}
	}
	s := start(t, config{opt: api.Options{NamesPerRequest: 1}})
	if got := s.do(t, http.MethodGet, several(url.Values{}, hundred...), "sixty").wantStatus(t, http.StatusBadRequest); !strings.Contains(string(got.body), "give 60 or fewer") {
		t.Errorf("more than a whole limit: %s, want how many fit", got.body)
	}
}
