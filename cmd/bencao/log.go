package main

import (
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// logger writes lines in the form that the setting log names.
func (s *settings) logger(w io.Writer) *slog.Logger {
	if s.log == "text" || s.log == "auto" && onTerminal(w) {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}

// onTerminal tells whether a person reads what is written to w.
func onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
