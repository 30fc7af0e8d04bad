package bulk_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/names"
	"bencao/names/bulk"
)

// real is an accepted species of WCVP with a synonym of another epithet.
type real struct{ accepted, synonym names.Usage }

// realSpecies returns species of WCVP in a random order, at most one of each genus.
func realSpecies(t *testing.T, random *rand.Rand) []real {
	t.Helper()
	archive, err := zip.OpenReader(fullsize.Path(t, "data/wcvp.zip"))
	must(t, err)
	defer func() { must(t, archive.Close()) }()
	file, err := archive.File[0].Open()
	must(t, err)
	lines := bufio.NewReaderSize(file, 1<<20)
	column := map[string]int{}
	accepted, synonyms := map[string]names.Usage{}, map[string]names.Usage{}
	var order []string
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		must(t, err)
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "|")
		if len(column) == 0 {
			for i, name := range cells {
				column[name] = i
			}
			continue
		}
		of := func(name string) string { return cells[column[name]] }
		u := names.Usage{ID: of("plant_name_id"), AcceptedID: of("accepted_plant_name_id"), Name: of("taxon_name"), Author: of("taxon_authors"), Rank: "species", Family: of("family")}
		if of("taxon_rank") != "Species" || strings.Count(u.Name, " ") != 1 || u.Author == "" || strings.Contains(u.Name, "-") {
			continue
		}
		switch of("taxon_status") {
		case "Accepted":
			u.Status, u.AcceptedID = names.Accepted, u.ID
			accepted[u.ID] = u
			order = append(order, u.ID)
		case "Synonym":
			u.Status = names.Synonym
			if _, has := synonyms[u.AcceptedID]; !has {
				synonyms[u.AcceptedID] = u
			}
		}
	}
	must(t, file.Close())
	slices.Sort(order)
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	genera := map[string]bool{}
	var all []real
	for _, id := range order {
		a, s := accepted[id], synonyms[id]
		genus, epithet, _ := strings.Cut(a.Name, " ")
		other, second, _ := strings.Cut(s.Name, " ")
		if s.ID == "" || len(epithet) < 6 || len(second) < 6 || epithet[:5] == second[:5] || genera[genus] || genera[other] || a.Family == "" {
			continue
		}
		genera[genus], genera[other] = true, true
		all = append(all, real{a, s})
	}
	return all
}

// world is a checklist in two versions, which a kind of taxonomic change makes from real species.
type world struct {
	then, now []names.Usage
	next      int // number of the next invented id
	taken     []real
}

// take returns the next species. Both versions have it with its synonym.
func (w *world) take() real {
	r := w.taken[0]
	w.taken = w.taken[1:]
	w.then = append(w.then, r.accepted, r.synonym)
	w.now = append(w.now, r.accepted, r.synonym)
	return r
}

func find(list []names.Usage, id string) *names.Usage {
	return &list[slices.IndexFunc(list, func(u names.Usage) bool { return u.ID == id })]
}

// after returns the usage with this id in the new version, to be changed.
func (w *world) after(id string) *names.Usage { return find(w.now, id) }

// drop removes a usage from one version.
func drop(list *[]names.Usage, id string) {
	*list = slices.DeleteFunc(*list, func(u names.Usage) bool { return u.ID == id })
}

// add adds an accepted name to the new version and returns its id.
func (w *world) add(name, author, rank, family string) string {
	w.next++
	id := fmt.Sprintf("new%d", w.next)
	w.now = append(w.now, names.Usage{ID: id, AcceptedID: id, Name: name, Author: author, Rank: rank, Status: names.Accepted, Family: family})
	return id
}

// sink makes a name, and the synonyms that it had, synonyms of another one in the new version.
func (w *world) sink(id, under string) {
	for i := range w.now {
		if u := &w.now[i]; u.AcceptedID == id {
			u.AcceptedID, u.Status = under, names.Synonym
		}
	}
}

