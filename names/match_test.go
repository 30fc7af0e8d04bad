package names_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/internal/test/cases"
	"bencao/internal/test/testkit"
	"bencao/names"
	"bencao/names/internal/answer"
	"bencao/names/internal/parse"
)

// must ends the test if there is an error.
var must = testkit.Must

// fixture returns an index of testdata/checklists.txt.
func fixture(tb testing.TB) *names.Index {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "names.idx")
	writeFixture(tb, file)
	return opened(tb, file)
}

// built writes and opens the index that b has collected.
func built(tb testing.TB, b *names.Builder) *names.Index {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), names.FileName)
	must(tb, b.WriteFile(file))
	return opened(tb, file)
}

// opened opens an index and closes it when the test ends.
func opened(tb testing.TB, file string) *names.Index {
	tb.Helper()
	ix, err := names.Open(file)
	must(tb, err)
	tb.Cleanup(func() {
		if err := ix.Close(); err != nil {
			tb.Error(err)
		}
	})
	return ix
}

func writeFixture(tb testing.TB, file string) {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "checklists.txt"))
	must(tb, err)
	b := names.NewBuilder()
	lists := make(map[string]*names.ChecklistBuilder)
	var records []*names.Record
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		c := strings.Split(strings.TrimSpace(line), "|")
		for i := range c {
			c[i] = strings.TrimSpace(c[i])
		}
		c = append(c, make([]string, 12)...)
		switch c[0] {
		case "species":
			id, err := strconv.Atoi(c[1])
			must(tb, err)
			r := &names.Record{EntryID: int32(id), GUID: fmt.Sprintf("00000000-0000-4000-8000-%012d", id), ScientificName: c[2], Author: c[3], Rank: c[4], Family: c[5], ChineseName: c[6], Pinyin: c[7]}
			for _, a := range strings.Split(c[8], ";") {
				if a != "" {
					r.Aliases = append(r.Aliases, names.RecordAlias{Name: a})
				}
			}
			records = append(records, r)
		case "synonym":
			for _, r := range records {
				if strconv.Itoa(int(r.EntryID)) == c[1] {
					r.Synonyms = append(r.Synonyms, names.RecordSynonym{Name: c[2], Author: c[3], Rank: c[4], Status: c[5]})
				}
			}
		default:
			if lists[c[0]] == nil {
				lists[c[0]] = b.Checklist(names.Checklist{Source: c[0], Name: c[0], Version: "test"})
			}
			st, ok := names.ParseStatus(c[6])
			if !ok {
				tb.Fatalf("unknown status in %q", line)
			}
			u := names.Usage{ID: c[1], AcceptedID: c[2], Name: c[3], Author: c[4], Rank: c[5], Status: st, Family: c[7], IPNIID: c[8], WFOID: c[9], ChineseName: c[10]}
			must(tb, lists[c[0]].Add(u))
		}
	}
	for _, r := range records {
		must(tb, b.Record(*r))
	}
	must(tb, b.WriteFile(file))
}

// render writes a response on one line, in the format of match.txt.
func render(r names.Response) string {
	parts := []string{string(r.CanonicalName), r.MatchedVia}
	for _, e := range r.Results {
		name := string(e.MatchedName)
		if e.AcceptedName != e.MatchedName {
			name += " > " + orNothing(string(e.AcceptedName))
		}
		s := fmt.Sprintf("%s | %s %.2f %s | %s | %s", name, e.MatchType, e.Score, e.AuthorMatch, strings.Join(e.Flags, " "), e.WCVPID)
		parts = append(parts, strings.TrimRight(s, " |"))
	}
	return strings.Join(parts, "; ")
}

// TestHostile matches names as they occur on labels and in tables, with the small checklists and,
// if present, with the real ones.
func TestHostile(t *testing.T) {
	ask := func(t *testing.T, ix *names.Index) {
		for _, c := range cases.Read(t, filepath.Join("testdata", "hostile.txt")) {
			r, err := ix.Match(names.Query{Name: c.In})
			if err != nil {
				t.Errorf("%s: %v", c.Place, err)
				continue
			}
			got := "none"
			if len(r.Results) > 0 {
				e := r.Results[0]
				got = strings.TrimRight(fmt.Sprintf("%s; %s; %s | %s", e.MatchedName, e.MatchType, e.AuthorMatch, strings.Join(e.Flags, " ")), " |")
			}
			if got != c.Want {
				t.Errorf("%s: %s\n got %s\nwant %s", c.Place, c.In, got, c.Want)
			}
		}
	}
	t.Run("small checklists", func(t *testing.T) { ask(t, fixture(t)) })
	t.Run("real checklists", func(t *testing.T) { ask(t, sharedIndex(t)) })
}

var updateMatch = flag.Bool("update-match", false, "rewrite the answers in testdata/match.txt")

