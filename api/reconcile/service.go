package reconcile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"bencao/mappings/search"
)

// Options are what a service must know of its place.
type Options struct {
	// Base is the address of the service itself, without a trailing slash.
	Base string
	// Site is the address that pages of species are at, without a trailing slash.
	// It names the space of the ids. Empty is Base.
	Site string
	// Log is told what went wrong.
	Log *slog.Logger
}

// Service answers over HTTP. Use [New].
type Service struct {
	source Source
	opt    Options
	mux    *http.ServeMux
}

// maxBody bounds the body of a request, in bytes.
const maxBody = 4 << 20

// New returns a service that answers from source.
func New(source Source, opt Options) *Service {
	s := &Service{source: source, opt: opt, mux: http.NewServeMux()}
	if s.opt.Site == "" {
		s.opt.Site = s.opt.Base
	}
	s.mux.Handle("GET /{$}", s.answer(s.root))
	s.mux.Handle("POST /{$}", s.answer(s.root))
	for path, answer := range map[string]func(context.Context, *http.Request) (any, error){
		"/suggest/entity": s.suggestEntities, "/suggest/property": s.suggestProperties, "/suggest/type": s.suggestTypes,
		"/flyout/entity": s.flyoutEntity, "/flyout/property": flyoutProperty, "/flyout/type": flyoutType,
		"/properties": s.propose,
	} {
		s.mux.Handle("GET "+path, s.answer(answer))
	}
	s.mux.HandleFunc("GET /preview", s.preview)
	s.mux.HandleFunc("GET /view", s.view)
	return s
}

// ServeHTTP answers any page, as the specification wants it: there is nothing
// here that only one site may read.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
		h.Set("Access-Control-Allow-Headers", "Content-Type")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	s.mux.ServeHTTP(w, r)
}

// badError says what is wrong with a request.
type badError struct{ text string }

func (e *badError) Error() string { return e.text }

func badf(format string, args ...any) error { return &badError{fmt.Sprintf(format, args...)} }

// answer makes a handler of what gives an answer in JSON.
func (s *Service) answer(ask func(context.Context, *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := ask(r.Context(), r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.write(w, r, http.StatusOK, out)
	})
}

// write sends an answer.
func (s *Service) write(w http.ResponseWriter, r *http.Request, status int, out any) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(out); err != nil {
		s.opt.Log.Error("reconcile", "path", r.URL.Path, "error", err)
		http.Error(w, "the answer cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	if _, err := w.Write(b.Bytes()); err != nil {
		s.opt.Log.Debug("reconcile: the client has gone", "path", r.URL.Path, "error", err)
	}
}

// fail says what went wrong: to the client what it can mend, to the log the
// rest.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, said := http.StatusBadGateway, "the names cannot be asked now; the log of bencao reconcile says why"
	var bad *badError
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &bad):
		status, said = http.StatusBadRequest, bad.text
	case errors.As(err, &long):
		status, said = http.StatusRequestEntityTooLarge, fmt.Sprintf("the request has more than %d bytes; send fewer queries at once", maxBody)
	case errors.Is(err, search.ErrQuery):
		status, said = http.StatusBadRequest, err.Error()
	default:
		s.opt.Log.Error("reconcile", "path", r.URL.Path, "error", err)
	}
	s.write(w, r, status, map[string]string{"error": said})
}

// root gives the manifest, or answers queries or an extension.
func (s *Service) root(ctx context.Context, r *http.Request) (any, error) {
	if err := r.ParseForm(); err != nil {
		if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
			return nil, err
		}
		return nil, badf("the request is no form: %v", err)
	}
	switch {
	case r.Form.Has("queries"):
		var batch map[string]query
		if err := json.Unmarshal([]byte(r.Form.Get("queries")), &batch); err != nil {
			return nil, badf("queries is not a batch of queries in JSON: %v", err)
		}
		return s.reconcile(ctx, batch)
	case r.Form.Has("extend"):
		var x extension
		if err := json.Unmarshal([]byte(r.Form.Get("extend")), &x); err != nil {
			return nil, badf("extend is not an extension in JSON: %v", err)
		}
		return s.extend(ctx, x)
	case r.Method == http.MethodPost:
		return nil, badf("the form has neither queries nor extend; send it as application/x-www-form-urlencoded")
	}
	return s.manifest(), nil
}

// manifest says what the service can do.
func (s *Service) manifest() any {
	type object = map[string]any
	suggest := func(what string) object {
		return object{"service_url": s.opt.Base, "service_path": "/suggest/" + what, "flyout_service_path": "/flyout/" + what + "?id=${id}"}
	}
	return object{
		"versions":        []string{"0.1", "0.2"},
		"name":            "Bencao 本草: plant names",
		"identifierSpace": s.opt.Site + "/species/",
		"schemaSpace":     "http://rs.tdwg.org/dwc/terms/Taxon",
		"defaultTypes":    []kind{anyTaxon},
		"view":            object{"url": s.opt.Base + "/view?id={{id}}"},
		"preview":         object{"url": s.opt.Base + "/preview?id={{id}}", "width": previewWidth, "height": previewHeight},
		"suggest":         object{"entity": suggest("entity"), "property": suggest("property"), "type": suggest("type")},
		"extend":          object{"propose_properties": object{"service_url": s.opt.Base, "service_path": "/properties"}, "property_settings": []any{}},
	}
}

// view leads to the page of a species. An accepted name that is in no database
// has none, and its preview is shown.
func (s *Service) view(w http.ResponseWriter, r *http.Request) {
	t, found, err := s.taxon(r.Context(), r.URL.Query().Get("id"))
	switch {
	case err != nil:
		s.fail(w, r, err)
	case found && isPage(t.URL):
		http.Redirect(w, r, t.URL, http.StatusSeeOther)
	default:
		s.show(w, r, &t, found)
	}
}

// isPage tells whether an address can be gone to. Without a site it has no host.
func isPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && strings.HasPrefix(u.Scheme, "http")
}
