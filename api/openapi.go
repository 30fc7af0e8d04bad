package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/api/cite"
	"bencao/api/params"
	"bencao/api/problem"
)

// document returns the OpenAPI 3.1 document. It depends only on the routes and the types, so it is
// the same on every server.
//
// If plain is false, the schema of a number also permits text, for clients without wide integers.
// If plain is true, it permits numbers only.
func document(routes []route, plain bool) []byte {
	s := &schemas{seen: map[string]reflect.Type{}, plain: plain}
	problem := s.of(reflect.TypeFor[problem.Problem]())
	var paths object
	var tags []object
	for _, r := range routes {
		if r.public() {
			continue
		}
		paths = append(paths, member{prefix + r.path, object{{"get", s.operation(&r)}}})
		if tag := (object{{"name", r.tag()}, {"description", tagDocs[r.tag()]}}); len(tags) == 0 || tags[len(tags)-1][0].value != r.tag() {
			tags = append(tags, tag)
		}
	}
	out, err := json.Marshal(object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "Bencao (本草)"},
			{"version", "v1"},
			{"summary", "Plant species, historical Chinese formulas, papers, uses and scientific names."},
			{"description", infoDoc},
			{"contact", object{{"name", "The operator of the server, who gives the keys"}}},
			{"license", object{{"name", "The operator's terms; each answer links them with rel=\"license\""}, {"identifier", "LicenseRef-terms-of-the-operator"}}},
		}},
		{"servers", []object{{{"url", "/"}, {"description", "The server that this document comes from."}}}},
		{"security", []object{{{"ApiKey", []string{}}}}},
		{"tags", tags},
		{"paths", paths},
		{"components", object{
			{"securitySchemes", object{{"ApiKey", object{
				{"type", "apiKey"}, {"in", "header"}, {"name", keyHeader},
				{"description", "A key from the operator. The operator sets its networks, its scopes and its rate."},
			}}}},
			{"schemas", s.named},
			{"headers", headerDocs()},
			{"responses", problemDocs(problem)},
		}},
	})
	if err != nil {
		panic(err) // a bug of this package, which shows when the program starts
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, out, "", "  "); err != nil {
		panic(err)
	}
	return append(indented.Bytes(), '\n')
}

const infoDoc = `Read-only. Every path answers GET (and HEAD) with JSON, lists also with ` + "`text/csv`" + `.

Every field is always present. A value that a record lacks is null; a list is never null unless its description says so.
Numbers in answers are JSON numbers; a client may read them as text.

The data are updated by a nightly build. To read several answers from one version, such as the pages of a list, send the
` + "`X-Data-Version`" + ` of the first answer as a header of each later request. The answer then comes from that version. It is 410
if the server no longer keeps that version, and 503 if the server does not have it yet.

Every valid key reads species, papers, names and statistics. All other data need a scope. The description of an
operation names its scopes. Without them it answers 403, whether or not the record exists. In a formula, ` + "`ingredients`" + ` and
` + "`codes`" + ` are null without prescription_composition, ` + "`similarEuclidean`" + ` and ` + "`similarJaccard`" + ` without
prescription_similarity, and ` + "`sharedHerbs`" + ` within these without prescription_composition. ` + "`composition`" + `, the source's own text,
is shown to every key that may read formulas.`

// examples has the answer to the example request of each operation. TestExamples compares the
// examples with a server's answers, or rewrites them when asked.
//
//go:embed examples/*.json
var examples embed.FS

// exampleOf returns the answer to an operation's example request, or "" if there is none.
func exampleOf(op string) any {
	text, err := examples.ReadFile("examples/" + op + ".json")
	if err != nil {
		return ""
	}
	return json.RawMessage(text)
}

var tagDocs = map[string]string{
	"species":  "Plant species, and their formulas, papers, uses and flora entries.",
	"formulas": "Historical formulas (方剂).",
	"herbs":    "The herbs (药) in formulas.",
	"patterns": "What formulas have in common (用药规律).",
	"papers":   "Publications.",
	"suggest":  "Suggestions while a user types.",
	"names":    "Matching of scientific and Chinese names against the checklists.",
	"stats":    "Counts of the records in the data.",
	"version":  "The version of the data.",
	"changes":  "Changes of the records.",
	"key":      "The key of the request.",
}

