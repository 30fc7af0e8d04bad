package messages_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"bencao/internal/messages"
)

func TestReadPhrases(t *testing.T) {
	got, err := messages.ReadPhrases("a.txt", []byte("# for people\nspecies\n\t物种\n\n%d of %d\n\t共 %[2]d，列出 %[1]d\n"))
	if err != nil || len(got) != 2 || got["species"] != "物种" {
		t.Errorf("read %q, %v", got, err)
	}
	for _, wrong := range []string{"species\n", "\t物种\n", "species\npapers\n\t文献\n", "species\n\t物种\nspecies\n\t种\n", "species\n\t物种\n\t种\n"} {
		if got, err := messages.ReadPhrases("a.txt", []byte(wrong)); err == nil {
			t.Errorf("%q is read as %q, want an error", wrong, got)
		}
	}
	if got := messages.OneLine(" Search\nthe snapshot, \tas it is\n"); got != "Search the snapshot, as it is" {
		t.Errorf("one line: %q", got)
	}
}

// usage wraps an error and adds no text, as the command line does for exit codes.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

func TestPhrasesError(t *testing.T) {
	p := messages.Phrases{
		"%s is %q; use %s":              "%s 为 %q；请用 %s",
		"%s has no flag --%s; %sit has": "%s 没有选项 --%s；%s有",
		"did you mean %q?":              "是否想用 %q？",
		"row %d of %d: %w":              "共 %[2]d 行，第 %[1]d 行：%[3]w",
		"is blank":                      "是空的",
		"a whole number":                "整数",
		"no such file or directory":     "没有这样的文件或文件夹",
		"open %s: %w":                   "打开 %s：%w",
		"%d or %v":                      "%d 或 %v",
	}
	blank := errors.New("is blank")
	row := messages.Errorf("row %d of %d: %w", 3, 9, blank)
	for want, err := range map[string]error{
		`limit 为 "x"；请用 整数`:         usage{messages.Errorf("%s is %q; use %s", "limit", "x", "a whole number")},
		`match 没有选项 --y；是否想用 "z"？有`: messages.Errorf("%s has no flag --%s; %sit has", "match", "y", messages.Errorf("did you mean %q? ", "z")),
		`match 没有选项 --y；有`:          messages.Errorf("%s has no flag --%s; %sit has", "match", "y", ""),
		"list.csv: 共 9 行，第 3 行：是空的": fmt.Errorf("list.csv: %w", row),
		"是空的\nunknown":              errors.Join(blank, errors.New("unknown")),
		"unknown 是空的":               messages.Errorf("unknown %w", blank),
		"打开 /x：没有这样的文件或文件夹":         &fs.PathError{Op: "open", Path: "/x", Err: syscall.ENOENT},
		"write /x: 没有这样的文件或文件夹":     &fs.PathError{Op: "write", Path: "/x", Err: syscall.ENOENT},
		"1 或 是空的":                   inner.With(1, blank),
	} {
		if got := p.Error(err); got != want {
			t.Errorf("%q is translated as %q, want %q", err, got, want)
		}
	}
}
