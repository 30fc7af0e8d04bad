package snapshotfiles_test

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/sample"
	"bencao/internal/snapshotfiles"
	"bencao/internal/test/fullsize"
	"bencao/internal/test/indextest"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

// rows yields the rows of a table of WCVP, each as its cells by column.
func rows(t *testing.T, in io.Reader) func(yield func(map[string]string) bool) {
	return func(yield func(map[string]string) bool) {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 1<<20)
		var header []string
		for lines.Scan() {
			cells := strings.Split(lines.Text(), "|")
			if header == nil {
				header = cells
				continue
			}
			row := map[string]string{}
			for i, c := range cells {
				row[header[i]] = c
			}
			if !yield(row) {
				return
			}
		}
		must(t, lines.Err())
	}
}

// placesOf maps the ids of names to their rows of a table of distribution, each as list and code.
func placesOf(t *testing.T, in io.Reader) map[string][]string {
	of := map[string][]string{}
	for row := range rows(t, in) {
		list := "native"
		switch {
		case row["location_doubtful"] == "1":
			list = "doubtful"
		case row["extinct"] == "1":
			list = "extinct"
		case row["introduced"] == "1":
			list = "introduced"
		}
		of[row["plant_name_id"]] = append(of[row["plant_name_id"]], list+" "+row["area_code_l3"])
	}
	for id := range of {
		slices.Sort(of[id])
		of[id] = slices.Compact(of[id])
	}
	return of
}

// listed returns the codes of a candidate in the form of placesOf.
func listed(e names.Entry) (all []string) {
	if e.Distribution == nil {
		return nil
	}
	for list, codes := range map[string][]string{"native": e.Distribution.Native, "introduced": e.Distribution.Introduced, "extinct": e.Distribution.Extinct, "doubtful": e.Distribution.Doubtful} {
		for _, c := range codes {
			all = append(all, list+" "+c)
		}
	}
	slices.Sort(all)
	return all
}

// matchID returns the candidate of a WCVP identifier.
func matchID(t *testing.T, f *snapshotfiles.Files, id string) names.Entry {
	t.Helper()
	r, err := f.Match(names.Query{Name: "wcvp:" + id, Distribution: true, Limit: 1})
	must(t, err)
	if len(r.Results) == 0 {
		t.Fatalf("wcvp:%s finds nothing", id)
	}
	return r.Results[0]
}

// checkPlaces checks that every row of a table of distribution comes out again, by its code, and no
// other.
func checkPlaces(t *testing.T, f *snapshotfiles.Files, of map[string][]string) {
	t.Helper()
	wrong, all := 0, 0
	for id, want := range of {
		all += len(want)
		if got := listed(matchID(t, f, id)); !slices.Equal(got, want) {
			if wrong++; wrong < 5 {
				t.Errorf("wcvp:%s grows in %v, want %v", id, got, want)
			}
		}
	}
	t.Logf("%d rows of %d names, %d names with other rows", all, len(of), wrong)
}

// TestRanges matches the names of the sample's WCVP. Every row of the distribution comes out again, and
// a synonym answers as its accepted name.
func TestRanges(t *testing.T) {
	n, err := indextest.WithChecklists(t.Context(), t.TempDir())
	must(t, err)
	f, err := n.Open()
	must(t, err)
	defer f.Close()
	wcvp := sample.Checklists()[0].FS
	places, err := wcvp.Open("wcvp_distribution.csv")
	must(t, err)
	defer places.Close()
	of := placesOf(t, places)
	if len(of) < 20 {
		t.Fatalf("the sample has places of %d names, want 20 or more", len(of))
	}
	checkPlaces(t, f, of)

	list, err := wcvp.Open("wcvp_names.csv")
	must(t, err)
	defer list.Close()
	synonyms := 0
	for row := range rows(t, list) {
		if row["taxon_status"] != "Synonym" {
			continue
		}
		syn, accepted := matchID(t, f, row["plant_name_id"]), matchID(t, f, row["accepted_plant_name_id"])
		if syn.WCVPID != accepted.WCVPID {
			continue // another list accepts the synonym
		}
		synonyms++
		if diff := cmp.Diff(accepted.Distribution, syn.Distribution); diff != "" {
			t.Errorf("%s, a synonym of %s (-accepted +synonym):\n%s", syn.MatchedName, accepted.MatchedName, diff)
		}
	}
	if synonyms < 500 {
		t.Errorf("%d synonyms were compared, want 500 or more", synonyms)
	}
}

