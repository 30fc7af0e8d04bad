package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer"
	"bencao/indexer/archive"
	"bencao/indexer/coldp"
	"bencao/indexer/csvmap"
	"bencao/indexer/datapackage"
	"bencao/indexer/dwca"
	"bencao/indexer/finding"
	"bencao/indexer/wcvp"
	"bencao/names"
)

// form is a source format with a good source and a call of its reader.
type form struct {
	name  string
	files fstest.MapFS
	// table is the file of rows, to which a test can append rows.
	table string
	// row is the first part of a row. The next byte belongs to a cell.
	row string
	// quoted is true if cells may be quoted.
	quoted bool
	// description is the file that describes the other files; "" if there is none.
	description string
	read        func(src *archive.Archive, log *finding.Log) error
}

type checklist interface {
	Names(ctx context.Context, list string, log *finding.Log) iter.Seq2[names.Usage, error]
}

// all reads a checklist to its end.
func all(l checklist, err error, log *finding.Log) error {
	if err != nil {
		return err
	}
	for _, err := range l.Names(context.Background(), "list", log) {
		if err != nil {
			return err
		}
	}
	return nil
}

func forms() []form {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	const dwc = "http://rs.tdwg.org/dwc/terms/"
	return []form{
		{"WCVP", list(), "wcvp_names.csv", "5|5-1|Species|Accepted|Araliaceae|", false, "", func(src *archive.Archive, log *finding.Log) error {
			l, err := wcvp.Open(src)
			return all(l, err, log)
		}},
		{"Darwin Core", fstest.MapFS{
			"meta.xml":  text(`<archive xmlns="http://rs.tdwg.org/dwc/text/"><core rowType="` + dwc + `Taxon" encoding="UTF-8" linesTerminatedBy="\n" fieldsTerminatedBy="," fieldsEnclosedBy='"' ignoreHeaderLines="1"><files><location>taxon.txt</location></files><id index="0"/><field index="0" term="` + dwc + `taxonID"/><field index="1" term="` + dwc + `scientificName"/><field index="2" term="` + dwc + `family"/></core></archive>`),
			"taxon.txt": text("taxonID,scientificName,family\n1,Panax ginseng,Araliaceae\n"),
		}, "taxon.txt", "2,", true, "meta.xml", func(src *archive.Archive, log *finding.Log) error {
			l, err := dwca.Open(src)
			return all(l, err, log)
		}},
		{"ColDP", fstest.MapFS{
			"metadata.yaml": text("title: list\n"),
			"NameUsage.csv": text("ID,parentID,status,scientificName\n1,,accepted,Panax ginseng\n"),
		}, "NameUsage.csv", "2,,accepted,", true, "metadata.yaml", func(src *archive.Archive, log *finding.Log) error {
			l, err := coldp.Open(src)
			return all(l, err, log)
		}},
		{"mapped CSV", fstest.MapFS{"names.csv": text("学名,命名人\nPanax ginseng,C.A.Mey.\n")}, "names.csv", "", true, "", func(src *archive.Archive, log *finding.Log) error {
			l, err := csvmap.Open(src, nil)
			return all(l, err, log)
		}},
		{"data package", tiny(), "species.csv", "5,,", true, "datapackage.json", func(src *archive.Archive, log *finding.Log) error {
			_, err := datapackage.Read(context.Background(), src, datapackage.Options{}, log)
			return err
		}},
	}
}

// onDisk writes a source to a folder.
func onDisk(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "source")
	must(t, os.CopyFS(dir, files))
	return dir
}

// grown makes a file of a source 1 GiB long. It appends a text to the file, and then zeros, which
// take no space on the disk.
func grown(t *testing.T, dir, name, with string) {
	t.Helper()
	path := filepath.Join(dir, name)
	b, err := os.ReadFile(path)
	if err == nil {
		err = errors.Join(os.WriteFile(path, append(b, with...), 0o644), os.Truncate(path, 1<<30))
	}
	must(t, err)
}

// readFolder reads a source from a folder. It returns the errors and findings as one text, and the
// number of bytes that reading allocated.
func readFolder(t *testing.T, f form, dir string) (said string, took uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	src, err := archive.Open(dir, archive.Limits{})
	var log finding.Log
	if err == nil {
		err = errors.Join(f.read(src, &log), src.Close())
	}
	runtime.ReadMemStats(&after)
	var b strings.Builder
	fmt.Fprintln(&b, err)
	for _, k := range log.Kept() {
		fmt.Fprintln(&b, k)
	}
	return b.String(), after.TotalAlloc - before.TotalAlloc
}

