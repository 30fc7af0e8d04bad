package usage_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/api/usage"

	"github.com/google/go-cmp/cmp"
)

var now = time.Now().UTC().Truncate(time.Second)

func day(ago int) string { return now.AddDate(0, 0, -ago).Format(time.DateOnly) }

func hit(key string, ago, status int) usage.Hit {
	return usage.Hit{Key: key, Status: status, Names: 2, Bytes: 10, At: now.AddDate(0, 0, -ago)}
}

func days(t *testing.T, b *usage.Book) usage.Days {
	t.Helper()
	d, err := b.Days()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Two servers over one folder, one of them killed: nothing that was saved is
// lost, and nothing is counted twice.
func TestTwoBooks(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "usage")
	old, successor := usage.Open(folder, usage.Options{}), usage.Open(folder, usage.Options{})
	for _, h := range []usage.Hit{hit("lab", 1, 200), hit("lab", 0, 200), hit("lab", 0, 429), hit("lab", 0, 403), hit(usage.Other, 0, 401)} {
		old.Count(h)
	}
	successor.Count(hit("lab", 0, 200))
	for _, b := range []*usage.Book{old, successor, old} {
		if err := b.Save(); err != nil {
			t.Fatal(err)
		}
	}
	old.Count(hit("lost", 0, 200)) // it is killed now
	want := usage.Days{
		day(1): {"lab": {Requests: 1, Names: 2, Bytes: 10, Last: now.AddDate(0, 0, -1)}},
		day(0): {
			"lab":       {Requests: 4, Forbidden: 1, Limited: 1, Names: 8, Bytes: 40, Last: now},
			usage.Other: {Requests: 1, Unauthorized: 1, Names: 2, Bytes: 10, Last: now},
		},
	}
	if diff := cmp.Diff(want, days(t, successor)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	keys := want.Keys(day(0), []string{"idle", "lab"})
	if len(keys) != 3 || keys[0].ID != usage.Other || keys[1].ID != "idle" || !keys[1].Last.IsZero() || keys[2].Requests != 4 || len(keys[2].Days) != 1 {
		t.Errorf("by key: %+v", keys)
	}
}

// What is older than 400 days goes, in memory and on the disk.
func TestOldDaysGo(t *testing.T) {
	folder := t.TempDir()
	stale := filepath.Join(folder, day(usage.KeepDays)+".json")
	for _, name := range []string{stale, filepath.Join(folder, day(usage.KeepDays-1)+".json"), filepath.Join(folder, "notes.json")} {
		if err := os.WriteFile(name, []byte(`{"keys":{"lab":{"requests":7}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := usage.Open(folder, usage.Options{})
	b.Count(hit("lab", usage.KeepDays+1, 200))
	b.Count(hit("lab", 0, 200))
	if err := b.Save(); err != nil {
		t.Fatal(err)
	}
	got := days(t, b)
	if len(got) != 2 || got[day(usage.KeepDays-1)]["lab"].Requests != 7 || got[day(0)]["lab"].Requests != 1 {
		t.Errorf("kept %v", got)
	}
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", stale, err)
	}
}

// Where nothing can be written the counts stay in memory, which is said once,
// and are saved when something can.
func TestInMemoryUntilSaved(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "usage")
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // a file is no folder
		t.Fatal(err)
	}
	var said []string
	b := usage.Open(folder, usage.Options{Report: func(err error) { said = append(said, fmt.Sprint(err)) }})
	for range 2 {
		b.Count(hit("lab", 0, 200))
		if b.Save() == nil {
			t.Fatal("saved into a file")
		}
	}
	if len(said) != 1 || !strings.Contains(said[0], "is not a directory") {
		t.Errorf("said %q", said)
	}
	if got, err := b.Days(); err == nil || got[day(0)]["lab"].Requests != 2 {
		t.Errorf("in memory are %v, %v", got, err)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	if err := b.Save(); err != nil {
		t.Fatal(err)
	}
	if got := days(t, usage.Open(folder, usage.Options{})); got[day(0)]["lab"].Requests != 2 || len(said) != 2 || said[1] != "<nil>" {
		t.Errorf("saved %v, said %q", got, said)
	}
}

// A damaged file is said to be so, and is not written over.
func TestDamaged(t *testing.T) {
	for _, text := range []string{"", "{", "{}", `{"keys":[]}`} {
		folder := t.TempDir()
		path := filepath.Join(folder, day(0)+".json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b := usage.Open(folder, usage.Options{})
		b.Count(hit("lab", 0, 200))
		if err := b.Save(); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
			t.Errorf("%q: %v", text, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("%q has become %q, %v", text, after, err)
		}
	}
}

// Run saves by itself; ids beyond a bound count together.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	b := usage.Open(folder, usage.Options{Every: time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all sync.WaitGroup
	all.Go(func() { b.Run(ctx) })
	const ids = 10_010
	for i := range ids {
		b.Count(hit(fmt.Sprintf("key-%d", i), 0, 200))
	}
	for sum := 0; sum < ids; {
		kept, err := usage.Read(folder)
		if err != nil {
			t.Fatal(err)
		}
		sum = 0
		for _, c := range kept[day(0)] {
			sum += int(c.Requests)
		}
	}
	cancel()
	all.Wait()
	if got := len(days(t, b)[day(0)]); got > 10_001 {
		t.Errorf("%d ids are kept", got)
	}
}

func BenchmarkCount(b *testing.B) {
	book := usage.Open("", usage.Options{})
	h := hit("lab", 0, 200)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			book.Count(h)
		}
	})
}
