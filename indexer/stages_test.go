package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/store"
	"bencao/store/snapshot"
)

// TestOneRow checks the section "One row, stage by stage" of ARCHITECTURE.md. It takes two
// rows of species.csv through the stages of a build. The document must show the results of each
// stage.
func TestOneRow(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "ARCHITECTURE.md"))
	must(t, err)
	const good, bad = "3,,甘草,,Glycyrrhiza uralensis,Fisch. ex DC.,species,Fabaceae", "3,,光果甘草,,Glycyrrhiza glabra,L.,species,Fabaceae"
	pkg := tiny()
	replace(pkg, "species.csv", good, good+"\n"+bad)
	cfg := config(t, pkg)
	cfg.Limits.MaxRejected = 0.5
	mustRun(t, cfg)
	for _, want := range []string{goodRow(t, cfg.Data, good, pkg), badRow(t, cfg.Data, bad)} {
		if !strings.Contains(string(doc), "```\n"+want+"```\n") {
			t.Errorf("ARCHITECTURE.md, \"One row, stage by stage\", should have:\n%s", want)
		}
	}
}

// goodRow returns the stages of an accepted row.
func goodRow(t *testing.T, data, row string, pkg fs.FS) string {
	t.Helper()
	var out strings.Builder
	stage := func(name, format string, a ...any) { fmt.Fprintf(&out, "%-7s  %s\n", name, fmt.Sprintf(format, a...)) }
	stage("row", "%s", row)

	a, err := archive.FromFS("tiny", pkg, archive.Limits{})
	must(t, err)
	p, err := datapackage.Read(context.Background(), a, datapackage.Options{}, &finding.Log{})
	must(t, err)
	i := slices.IndexFunc(p.Species, func(s store.Species) bool { return strings.Contains(row, string(s.ScientificName)) })
	read := &p.Species[i]
	stage("read", "species %d, %s: %s, %s %s, %s", read.EntryID, read.GUID, read.ChineseName, read.ScientificName, read.Author, read.Family)

	tx := current(t, data)
	n, ok := tx.SpeciesNum(read.GUID)
	if !ok {
		t.Fatalf("species %s is not in the store", read.GUID)
	}
	s := decode[store.SpeciesDetail](t, tx.SpeciesDetail(n))
	stage("pinyin", "%s", s.ChineseNamePinyin)
	for _, f := range tx.SpeciesFormulas(n) {
		f := decode[store.FormulaDetail](t, tx.FormulaDetail(f, store.Composition|store.Similarity))
		for _, in := range f.Ingredients {
			if slices.ContainsFunc(in.Species, func(of store.HerbSpecies) bool { return of.GUID == s.GUID }) {
				stage("link", "formula %d, %s: its %s comes from this species", f.EntryID, f.Name, in.Herb)
			}
		}
	}
	stage("order", "number %d of %d", n, tx.Count(store.TableSpecies))
	m := s.NameMatch
	stage("names", "%s in %s: %s %s, %s", m.MatchType, m.ChecklistVersion, m.AcceptedName, m.AcceptedAuthor, m.AcceptedFamily)
	stage("store", "%s", tx.SpeciesSummary(n).Append(nil, "https://example.org", 0))
	for _, kept := range values(t, data, n) {
		stage("index", "%s", kept)
	}
	return out.String()
}

// values returns, for some search fields, the values by which a species can be found.
func values(t *testing.T, data string, n store.Num) []string {
	t.Helper()
	s, err := snapshot.At(data).OpenCurrent(context.Background())
	must(t, err)
	ix, err := index.Open(s.Path(mappings.SpeciesDir), mappings.Rows(mappings.Species))
	must(t, err)
	var all []string
	for row, r := range ix.Rows {
		if !slices.Contains([]string{"chineseName", "drug", "pinyin", "scientificName"}, r.Name) {
			continue
		}
		if v := ix.Values(row, n); v != "" {
			all = append(all, r.Name+" "+strings.ReplaceAll(strings.TrimSpace(v), "\n", "; "))
		}
	}
	must(t, errors.Join(ix.Close(), s.Close()))
	return all
}

// badRow returns the stages of a rejected row.
func badRow(t *testing.T, data, row string) string {
	t.Helper()
	for _, f := range findings(t, data) {
		if f[0] == "reject" {
			return fmt.Sprintf("%-7s  %s\n%-7s  %s\n", "row", row, "finding", strings.Join(f, ","))
		}
	}
	t.Fatal("no row was rejected")
	return ""
}
