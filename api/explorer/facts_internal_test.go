package explorer

import (
	"slices"
	"strings"
	"testing"

	"bencao/api/explorer/texts"
	"bencao/names/herb"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// TestFacts checks that the page of a record shows the plain fields that have no place of their own,
// and that the fields with a place exist.
func TestFacts(t *testing.T) {
	altitude := 1200.5
	type record struct {
		Name     store.Text `json:"name" doc:"Name."`
		Habitat  store.Text `json:"habitat" doc:"Where <it> grows."`
		Altitude *float64   `json:"altitude" doc:"One species"`
		Depth    *float64   `json:"depth" doc:"How deep it grows."`
		Source   store.Text `json:"source" doc:"A book."`
		URL      string     `json:"url" doc:"The record's web page."`
	}
	got := facts(texts.Of("zh"))(record{Habitat: "山坡 & rocks", Altitude: &altitude, URL: "x"})
	want := []fact{{`<span lang="en">Where &lt;it&gt; grows.</span>`, `<span lang="zh-Hans">山坡 &amp; rocks</span>`}, {"一个物种", "1200.5"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts of a record (-want +got):\n%s", diff)
	}
	for record, names := range placed {
		var fields []string
		for f := range record.Fields() {
			fields = append(fields, f.Tag.Get("json"))
		}
		for _, name := range names {
			if !slices.Contains(fields, name) {
				t.Errorf("%s has no field %s, which has a place on its page", record.Name(), name)
			}
		}
	}
}

// TestUnlistedHerbs checks that a comparison shows a herb that only the text of a formula names as a
// herb of the formula, without a dose.
func TestUnlistedHerbs(t *testing.T) {
	r := row([]column{{Name: "附子"}, {Name: "人参"}}, nil, &brief{Ingredients: []dosed{}, Unlisted: []string{"附子"}})
	if r.Cells[0].Class != "kx" || r.Cells[1].Class != "k0" || len(r.Left) != 1 || r.Left[0].Name != "人参" {
		t.Errorf("the row is %+v", r)
	}
}

// TestDifference checks the note about a formula beside another one: it says what the formula adds and
// leaves out, or that this is not known.
func TestDifference(t *testing.T) {
	of := func(unlisted string, herbs ...string) *brief {
		f := &brief{Unlisted: strings.Fields(unlisted)}
		for _, name := range herbs {
			f.Ingredients = append(f.Ingredients, dosed{Herb: name})
		}
		return f
	}
	for _, c := range []struct {
		first, other *brief
		want         string
	}{
		{of("", "人参", "附子"), of("", "人参", "甘草"), "+甘草 −附子"},
		{of("附子", "人参"), of("", "人参", "附子", "甘草"), "+甘草"},
		{of("附子", "人参"), of("", "人参", "附子"), "incomplete list"},
		{of(""), of("", "人参", "附子"), "incomplete list"},
		{of("", "人参", "附子"), of(""), "incomplete list"},
		{of(""), of(""), "incomplete list"},
	} {
		r := row(columnsOf(c.first), c.first.Unlisted, c.other)
		if got := (&visit{lang: texts.Of("en")}).difference(&r, c.first, c.other); got != c.want {
			t.Errorf("%v beside %v: %q, want %q", c.other, c.first, got, c.want)
		}
	}
}

// TestSourcesOfNames checks that each source of a name of a herb that is no book has words on the
// pages.
func TestSourcesOfNames(t *testing.T) {
	for _, s := range herb.Statements() {
		if s.Source == "" || s.Kind == herb.PharmacopoeiaName || herb.Edition(s.Source) != "" {
			continue
		}
		for _, lang := range texts.All {
			if lang.Known("herb.source."+s.Source, "") == "" {
				t.Errorf("names.txt:%d: the source %s has no words in %s", s.Line, s.Source, lang.Code)
			}
		}
	}
}

// TestRemarksWithoutDose checks that a remark does not say the dose, which has a column of its own.
func TestRemarksWithoutDose(t *testing.T) {
	for _, c := range []struct{ note, dose, want store.Text }{
		{"去皮，三两", "三两", "去皮"}, {"切，各三两", "三两", "切"}, {"二两，酒浸，焙干", "二两", "酒浸，焙干"}, {"各一两，炒", "一两", "炒"},
		{"三两", "三两", ""}, {"三两半，炒", "三两", "三两半，炒"}, {"炙", "", "炙"}, {"二两半，去芦", "二两半", "去芦"},
	} {
		if got := withoutDose(c.note, c.dose); got != c.want {
			t.Errorf("%s without %s is %q, want %q", c.note, c.dose, got, c.want)
		}
	}
}
