// Package assets holds the style sheet, the scripts and the icon of the pages. Their addresses
// contain a hash of the content, so that browsers can cache them for ever. The package does not
// know the pages. Begin with [Read].
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

// Folder is the beginning of the addresses of all assets.
const Folder = "/assets/"

// Set holds the assets with their addresses.
type Set struct {
	address map[string]string // addresses of the assets, by name
	content map[string][]byte // contents of the assets, by the name that includes the hash
}

// Read reads the assets, which are embedded in the program.
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

// Address returns the address of the asset with the given name.
func (s Set) Address(name string) string { return s.address[name] }

// Icon returns the icon and its media type.
func Icon() (content []byte, kind string) {
	content, err := files.ReadFile("icon.svg")
	if err != nil {
		panic(err)
	}
	return content, kinds[".svg"]
}

// kinds maps file extensions to media types.
var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// Content returns an asset and its media type. name is the address of the asset without [Folder].
func (s Set) Content(name string) (content []byte, kind string, ok bool) {
	content, ok = s.content[name]
	return content, kinds[path.Ext(name)], ok
}
