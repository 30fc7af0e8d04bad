package indexer_test

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bencao/indexer"
)

// TestCroissantLeadsToTheTables finds every column that croissant.json describes. Like a program
// that loads the data, it uses only the hash, the file name and the column name in croissant.json.
func TestCroissantLeadsToTheTables(t *testing.T) {
	oneByOne(t)
	cfg := config(t, tiny())
	cfg.Limits.First = true
	if _, err := indexer.Run(context.Background(), cfg, indexer.Options{}); err != nil {
		t.Fatal(err)
	}
	path, content := kept(t, cfg.Data)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "croissant.json"))
	must(t, err)
	type ref struct {
		ID string `json:"@id"`
	}
	var doc struct {
		ConformsTo   string
		Name         string
		Description  string
		Distribution []struct {
			ID             string `json:"@id"`
			ContentURL     string
			ContainedIn    ref
			EncodingFormat string
			SHA256         string
		}
		RecordSet []struct {
			ID    string `json:"@id"`
			Key   []ref
			Field []struct {
				ID       string `json:"@id"`
				DataType string
				Source   struct {
					FileObject ref
					Extract    struct{ Column string }
				}
				References *struct{ Field ref }
			}
		}
	}
	must(t, json.Unmarshal(text, &doc))
	if doc.ConformsTo != "http://mlcommons.org/croissant/1.0" || doc.Name == "" || doc.Description == "" || len(doc.RecordSet) == 0 {
		t.Fatalf("croissant.json says %s", text)
	}
	if of := doc.Distribution[0]; of.ContentURL != indexer.PackageFile || of.SHA256 != fmt.Sprintf("%x", sha256.Sum256(content)) {
		t.Errorf("the package is described as %+v", of)
	}
	pack, err := zip.OpenReader(path)
	must(t, err)
	defer pack.Close()
	headers := map[string][]string{}
	for _, file := range doc.Distribution[1:] {
		f, err := pack.Open(file.ContentURL)
		if err != nil || file.ContainedIn.ID != indexer.PackageFile {
			t.Fatalf("%s: %v, in %q", file.ContentURL, err, file.ContainedIn.ID)
		}
		header, err := csv.NewReader(f).Read()
		must(t, err)
		headers[file.ID] = header
		f.Close()
	}
	fields := map[string]bool{}
	for _, set := range doc.RecordSet {
		for _, f := range set.Field {
			fields[f.ID] = true
			if !slices.Contains(headers[f.Source.FileObject.ID], f.Source.Extract.Column) || f.DataType == "" {
				t.Errorf("field %+v is in no file", f)
			}
		}
	}
	for _, set := range doc.RecordSet {
		for _, k := range set.Key {
			if !fields[k.ID] {
				t.Errorf("the key %s of %s is no field", k.ID, set.ID)
			}
		}
		for _, f := range set.Field {
			if f.References != nil && !fields[f.References.Field.ID] {
				t.Errorf("%s refers to %s, which is no field", f.ID, f.References.Field.ID)
			}
		}
	}
}
