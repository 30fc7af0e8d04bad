package indexer_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"bencao/indexer"
	"bencao/internal/snapshotfiles"
	"bencao/mappings/search"
	"bencao/store"
	"bencao/store/snapshot"
)

// guardedRows adds rows to the tables that a public snapshot omits. It returns three texts that
// occur only in these rows. The first is mark, which most values in these rows contain.
func guardedRows(pkg fstest.MapFS, mark string) []string {
	put := func(name, content string) {
		pkg[name+".csv"] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(content, "MARK", mark))}
		if d := string(pkg["datapackage.json"].Data); !strings.Contains(d, name) {
			pkg["datapackage.json"].Data = []byte(strings.Replace(d, `"resources": [`, fmt.Sprintf(`"resources": [{"name": %q, "path": %q},`, name, name+".csv"), 1))
		}
	}
	put("formula_ingredients", "formula_id,seq,herb,dose,note,role\n1,1,MARK草,MARK两,MARKnote,君\n1,2,炙甘草,三两,,\n2,1,MARK草,二两,,\n3,1,唵草,二两,,\n4,1,唵草,二两,,\n5,1,唵草,二两,,\n6,1,唵草,二两,,\n7,1,唵草,二两,,\n")
	pkg["formulas.csv"].Data = append(pkg["formulas.csv"].Data, "4,,甲方,,,,清,,,,\n5,,乙方,,,,清,,,,\n6,,丙方,,,,清,,,,\n7,,丁方,,,,清,,,,\n"...)
	put("formula_codes", "formula_id,system,code,label\n1,MARKsystem,MARKcode,MARKlabel\n")
	put("formula_similarity", "formula_id,other_id,method,value\n1,2,jaccard,0.7654321\n")
	put("species_formulas", "species_id,formula_id,evidence\n2,1,MARKevidence\n")
	put("uses", "id,species_id,collection,name_cited,category,part,description,country,reference\n1,2,folk,MARKcited,MARKcategory,MARKpart,MARKdescription,CN,MARKreference\n")
	return []string{mark, "0.7654321", "唵草"}
}

// pair runs cfg at a fixed time. The run builds the full and the public snapshot of a package.
func pair(t *testing.T, cfg indexer.Config) (*indexer.Report, error) {
	t.Helper()
	return indexer.Run(context.Background(), cfg, indexer.Options{Now: func() time.Time { return time.Date(2026, 11, 20, 2, 15, 0, 0, time.UTC) }})
}