// TestHomonymsOfRegions matches a name that two authors gave to two plants. With the code of a region
// in which only one of the plants grows, that one comes first.
func TestHomonymsOfRegions(t *testing.T) {
	const id = "plant_name_id|taxon_rank|taxon_status|family|genus|species|taxon_name|taxon_authors|accepted_plant_name_id|powo_id\n"
	list := filepath.Join(t.TempDir(), "wcvp")
	must(t, os.Mkdir(list, 0o777))
	for name, text := range map[string]string{
		"wcvp_names.csv": id + "1|Species|Accepted|Fictiaceae|Fictia|annua|Fictia annua|L.|1|1-1\n" + "2|Species|Accepted|Fictiaceae|Fictia|trivialis|Fictia trivialis|L.|2|2-1\n" +
			"3|Species|Synonym|Fictiaceae|Fictia|montana|Fictia montana|Bertol.|1|3-1\n" + "4|Species|Synonym|Fictiaceae|Fictia|montana|Fictia montana|Turra|2|4-1\n",
		"wcvp_distribution.csv": "plant_locality_id|plant_name_id|continent_code_l1|continent|region_code_l2|region|area_code_l3|area|introduced|extinct|location_doubtful\n" +
			"1|1|3|ASIA-TEMPERATE|36|China|CHC|China South-Central|0|0|0\n" + "2|2|1|EUROPE|12|Southwestern Europe|FRA|France|0|0|0\n" +
			"3|1|1|EUROPE|13|Southeastern Europe|ITA|Italy|0|0|0\n" + "4|2|1|EUROPE|13|Southeastern Europe|ITA|Italy|0|0|0\n",
	} {
		must(t, os.WriteFile(filepath.Join(list, name), []byte(text), 0o666))
	}
	n, err := indextest.WithChecklists(t.Context(), t.TempDir(), list)
	must(t, err)
	f, err := n.Open()
	must(t, err)
	defer f.Close()
	for region, first := range map[string]string{"CHC": "Fictia annua", "FRA": "Fictia trivialis", "ITA": "", "JAP": "", "": ""} {
		r, err := f.Match(names.Query{Name: "Fictia montana", Region: region})
		must(t, err)
		got := r.Results
		switch {
		case len(got) != 2:
			t.Errorf("%q: %d results, want 2", region, len(got))
		case first == "" && got[0].Score != got[1].Score:
			t.Errorf("%q: %s at %v and %s at %v, want the same score", region, got[0].AcceptedName, got[0].Score, got[1].AcceptedName, got[1].Score)
		case first != "" && (string(got[0].AcceptedName) != first || got[0].Score != names.ScoreTake):
			t.Errorf("%q: %s at %v, want %s at %v", region, got[0].AcceptedName, got[0].Score, first, names.ScoreTake)
		}
	}
	for _, wrong := range []string{"chc", "36", "XXX", "CHC-YN"} {
		if _, err := f.Match(names.Query{Name: "Fictia montana", Region: wrong}); err == nil {
			t.Errorf("the region %q is taken", wrong)
		}
	}
}

// TestRangesFull matches all names with real rows of distribution.
func TestRangesFull(t *testing.T) {
	list, rows := fullsize.Path(t, "data/wcvp.zip"), fullsize.Path(t, "data/wcvp_distribution-real.csv.gz")
	whole := filepath.Join(t.TempDir(), "wcvp.zip")
	must(t, withPlaces(whole, list, rows))
	n, err := indextest.WithoutSample(t.Context(), t.TempDir(), whole)
	must(t, err)
	f, err := n.Open()
	must(t, err)
	defer f.Close()
	in, err := os.Open(rows)
	must(t, err)
	defer in.Close()
	text, err := gzip.NewReader(in)
	must(t, err)
	checkPlaces(t, f, placesOf(t, text))
}

// withPlaces writes a WCVP of the published form: the names of a zip, and a compressed table of
// distribution.
func withPlaces(to, list, places string) (err error) {
	z, err := zip.OpenReader(list)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return errors.Join(err, z.Close())
	}
	w := zip.NewWriter(out)
	defer func() { err = errors.Join(err, w.Close(), out.Close(), z.Close()) }()
	for _, f := range z.File {
		if err := w.Copy(f); err != nil {
			return err
		}
	}
	in, err := os.Open(places)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	table, err := w.Create("wcvp_distribution.csv")
	if err != nil {
		return err
	}
	if _, err = io.Copy(table, text); err != nil {
		return fmt.Errorf("copy %s: %w", places, err)
	}
	return nil
}
