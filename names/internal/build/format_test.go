package build_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/names/internal/build"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
)

// must ends the test if there is an error.
var must = testkit.Must

var update = flag.Bool("update", false, "rewrite testdata/format.txt")

const formatFile = "testdata/format.txt"

// TestFormatIsRaised checks that file.Format is raised whenever the same names give a file with
// different bytes. This happens after a change of the layout, and also after a change of the rules
// for orthography, authors or Chinese characters. After a change of rules alone, a program could
// read an older file without an error but would not find some names.
func TestFormatIsRaised(t *testing.T) {
	b, err := os.ReadFile(write(t, probes(t)))
	must(t, err)
	const head = 24 // skip the header, which has the format number
	got := fmt.Sprintf("format %d\nsha256 %x\n", file.Format, sha256.Sum256(b[head:]))
	before, err := os.ReadFile(formatFile)
	must(t, err)
	var format int
	if _, err := fmt.Sscanf(string(before), "format %d\n", &format); err != nil {
		t.Fatalf("%s: %v", formatFile, err)
	}
	switch {
	case got == string(before):
	case format == file.Format:
		t.Errorf("the names of testdata/probes.txt stand in other bytes than under format %d; raise Format in names/internal/file/format.go, "+
			"so that snapshots of before are refused, and run \"go test ./names/internal/build -update\"", format)
	case *update:
		must(t, os.WriteFile(formatFile, []byte(got), 0o644))
	default:
		t.Errorf("%s is of format %d, the program's is %d; run \"go test ./names/internal/build -update\"", formatFile, format, file.Format)
	}
}

// probes returns a builder with the names of testdata/probes.txt. All are in WCVP. Those with a
// Chinese name are also in Catalogue of Life China and the database.
func probes(t *testing.T) *build.Builder {
	t.Helper()
	text, err := os.ReadFile("testdata/probes.txt")
	must(t, err)
	b := build.New()
	wcvp := b.Checklist(checklist.Checklist{Source: checklist.SourceWCVP, Name: "WCVP", Version: "13"})
	china := b.Checklist(checklist.Checklist{Source: checklist.SourceColChina, Name: "Catalogue of Life China", Version: "2025"})
	n := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line+" ", " |")
		if len(cells) != 4 {
			t.Fatalf("testdata/probes.txt: %q has %d cells, want 4", line, len(cells))
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		n++
		u := checklist.Usage{ID: fmt.Sprint(n), Name: cells[0], Author: cells[1], Family: cells[2], Rank: "species", Status: checklist.Accepted, IPNIID: fmt.Sprint(n, "-1")}
		if n%4 == 0 { // make every fourth name a synonym of the previous one
			u.Status, u.AcceptedID = checklist.Synonym, fmt.Sprint(n-1)
		}
		add(t, wcvp.Add(u))
		if cells[3] == "" {
			continue
		}
		add(t, china.Add(checklist.Usage{ID: "C" + u.ID, Name: u.Name, Author: u.Author, Status: checklist.Accepted, ChineseName: cells[3]}))
		add(t, b.Record(checklist.Record{
			EntryID: int32(n), GUID: fmt.Sprintf("00000000-0000-5000-8000-%012d", n), ChineseName: cells[3], Pinyin: "yī èr", ScientificName: u.Name, Author: u.Author,
			Rank: u.Rank, Family: u.Family, Aliases: []checklist.RecordAlias{{Name: cells[3] + "草", Pinyin: "cǎo"}},
			Synonyms: []checklist.RecordSynonym{{Name: "Probatia probata", Author: "auct.", Status: "misapplied"}, {Name: "Probatia altera", Status: "pro parte"}},
		}))
	}
	return b
}

func add(t *testing.T, err error) {
	t.Helper()
	must(t, err)
}

// write writes the names file and returns its path.
func write(t *testing.T, b *build.Builder) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "names.idx")
	add(t, b.WriteFile(path))
	return path
}
