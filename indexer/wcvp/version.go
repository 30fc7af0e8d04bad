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

// maxReadme is how much of a README is looked at.
const maxReadme = 4 << 20

// numbered finds a version in the text of a README.
var numbered = regexp.MustCompile(`(?i)\bversion\s*:?\s*(\d+(?:\.\d+)*)`)

// version is the number that the README beside the names gives, as in "v14",
// or the day on which the names were written, or "".
func version(src *archive.Archive, names string) string {
	for _, name := range src.Files() {
		if !strings.HasPrefix(strings.ToLower(path.Base(name)), "readme") {
			continue
		}
		if m := numbered.FindSubmatch(readme(src, name)); m != nil {
			return "v" + string(m[1])
		}
	}
	if t := src.Modified(names); !t.IsZero() {
		return t.UTC().Format("2006-01-02")
	}
	return ""
}

// readme returns a README's text; that of a spreadsheet, which is how Kew
// writes it, is a file inside a zip. What cannot be read says nothing.
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
