package explorer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bencao/api"
	"bencao/api/problem"
)

// operation is an operation of the API, as the OpenAPI document describes it.
type operation struct {
	ID          string `json:"operationId"`
	Summary     string
	Description string
	Tags        []string
	Security    []map[string][]string
	Parameters  []struct {
		Name, In, Description string
		Required              bool
		Example               any
		Schema                schema
	}
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Example json.RawMessage }
	}
	path string
}

// schema is the type of a parameter.
type schema struct {
	Type             any // a type or a list of types
	Enum             []any
	Default          any
	Minimum, Maximum *json.Number
}

// Takes describes the values of a parameter: the permitted words, or the type and the bounds.
func (s schema) Takes() string {
	switch {
	case len(s.Enum) > 0:
		var all []string
		for _, value := range s.Enum {
			all = append(all, fmt.Sprint(value))
		}
		return strings.Join(all, " | ")
	case s.Minimum != nil && s.Maximum != nil && s.Maximum.String() != noMost:
		return fmt.Sprint(s.Type) + " " + s.Minimum.String() + "–" + s.Maximum.String()
	case s.Minimum != nil:
		return fmt.Sprint(s.Type) + " ≥ " + s.Minimum.String()
	case s.Type != nil:
		return fmt.Sprint(s.Type)
	}
	return ""
}

// noMost is the maximum that the OpenAPI document gives for whole numbers that have no other limit.
const noMost = "2147483647"

