package reconcile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"bencao/api/ask"
)

// Options has the addresses and the log of a service.
type Options struct {
	// Base is the address at which clients reach the service, without a trailing slash.
	Base string
	// Name is the host name on which the service listens. It is empty if the service listens on an
	// IP address.
	Name string
	// Site is the address of the pages of species, without a trailing slash. The manifest names it
	// as the identifier space. Empty means Base.
	Site string
	// Log gets all errors except those that a client has made.
	Log *slog.Logger
}

// Service is the HTTP handler of the reconciliation service. [New] returns one.
type Service struct {
	source Source
	opt    Options
	// host and port are the parts of the address Base.
	host, port string
	mux        *http.ServeMux
}

const (
	// maxBody is the largest body of a request, in bytes.
	maxBody = 4 << 20
	// maxTime is the longest time that answering a request may take.
	maxTime = time.Minute
)

// New returns a service that answers from source.
func New(source Source, opt Options) *Service {
	s := &Service{source: source, opt: opt, mux: http.NewServeMux()}
	if s.opt.Site == "" {
		s.opt.Site = s.opt.Base
	}
	s.host, s.port = hostPort(strings.TrimPrefix(s.opt.Base, "http://"))
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

// hostPort splits an address into host and port. The default port is 80.
func hostPort(address string) (host, port string) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return strings.Trim(address, "[]"), "80"
	}
	return host, port
}

// own reports whether a request was meant for this service. address is the host that the request
// names. The check stops DNS rebinding, an attack in which a web page has the name of its own host
// resolve to this machine. A request from such a page names that host, never an IP address or
// localhost.
func (s *Service) own(address string) bool {
	host, port := hostPort(address)
	if port != s.port {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err == nil || host != "" && slices.ContainsFunc([]string{"localhost", s.host, s.opt.Name}, func(name string) bool {
		return strings.EqualFold(host, name)
	})
}

// ServeHTTP answers a request to the service. It refuses requests that name the host of another
// site. Web pages of every site may read the answers, as the specification requires. No answer has
// private data.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	if !s.own(r.Host) {
		s.write(w, r, http.StatusMisdirectedRequest, map[string]string{"error": fmt.Sprintf(
			"the service is not at %.200q; use %s, or start it with the name that you use in --listen", r.Host, s.opt.Base)})
		return
	}
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "Retry-After")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
		h.Set("Access-Control-Allow-Headers", "Content-Type")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	s.mux.ServeHTTP(w, r.WithContext(ctx))
}

// badError is an error in a client's request. The client sees the text.
type badError struct{ text string }

func (e *badError) Error() string { return e.text }

func badf(format string, args ...any) error { return &badError{fmt.Sprintf(format, args...)} }

// answer returns a handler that calls do and sends the result as JSON.
func (s *Service) answer(do func(context.Context, *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := do(r.Context(), r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.write(w, r, http.StatusOK, out)
	})
}

// write sends out as JSON with a status.
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

// fail answers a request with an error. The client sees the text of an error that it can correct,
// or after which it may try again. All other errors are logged.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, said := http.StatusBadGateway, "the names cannot be looked up now; the log of bencao reconcile says why"
	var bad *badError
	var busy *ask.BusyError
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &bad):
		status, said = http.StatusBadRequest, bad.text
	case errors.As(err, &long):
		status, said = http.StatusRequestEntityTooLarge, fmt.Sprintf("the request has more than %d bytes; send fewer queries at once", maxBody)
	case errors.As(err, &busy) && busy.Wait > 0: // the server at --server asks for a longer wait than the client's patience
		status, said = http.StatusServiceUnavailable, busy.Error()
		if busy.Limit {
			status = http.StatusTooManyRequests
		}
		w.Header().Set("Retry-After", strconv.FormatInt(int64((busy.Wait+time.Second-1)/time.Second), 10))
	case r.Context().Err() != nil: // the client has left, or maxTime has passed
		status, said = http.StatusServiceUnavailable, fmt.Sprintf("the request took longer than %s; send fewer queries or ids at once", maxTime)
	case ask.Refused(err):
		status, said = http.StatusBadRequest, err.Error()
	default:
		s.opt.Log.Error("reconcile", "path", r.URL.Path, "error", err)
	}
	s.write(w, r, status, map[string]string{"error": said})
}

// root answers requests for the address of the service. A request has queries or an extension
// query; without them, it asks for the manifest.
func (s *Service) root(ctx context.Context, r *http.Request) (any, error) {
	if err := r.ParseForm(); err != nil {
		if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
			return nil, err
		}
		return nil, badf("the request is no form: %v", err)
	}
	switch {
	case r.Form.Has("queries"):
		batch, err := readBatch(r.Form.Get("queries"))
		if err != nil {
			return nil, err
		}
		return s.reconcile(ctx, batch)
	case r.Form.Has("extend"):
		text := r.Form.Get("extend")
		if len(text) > maxExtension {
			return nil, badf("extend has %d bytes; send up to %d", len(text), maxExtension)
		}
		var x extension
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			return nil, badf("extend is not an extension in JSON: %v", wrongType(err))
		}
		return s.extend(ctx, x)
	case r.Method == http.MethodPost:
		return nil, badf("the form has neither queries nor extend; send it as application/x-www-form-urlencoded")
	}
	return s.manifest(), nil
}

// manifest returns the description of the service that the specification requires.
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

// view redirects to the web page of a species. An accepted name that is in a checklist but not in
// the database has no web page; view then shows the preview.
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

// isPage reports whether an address is the address of a web page. If no site is configured, the
// address of a species has no host, and isPage returns false.
func isPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && strings.HasPrefix(u.Scheme, "http")
}
