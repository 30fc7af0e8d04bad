package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"bencao/api"
	"bencao/api/access"

	"github.com/google/go-cmp/cmp"
)

// TestSaysWhatItForgave checks that every search reports how it matched. With explain=true, it must
// also report why it found each item.
func TestSaysWhatItForgave(t *testing.T) {
	s := start(t, config{})
	for _, tt := range []struct{ path, q, want, first string }{
		{"species", "人参", "exact", "人参"},
		{"species", "renshen", "exact", "人参"},
		{"species", "", "exact", ""},
		{"species", "銀行", "none", ""},
		{"species", "仁参", "forgiven; how=sameSound", "人参"},
		{"species", "Panax ginsng", "forgiven; how=letters", "Panax ginseng"},
		{"formulas", "独参汤", "exact", "独参汤"},
		{"formulas", "独参丸", "forgiven; how=doseForm", "独参汤"},
	} {
		r := s.get(t, "/api/v1/"+tt.path+"?explain=true&q="+url.QueryEscape(tt.q)).wantStatus(t, http.StatusOK)
		if got := r.Header.Get("X-Search"); got != tt.want {
			t.Errorf("%s %q: X-Search is %q, want %q", tt.path, tt.q, got, tt.want)
		}
		var page struct {
			Items       []json.RawMessage
			Explanation *api.Explanation
		}
		if err := json.Unmarshal(r.body, &page); err != nil {
			t.Fatalf("%s %q: %v in %s", tt.path, tt.q, err, r.body)
		}
		ex := page.Explanation
		if ex == nil || len(ex.Items) != len(page.Items) {
			t.Errorf("%s %q: %d items are explained as %+v", tt.path, tt.q, len(page.Items), ex)
			continue
		}
		if tt.first == "" || len(ex.Items) == 0 {
			if tt.first != "" {
				t.Errorf("%s %q finds nothing, want %s", tt.path, tt.q, tt.first)
			}
			continue
		}
		if first := ex.Items[0]; string(first.Text) != tt.first || len(first.Ranges) == 0 {
			t.Errorf("%s %q was found by %+v, want by %s", tt.path, tt.q, first, tt.first)
		}
		if forgiven := tt.want != "exact"; forgiven != (ex.Forgiven != "") || forgiven != slices.Contains(ex.DidYouMean, tt.first) {
			t.Errorf("%s %q: forgiven %q, did you mean %v", tt.path, tt.q, ex.Forgiven, ex.DidYouMean)
		}
	}
	plain := s.get(t, "/api/v1/species?q=renshen").wantStatus(t, http.StatusOK)
	var page map[string]json.RawMessage
	if err := json.Unmarshal(plain.body, &page); err != nil || len(page) != 4 {
		t.Errorf("a page that nobody wants explained has %d members (%v), want 4", len(page), err)
	}
}

// TestRecognisesParts checks that a search for formulas tells which parts of q are herbs, books,
// authors and dynasties, and that a q that names herbs finds nothing without the scope for
// compositions.
func TestRecognisesParts(t *testing.T) {
	s := start(t, config{})
	all, names := "all", keyFor(t, access.Prescriptions, true)
	for _, tt := range []struct {
		key, q, want string
		total        int
		recognised   []api.Recognition
	}{
		{all, "大枣、桂枝,生姜 芍藥 炙甘草", "exact; recognised=herb,herb,herb,herb,herb", 2, []api.Recognition{
			{Text: "大枣", As: "herb", Values: []string{"大枣"}}, {Text: "桂枝", As: "herb", Values: []string{"桂枝"}},
			{Text: "生姜", As: "herb", Values: []string{"生姜"}}, {Text: "芍藥", As: "herb", Values: []string{"芍药"}}, {Text: "炙甘草", As: "herb", Values: []string{"甘草"}},
		}},
		{names, "大枣、桂枝,生姜 芍藥 炙甘草", "none", 0, nil},
		{names, "伤寒论 桂枝汤", "exact; recognised=source", 1, []api.Recognition{{Text: "伤寒论", As: "source", Values: []string{"伤寒论"}}}},
		{names, "桂枝 仲景", "part; where=beginning; recognised=author", 1, []api.Recognition{{Text: "仲景", As: "author", Values: []string{"张仲景"}}}},
		{all, "元代 独参汤", "exact; recognised=dynasty", 1, []api.Recognition{{Text: "元代", As: "dynasty", Values: []string{"元"}}}},
		{all, "伤寒论 独参汤", "forgiven; how=partOfQuery", 1, nil}, // no formula of the book 伤寒论 has the name 独参汤, so only a part of q matches
	} {
		r := s.do(t, http.MethodGet, "/api/v1/formulas?explain=true&q="+url.QueryEscape(tt.q), tt.key).wantStatus(t, http.StatusOK)
		var page struct {
			Total       int
			Explanation api.Explanation
		}
		must(t, json.Unmarshal(r.body, &page))
		if got := r.Header.Get("X-Search"); got != tt.want || page.Total != tt.total {
			t.Errorf("%s %q: X-Search is %q and %d found, want %q and %d", tt.key, tt.q, got, page.Total, tt.want, tt.total)
		}
		if diff := cmp.Diff(append([]api.Recognition{}, tt.recognised...), page.Explanation.Recognised); diff != "" {
			t.Errorf("%s %q: recognised %s", tt.key, tt.q, diff)
		}
	}
}

