// Package mcp answers assistants by the Model Context Protocol over a pair of streams: JSON-RPC
// 2.0, one message per line. It offers read-only tools that ask the API. The caller decides
// whether a question goes to a server or is answered in the same process. Begin with [Serve] and
// the table in tools.go.
//
// The package implements the protocol itself. The official Go SDK (v1.8.0) would take 5 s of
// processor time to build and add 1.8 MB to the program, for sessions, HTTP and authorisation that
// a pipe does not need. The SDK's client tests this package.
package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"slices"

	"bencao/api/ask"
)

// Ask sends GET path?query to the API and returns the answer in JSON. path begins with a slash and
// is relative to /api/v1. If the API refuses the request, the error is an [*ask.StatusError].
type Ask func(ctx context.Context, path string, query url.Values) (ask.Answer, error)

// Options describe the server to assistants.
type Options struct {
	// Version is the version of the program.
	Version string
	// Site is the address of the website, without a slash at its end. If it is empty, the addresses
	// in results start with /api/v1.
	Site string
}

// versions are the versions of the protocol that this package accepts, the latest first. The
// messages that this package uses are the same in all these versions.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// maxLine is the largest size of a message from an assistant, in bytes.
const maxLine = 1 << 20

// Codes of the errors that JSON-RPC defines.
const (
	codeParse         = -32700
	codeRequest       = -32600
	codeUnknownMethod = -32601
	codeParameters    = -32602
)

// instructions tell an assistant how to interpret the results of the tools.
const instructions = `Bencao answers questions about plant species, drugs (herbs), historical Chinese formulas, papers and scientific names from one published data set. ` +
	`Read "uncertain" in every result before you use it: a name that is not matched, or matched below 0.9, must be shown as unsure and never replaced silently. ` +
	`Cite "citation" and link "url" when you use a result. An empty result means that the data have none, not that there is none.`

type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Serve reads messages from r and writes the answers to w, one after the other. It returns when r
// ends or when w fails. When ctx ends, it returns after it has answered the current message.
func Serve(ctx context.Context, r io.Reader, w io.Writer, get Ask, opt Options) error {
	s := &server{ask: get, opt: opt}
	lines, out := bufio.NewReaderSize(r, maxLine), json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for ctx.Err() == nil {
		line, err := lines.ReadSlice('\n')
		long := false
		for part := line; err == bufio.ErrBufferFull && len(part) == lines.Size(); long = true { // r may return this error too
			part, err = lines.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line = bytes.TrimSpace(line); long || len(line) > 0 {
			var answer *response
			if long {
				answer = fails(nil, codeRequest, "the message has more than 1 MiB")
			} else {
				answer = s.answer(ctx, line)
			}
			if answer != nil {
				if err := out.Encode(answer); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return nil
		}
	}
	return nil
}

type server struct {
	ask   Ask
	opt   Options
	about ask.Answer // the answer to /version for the latest version of the data that the session has seen
}

// answer returns the answer to a message, or nil if the message is a notification, which gets no
// answer.
func (s *server) answer(ctx context.Context, line []byte) *response {
	var req request
	if err := json.Unmarshal(line, &req); err != nil {
		if json.Valid(line) {
			return fails(nil, codeRequest, "the message is no request of JSON-RPC; send one object per line")
		}
		return fails(nil, codeParse, "the message is no JSON; send one object per line")
	}
	if req.Version != "2.0" || req.Method == "" {
		return fails(req.ID, codeRequest, `the message is no request; it needs "jsonrpc": "2.0" and a method`)
	}
	if len(req.ID) == 0 {
		return nil // a notification gets no answer
	}
	result, failure := s.result(ctx, req)
	if failure != nil {
		return &response{Version: "2.0", ID: req.ID, Error: failure}
	}
	return &response{Version: "2.0", ID: req.ID, Result: result}
}

func fails(id json.RawMessage, code int, message string) *response {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &response{Version: "2.0", ID: id, Error: &rpcError{code, message}}
}

type object map[string]any

// result returns the result of a request, or the error to send.
func (s *server) result(ctx context.Context, req request) (any, *rpcError) {
	switch req.Method {
	case "initialize":
		var in struct {
			ProtocolVersion string `json:"protocolVersion"`
		}
		if err := json.Unmarshal(req.Params, &in); err != nil {
			return nil, &rpcError{codeParameters, "initialize needs protocolVersion"}
		}
		if !slices.Contains(versions, in.ProtocolVersion) {
			in.ProtocolVersion = versions[0]
		}
		return object{
			"protocolVersion": in.ProtocolVersion,
			"capabilities":    object{"tools": object{}},
			"serverInfo":      object{"name": "bencao", "title": "Bencao 本草", "version": s.opt.Version},
			"instructions":    instructions,
		}, nil
	case "ping":
		return object{}, nil
	case "tools/list":
		list := []object{}
		for _, t := range tools {
			list = append(list, object{
				"name": t.name, "title": t.title, "description": t.doc, "inputSchema": t.schema(),
				"annotations": object{"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
			})
		}
		return object{"tools": list}, nil
	case "tools/call":
		var in struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal(req.Params, &in); err != nil {
			return nil, &rpcError{codeParameters, "tools/call needs name and arguments"}
		}
		for _, t := range tools {
			if t.name == in.Name {
				return s.call(ctx, t, in.Arguments), nil
			}
		}
		return nil, &rpcError{codeParameters, "there is no tool " + in.Name + "; tools/list names them"}
	}
	return nil, &rpcError{codeUnknownMethod, "there is no method " + req.Method}
}
