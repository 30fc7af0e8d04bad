// Package problem defines the errors of the API: the kinds of problems (RFC 9457), which clients
// may rely on, and [Fault], the error of a single request. It does not know routes. Begin with
// [New] and [Of].
package problem

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"bencao/internal/messages"
)

// Problem is the JSON body of every error of the API (RFC 9457).
type Problem struct {
	Type     string `json:"type" doc:"Kind of the problem: a path that stays the same between versions." example:"/problems/bad-parameter"`
	Title    string `json:"title" doc:"The kind in words." example:"A parameter is wrong"`
	Status   int32  `json:"status" doc:"HTTP status code." example:"400"`
	Detail   string `json:"detail" doc:"What is wrong, where, and how to fix it." example:"page is \"0\"; use a whole number from 1 to 2147483647"`
	Instance string `json:"instance" doc:"The request's id, as in X-Request-Id; quote it when you ask for help."`
}

// Kind is a kind of problem.
type Kind struct {
	// Status is the HTTP status code.
	Status int
	// Slug is the last part of the path of the problem's type. It never changes.
	Slug  string
	title string
}

// The kinds of problems. docs/api.md explains each.
var (
	BadParameter   = Kind{http.StatusBadRequest, "bad-parameter", "A parameter is wrong"}
	BodyRefused    = Kind{http.StatusBadRequest, "body-refused", "The request must not have a body"}
	BadRequest     = Kind{http.StatusBadRequest, "bad-request", "The request is not HTTP"}
	NoKey          = Kind{http.StatusUnauthorized, "no-valid-key", "A valid key is needed"}
	AddressDenied  = Kind{http.StatusForbidden, "address-not-allowed", "The key may not be used from this address"}
	AddressHidden  = Kind{http.StatusForbidden, "address-unknown", "The client's address is not known"}
	ForeignForm    = Kind{http.StatusForbidden, "foreign-form", "The form comes from another site"}
	ScopeMissing   = Kind{http.StatusForbidden, "scope-missing", "The key lacks a scope"}
	NotFound       = Kind{http.StatusNotFound, "not-found", "Not found"}
	VersionUnknown = Kind{http.StatusNotFound, "unknown-version", "The version of the data is not known here"}
	WrongMethod    = Kind{http.StatusMethodNotAllowed, "method-not-allowed", "Only GET and HEAD are allowed"}
	NotAcceptable  = Kind{http.StatusNotAcceptable, "not-acceptable", "The wanted format is not offered"}
	TooMany        = Kind{http.StatusTooManyRequests, "too-many-requests", "The limit is used up"}
	BodySlow       = Kind{http.StatusRequestTimeout, "body-too-slow", "The body arrives too slowly"}
	FormRunning    = Kind{http.StatusTooManyRequests, "form-running", "One form at a time"}
	VersionGone    = Kind{http.StatusGone, "version-gone", "The data version is not kept any more"}
	Expectation    = Kind{http.StatusExpectationFailed, "expectation-failed", "The expectation can't be met"}
	HeaderTooBig   = Kind{http.StatusRequestHeaderFieldsTooLarge, "header-too-large", "The request's header is too large"}
	Internal       = Kind{http.StatusInternalServerError, "internal", "The server failed"}
	NotImplement   = Kind{http.StatusNotImplemented, "not-implemented", "The transfer encoding is not offered"}
	VersionOfHTTP  = Kind{http.StatusHTTPVersionNotSupported, "http-version", "The version of HTTP is not offered"}
	VersionAhead   = Kind{http.StatusServiceUnavailable, "version-not-here", "The data version is not here yet"}
	Busy           = Kind{http.StatusServiceUnavailable, "busy", "Too busy just now"}
	TooSlow        = Kind{http.StatusServiceUnavailable, "too-slow", "The answer took too long"}
)

// statusClientLeft is the status of a request whose client did not wait for the answer. Only the
// log and the metrics show it.
const statusClientLeft = 499

// Fault is an error of a request, in the form in which the client sees it.
type Fault struct {
	Kind   Kind
	Detail *messages.Message
	// Retry is the value of Retry-After in seconds; 0 means that the answer has no Retry-After.
	Retry int
	// Value is the name in the parameter Parameter that is unknown or has several meanings, and Close
	// lists the names that may be meant. Other faults have none.
	Parameter, Value string
	Close            []string
}

func (f *Fault) Error() string { return f.Detail.Error() }

// Unwrap returns Detail. Callers that translate the error find Detail with [errors.As].
func (f *Fault) Unwrap() error { return f.Detail }

// New returns a fault of a kind.
func New(k Kind, detail *messages.Message) *Fault { return &Fault{Kind: k, Detail: detail} }

// Unknown returns the fault for an id that no record has. message is that of the kind of record,
// such as [NoSpecies].
func Unknown(message messages.Format, id string) error {
	return New(NotFound, message.With(Quote(id)))
}

// Of turns an error into a fault. own reports that the error is a bug or a failure of the server.
// The fault then does not show the text of err to the client.
func Of(err error) (f *Fault, own bool) {
	switch {
	case errors.As(err, &f):
		return f, false
	case errors.Is(err, context.DeadlineExceeded):
		return &Fault{Kind: TooSlow, Detail: slow.With(), Retry: 1}, false
	case errors.Is(err, context.Canceled):
		return New(Kind{statusClientLeft, "client-left", "The client left"}, left.With()), false
	}
	return New(Internal, broken.With()), true
}

// key matches a key or most of it.
var key = regexp.MustCompile(`bencao_[A-Z2-7]{8,}`)

// HideKeys replaces the keys in a text. A client may have put its key into the address of a request,
// which errors quote.
func HideKeys(text string) string { return key.ReplaceAllLiteralString(text, "bencao_(hidden)") }

// body returns the fault as the JSON of a [Problem].
func (f *Fault) body(requestID string) []byte {
	body, err := json.Marshal(Problem{
		Type:     "/problems/" + f.Kind.Slug,
		Title:    f.Kind.title,
		Status:   int32(f.Kind.Status),
		Detail:   HideKeys(f.Error()),
		Instance: requestID,
	})
	if err != nil {
		panic(err) // cannot happen: strings and a number can always be encoded
	}
	return append(body, '\n')
}

// Write sends the fault as the answer to a request.
func (f *Fault) Write(w http.ResponseWriter, requestID string) error {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	delete(h, "ETag") // the ETag belongs to the answer that failed
	h.Del("Content-Length")
	if f.Retry > 0 {
		h.Set("Retry-After", strconv.Itoa(f.Retry))
	}
	w.WriteHeader(f.Kind.Status)
	_, err := w.Write(f.body(requestID))
	return err
}

// Raw returns the bytes of a complete HTTP response with the fault. It is for a request that
// reaches no handler.
func (f *Fault) Raw(h http.Header, requestID string) []byte {
	body := f.body(requestID)
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", f.Kind.Status, http.StatusText(f.Kind.Status))
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Connection", "close")
	if err := h.Write(&b); err != nil {
		panic(err) // writing to a buffer cannot fail
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// shown is the largest number of runes of a client's value that an error quotes.
const shown = 80

// Quote quotes a client's value for an error. It cuts the value after 80 runes and escapes
// unprintable characters.
func Quote(value string) string {
	n := 0
	for i := range value {
		if n == shown {
			return strconv.Quote(value[:i]) + "…"
		}
		n++
	}
	return strconv.Quote(value)
}
