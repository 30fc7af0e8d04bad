package build_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/names/internal/answer"
	"bencao/names/internal/build"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
)

// entry is a row of a list. accepted is the id of the accepted name.
type entry struct{ list, id, name, author, accepted string }

// built builds and opens a names file with the given rows. The list "db" is the database.
func built(t *testing.T, entries ...entry) *file.File {
	t.Helper()
	b := build.New()
	lists := map[string]*build.ChecklistBuilder{}
	for i, e := range entries {
		if e.list == "db" {
			add(t, b.Record(checklist.Record{EntryID: int32(i), GUID: e.id, ScientificName: e.name, Author: e.author}))
			continue
		}
		if lists[e.list] == nil {
			lists[e.list] = b.Checklist(checklist.Checklist{Source: e.list, Name: e.list, Version: "1"})
		}
		status := checklist.Accepted
		if e.accepted != "" && e.accepted != e.id {
			status = checklist.Synonym
		}
		add(t, lists[e.list].Add(checklist.Usage{ID: e.id, AcceptedID: e.accepted, Name: e.name, Author: e.author, Status: status}))
	}
	f, err := file.Open(write(t, b))
	add(t, err)
	t.Cleanup(func() { add(t, f.Close()) })
	return f
}

// concepts maps each usage to the head of its concept. Usages are written as the list's name, the
// name and the author.
func concepts(f *file.File) map[string]string {
	of := func(u uint32) string {
		return strings.Join(strings.Fields(f.Checklists[f.Usages[u].Checklist].Source+" "+f.Name(u)+" "+f.Text(u, file.Author)), " ")
	}
	all := map[string]string{}
	for u := range uint32(f.Len()) {
		all[of(u)] = of(f.Usages[u].Concept)
	}
	return all
}

// TestConcepts checks which names of different lists are joined into one concept.
func TestConcepts(t *testing.T) {
	const wcvp, wfo = checklist.SourceWCVP, checklist.SourceWFO
	for _, tt := range []struct {
		why  string
		rows []entry
		want map[string]string
	}{
		{"a synonym is of its accepted name's concept", []entry{
			{wcvp, "1", "Reynoutria multiflora", "(Thunb.) Moldenke", ""}, {wcvp, "2", "Polygonum multiflorum", "Thunb.", "1"},
		}, map[string]string{"WCVP Polygonum multiflorum Thunb.": "WCVP Reynoutria multiflora (Thunb.) Moldenke"}},
		{"a synonym of a synonym too", []entry{
			{wcvp, "1", "Aus bus", "L.", ""}, {wcvp, "2", "Aus cus", "L.", "1"}, {wcvp, "3", "Aus dus", "L.", "2"},
		}, map[string]string{"WCVP Aus dus L.": "WCVP Aus bus L."}},
		{"synonyms of each other have no accepted name", []entry{
			{wcvp, "1", "Aus bus", "L.", "2"}, {wcvp, "2", "Aus cus", "L.", "1"},
		}, map[string]string{"WCVP Aus bus L.": "WCVP Aus bus L.", "WCVP Aus cus L.": "WCVP Aus cus L."}},
		{"a name is one in all lists, and WCVP stands for it", []entry{
			{wfo, "w1", "Ficus carica", "Linn.", ""}, {wcvp, "1", "Ficus carica", "L.", ""},
		}, map[string]string{"WFO Ficus carica Linn.": "WCVP Ficus carica L."}},
		{"homonyms are two", []entry{
			{wcvp, "1", "Citrus aurantium", "L.", ""}, {wfo, "w1", "Citrus aurantium", "Engl.", ""},
		}, map[string]string{"WFO Citrus aurantium Engl.": "WFO Citrus aurantium Engl."}},
		{"what other lists have under its synonyms is of the concept", []entry{
			{wcvp, "1", "Magnolia officinalis", "Rehder & E.H.Wilson", ""}, {wcvp, "2", "Houpoea officinalis", "(Rehder & E.H.Wilson) N.H.Xia & C.Y.Wu", "1"},
			{wfo, "w1", "Houpoea officinalis", "(Rehder & E.H.Wilson) N.H.Xia & C.Y.Wu", ""},
		}, map[string]string{"WFO Houpoea officinalis (Rehder & E.H.Wilson) N.H.Xia & C.Y.Wu": "WCVP Magnolia officinalis Rehder & E.H.Wilson"}},
		{"a record under another spelling is the listed name", []entry{
			{wcvp, "1", "Salvia miltiorrhiza", "Bunge", ""}, {"db", "g", "Salvia miltiorhiza", "Bunge", ""},
		}, map[string]string{"database Salvia miltiorhiza Bunge": "WCVP Salvia miltiorrhiza Bunge"}},
		{"an author in the column of names is cut off", []entry{
			{wcvp, "1", "Abies fargesii", "Franch.", ""}, {wfo, "w1", "Abies fargesii Franchet", "", ""},
		}, map[string]string{"WFO Abies fargesii Franchet": "WCVP Abies fargesii Franch."}},
		{"an autonym that WCVP lacks is part of its species", []entry{
			{wcvp, "1", "Rosa canina", "L.", ""}, {"db", "g", "Rosa canina var. canina", "", ""},
		}, map[string]string{"database Rosa canina var. canina": "WCVP Rosa canina L."}},
		{"a record that WCVP spells otherwise, by the same author, is that name", []entry{
			{wcvp, "1", "Thalictrum yuoxiense", "W.T.Wang", ""}, {"db", "g", "Thalictrum yuexiense", "W. T. Wang", ""},
		}, map[string]string{"database Thalictrum yuexiense W. T. Wang": "WCVP Thalictrum yuoxiense W.T.Wang"}},
		{"by another author it is not", []entry{
			{wcvp, "1", "Thalictrum yuoxiense", "Franch.", ""}, {"db", "g", "Thalictrum yuexiense", "W. T. Wang", ""},
		}, map[string]string{"database Thalictrum yuexiense W. T. Wang": "database Thalictrum yuexiense W. T. Wang"}},
		{"places two letters apart are two", []entry{
			{wcvp, "1", "Clematis nagaensis", "W.T.Wang", ""}, {"db", "g", "Clematis napoensis", "W. T. Wang", ""},
		}, map[string]string{"database Clematis napoensis W. T. Wang": "database Clematis napoensis W. T. Wang"}},
		{"a name that the database has as well is another one", []entry{
			{wcvp, "1", "Thalictrum yuoxiense", "W.T.Wang", ""}, {"db", "g", "Thalictrum yuexiense", "W. T. Wang", ""}, {"db", "h", "Thalictrum yuoxiense", "W. T. Wang", ""},
		}, map[string]string{"database Thalictrum yuexiense W. T. Wang": "database Thalictrum yuexiense W. T. Wang"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			want := concepts(built(t, tt.rows...))
			for name, head := range tt.want {
				if want[name] != head {
					t.Errorf("%s is of the concept of %q, want %s; all are %v", name, want[name], head, want)
				}
			}
			// The order of the rows must not change the result.
			shuffled := slices.Clone(tt.rows)
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			for name, head := range concepts(built(t, shuffled...)) {
				if want[name] != head {
					t.Errorf("with the rows in another order %s is of the concept of %s, else of that of %s", name, head, want[name])
				}
			}
		})
	}
}

