package made_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/tools/bench/made"
)

// TestSameScaleSameBytes makes sources of the same scale twice, since measurements are compared only
// over the same sources.
func TestSameScaleSameBytes(t *testing.T) {
	if first, second := digest(t, write(t, 0.001)), digest(t, write(t, 0.001)); !bytes.Equal(first, second) {
		t.Errorf("sources of scale 1/1000 have the digest %x, and then %x", first, second)
	}
}

// digest returns the digest of all files in a folder and of their names.
func digest(t *testing.T, dir string) []byte {
	t.Helper()
	h := sha256.New()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		io.WriteString(h, name+"\n")
		h.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return h.Sum(nil)
}

// TestPackageIsWhole checks that the package is valid and has the right numbers of records.
func TestPackageIsWhole(t *testing.T) {
	dir := write(t, 0.002)
	src, err := archive.Open(filepath.Join(dir, made.PackageDir), archive.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	log := &finding.Log{}
	p, err := datapackage.Read(context.Background(), src, datapackage.Options{}, log)
	if err != nil {
		t.Fatal(err)
	}
	if n := log.Total(finding.Reject); n > 0 {
		t.Errorf("%d rows are rejected, want none: %v", n, log.Counts())
	}
	for table, n := range map[string]int{"species": 90, "formulas": 200, "papers": 2000, "uses": 600} {
		if got := p.Table(table).Kept; got != n {
			t.Errorf("table %s has %d rows at 1/500, want %d", table, got, n)
		}
	}
}

// TestProportions checks the proportions on which measurements depend: a few words are in most
// titles and most words in few, half of the formulas share their name, most genera are small.
func TestProportions(t *testing.T) {
	dir := write(t, 0.01)
	titles := column(t, dir, "package/papers.csv", 1)
	count := map[string]int{}
	for _, title := range titles {
		seen := map[string]bool{}
		for _, w := range strings.Fields(strings.ToLower(title)) {
			if !seen[w] {
				seen[w] = true
				count[w]++
			}
		}
	}
	var counts []int
	once := 0
	for _, n := range count {
		counts = append(counts, n)
		if n == 1 {
			once++
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(counts)))
	if most := float64(counts[0]) / float64(len(titles)); most < 0.1 {
		t.Errorf("the commonest word is in %.2f of the titles, want 0.1 or more", most)
	}
	if share := float64(once) / float64(len(count)); share < 0.1 {
		t.Errorf("%.2f of the words of titles occur once, want 0.1 or more", share)
	}
	names := map[string]int{}
	all := column(t, dir, "package/formulas.csv", 2)
	for _, n := range all {
		names[n]++
	}
	if share := float64(len(names)) / float64(len(all)); share < 0.35 || share > 0.65 {
		t.Errorf("formulas have %.2f names each, want about half", share)
	}
	genera := map[string]int{}
	for _, g := range column(t, dir, "package/species.csv", 9) {
		genera[g]++
	}
	small, large := 0, 0
	for _, n := range genera {
		if n <= 2 {
			small++
		}
		large = max(large, n)
	}
	if small*2 < len(genera) || large < 10 {
		t.Errorf("%d of %d genera have one or two species and the largest %d, want most small and some large", small, len(genera), large)
	}
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := made.Write(t.Context(), dir, 0.001); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a folder with files: %v, want that it is not empty", err)
	}
	if err := made.Write(t.Context(), filepath.Join(dir, "new"), 0); err == nil || !strings.Contains(err.Error(), "scale is 0") {
		t.Errorf("scale 0: %v, want an error about the scale", err)
	}
}

func write(t *testing.T, scale float64) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "made")
	if err := made.Write(t.Context(), dir, scale); err != nil {
		t.Fatal(err)
	}
	return dir
}

func column(t *testing.T, dir, file string, n int) (out []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		out = append(out, row[n])
	}
	return out
}
