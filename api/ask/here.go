package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"bencao/api"
	"bencao/api/access"
	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"
)

// Opener opens parts of a snapshot.
type Opener func(snapshotfiles.Part) (*api.Backend, error)

// Here returns a client of the handlers in this process. They answer with the open data and the data
// of scopes. open opens the snapshot; Here calls it when a request needs parts that are not open yet.
// The caller must call [Client.Close].
func Here(open Opener, scopes access.Scopes, log *slog.Logger, version string) *Client {
	h := &here{open: open, scopes: scopes, log: slog.New(onlyErrors{log.Handler()}), version: version}
	return &Client{
		base: &url.URL{Scheme: "http", Host: "localhost"}, client: http.Client{Transport: h},
		close: h.close,
	}
}

// here is a [http.RoundTripper] that calls the handlers of the API.
type here struct {
	open    Opener
	scopes  access.Scopes
	log     *slog.Logger
	version string

	mu     sync.Mutex // guards the fields below
	key    string
	parts  snapshotfiles.Part // the open parts
	live   *snapshot.Live[*api.Backend]
	server *api.Server
	closed []error // the errors of closing backends
}

// patience limits the time of an answer in this process. It only ends what would never end: nobody
// else waits for the processor, and on a busy machine an answer from cold files takes seconds.
const patience = 10 * time.Minute

// filesError is an error of opening the snapshot. It is not the server's.
type filesError struct{ error }

// RoundTrip answers a request.
func (h *here) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := h.need(api.Needs(r.URL.Path, r.URL.Query())); err != nil {
		return nil, &filesError{err}
	}
	r = r.Clone(r.Context())
	r.RemoteAddr, r.RequestURI = "127.0.0.1:1", r.URL.RequestURI()
	r.Header.Set("X-Api-Key", h.key)
	w := &answerBuffer{header: http.Header{}, status: http.StatusOK}
	h.server.ServeHTTP(w, r)
	return &http.Response{
		StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// need opens the snapshot again if some of the parts are not open.
func (h *here) need(parts snapshotfiles.Part) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if parts&^h.parts == 0 {
		return nil
	}
	backend, err := h.open(h.parts | parts)
	if err != nil {
		return err
	}
	if h.parts |= parts; h.live != nil {
		h.live.Swap(backend)
		return nil
	}
	h.live = snapshot.NewLive(backend, func(b *api.Backend) {
		err := b.Close()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.closed = append(h.closed, err)
	})
	return h.start()
}

// start makes the server, with one key.
func (h *here) start() error {
	secret, hash := access.NewKey()
	list := ""
	if names := h.scopes.Names(); len(names) > 0 {
		list = "'" + strings.Join(names, "', '") + "'"
	}
	file := fmt.Sprintf("[[key]]\nid = 'here'\nhash = '%s'\nnetworks = ['127.0.0.1']\nscopes = [%s]\nrate = %d\n# end of access file\n", hash, list, access.MaxRate)
	table, err := access.Parse("here", []byte(file))
	if err != nil {
		return err
	}
	h.key = secret.Reveal()
	h.server, err = api.New(h.live, access.NewGate(func() *access.Table { return table }, access.NewClients(nil), access.GateOptions{}),
		api.Options{Log: h.log, Version: h.version, Timeout: patience})
	return err
}

// close closes the snapshot after the last request.
func (h *here) close() error {
	h.mu.Lock()
	live := h.live
	h.mu.Unlock()
	if live == nil {
		return nil
	}
	err := live.Close(context.Background())
	h.mu.Lock()
	defer h.mu.Unlock()
	return errors.Join(append(h.closed, err)...)
}

// onlyErrors is a log handler that passes on only errors.
type onlyErrors struct{ slog.Handler }

func (h onlyErrors) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
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