// filesOf returns the files of the current snapshot. For compressed files, it also returns the
// uncompressed contents.
func filesOf(t *testing.T, data string) map[string][]byte {
	t.Helper()
	s, err := snapshot.At(data).OpenCurrent(t.Context())
	must(t, err)
	defer s.Close()
	all := map[string][]byte{}
	err = fs.WalkDir(os.DirFS(s.Path()), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(s.Path(name))
		all[name] = b
		return err
	})
	must(t, err)
	z, err := zip.NewReader(bytes.NewReader(all["package.zip"]), int64(len(all["package.zip"])))
	must(t, err)
	for _, f := range z.File {
		r, err := z.Open(f.Name)
		must(t, err)
		if all["package.zip/"+f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gzip.NewReader(bytes.NewReader(all["checks.json.gz"]))
	must(t, err)
	if all["checks.json"], err = io.ReadAll(g); err != nil {
		t.Fatal(err)
	}
	// Add the API responses of the store. They do not depend on the file format.
	files, err := snapshotfiles.Open(s.Path(), snapshotfiles.All)
	must(t, err)
	defer files.Close()
	all["answers"] = shownToAll(t, files.Store)
	return all
}

// shownToAll returns all records of a store, rendered with all scopes.
func shownToAll(t *testing.T, st *store.Store) (out []byte) {
	t.Helper()
	tx, err := st.Begin()
	must(t, err)
	defer tx.Close()
	type reads []func(store.Num) appender
	template := func(read func(store.Num) store.Template) func(store.Num) appender {
		return func(n store.Num) appender { return read(n) }
	}
	rows := func(read func(store.Num) store.Rows) func(store.Num) appender {
		return func(n store.Num) appender { return read(n) }
	}
	formula := func(n store.Num) appender { return tx.FormulaDetail(n, store.Composition|store.Similarity) }
	for _, of := range []struct {
		table store.Table
		reads
	}{
		{store.TableSpecies, reads{template(tx.SpeciesSummary), template(tx.SpeciesDetail), rows(tx.SpeciesFlora), rows(tx.SpeciesUses), rows(tx.SpeciesPapers)}},
		{store.TableFormulas, reads{template(tx.FormulaSummary), formula}},
		{store.TablePapers, reads{template(tx.PaperSummary), rows(tx.PaperSpecies)}},
		{store.TableHerbs, reads{template(tx.HerbSummary), template(tx.HerbDetail)}},
	} {
		for n := range tx.Count(of.table) {
			for _, read := range of.reads {
				out = read(store.Num(n)).Append(out, "", store.Composition|store.Similarity)
			}
		}
	}
	return append(out, tx.Stats()...)
}

// TestPublicSnapshotHasNoGuardedValue searches all files of both snapshots for guarded values. The
// search must find these values in files of the full snapshot, which proves that the search works.
// It must find none in the files of the public snapshot.
func TestPublicSnapshotHasNoGuardedValue(t *testing.T) {
	pkg := tiny()
	marks := guardedRows(pkg, "唵zq9")
	cfg := config(t, pkg)
	cfg.Public = filepath.Join(t.TempDir(), "public")
	report, err := pair(t, cfg)
	must(t, err)
	if report.Public == nil || report.Public.Outcome != indexer.Published {
		t.Fatalf("report says of the public snapshot %+v, want published", report.Public)
	}
	seen := map[string]bool{}
	for name, b := range filesOf(t, cfg.Data) {
		for _, mark := range marks {
			if bytes.Contains(b, []byte(mark)) {
				seen[mark], seen[name] = true, true
			}
		}
	}
	for _, want := range append(marks, "answers", "package.zip/uses.csv", "package.zip/formula_codes.csv") {
		if !seen[want] {
			t.Errorf("the search finds no guarded value for %q in the full snapshot, so it proves nothing", want)
		}
	}
	for name, b := range filesOf(t, cfg.Public) {
		for _, mark := range marks {
			if bytes.Contains(b, []byte(mark)) {
				t.Errorf("%s of the public snapshot holds the guarded value %q", name, mark)
			}
		}
	}
	// An unknown name counts as a herb if five formulas contain it. Five formulas of the guarded
	// rows contain 唵草.
	whole, public := hits(t, cfg.Data, "唵草"), hits(t, cfg.Public, "唵草")
	if whole == 0 || public != 0 {
		t.Errorf("a guarded herb is found %d times in the full snapshot and %d times in the public one, want some and none", whole, public)
	}
}

// hits counts the hits of a text in the indexes.
func hits(t *testing.T, data, text string) (n int) {
	t.Helper()
	files, err := snapshotfiles.Current(t.Context(), snapshot.At(data), snapshotfiles.All)
	must(t, err)
	defer files.Close()
	for _, ix := range []*search.Searcher{files.Species, files.Formulas, files.Papers, files.Herbs} {
		found, err := ix.Search(t.Context(), search.Query{Text: text, Size: 10})
		must(t, err)
		n += found.Total
	}
	return n
}

// TestPublicSnapshotKnowsNothingOfGuardedRows builds from packages with different guarded rows and
// from a package without any. The files of the public snapshot must be identical, byte for byte.
// Only the source's digest may differ, in the report and the manifest.
func TestPublicSnapshotKnowsNothingOfGuardedRows(t *testing.T) {
	var first map[string][]byte
	for _, mark := range []string{"唵zq9", "other", ""} {
		pkg := tiny()
		guardedRows(pkg, mark)
		if mark == "" {
			for _, name := range []string{"formula_ingredients", "formula_codes", "formula_similarity", "species_formulas", "uses"} {
				d := string(pkg["datapackage.json"].Data)
				row := fmt.Sprintf(`{"name": %q, "path": %q}`, name, name+".csv")
				d = strings.Replace(strings.Replace(d, row+",", "", 1), ",\n\t\t"+row, "", 1)
				pkg["datapackage.json"].Data = []byte(d)
				delete(pkg, name+".csv")
			}
		}
		cfg := config(t, pkg)
		cfg.Public = filepath.Join(t.TempDir(), "public")
		if _, err := pair(t, cfg); err != nil {
			t.Fatal(err)
		}
		got := filesOf(t, cfg.Public)
		got["report.json"] = lasting(t, got["report.json"])
		for name := range got {
			switch {
			case name == "manifest.json": // contains the files' digests
				delete(got, name)
			case strings.HasSuffix(name, ".bolt"): // unused bytes of pages are arbitrary, so the responses are compared instead
				delete(got, name)
			}
		}
		if first == nil {
			first = got
			continue
		}
		for name, b := range first {
			if !bytes.Equal(b, got[name]) {
				t.Errorf("%s of the public snapshot depends on the guarded rows (%q)", name, mark)
			}
		}
		if len(got) != len(first) {
			t.Errorf("the public snapshot has %d files, with other guarded rows %d", len(first), len(got))
		}
	}
}

// lasting returns a report without times and without digests of sources.
func lasting(t *testing.T, b []byte) []byte {
	t.Helper()
	var r indexer.Report
	must(t, json.Unmarshal(b, &r))
	r.Phases = nil
	r.Sources[0].SHA256, r.Sources[0].Bytes, r.Sources[0].Modified = "", 0, nil
	out, err := json.Marshal(r)
	must(t, err)
	return out
}

// TestPublicSnapshotThatFailsFailsTheBuild checks that neither snapshot becomes current if the
// public one cannot be built. It also checks that a data directory never gets snapshots of both
// kinds, full and public.
func TestPublicSnapshotThatFailsFailsTheBuild(t *testing.T) {
	cfg := config(t, tiny())
	cfg.Public = filepath.Join(t.TempDir(), "public")
	first, err := pair(t, cfg)
	must(t, err)
	before := [2]snapshot.Pointer{pointer(t, cfg.Data), pointer(t, cfg.Public)}
	again, err := pair(t, cfg)
	if err != nil || again.Outcome != indexer.Unchanged || again.Public.Outcome != indexer.Unchanged || again.Snapshot != first.Snapshot {
		t.Fatalf("a second build of the same sources: %v, %+v; want both unchanged", err, again.Public)
	}
	must(t, os.Remove(filepath.Join(cfg.Data, "CHECKED")))
	stuck, err := snapshot.At(cfg.Public).Lock(snapshot.WriterOptions{})
	must(t, err)
	if report, err := pair(t, cfg); !errors.Is(err, snapshot.ErrLocked) || report.Outcome != indexer.Failed {
		t.Errorf("a build of the same sources whose public folder is locked ends with %v, %s", err, report.Outcome)
	}
	if c, err := snapshot.At(cfg.Data).Checked(); err != nil || c.ID != first.Snapshot {
		t.Errorf("the full snapshot is unchanged but was not confirmed: %+v, %v", c, err)
	}
	must(t, stuck.Close())
	pkg := tiny()
	replace(pkg, "species.csv", "Rosaceae", "Araliaceae")
	cfg.Package.FS = pkg
	busy, err := snapshot.At(cfg.Public).Lock(snapshot.WriterOptions{})
	must(t, err)
	report, err := pair(t, cfg)
	if !errors.Is(err, snapshot.ErrLocked) || report.Outcome != indexer.Failed {
		t.Errorf("the public folder is locked, and the build ends with %v, %s; want ErrLocked and failed", err, report.Outcome)
	}
	if said, err := os.ReadFile(filepath.Join(cfg.Data, indexer.LastReport)); err != nil || !strings.Contains(string(said), `"outcome": "failed"`) {
		t.Errorf("the report of the folder that was not locked does not say that the build failed (%v): %s", err, said)
	}
	if now := [2]snapshot.Pointer{pointer(t, cfg.Data), pointer(t, cfg.Public)}; now != before {
		t.Errorf("after a failed build %v are current, want %v as before", now, before)
	}
	must(t, busy.Close())
	if _, err := pair(t, cfg); err != nil {
		t.Fatalf("the next build: %v", err)
	}
	if now := [2]snapshot.Pointer{pointer(t, cfg.Data), pointer(t, cfg.Public)}; now[0] == before[0] || now[1] == before[1] {
		t.Errorf("after the next build %v are current, want two new ones", now)
	}
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(cfg.Data, link))
	for _, wrong := range []struct{ data, public, want string }{
		{cfg.Public, "", "has public snapshots"},
		{filepath.Join(t.TempDir(), "new"), cfg.Data, "is the folder for public snapshots"},
		{cfg.Data, cfg.Data, "is the data folder itself"},
		{cfg.Data, link, "is the data folder itself"},
	} {
		other := cfg
		other.Data, other.Public = wrong.data, wrong.public
		if _, err := pair(t, other); err == nil || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("data %s, public %s: %v; want an error with %q", wrong.data, wrong.public, err, wrong.want)
		}
	}
}

