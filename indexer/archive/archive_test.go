package archive_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"bencao/indexer/archive"
	"bencao/internal/test/testkit"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

// entry is one entry of a zip under test.
type entry struct {
	name string
	body string
	mode fs.FileMode
	raw  func(*zip.FileHeader) // changes the header before it is written, such as to a wrong size
}

func writeZip(tb testing.TB, entries ...entry) string {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		var f io.Writer
		var err error
		if e.raw != nil {
			h.Method = zip.Store
			h.CompressedSize64, h.UncompressedSize64 = uint64(len(e.body)), uint64(len(e.body))
			e.raw(h)
			f, err = w.CreateRaw(h)
		} else {
			f, err = w.CreateHeader(h)
		}
		must(tb, err)
		if _, err := io.WriteString(f, e.body); err != nil {
			tb.Fatal(err)
		}
	}
	must(tb, w.Close())
	return writeFile(tb, "test.zip", b.Bytes())
}

func writeFile(tb testing.TB, name string, body []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	must(tb, os.WriteFile(path, body, 0o644))
	return path
}

func open(tb testing.TB, path string) *archive.Archive {
	tb.Helper()
	a, err := archive.Open(path, archive.Limits{})
	must(tb, err)
	tb.Cleanup(func() {
		if err := a.Close(); err != nil {
			tb.Error(err)
		}
	})
	return a
}

func read(tb testing.TB, a *archive.Archive, name string) string {
	tb.Helper()
	f, err := a.Open(name)
	must(tb, err)
	defer f.Close()
	b, err := io.ReadAll(f)
	must(tb, err)
	return string(b)
}

// TestOneViewOverAll reads the same two files from a folder, a zip, a zip that contains one folder,
// and a file system.
func TestOneViewOverAll(t *testing.T) {
	dir := t.TempDir()
	for name, body := range map[string]string{"b.csv": "b", "sub/a.csv": "a", ".git/config": "x", ".hidden": "x", "__MACOSX/b.csv": "x"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(body), 0o644))
	}
	mapped, err := archive.FromFS("sample", fstest.MapFS{"b.csv": {Data: []byte("b")}, "sub/a.csv": {Data: []byte("a")}}, archive.Limits{})
	must(t, err)
	for name, a := range map[string]*archive.Archive{
		"folder":              open(t, dir),
		"zip":                 open(t, writeZip(t, entry{name: "sub/a.csv", body: "a"}, entry{name: "b.csv", body: "b"}, entry{name: "__MACOSX/b.csv"})),
		"zip with one folder": open(t, writeZip(t, entry{name: "repo-main/", mode: fs.ModeDir}, entry{name: "repo-main/b.csv", body: "b"}, entry{name: "repo-main/sub/a.csv", body: "a"})),
		"file system":         mapped,
	} {
		if diff := cmp.Diff([]string{"b.csv", "sub/a.csv"}, a.Files()); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", name, diff)
			continue
		}
		if got := read(t, a, "sub/a.csv"); got != "a" {
			t.Errorf("%s: sub/a.csv = %q, want %q", name, got, "a")
		}
		if got, ok := a.Find("A.CSV"); !ok || got != "sub/a.csv" {
			t.Errorf("%s: found A.CSV as %q, %v; want sub/a.csv", name, got, ok)
		}
		if _, err := a.Open("c.csv"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: opening a missing file: %v, want ErrNotExist", name, err)
		}
	}
}

