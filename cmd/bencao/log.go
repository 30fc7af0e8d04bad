package main

import (
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// logger writes lines in the form that the setting log names.
func (s *settings) logger(w io.Writer) *slog.Logger {
	var form slog.Handler = slog.NewJSONHandler(w, nil)
	if s.log == "text" || s.log == "auto" && onTerminal(w) {
		form = slog.NewTextHandler(w, nil)
	}
	log := slog.New(form)
	slog.SetDefault(log) // what libraries say has the same form
	return log
}

// onTerminal tells whether a person reads what is written to w.
func onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
