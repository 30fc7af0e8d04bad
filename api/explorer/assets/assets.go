// Package assets are the sheet, the scripts and the sign of the pages. Their addresses
// hold a hash of what they are, so that they may be kept for ever.
package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"strings"
)

//go:embed *.css *.js *.svg
var files embed.FS

// Folder is where their addresses begin.
const Folder = "/assets/"

// Set is all of them.
type Set struct {
	address map[string]string // by name
	content map[string][]byte // by name with hash
}

// Read reads them. They are part of the program.
func Read() Set {
	s := Set{map[string]string{}, map[string][]byte{}}
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		content, err := files.ReadFile(entry.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		ext := path.Ext(entry.Name())
		name := strings.TrimSuffix(entry.Name(), ext) + "." + hex.EncodeToString(sum[:6]) + ext
		s.address[entry.Name()], s.content[name] = Folder+name, content
	}
	return s
}

// Address is where a file is, by its name.
func (s Set) Address(name string) string { return s.address[name] }

// kinds are what files are, by the end of their names.
var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// Content is what lies at an address, without its folder, and what kind it is of.
func (s Set) Content(name string) (content []byte, kind string, ok bool) {
	content, ok = s.content[name]
	return content, kinds[path.Ext(name)], ok
}
