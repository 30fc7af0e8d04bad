// Package ask sends requests to the API: to a server, or to the same handlers in this process. It
// waits and repeats a request when the server says so. It does not know the command line. Begin with
// [Server], [Here] and [Client.Get].
package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
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

// Client asks the API. It is safe for concurrent use.
type Client struct {
	// Patience is the longest wait before a request is repeated; 0 means no limit.
	Patience time.Duration
	// Waits, if not nil, is called with the reason before a wait of over a second.
	Waits func(wait time.Duration, why error)

	base   *url.URL // the address of the server, without /api/v1
	name   string   // the server's name in errors, or "" for this process
	key    string
	at     string // the version of the data to ask, or "" for the current one
	client http.Client
	close  func() error
}

// ErrAddress is returned by [Server] for an address that is not that of a server.
var ErrAddress = errors.New("server is not an address such as https://plants.example; give its scheme and host, without user and query")

// Server returns a client of the server at an address, without /api/v1, that sends a key.
func Server(address, key string) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") || base.User != nil || base.RawQuery != "" {
		return nil, ErrAddress
	}
	return &Client{
		base: base, name: base.Host, key: key,
		client: http.Client{
			Timeout: 30 * time.Second,
			// The key must not be sent to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		close: func() error { return nil },
	}, nil
}

// At returns a client of the same server that asks a version of the data. Close the first client
// only.
func (c *Client) At(version string) *Client {
	at := *c
	at.at = version
	return &at
}

// Close closes the files that a client of this process has opened.
func (c *Client) Close() error { return c.close() }

// Answer is a response that [Client.Get] returns without decoding. It may have any format.
type Answer struct {
	Header http.Header
	Body   []byte
}

// Get requests a path of the API, such as /species, and decodes the response into answer, which may
// be an [*Answer]. If the server asks for a wait, Get waits and repeats the request.
func (c *Client) Get(ctx context.Context, path string, in url.Values, answer any) error {
	address := c.base.JoinPath("/api/v1", path)
	address.RawQuery = in.Encode()
	for tries := 0; ; {
		wait, err := c.once(ctx, address.String(), answer)
		var busy *BusyError
		switch {
		case err == nil || !errors.As(err, &busy):
			return err
		case c.Patience > 0 && wait > c.Patience:
			busy.Wait = wait
			return err
		case !busy.Limit:
			if tries++; tries > maxRetries {
				return err
			}
		}
		if c.Waits != nil && wait > time.Second {
			c.Waits(wait, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// once sends one request and decodes the response. If the error is a [*BusyError], wait is the time
// before a retry.
func (c *Client) once(ctx context.Context, address string, answer any) (wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("X-Api-Key", c.key)
	req.Header.Set("Accept", "application/json")
	if c.at != "" {
		req.Header.Set("X-Data-Version", c.at)
	}
	resp, err := c.client.Do(req)
	var files *filesError
	switch {
	case ctx.Err() != nil:
		return 0, errors.Join(ctx.Err(), closeBody(resp))
	case errors.As(err, &files):
		return 0, files.error
	case err != nil:
		return time.Second, &BusyError{Err: fmt.Errorf("ask %s: %w", c.name, err)}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return time.Second, &BusyError{Err: fmt.Errorf("answer of %s: %w", c.name, err)}
	}
	if resp.StatusCode != http.StatusOK {
		return retryAfter(resp.Header), c.refusal(resp.StatusCode, body)
	}
	if raw, ok := answer.(*Answer); ok {
		raw.Header, raw.Body = resp.Header, body
		return 0, nil
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return 0, fmt.Errorf("answer of %s cannot be read: %w", c.name, err)
	}
	return 0, nil
}

func closeBody(resp *http.Response) error {
	if resp == nil {
		return nil
	}
	return resp.Body.Close()
}

// BusyError is a temporary failure: the key has reached its limit, or the server is busy or
// unreachable.
type BusyError struct {
	// Limit means that the key has reached its limit.
	Limit bool
	// Wait is the wait that the server asks for, if that is longer than the client's patience;
	// otherwise 0.
	Wait time.Duration
	Err  error
}

func (e *BusyError) Error() string { return e.Err.Error() }

// Unwrap returns the failure.
func (e *BusyError) Unwrap() error { return e.Err }

// StatusError is the error for a response with a status other than 200.
type StatusError struct {
	Status int
	// Detail is the reason that the server gives.
	Detail string
	text   string
}

func (e *StatusError) Error() string { return e.text }

// Refused reports whether the server refuses the request, because a parameter is wrong.
func Refused(err error) bool { return hasStatus(err, http.StatusBadRequest) }

// Missing reports whether the record or the path of a request does not exist.
func Missing(err error) bool { return hasStatus(err, http.StatusNotFound) }

func hasStatus(err error, status int) bool {
	var e *StatusError
	return errors.As(err, &e) && e.Status == status
}

// refusal returns the error for a status other than 200.
func (c *Client) refusal(status int, body []byte) error {
	var problem struct{ Detail string }
	if json.Unmarshal(body, &problem) != nil || problem.Detail == "" {
		problem.Detail = http.StatusText(status) // the response is an error page of a proxy
	}
	err := &StatusError{status, problem.Detail, problem.Detail}
	if c.name != "" {
		err.text = fmt.Sprintf("%s answers %d: %s", c.name, status, problem.Detail)
	}
	switch status {
	case http.StatusNotFound:
		if c.name != "" {
			err.text += "; the address must not include /api/v1, and the server must have this version or a later one"
		}
	case http.StatusTooManyRequests:
		return &BusyError{Limit: true, Err: err}
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &BusyError{Err: err}
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
