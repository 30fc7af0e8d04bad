package keyuse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/api/keyuse"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// open returns a counter of the keys in ids, which reports no failure.
func open(t *testing.T, folder string, ids ...string) *keyuse.Counter {
	t.Helper()
	return keyuse.Open(folder, func() []string { return ids }, func(err error) { t.Errorf("reported: %v", err) })
}

func want(t *testing.T, folder string, keys keyuse.Keys) {
	t.Helper()
	got, err := keyuse.Read(folder)
	if diff := cmp.Diff(keys, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// TestTwoCounters lets two servers share a folder. One of them is killed. Counts that were saved
// must be neither lost nor counted twice.
func TestTwoCounters(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "usage")
	want(t, folder, keyuse.Keys{})
	first, second := open(t, folder, "lab", "thesis"), open(t, folder, "lab", "thesis")
	first.Count("lab", noon)
	second.Count("lab", noon.Add(-time.Hour))
	first.Count("lab", noon.Add(time.Hour))
	second.Count("thesis", noon)
	for _, c := range []*keyuse.Counter{first, second, first} {
		c.Save()
	}
	first.Count("lab", noon) // this count is lost, because the server is killed before the next save
	want(t, folder, keyuse.Keys{
		"lab":    {First: noon.Add(-time.Hour), Last: noon.Add(time.Hour), Requests: 3},
		"thesis": {First: noon, Last: noon, Requests: 1},
	})
}

// TestRemovedKey checks that the file has only keys that exist.
func TestRemovedKey(t *testing.T) {
	folder := t.TempDir()
	before := open(t, folder, "gone", "lab")
	before.Count("gone", noon)
	before.Save()
	after := open(t, folder, "lab")
	after.Count("gone", noon) // a request that was running when the key was removed
	after.Count("lab", noon)
	after.Save()
	want(t, folder, keyuse.Keys{"lab": {First: noon, Last: noon, Requests: 1}})
}

// TestUnwritable counts requests while the folder cannot be written. The counts must stay in
// memory, and be saved as soon as that is possible. The error must be reported once.
func TestUnwritable(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "usage")
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // a file takes the place of the folder, so it cannot be created
		t.Fatal(err)
	}
	var reports []string
	c := keyuse.Open(folder, func() []string { return []string{"lab"} }, func(err error) { reports = append(reports, fmt.Sprint(err)) })
	for range 2 {
		c.Count("lab", noon)
		c.Save()
	}
	if len(reports) != 1 || !strings.Contains(reports[0], "is not a directory") {
		t.Errorf("reports are %q, want one that says that the folder is not a directory", reports)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	c.Save()
	want(t, folder, keyuse.Keys{"lab": {First: noon, Last: noon, Requests: 2}})
	if len(reports) != 2 || reports[1] != "<nil>" {
		t.Errorf("reports are %q, want a second report of nil", reports)
	}
}

// TestDamaged checks that a damaged file of counts is reported and never overwritten.
func TestDamaged(t *testing.T) {
	for _, text := range []string{"", "{", "null", `{"lab":[]}`} {
		folder := t.TempDir()
		path := filepath.Join(folder, "keys.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var report error
		c := keyuse.Open(folder, func() []string { return []string{"lab"} }, func(err error) { report = err })
		c.Count("lab", noon)
		c.Save()
		if report == nil || !strings.Contains(report.Error(), path+" is damaged") {
			t.Errorf("file %q: error %v, want that it is damaged", text, report)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("file %q was changed to %q, %v", text, after, err)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	c := keyuse.Open("", func() []string { return nil }, func(error) {})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			c.Count("lab", noon)
		}
	})
}
