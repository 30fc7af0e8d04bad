package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/mcp"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

func newMCP() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "mcp",
		GroupID: "ask",
		Short:   "Answer an assistant by the Model Context Protocol",
		Long: `Answer an assistant by the Model Context Protocol on standard input and output: match names, search, read a record, follow
its links, count, and say which data these are. All tools only read. Each result has an address, the version of the data,
a citation, and sentences about all that is uncertain.

The answers come from the snapshot that is current when the program starts, or from a server with your key, within its
limit. From a snapshot an assistant gets the open data alone, unless you give it more with --scope. From a server it gets
the data that the key may read. The assistant never sees the key.`,
		Example: `  bencao mcp --data /var/lib/bencao
  bencao mcp --data /var/lib/bencao --scope prescriptions --scope prescription_composition
  bencao mcp --server https://plants.example --key-file lab.key`,
		Args: noArgs,
	}
	s := use(cmd, "data", "site-url")
	scopes := cmd.Flags().StringSlice("scope", nil, "a `SCOPE` that the assistant may read beyond the open data of --data, one of "+strings.Join(access.ScopeNames(), ", ")+"; may be repeated")
	completeScopes(cmd, "scope")
	server := cmd.Flags().String("server", "", "address of a server to ask instead of a local snapshot, within the limit of the key")
	keyFile := cmd.Flags().String("key-file", "", "file with the key for --server (default: $"+keyVariable+")")
	group(cmd, phrase("Instead of --data:"), "server", "key-file")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		needed := []string{"data"}
		if *server != "" {
			needed = nil
		}
		if err := s.load(cmd, needed...); err != nil {
			return err
		}
		site := strings.TrimRight(s.siteURL, "/")
		var r *remote
		if *server != "" {
			if len(*scopes) > 0 {
				return usagef("--scope is for --data; the key of --server decides which data the assistant may read")
			}
			if r, err = newRemote(*server, *keyFile); err != nil {
				return err
			}
			r.patience = reconcilePatience
			site = strings.TrimRight(*server, "/")
		} else {
			if _, err := parseScopes("scope", *scopes); err != nil {
				return err
			}
			var closeHere func() error
			if r, closeHere, err = remoteHere(cmd, s, *scopes); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, closeHere()) }()
		}
		ask := func(ctx context.Context, path string, query url.Values) (answer json.RawMessage, err error) {
			err = r.get(ctx, "/api/v1"+path, query, &answer)
			if refused := (*statusError)(nil); errors.As(err, &refused) {
				return nil, &mcp.RefusedError{Status: refused.status, Detail: refused.detail}
			}
			return answer, err
		}
		return mcp.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), ask, mcp.Options{Version: thisBuild().Version, Site: site})
	}
	return cmd
}

// remoteHere returns a client of a server in this process, which answers from the current snapshot
// with the open data and those of scopes.
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
	file := fmt.Sprintf("[[key]]\nid = 'assistant'\nhash = '%s'\nnetworks = ['127.0.0.1']\nscopes = [%s]\nrate = %d\n", hash, tomlList(scopes), access.MaxRate)
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

// tomlList returns texts as the members of a list in TOML.
func tomlList(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "'" + strings.Join(texts, "', '") + "'"
}

// onlyErrors is a handler without the lines about single requests.
type onlyErrors struct{ slog.Handler }

func (h onlyErrors) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}

// inProcess sends requests to a handler without a connection.
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

// answerBuffer is a [http.ResponseWriter] that stores the answer.
type answerBuffer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answerBuffer) Header() http.Header         { return w.header }
func (w *answerBuffer) WriteHeader(status int)      { w.status = status }
func (w *answerBuffer) Write(b []byte) (int, error) { return w.body.Write(b) }