func TestSingleFile(t *testing.T) {
	a := open(t, writeFile(t, "names.csv", []byte("abc")))
	if diff := cmp.Diff([]string{"names.csv"}, a.Files()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if got := read(t, a, "names.csv"); got != "abc" || a.Size("names.csv") != 3 {
		t.Errorf("names.csv = %q of %d bytes, want abc of 3", got, a.Size("names.csv"))
	}
}

// TestNameInGBK opens a zip with a Chinese name in GBK, as Chinese Windows writes it.
func TestNameInGBK(t *testing.T) {
	a := open(t, writeZip(t, entry{name: "\xce\xef\xd6\xd6.csv", body: "x", raw: func(h *zip.FileHeader) { h.NonUTF8 = true }}))
	if diff := cmp.Diff([]string{"物种.csv"}, a.Files()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestUnsafeZipsAreRefused(t *testing.T) {
	one := entry{name: "a.csv", body: "a"}
	tests := []struct {
		name    string
		entries []entry
		want    string
	}{
		{"parent folder", []entry{{name: "../../etc/passwd"}}, `".."`},
		{"parent folder inside", []entry{{name: "a/../../b"}}, `".."`},
		{"absolute path", []entry{{name: "/etc/passwd"}}, "absolute"},
		{"drive", []entry{{name: "C:/a"}}, "absolute"},
		{"backslash", []entry{{name: `..\a`}}, "backslash"},
		{"control character", []entry{{name: "a\x00b"}}, "control"},
		{"symbolic link", []entry{{name: "a.csv", body: "/etc/passwd", mode: fs.ModeSymlink}}, "link"},
		{"device", []entry{{name: "a.csv", mode: fs.ModeDevice}}, "device"},
		{"twice", []entry{one, one}, "twice"},
		{"twice in other words", []entry{one, {name: "./a.csv"}}, "twice"},
		{"encrypted", []entry{{name: "a.csv", body: "a", raw: func(h *zip.FileHeader) { h.Flags |= 1 }}}, "encrypted"},
		{"large", []entry{{name: "a.csv", body: "a", raw: func(h *zip.FileHeader) { h.UncompressedSize64 = 5 << 30 }}}, "unpacks to"},
		{"dense", []entry{{name: "a.csv", body: "a", raw: func(h *zip.FileHeader) { h.UncompressedSize64 = 1 << 30 }}}, "times its size"},
		{"too many", append(make([]entry, 0), many(101)...), "101 entries"},
		{"large in all", []entry{big("a", 40), big("b", 40), big("c", 40)}, "in all"},
	}
	for _, tt := range tests {
		_, err := archive.Open(writeZip(t, tt.entries...), archive.Limits{Files: 100, Total: 100 << 20})
		if !errors.Is(err, archive.ErrUnsafe) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want ErrUnsafe with %q", tt.name, err, tt.want)
		}
	}
}

func many(n int) []entry {
	out := make([]entry, n)
	for i := range out {
		out[i] = entry{name: strings.Repeat("x", i+1)}
	}
	return out
}

// big returns an entry whose header claims an unpacked size of mib MiB.
func big(name string, mib uint64) entry {
	return entry{name: name, body: strings.Repeat("a", 1<<20), raw: func(h *zip.FileHeader) { h.UncompressedSize64 = mib << 20 }}
}

// TestOverlappingEntriesAreRefused builds a zip whose entries share bytes with each other. Such a
// zip unpacks to far more bytes than the compression ratios of its entries suggest.
func TestOverlappingEntriesAreRefused(t *testing.T) {
	lie := func(h *zip.FileHeader) { h.CompressedSize64 = 1000 }
	path := writeZip(t, entry{name: "a", body: strings.Repeat("a", 800), raw: lie}, entry{name: "b", body: "b", raw: lie}, entry{name: "c", body: "c", raw: lie})
	if _, err := archive.Open(path, archive.Limits{}); !errors.Is(err, archive.ErrUnsafe) || !strings.Contains(err.Error(), "overlaps") {
		t.Errorf("overlapping entries: %v; want ErrUnsafe", err)
	}
}

// TestZipThatLies reads an entry that unpacks to more bytes than its header says. Reading must
// fail.
func TestZipThatLies(t *testing.T) {
	a := open(t, writeZip(t, entry{name: "a.csv", body: strings.Repeat("a", 5000), raw: func(h *zip.FileHeader) { h.UncompressedSize64 = 10 }}))
	f, err := a.Open("a.csv")
	if err == nil {
		defer f.Close()
		var n int64
		if n, err = io.Copy(io.Discard, f); err == nil {
			t.Errorf("read %d bytes of a file of 10 without an error", n)
		}
	}
}

func TestUnsafeFoldersAreRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "a.csv")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := archive.Open(dir, archive.Limits{}); !errors.Is(err, archive.ErrUnsafe) {
		t.Errorf("a folder with a link: %v; want ErrUnsafe", err)
	}
	_, err := archive.FromFS("f", fstest.MapFS{"a": {}, "b": {}, "c": {}}, archive.Limits{Files: 2})
	if !errors.Is(err, archive.ErrUnsafe) {
		t.Errorf("a folder of three files where two are allowed: %v; want ErrUnsafe", err)
	}
	_, err = archive.FromFS("f", fstest.MapFS{"a": {Data: []byte("abcd")}}, archive.Limits{File: 3})
	if !errors.Is(err, archive.ErrUnsafe) {
		t.Errorf("a file of 4 bytes where 3 are allowed: %v; want ErrUnsafe", err)
	}
}

