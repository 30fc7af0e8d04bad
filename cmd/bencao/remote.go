package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"bencao/internal/messages"
	"bencao/names"
	"bencao/names/bulk"
)

const (
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 64 << 20
	// maxRetries is how often a question is asked again after a failure that may
	// pass. Waiting for the limit of the key is no failure.
	maxRetries = 5
	// maxWait is the longest that a server may have us wait, in seconds.
	maxWait = 3600
)

// remote asks a server through its API. It may be used by many goroutines.
type remote struct {
	base   *url.URL // the address above /api/v1
	key    string
	client http.Client
	// patience, if not 0, is the longest that a question waits for the server.
	patience time.Duration
	// waits, if not nil, is told how long we wait for the server, and why.
	waits func(wait time.Duration, why error)
}

// newRemote reads the key and checks the server's address.
func newRemote(server, keyFile string) (*remote, error) {
	base, err := url.Parse(server)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") || base.User != nil || base.RawQuery != "" {
		return nil, usagef("server is not an address such as https://plants.example; give its scheme and host, without user and query")
	}
	key := os.Getenv(keyVariable)
	if keyFile != "" {
		b, err := os.ReadFile(keyFile)
		if err != nil {
			return nil, messages.Errorf("key file: %w", err)
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
			// The key must not follow to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// problem is an error body of the API.
type problem struct {
	Status int
	Detail string
}

// maxQuery is how long the parameters of a request may be, so that the address
// fits into the header that a server reads.
const maxQuery = 12 << 10

// match asks for names, as many at once as an address holds. What is wrong with
// a name by itself is not asked.
func (r *remote) match(ctx context.Context, queries []names.Query) ([]bulk.Answer, error) {
	answers := make([]bulk.Answer, len(queries))
	var at []int // the places of names that wait to be asked
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
		n := len(url.Values{"name": {q.Name}, "author": {q.Author}, "family": {q.Family}}.Encode()) + 1
		if length+n > maxQuery && len(at) > 0 {
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

// some asks for the names at some places. If the server refuses one of several,
// each half is asked by itself.
func (r *remote) some(ctx context.Context, queries []names.Query, at []int, answers []bulk.Answer) error {
	in := url.Values{
		"limit": {strconv.Itoa(cmp.Or(queries[0].Limit, names.DefaultLimit))},
		"fuzzy": {strconv.FormatBool(!queries[0].NoFuzzy)},
	}
	if region := queries[0].Region; region != "" {
		in.Set("region", region)
	}
	authors, families := false, false
	for _, i := range at {
		q := queries[i]
		in["name"], in["author"], in["family"] = append(in["name"], q.Name), append(in["author"], q.Author), append(in["family"], q.Family)
		authors, families = authors || q.Author != "", families || q.Family != ""
	}
	if !authors {
		delete(in, "author")
	}
	if !families {
		delete(in, "family")
	}
	var found []names.Response
	err := r.get(ctx, "/api/v1/names/matches", in, &found)
	wrong := (*names.InputError)(nil)
	switch {
	case errors.As(err, &wrong) && len(at) > 1:
		half := len(at) / 2
		if err := r.some(ctx, queries, at[:half], answers); err != nil {
			return err
		}
		return r.some(ctx, queries, at[half:], answers)
	case errors.As(err, &wrong):
		answers[at[0]].Err = wrong
		return nil
	case err == nil && len(found) != len(at):
		err = messages.Errorf("%s gives %d answers for %d names", r.base.Host, len(found), len(at))
	}
	if err != nil {
		return err
	}
	for k, i := range at {
		answers[i].Response = found[k]
	}
	return nil
}

// get reads what a path of the API answers, and waits when the server says so.
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

// busyError is a failure that passes: over the limit, or a server that is
// busy or out of reach.
type busyError struct {
	limit bool
	// wait, if not 0, is how long the server wants us to wait, which is longer
	// than our patience.
	wait time.Duration
	err  error
}

func (e *busyError) Error() string { return e.err.Error() }
func (e *busyError) Unwrap() error { return e.err }

// missingError is the answer that there is no such record, or no such address.
type missingError struct{ err error }

func (e *missingError) Error() string { return e.err.Error() }
func (e *missingError) Unwrap() error { return e.err }

// ask sends one request. With a [*busyError] it says how long to wait.
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
		return time.Second, &busyError{err: messages.Errorf("ask %s: %w", r.base.Host, err)}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return time.Second, &busyError{err: messages.Errorf("answer of %s: %w", r.base.Host, err)}
	}
	if resp.StatusCode == http.StatusOK {
		if err := json.Unmarshal(body, answer); err != nil {
			return 0, messages.Errorf("answer of %s cannot be read: %w", r.base.Host, err)
		}
		return 0, nil
	}
	return retryAfter(resp.Header), r.refusal(resp.StatusCode, body)
}

// refusedThere is what a server says of a name.
var refusedThere = messages.Define("refused-there", "name is refused by the server; %s")

// refusal is the error that a status other than 200 means.
func (r *remote) refusal(status int, body []byte) error {
	p := problem{Detail: http.StatusText(status)}
	if err := json.Unmarshal(body, &p); err != nil {
		p.Detail = http.StatusText(status) // not one of ours: a proxy's page
	}
	err := messages.Errorf("%s answers %d: %s", r.base.Host, status, p.Detail)
	switch status {
	case http.StatusBadRequest:
		return &names.InputError{Message: refusedThere.With(p.Detail)}
	case http.StatusNotFound:
		return &missingError{messages.Errorf("%w; the server must be one that has names.matches, and its address the one above /api/v1", err)}
	case http.StatusTooManyRequests:
		return &busyError{limit: true, err: err}
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &busyError{err: err}
	}
	return err
}

// retryAfter reads the header, whole seconds or a date; without it, one second.
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
