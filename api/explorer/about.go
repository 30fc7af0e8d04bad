package explorer

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"bencao/api/access"
	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/store/snapshot"
)

// aboutView is the data of the page /about.
type aboutView struct {
	License, CiteAs, Version, Built string
	Contact, ContactLink            string
	Cite                            citation
	// Sources lists the sources from which this version of the data was built.
	Sources []snapshot.Source
	// Open lists the parts of the data that the pages show. Shut lists the parts that they do not
	// show.
	Open, Shut []string
}

func aboutPage(v *visit) (*page, error) {
	if form := v.query.Get("as"); form != "" {
		return v.references(form, "version", recordReference(v, v.Meta().ID, "Bencao 本草", v.Site+"/"))
	}
	view := &aboutView{Version: v.Meta().ID, Built: v.Version()}
	if about := v.Site + "/about"; v.License != about {
		view.License = v.License
	}
	if about := v.Site + "/about?version=" + v.Meta().ID; v.CiteAs != about {
		view.CiteAs = v.CiteAs
	}
	view.Sources = v.Meta().Sources
	if view.Contact, view.ContactLink = v.Contact, v.Contact; v.ByMail() {
		view.ContactLink = "mailto:" + v.Contact
	}
	as := func(form string) string { return v.fileAt("/about", url.Values{"as": {form}}) }
	view.Cite = citation{What: typeset.Chinese(v.say("about.data")), Version: v.Version(), Address: v.Site + "/", Files: []navLink{
		{Text: "BibTeX", Address: as("bib")}, {Text: "RIS", Address: as("ris")}, {Text: "CSL-JSON", Address: as("json")}}}
	for _, name := range access.ScopeNames() {
		scope, err := access.ParseScope(name)
		if err != nil {
			return nil, err
		}
		if text := v.say("scope." + name); v.may(scope) {
			view.Open = append(view.Open, text)
		} else {
			view.Shut = append(view.Shut, text)
		}
	}
	linked, err := datasetOf(v)
	if err != nil {
		return nil, err
	}
	return &page{template: "about", Title: v.say("about.title"), Lead: v.say("about.lead"), Data: view, Linked: linked}, nil
}

// datasetOf returns the data set as schema.org JSON-LD. It adds the address of the site to the
// description in the snapshot. The result is nil if the snapshot has no description.
func datasetOf(v *visit) (any, error) {
	if v.Meta().Dataset == nil {
		return nil, nil
	}
	var linked map[string]any
	if err := json.Unmarshal(v.Meta().Dataset, &linked); err != nil {
		return nil, err
	}
	linked["@id"], linked["url"] = v.Site+"/", v.Site+"/"
	return linked, nil
}

// problems lists the kinds of problems that have a page. The address of such a page ends with the
// slug of the kind.
var problems = []problem.Kind{
	problem.BadParameter, problem.BodyRefused, problem.BadRequest, problem.NoKey, problem.AddressDenied, problem.AddressHidden, problem.ForeignForm,
	problem.ScopeMissing, problem.NotFound, problem.VersionUnknown, problem.WrongMethod, problem.NotAcceptable, problem.TooMany, problem.FormRunning, problem.BodySlow, problem.VersionGone, problem.Expectation,
	problem.HeaderTooBig, problem.Internal, problem.NotImplement, problem.VersionOfHTTP, problem.VersionAhead, problem.Busy, problem.TooSlow,
}

// problemView is the data of the page about a kind of problem.
type problemView struct {
	Slug, Why, Do string
	Status        int
	Others        []navLink
}

func problemPage(v *visit) (*page, error) {
	slug := v.Param("type")
	i := slices.IndexFunc(problems, func(k problem.Kind) bool { return k.Slug == slug })
	if i < 0 {
		return nil, noPage(v)
	}
	view := &problemView{Slug: slug, Why: v.say("problem." + slug + ".why"), Do: v.say("problem." + slug + ".do"), Status: problems[i].Status}
	for _, k := range problems {
		view.Others = append(view.Others, navLink{Text: v.say("problem." + k.Slug), Address: v.link("/problems/" + k.Slug), Here: k.Slug == slug})
	}
	return &page{template: "problem", Title: v.say("problem." + slug), Data: view}, nil
}

// faultView is the data of an error page.
type faultView struct {
	Status               int
	Why, Do, Detail, Try string
	RequestID            string
	// Names is the address of the form for lists of names, if the fault is about that form.
	// Otherwise it is "".
	Names string
}

// faultPage explains what is wrong with a request and what to do.
func faultPage(v *visit, f *problem.Fault) *page {
	slug := f.Kind.Slug
	if v.r.Method == http.MethodPost && f.Kind == problem.BadParameter {
		return formPage(v, v.lang.Tell(f))
	}
	if !slices.ContainsFunc(problems, func(k problem.Kind) bool { return k.Slug == slug }) {
		slug = problem.Internal.Slug
	}
	view := &faultView{Status: f.Kind.Status, Detail: problem.HideKeys(v.lang.Tell(f)), RequestID: v.RequestID}
	key := "page." + slug
	if v.r.Method == http.MethodPost {
		view.Names = v.link("/match")
	}
	view.Why, view.Do = v.say(key), v.say(key+".do")
	if f.Retry > 0 {
		view.Try = v.say("fault.wait", f.Retry)
	}
	return &page{template: "fault", Title: view.Why, Data: view}
}