// TestEdges checks which synonyms connect a species of the database with a concept of WCVP. It also
// checks that names that only have the same type do not join concepts.
func TestEdges(t *testing.T) {
	for _, tt := range []struct {
		why           string
		name, author  string // a name of WCVP and its author
		record, by    string
		synonym, cite string
		reason        file.Reason // the reason of the edge; NoReason means that there is none
		joined        bool
	}{
		{"by a synonym that WCVP has", "Aristolochia fangchi", "Y.C.Wu ex L.D.Chow & S.M.Hwang", "Isotrema fangchi", "(Y. C. Wu ex L. D. Chow & S. M. Hwang) X. X. Zhu",
			"Aristolochia fangchi", "Y. C. Wu ex L. D. Chow & S. M. Hwang", file.BySynonym, true},
		{"a new name from another's hand is no combination", "Cuphea petiolata", "(L.) Koehne", "Parsonsia petiolata", "Rusby", "Cuphea petiolata", "Pohl ex Koehne", file.NoReason, false},
		{"a cell that holds another name is no author", "Aus bus", "Mill.", "Cus dus", "Miq.", "Aus bus", "Mill. var. eus Foo", file.NoReason, false},
		{"a cultivar is not its species", "Viburnum plicatum", "Thunb.", "Viburnum thunbergianum 'Plenum'", "", "Viburnum plicatum", "Thunb.", file.NoReason, false},
		{"a synonym by opinion may be a part", "Viola amurica", "W.Becker", "Viola arcuata", "Blume", "Viola amurica", "W. Becker", file.ByOpinion, false},
		{"one type in two genera", "Morina nepalensis", "D.Don", "Acanthocalyx nepalensis", "(D. Don) M. J. Cannon", "", "", file.ByBasionym, false},
	} {
		t.Run(tt.why, func(t *testing.T) {
			b := build.New()
			add(t, b.Checklist(checklist.Checklist{Source: checklist.SourceWCVP}).Add(checklist.Usage{ID: "1", Name: tt.name, Author: tt.author, Status: checklist.Accepted}))
			r := checklist.Record{EntryID: 1, GUID: "g", ScientificName: tt.record, Author: tt.by}
			if tt.synonym != "" {
				r.Synonyms = []checklist.RecordSynonym{{Name: tt.synonym, Author: tt.cite}}
			}
			add(t, b.Record(r))
			f, err := file.Open(write(t, b))
			add(t, err)
			t.Cleanup(func() { add(t, f.Close()) })
			e, ok := f.EdgeOf(f.Records[0].Usage)
			if reason := e.Reason; ok != (tt.reason != file.NoReason) || ok && reason != tt.reason {
				t.Errorf("the edge is %+v, %v; want one for reason %d", e, ok, tt.reason)
			}
			head := f.Usages[f.Records[0].Usage].Concept
			if joined := string(f.AppendID(nil, head, file.ID)) == "1"; joined != tt.joined {
				t.Errorf("the record's concept is that of WCVP: %v, want %v", joined, tt.joined)
			}
		})
	}
}