// enough is a number of bytes. Every reader needs less memory than this to refuse a source.
const enough = 128 << 20

// TestSourcesAreGood checks that the sources are readable before other tests damage them.
func TestSourcesAreGood(t *testing.T) {
	for _, f := range forms() {
		if said, _ := readFolder(t, f, onDisk(t, f.files)); said != "<nil>\n" && f.name != "data package" || strings.Contains(said, "fatal") {
			t.Errorf("%s: %s", f.name, said)
		}
	}
}

// TestGigabyteField gives every reader sources with a cell of 1 GiB, quoted or unquoted, and a
// source with a description of 1 GiB. The reader must return an error with file and line, and use
// little memory.
func TestGigabyteField(t *testing.T) {
	for _, f := range forms() {
		starts := map[string]string{"bare": f.row, "after a quotation mark": f.row + `"`}
		for name, start := range starts {
			dir := onDisk(t, f.files)
			grown(t, dir, f.table, start+"Panax")
			said, took := readFolder(t, f, dir)
			if !strings.Contains(said, f.table) || !strings.Contains(said, "bytes") {
				t.Errorf("%s, %s: %s; want an error that names %s and a size", f.name, name, said, f.table)
			}
			if took > enough {
				t.Errorf("%s, %s: took %d MiB of memory, want less than %d", f.name, name, took>>20, enough>>20)
			}
		}
		if f.description == "" {
			continue
		}
		dir := onDisk(t, f.files)
		grown(t, dir, f.description, "")
		// A reader of XML stops after the outermost element, so it does not read the zeros after
		// that element.
		ended := strings.HasSuffix(f.description, ".xml")
		if said, took := readFolder(t, f, dir); !ended && !strings.Contains(said, f.description) || took > enough {
			t.Errorf("%s: a description of a GiB: %s, with %d MiB of memory; want an error that names %s, with less than %d MiB", f.name, said, took>>20, f.description, enough>>20)
		}
	}
}

// TestNestedQuotes gives every reader 100,000 nested quotation marks, and unclosed quotation marks.
// Reading must use little memory. Unclosed marks must be reported.
func TestNestedQuotes(t *testing.T) {
	deep := strings.Repeat(`"`, 100_000)
	for _, f := range forms() {
		for name, cell := range map[string]string{
			"doubled":     `"a ""b ""c"" b"" a"`,
			"inside":      `a "b" c`,
			"deep":        deep,
			"deep, odd":   deep + `"`,
			"not closed":  `"Panax`,
			"closed late": "\"Panax\n" + strings.Repeat("1,2,3,4,5,6,7,8\n", 1000) + "\"",
		} {
			dir := onDisk(t, f.files)
			path := filepath.Join(dir, f.table)
			b, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, append(b, f.row+cell+"\n"...), 0o644)
			}
			must(t, err)
			said, took := readFolder(t, f, dir)
			if took > enough {
				t.Errorf("%s, %s: took %d MiB of memory, want less than %d", f.name, name, took>>20, enough>>20)
			}
			// The source must be refused if the quotation mark is closed late or not closed.
			// Formats without quoting are an exception, because there the mark is an ordinary
			// character. The Darwin Core reader also tolerates a quotation mark that is not closed
			// in the last row.
			broken := name == "closed late" || name == "not closed" && f.name != "Darwin Core"
			if f.quoted && broken && !strings.Contains(said, f.table+":") {
				t.Errorf("%s, %s: %s; want an error that names %s", f.name, name, said, f.table)
			}
		}
	}
}

// TestUnsafeSources checks that a run refuses sources that could do harm: a package and a checklist.
func TestUnsafeSources(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Symlink("/etc/passwd", filepath.Join(dir, "species.csv")))
	for name, spoil := range map[string]func(*indexer.Config){
		"package":   func(c *indexer.Config) { c.Package = indexer.Input{Path: dir} },
		"checklist": func(c *indexer.Config) { c.Checklists = []indexer.Input{{Key: "list", Path: dir}} },
	} {
		cfg := config(t, tiny())
		spoil(&cfg)
		r, err := indexer.Run(t.Context(), cfg, indexer.Options{})
		if !errors.Is(err, archive.ErrUnsafe) || r.Outcome != indexer.Failed {
			t.Errorf("%s: outcome %q, %v; want that the source is refused as unsafe", name, r.Outcome, err)
		}
	}
}
