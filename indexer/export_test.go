package indexer_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"bencao/indexer"
	"bencao/indexer/sample"
	"bencao/store"
	"bencao/store/snapshot"
)

// ample returns the package of tiny with additions: tables that the indexer would otherwise derive,
// a row that is rejected, and rows that are out of order.
func ample() fstest.MapFS {
	pkg := tiny()
	text := string(pkg["datapackage.json"].Data)
	for name, rows := range map[string]string{
		"flora":              "species_id,flora,name_in_flora,volume,page\n2,FRPS,Panax ginseng,54,180–183\n1,FRPS,,54,\n2,FOC,,13,\n",
		"formula_codes":      "formula_id,system,code,label\n2,local,9,\n1,local,1,x\n",
		"species_formulas":   "species_id,formula_id,evidence\n3,2,a book\n2,1,\n",
		"formula_similarity": "formula_id,other_id,method,value\n2,1,jaccard,0.5\n1,2,jaccard,0.25\n1,3,euclidean,1.5\n",
		"name_matches":       "species_id,match_type,score,accepted_name\n4,variant,0.75,Panax trifolius\n",
	} {
		pkg[name+".csv"] = &fstest.MapFile{Data: []byte(rows)}
		text = strings.Replace(text, `"resources": [`, fmt.Sprintf(`"resources": [{"name": %q, "path": %q},`, name, name+".csv"), 1)
	}
	pkg["datapackage.json"] = &fstest.MapFile{Data: []byte(text)}
	pkg["synonyms.csv"].Data = append(pkg["synonyms.csv"].Data, "3,99,Panax nemo,,,\n2,2,Panax alias,,,\n"...)
	for _, row := range []string{"2,人衔,historical,\n", "1,洋参,,\n"} {
		pkg["aliases.csv"].Data = append(pkg["aliases.csv"].Data, row...)
	}
	return pkg
}

// shuffled returns a package with the rows of every table in another order. It does not change
// tables whose rows have no ids, because rows without ids are numbered in file order.
func shuffled(tb testing.TB, pkg fs.FS) fs.FS {
	tb.Helper()
	out := fstest.MapFS{}
	random := rand.New(rand.NewPCG(3, 4))
	names, err := fs.Glob(pkg, "*")
	must(tb, err)
	for _, name := range names {
		text, err := fs.ReadFile(pkg, name)
		must(tb, err)
		numbered := name == "flora.csv" && !bytes.HasPrefix(text, []byte("id,"))
		if strings.HasSuffix(name, ".csv") && !numbered {
			rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
			must(tb, err)
			random.Shuffle(len(rows)-1, func(i, j int) { rows[1+i], rows[1+j] = rows[1+j], rows[1+i] })
			var b bytes.Buffer
			must(tb, csv.NewWriter(&b).WriteAll(rows))
			text = b.Bytes()
		}
		out[name] = &fstest.MapFile{Data: text}
	}
	return out
}

// kept returns the path and the content of the package in the current snapshot.
func kept(tb testing.TB, data string) (path string, content []byte) {
	tb.Helper()
	p, err := snapshot.At(data).Current()
	must(tb, err)
	path = filepath.Join(data, "snapshots", p.ID, indexer.PackageFile)
	content, err = os.ReadFile(path)
	must(tb, err)
	return path, content
}

// responses returns every API response that a store can give. The key of a response describes its
// request.
func responses(tb testing.TB, data string) map[string]string {
	tb.Helper()
	tx := current(tb, data)
	all := map[string]string{"stats": string(tx.Stats())}
	say := func(t appender, parts ...any) {
		all[fmt.Sprint(parts...)] = string(t.Append(nil, "https://plants.example", store.Composition|store.Similarity))
	}
	for n := range store.Num(tx.Count(store.TableSpecies)) {
		say(tx.SpeciesSummary(n), "species ", n)
		say(tx.SpeciesDetail(n), "species ", n, " detail")
		say(tx.SpeciesFlora(n), "species ", n, " flora")
		say(tx.SpeciesUses(n), "species ", n, " uses")
		say(tx.SpeciesPapers(n), "species ", n, " papers")
		all[fmt.Sprint("species ", n, " formulas")] = fmt.Sprint(tx.SpeciesFormulas(n))
	}
	for n := range store.Num(tx.Count(store.TableFormulas)) {
		say(tx.FormulaSummary(n), "formula ", n)
		say(tx.FormulaDetail(n, store.Composition|store.Similarity), "formula ", n, " detail")
	}
	for n := range store.Num(tx.Count(store.TablePapers)) {
		say(tx.PaperSummary(n), "paper ", n)
	}
	return all
}

// TestPackageComesBack builds again, once from the package in a snapshot and once from the source
// with its rows in another order. The API responses and the package in the snapshot must be the
// same, byte for byte, as in the first build.
func TestPackageComesBack(t *testing.T) {
	oneByOne(t)
	for name, pkg := range map[string]fs.FS{"ample": ample(), "sample": sample.Package()} {
		t.Run(name, func(t *testing.T) {
			if name == "sample" {
				oneByOne(t)
			}
			first := config(t, pkg)
			first.Limits.Allow("rejects", "synonyms")
			first.Limits.First = true // the first build looks implausible: its checklist has only four names
			build := func(cfg indexer.Config) {
				now := func() time.Time { return time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC) }
				if _, err := indexer.Run(context.Background(), cfg, indexer.Options{Now: now}); err != nil {
					t.Fatal(err)
				}
			}
			build(first)
			path, want := kept(t, first.Data)
			wantResponses := responses(t, first.Data)

			again := config(t, nil)
			again.Limits.First = true
			again.Package = indexer.Input{Path: path}
			build(again)
			other := config(t, shuffled(t, pkg))
			other.Limits = first.Limits
			build(other)
			for what, cfg := range map[string]indexer.Config{"the kept package": again, "rows in another order": other} {
				if _, got := kept(t, cfg.Data); !bytes.Equal(got, want) {
					t.Errorf("%s: the snapshot has a package of %d bytes, want the same %d bytes as in the first build", what, len(got), len(want))
				}
				got := responses(t, cfg.Data)
				if len(got) != len(wantResponses) {
					t.Errorf("%s: %d responses, want %d", what, len(got), len(wantResponses))
				}
				for address, body := range wantResponses {
					if got[address] != body {
						t.Fatalf("%s: %s is\n%s\nwant\n%s", what, address, got[address], body)
					}
				}
			}
		})
	}
}
