// Package explorer is what people see: a page for every address that the API
// gives. It stands above the API and asks it, in the same process, by the names of
// its operations; what a page shows, the API would have shown to a key of the same
// scopes. It knows no index and no file.
//
//	request ─▶ visit ─▶ page function ─ asks ─▶ operations of the API
//	                         │
//	                       page ─ template, language ─▶ HTML
//
// A page is a row in routes: an address, and a function from a [visit] to a
// [page]. Texts stand in the catalogues of texts, pictures come from draw and
// references from cite. All works without JavaScript; the script in assets only
// adds.
package explorer
