package indexer_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer"
	"bencao/names"
	"bencao/store/snapshot"
)

func TestSameSourcesAreNotBuiltAgain(t *testing.T) {
	cfg := config(t, tiny())
	first := mustRun(t, cfg)
	second := mustRun(t, cfg)
	if second.Outcome != indexer.Unchanged || second.Snapshot != first.Snapshot {
		t.Errorf("second run: %s, %s; want unchanged, %s", second.Outcome, second.Snapshot, first.Snapshot)
	}
	cfg.Rebuild = true
	if third := mustRun(t, cfg); third.Outcome != indexer.Published || third.Snapshot == first.Snapshot {
		t.Errorf("rebuild: %s, %s; want a new snapshot", third.Outcome, third.Snapshot)
	}
}

func TestDamagedCurrentSnapshotIsBuiltAgain(t *testing.T) {
	oneByOne(t)
	cfg := config(t, tiny())
	first := mustRun(t, cfg)
	path := filepath.Join(cfg.Data, "snapshots", first.Snapshot, "store.bolt")
	b, err := os.ReadFile(path)
	must(t, err)
	b[len(b)/2] ^= 1
	must(t, errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, b, 0o644)))
	if second := mustRun(t, cfg); second.Outcome != indexer.Published {
		t.Errorf("second run over a damaged snapshot: %s; want published", second.Outcome)
	}
}

// TestSnapshotOfAnotherFormatIsBuiltAgain changes the format of the names index. The file is
// undamaged, but this program cannot serve it, so the snapshot must be built again.
func TestSnapshotOfAnotherFormatIsBuiltAgain(t *testing.T) {
	oneByOne(t)
	cfg := config(t, tiny())
	first := mustRun(t, cfg)
	w, err := snapshot.At(cfg.Data).Lock(snapshot.WriterOptions{})
	must(t, err)
	old, err := w.Dir().Open(t.Context(), first.Snapshot)
	must(t, err)
	draft, err := w.Draft()
	must(t, err)
	file := filepath.Join(draft.Path(), names.FileName)
	if err := errors.Join(
		os.CopyFS(draft.Path(), os.DirFS(old.Path())),
		os.Remove(filepath.Join(draft.Path(), "manifest.json")),
	); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	must(t, err)
	b[8]++ // the byte of the format follows the eight bytes that identify the file
	must(t, errors.Join(os.Chmod(file, 0o644), os.WriteFile(file, b, 0o644)))
	foreign, err := draft.Publish(t.Context(), old.Manifest.Content, func(string) error { return nil })
	must(t, errors.Join(err, old.Close(), w.Close()))
	second := mustRun(t, cfg)
	if second.Outcome != indexer.Published || second.Snapshot == foreign.ID {
		t.Errorf("run over a snapshot of another format: %s, %s; want a new snapshot", second.Outcome, second.Snapshot)
	}
}

func TestDamageTurnsOffNoCheck(t *testing.T) {
	oneByOne(t)
	for _, broken := range []string{"CURRENT", "manifest.json"} {
		t.Run(broken, func(t *testing.T) {
			cfg := config(t, tiny())
			mustRun(t, cfg)
			cfg.Rebuild = true
			second := mustRun(t, cfg)
			path := filepath.Join(cfg.Data, broken)
			if broken != "CURRENT" {
				path = filepath.Join(cfg.Data, "snapshots", second.Snapshot, broken)
			}
			must(t, errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, []byte("{}"), 0o644)))
			pkg := tiny()
			replace(pkg, "species.csv", "4,,,,Panax trifolius,L.,species,Rosaceae\n", "")
			cfg.Package.FS = pkg
			var refusal *indexer.RefusedError
			if _, err := indexer.Run(context.Background(), cfg, indexer.Options{}); !errors.As(err, &refusal) {
				t.Errorf("a quarter of the species is missing: %v; want a refusal", err)
			}
		})
	}
}

func TestSourceThatCannotBeOpenedIsAFinding(t *testing.T) {
	cfg := config(t, tiny())
	cfg.Package = indexer.Input{Path: filepath.Join(t.TempDir(), "nowhere.zip")}
	if _, err := indexer.Run(context.Background(), cfg, indexer.Options{}); err == nil {
		t.Fatal("a missing package is built")
	}
	if rows := findings(t, cfg.Data); len(rows) != 1 || rows[0][0] != "fatal" || !strings.Contains(rows[0][7], "nowhere.zip") {
		t.Errorf("findings are %v; want a fatal one that names nowhere.zip", rows)
	}
}

func TestDryRunKeepsTheReportOfTheLastBuild(t *testing.T) {
	cfg := config(t, tiny())
	good := cfg.Package.FS
	pkg := tiny()
	delete(pkg, "species.csv")
	cfg.Package.FS = pkg
	if _, err := indexer.Run(context.Background(), cfg, indexer.Options{}); err == nil {
		t.Fatal("a package without species is built")
	}
	cfg.Package.FS, cfg.DryRun = good, true
	mustRun(t, cfg)
	b, err := os.ReadFile(filepath.Join(cfg.Data, indexer.LastReport))
	if err != nil || !strings.Contains(string(b), `"outcome": "failed"`) {
		t.Errorf("last report after a dry run: %v, %.80s; want that of the failed build", err, b)
	}
}