func TestBrokenSources(t *testing.T) {
	whole, err := os.ReadFile(writeZip(t, entry{name: "a.csv", body: strings.Repeat("abc", 100)}))
	must(t, err)
	for name, path := range map[string]string{
		"missing":     filepath.Join(t.TempDir(), "none"),
		"empty dir":   t.TempDir(),
		"cut zip":     writeFile(t, "cut.zip", whole[:len(whole)/2]),
		"empty zip":   writeZip(t),
		"zip of dirs": writeZip(t, entry{name: "a/", mode: fs.ModeDir}),
	} {
		if _, err := archive.Open(path, archive.Limits{}); err == nil {
			t.Errorf("%s: opened without an error", name)
		}
	}
	for name, raw := range map[string]func(*zip.FileHeader){
		"another checksum": func(h *zip.FileHeader) { h.CRC32 = 1 },
		"no deflated data": func(h *zip.FileHeader) { h.Method = zip.Deflate },
	} {
		f, err := open(t, writeZip(t, entry{name: "a.csv", body: "\xff\xff\xff", raw: raw})).Open("a.csv")
		must(t, err)
		if _, err := io.ReadAll(f); err == nil || !strings.Contains(err.Error(), "a.csv is damaged in the archive") {
			t.Errorf("%s: %v, want that the file is damaged", name, err)
		}
		_ = f.Close() // repeats the error
	}
}