// operation returns the OpenAPI description of a route.
func (s *schemas) operation(r *route) object {
	op := object{{"operationId", r.op}, {"tags", []string{r.tag()}}, {"summary", r.summary}}
	op = op.with("description", r.description())
	if r.scope != access.Open {
		op = append(op, member{"security", []object{{{"ApiKey", r.scope.Names()}}}})
	}
	var params []object
	for _, p := range r.plan.Params {
		params = append(params, describe(p))
	}
	if params != nil {
		op = append(op, member{"parameters", params})
	}
	content := object{{string(formatJSON), object{{"schema", s.answer(r.shape)}}.with("example", exampleOf(r.op))}}
	if r.rows() {
		content = append(content, member{string(formatCSV), object{{"schema", object{
			{"type", "string"}, {"description", "The same rows, with a line of field names first; null is an empty field."},
		}}}}, member{string(formatLines), object{{"schema", object{
			{"type", "string"}, {"description", "The same rows, one JSON object per line."},
		}}}})
	}
	if r.pairs() {
		content = append(content, member{string(formatGraphML), object{{"schema", object{
			{"type", "string"}, {"description", "The same pairs as a network in GraphML, for Cytoscape and Gephi."},
		}}}})
	}
	if r.papers() {
		for _, f := range cite.Forms {
			schema := object{{"type", "string"}}
			if strings.HasSuffix(f.Media, "json") {
				schema = object{{"type", "array"}, {"items", object{{"type", "object"}}}}
			}
			schema = append(schema, member{"description", "The same papers as references in " + f.Name + "."})
			content = append(content, member{f.Media, object{{"schema", schema}}})
		}
	}
	sent := headerRefs(http.StatusOK)
	if r.momentary {
		sent = slices.DeleteFunc(sent, func(m member) bool { return m.name == "ETag" })
	}
	if r.searches() {
		sent = append(sent, member{searchHeader, object{{"$ref", "#/components/headers/" + searchHeader}}})
	}
	if len(r.forms) > 1 {
		sent = append(sent, member{fileHeader, object{{"$ref", "#/components/headers/" + fileHeader}}})
	}
	responses := object{{"200", object{{"description", "The answer."}, {"headers", sent}, {"content", content}}}}
	if !r.momentary {
		sent := headerRefs(http.StatusNotModified)
		if r.shape.pages {
			sent = slices.DeleteFunc(sent, func(m member) bool { return m.name == "Link" })
		}
		responses = append(responses, member{"304", object{{"description", "The client's copy, identified by If-None-Match, is still current."}, {"headers", sent}}})
	}
	for _, d := range statuses {
		if d.status == http.StatusNotFound && !r.names {
			continue
		}
		responses = append(responses, member{strconv.Itoa(d.status), object{{"$ref", "#/components/responses/" + d.name}}})
	}
	return append(op, member{"responses", responses})
}

// answer returns the schema of a route's answer with status 200.
func (s *schemas) answer(sh shape) object {
	item := s.of(sh.item)
	switch {
	case sh.lists:
		return object{{"type", "array"}, {"items", item}}
	case sh.pages:
		name := schemaName(sh.item) + "Page"
		if _, ok := s.seen[name]; !ok {
			s.seen[name] = sh.item
			count := func(doc string) object { return s.scalar(reflect.TypeFor[int32](), false).with("description", doc) }
			required := []string{"page", "pageSize", "total", "items"}
			properties := object{
				{"page", count("The page shown, from 1.")},
				{"pageSize", count("Items per page.")},
				{"total", count("Items on all pages.")},
				{"items", object{{"type", "array"}, {"items", item}}},
			}
			if sh.beside == nil {
				properties = append(properties, member{"explanation", s.of(reflect.TypeFor[Explanation]()).with("description", "Only in searches with explain=true.")})
			} else {
				for f := range sh.beside.Fields() {
					required = append(required, jsonName(f))
					properties = append(properties, member{jsonName(f), s.field(f)})
				}
			}
			s.named = append(s.named, member{name, object{{"type", "object"}, {"required", required}, {"properties", properties}}})
		}
		return ref(name)
	}
	return item
}

// Character classes for patterns: control characters but tabs, and all other characters. The regular
// expressions of JavaScript, Go, Java and Python all understand \x.
const (
	control   = `\x00-\x08\x0A-\x1F\x7F-\x9F`
	noControl = `[^` + control + `]`
	lines     = `[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]` // noControl, and the ends of lines
)

// versionPattern is the form of a version of the data.
const versionPattern = `^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{6}$`

