package snapshot_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bencao/store/snapshot"
)

// goodManifest returns the manifest.json of a published snapshot.
func goodManifest(t testing.TB) []byte {
	t.Helper()
	d := dataDir(t)
	m := mustBuild(t, d, "monday")
	b, err := os.ReadFile(filepath.Join(d.Path(), "snapshots", m.ID, "manifest.json"))
	must(t, err)
	return b
}

func TestManifestRoundTrip(t *testing.T) {
	b := goodManifest(t)
	m, err := snapshot.ParseManifest(b)
	must(t, err)
	if diff := cmp.Diff(content("monday"), m.Content); diff != "" {
		t.Errorf("content differs from that of the builder (-want +got):\n%s", diff)
	}
	again, err := m.Encode()
	if err != nil || !bytes.Equal(again, b) {
		t.Errorf("encoded again (%v):\n%s\nwant\n%s", err, again, b)
	}
}

func TestManifestIsRefused(t *testing.T) {
	good := goodManifest(t)
	tests := []struct {
		name     string
		old, new string // text in a good manifest and its replacement
		want     string
	}{
		{"newer", `"format": 1`, `"format": 7`, "needs a newer bencao"},
		{"no format", `"format": 1`, `"form": 1`, "has format 0, this program reads 1"},
		{"not a number", `"format": 1`, `"format": "1"`, "is not a manifest"},
		{"no JSON", `{`, ``, "is not a manifest"},
		{"two values", "\n}\n", "\n}\n{}\n", "is not a manifest"},
		{"impossible id", `Z-`, `Z_`, "impossible id"},
		{"an id upwards", `"id": "`, `"id": "../`, "impossible id"},
		{"unknown field", `"schema"`, `"more": 1, "schema"`, "is altered"},
		{"field twice", `"schema"`, `"schema": "x", "schema"`, "is altered"},
		{"other case", `"schema"`, `"Schema"`, "is altered"},
		{"spaces", `"schema": `, `"schema":  `, "is altered"},
		{"null", `"schema": "9f3c"`, `"schema": null`, "is altered"},
		{"negative count", `"species": 3`, `"species": -3`, "counts -3 records"},
		{"upwards", `"names.idx"`, `"../names.idx"`, `"../names.idx"`},
		{"upwards inside", `"names.idx"`, `"a/../../names.idx"`, "not a plain path inside the snapshot"},
		{"absolute", `"names.idx"`, `"/etc/passwd"`, "not a plain path inside the snapshot"},
		{"dot", `"names.idx"`, `"."`, "not a plain path inside the snapshot"},
		{"empty", `"names.idx"`, `""`, "not a plain path inside the snapshot"},
		{"double slash", `"names.idx"`, `"a//b"`, "not a plain path inside the snapshot"},
		{"backslash", `"names.idx"`, `"..\\names.idx"`, "not a plain path inside the snapshot"},
		{"line feed", `"names.idx"`, `"a\nb"`, "not a plain path inside the snapshot"},
		{"escape", `"names.idx"`, `"a\u001b[2Jb"`, "not a plain path inside the snapshot"},
		{"zero byte", `"names.idx"`, `"a\u0000b"`, "not a plain path inside the snapshot"},
		{"right to left", `"names.idx"`, `"a\u202eb"`, "not a plain path inside the snapshot"},
		{"long", `"names.idx"`, `"` + strings.Repeat("n", 513) + `"`, "not a plain path inside the snapshot"},
		{"itself", `"names.idx"`, `"manifest.json"`, "lists itself"},
		{"twice", `"names.idx"`, `"report.json"`, "lists report.json twice"},
		{"out of order", `"names.idx"`, `"z"`, "lists report.json out of order"},
		{"negative size", `"bytes": 4096`, `"bytes": -1`, "bad size or checksum for names.idx"},
		{"huge size", `"bytes": 4096`, `"bytes": 9223372036854775808`, "is not a manifest"},
		{"short hash", `"crc32c": "`, `"crc32c": "0`, "bad size or checksum"},
		{"hash in capitals", `"sha256": "`, `"sha256": "A`, "bad size or checksum"},
		{"no files", `"files"`, `"files": [], "file"`, "lists no file"},
	}
	for _, tt := range tests {
		bad := bytes.Replace(good, []byte(tt.old), []byte(tt.new), 1)
		if tt.name == "hash in capitals" { // change the last hash; the first is the hash of a source, which may have any form
			i := bytes.LastIndex(good, []byte(tt.old))
			bad = append(bytes.Clone(good[:i]), bytes.Replace(good[i:], []byte(tt.old), []byte(tt.new), 1)...)
		}
		if bytes.Equal(bad, good) {
			t.Fatalf("%s: %q is not in the manifest any more", tt.name, tt.old)
		}
		_, err := snapshot.ParseManifest(bad)
		if err == nil {
			t.Errorf("%s: read without error", tt.name)
			continue
		}
		oneLine(t, err, tt.want)
		if newer := errors.Is(err, snapshot.ErrNewer); newer != (tt.name == "newer") {
			t.Errorf("%s: ErrNewer is %v", tt.name, newer)
		}
	}
	if _, err := snapshot.ParseManifest(make([]byte, 17<<20)); err == nil {
		t.Error("17 MiB were read as a manifest")
	}
}

// FuzzParseManifest parses arbitrary bytes. An accepted manifest must name only paths inside its
// snapshot. Encoding it must give the same bytes again.
func FuzzParseManifest(f *testing.F) {
	good := goodManifest(f)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte(`{"format": 2}`))
	f.Add(bytes.Replace(good, []byte(`"names.idx"`), []byte(`"../x"`), 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := snapshot.ParseManifest(b)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("error is more than one line: %q", err)
			}
			return
		}
		if again, err := m.Encode(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("parsed, but encoded to other bytes (%v):\n%q\n%q", err, b, again)
		}
		if !snapshot.ValidID(m.ID) {
			t.Errorf("read with id %q", m.ID)
		}
		seen := map[string]bool{"manifest.json": true}
		for _, file := range m.Files {
			if !filepath.IsLocal(file.Path) || seen[file.Path] || file.Bytes < 0 {
				t.Errorf("read with file %+v", file)
			}
			seen[file.Path] = true
		}
	})
}

func FuzzParsePointer(f *testing.F) {
	f.Add([]byte("20261120T021500Z-3f9a1c " + strings.Repeat("0f", 32) + "\n"))
	f.Add([]byte("20261120T021500Z-3f9a1c " + strings.Repeat("0f", 32)))
	f.Add([]byte("20261320T021500Z-3f9a1c " + strings.Repeat("0f", 32) + "\n"))
	f.Add([]byte("../../../../../../../../ " + strings.Repeat("0f", 32) + "\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := snapshot.ParsePointer(b)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("error is more than one line: %q", err)
			}
			return
		}
		if p.String()+"\n" != string(b) {
			t.Errorf("%q was read as %q", b, p)
		}
		if !snapshot.ValidID(p.ID) || !filepath.IsLocal(p.ID) || len(p.Digest) != 64 {
			t.Errorf("read as %+v", p)
		}
	})
}
