package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ladder maps each folder of this module to the other folders that it may import. A new folder
// changes the architecture: see ARCHITECTURE.md.
var ladder = map[string][]string{
	"names":    {},
	"store":    {"names/han", "names/region"},
	"mappings": {"store", "names/han", "names/pinyin", "names/editdistance", "names/ranks", "names/herb", "names/vernacular", "names/complaint", "names/region"},
	"indexer":  {"names", "store", "mappings", "internal/snapshotfiles"},
	"api":      {"names", "store", "mappings", "internal/snapshotfiles"},
	"cmd":      {"names", "store", "mappings", "internal/snapshotfiles", "indexer", "api"},
	"internal": {"names/editdistance"}, // every folder may import internal

	"internal/snapshotfiles": {"names", "store", "mappings"},
}

// kits is the folder of what only tests use. It may import any folder, and no program links it.
const kits = "internal/test"

// leaves lists folders that import no folder of this module except other leaves, even if the ladder
// allows more. It maps each leaf to the leaves that it may import.
var leaves = map[string][]string{
	"store/snapshot": {},
	"names/han":      {},
	"names/pinyin":   {"names/han"},
	"names/herb":     {"names/han", "names/editdistance", "names/vernacular"},

	"names/vernacular": {"names/han"},
	"names/complaint":  {"names/han"},
	"names/region":     {"names/han"},

	"names/editdistance": {},
	"names/ranks":        {},
}

// plain lists the top-level folders that have no package of the program.
var plain = []string{"clients", "docs", "deploy", ".ci", ".git", ".github", "bin", "data"}

// owners maps each library to the folders that may import it. If the library is replaced, only
// these folders change.
var owners = map[string][]string{
	"github.com/gnames/gnparser":                   {"names"},
	"go.etcd.io/bbolt":                             {"store"},
	"github.com/blevesearch/bleve/v2":              {"mappings"},
	"github.com/mozillazg/go-pinyin":               {"names/pinyin"},
	"github.com/RoaringBitmap/roaring/v2":          {"mappings"},
	"github.com/gin-gonic/gin":                     {"api"},
	"github.com/klauspost/compress":                {"api", "store"},
	"github.com/coreos/go-systemd/v22":             {"api/listen"},
	"github.com/prometheus/client_golang":          {"api"},
	"github.com/gomodule/redigo":                   {"api/limits/redis"},
	"golang.org/x/net":                             {"api"},
	"github.com/go-json-experiment/json":           {"api/explorer"},
	"github.com/goccy/go-yaml":                     {"indexer/coldp"},
	"github.com/google/uuid":                       {"indexer"},
	"github.com/pelletier/go-toml/v2":              {"api/access", "cmd"},
	"github.com/spf13/cobra":                       {"cmd"},
	"github.com/spf13/pflag":                       {"cmd"},
	"github.com/schollz/progressbar/v3":            {"cmd"},
	"golang.org/x/term":                            {"cmd"},
	"github.com/lmittmann/tint":                    {"cmd"},
	"github.com/mattn/go-runewidth":                {"cmd"},
	"golang.org/x/sys":                             {"internal", "names", "store", "api/access"},
	"golang.org/x/sync":                            {"store", "mappings", "indexer", "cmd"},
	"golang.org/x/text":                            {"names", "mappings", "indexer", "api", "internal/test/mutant", "internal/rows"},
	"modernc.org/sqlite":                           {"indexer/export/sqlite"},
	"go.uber.org/goleak":                           {"internal/test/leak"},
	"github.com/blevesearch/bleve_index_api":       {"mappings"},
	"github.com/theupdateframework/go-tuf/v2":      {"store/snapshot/trust"},
	"github.com/sigstore/sigstore":                 {"store/snapshot/trust"},
	"github.com/blevesearch/scorch_segment_api/v2": {"mappings"},
	"github.com/blevesearch/zapx/v17":              {"mappings"},
	"github.com/blevesearch/vellum":                {"mappings"},
}

// testOwners is like [owners], for the libraries that only tests import.
var testOwners = map[string][]string{
	"github.com/goccy/go-yaml":                 {"cmd"},
	"github.com/creack/pty":                    {"cmd"},
	"github.com/google/go-cmp":                 {"internal", "names", "store", "mappings", "indexer", "api", "cmd"},
	"github.com/rogpeppe/go-internal":          {"names", "store", "mappings", "indexer", "api", "cmd"},
	"github.com/getkin/kin-openapi":            {"api", "cmd"},
	"github.com/prometheus/common":             {"api", "indexer", "cmd"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"api", "indexer"},
	"golang.org/x/tools":                       {"cmd"},
}