// describe returns the OpenAPI description of a parameter.
func describe(p params.Param) object {
	schema := plain(p.Kind)
	switch {
	case p.Digit():
		schema = object{{"type", "integer"}, {"enum", []int{0, 1}}, {"default", json.RawMessage(p.Standard)}}
	case p.Kind == reflect.Bool:
		schema = append(schema, member{"default", json.RawMessage(p.Standard)})
	case p.Among != nil:
		schema = append(schema, member{"enum", p.Among})
		if p.Standard != "" {
			schema = append(schema, member{"default", p.Standard})
		}
	case p.Kind == reflect.String && p.In == "query":
		if p.Required {
			schema = append(schema, member{"minLength", 1})
		}
		schema = append(schema, member{"maxLength", p.Runes})
		if p.Fields != nil {
			field := `\s*(?:` + strings.Join(p.Fields, "|") + `)\s*`
			schema = append(schema, member{"pattern", "^" + field + "(?:," + field + ")*$"})
		} else if p.Required {
			schema = append(schema, member{"pattern", `^` + noControl + `*[^\s` + control + `]` + noControl + `*$`})
		} else if p.Lines {
			schema = append(schema, member{"pattern", `^` + lines + `*$`})
		} else {
			schema = append(schema, member{"pattern", `^` + noControl + `*$`})
		}
		if p.Most > 0 {
			schema = object{{"type", "array"}, {"items", schema}, {"minItems", 1}, {"maxItems", p.Most}}
		}
	case p.Kind != reflect.String:
		schema = append(schema, member{"minimum", p.Min}, member{"maximum", p.Max})
		if p.Standard != "" {
			schema = append(schema, member{"default", json.RawMessage(p.Standard)})
		}
	}
	out := object{{"name", p.Name}, {"in", p.In}}
	if p.Required {
		out = append(out, member{"required", true})
	}
	if p.Most > 0 && !p.Required {
		out = append(out, member{"allowEmptyValue", true})
	}
	out = out.with("description", p.Doc)
	out = append(out, member{"schema", schema})
	switch {
	case p.Example == "":
	case p.Most > 0:
		out = append(out, member{"example", strings.Split(p.Example, "|")})
	default:
		out = append(out, member{"example", example(p.Kind, p.Example)})
	}
	return out
}

