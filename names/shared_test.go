package names_test

import (
	"archive/zip"
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/internal/test/leak"
	"bencao/names"
	"bencao/names/internal/checklist"
)

// findShared returns the folder of shared test data. This data is not in the repository, because it
// is too large or its licence does not allow it.
func findShared() (string, error) {
	return fullsize.Find(".")
}

// sharedDir returns the folder of the shared test data, or skips the test.
func sharedDir(tb testing.TB) string {
	tb.Helper()
	return fullsize.Path(tb, ".")
}

// realIndex is the index of all shared checklists and the database. It is built once for all tests
// of a run.
var realIndex = struct {
	once sync.Once
	dir  string
	ix   *names.Index
	err  error
}{}

func TestMain(m *testing.M) {
	leak.Main(m, func() error {
		if realIndex.ix == nil {
			return os.RemoveAll(realIndex.dir)
		}
		return errors.Join(realIndex.ix.Close(), os.RemoveAll(realIndex.dir))
	})
}

func sharedIndex(tb testing.TB) *names.Index {
	tb.Helper()
	dir := sharedDir(tb)
	if testing.Short() {
		tb.Skip("SKIPPED, NOT PASSED: building the real index takes too long for -short")
	}
	realIndex.once.Do(func() {
		realIndex.dir, realIndex.err = os.MkdirTemp("", "names")
		if realIndex.err != nil {
			return
		}
		b := names.NewBuilder()
		if realIndex.err = addShared(b, dir); realIndex.err != nil {
			return
		}
		file := filepath.Join(realIndex.dir, "names.idx")
		if realIndex.err = b.WriteFile(file); realIndex.err != nil {
			return
		}
		realIndex.ix, realIndex.err = names.Open(file)
	})
	if realIndex.err != nil {
		tb.Fatalf("build the real index: %v", realIndex.err)
	}
	return realIndex.ix
}

// addShared adds the shared checklists and the database to b. It reads only the fields that the
// tests need.
func addShared(b *names.Builder, dir string) error {
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	err := eachRow(filepath.Join(dir, "data", "wcvp.zip"), "wcvp_names.csv", '|', func(r map[string]string) error {
		st, _ := names.ParseStatus(r["taxon_status"])
		return c.Add(names.Usage{
			ID: r["plant_name_id"], AcceptedID: r["accepted_plant_name_id"], Name: r["taxon_name"], Author: r["taxon_authors"],
			Rank: r["taxon_rank"], Status: st, Family: r["family"], IPNIID: r["ipni_id"],
		})
	})
	if err != nil {
		return err
	}
	c = b.Checklist(names.Checklist{Source: checklist.SourceWFO, Name: "WFO", Version: "test"})
	err = eachRow(filepath.Join(dir, "data", "wfo-dwca.zip"), "classification.csv", '\t', func(r map[string]string) error {
		st, _ := names.ParseStatus(r["taxonomicStatus"])
		return c.Add(names.Usage{
			ID: r["taxonID"], AcceptedID: r["acceptedNameUsageID"], Name: r["scientificName"], Author: r["scientificNameAuthorship"],
			Rank: r["taxonRank"], Status: st, Family: r["family"], IPNIID: r["scientificNameID"],
		})
	})
	if err != nil {
		return err
	}
	c = b.Checklist(names.Checklist{Source: checklist.SourceColChina, Name: "CoL-China", Version: "2024"})
	err = eachRow(filepath.Join(dir, "data", "col-china.zip"), "", ',', func(r map[string]string) error {
		return c.Add(names.Usage{Name: r["物种拉丁名"], ChineseName: r["物种中文名"], Family: r["科拉丁名"], Status: names.Accepted})
	})
	if err != nil {
		return err
	}
	return addDatabase(b, filepath.Join(dir, "data", "china-plants.zip"))
}

func addDatabase(b *names.Builder, file string) error {
	synonyms := make(map[string][]names.RecordSynonym)
	err := eachRow(file, "synonyms.csv", ',', func(r map[string]string) error {
		synonyms[r["species_id"]] = append(synonyms[r["species_id"]], names.RecordSynonym{Name: r["name"], Author: r["author"], Rank: r["rank"], Status: r["status"]})
		return nil
	})
	if err != nil {
		return err
	}
	aliases := make(map[string][]names.RecordAlias)
	err = eachRow(file, "aliases.csv", ',', func(r map[string]string) error {
		aliases[r["species_id"]] = append(aliases[r["species_id"]], names.RecordAlias{Name: r["name"]})
		return nil
	})
	if err != nil {
		return err
	}
	err = eachRow(file, "species.csv", ',', func(r map[string]string) error {
		id, err := strconv.Atoi(r["entry_id"])
		if err != nil {
			return err
		}
		return b.Record(names.Record{
			EntryID: int32(id), GUID: r["guid"], ChineseName: r["chinese_name"], Pinyin: r["chinese_name_pinyin"],
			ScientificName: r["scientific_name"], Author: r["author"], Rank: r["rank"], Family: r["family"], GenusChinese: r["genus_chinese"],
			Synonyms: synonyms[r["entry_id"]], Aliases: aliases[r["entry_id"]],
		})
	})
	if err != nil {
		return err
	}
	err = eachRow(file, "herb_species.csv", ',', func(r map[string]string) error {
		id, err := strconv.Atoi(r["species_id"])
		b.Herb(r["herb"], []int32{int32(id)})
		return err
	})
	b.HerbNames()
	return err
}

// eachRow calls f with each row of a table in a zip file. name is the name of the table in the zip
// file; "" means the first one. Quotes are parsed only in comma-separated tables.
func eachRow(file, name string, comma rune, f func(map[string]string) error) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, zf := range z.File {
		if name != "" && path.Base(zf.Name) != name {
			continue
		}
		r, err := zf.Open()
		if err != nil {
			return err
		}
		defer r.Close()
		next := lines(r, comma)
		head, err := next()
		if err != nil {
			return err
		}
		head = append([]string(nil), head...)
		row := make(map[string]string, len(head))
		for {
			cells, err := next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			for i, h := range head {
				row[h] = ""
				if i < len(cells) {
					row[h] = cells[i]
				}
			}
			if err := f(row); err != nil {
				return err
			}
		}
	}
	return os.ErrNotExist
}

func lines(r io.Reader, comma rune) func() ([]string, error) {
	if comma == ',' {
		c := csv.NewReader(r)
		c.FieldsPerRecord = -1
		return func() ([]string, error) {
			cells, err := c.Read()
			if len(cells) > 0 {
				cells[0] = strings.TrimPrefix(cells[0], "\ufeff")
			}
			return cells, err
		}
	}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	return func() ([]string, error) {
		if !sc.Scan() {
			if sc.Err() != nil {
				return nil, sc.Err()
			}
			return nil, io.EOF
		}
		return strings.Split(strings.TrimPrefix(sc.Text(), "\ufeff"), string(comma)), nil
	}
}
