package explorer

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"bencao/api/explorer/assets"
)

// sendPublic writes a file that contains no records. Clients may cache it for a day.
func sendPublic(w http.ResponseWriter, kind string, content []byte) error {
	return sendCached(w, "public, max-age=86400", kind, content)
}

// robots serves robots.txt. The file forbids crawlers the API, the suggestions, whole tables and the
// pages about lists of names. It permits all other pages.
func robots(w http.ResponseWriter, v *visit) error {
	return sendPublic(w, "text/plain; charset=utf-8", []byte("User-agent: *\nDisallow: /api/\nDisallow: /suggest\nDisallow: /search.csv\nDisallow: /match\nSitemap: "+v.Site+"/sitemap.xml\n"))
}

// sitemap serves the list of pages that are not about a single record. For clients that may see
// records, it serves the list of this list and of the lists of records.
func sitemap(w http.ResponseWriter, v *visit) error {
	if !v.Admitted() {
		return sendPublic(w, "application/xml", siteList("urlset", "url", v.pages()))
	}
	lists := []string{v.Site + "/sitemap/pages.xml"}
	for _, k := range kinds() {
		if !v.may(k.scope) {
			continue
		}
		all, err := k.count(v)
		if err != nil {
			return err
		}
		for from := 0; from < all.Total; from += mostMapped {
			lists = append(lists, fmt.Sprintf("%s/sitemap/%s-%d.xml", v.Site, k.name, from/mostMapped+1))
		}
	}
	return sendPublic(w, "application/xml", siteList("sitemapindex", "sitemap", lists))
}

// pages returns the addresses of the pages that are not about a single record.
func (v *visit) pages() []string { return []string{v.Site + "/", v.Site + "/about"} }

// mostMapped is the number of records in a list of records.
const mostMapped = 1000

// sitemapOfRecords returns a list of the addresses of records: species-2.xml has the second thousand
// of the species.
func sitemapOfRecords(v *visit) (*page, error) {
	name := v.Param("file")
	if name == "pages.xml" {
		return &page{file: &file{name: name, kind: "application/xml", content: siteList("urlset", "url", v.pages())}}, nil
	}
	kindName, part, _ := strings.Cut(strings.TrimSuffix(name, ".xml"), "-")
	n, err := strconv.Atoi(part)
	k := kindNamed(kindName)
	if err != nil || n < 1 || n > math.MaxInt32/mostMapped || k == nil || !v.may(k.scope) {
		return nil, noPage(v)
	}
	var addresses []string
	for at := range mostMapped / rowsAtOnce {
		l, err := ask[list[struct{ URL string }]](v, k.op, "", "pageSize", strconv.Itoa(rowsAtOnce), "page", strconv.Itoa((n-1)*mostMapped/rowsAtOnce+at+1))
		if err != nil {
			return nil, err
		}
		for _, record := range l.Items {
			addresses = append(addresses, record.URL)
		}
	}
	if len(addresses) == 0 {
		return nil, noPage(v)
	}
	return &page{file: &file{name: name, kind: "application/xml", content: siteList("urlset", "url", addresses)}}, nil
}

// siteList returns a file in the format of sitemaps.org. root is the name of its root, and item the
// name of an element.
func siteList(root, item string, addresses []string) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header + "<" + root + ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, address := range addresses {
		b.WriteString("<" + item + "><loc>")
		_ = xml.EscapeText(&b, []byte(address)) // writing to a buffer never fails
		b.WriteString("</loc></" + item + ">\n")
	}
	b.WriteString("</" + root + ">\n")
	return b.Bytes()
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

- [OpenAPI 3.1 description](`+v.Site+`/openapi/v1.json): every operation, its parameters, scopes and answers
- [About the data](`+v.Site+`/about): version, sources, licence and how to cite
- Errors are RFC 9457 problems; their type is a page under `+v.Site+`/problems/
- Every answer has the version of the data in the header X-Data-Version; cite it with the url of the record
`))
}
