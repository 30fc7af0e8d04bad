//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPullKilledAtEachCall kills a pull with signal 9 before each fsync, rename, removal, hard
// link, mkdir and chmod in the data folder. A pull makes about 110 of these calls, some of them to
// remove the old snapshot and to write the report. After each kill, the old or the new snapshot
// must be current and complete, and the next pull must publish the new one.
func TestPullKilledAtEachCall(t *testing.T) {
	p := newPublisher(t)
	p.pkg, p.checklist = t.TempDir(), "" // a small snapshot needs as many system calls as a large one
	plants := []string{"entry_id,scientific_name,chinese_name,rank", "1,Panax ginseng,人参,species", "2,Ginkgo biloba,银杏,species"}
	build := func(plants []string) string {
		must(t, os.WriteFile(filepath.Join(p.pkg, "datapackage.json"), []byte(`{"name": "few", "version": "1", "resources": [{"name": "species", "path": "species.csv"}]}`), 0o644))
		must(t, os.WriteFile(filepath.Join(p.pkg, "species.csv"), []byte(strings.Join(plants, "\n")+"\n"), 0o644))
		return p.index(t)
	}
	older := build(plants[:2])
	p.nginx.start(t, 0)
	old := p.mirror(t)
	old.pulled(t)
	newer := build(plants)
	calls := slices.Concat(syncs, renames, unlinks, links, mkdirs, chmods)
	// killed pulls into a copy of the mirror and kills the pull before its call number at.
	killed := func(t *testing.T, at int) (*copyOf, ending) {
		t.Helper()
		m := p.mirror(t)
		must(t, os.CopyFS(m.data, os.DirFS(old.data)))
		end := afflict(t, harm{calls: calls, under: m.data, at: at}, "pull", m.url, "--data", m.data, "--keep", "1", "--log", "json")
		return m, end
	}
	_, end := killed(t, 0)
	kinds := map[string]int{}
	for _, call := range end.met {
		kinds[strings.Fields(call)[0]]++
	}
	for kind, least := range map[string]int{"sync": 15, "rename": 4, "unlink": 10, "link": 2, "mkdir": 4, "chmod": 10} {
		if kinds[kind] < least {
			t.Errorf("a pull makes only %d calls of the kind %s, want at least %d; so the test covers too little: %q", kinds[kind], kind, least, end.met)
		}
	}
	if end.code != 0 || t.Failed() {
		t.Fatalf("a pull without a fault ended with %d:\n%s", end.code, end.said)
	}
	t.Logf("%d kills: %v", len(end.met), kinds)
	// The number of calls varies a little from run to run. So the test also tries the next two
	// numbers, which the process may not reach.
	for at := range chosen(len(end.met)+2, end.met, 1) {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			m, end := killed(t, at)
			if killed := end.code == -1; killed != (end.hit != "") || !killed && end.code != 0 {
				t.Fatalf("the fault was at %q, and the exit code is %d:\n%s", end.hit, end.code, end.said)
			}
			want := older
			if slices.ContainsFunc(end.met[:min(at-1, len(end.met))], switches) {
				want = newer
			}
			m.has(t, want)
			m.pulled(t, "--keep", "1")
			m.has(t, newer)
			if left, err := filepath.Glob(filepath.Join(m.data, "snapshots", ".*")); err != nil || len(left) > 0 {
				t.Errorf("temporary files are left: %q, %v", left, err)
			}
			if t.Failed() {
				t.Logf("call %d: %s", at, end.hit)
			}
		})
	}
}
