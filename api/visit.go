package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/mappings/prescriptions"
	"bencao/names"
	"bencao/names/region"
)

// Pages serves the web pages, which people see instead of the API. Pages get no more data than the
// API would give to a key with the same scopes.
type Pages interface {
	// Routes returns the addresses of the pages.
	Routes() []PageRoute
	// Serve answers an admitted request. If it returns an error, the server calls Explain.
	Serve(w http.ResponseWriter, r *http.Request, v *Visit) error
	// Explain answers a request with an error page.
	Explain(w http.ResponseWriter, r *http.Request, f *problem.Fault, v *Visit) error
}

// PageRoute is the address of a page.
type PageRoute struct {
	// Path is in gin's form, such as /species/:guid.
	Path string
	// Form limits the size of a form sent to the address, in bytes. 0 means that the address takes
	// no form.
	Form int64
	// Long reports that the page takes much longer than others.
	Long bool
	// Public reports that the page shows no records and never needs a key.
	Public bool
}

// Visit is a request for a page, with access to the data. It must not be used after the request.
type Visit struct {
	// Path is the path of the page's [PageRoute].
	Path      string
	RequestID string
	// Scopes are the scopes of the data that the page may show.
	Scopes access.Scopes
	// License and CiteAs are the addresses of the licence and of the page on how to cite.
	License, CiteAs string
	// Contact is the operator's mail address or the address of a web page. It may be empty.
	Contact string
	// Earlier is the version that the page shows if the address names one that is not current.
	// Otherwise it is empty.
	Earlier string

	call    *call
	param   func(string) string
	routes  map[string]*route // by their operations
	program string            // its version
}

// Admitted reports whether the client may see pages with records. Any client may see public pages.
func (v *Visit) Admitted() bool {
	a := &v.call.admission
	return a.Principal != nil && a.Principal.Allows(a.Client)
}

// Param returns a parameter of the path.
func (v *Visit) Param(name string) string { return v.param(name) }

// Meta describes the snapshot that answers.
func (v *Visit) Meta() Meta { return v.call.backend.meta }

// Regions returns the geography with which the snapshot was built.
func (v *Visit) Regions() (*region.Table, error) { return v.call.backend.files.Store.Regions() }

// Ask calls an operation of the API and returns the JSON of its answer. The answer is the one for a
// key that has the visit's scopes except those in hide. id is the value of the parameter in the
// path, if there is one.
func (v *Visit) Ask(ctx context.Context, op, id string, query url.Values, hide access.Scopes) ([]byte, error) {
	return v.ask(ctx, op, id, query, hide, answer.writeJSON)
}

// AskCSV is like [Visit.Ask], but returns the items of a list as CSV, with a line of field names.
func (v *Visit) AskCSV(ctx context.Context, op string, query url.Values) ([]byte, error) {
	return v.ask(ctx, op, "", query, 0, func(ans answer, out io.Writer) error { return ans.writeRows(out, formatCSV, rowOptions{}) })
}

func (v *Visit) ask(ctx context.Context, op, id string, query url.Values, hide access.Scopes, write func(answer, io.Writer) error) ([]byte, error) {
	r := v.routes[op]
	scopes := v.Scopes &^ hide
	if lacks := r.scope &^ scopes; lacks != open {
		return nil, problem.New(problem.ScopeMissing, problem.PagesLack.With(strings.Join(lacks.Names(), ", ")))
	}
	vals, err := r.plan.Read(query.Encode(), func(string) string { return id })
	if err != nil {
		return nil, err
	}
	done, err := v.Turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	ans, err := r.handle(ctx, v.call.backend, vals, scopes)
	if err != nil {
		return nil, err
	}
	defer ans.release()
	var out bytes.Buffer
	out.Grow(ans.length())
	err = write(ans, &out)
	return out.Bytes(), err
}

// Turn waits for a turn to compute a page. If the visit holds its turn already, Turn does nothing.
// The caller must call done to give the turn back. Turn must not be called concurrently.
func (v *Visit) Turn(ctx context.Context) (done func(), err error) {
	turn := &v.call.turn
	if turn.held {
		return func() {}, nil
	}
	return turn.pause, turn.begin(ctx, v.call.backend.turns.wait)
}