// TestSaysHowItRead checks that a search tells which text it searched instead of q, and how many
// formulas have q in another text.
func TestSaysHowItRead(t *testing.T) {
	s := start(t, config{})
	names := keyFor(t, access.Prescriptions, true)
	for _, tt := range []struct{ key, path, want string }{
		{"all", "species?q=" + url.QueryEscape("人参的功效"), "forgiven; how=wordsLeftOut; readAs=%E4%BA%BA%E5%8F%82"},
		{"all", "species?q=" + url.QueryEscape("what is ginseng"), "forgiven; how=wordsLeftOut; readAs=ginseng"},
		{"all", "species?q=" + url.QueryEscape("Ren Shen (Panax ginseng)"), "exact; readAs=Panax%20ginseng"},
		{"all", "formulas?q=" + url.QueryEscape("Guizhi decoction"), "exact; readAs=Guizhi%20tang"},
		{"all", "formulas?q=" + url.QueryEscape("伤寒论"), "exact; recognised=source"},
		{"all", "formulas?q=" + url.QueryEscape("张仲景的方剂"), "forgiven; how=wordsLeftOut; recognised=author; readAs=%E5%BC%A0%E4%BB%B2%E6%99%AF"},
		{"all", "formulas?q=" + url.QueryEscape("治中风的方"), "forgiven; how=wordsLeftOut; readAs=%E4%B8%AD%E9%A3%8E; in=indications"},
		{"all", "formulas?q=" + url.QueryEscape("含有人参的方剂"), "forgiven; how=wordsLeftOut; recognised=herb; readAs=%E4%BA%BA%E5%8F%82"},
		{names, "formulas?q=" + url.QueryEscape("含有人参的方剂"), "none"},
		{"all", "formulas?q=" + url.QueryEscape("formulas containing ginseng"), "forgiven; how=wordsLeftOut; recognised=herb; readAs=%E4%BA%BA%E5%8F%82"},
		{names, "formulas?q=" + url.QueryEscape("formulas containing ginseng"), "none"},
		{"all", "formulas?q=" + url.QueryEscape("Shanghan Lun"), "exact; recognised=source; readAs=%E4%BC%A4%E5%AF%92%E8%AE%BA"},
		{"all", "formulas?q=" + url.QueryEscape("Zhongjing Zhang"), "exact; recognised=author; readAs=%E5%BC%A0%E4%BB%B2%E6%99%AF"},
		{"all", "formulas?q=" + url.QueryEscape("formulas for stroke"), "forgiven; how=wordsLeftOut; readAs=%E4%B8%AD%E9%A3%8E; in=indications"},
		{"all", "formulas?q=stroke", "none; indications=1"},
		{"all", "formulas?in=indications&q=stroke", "exact; readAs=%E4%B8%AD%E9%A3%8E; in=indications"},
		{"all", "formulas?q=" + url.QueryEscape("急性中风"), "none; indications=1"},
		{"all", "formulas?in=indications&q=" + url.QueryEscape("急性中风"), "exact"},
		{"all", "formulas?q=" + url.QueryEscape("guizhi wan"), "forgiven; how=doseForm"},
		{"all", "formulas?q=" + url.QueryEscape("中风"), "none; indications=1"},
		{"all", "formulas?in=indications&q=" + url.QueryEscape("桂枝"), "none; name=2; composition=1"},
		{"all", "formulas?dynasty=" + url.QueryEscape("明") + "&q=" + url.QueryEscape("中风"), "none; unknown=dynasty"},
	} {
		r := s.do(t, http.MethodGet, "/api/v1/"+tt.path, tt.key).wantStatus(t, http.StatusOK)
		if got := r.Header.Get("X-Search"); got != tt.want {
			t.Errorf("%s: X-Search is %q, want %q", tt.path, got, tt.want)
		}
	}
	var page struct{ Explanation api.Explanation }
	r := s.do(t, http.MethodGet, "/api/v1/formulas?explain=true&q="+url.QueryEscape("中风"), "all").wantStatus(t, http.StatusOK)
	must(t, json.Unmarshal(r.body, &page))
	if got, want := page.Explanation.Elsewhere, []api.SearchPlace{{In: "indications", Text: "中风", Total: 1}}; !slices.Equal(got, want) || page.Explanation.In != "name" {
		t.Errorf("中风 is elsewhere in %v, beside %q, want %v", got, page.Explanation.In, want)
	}
}
