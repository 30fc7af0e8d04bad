package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// Problem is the body of every error (RFC 9457).
type Problem struct {
	Type     string `json:"type" doc:"Kind of the problem: a path that stays the same between versions." example:"/problems/bad-parameter"`
	Title    string `json:"title" doc:"The kind in words." example:"A parameter is wrong"`
	Status   int32  `json:"status" doc:"HTTP status." example:"400"`
	Detail   string `json:"detail" doc:"What is wrong, where, and how to mend it." example:"page is \"0\"; use a whole number from 1 to 2147483647"`
	Instance string `json:"instance" doc:"The request's id, as in X-Request-Id; quote it when you ask for help."`
}

// kind is a kind of problem. Its slug is a promise to clients.
type kind struct {
	status int
	slug   string
	title  string
}

// The kinds of problems. docs/api.md explains each.
var (
	badParameter  = kind{http.StatusBadRequest, "bad-parameter", "A parameter is wrong"}
	bodyRefused   = kind{http.StatusBadRequest, "body-refused", "A request has no body here"}
	badRequest    = kind{http.StatusBadRequest, "bad-request", "The request is not HTTP"}
	noKey         = kind{http.StatusUnauthorized, "no-valid-key", "A valid key is needed"}
	addressDenied = kind{http.StatusForbidden, "address-not-allowed", "The key is not for this address"}
	addressHidden = kind{http.StatusForbidden, "address-unknown", "The client's address is not known"}
	scopeMissing  = kind{http.StatusForbidden, "scope-missing", "The key lacks a scope"}
	notFound      = kind{http.StatusNotFound, "not-found", "There is no such thing"}
	wrongMethod   = kind{http.StatusMethodNotAllowed, "method-not-allowed", "This address is for reading"}
	notAcceptable = kind{http.StatusNotAcceptable, "not-acceptable", "The wanted format is not offered"}
	tooMany       = kind{http.StatusTooManyRequests, "too-many-requests", "The limit is used up"}
	expectation   = kind{http.StatusExpectationFailed, "expectation-failed", "The expectation can't be met"}
	headerTooBig  = kind{http.StatusRequestHeaderFieldsTooLarge, "header-too-large", "The request's header is too large"}
	internal      = kind{http.StatusInternalServerError, "internal", "Something went wrong here"}
	notImplement  = kind{http.StatusNotImplemented, "not-implemented", "The transfer encoding is not offered"}
	versionOfHTTP = kind{http.StatusHTTPVersionNotSupported, "http-version", "The version of HTTP is not offered"}
	busy          = kind{http.StatusServiceUnavailable, "busy", "Too busy just now"}
	tooSlow       = kind{http.StatusServiceUnavailable, "too-slow", "The answer took too long"}
)

// statusClientLeft is what the log and the metrics say of a request whose
// client did not wait for the answer; nobody receives it.
const statusClientLeft = 499

// fault is an error that a client may read.
type fault struct {
	kind   kind
	detail string
	// retry is the Retry-After in seconds, 0 for none.
	retry int
}

func (f *fault) Error() string { return f.detail }

func faultf(k kind, format string, args ...any) *fault {
	return &fault{kind: k, detail: fmt.Sprintf(format, args...)}
}

// unknown is the answer for an identifier that matches nothing.
func unknown(what, id string) error {
	return faultf(notFound, "no %s has the guid %s; look it up with a search", what, show(id))
}

// toFault turns any error into one that a client may read. The errors that it
// does not know are ours: they say nothing of themselves, and own is true.
func toFault(err error) (f *fault, own bool) {
	switch {
	case errors.As(err, &f):
		return f, false
	case errors.Is(err, context.DeadlineExceeded):
		return &fault{kind: tooSlow, detail: "the answer took too long and was given up; ask again in a second, or for something narrower", retry: 1}, false
	case errors.Is(err, context.Canceled):
		return &fault{kind: kind{statusClientLeft, "client-left", "The client left"}, detail: "the client did not wait for the answer"}, false
	}
	return &fault{kind: internal, detail: "the request met a fault of the server; quote the instance to the operator"}, true
}

// problem is the body for a fault.
func (f *fault) problem(requestID string) []byte {
	body, err := json.Marshal(Problem{
		Type:     "/problems/" + f.kind.slug,
		Title:    f.kind.title,
		Status:   int32(f.kind.status),
		Detail:   f.detail,
		Instance: requestID,
	})
	if err != nil {
		panic(err) // strings and a number always encode
	}
	return append(body, '\n')
}

// write sends the fault.
func (f *fault) write(w http.ResponseWriter, requestID string) error {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	delete(h, "ETag") // of the answer that did not come about
	h.Del("Content-Length")
	if f.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(f.retry))
	}
	w.WriteHeader(f.kind.status)
	_, err := w.Write(f.problem(requestID))
	return err
}

// maxHeaderBytes bounds the header of a request, with its address.
const maxHeaderBytes = 16 << 10

// ownFaults are the errors that net/http finds by itself.
var ownFaults = map[int]*fault{
	http.StatusRequestHeaderFieldsTooLarge: faultf(headerTooBig, "the request's header has more than %d bytes; shorten the address or send fewer fields", maxHeaderBytes),
	http.StatusNotImplemented:              faultf(notImplement, "the request has a transfer encoding; send no body"),
	http.StatusHTTPVersionNotSupported:     faultf(versionOfHTTP, "use HTTP/1.1"),
}

var unreadableFault = faultf(badRequest, "the request is not well-formed HTTP/1.1; check the percent-encoding of the address, the Host header and the line ends")

// raw writes a whole response.
func (f *fault) raw(h http.Header, requestID string) []byte {
	body := f.problem(requestID)
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", f.kind.status, http.StatusText(f.kind.status))
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Connection", "close")
	if err := h.Write(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// shown is how much of a client's value an error repeats, in runes.
const shown = 80

// show quotes a client's value for an error: at most 80 runes of it, with
// everything that does not print escaped.
func show(value string) string {
	n := 0
	for i := range value {
		if n == shown {
			return strconv.Quote(value[:i]) + "…"
		}
		n++
	}
	return strconv.Quote(value)
}
