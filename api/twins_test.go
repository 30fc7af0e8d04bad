package api_test

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"bencao/internal/test/indextest"
	"bencao/store"
)

// twin returns a snapshot of the sample's data package. If changed is set, each formula has the
// ingredients of another one.
func twin(t *testing.T, changed bool) (dir string) {
	t.Helper()
	root := t.TempDir()
	t.Cleanup(func() { // the folders of a snapshot are read-only
		must(t, filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			return os.Chmod(name, 0o755)
		}))
	})
	pkg := filepath.Join(root, "package")
	must(t, os.CopyFS(pkg, os.DirFS("../indexer/sample/package")))
	if changed {
		name := filepath.Join(pkg, "formula_ingredients.csv")
		rows := readRows(t, name)
		var formulas []string
		for _, row := range rows[1:] {
			if !slices.Contains(formulas, row[0]) {
				formulas = append(formulas, row[0])
			}
		}
		for _, row := range rows[1:] {
			row[0] = formulas[(slices.Index(formulas, row[0])+1)%len(formulas)]
		}
		var out bytes.Buffer
		must(t, csv.NewWriter(&out).WriteAll(rows))
		must(t, os.WriteFile(name, out.Bytes(), 0o644))
	}
	build, err := indextest.Run(t.Context(), filepath.Join(root, "data"), pkg)
	must(t, err)
	return build.Dir
}

// readRows reads a CSV file.
func readRows(t *testing.T, name string) [][]string {
	t.Helper()
	b, err := os.ReadFile(name)
	must(t, err)
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	must(t, err)
	return rows
}

// TestTwins asks two servers whose snapshots differ in guarded data alone: the formulas have the
// ingredients of other formulas. Their answers to keys without the scope of the ingredients must be
// the same, including the order of lists.
func TestTwins(t *testing.T) {
	one := start(t, config{dir: twin(t, false), site: siteURL})
	other := start(t, config{dir: twin(t, true), site: siteURL})
	var paths []string
	for _, kind := range []string{"species", "herbs", "formulas", "papers"} {
		for _, q := range []string{"", "桂枝", "汤", "参", "gui zhi tang", "Panax", "甘草"} {
			for _, sort := range []string{"", "name", "year", "prominence"} {
				paths = append(paths, "/"+kind+"?pageSize=100&sort="+sort+"&q="+url.QueryEscape(q), "/"+kind+"?pageSize=100&page=2&sort="+sort+"&q="+url.QueryEscape(q))
			}
			paths = append(paths, "/suggest?q="+url.QueryEscape(q))
		}
	}
	for page := range 4 {
		list := decode[pageOf[store.FormulaSummary]](t, one.get(t, "/api/v1/formulas?pageSize=100&page="+strconv.Itoa(page+1)).wantStatus(t, http.StatusOK))
		for _, f := range list.Items {
			paths = append(paths, "/formulas/"+f.GUID, "/formulas?pageSize=100&name="+url.QueryEscape(string(f.Name)))
		}
	}
	differ := 0
	for _, key := range []string{"formulas", "open"} {
		for _, path := range paths {
			a, b := one.do(t, http.MethodGet, "/api/v1"+path, key), other.do(t, http.MethodGet, "/api/v1"+path, key)
			if a.StatusCode != b.StatusCode || a.StatusCode == http.StatusOK && string(a.body) != string(b.body) {
				if differ++; differ <= 5 {
					t.Errorf("key %s, %s: the answers of twins differ: %d %.600s\nand %d %.600s", key, path, a.StatusCode, a.body, b.StatusCode, b.body)
				}
			}
		}
	}
	t.Logf("%d answers of twins compared, %d differ", 2*len(paths), differ)
	const of = "/api/v1/formulas/7c0dea0f-00af-56ad-9a48-171a85941d9e" // 桂枝汤
	a, b := one.get(t, of).wantStatus(t, http.StatusOK), other.get(t, of).wantStatus(t, http.StatusOK)
	if string(a.body) == string(b.body) {
		t.Error("the twins do not differ in guarded data, so the test proves nothing")
	}
}
