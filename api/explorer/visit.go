package explorer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/cache"
	"bencao/api/explorer/texts"
	"bencao/api/problem"

	"github.com/go-json-experiment/json"
)

// visit is the request for a page.
type visit struct {
	*api.Visit
	ctx  context.Context
	r    *http.Request
	lang *texts.Language
	// Chosen reports that the address names the language. In this case the links on the page also
	// name the language.
	Chosen bool
	query  url.Values
	Site   string // address of the server, without a trailing slash
	*caches
}

// caches holds results that earlier requests computed, from the current and earlier versions of the
// data.
type caches struct {
	formulas *cache.Cache[any] // for comparisons
	answers  *cache.Cache[any] // answers of the API that many pages need, and results computed from them
	tables   *cache.Cache[*file]
}

func newVisit(r *http.Request, v *api.Visit, m *caches) *visit {
	out := &visit{Visit: v, ctx: r.Context(), r: r, query: r.URL.Query(), Site: strings.TrimRight(v.Meta().SiteURL, "/"), caches: m}
	if out.lang = texts.Of(out.query.Get("lang")); out.lang != nil {
		out.Chosen = true
	} else {
		out.lang = texts.Accepted(r.Header.Get("Accept-Language"))
	}
	return out
}

// say returns a text in the language of the user.
func (v *visit) say(key string, values ...any) string { return v.lang.Say(key, values...) }

// link returns an address of this site with parameters. params are alternating names and values.
// Parameters without a value are left out.
func (v *visit) link(path string, params ...string) string {
	q := values(params)
	for _, p := range v.Kept() {
		q.Set(p.Name, p.Value)
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// fileAt returns the address of a file of this site, which has no language.
func (v *visit) fileAt(path string, q url.Values) string {
	if v.Earlier != "" {
		q.Set(api.VersionParam, v.Earlier)
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// values converts alternating names and values to parameters. It leaves out parameters without a
// value.
func values(params []string) url.Values {
	q := url.Values{}
	for i := 0; i+1 < len(params); i += 2 {
		if params[i+1] != "" {
			q.Set(params[i], params[i+1])
		}
	}
	return q
}

// kept are the parameters that links and forms of a page keep: see [visit.Kept].
var kept = []string{"lang", api.VersionParam}

// Kept returns the parameters that links and forms of this page keep: the language if the address
// names one, and the version of the data if it is an earlier one.
func (v *visit) Kept() (params []struct{ Name, Value string }) {
	for i, value := range []string{v.lang.Code, v.Earlier} {
		if i == 0 && v.Chosen || i == 1 && value != "" {
			params = append(params, struct{ Name, Value string }{kept[i], value})
		}
	}
	return params
}

// again returns the address of this page with the given parameters replaced.
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
		return v.path()
	}
	return v.path() + "?" + q.Encode()
}

// path returns the path of this page. It begins with one slash: an address with two would lead to
// another site.
func (v *visit) path() string { return "/" + strings.TrimLeft(v.r.URL.EscapedPath(), "/") }

// ours converts the address of a record to an address on this server, with the user's language. An
// address on another site stays unchanged.
func (v *visit) ours(address string) string {
	path, ok := strings.CutPrefix(address, v.Site+"/")
	if !ok || v.Site == "" {
		return address
	}
	return v.link("/" + path)
}

// may reports whether the pages may show data that need the scopes in need.
func (v *visit) may(need access.Scopes) bool { return v.Scopes.Has(need) }

// ask calls an operation of the API. params are alternating names and values; parameters without a
// value are left out.
func ask[T any](v *visit, op, id string, params ...string) (out T, err error) {
	return askHiding[T](v, 0, op, id, params...)
}

// askHiding is like [ask], but the operation answers as for a key without the scopes in hide, so
// that the answer is shorter.
func askHiding[T any](v *visit, hide access.Scopes, op, id string, params ...string) (out T, err error) {
	q := values(params)
	answer, err := v.Ask(v.ctx, op, id, q, hide)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(answer, &out, json.MatchCaseInsensitiveNames(true))
}

// askCached is like [ask], but for answers that many pages need, such as counts over all records.
// The answer is cached and shared, so callers must not change it.
func askCached[T any](v *visit, op string, params ...string) (out T, err error) {
	return cached(v, v.answers, v.Tag(op, values(params).Encode()), func() (T, error) { return ask[T](v, op, "", params...) })
}

// cached returns the result that a cache has under a tag. If there is none, it calls make and caches
// the result. Results are shared, so callers must not change them.
func cached[T any](v *visit, in *cache.Cache[any], tag string, make func() (T, error)) (out T, err error) {
	kept, err := in.GetOrMake(v.ctx, tag, func() (any, error) { return make() })
	if err != nil {
		return out, err
	}
	return kept.(T), nil
}

// list is one page of a list of the API, as its JSON is decoded.
type list[T any] struct {
	Page        int `json:"page"`
	PageSize    int `json:"pageSize"`
	Total       int `json:"total"`
	Items       []T `json:"items"`
	Explanation *api.Explanation
}

// refused reports whether the API refused the request because the pages lack a scope.
func refused(err error) bool {
	var f *problem.Fault
	return errors.As(err, &f) && f.Kind == problem.ScopeMissing
}

// wrongText reports whether the API refused a request because of the text of a parameter.
func wrongText(err error) bool {
	var f *problem.Fault
	return errors.As(err, &f) && f.Kind == problem.BadParameter
}

// The methods below are for templates.

// Code returns the language of the user in the form of the parameter lang.
func (v *visit) Code() string { return v.lang.Code }

// At returns an address of this site with parameters. params are alternating names and values.
func (v *visit) At(path string, params ...any) string {
	texts := make([]string, len(params))
	for i, p := range params {
		texts[i] = fmt.Sprint(p)
	}
	return v.link(path, texts...)
}

// Version returns the day on which the data was built. Two versions that were built on the same day
// have the same text here; /stats shows their full ids.
func (v *visit) Version() string { return v.Meta().Built.UTC().Format(time.DateOnly) }

// Find returns the address of the search for q.
func (v *visit) Find(q any) string { return v.At("/search", "q", q) }

// File returns the address of a file of this site.
func (v *visit) File(path string) string { return v.fileAt(path, url.Values{}) }

// Plus returns a + b.
func (v *visit) Plus(a, b int) int { return a + b }
