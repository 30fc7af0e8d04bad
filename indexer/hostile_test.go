package indexer_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// packed returns the path of a zip with a source and additional entries.
func packed(t *testing.T, files fstest.MapFS, add func(w *zip.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	must(t, errors.Join(w.AddFS(files), add(w), w.Close()))
	path := filepath.Join(t.TempDir(), "source.zip")
	must(t, os.WriteFile(path, b.Bytes(), 0o644))
	return path
}

// deflated returns bytes compressed as in a zip.
func deflated(t *testing.T, b []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		_, err = w.Write(b)
		err = errors.Join(err, w.Close())
	}
	must(t, err)
	return packed.Bytes()
}

// TestHostileArchives gives the reader of every format archives that would harm a careless reader.
// Each archive must be refused before a row is read.
func TestHostileArchives(t *testing.T) {
	entry := func(name string, mode fs.FileMode, body string) func(*zip.Writer) error {
		return func(w *zip.Writer) error {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate}
			h.SetMode(mode)
			f, err := w.CreateHeader(h)
			if err != nil {
				return err
			}
			_, err = io.WriteString(f, body)
			return err
		}
	}
	bomb := deflated(t, make([]byte, 20<<20))
	explosive := func(name string) func(*zip.Writer) error {
		return func(w *zip.Writer) error {
			f, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, UncompressedSize64: 20 << 20, CompressedSize64: uint64(len(bomb))})
			if err != nil {
				return err
			}
			_, err = f.Write(bomb)
			return err
		}
	}
	for _, f := range forms() {
		without := fstest.MapFS{}
		for name, file := range f.files {
			if name != f.table {
				without[name] = file
			}
		}
		for name, path := range map[string]string{
			"bomb":          packed(t, without, explosive(f.table)),
			"parent folder": packed(t, f.files, entry("../../etc/cron.d/x", 0o644, "x")),
			"absolute path": packed(t, f.files, entry("/etc/cron.d/x", 0o644, "x")),
			"backslashes":   packed(t, f.files, entry(`..\..\x`, 0o644, "x")),
			"link":          packed(t, without, entry(f.table, fs.ModeSymlink|0o777, "/etc/passwd")),
			"twice":         packed(t, f.files, entry(f.table, 0o644, "x")),
			"link in a folder": func() string {
				dir := onDisk(t, without)
				must(t, os.Symlink("/etc/passwd", filepath.Join(dir, f.table)))
				return dir
			}(),
		} {
			cfg := config(t, tiny())
			if f.name == "data package" {
				cfg.Package = indexer.Input{Path: path}
			} else {
				cfg.Checklists = []indexer.Input{{Key: "list", Path: path}}
			}
			r, err := indexer.Run(context.Background(), cfg, indexer.Options{})
			if !errors.Is(err, archive.ErrUnsafe) || r.Outcome == indexer.Published {
				t.Errorf("%s, %s: outcome %q, %v; want that the source is refused as unsafe", f.name, name, r.Outcome, err)
			}
		}
	}
}
