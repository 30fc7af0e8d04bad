package api_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/api"

	"github.com/getkin/kin-openapi/openapi3"
)

// verdict tells whether the OpenAPI document allows a request or a value.
type verdict int

const (
	allowed   verdict = iota
	undecided         // the schema allows the value, but the description says that some such values are refused
	forbidden
)

// trial is a request derived from the OpenAPI document, with what the document says about it.
type trial struct {
	path string // encoded path and query
	says verdict
}

// TestBounds sends requests with values at the bounds of every parameter of each operation, and
// with combinations of parameters, in each format in turn. The server must refuse the requests that
// the document forbids and answer those that it allows. A request with the ETag of an answer must
// get a 304. The document must describe every answer, which [site.send] checks.
func TestBounds(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	must(t, err)
	s := start(t, config{})
	seed := rand.New(rand.NewPCG(1, 2))
	asked := 0
	for _, path := range doc.Paths.InMatchingOrder() {
		o := doc.Paths.Value(path).Get
		forms := slices.Sorted(maps.Keys(o.Responses.Status(http.StatusOK).Value.Content))
		for i, tr := range trials(path, o.Parameters, seed) {
			if testing.Short() && i%7 != 0 {
				continue
			}
			asked++
			form := forms[i%len(forms)]
			r := s.get(t, tr.path, "Accept", form)
			switch {
			case tr.says == forbidden && r.StatusCode != http.StatusBadRequest:
				t.Errorf("%s: status %d, but the document forbids the request: %.200s", tr.path, r.StatusCode, r.body)
			case tr.says == allowed && r.StatusCode != http.StatusOK && (r.StatusCode != http.StatusNotFound || o.Responses.Status(r.StatusCode) == nil):
				t.Errorf("%s: status %d, but the document allows the request: %.200s", tr.path, r.StatusCode, r.body)
			}
			noneUndescribed(t, o, r)
			if r.StatusCode != http.StatusOK {
				continue
			}
			if got := r.Header.Get("Content-Type"); !strings.HasPrefix(got, form) && !strings.Contains(tr.path, "format=") {
				t.Errorf("%s: Accept: %s is answered with %s", tr.path, form, got)
			}
			if i%5 == 0 && r.Header.Get("ETag") != "" {
				again := s.get(t, tr.path, "Accept", form, "If-None-Match", r.Header.Get("ETag")).wantStatus(t, http.StatusNotModified)
				noneUndescribed(t, o, again)
			}
		}
	}
	if asked < 500 && !testing.Short() {
		t.Errorf("%d requests were made from the document, want many more", asked)
	}
	t.Logf("%d requests", asked)
}

// noneUndescribed checks that the document describes all headers of an answer, except the headers
// that net/http or the compression sets.
func noneUndescribed(tb testing.TB, o *openapi3.Operation, r reply) {
	tb.Helper()
	d := o.Responses.Status(r.StatusCode)
	if d == nil {
		return // the missing status was reported already
	}
	known := map[string]bool{"Connection": true, "Content-Encoding": true, "Content-Length": true, "Content-Type": true, "Date": true}
	for name := range d.Value.Headers {
		known[http.CanonicalHeaderKey(name)] = true
	}
	for name := range r.Header {
		if !known[name] {
			tb.Errorf("%s: answer %d has the header %s, which the document does not describe", r.Request.URL, r.StatusCode, name)
		}
	}
}

// value lists the encoded values of one parameter. If raw is empty, the request does not have the
// parameter.
type value struct {
	raw  []string
	says verdict
}

// trials returns requests for an operation: its example, with each parameter in turn at its bounds,
// and with several legal values.
func trials(path string, params openapi3.Parameters, seed *rand.Rand) []trial {
	given := map[string]value{}
	for _, ref := range params {
		given[ref.Value.Name] = standard(ref.Value)
	}
	all := []trial{asks(path, params, given)}
	with := func(changes map[string]value) trial {
		changed := map[string]value{}
		for name, v := range given {
			changed[name] = v
		}
		for name, v := range changes {
			changed[name] = v
		}
		return asks(path, params, changed)
	}
	legal := map[string][]value{}
	for _, ref := range params {
		for _, v := range values(ref.Value) {
			all = append(all, with(map[string]value{ref.Value.Name: v}))
			if v.says != forbidden {
				legal[ref.Value.Name] = append(legal[ref.Value.Name], v)
			}
		}
	}
	for range 5 * len(params) {
		changes := map[string]value{}
		for _, ref := range params {
			if some := legal[ref.Value.Name]; len(some) > 0 && seed.IntN(3) == 0 && together(ref.Value.Name) {
				changes[ref.Value.Name] = some[seed.IntN(len(some))]
			}
		}
		all = append(all, with(changes))
	}
	for _, unheard := range []string{"unheard=of", "=1", "%zz=1", "Q=x", "PAGE=1", "q%00=x"} {
		tr := with(nil)
		if strings.Contains(tr.path, "?") {
			tr.path += "&" + unheard
		} else {
			tr.path += "?" + unheard
		}
		tr.says = forbidden
		all = append(all, tr)
	}
	return all
}

// together reports whether a parameter may be changed in the same request as others. Lists of names
// and authors must have the same length, and years must be in order. No schema can express these
// two rules, so these parameters are changed alone.
func together(name string) bool {
	return !slices.Contains([]string{"name", "author", "family", "fromYear"}, name)
}

// standard returns the value that the document has as the example of a parameter.
func standard(p *openapi3.Parameter) value {
	v := value{}
	switch example := p.Example.(type) {
	case nil:
	case []any:
		for _, one := range example {
			v.raw = append(v.raw, url.QueryEscape(fmt.Sprint(one)))
		}
	default:
		v.raw = []string{url.QueryEscape(fmt.Sprint(example))}
		if p.In == openapi3.ParameterInPath {
			v.raw[0] = url.PathEscape(fmt.Sprint(example))
		}
	}
	return v
}

