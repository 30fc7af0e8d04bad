package usage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bencao/api/usage"

	"github.com/google/go-cmp/cmp"
)

var now = time.Now().UTC().Truncate(time.Second)

// hit returns a request that was answered daysAgo days ago.
func hit(key string, daysAgo, status int) usage.Hit {
	return usage.Hit{Key: key, Status: status, Names: 2, Bytes: 10, At: now.AddDate(0, 0, -daysAgo)}
}

// TestTwoCounters lets two servers share a folder. One of them is killed. Counts that were saved
// must be neither lost nor counted twice.
func TestTwoCounters(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "usage")
	first, second := usage.Open(folder, nil), usage.Open(folder, nil)
	for _, h := range []usage.Hit{hit("lab", 1, 200), hit("lab", 0, 200), hit("lab", 0, 429), hit("lab", 0, 403), hit(usage.Other, 0, 401)} {
		first.Count(h)
	}
	second.Count(hit("lab", 0, 200))
	for _, c := range []*usage.Counter{first, second, first} {
		if err := c.Save(); err != nil {
			t.Fatal(err)
		}
	}
	first.Count(hit("lost", 0, 200)) // this count is lost, because the server is killed before the next save
	want := usage.Keys{
		"lab":       {Requests: 5, Forbidden: 1, Limited: 1, Names: 10, Bytes: 50, Since: now.AddDate(0, 0, -1), Last: now},
		usage.Other: {Requests: 1, Unauthorized: 1, Names: 2, Bytes: 10, Since: now, Last: now},
	}
	got, err := second.Keys()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// TestOldKeys checks that the counts of a key are removed 400 days after its last request.
func TestOldKeys(t *testing.T) {
	c := usage.Open(t.TempDir(), nil)
	c.Count(hit("gone", 401, 200))
	c.Count(hit("kept", 399, 200))
	got, err := c.Keys()
	if err != nil || len(got) != 1 || got["kept"].Requests != 1 {
		t.Errorf("got %v, %v; want the key kept only", got, err)
	}
}

// TestUnwritable counts requests while the folder cannot be written. The counts must stay in
// memory, and be saved as soon as that is possible. The error must be reported once.
func TestUnwritable(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "usage")
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // a file takes the place of the folder, so it cannot be created
		t.Fatal(err)
	}
	var reports []string
	c := usage.Open(folder, func(err error) { reports = append(reports, fmt.Sprint(err)) })
	for range 2 {
		c.Count(hit("lab", 0, 200))
		if c.Save() == nil {
			t.Fatal("Save succeeds although the folder is a file")
		}
	}
	if len(reports) != 1 || !strings.Contains(reports[0], "is not a directory") {
		t.Errorf("reports are %q, want one that says that the folder is not a directory", reports)
	}
	if got, err := c.Keys(); err == nil || got["lab"].Requests != 2 {
		t.Errorf("in memory are %v, %v; want 2 requests and an error", got, err)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	if got, err := usage.Read(folder); err != nil || got["lab"].Requests != 2 || len(reports) != 2 || reports[1] != "<nil>" {
		t.Errorf("saved are %v, %v, reports are %q; want 2 requests and a second report of nil", got, err, reports)
	}
}

// TestDamaged checks that a damaged file of counts is reported and never overwritten.
func TestDamaged(t *testing.T) {
	for _, text := range []string{"", "{", "{}", `{"keys":[]}`} {
		folder := t.TempDir()
		path := filepath.Join(folder, "keys.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := usage.Open(folder, nil)
		c.Count(hit("lab", 0, 200))
		if err := c.Save(); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
			t.Errorf("file %q: error %v, want that it is damaged", text, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("file %q was changed to %q, %v", text, after, err)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	c := usage.Open("", nil)
	h := hit("lab", 0, 200)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			c.Count(h)
		}
	})
}
