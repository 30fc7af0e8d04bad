package explorer

import (
	"encoding/xml"
	"net/http"
	"strings"

	"bencao/api/explorer/assets"
)

// sendPublic writes a file that contains no records. Clients may cache it for a day.
func sendPublic(w http.ResponseWriter, kind string, content []byte) error {
	return sendCached(w, "public, max-age=86400", kind, content)
}

// sendCached writes a file. cacheControl is the value of the header Cache-Control.
func sendCached(w http.ResponseWriter, cacheControl, kind string, content []byte) error {
	h := w.Header()
	h.Set("Cache-Control", cacheControl)
	h.Set("Content-Type", kind)
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(content)
	return err
}

// robots serves robots.txt. The file forbids crawlers the API, the suggestions and the pages about
// lists of names. It permits all other pages.
func robots(w http.ResponseWriter, v *visit) error {
	return sendPublic(w, "text/plain; charset=utf-8", []byte("User-agent: *\nDisallow: /api/\nDisallow: /suggest\nDisallow: /match\nSitemap: "+v.site+"/sitemap.xml\n"))
}

// sitemap serves the list of the pages that are not about a single record.
func sitemap(w http.ResponseWriter, v *visit) error {
	var b strings.Builder
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, path := range []string{"/", "/about"} {
		b.WriteString("<url><loc>")
		if err := xml.EscapeText(&b, []byte(v.site+path)); err != nil {
			return err
		}
		b.WriteString("</loc></url>\n")
	}
	b.WriteString("</urlset>\n")
	return sendPublic(w, "application/xml", []byte(b.String()))
}

// favicon serves the icon at the address where browsers look for one.
func favicon(w http.ResponseWriter, _ *visit) error {
	content, kind := assets.Icon()
	return sendPublic(w, kind, content)
}

// llms serves llms.txt, which tells language models where to start.
func llms(w http.ResponseWriter, v *visit) error {
	return sendPublic(w, "text/plain; charset=utf-8", []byte(`# Bencao 本草

> A read-only JSON API over plant species, herbs, historical Chinese formulas (方剂), papers, uses, and the reconciliation of scientific names. Requests need a key in the header X-Api-Key.

- [OpenAPI 3.1 description](`+v.site+`/openapi/v1.json): every operation, its parameters, scopes and answers
- [About the data](`+v.site+`/about): version, sources, licence and how to cite
- Errors are RFC 9457 problems; their type is a page under `+v.site+`/problems/
- Every answer has the version of the data in the header X-Data-Version; cite it with the url of the record
`))
}