func TestMatchCorpus(t *testing.T) {
	ix := fixture(t)
	answers := make(map[string]string)
	for _, c := range cases.Read(t, filepath.Join("testdata", "match.txt")) {
		r, err := ix.Match(names.Query{Name: c.In})
		if err != nil {
			t.Errorf("%s: %v", c.Place, err)
			continue
		}
		got := render(r)
		answers[c.In] = got
		if got != c.Want && !*updateMatch {
			t.Errorf("%s: %s\n got %s\nwant %s", c.Place, c.In, got, c.Want)
		}
	}
	if *updateMatch {
		rewriteCorpus(t, "match.txt", answers)
	}
}

// rewriteCorpus replaces the answers after => in a corpus file.
func rewriteCorpus(t *testing.T, name string, answers map[string]string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	data, err := os.ReadFile(file)
	must(t, err)
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		if in, _, ok := strings.Cut(line, "=>"); ok && !strings.HasPrefix(line, "#") {
			lines[i] = in + "=> " + answers[strings.TrimSuffix(in, " ")]
		}
	}
	must(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644))
}

// TestEveryNameFindsItself checks that each name of the test checklists is an exact match for
// itself.
func TestEveryNameFindsItself(t *testing.T) {
	ix := fixture(t)
	data, err := os.ReadFile(filepath.Join("testdata", "checklists.txt"))
	must(t, err)
	n := 0
	for line := range strings.Lines(string(data)) {
		c := strings.Split(line, "|")
		if strings.HasPrefix(line, "#") || len(c) < 5 {
			continue
		}
		name, author := strings.TrimSpace(c[3]), strings.TrimSpace(c[4])
		switch strings.TrimSpace(c[0]) {
		case "species", "synonym":
			name, author = strings.TrimSpace(c[2]), strings.TrimSpace(c[3])
		}
		findsItself(t, ix, name, author)
		n++
	}
	if n < 50 {
		t.Fatalf("only %d names were tried", n)
	}
}

func findsItself(t *testing.T, ix *names.Index, name, author string) {
	t.Helper()
	r, err := ix.Match(names.Query{Name: name, Author: author, Limit: names.MaxLimit})
	if err != nil {
		t.Errorf("%q: %v", name, err)
		return
	}
	if !slices.ContainsFunc(r.Results, func(e names.Entry) bool { return e.MatchType == answer.MatchExact && isName(e, name) }) {
		t.Errorf("%q %q does not find itself: %s", name, author, render(r))
	}
}

// isName reports whether an entry is for a name. Two spellings of one taxon in a list share an
// entry, for example Lühea and Luehea, or a hybrid with and without its sign. An author inside the
// name is ignored.
func isName(e names.Entry, name string) bool {
	plain := func(s string) string { return words(parse.New(nil).Parse(s).Canonical) }
	return strings.EqualFold(string(e.MatchedName), name) || strings.EqualFold(plain(string(e.MatchedName)), plain(name))
}

func TestInputErrors(t *testing.T) {
	ix := fixture(t)
	tests := []struct {
		q    names.Query
		want string
	}{
		{names.Query{Name: "  "}, "name is blank; give a name of 1 to 256 characters"},
		{names.Query{Name: strings.Repeat("a", 257)}, "name has 257 characters; give at most 256, one name at a time"},
		{names.Query{Name: "Panax \xff"}, "name is not valid UTF-8; encode it as UTF-8"},
		{names.Query{Name: "Panax\x00ginseng"}, "name has a control character (U+0000) at byte 5; take it out"},
		{names.Query{Name: "Panax", Author: "\x1b"}, "author has a control character (U+001B) at byte 0; take it out"},
		{names.Query{Name: "Panax", Limit: 21}, "limit is 21; use a whole number from 1 to 20"},
		{names.Query{Name: "Panax", Limit: -1}, "limit is -1; use a whole number from 1 to 20"},
	}
	for _, tt := range tests {
		_, err := ix.Match(tt.q)
		if bad := (*names.InputError)(nil); !errors.As(err, &bad) || err.Error() != tt.want {
			t.Errorf("Match(%+v): error %v, want %q", tt.q, err, tt.want)
		}
	}
	if _, err := ix.Match(names.Query{Name: strings.Repeat("参", 256)}); err != nil {
		t.Errorf("256 characters are too many: %v", err)
	}
}

func TestEntryIsWhole(t *testing.T) {
	ix := fixture(t)
	r, err := ix.Match(names.Query{Name: "Salvia miltiorrhiza Bge.", Explain: true})
	must(t, err)
	if len(r.Results) != 1 {
		t.Fatalf("%d results, want 1: %s", len(r.Results), render(r))
	}
	e := r.Results[0]
	if e.EntryID == nil || *e.EntryID != 33639 || e.GUID == "" {
		t.Errorf("entry %v, guid %q; want those of 丹参", e.EntryID, e.GUID)
	}
	got := []string{string(e.ChineseName), string(e.WCVPID), string(e.IPNIID), string(e.WFOID), string(e.MatchedWCVPID), string(e.Rank), string(e.AcceptedRank),
		string(e.TaxonStatus), string(e.AcceptedFamily), string(e.AcceptedAuthor), string(e.ChineseNameColChina), string(e.AcceptedNameColChina), e.MatchSource, string(e.ChecklistVersion)}
	want := []string{"丹参", "183206", "456707-1", "wfo-0000301608", "183206", "species", "species",
		"accepted", "Lamiaceae", "Bunge", "丹参", "Salvia miltiorrhiza", "WCVP", "WCVP test"}
	if !slices.Equal(got, want) {
		t.Errorf("entry is\n%q, want\n%q", got, want)
	}
	if len(e.ScoreParts) == 0 || len(e.Steps) == 0 {
		t.Error("explain gives no score parts or no steps")
	}
	sum := 0.0
	for _, p := range e.ScoreParts {
		sum += p.Value
	}
	if sum < e.Score-0.006 || sum > e.Score+0.006 {
		t.Errorf("score parts add up to %.3f, the score is %.2f", sum, e.Score)
	}
}

