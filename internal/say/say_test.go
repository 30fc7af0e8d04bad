package say_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/fstest"

	"bencao/internal/catalogue"
	"bencao/internal/say"
)

var (
	whole = say.Sentence("test-whole", "%s is %s; use %v")
	part  = say.Sentence("test-part", "%d or %v")
)

func TestIn(t *testing.T) {
	text := whole.With("page", `"{3}"`, part.With(1, 2))
	if got, want := text.Error(), `page is "{3}"; use 1 or 2`; got != want {
		t.Errorf("in English %s, want %s", got, want)
	}
	words := catalogue.Read(fstest.MapFS{"zh.txt": {Data: []byte("test-whole: {1} 为 {2}，可用 {3}\ntest-part: {1} 或 {2}\n")}}, "zh.txt")
	if got, want := say.In(fmt.Errorf("row 1: %w", text), words), `page 为 "{3}"，可用 1 或 2`; got != want {
		t.Errorf("in Chinese %s, want %s", got, want)
	}
	if got := say.In(io.ErrUnexpectedEOF, words); got != io.ErrUnexpectedEOF.Error() {
		t.Errorf("an error of another program becomes %s", got)
	}
	none := catalogue.Read(fstest.MapFS{"x.txt": {}}, "x.txt")
	if got, want := say.In(text, none), text.Error(); got != want {
		t.Errorf("without words %s, want %s", got, want)
	}
}

func TestUnwrap(t *testing.T) {
	if !errors.Is(part.With(1, io.ErrUnexpectedEOF), io.ErrUnexpectedEOF) {
		t.Error("a text hides the error that it tells of")
	}
}

func TestCodes(t *testing.T) {
	if !slices.Contains(say.Forms(), part) || part.Code() != "test-part" {
		t.Error("a form is not among all")
	}
	defer func() {
		if recover() == nil {
			t.Error("two forms have one code")
		}
	}()
	say.Sentence("test-part", "")
}