// operations reads the operations from the OpenAPI document. It reads the document only once.
var operations = sync.OnceValues(func() ([]*operation, error) {
	var doc struct {
		Paths map[string]struct{ Get *operation }
	}
	if err := json.Unmarshal(api.OpenAPI(), &doc); err != nil {
		return nil, err
	}
	var all []*operation
	for path, item := range doc.Paths {
		item.Get.path = path
		all = append(all, item.Get)
	}
	slices.SortFunc(all, func(a, b *operation) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
})

// docsView lists the operations by subject.
type docsView struct{ Groups []docsGroup }

type docsGroup struct {
	Name       string
	Operations []docsLine
}

type docsLine struct{ Summary, Path, Address, Scope string }

func docsPage(v *visit) (*page, error) {
	all, err := operations()
	if err != nil {
		return nil, err
	}
	view := &docsView{}
	for _, o := range all {
		name := strings.Join(o.Tags, " ")
		i := slices.IndexFunc(view.Groups, func(g docsGroup) bool { return g.Name == name })
		if i < 0 {
			i = len(view.Groups)
			view.Groups = append(view.Groups, docsGroup{Name: name})
		}
		view.Groups[i].Operations = append(view.Groups[i].Operations, docsLine{o.Summary, o.path, v.link("/docs/" + o.ID), o.scope()})
	}
	return &page{template: "docs", Title: v.say("docs.title"), Lead: v.say("docs.lead"), Data: view}, nil
}

// scope returns the scope that the operation needs, or "".
func (o *operation) scope() string {
	for _, s := range o.Security {
		return strings.Join(s["ApiKey"], ", ")
	}
	return ""
}

// operationView is the data of the page of an operation.
type operationView struct {
	*operation
	Path, Scope, Example        string
	Curl, Python, R, JavaScript string
	// Try lists the fields of the form in which users fill in a request of their own.
	Try []tryField
	// Statuses lists the statuses that the operation may return, except 200.
	Statuses []statusLine
}

// statusLine is a status that an operation may return. Address is the page that explains the
// status.
type statusLine struct {
	Status        int
	Text, Address string
}

// tryField is a parameter in the form of an operation's page.
type tryField struct {
	Name, Value string
	Required    bool
}

// request returns the request that the page of an operation shows and answers. If the user has
// filled in the form, it is the user's request, and tried is true. Otherwise it is the example
// request of the OpenAPI document, for a record that the current snapshot has.
func (o *operation) request(v *visit) (id string, query url.Values, tried bool) {
	query = url.Values{}
	for _, p := range o.Parameters {
		given := slices.DeleteFunc(slices.Clone(v.query[p.Name]), func(value string) bool { return value == "" })
		if p.In == "header" || p.Name == "" {
			continue
		}
		if tried = tried || len(given) > 0; len(given) == 0 && (p.Required || p.Name == "q") {
			given = examples(p.Example)
			switch {
			case p.Name == "since":
				given = []string{v.Meta().ID}
			case p.Name == "guid" || p.Name == "id":
				given = []string{o.record(v, given)}
			}
		}
		if p.In == "path" {
			id = strings.Join(given, "")
		} else if len(given) > 0 {
			query[p.Name] = given
		}
	}
	return id, query, tried
}

// examples returns an example of the OpenAPI document as a list of texts. The example is a text or
// a list of texts.
func examples(example any) (all []string) {
	switch e := example.(type) {
	case string:
		return []string{e}
	case []any:
		for _, one := range e {
			all = append(all, fmt.Sprint(one))
		}
	}
	return all
}

// record returns the id in the example if the snapshot has the record with this id. Otherwise it
// returns the id of the first record of the table.
func (o *operation) record(v *visit, example []string) string {
	id := strings.Join(example, "")
	table, _, _ := strings.Cut(o.ID, ".")
	detail, query := id, url.Values{}
	if table == "papers" {
		detail, query = "", url.Values{"id": {id}}
	}
	if _, err := v.Ask(v.ctx, table+".detail", detail, query, 0); err == nil {
		return id
	}
	first, err := askCached[list[struct{ ID, GUID string }]](v, table+".search", "pageSize", "1")
	if err != nil || len(first.Items) == 0 {
		return id // the table is empty, or the pages may not show its records
	}
	return cmp.Or(first.Items[0].GUID, first.Items[0].ID)
}

// fields returns the fields of the form.
func (o *operation) fields(id string, query url.Values) (all []tryField) {
	for _, p := range o.Parameters {
		switch {
		case p.In == "path":
			all = append(all, tryField{p.Name, id, true})
		case p.In == "query" && (p.Required || len(query[p.Name]) > 0 || p.Name == "q"):
			for _, value := range append(query[p.Name], "")[:max(1, len(query[p.Name]))] {
				all = append(all, tryField{p.Name, value, p.Required})
			}
		}
	}
	return all
}

// statuses lists the statuses that the operation documents and about which there is a page. Those of
// forms are not of the API.
func (o *operation) statuses(v *visit) (all []statusLine) {
	for _, k := range problems {
		if _, ok := o.Responses[strconv.Itoa(k.Status)]; ok && k != problem.ForeignForm && k != problem.FormRunning {
			all = append(all, statusLine{k.Status, v.say("problem." + k.Slug), v.link("/problems/" + k.Slug)})
		}
	}
	slices.SortStableFunc(all, func(a, b statusLine) int { return a.Status - b.Status })
	return all
}

func operationPage(v *visit) (*page, error) {
	all, err := operations()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(o *operation) bool { return o.ID == v.Param("operation") })
	if i < 0 {
		return nil, noPage(v)
	}
	o := all[i]
	view := &operationView{operation: o, Path: o.path, Scope: o.scope(), Statuses: o.statuses(v)}
	id, query, tried := o.request(v)
	view.samples(v.Site, id, query)
	example := o.Responses["200"].Content["application/json"].Example
	if o.ID != "key" { // the answer of the operation key would describe the key of the pages, so the page does not show it
		answer, err := v.Ask(v.ctx, o.ID, id, query, 0)
		switch {
		case err == nil:
			example = answer
		case tried:
			return nil, err
		}
		view.Try = o.fields(id, query)
	}
	if example != nil {
		var out bytes.Buffer
		if err := json.Indent(&out, example, "", "  "); err != nil {
			return nil, err
		}
		view.Example = cutLines(strings.ReplaceAll(out.String(), "https://bencao.example", v.Site), 60)
	}
	title, _ := translated(v.lang, o.Summary)
	lead, _ := translated(v.lang, o.Description)
	params := []string{}
	for _, p := range o.Parameters {
		params = append(params, p.Name)
	}
	return &page{template: "operation", Title: title, Lead: lead, Data: view, params: params}, nil
}

// cutLines returns the first lines of a text. most limits the number of lines.
func cutLines(text string, most int) string {
	lines := strings.SplitAfterN(text, "\n", most+1)
	if len(lines) <= most {
		return text
	}
	return strings.Join(lines[:most], "") + "  …"
}

// samples writes the example request in four languages.
func (view *operationView) samples(site, id string, query url.Values) {
	path := view.path
	if start := strings.IndexByte(path, '{'); start >= 0 {
		end := strings.IndexByte(path, '}')
		path = path[:start] + url.PathEscape(id) + path[end+1:]
	}
	address := site + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	view.Curl = "curl -s -H \"X-Api-Key: $KEY\" \"" + address + "\""
	view.Python = "import os, requests\n\nr = requests.get(\"" + address + "\",\n                 headers={\"X-Api-Key\": os.environ[\"KEY\"]})\nr.raise_for_status()\nprint(r.json())"
	view.R = "library(httr2)\n\nrequest(\"" + address + "\") |>\n  req_headers(`X-Api-Key` = Sys.getenv(\"KEY\")) |>\n  req_perform() |>\n  resp_body_json()"
	view.JavaScript = "const r = await fetch(\"" + address + "\",\n  { headers: { \"X-Api-Key\": process.env.KEY } });\nif (!r.ok) throw new Error((await r.json()).detail);\nconsole.log(await r.json());"
}
