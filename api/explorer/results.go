package explorer

import (
	"html/template"
)

// results is the data of the search page.
type results struct {
	Q, Kind   string
	Tabs      []tab
	Found     *found
	Formulas  int    // number of formulas whose names were found
	Nothing   string // the message if nothing was found
	Elsewhere []tab  // other kinds with results, if this kind has none
	Linked    []navLink
	// Papers leads to the papers about the plant that the query names, and About is their number.
	Papers     string
	About      int
	Places     []navLink // formulas that have the query in another text
	Older      []navLink // formulas that have an old name of the complaint in their indications
	Examples   []navLink
	Reading    string // tells how the query was understood
	Forgiven   string // tells how the results deviate from the query
	Try        string // what to try if nothing was found
	Hidden     bool   // whether pages may not show herbs and formulas, and nothing else fits the query
	Lists      string // says that pages may not find formulas by lists of herbs, if the query may be one
	DidYouMean []navLink
	Unknown    []unknownView
	// WithForms leads to the same search with processed forms and parts of herbs. Broader has, for
	// each herb whose name also covers other herbs, links to the same search for those.
	WithForms navLink
	Named     navLink // tells how many formulas were found by their names alone; leads to the others
	Broader   []unknownView
	Filters   []navLink // active filters; each links to the same search without that filter
	Facets    []facetView
	Sorts     []navLink
	Where     []navLink // the texts of formulas that can be searched
	Last      string    // address of the last page, on a page after it
	CSV       navLink
	Axis      template.HTML
	Compare   navLink
	pager
}

type tab struct {
	Text, Address string
	Count         int
	Here          bool
}

// unknownView says something about a value, such as that no record has it. Close links to the same
// search with other values.
type unknownView struct {
	Text  string
	Close []navLink
}

// pageSize is the number of hits on a page. mostFacets is the number of values that a facet has.
// The user sees the first shownFacets values, and the others after unfolding the list.
const pageSize, mostFacets, shownFacets = 20, 30, 6