// TestImports checks the rules on imports in ARCHITECTURE.md.
func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(root, name, "go.mod")); err == nil && name != "." {
				return fs.SkipDir // the folder is another module
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") && strings.Contains(name, "/") {
			checkImports(t, root, name)
		}
		return nil
	})
	must(t, err)
}

// checkImports checks the imports of one file.
func checkImports(t *testing.T, root, file string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
	must(t, err)
	folder := path.Dir(file)
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		must(t, err)
		first, rest, _ := strings.Cut(imported, "/")
		switch {
		case first == "bencao":
			if why := climbs(folder, rest, strings.HasSuffix(file, "_test.go")); why != "" {
				t.Errorf("%s imports %s, but %s; see \"Who may import whom\" in ARCHITECTURE.md", file, imported, why)
			}
		case strings.Contains(first, "."):
			allowed := owner(owners, imported)
			if strings.HasSuffix(file, "_test.go") {
				allowed = append(allowed, owner(testOwners, imported)...)
			}
			if !slices.ContainsFunc(allowed, func(o string) bool { return within(folder, o) }) {
				t.Errorf("%s imports %s, which is for %s; add the owner in imports_test.go if it has a good reason",
					file, imported, strings.Join(allowed, ", "))
			}
		}
	}
}

// climbs returns why the file in folder must not import the folder imported. It returns "" if the
// file may import it. test reports whether the file is a test.
func climbs(folder, imported string, test bool) string {
	from, to := rung(folder), rung(imported)
	switch {
	case within(folder, kits), test && within(folder, "internal"):
		return ""
	case within(imported, kits):
		if test {
			return ""
		}
		return "that is for tests"
	case to == "internal":
		return ""
	}
	for leaf, others := range leaves {
		if within(folder, leaf) && !slices.ContainsFunc(append([]string{leaf}, others...), func(l string) bool { return within(imported, l) }) {
			return leaf + " is a leaf: it imports nothing of ours" + but(others)
		}
	}
	if from == to || slices.ContainsFunc(ladder[from], func(below string) bool { return below == to || within(imported, below) }) {
		return ""
	}
	return from + " may import only " + strings.Join(append([]string{from}, ladder[from]...), ", ")
}

// rung returns the longest folder of the ladder that contains folder, or "".
func rung(folder string) string {
	best := ""
	for r := range ladder {
		if within(folder, r) && len(r) > len(best) {
			best = r
		}
	}
	return best
}

// but returns the text " but " and the exceptions of a rule, or "" if there are no exceptions.
func but(exceptions []string) string {
	if len(exceptions) == 0 {
		return ""
	}
	return " but " + strings.Join(exceptions, ", ")
}

// owner returns the folders that table lists for a library. imported is an import path of the
// library.
func owner(table map[string][]string, imported string) []string {
	for library, folders := range table {
		if within(imported, library) {
			return slices.Clone(folders)
		}
	}
	return nil
}

// within reports whether name is the folder dir or a path inside it.
func within(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// TestTopLevel checks that every top-level folder is on the ladder or in [plain].
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	must(t, err)
	for _, e := range entries {
		if _, listed := ladder[e.Name()]; e.IsDir() && !listed && !slices.Contains(plain, e.Name()) {
			t.Errorf("the top-level folder %s is not on the ladder: put its files where they are used, "+
				"or change ARCHITECTURE.md and the ladder here", e.Name())
		}
	}
}

// TestLibrariesHaveOwners checks that go.mod has each library in the tables, and that each owner
// exists.
func TestLibrariesHaveOwners(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	must(t, err)
	for _, table := range []map[string][]string{owners, testOwners} {
		for library, folders := range table {
			if !strings.Contains(string(mod), "\t"+library+" v") {
				t.Errorf("%s is not in go.mod; remove its row from imports_test.go", library)
			}
			for _, f := range folders {
				if _, err := os.Stat(filepath.Join("..", "..", f)); err != nil {
					t.Errorf("%s has the owner %s, which does not exist: %v", library, f, err)
				}
			}
		}
	}
}