// TestIdentifiersOfLists checks that a list of IPNI, and a list with a column of identifiers of WFO,
// give these identifiers.
func TestIdentifiersOfLists(t *testing.T) {
	b := names.NewBuilder()
	ipni := b.Checklist(names.Checklist{Source: "IPNI", Name: "IPNI", Version: "1"})
	must(t, ipni.Add(names.Usage{ID: "91472-1", Name: "Panax ginseng", Author: "C.A.Mey.", Status: names.Accepted, WFOID: "wfo-0000263606"}))
	r := match(built(t, b), "Panax ginseng", "")
	if len(r.Results) != 1 || r.Results[0].IPNIID != "91472-1" || r.Results[0].WFOID != "wfo-0000263606" {
		t.Errorf("Panax ginseng: %s, want the identifiers of IPNI and WFO", render(r))
	}
}

func TestOptions(t *testing.T) {
	ix := fixture(t)
	for _, name := range []string{"Cissus dixcolor", "Cissusdis color", "Cissus discol."} {
		if r := match(ix, name, ""); len(r.Results) != 1 {
			t.Errorf("%s: %s; want one species", name, render(r))
		}
		if r, err := ix.Match(names.Query{Name: name, NoFuzzy: true}); err != nil || len(r.Results) != 0 {
			t.Errorf("%s without fuzzy: %v, %s; want nothing", name, err, render(r))
		}
	}
	r, err := ix.Match(names.Query{Name: "Citrus aurantium", Limit: 1})
	if err != nil || len(r.Results) != 1 {
		t.Errorf("limit 1: %v, %s", err, render(r))
	}
	r, err = ix.Match(names.Query{Name: "Panax ginseng", Family: "Umbelliferae"})
	if err != nil || len(r.Results) != 1 || !slices.Contains(r.Results[0].Flags, "familyDiffers") || r.Results[0].Score > 0.9 {
		t.Errorf("another family: %v, %s; want familyDiffers and a lower score", err, render(r))
	}
	r, err = ix.Match(names.Query{Name: "Citrus aurantium", Author: "Engl."})
	if err != nil || len(r.Results) == 0 || r.Results[0].AcceptedName != "Citrus japonica" {
		t.Errorf("author apart: %v, %s; want Citrus japonica", err, render(r))
	}
}

func TestReconcile(t *testing.T) {
	ix := fixture(t)
	tests := []struct {
		name, author string
		accepted     string
		outcome      names.Outcome
	}{
		{"Panax ginseng", "C. A. Mey.", "Panax ginseng", names.OutcomeExact},
		{"Houpoea officinalis", "(Rehder & E. H. Wilson) N. H. Xia & C. Y. Wu", "Magnolia officinalis", names.OutcomeSynonym},
		{"Aconitum carmichaeli", "Debx.", "Aconitum carmichaelii", names.OutcomeVariant},
		{"Cissus dixcolor", "Blume", "Cissus discolor", names.OutcomeFuzzy},
		{"Rubus rolfei", "S. Vidal", "Rubus rolfei", names.OutcomeExact},
		{"Koeleria macrantha", "(Ledeb.) Schult.", "", names.OutcomeNone},
		{"Rosa exilis", "Crép.", "", names.OutcomeNone},
		{"Ginseng Radix", "", "", names.OutcomeNone},
		{"Panax ginseng auct.", "", "", names.OutcomeNone},
		{"Citrus aurantium", "", "Citrus × aurantium", names.OutcomeAmbiguous},
	}
	for _, tt := range tests {
		e, outcome, err := ix.Reconcile(names.Query{Name: tt.name, Author: tt.author})
		if err != nil || outcome != tt.outcome || string(e.AcceptedName) != tt.accepted {
			t.Errorf("Reconcile(%s): %q, %s, %v; want %q, %s", tt.name, e.AcceptedName, outcome, err, tt.accepted, tt.outcome)
		}
		// Match must give the same answer as Reconcile for names of the checklists.
		if tt.accepted == "" {
			continue
		}
		r, err := ix.Match(names.Query{Name: tt.name, Author: tt.author})
		if err != nil || len(r.Results) == 0 || r.Results[0].AcceptedName != e.AcceptedName || r.Results[0].Score != e.Score {
			t.Errorf("Match(%s) = %s, but Reconcile gives %s %.2f", tt.name, render(r), e.AcceptedName, e.Score)
		}
	}
}
