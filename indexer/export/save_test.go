package export_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/export"

	"github.com/google/go-cmp/cmp"
)

// entry returns a file with the given content.
func entry(name, text string) archive.Entry {
	return archive.Entry{Name: name, Write: func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}}
}

var errDisk = errors.New("no space left")

// TestSaveWholeOrNot checks that a failed save leaves the old files unchanged and adds none.
func TestSaveWholeOrNot(t *testing.T) {
	good := entry("datapackage.json", "new")
	failing := archive.Entry{Name: "species.csv", Write: func(w io.Writer) error {
		if _, err := io.WriteString(w, strings.Repeat("half", 100_000)); err != nil {
			return err
		}
		return errDisk
	}}
	for _, out := range []string{"out", "out.zip"} {
		for name, before := range map[string]func(t *testing.T, path string){
			"nothing": func(*testing.T, string) {},
			"an export": func(t *testing.T, path string) {
				must(t, export.Builtin().Save(context.Background(), path, []archive.Entry{entry("datapackage.json", "old")}, false))
			},
		} {
			t.Run(out+" over "+name, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, out)
				before(t, path)
				want := files(t, dir)
				if err := export.Builtin().Save(context.Background(), path, []archive.Entry{good, failing}, true); !errors.Is(err, errDisk) {
					t.Errorf("error %v, want the error of the write", err)
				}
				ctx, stop := context.WithCancel(context.Background())
				stopping := archive.Entry{Name: "species.csv", Write: func(w io.Writer) error {
					stop()
					_, err := io.WriteString(w, "half")
					return err
				}}
				if err := export.Builtin().Save(ctx, path, []archive.Entry{good, stopping}, true); !errors.Is(err, context.Canceled) {
					t.Errorf("error %v, want context.Canceled", err)
				}
				if diff := cmp.Diff(want, files(t, dir)); diff != "" {
					t.Errorf("a failed export changed the folder (-before +after):\n%s", diff)
				}
				must(t, export.Builtin().Save(context.Background(), path, []archive.Entry{good}, true))
				if got := files(t, dir); len(got) != 1 || got[out] == want[out] && out == "out.zip" {
					t.Errorf("the folder holds %v; want the new export alone", got)
				}
			})
		}
	}
}

// TestSaveReplaces checks which files force may replace.
func TestSaveReplaces(t *testing.T) {
	for _, tt := range []struct {
		name, out string
		make      string // a file to create before saving, or a folder if the name ends in a slash
		force     bool
		want      string // part of the error; "" if there must be none
	}{
		{"an empty folder", "out", "out/", false, ""},
		{"a folder with a file", "out", "out/species.csv", false, "--force to replace"},
		{"an export by force", "out", "out/species.csv", true, ""},
		{"a folder of somebody's by force", "out", "out/letter.txt", true, "holds letter.txt, which is of no export"},
		{"a working tree by force", "out", "out/.git/", true, "holds .git, which is of no export"},
		{"a file", "out.zip", "out.zip", false, "--force to replace"},
		{"a file by force", "out.zip", "out.zip", true, ""},
		{"a folder called zip", "out.zip", "out.zip/", true, "a folder of that name exists already"},
		{"a file that is no folder", "out", "out", true, "exists already and is no folder"},
		{"a folder that is not there", "no/out", "", false, "make it first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if path := filepath.Join(dir, tt.make); strings.HasSuffix(tt.make, "/") {
				must(t, os.MkdirAll(path, 0o755))
			} else if tt.make != "" {
				must(t, os.MkdirAll(filepath.Dir(path), 0o755))
				must(t, os.WriteFile(path, []byte("old"), 0o644))
			}
			before := files(t, dir)
			err := export.Builtin().Save(context.Background(), filepath.Join(dir, tt.out), []archive.Entry{entry("datapackage.json", "new")}, tt.force)
			if tt.want == "" {
				must(t, err)
				if got := files(t, dir); len(got) != 1 || tt.out == "out" && got["out"] != "datapackage.json" || strings.Contains(got[tt.out], "old") {
					t.Errorf("the folder holds %v; want the new export alone", got)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v; want one that says %q", err, tt.want)
			}
			if diff := cmp.Diff(before, files(t, dir)); diff != "" {
				t.Errorf("a refused export changed the folder (-before +after):\n%s", diff)
			}
		})
	}
}

// TestSaveBehindALink checks that saving to a link keeps the link and replaces its target.
func TestSaveBehindALink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "latest")
	must(t, errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o755), os.Symlink("real", link)))
	must(t, export.Builtin().Save(context.Background(), link, []archive.Entry{entry("datapackage.json", "new")}, false))
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v (%v); want a link", info.Mode(), err)
	}
	if got := files(t, filepath.Join(dir, "real")); got["datapackage.json"] != "new" {
		t.Errorf("the target of the link has %v; want the export", got)
	}
}
