package explorer

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"

	"bencao/api/problem"
)

//go:embed assets
var assetFiles embed.FS

// assets are the sheet and the scripts. Their addresses hold a hash of what they
// are, so that they may be kept for ever.
type assets struct {
	address map[string]string // by name
	content map[string][]byte // by name with hash
}

func readAssets() assets {
	a := assets{map[string]string{}, map[string][]byte{}}
	entries, err := assetFiles.ReadDir("assets")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, entry := range entries {
		content, err := assetFiles.ReadFile("assets/" + entry.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		ext := path.Ext(entry.Name())
		name := strings.TrimSuffix(entry.Name(), ext) + "." + hex.EncodeToString(sum[:6]) + ext
		a.address[entry.Name()], a.content[name] = "/assets/"+name, content
	}
	return a
}

// kinds of assets, by the end of their names.
var assetKinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// serve answers with the sheet or a script.
func (a assets) serve(w http.ResponseWriter, v *visit) error {
	name := v.Param("name")
	content, ok := a.content[name]
	if !ok {
		return problem.New(problem.NotFound, problem.NoPage.With(problem.Quote(name)))
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Type", assetKinds[path.Ext(name)])
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(content)
	return err
}