// asks builds a request with the given values.
func asks(path string, params openapi3.Parameters, given map[string]value) trial {
	tr := trial{}
	var query []string
	for _, ref := range params {
		v := given[ref.Value.Name]
		tr.says = max(tr.says, v.says)
		for _, raw := range v.raw {
			if ref.Value.In == openapi3.ParameterInPath {
				path = strings.ReplaceAll(path, "{"+ref.Value.Name+"}", raw)
			} else {
				query = append(query, ref.Value.Name+"="+raw)
			}
		}
	}
	if tr.path = path; len(query) > 0 {
		tr.path += "?" + strings.Join(query, "&")
	}
	return tr
}

// judged returns the verdict of a parameter's schema and description.
func judged(legal bool, p *openapi3.Parameter) verdict {
	switch {
	case !legal:
		return forbidden
	case p != nil && strings.Contains(p.Description, "is refused"):
		return undecided
	}
	return allowed
}

// values returns values at the bounds of a parameter's schema and just beyond.
func values(p *openapi3.Parameter) []value {
	schema := p.Schema.Value
	var all []value
	add := func(legal bool, raw ...string) { all = append(all, value{raw, judged(legal, p)}) }
	if p.In == openapi3.ParameterInPath {
		for _, text := range append(allowedTexts(), refusedTexts()...) {
			add(true, url.PathEscape(text))
		}
		for _, raw := range []string{"%00", "%2e%2e", "a%2Fb", "%ff", "%20", strings.Repeat("a", 8000), strings.ToUpper(ginseng), nobody} {
			add(true, raw)
		}
		return all
	}
	add(!p.Required)
	switch {
	case schema.Type.Is("array"):
		item := schema.Items.Value
		for _, v := range texts(item) {
			v.says = max(v.says, judged(v.says == allowed, p))
			all = append(all, v)
		}
		one := "Panax"
		add(true, repeated(one, int(schema.MinItems))...)
		if schema.MaxItems != nil {
			add(true, repeated(one, int(*schema.MaxItems))...)
			add(false, repeated(one, int(*schema.MaxItems)+1)...)
		}
		return all
	case schema.Type.Is("integer") && schema.Enum == nil:
		low, high := int64(*schema.Min), int64(*schema.Max)
		for _, n := range []int64{low, low + 1, (low + high) / 2, high - 1, high} {
			add(true, strconv.FormatInt(n, 10))
		}
		for _, n := range []int64{low - 1, high + 1, high * 10} {
			add(false, strconv.FormatInt(n, 10))
		}
		for _, wrong := range []string{"", "01", "%2B1", "+1", "1.0", "1e0", "0x1", "x", "%EF%BC%91", "1%00", "-0", "NaN", "9223372036854775808", "null", "1,2"} {
			add(false, wrong)
		}
	case schema.Type.Is("boolean"):
		add(true, "true")
		add(true, "false")
		for _, wrong := range []string{"", "1", "0", "TRUE", "yes", "null", "true%20"} {
			add(false, wrong)
		}
	case schema.Enum != nil:
		for _, word := range schema.Enum {
			text := fmt.Sprint(word)
			add(true, url.QueryEscape(text))
			add(false, url.QueryEscape(text+" "))
			if upper := strings.ToUpper(text); upper != text {
				add(false, upper)
			}
		}
		add(false, "")
		add(false, "unheard")
	default:
		for _, v := range texts(schema) {
			v.says = max(v.says, judged(v.says == allowed, p))
			all = append(all, v)
		}
	}
	if v := all[len(all)/2]; len(v.raw) == 1 {
		add(false, v.raw[0], v.raw[0])
	}
	return all
}

// texts returns values at the bounds of the schema of a text and just beyond.
func texts(schema *openapi3.Schema) []value {
	var all []value
	pattern := regexp.MustCompile(schema.Pattern)
	add := func(legal bool, text string) {
		all = append(all, value{[]string{url.QueryEscape(text)}, judged(legal && pattern.MatchString(text), nil)})
	}
	long := int(*schema.MaxLength)
	add(schema.MinLength == 0, "")
	add(schema.MinLength == 0, " ")
	for _, letter := range []string{"a", "参", "𠀀", "é"} {
		add(true, strings.Repeat(letter, long))
		add(false, strings.Repeat(letter, long+1))
	}
	for _, text := range allowedTexts() {
		add(true, text)
	}
	add(true, "a\r\nb") // the parameter q takes several lines, others do not
	for _, text := range refusedTexts() {
		add(false, text)
	}
	for _, raw := range []string{"%zz", "%", "%e4%ba"} {
		all = append(all, value{[]string{raw}, forbidden})
	}
	return all
}

// allowedTexts are unusual texts, as people and attackers type them, which the server must accept.
func allowedTexts() []string {
	return []string{
		"x", "人参", "rén shēn", "Panax ginseng C.A.Mey.", "e\u0301", "\u202eabc", "\ufeff人参", "\u200b", "👩🏽‍🌾", "\ue000", "\ufffd", "a\u2028b", "a\tb",
		"'; DROP TABLE species; --", `"<script>alert(1)</script>"`, "../../etc/passwd", "a&b=c#d", "*", "q:*", "(((", "[", `\`, "~", "-", "+", ".", "，。", "、",
	}
}

// refusedTexts are texts that every parameter must refuse.
func refusedTexts() []string {
	return []string{"a\x00b", "\v", "\x7f", "\u0085x", "\xff", "\xc0\x80", "\xed\xa0\x80", "人\xe5"}
}

func repeated(text string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = text
	}
	return list
}
