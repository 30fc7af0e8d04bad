package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/internal/messages"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

const (
	// maxAnswer is the largest size of a response, in bytes.
	maxAnswer = 64 << 20
	// maxRetries is the largest number of retries after temporary failures. A request that is
	// repeated after a wait for the key's limit is not a retry.
	maxRetries = 5
	// maxWait is the longest wait that a server can impose, in seconds.
	maxWait = 3600
)

// remote is a client of a server's API. It is safe for concurrent use.
type remote struct {
	base   *url.URL // the address of the server, without /api/v1
	key    string
	client http.Client
	// patience is the longest wait before a request is repeated; 0 means no limit.
	patience time.Duration
	// waits, if not nil, is called with the reason before a wait of over a second.
	waits func(wait time.Duration, why error)
}

// newRemote returns a client of a server. The key comes from the file keyFile, or from the
// environment if keyFile is empty.
func newRemote(server, keyFile string) (*remote, error) {
	base, err := url.Parse(server)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") || base.User != nil || base.RawQuery != "" {
		return nil, usagef("server is not an address such as https://plants.example; give its scheme and host, without user and query")
	}
	key := os.Getenv(keyVariable)
	if keyFile != "" {
		b, err := os.ReadFile(keyFile)
		if err != nil {
			return nil, fmt.Errorf("key file: %w", err)
		}
		key = string(b)
	}
	if key = strings.TrimSpace(key); key == "" {
		return nil, usagef("no key for the server; give --key-file FILE or set %s", keyVariable)
	}
	return &remote{
		base: base,
		key:  key,
		client: http.Client{
			Timeout: 30 * time.Second,
			// The key must not be sent to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// rawAnswer is a response that [remote.get] returns without decoding. It may have any format.
type rawAnswer struct {
	header http.Header
	body   []byte
}

// problem is the body of an error response of the API.
type problem struct {
	Status int
	Detail string
}

// maxQuery is the largest length of a query string, in bytes. With a longer one, the header of the
// request would exceed the server's limit.
const maxQuery = 12 << 10

// match matches names. Each request has as many names as fit into a query string. A name that the
// client finds invalid itself is not sent.
func (r *remote) match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error) {
	answers := make([]bulk.Answer, len(queries))
	var at []int // indexes of the queries in the next request
	length := 0
	ask := func() error {
		err := r.some(ctx, queries, at, answers)
		at, length = at[:0], 0
		return err
	}
	for i, q := range queries {
		if q, answers[i].Err = q.Check(); answers[i].Err != nil {
			continue
		}
		n := len(url.Values{"name": {q.Name}, "author": {q.Author}, "family": {q.Family}, "chineseName": {q.ChineseName}}.Encode()) + 1
		if len(at) > 0 && (length+n > maxQuery || q.Region != queries[at[0]].Region) {
			if err := ask(); err != nil {
				return nil, err
			}
		}
		at, length = append(at, i), length+n
	}
	if len(at) > 0 {
		if err := ask(); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// some matches the queries at the indexes at, in one request. If the server refuses the request,
// some sends each half of the names separately, until it has found the refused name.
func (r *remote) some(ctx context.Context, queries []names.Query, at []int, answers []bulk.Answer) error {
	in := url.Values{
		"limit": {strconv.Itoa(cmp.Or(queries[0].Limit, names.DefaultLimit))},
		"fuzzy": {strconv.FormatBool(!queries[0].NoFuzzy)},
	}
	if region := queries[at[0]].Region; region != "" {
		in.Set("region", region)
	}
	for _, i := range at {
		q := queries[i]
		for field, value := range map[string]string{"name": q.Name, "author": q.Author, "family": q.Family, "chineseName": q.ChineseName} {
			in[field] = append(in[field], value)
		}
	}
	for field, values := range in { // leave out empty values: an older server refuses parameters that it does not know
		if !slices.ContainsFunc(values, func(v string) bool { return v != "" }) {
			delete(in, field)
		}
	}
	var found []names.Response
	err := r.get(ctx, "/api/v1/names/matches", in, &found)
	wrong := (*statusError)(nil)
	refused := errors.As(err, &wrong) && wrong.status == http.StatusBadRequest
	switch {
	case refused && len(at) > 1:
		half := len(at) / 2
		if err := r.some(ctx, queries, at[:half], answers); err != nil {
			return err
		}
		return r.some(ctx, queries, at[half:], answers)
	case refused:
		answers[at[0]].Err = &names.InputError{Message: refusedThere.With(wrong.detail)}
		return nil
	case err == nil && len(found) != len(at):
		err = fmt.Errorf("%s gives %d answers for %d names", r.base.Host, len(found), len(at))
	}
	if err != nil {
		return err
	}
	for k, i := range at {
		answers[i].Response = found[k]
	}
	return nil
}

// get requests a path of the API and decodes the response into answer. If the server asks for a
// wait, get waits and repeats the request.
func (r *remote) get(ctx context.Context, path string, in url.Values, answer any) error {
	address := r.base.JoinPath(path)
	address.RawQuery = in.Encode()
	for tries := 0; ; {
		wait, err := r.ask(ctx, address.String(), answer)
		var busy *busyError
		switch {
		case err == nil || !errors.As(err, &busy):
			return err
		case r.patience > 0 && wait > r.patience:
			busy.wait = wait
			return err
		case !busy.limit:
			if tries++; tries > maxRetries {
				return err
			}
		}
		if r.waits != nil && wait > time.Second {
			r.waits(wait, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// busyError is a temporary failure: the key has reached its limit, or the server is busy or
// unreachable.
type busyError struct {
	limit bool
	// wait is the wait that the server asks for, if that is longer than the client's patience;
	// otherwise 0.
	wait time.Duration
	err  error
}

func (e *busyError) Error() string { return e.err.Error() }
func (e *busyError) Unwrap() error { return e.err }

// missingError is the error for the status 404: the record or the path does not exist.
type missingError struct{ err error }

func (e *missingError) Error() string { return e.err.Error() }
func (e *missingError) Unwrap() error { return e.err }

// ask sends one request and decodes the response. If the error is a [*busyError], wait is the time
// before a retry.
func (r *remote) ask(ctx context.Context, address string, answer any) (wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("X-Api-Key", r.key)
	req.Header.Set("Accept", "application/json")
	resp, err := r.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return time.Second, &busyError{err: fmt.Errorf("ask %s: %w", r.base.Host, err)}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return time.Second, &busyError{err: fmt.Errorf("answer of %s: %w", r.base.Host, err)}
	}
	if raw, ok := answer.(*rawAnswer); ok && resp.StatusCode == http.StatusOK {
		raw.header, raw.body = resp.Header, body
		return 0, nil
	}
	if resp.StatusCode == http.StatusOK {
		if err := json.Unmarshal(body, answer); err != nil {
			return 0, fmt.Errorf("answer of %s cannot be read: %w", r.base.Host, err)
		}
		return 0, nil
	}
	return retryAfter(resp.Header), r.refusal(resp.StatusCode, body)
}

// statusError is the error for a response with a status other than 200.
type statusError struct {
	status int
	detail string // the reason that the server gives
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// refusedThere is the error for a name that the server refuses.
var refusedThere = messages.Define("refused-there", "name is refused by the server; %s")

// refusal returns the error for a status other than 200.
func (r *remote) refusal(status int, body []byte) error {
	p := problem{Detail: http.StatusText(status)}
	if err := json.Unmarshal(body, &p); err != nil {
		p.Detail = http.StatusText(status) // the response is an error page of a proxy
	}
	var err error = &statusError{status, p.Detail, fmt.Errorf("%s answers %d: %s", r.base.Host, status, p.Detail)}
	switch status {
	case http.StatusNotFound:
		return &missingError{fmt.Errorf("%w; the address must not include /api/v1, and the server must have this version or a later one", err)}
	case http.StatusTooManyRequests:
		return &busyError{limit: true, err: err}
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &busyError{err: err}
	}
	return err
}

// retryAfter returns the wait in the header Retry-After, which is a number of seconds or a date.
// The default is one second.
func retryAfter(h http.Header) time.Duration {
	const longest = maxWait * time.Second
	text := h.Get("Retry-After")
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return time.Duration(min(n, maxWait)) * time.Second
	}
	if until, err := http.ParseTime(text); err == nil {
		return min(max(time.Until(until), 0), longest)
	}
	return time.Second
}

// reconcilePatience is how long a request of a service waits for the server at --server. If the
// server asks for a longer wait, the service sends that time to its client as Retry-After.
const reconcilePatience = 5 * time.Second

// serverFlags are the flags of commands that can ask a server in place of the snapshot in --data.
type serverFlags struct{ address, keyFile string }

func useServer(cmd *cobra.Command) *serverFlags {
	f := &serverFlags{}
	cmd.Flags().StringVar(&f.address, "server", "", "address of a server to ask instead of a local snapshot, within the limit of the key")
	cmd.Flags().StringVar(&f.keyFile, "key-file", "", "file with the key for --server (default: $"+keyVariable+")")
	group(cmd, "Instead of --data:", "server", "key-file")
	return f
}

// saysWaits returns a function that prints how long and why the command waits.
func saysWaits(cmd *cobra.Command) func(time.Duration, error) {
	return func(wait time.Duration, why error) {
		fmt.Fprintf(cmd.ErrOrStderr(), "waiting %s: %s\n", wait, why)
	}
}

// load loads the settings. It requires the setting "data" unless the command asks a server.
func (f *serverFlags) load(cmd *cobra.Command, s *settings) error {
	if f.address != "" {
		return s.load(cmd)
	}
	return s.load(cmd, "data")
}

// site returns the address of the website that responses link to, or "" if it is not known.
func (f *serverFlags) site(s *settings) string {
	if f.address != "" {
		return strings.TrimRight(f.address, "/")
	}
	return s.siteURL
}

// open returns a client of the server at --server. Without --server, it returns a client of a
// server in this process, with the open data and the data of scopes.
func (f *serverFlags) open(cmd *cobra.Command, s *settings, scopes []string) (_ *remote, closer func() error, err error) {
	if f.address == "" {
		return remoteHere(cmd, s, scopes)
	}
	r, err := newRemote(f.address, f.keyFile)
	return r, func() error { return nil }, err
}

// remoteHere returns a client of a server in this process. That server answers from the current
// snapshot, with the open data and the data of scopes.
func remoteHere(cmd *cobra.Command, s *settings, scopes []string) (_ *remote, closer func() error, err error) {
	dir, err := s.dataFolder()
	if err != nil {
		return nil, nil, err
	}
	held, err := dir.OpenCurrent(cmd.Context())
	if err != nil {
		return nil, nil, err
	}
	backend, err := openBackend(s, held)
	if err != nil {
		return nil, nil, errors.Join(err, held.Close())
	}
	secret, hash := access.NewKey()
	file := fmt.Sprintf("[[key]]\nid = 'assistant'\nhash = '%s'\nnetworks = ['127.0.0.1']\nscopes = [%s]\nrate = %d\n# end of access file\n", hash, tomlList(scopes), access.MaxRate)
	table, err := access.Parse("assistant", []byte(file))
	if err != nil {
		return nil, nil, errors.Join(err, backend.Close())
	}
	closed := error(nil)
	live := snapshot.NewLive(backend, func(b *api.Backend) { closed = b.Close() })
	log := slog.New(onlyErrors{s.logForm(cmd.ErrOrStderr(), cmd.ErrOrStderr())})
	server, err := api.New(live, access.NewGate(func() *access.Table { return table }, access.NewClients(nil), access.GateOptions{}),
		api.Options{Log: log, Version: thisBuild().Version})
	closer = func() error { return errors.Join(live.Close(context.Background()), closed) }
	if err != nil {
		return nil, nil, errors.Join(err, closer())
	}
	return &remote{
		base: &url.URL{Scheme: "http", Host: "localhost"}, key: secret.Reveal(), patience: reconcilePatience,
		client: http.Client{Transport: inProcess{server}},
	}, closer, nil
}

// tomlList returns texts as the elements of a TOML list, without the brackets.
func tomlList(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "'" + strings.Join(texts, "', '") + "'"
}

// onlyErrors is a log handler that passes on only errors.
type onlyErrors struct{ slog.Handler }

func (h onlyErrors) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}

// inProcess is a [http.RoundTripper] that calls a handler without a connection.
type inProcess struct{ handler http.Handler }

func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.RemoteAddr, r.RequestURI = "127.0.0.1:1", r.URL.RequestURI()
	w := &answerBuffer{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(w, r)
	return &http.Response{
		StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// answerBuffer is a [http.ResponseWriter] that stores the response.
type answerBuffer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answerBuffer) Header() http.Header         { return w.header }
func (w *answerBuffer) WriteHeader(status int)      { w.status = status }
func (w *answerBuffer) Write(b []byte) (int, error) { return w.body.Write(b) }
