package explorer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/explorer/cache"
	"bencao/api/explorer/texts"
	"bencao/api/problem"

	"github.com/go-json-experiment/json"
)

// visit is a request for a page while it is answered.
type visit struct {
	*api.Visit
	ctx  context.Context
	r    *http.Request
	lang *texts.Language
	// chosen says that the address names the language, which links then keep.
	chosen bool
	query  url.Values
	site   string // without a trailing slash
	*caches
}

// memory is what pages were told before, of this version of the data and of others.
type caches struct {
	// answers are those about the whole of the data, and what is made of them.
	answers *cache.Cache[any]
	// briefs are formulas that others were held against.
	briefs *cache.Cache[*brief]
}

func newVisit(r *http.Request, v *api.Visit, m *caches) *visit {
	out := &visit{Visit: v, ctx: r.Context(), r: r, query: r.URL.Query(), site: strings.TrimRight(v.Meta().SiteURL, "/"), caches: m}
	if out.lang = texts.Of(out.query.Get("lang")); out.lang != nil {
		out.chosen = true
	} else {
		out.lang = texts.Accepted(r.Header.Get("Accept-Language"))
	}
	return out
}

// say is a text in the reader's language.
func (v *visit) say(key string, values ...any) string { return v.lang.Say(key, values...) }

// link is an address of ours with parameters, name and value by turns; those
// without a value are left out.
func (v *visit) link(path string, params ...string) string {
	q := values(params)
	if v.chosen {
		q.Set("lang", v.lang.Code)
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// values are parameters, which stand as name and value by turns. Those without a
// value are left out.
func values(params []string) url.Values {
	q := url.Values{}
	for i := 0; i+1 < len(params); i += 2 {
		if params[i+1] != "" {
			q.Set(params[i], params[i+1])
		}
	}
	return q
}

// again is the address of this page with some parameters changed.
func (v *visit) again(params ...string) string {
	q := url.Values{}
	for name, values := range v.query {
		q[name] = values
	}
	for i := 0; i+1 < len(params); i += 2 {
		if q.Del(params[i]); params[i+1] != "" {
			q.Set(params[i], params[i+1])
		}
	}
	if len(q) == 0 {
		return v.r.URL.EscapedPath()
	}
	return v.r.URL.EscapedPath() + "?" + q.Encode()
}

// ours turns an address of a record into one on this server, in the reader's
// language; one that the operator has given stays as it is.
func (v *visit) ours(address string) string {
	path, ok := strings.CutPrefix(address, v.site+"/")
	if !ok || v.site == "" {
		return address
	}
	return v.link("/" + path)
}

// may tells whether pages show what needs some scopes.
func (v *visit) may(need access.Scopes) bool { return v.Scopes.Has(need) }

// ask asks an operation of the API. Parameters stand as name and value by turns;
// those without a value are left out.
func ask[T any](v *visit, op, id string, params ...string) (out T, err error) {
	return askHiding[T](v, 0, op, id, params...)
}

// askHiding is ask with fewer scopes, for a shorter answer.
func askHiding[T any](v *visit, hide access.Scopes, op, id string, params ...string) (out T, err error) {
	q := values(params)
	answer, err := v.Ask(v.ctx, op, id, q, hide)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(answer, &out, json.MatchCaseInsensitiveNames(true))
}

// askCached is ask of what is about the whole of the data, which many pages ask
// alike. The answer is kept and shared: nobody changes it.
func askCached[T any](v *visit, op string, params ...string) (out T, err error) {
	return cached(v, v.Tag(op, values(params).Encode()), func() (T, error) { return ask[T](v, op, "", params...) })
}

// keep gives what was made before under a tag, or makes it. It is shared: nobody
// changes it.
func cached[T any](v *visit, tag string, make func() (T, error)) (out T, err error) {
	kept, err := v.answers.GetOrMake(tag, func() (any, error) { return make() })
	if err != nil {
		return out, err
	}
	return kept.(T), nil
}

// languageTag names what pages say of the whole of the data in the reader's language, with
// its links.
func (v *visit) languageTag(name string) string {
	return v.Tag(name, v.lang.Code, strconv.FormatBool(v.chosen))
}

// list is a page of T, as the API gives it.
type list[T any] struct {
	Page        int `json:"page"`
	PageSize    int `json:"pageSize"`
	Total       int `json:"total"`
	Items       []T `json:"items"`
	Explanation *api.Explanation
}

// refused tells whether an error is that the pages lack a scope.
func refused(err error) bool {
	var f *problem.Fault
	return errors.As(err, &f) && f.Kind == problem.ScopeMissing
}

// What follows is for templates.

// Home is the address of the start page.
func (v *visit) Home() string { return v.link("/") }

// Site is the address of the server, without a trailing slash.
func (v *visit) Site() string { return v.site }

// Chosen says that the address names the language.
func (v *visit) Chosen() bool { return v.chosen }

// Code is what ?lang= takes for the reader's language.
func (v *visit) Code() string { return v.lang.Code }

// At is an address of ours with parameters.
func (v *visit) At(path string, params ...any) string {
	texts := make([]string, len(params))
	for i, p := range params {
		texts[i] = fmt.Sprint(p)
	}
	return v.link(path, texts...)
}

// Version names the data as people do, by the day it was made; what tells two of a
// day apart stands on the page about the data.
func (v *visit) Version() string { return v.Meta().Built.UTC().Format(time.DateOnly) }

// Find is the address of a search.
func (v *visit) Find(q any) string { return v.At("/search", "q", q) }

// Plus adds.
func (v *visit) Plus(a, b int) int { return a + b }

// heatTable is a heat map with its words.
type heatTable struct {
	Heat                  *heat
	Rated                 bool
	First, Value, Caption string
}

// Heat gives a heat map its words: rated is one of likeness.
func (v *visit) Heat(h *heat, rated, byDose bool) heatTable {
	t := heatTable{Heat: h, Rated: rated, First: v.say("book"), Caption: v.say("formula.same")}
	if rated {
		t.First, t.Value, t.Caption = v.say("formula"), v.say("heat.likeness"), v.say("formula.like")
		if byDose {
			t.Value = v.say("heat.distance")
		}
	}
	return t
}
