package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"bencao/api"
)

// TestInitialsAreNoHerb checks that the initials of a herb are no name in a filter, where its pinyin is.
func TestInitialsAreNoHerb(t *testing.T) {
	s := startSample(t, "")
	s.get(t, "/api/v1/formulas?herbs=guizhi").wantStatus(t, http.StatusOK)
	for _, initials := range []string{"gz", "sj", "rs", "zgc"} {
		s.get(t, "/api/v1/formulas?herbs="+initials).wantStatus(t, http.StatusBadRequest)
		s.get(t, "/api/v1/formulas?without="+initials).wantStatus(t, http.StatusBadRequest)
	}
}

// nearNone matches X-Search of an answer that counts no formula, but says how many come near.
var nearNone = regexp.MustCompile(`^none; recognised=herb,herb,herb,herb,herb; near=[1-9]`)

// TestNear asks for herbs that no formula has together. The answer says what each formula lacks and
// what it has more, and neither facets nor statistics count these formulas.
func TestNear(t *testing.T) {
	s := startSample(t, "")
	q := url.QueryEscape("桂枝 芍药 生姜 大枣 芒硝")
	r := s.get(t, "/api/v1/formulas?explain=true&q="+q).wantStatus(t, http.StatusOK)
	if got := r.Header.Get("X-Search"); got != "forgiven; how=herbsLeftOut; recognised=herb,herb,herb,herb,herb" {
		t.Errorf("X-Search is %q", got)
	}
	var page struct{ Explanation api.Explanation }
	if err := json.Unmarshal(r.body, &page); err != nil {
		t.Fatal(err)
	}
	items := page.Explanation.Items
	if len(items) < 2 || !slices.Equal(items[0].Lacks, []string{"芒硝"}) || !slices.Equal(items[0].More, []string{"甘草"}) {
		t.Fatalf("the items are explained as %+v", items)
	}
	for _, path := range []string{"formulas/facets?by=dynasty", "patterns/herbs?minFormulas=1"} {
		r := s.get(t, "/api/v1/"+path+"&q="+q).wantStatus(t, http.StatusOK)
		var counted struct {
			Total      int
			Population struct{ Formulas int }
		}
		if err := json.Unmarshal(r.body, &counted); err != nil {
			t.Fatal(err)
		}
		header := r.Header.Get("X-Search")
		if counted.Total != 0 || counted.Population.Formulas != 0 || !nearNone.MatchString(header) {
			t.Errorf("%s counts %+v, X-Search is %q", path, counted, header)
		}
	}
}
