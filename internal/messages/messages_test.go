package messages_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/fstest"

	"bencao/internal/catalogue"
	"bencao/internal/messages"
)

var (
	outer = messages.Define("test-outer", "%s is %s; use %v")
	inner = messages.Define("test-inner", "%d or %v")
)

func TestIn(t *testing.T) {
	message := outer.With("page", `"{3}"`, inner.With(1, 2))
	if got, want := message.Error(), `page is "{3}"; use 1 or 2`; got != want {
		t.Errorf("in English %s, want %s", got, want)
	}
	words := catalogue.Read(fstest.MapFS{"zh.txt": {Data: []byte("test-outer: {1} 为 {2}，可用 {3}\ntest-inner: {1} 或 {2}\n")}}, "zh.txt")
	if got, want := messages.In(fmt.Errorf("row 1: %w", message), words), `page 为 "{3}"，可用 1 或 2`; got != want {
		t.Errorf("in Chinese %s, want %s", got, want)
	}
	if got := messages.In(io.ErrUnexpectedEOF, words); got != io.ErrUnexpectedEOF.Error() {
		t.Errorf("an error without a message becomes %s", got)
	}
	none := catalogue.Read(fstest.MapFS{"x.txt": {}}, "x.txt")
	if got, want := messages.In(message, none), message.Error(); got != want {
		t.Errorf("with an empty catalogue %s, want %s", got, want)
	}
}

func TestUnwrap(t *testing.T) {
	if !errors.Is(inner.With(1, io.ErrUnexpectedEOF), io.ErrUnexpectedEOF) {
		t.Error("errors.Is does not find an error among the values of a message")
	}
	if !errors.Is(fmt.Errorf("read: %w", io.ErrUnexpectedEOF), io.ErrUnexpectedEOF) {
		t.Error("errors.Is does not find the error that Errorf wraps")
	}
}

func TestCodes(t *testing.T) {
	if !slices.Contains(messages.Formats(), inner) || inner.Code() != "test-inner" {
		t.Error("Formats lacks a format")
	}
	defer func() {
		if recover() == nil {
			t.Error("a code was defined twice without a panic")
		}
	}()
	messages.Define("test-inner", "")
}
