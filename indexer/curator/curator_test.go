package curator_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"bencao/indexer"
	"bencao/indexer/curator"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/internal/test/race"
	"bencao/internal/test/testkit"
	"bencao/store/snapshot"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

var update = flag.Bool("update", false, "rewrite the golden files")

// planted lists changes of the sample by file. Each change has the old text and the new text. If
// the old text is empty, the new text is appended to the file.
var planted = map[string][][2]string{
	"species.csv": {
		{"牛膝,niú xī,Achyranthes bidentata,Blume", "怀牛膝,,Achyranthes bidentata,Blume"},
		{"Aconitum kusnezoffii,Rehder,species,Ranunculaceae,毛茛科", "Aconitum kusnezoffii,Rehder,species,Ranunculaceae,毛茛 | *科* <b>&amp;"},
		{"菖蒲,chāng pú,Acorus calamus,L.", "菖蒲,chāng pú,Acorus calamoides,Nemo"},
		{"", "9001,,无名草,,Nomen nullum,Nemo,species,,,,,\n"},
	},
	"formulas.csv": {
		{"桂枝加葛根汤,", "桂枝加葛根湯,"},
		{"d05a4e1c-c5e0-530d-9c55-a11e252909d9,桂枝加附子汤", "d05a4e1c-c5e0-530d-9c55-a11e25290000,桂枝加附子汤"},
	},
	"formula_ingredients.csv": {
		{"1,3,甘草,二两,炙,使", "1,3,甘草,三两,炙,使"},
		{"", "1,90,无名子,一两,,\n1,91,无名子,一两,,\n4,92,无名子,一两,,\n"},
	},
	"papers.csv":   {{"", "nemo_2026,\"<script>alert(1)</script> of *nothing* | [x](https://example.org)\",Nemo,,2026,,,\n"}},
	"synonyms.csv": {{"", "99001,99999,Nomen vanum,,species,heterotypic\n99002,154,Nomen novum,Nemo,species,heterotypic\n"}},
}

// modified is the time of the source files.
var modified = time.Date(2026, 11, 1, 2, 15, 0, 0, time.UTC)

// sources writes the sample's package to a folder, with the planted changes.
func sources(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "planted")
	must(t, os.CopyFS(folder, sample.Package()))
	for name, changes := range planted {
		text, err := fs.ReadFile(sample.Package(), name)
		must(t, err)
		for _, c := range changes {
			if c[0] == "" {
				text = append(text, c[1]...)
				continue
			}
			if bytes.Count(text, []byte(c[0])) != 1 {
				t.Fatalf("%s has %q %d times", name, c[0], bytes.Count(text, []byte(c[0])))
			}
			text = bytes.Replace(text, []byte(c[0]), []byte(c[1]), 1)
		}
		must(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	must(t, err)
	for _, f := range files {
		must(t, os.Chtimes(f, modified, modified))
	}
	return folder
}

// builds builds two snapshots: one of the sample, and one with the planted changes.
func builds(t *testing.T) snapshot.Dir {
	t.Helper()
	data := t.TempDir()
	cfg := indexer.Config{Data: data, Program: "bencao test", Package: indexer.Input{Path: "sample", FS: sample.Package()}}
	list := sample.Checklists()[0]
	cfg.Checklists = []indexer.Input{{Key: list.Name, Path: list.Name, FS: list.FS}}
	run := func(days int) {
		t.Helper()
		now := func() time.Time { return modified.AddDate(0, 0, days) }
		if _, err := indexer.Run(t.Context(), cfg, indexer.Options{Now: now}); err != nil {
			t.Fatal(err)
		}
	}
	run(20)
	cfg.Package = indexer.Input{Path: sources(t)}
	run(21)
	return snapshot.At(data)
}

// variable lists the texts that differ from build to build, with their replacements.
var variable = []struct {
	text *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`\d{8}T\d{6}Z-[0-9a-f]{6}`), "SNAPSHOT"},
	{regexp.MustCompile(`(<td class="number">)[\d.]+\.\d(</td>)`), "${1}0.0$2"},
	{regexp.MustCompile(`[\d.]+ MiB`), "0 MiB"},
	{regexp.MustCompile(`(names/herb/names\.txt):\d+`), "$1:1"},
}

func written(t *testing.T, r *curator.Report, opt curator.Options) string {
	t.Helper()
	var b strings.Builder
	must(t, r.Write(&b, opt))
	text := b.String()
	for _, p := range variable {
		text = p.text.ReplaceAllString(text, p.by)
	}
	return text
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		must(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestPublished compares the report of a build with planted changes, in both languages, with golden
// files.
func TestPublished(t *testing.T) {
	if race.On {
		t.Skip("NOT TESTED with the race detector: it needs two builds")
	}
	dir := builds(t)
	r, err := curator.Last(t.Context(), dir)
	must(t, err)
	golden(t, "published.html", written(t, r, curator.Options{Language: "en", Rows: 3}))
	golden(t, "published.zh.html", written(t, r, curator.Options{Language: "zh", Rows: 3}))
	all := written(t, r, curator.Options{Language: "en"})
	if strings.Contains(all, "more.") {
		t.Error("a report of all rows shortens a list")
	}

	t.Run("before is gone", func(t *testing.T) {
		list, err := dir.List()
		must(t, err)
		old := filepath.Join(dir.Path(), "snapshots", list[1].ID)
		must(t, os.Rename(old, old+"-gone"))
		r, err := curator.Published(t.Context(), dir, list[0].ID)
		must(t, err)
		text := written(t, r, curator.Options{Language: "en"})
		if !strings.Contains(text, "the previous snapshot cannot be read") || strings.Contains(text, "<h2>What changed") {
			t.Errorf("without the previous snapshot the report says\n%.600s", text)
		}
	})
}

// TestRefused compares the report of a build that a check refused with golden files. A value in the
// report contains markup.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	run, err := json.Marshal(&indexer.Report{
		Outcome: indexer.Refused, Error: "refused: table species", Snapshot: "20260101T000000Z-000000", Program: "bencao test",
		Allow: []string{"--allow shrink=species"},
	})
	must(t, err)
	var log finding.Log
	for _, f := range []finding.Finding{
		{Severity: finding.Fatal, Code: finding.Shrink, Table: "species", Message: "1 row where 296 were", Hint: "look where they are, or --allow shrink=species"},
		{Severity: finding.Reject, Code: finding.Type, Table: "species", File: "species.csv", Line: 7, Column: "entry_id", Value: "x_1 _y_ & &amp; <i>", Message: "no number", Hint: "write digits"},
		{Severity: finding.Reject, Code: finding.Cut, Table: "species", Message: "5 more findings of code type-error are counted but not listed"},
	} {
		log.Add(f)
	}
	var findings bytes.Buffer
	if err := errors.Join(log.WriteCSV(&findings),
		os.WriteFile(filepath.Join(dir, indexer.LastReport), run, 0o600),
		os.WriteFile(filepath.Join(dir, indexer.LastFindings), findings.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	r, err := curator.Last(t.Context(), snapshot.At(dir))
	must(t, err)
	golden(t, "refused.html", written(t, r, curator.Options{Language: "en"}))
	golden(t, "refused.zh.html", written(t, r, curator.Options{Language: "zh"}))
}

func TestLastOfNothing(t *testing.T) {
	if _, err := curator.Last(t.Context(), snapshot.At(t.TempDir())); err == nil || !strings.Contains(err.Error(), "no report of a build") {
		t.Errorf("an empty folder gives %v", err)
	}
}
