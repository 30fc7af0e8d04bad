package explorer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"bencao/api"
)

// operation is an operation of the API, from its description.
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
		Content map[string]struct{ Example json.RawMessage }
	}
	path string
}

// schema is the type of a parameter.
type schema struct {
	Type             any // a word or a list of words
	Enum             []any
	Default          any
	Minimum, Maximum *json.Number
}

// Takes describes the values of a parameter: its words, or its type with bounds.
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

// noMost is the maximum of whole numbers without a narrower bound.
const noMost = "2147483647"

// operations reads the description of the API once.
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
	Path, Scope, Example                string
	Curl, Python, R, JavaScript, Server string
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
	view := &operationView{operation: o, Path: o.path, Scope: o.scope(), Server: v.site}
	view.samples(v.site)
	if example := o.Responses["200"].Content["application/json"].Example; example != nil {
		var out bytes.Buffer
		if err := json.Indent(&out, example, "", "  "); err != nil {
			return nil, err
		}
		view.Example = cutLines(strings.ReplaceAll(out.String(), "https://bencao.example", v.site), 60)
	}
	title, _ := translated(v.lang, o.Summary)
	lead, _ := translated(v.lang, o.Description)
	return &page{template: "operation", Title: title, Lead: lead, Data: view}, nil
}

// cutLines returns the first lines of a text.
func cutLines(text string, most int) string {
	lines := strings.SplitAfterN(text, "\n", most+1)
	if len(lines) <= most {
		return text
	}
	return strings.Join(lines[:most], "") + "  …"
}

// samples writes the example request in four languages.
func (view *operationView) samples(site string) {
	path, query := view.path, url.Values{}
	for _, p := range view.Parameters {
		text, ok := p.Example.(string)
		if !ok || text == "" {
			continue
		}
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", text)
		case p.Required || p.Name == "q":
			for _, value := range strings.Split(text, "|") {
				query.Add(p.Name, value)
			}
		}
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
