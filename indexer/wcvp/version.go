package wcvp

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"regexp"
	"strings"

	"bencao/indexer/archive"
)

// maxReadme is the maximum number of bytes of a README that are searched for the version.
const maxReadme = 4 << 20

// versionText matches a version in the text of a README.
var versionText = regexp.MustCompile(`(?i)\bversion\s*:?\s*(\d+(?:\.\d+)*)`)

// version returns the version in the README, such as "v14". Without a README, it returns the
// modification date of the file of names, or "" if the date is unknown.
func version(src *archive.Archive, names string) string {
	for _, name := range src.Files() {
		if !strings.HasPrefix(strings.ToLower(path.Base(name)), "readme") {
			continue
		}
		if m := versionText.FindSubmatch(readme(src, name)); m != nil {
			return "v" + string(m[1])
		}
	}
	if t := src.Modified(names); !t.IsZero() {
		return t.UTC().Format("2006-01-02")
	}
	return ""
}

// readme returns the text of a README, or nil if it cannot be read. Kew publishes the README as a
// spreadsheet. A spreadsheet is a zip, and readme reads the entry that contains the text.
func readme(src *archive.Archive, name string) []byte {
	f, err := src.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxReadme))
	if err != nil || !bytes.HasPrefix(b, []byte("PK")) {
		return b
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil
	}
	for _, part := range z.File {
		if part.Name != "xl/sharedStrings.xml" {
			continue
		}
		r, err := part.Open()
		if err != nil {
			return nil
		}
		defer r.Close()
		text, err := io.ReadAll(io.LimitReader(r, maxReadme))
		if err != nil {
			return nil
		}
		return text
	}
	return nil
}