// Match matches a name. If the error is a [*names.InputError], the name is invalid. The caller must
// hold a turn: see [Visit.ListTurn].
func (v *Visit) Match(ctx context.Context, q names.Query) (names.Response, error) {
	v.call.names.Add(1)
	return v.call.backend.matched(ctx, q)
}

// ListTurn waits for a turn to work on a list of names. The caller must call done to give the turn
// back. The lists of all clients count as those of one caller, so that one processor stays free for
// other requests, however many clients send lists.
func (v *Visit) ListTurn(ctx context.Context) (done func(), err error) {
	turn := v.call.newTurn(true)
	turn.who = access.Subject{Pages: true}
	return turn.pause, turn.begin(ctx, 0)
}

// Prescriptions returns what prescriptions are read by. The caller must hold a turn: see
// [Visit.ListTurn].
func (v *Visit) Prescriptions() (*prescriptions.Base, error) {
	return v.call.backend.Prescriptions()
}

// Against returns the formulas that a query of formulas.search selects. See [Backend.Against].
func (v *Visit) Against(ctx context.Context, query string) (formulas []uint64, chosen []string, err error) {
	return v.call.backend.Against(ctx, query, v.Scopes)
}

// Tag returns an ETag made of everything that a page depends on: the data, the rights of the client,
// the program, and parts.
func (v *Visit) Tag(parts ...string) string {
	all := append([]string{v.program, v.call.backend.etag, strconv.Itoa(int(v.Scopes)), strconv.FormatBool(v.Admitted()), v.License, v.CiteAs, v.Contact}, parts...)
	sum := sha256.Sum256([]byte(strings.Join(all, "\x00")))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:15]) + `"`
}

// Fresh reports whether the client already has the page with this tag, so that a 304 is enough.
func (v *Visit) Fresh(r *http.Request, tag string) bool {
	return matches(r.Header.Values("If-None-Match"), tag)
}

// AcceptsJSON reports whether a request prefers JSON to a page.
func (v *Visit) AcceptsJSON(r *http.Request) bool {
	form, ok := negotiate(r.Header.Values("Accept"), formatHTML, formatJSON)
	return ok && form == formatJSON
}

// ByMail reports whether Contact is a mail address.
func (v *Visit) ByMail() bool { return isMail(v.Contact) }

// AcceptsGzip reports whether a client accepts an answer compressed by gzip.
func (v *Visit) AcceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, rest, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			return weight(rest) > 0
		}
	}
	return false
}

// Network returns the client's address, or its /64 network for IPv6, because a client usually has a
// whole /64.
func (v *Visit) Network() netip.Prefix {
	return access.AddressSubject(v.call.admission.Client).Network
}

// FromElsewhere reports whether the form was sent from a page of another site. site is the
// request's Origin. A form without Origin and Sec-Fetch-Site counts as one of this site, because it
// comes from an old browser or from a program.
func (v *Visit) FromElsewhere(r *http.Request) (site string, ok bool) {
	guard := http.NewCrossOriginProtection()
	if u, err := url.Parse(v.Meta().SiteURL); err == nil && u.Host != "" {
		// The error is ignored: if the site's address is no valid origin, only forms from this host
		// are accepted.
		_ = guard.AddTrustedOrigin(u.Scheme + "://" + u.Host)
	}
	return strings.Join(r.Header.Values("Origin"), ", "), guard.Check(r) != nil || len(r.Header.Values("Origin")) > 1
}

// ReadUntil sets the deadline for reading the rest of the request. By default a request must arrive
// within 10 s.
func (v *Visit) ReadUntil(end time.Time) error {
	return http.NewResponseController(v.call.ResponseWriter).SetReadDeadline(end)
}

// WriteUntil sets the deadline for writing the rest of the answer. By default an answer must be
// sent within 30 s.
func (v *Visit) WriteUntil(end time.Time) error {
	return http.NewResponseController(v.call.ResponseWriter).SetWriteDeadline(end)
}