// plain returns the schema of a parameter or a header whose value is of kind k.
func plain(k reflect.Kind) object {
	switch k {
	case reflect.String:
		return object{{"type", "string"}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	}
	return whole(reflect.TypeFor[int32]())
}

// statusDoc documents an error status.
type statusDoc struct {
	status int
	name   string
	doc    string
}

var statuses = []statusDoc{
	{http.StatusBadRequest, "BadRequest", "A parameter is wrong, or the request has a body."},
	{http.StatusUnauthorized, "Unauthorized", "There is no valid key: missing, wrong, disabled or expired."},
	{http.StatusForbidden, "Forbidden", "The key may not be used from this address, or lacks a scope."},
	{http.StatusNotFound, "NotFound", "No record has the identifier; for changes, the version is unknown."},
	{http.StatusMethodNotAllowed, "MethodNotAllowed", "Only GET and HEAD are answered."},
	{http.StatusNotAcceptable, "NotAcceptable", "Accept rules out every format that is offered."},
	{http.StatusGone, "Gone", "The server no longer keeps the version of the data in the request's X-Data-Version."},
	{http.StatusExpectationFailed, "ExpectationFailed", "The header Expect has another value than 100-continue."},
	{http.StatusTooManyRequests, "TooManyRequests", "The limit of the key, or of the address when there is no valid key, is used up."},
	{http.StatusRequestHeaderFieldsTooLarge, "HeaderTooLarge", "The request's header is larger than 16 KiB."},
	{http.StatusInternalServerError, "InternalServerError", "The server failed because of a fault of its own."},
	{http.StatusServiceUnavailable, "ServiceUnavailable", "The server is too busy, the answer took longer than it allows, or it does not have the version of the data in the request's X-Data-Version yet."},
}

// headerDoc documents a response header and the statuses that have it.
type headerDoc struct {
	name, doc string
	kind      reflect.Kind
	on        func(status int) bool
}

var headers = []headerDoc{
	{"X-RateLimit-Limit", "Requests allowed per minute.", reflect.Int, always},
	{"X-RateLimit-Remaining", "Requests left in this minute.", reflect.Int, always},
	{"X-RateLimit-Reset", "Whole seconds until this minute ends.", reflect.Int, always},
	{versionHeader, "The version of the data in this answer. A request with this header is answered from that version.", reflect.String, always},
	{"X-Request-Id", "The request's id; quote it when you ask for help.", reflect.String, always},
	{"X-Content-Type-Options", "nosniff: the answer is what Content-Type says.", reflect.String, always},
	{"ETag", "Identifies this answer; send it back in If-None-Match.", reflect.String, only(http.StatusOK, http.StatusNotModified)},
	{"Cache-Control", "private, no-cache: keep the answer, but validate it before using it again. public, with s-maxage: the server needs no key and the request had none.", reflect.String, always},
	{"Vary", "The request headers that the answer depends on.", reflect.String, always},
	{"Link", "rel=license and rel=cite-as; on pages also first, last, prev and next, as absolute addresses below the server's site.", reflect.String, always},
	{searchHeader, "In searches: none; exact; or part; where= with the place of q in the names; or forgiven; how= with the difference that was tolerated, such as sameSound, nearSound, letters, oneCharacter or guess. recognised= lists what the parts of q are, such as herb or source, if they are not all names. unknown= lists the filters whose value no record has. readAs= is the text that was searched instead of q, percent-encoded, and in= the text of the records. name=, indications= and composition= count the formulas that have q in another text.", reflect.String, only()},
	{fileHeader, "The file name, in answers that format= turns into a file.", reflect.String, only()},
	{"Allow", "The methods that are allowed.", reflect.String, only(http.StatusMethodNotAllowed)},
	{"Retry-After", "Whole seconds to wait.", reflect.Int, only(http.StatusTooManyRequests, http.StatusServiceUnavailable)},
	{"WWW-Authenticate", "How to authenticate.", reflect.String, only(http.StatusUnauthorized)},
}

func always(int) bool { return true }

func only(statuses ...int) func(int) bool {
	return func(status int) bool { return slices.Contains(statuses, status) }
}

func headerDocs() object {
	var docs object
	for _, h := range headers {
		schema := plain(h.kind)
		if h.name == versionHeader {
			schema = append(schema, member{"pattern", versionPattern})
		}
		docs = append(docs, member{h.name, object{{"description", h.doc}, {"schema", schema}}})
	}
	return docs
}

// headerRefs returns references to the headers of a response.
func headerRefs(status int) object {
	var refs object
	for _, h := range headers {
		if h.on(status) {
			refs = append(refs, member{h.name, object{{"$ref", "#/components/headers/" + h.name}}})
		}
	}
	return refs
}

func problemDocs(problem object) object {
	var docs object
	for _, d := range statuses {
		docs = append(docs, member{d.name, object{
			{"description", d.doc},
			{"headers", headerRefs(d.status)},
			{"content", object{{"application/problem+json", object{{"schema", problem}}}}},
		}})
	}
	return docs
}

// description returns the text that describes a route in the OpenAPI document.
func (r *route) description() string {
	if r.scope == access.Open {
		return r.doc
	}
	return strings.TrimSpace(fmt.Sprintf("%s Needs the scope %s.", r.doc, strings.Join(r.scope.Names(), ", ")))
}

// fixedBody is an answer whose body is the same for every client.
type fixedBody []byte

func (fixedBody) release() {}

func (fixedBody) shape() shape { return shape{} }

func (f fixedBody) length() int { return len(f) }

func (f fixedBody) writeJSON(w io.Writer) error {
	_, err := w.Write(f)
	return err
}

func (fixedBody) writeRows(io.Writer, format, rowOptions) error {
	return fmt.Errorf("a document has no rows")
}

// documentInput has the parameters of the route of the OpenAPI document.
type documentInput struct {
	Numbers string `query:"numbers" words:"either,plain" default:"either" doc:"plain describes numbers in answers as numbers only; either also as text."`
}

// openAPI returns the route of the OpenAPI document, which needs no key. doc is the usual document.
// plain is the variant in which numbers may not be text.
func openAPI(doc, plain []byte) route {
	sum := sha256.Sum256(doc)
	plan := params.New(reflect.TypeFor[documentInput]())
	return route{
		op: "openapi", cheap: true, path: "/openapi/v1.json", plan: plan, forms: []format{formatJSON}, fixed: doc,
		version: base64.RawURLEncoding.EncodeToString(sum[:]),
		handle: func(_ context.Context, _ *Backend, vals params.Values, _ access.Scopes) (answer, error) {
			if plan.Get(vals, "numbers") == "plain" {
				return fixedBody(plain), nil
			}
			return fixedBody(doc), nil
		},
	}
}