func TestBadBuildsKeepTheOldSnapshot(t *testing.T) {
	oneByOne(t)
	tests := []struct {
		name    string
		spoil   func(fstest.MapFS)
		want    string // part of the error
		refused bool
	}{
		{"a missing required column", func(p fstest.MapFS) { replace(p, "species.csv", "scientific_name", "binomial") }, "scientific_name", false},
		{"bytes that are not UTF-8", func(p fstest.MapFS) { replace(p, "species.csv", "人参", "\xc8\xcb\xb2\xce") }, "species.csv:3", false},
		{"no species table", func(p fstest.MapFS) { delete(p, "species.csv") }, "species", false},
		{"a quote that swallows rows", func(p fstest.MapFS) { replace(p, "species.csv", "2,,人参", "2,,\"人参") }, "species.csv", false},
		{"half of the species gone", func(p fstest.MapFS) {
			replace(p, "species.csv", "3,,甘草,,Glycyrrhiza uralensis,Fisch. ex DC.,species,Fabaceae\n", "")
			replace(p, "herb_species.csv", "甘草,3\n", "")
		}, "--allow shrink=species", true},
		{"too many rejected rows", func(p fstest.MapFS) { replace(p, "species.csv", "1,,西洋参", "x,,西洋参") }, "--allow rejects=species", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config(t, tiny())
			first := mustRun(t, cfg)
			pkg := tiny()
			tt.spoil(pkg)
			cfg.Package.FS = pkg
			r, err := indexer.Run(context.Background(), cfg, indexer.Options{})
			var refusal *indexer.RefusedError
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.As(err, &refusal) != tt.refused {
				t.Fatalf("error is %v; want one that says %q, a refusal: %v", err, tt.want, tt.refused)
			}
			wantOutcome := indexer.Failed
			if tt.refused {
				wantOutcome = indexer.Refused
			}
			if r.Outcome != wantOutcome || r.Snapshot != first.Snapshot {
				t.Errorf("outcome %s with snapshot %s; want %s with %s", r.Outcome, r.Snapshot, wantOutcome, first.Snapshot)
			}
			now, err := snapshot.At(cfg.Data).Current()
			if err != nil || now.ID != first.Snapshot {
				t.Errorf("CURRENT is %v, %v; want %s", now, err, first.Snapshot)
			}
			if entries, err := os.ReadDir(filepath.Join(cfg.Data, "snapshots")); err != nil || len(entries) != 1 {
				t.Errorf("snapshots holds %v, %v; want the old snapshot alone", entries, err)
			}
			if len(findings(t, cfg.Data)) == 0 {
				t.Error("last-findings.csv is empty; want the findings")
			}
		})
	}
}

func TestCheckIsAllowedByName(t *testing.T) {
	cfg := config(t, tiny())
	mustRun(t, cfg)
	pkg := tiny()
	replace(pkg, "species.csv", "4,,,,Panax trifolius,L.,species,Rosaceae\n", "")
	cfg.Package.FS = pkg
	cfg.Limits.Allow("shrink", "species")
	if r := mustRun(t, cfg); r.Outcome != indexer.Published || r.Changes["species"].Removed != 1 {
		t.Errorf("outcome %s, changes %+v; want published with one species removed", r.Outcome, r.Changes["species"])
	}
}

func TestDryRunPublishesNothing(t *testing.T) {
	cfg := config(t, tiny())
	cfg.DryRun = true
	if r := mustRun(t, cfg); r.Outcome != indexer.DryRun {
		t.Errorf("outcome %s; want dry run", r.Outcome)
	}
	if _, err := snapshot.At(cfg.Data).Current(); !errors.Is(err, snapshot.ErrNone) {
		t.Errorf("CURRENT after a dry run: %v; want none", err)
	}
	pkg := tiny()
	replace(pkg, "aliases.csv", "2,棒槌", "99,棒槌")
	cfg.Package.FS = pkg
	cfg.Limits.Allow("rejects", "aliases")
	if _, err := indexer.Run(context.Background(), cfg, indexer.Options{}); !errors.Is(err, indexer.ErrRejects) {
		t.Errorf("dry run with a dangling alias: %v; want ErrRejects", err)
	}
}

func TestMetricsRememberTheLastSuccess(t *testing.T) {
	cfg := config(t, tiny())
	cfg.MetricsFile = filepath.Join(t.TempDir(), "bencao.prom")
	mustRun(t, cfg)
	success := metric(t, cfg.MetricsFile, "bencao_index_last_success_timestamp_seconds")
	pkg := tiny()
	delete(pkg, "species.csv")
	cfg.Package.FS = pkg
	if _, err := indexer.Run(context.Background(), cfg, indexer.Options{}); err == nil {
		t.Fatal("a package without species is built")
	}
	if got := metric(t, cfg.MetricsFile, "bencao_index_last_success_timestamp_seconds"); got != success {
		t.Errorf("last success after a failure is %s; want it kept at %s", got, success)
	}
	if got := metric(t, cfg.MetricsFile, `bencao_index_outcome{outcome="failed"}`); got != "1" {
		t.Errorf("outcome failed is %s; want 1", got)
	}
}

func metric(tb testing.TB, path, name string) string {
	tb.Helper()
	b, err := os.ReadFile(path)
	must(tb, err)
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(v)
		}
	}
	tb.Fatalf("%s has no %s:\n%s", path, name, b)
	return ""
}