func pointer(t *testing.T, data string) snapshot.Pointer {
	t.Helper()
	p, err := snapshot.At(data).Current()
	must(t, err)
	return p
}

// TestPublicSnapshotIsMadeUpFor starts with the state after a crash between the moments when the
// two snapshots become current: the full snapshot is new and the public one is old. The next run
// must build the public snapshot from the same sources.
func TestPublicSnapshotIsMadeUpFor(t *testing.T) {
	cfg := config(t, tiny())
	if _, err := pair(t, cfg); err != nil { // now the full snapshot is current and there is no public one
		t.Fatal(err)
	}
	cfg.Public = filepath.Join(t.TempDir(), "public")
	report, err := pair(t, cfg)
	if err != nil || report.Outcome != indexer.Unchanged || report.Public.Outcome != indexer.Published {
		t.Fatalf("%v, %s, %+v; want unchanged and a public one", err, report.Outcome, report.Public)
	}
	m, err := snapshot.At(cfg.Public).Published()
	if err != nil || !snapshotfiles.Public(m) {
		t.Errorf("the manifest does not say that the snapshot is public: %v, %v", m.Settings, err)
	}
	if want := []string{"formula_ingredients", "formula_codes", "species_formulas", "formula_similarity", "uses"}; !slices.Equal(strings.Fields(m.Settings[snapshotfiles.PublicSetting]), want) {
		t.Errorf("the public snapshot omits the tables %q, want %q", m.Settings[snapshotfiles.PublicSetting], want)
	}
}