func genusOf(u names.Usage) string   { g, _, _ := strings.Cut(u.Name, " "); return g }
func epithetOf(u names.Usage) string { _, e, _ := strings.Cut(u.Name, " "); return e }

// taxonomicChanges are kinds of change between two versions of a checklist. Each returns the name to
// ask and the expected kinds, separated by bars.
var taxonomicChanges = []struct {
	name string
	make func(w *world) (ask, want string)
}{
	{"an accepted name stays", func(w *world) (string, string) { return w.take().accepted.Name, "same" }},
	{"a synonym stays", func(w *world) (string, string) { return w.take().synonym.Name, "same" }},
	{"a misspelt name stays misspelt", func(w *world) (string, string) {
		r := w.take()
		return r.accepted.Name[:len(r.accepted.Name)-3] + r.accepted.Name[len(r.accepted.Name)-2:], "same"
	}},
	{"an unknown name stays unknown", func(w *world) (string, string) { w.take(); return "Nusquamia ignotissima", "same" }},
	{"lumped with a species of another genus", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		w.sink(a.accepted.ID, b.accepted.ID)
		return a.accepted.Name + " " + a.accepted.Author, "lumped"
	}},
	{"lumped with a species of the same genus", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		b.accepted.Name = genusOf(a.accepted) + " " + epithetOf(b.accepted)
		find(w.then, b.accepted.ID).Name, w.after(b.accepted.ID).Name = b.accepted.Name, b.accepted.Name
		w.sink(a.accepted.ID, b.accepted.ID)
		return a.accepted.Name, "lumped"
	}},
	{"a synonym of a lumped species", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		w.sink(a.accepted.ID, b.accepted.ID)
		return a.synonym.Name, "lumped"
	}},
	{"moved to another genus", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		w.sink(a.accepted.ID, w.add(genusOf(b.accepted)+" "+epithetOf(a.accepted), "("+a.accepted.Author+") Novus", "species", b.accepted.Family))
		return a.accepted.Name + " " + a.accepted.Author, "moved"
	}},
	{"moved to a new genus, with another gender", func(w *world) (string, string) {
		a := w.take()
		epithet := epithetOf(a.accepted)
		if base, ok := strings.CutSuffix(epithet, "us"); ok {
			epithet = base + "a"
		}
		w.sink(a.accepted.ID, w.add("Neobotanica "+epithet, "Novus", "species", a.accepted.Family))
		return a.accepted.Name, "moved"
	}},
	{"a synonym of a moved species", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		w.sink(a.accepted.ID, w.add(genusOf(b.accepted)+" "+epithetOf(a.accepted), "Novus", "species", b.accepted.Family))
		return a.synonym.Name + " " + a.synonym.Author, "moved"
	}},
	{"a species becomes a variety", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		w.sink(a.accepted.ID, w.add(b.accepted.Name+" var. "+epithetOf(a.accepted), "Novus", "variety", b.accepted.Family))
		return a.accepted.Name, "moved"
	}},
	{"a variety becomes a species", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		name := b.accepted.Name + " var. " + epithetOf(a.accepted)
		for _, list := range []*[]names.Usage{&w.then, &w.now} {
			u := find(*list, a.accepted.ID)
			u.Name, u.Rank = name, "variety"
		}
		w.sink(a.accepted.ID, w.add(genusOf(b.accepted)+" "+epithetOf(a.accepted), "Novus", "species", b.accepted.Family))
		return name, "moved"
	}},
	{"a subspecies becomes a variety", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		name := b.accepted.Name + " subsp. " + epithetOf(a.accepted)
		for _, list := range []*[]names.Usage{&w.then, &w.now} {
			u := find(*list, a.accepted.ID)
			u.Name, u.Rank = name, "subspecies"
		}
		w.sink(a.accepted.ID, w.add(b.accepted.Name+" var. "+epithetOf(a.accepted), "Novus", "variety", b.accepted.Family))
		return name, "moved"
	}},
	{"a synonym is accepted again", func(w *world) (string, string) {
		a := w.take()
		u := w.after(a.synonym.ID)
		u.AcceptedID, u.Status = u.ID, names.Accepted
		return a.synonym.Name, "split"
	}},
	{"a synonym goes to another species", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		w.after(a.synonym.ID).AcceptedID = b.accepted.ID
		return a.synonym.Name, "split"
	}},
	{"a synonym goes to a new species", func(w *world) (string, string) {
		a := w.take()
		id := w.add(genusOf(a.accepted)+" "+epithetOf(a.synonym)+"oides", "Novus", "species", a.accepted.Family)
		w.after(a.synonym.ID).AcceptedID = id
		return a.synonym.Name + " " + a.synonym.Author, "split"
	}},
	{"an accepted name is respelt", func(w *world) (string, string) {
		a := w.take()
		name := w.after(a.accepted.ID).Name
		w.after(a.accepted.ID).Name = name[:len(name)-2] + "l" + name[len(name)-2:]
		return a.accepted.Name, "respelt"
	}},
	{"an accepted name is respelt, and the old spelling is kept as its variant", func(w *world) (string, string) {
		a := w.take()
		id := w.add(a.accepted.Name[:len(a.accepted.Name)-2]+"l"+a.accepted.Name[len(a.accepted.Name)-2:], a.accepted.Author, "species", a.accepted.Family)
		w.sink(a.accepted.ID, id)
		w.after(a.accepted.ID).Status = names.Orthographic
		return a.accepted.Name, "respelt"
	}},
	{"a synonym of a respelt species", func(w *world) (string, string) {
		a := w.take()
		name := w.after(a.accepted.ID).Name
		w.after(a.accepted.ID).Name = name[:len(name)-2] + "l" + name[len(name)-2:]
		return a.synonym.Name, "respelt"
	}},
	{"the genus is respelt", func(w *world) (string, string) {
		a := w.take()
		genus, epithet := genusOf(a.accepted), epithetOf(a.accepted)
		w.after(a.accepted.ID).Name = genus[:len(genus)-2] + "th" + genus[len(genus)-2:] + " " + epithet
		return a.synonym.Name, "respelt"
	}},
	{"an accepted name is removed", func(w *world) (string, string) {
		a := w.take()
		drop(&w.now, a.accepted.ID)
		drop(&w.now, a.synonym.ID)
		return a.accepted.Name, "gone"
	}},
	{"a synonym is removed", func(w *world) (string, string) {
		a := w.take()
		drop(&w.now, a.synonym.ID)
		return a.synonym.Name + " " + a.synonym.Author, "gone"
	}},
	{"a species is added", func(w *world) (string, string) {
		a := w.take()
		drop(&w.then, a.accepted.ID)
		drop(&w.then, a.synonym.ID)
		return a.accepted.Name, "new"
	}},
	{"a synonym is added", func(w *world) (string, string) {
		a := w.take()
		drop(&w.then, a.synonym.ID)
		return a.synonym.Name, "new"
	}},
	{"a homonym is added", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		w.next++
		w.now = append(w.now, names.Usage{ID: fmt.Sprintf("new%d", w.next), AcceptedID: b.accepted.ID, Name: a.synonym.Name, Author: "Alter", Rank: "species", Status: names.Synonym, Family: b.accepted.Family})
		return a.synonym.Name, "ambiguous"
	}},
	{"a homonym is removed", func(w *world) (string, string) {
		a, b := w.take(), w.take()
		w.next++
		w.then = append(w.then, names.Usage{ID: fmt.Sprintf("new%d", w.next), AcceptedID: b.accepted.ID, Name: a.synonym.Name, Author: "Alter", Rank: "species", Status: names.Synonym, Family: b.accepted.Family})
		return a.synonym.Name, "resolved"
	}},
	{"an accepted name is unplaced", func(w *world) (string, string) {
		a := w.take()
		drop(&w.then, a.synonym.ID)
		drop(&w.now, a.synonym.ID)
		u := w.after(a.accepted.ID)
		u.Status, u.AcceptedID = names.Unplaced, ""
		return a.accepted.Name, "status"
	}},
	{"an unplaced name is accepted", func(w *world) (string, string) {
		a := w.take()
		drop(&w.then, a.synonym.ID)
		drop(&w.now, a.synonym.ID)
		u := find(w.then, a.accepted.ID)
		u.Status, u.AcceptedID = names.Unplaced, ""
		return a.accepted.Name + " " + a.accepted.Author, "status"
	}},
	{"a synonym is illegitimate", func(w *world) (string, string) {
		a := w.take()
		w.after(a.synonym.ID).Status = names.Illegitimate
		return a.synonym.Name, "status"
	}},
	{"another author", func(w *world) (string, string) {
		a := w.take()
		w.after(a.accepted.ID).Author = "Alter ex Novus"
		return a.accepted.Name, "author"
	}},
	{"another family", func(w *world) (string, string) {
		a := w.take()
		w.after(a.accepted.ID).Family = "Plantaginaceae"
		find(w.then, a.accepted.ID).Family = "Scrophulariaceae"
		return a.synonym.Name, "family"
	}},
	{"another author and family", func(w *world) (string, string) {
		a := w.take()
		u := w.after(a.accepted.ID)
		u.Author, u.Family = "Alter ex Novus", "Plantaginaceae"
		find(w.then, a.accepted.ID).Family = "Scrophulariaceae"
		return a.accepted.Name, "author|family"
	}},
	{"replaced by a new name", func(w *world) (string, string) {
		a := w.take()
		w.sink(a.accepted.ID, w.add(genusOf(a.accepted)+" substituta", "Novus", "species", a.accepted.Family))
		return a.accepted.Name + " " + a.accepted.Author, "synonym"
	}},
}