func TestDigest(t *testing.T) {
	ctx := context.Background()
	digest := func(a *archive.Archive) archive.Digest {
		t.Helper()
		d, err := a.Digest(ctx)
		must(t, err)
		return d
	}
	file := digest(open(t, writeFile(t, "abc.csv", []byte("abc"))))
	want := archive.Digest{SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", Bytes: 3}
	if file != want {
		t.Errorf("digest of abc = %+v, want %+v", file, want)
	}
	folder := func(files fstest.MapFS) archive.Digest {
		a, err := archive.FromFS("f", files, archive.Limits{})
		must(t, err)
		return digest(a)
	}
	one := folder(fstest.MapFS{"a": {Data: []byte("xy")}, "b": {Data: []byte("z")}})
	if one.Bytes != 3 {
		t.Errorf("bytes of the folder = %d, want 3", one.Bytes)
	}
	if other := folder(fstest.MapFS{"a": {Data: []byte("x")}, "b": {Data: []byte("yz")}}); other.SHA256 == one.SHA256 {
		t.Error("two folders with the same bytes, split differently between the files, have the same digest")
	}
	if again := folder(fstest.MapFS{"b": {Data: []byte("z")}, "a": {Data: []byte("xy")}}); again != one {
		t.Errorf("the same folder has the digests %+v and %+v", one, again)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := open(t, writeFile(t, "a", []byte("a"))).Digest(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("digest after cancelling: %v, want context.Canceled", err)
	}
}

// FuzzZip checks that every zip that opens stays within its folder and its limits.
func FuzzZip(f *testing.F) {
	for _, e := range [][]entry{{{name: "a.csv", body: "a,b\n"}}, {{name: "../a"}}, {{name: "d/a"}, {name: "d/b"}}} {
		b, err := os.ReadFile(writeZip(f, e...))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	const limit = 1 << 20
	f.Add(manyEntries(100))
	f.Fuzz(func(t *testing.T, b []byte) {
		var a *archive.Archive
		var err error
		name := writeFile(t, "f.zip", b)
		testkit.LimitAlloc(t, testkit.MaxAlloc(len(b)), func() { a, err = archive.Open(name, archive.Limits{File: limit, Total: 2 * limit}) })
		if err != nil {
			return
		}
		defer a.Close()
		for _, name := range a.Files() {
			if name != "f.zip" && (!fs.ValidPath(name) || strings.Contains(name, `\`)) {
				t.Errorf("opened a file called %q", name)
			}
			r, err := a.Open(name)
			if err != nil {
				continue
			}
			if n, _ := io.Copy(io.Discard, r); n > limit {
				t.Errorf("%s gave %d bytes, more than %d", name, n, limit)
			}
			r.Close()
		}
	})
}

// manyEntries returns a zip that lists n empty entries.
func manyEntries(n int) []byte {
	var b bytes.Buffer
	for range n {
		b.WriteString("PK\x01\x02" + strings.Repeat("\x00", 42))
	}
	size := b.Len()
	end := []byte("PK\x05\x06" + strings.Repeat("\x00", 18))
	binary.LittleEndian.PutUint16(end[8:], uint16(n))
	binary.LittleEndian.PutUint16(end[10:], uint16(n))
	binary.LittleEndian.PutUint32(end[12:], uint32(size))
	zip := append([]byte("PK\x03\x04"), b.Bytes()...)
	binary.LittleEndian.PutUint32(end[16:], 4)
	return append(zip, end...)
}

// TestManyEntries checks that a zip with a list of millions of entries is refused before the zip
// library allocates memory for each entry.
func TestManyEntries(t *testing.T) {
	for _, n := range []int{60_000, 2 << 20} {
		b := manyEntries(n)
		name := writeFile(t, "f.zip", b)
		testkit.LimitAlloc(t, 256<<20, func() {
			a, err := archive.Open(name, archive.Limits{})
			if err == nil {
				err = a.Close()
				t.Errorf("a zip of %d entries is opened, %v", n, err)
			} else if n > 1<<20 && !errors.Is(err, archive.ErrUnsafe) {
				t.Errorf("a zip of %d entries: %v, want %v", n, err, archive.ErrUnsafe)
			}
		})
	}
}

// zeros is a reader of n zero bytes.
type zeros struct{ n int }

func (z *zeros) Read(p []byte) (int, error) {
	if z.n == 0 {
		return 0, io.EOF
	}
	n := min(len(p), z.n)
	clear(p[:n])
	z.n -= n
	return n, nil
}

// TestRealBomb packs 64 MiB of zeros, with correct sizes in the header, into about 64 KiB. Each
// limit must refuse the zip.
func TestRealBomb(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("species.csv")
	must(t, err)
	if _, err := io.Copy(f, &zeros{64 << 20}); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	path := writeFile(t, "bomb.zip", b.Bytes())
	for name, lim := range map[string]archive.Limits{"ratio": {}, "size": {File: 1 << 20, Ratio: 10_000}, "total": {Total: 1 << 20, Ratio: 10_000}} {
		if _, err := archive.Open(path, lim); !errors.Is(err, archive.ErrUnsafe) {
			t.Errorf("bomb of %d bytes under the limit of %s: %v; want ErrUnsafe", b.Len(), name, err)
		}
	}
}