// TestRefused checks which rows the builder refuses, and the errors.
func TestRefused(t *testing.T) {
	for name, want := range map[string]string{
		"": "is empty", " . ": "is empty", "\xff": "not valid UTF-8", "×": "no letters",
		"Aus " + strings.Repeat("b", answer.MaxNameLen): "more than",
	} {
		b := build.New()
		for what, err := range map[string]error{
			"CheckName": build.CheckName(name),
			"Add":       b.Checklist(checklist.Checklist{Source: "x"}).Add(checklist.Usage{ID: "1", Name: name}),
			"Record":    b.Record(checklist.Record{EntryID: 1, ScientificName: name}),
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %.20q: %v, want an error that says %q", what, name, err, want)
			}
		}
	}
	long := checklist.Usage{ID: strings.Repeat("1", 20_000), Name: "Aus bus"}
	if err := build.New().Checklist(checklist.Checklist{Source: "x"}).Add(long); err == nil {
		t.Error("an identifier of 20,000 bytes is taken")
	}
}

// TestFinds checks that every probe is found in each of the ways in which names can be looked up.
func TestFinds(t *testing.T) {
	f, err := file.Open(write(t, probes(t)))
	add(t, err)
	defer f.Close()
	for u := range uint32(f.Len()) {
		key, genus := spelling.AppendKey(nil, f.Name(u))
		first, ok := f.FindKey(key)
		from, to := f.Namesakes(first)
		if !ok || from != first || u < from || u >= to {
			t.Errorf("%s: the usages of its key are %d to %d (%v), it is %d", f.Name(u), from, to, ok, u)
		}
		if !f.HasGenus(key[:genus]) || !f.HasVariant(key) {
			t.Errorf("%s: its genus or its orthographic key is not found", f.Name(u))
		}
		id := string(f.AppendID([]byte("ipni:"), u, file.IPNI))
		if f.HasID(u, file.IPNI) && !slices.Contains(slices.Collect(f.Values(file.ByIdentifier, []byte(id))), u) {
			t.Errorf("%s is not found by its identifier %s", f.Name(u), id)
		}
	}
	labels := map[string]bool{}
	for n := range f.Values(file.ByLabel, []byte("人参")) {
		if l := f.Labels[n]; f.SharedText(l.Text) == "人参" {
			labels[f.Name(l.Usage)] = true
		}
	}
	if len(labels) != 1 || !labels["Panax ginseng"] {
		t.Errorf("人参 leads to %v, want Panax ginseng alone", labels)
	}
	if f.Database < 0 || len(f.Records) < 10 || f.Versions[0] != "WCVP 13" {
		t.Errorf("database is list %d, %d records, versions %q; want a list, 10 or more, WCVP 13 first", f.Database, len(f.Records), f.Versions)
	}
}

// TestTooManyFamilies checks that a checklist with too many families loses only its own rows.
func TestTooManyFamilies(t *testing.T) {
	b := build.New()
	c := b.Checklist(checklist.Checklist{Source: "list"})
	for i := range math.MaxUint16 {
		add(t, c.Add(checklist.Usage{Name: "Aus bus", Family: strconv.Itoa(i)}))
	}
	if err := c.Add(checklist.Usage{Name: "Aus cus", Family: "Another"}); err == nil || !strings.Contains(err.Error(), "more than 65535 different ranks and families") {
		t.Errorf("one family too many: %v, want an error that says so", err)
	}
	add(t, c.Add(checklist.Usage{Name: "Aus dus", Family: "65534"}))
	f, err := file.Open(write(t, b))
	add(t, err)
	defer f.Close()
	if u, ok := f.FindKey([]byte("aus dus")); !ok || f.Word(f.Usages[u].Family) != "65534" {
		t.Errorf("Aus dus is found: %v; want it, of family 65534", ok)
	}
}