// TestSince asks two versions of a checklist for 330 names, ten for each kind of taxonomic change.
// The versions are made from real names. At most 2 % may be judged otherwise.
func TestSince(t *testing.T) {
	seed := rand.Uint64()
	w := &world{taken: realSpecies(t, rand.New(rand.NewPCG(seed, 0)))}
	var list strings.Builder
	list.WriteString("name,kind\n")
	var wants []string
	for i := range 10 * len(taxonomicChanges) {
		kind := taxonomicChanges[i%len(taxonomicChanges)]
		ask, want := kind.make(w)
		fmt.Fprintf(&list, "%q,%s\n", ask, kind.name)
		wants = append(wants, want)
	}
	var out bytes.Buffer
	stats, err := bulk.Run(t.Context(), checklistMatcher(t, w.now), strings.NewReader(strings.ReplaceAll(list.String(), ", ", " ")), &out, bulk.Options{Since: checklistMatcher(t, w.then), Column: "name"})
	must(t, err)
	rows, err := csv.NewReader(&out).ReadAll()
	must(t, err)
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	wrong := 0
	for i, row := range rows[1:] {
		if got := row[at["change"]]; got != wants[i] {
			wrong++
			t.Logf("seed %d: %s (%s): %s, want %s; then %s; now %s %s", seed, row[0], row[1], got, wants[i], row[at["acceptedNameThen"]], row[at["acceptedName"]], row[at["flags"]])
		}
		if changed := row[at["change"]] != "same"; changed != (row[at["stepsThen"]]+row[at["stepsNow"]] != "") {
			t.Errorf("%s: %s has the steps %q and %q", row[0], row[at["change"]], row[at["stepsThen"]], row[at["stepsNow"]])
		}
	}
	if 100*wrong > 2*len(wants) {
		t.Errorf("seed %d: %d of %d changes are judged otherwise, at most 2 %% may", seed, wrong, len(wants))
	}
	if stats.Changes["moved"] < 50 {
		t.Errorf("the summary counts %v", stats.Changes)
	}
}

// checklistMatcher returns a matcher with one checklist.
func checklistMatcher(t *testing.T, usages []names.Usage) bulk.Matcher {
	t.Helper()
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	for _, u := range usages {
		must(t, c.Add(u))
	}
	return bulk.MatchEach(built(t, b).Match)
}
