package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"bencao/api/logging"
	"bencao/internal/invisible"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// logger returns a logger that writes to w in the format of the setting "log".
func (s *settings) logger(w io.Writer) *slog.Logger {
	log := slog.New(s.logForm(w, w))
	slog.SetDefault(log) // libraries log to the default logger
	return log
}

// logForm returns a handler that writes to w. With the format auto, the handler chooses the format
// for end, the file or terminal that finally gets the log.
func (s *settings) logForm(w, end io.Writer) slog.Handler {
	switch terminal := onTerminal(end); {
	case s.log == "json", s.log == "auto" && !terminal:
		return slog.NewJSONHandler(escaping{w}, nil)
	case terminal:
		return forPeople(w, slog.LevelInfo)
	}
	return slog.NewTextHandler(w, nil)
}

// forPeople returns a handler that writes short lines for a terminal. It leaves out levels below
// least.
func forPeople(w io.Writer, least slog.Level) slog.Handler {
	return tint.NewTextHandler(w, &tint.Options{Level: least, TimeFormat: time.TimeOnly, NoColor: true, ReplaceAttr: visibleAttr})
}

// visibleAttr escapes invisible characters in an attribute. Otherwise tint would pass escape
// sequences on to the terminal.
func visibleAttr(_ []string, a slog.Attr) slog.Attr {
	text := a.Value.String()
	if _, _, found := invisible.Find(text); found {
		return slog.String(a.Key, string(invisible.Escape([]byte(text))))
	}
	return a
}

// escaping is a writer for JSON that escapes all invisible characters. Package encoding/json
// escapes only some of them.
type escaping struct{ io.Writer }

func (e escaping) Write(b []byte) (int, error) {
	if _, err := e.Writer.Write(invisible.Escape(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// queuedLogger returns a logger for a service. It has the format of [settings.logger]. It never
// waits for the program that reads the log, and the service continues if that program ends. The
// caller must close the queue.
func queuedLogger(s *settings, w io.Writer) (*slog.Logger, *logging.Queue) {
	signal.Ignore(syscall.SIGPIPE) // otherwise the program would end when the program that reads its log ends
	q := logging.NewQueue(w, 0, func(dropped int64) []byte {
		var line bytes.Buffer
		slog.New(s.logForm(&line, w)).Warn("lines dropped from the log, because they were not read in time", "lines", dropped)
		return line.Bytes()
	})
	log := slog.New(s.logForm(q, w))
	slog.SetDefault(log)
	return log, q
}

// logPatience is how long the program waits at its end until its log is written.
const logPatience = 2 * time.Second

// complain prints the error that ends the program. It gives up after [logPatience], because a write
// to a stalled pipe cannot be cancelled.
func complain(w io.Writer, text string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		fmt.Fprintf(w, "bencao: %s\n", invisible.Escape([]byte(text)))
	}()
	select {
	case <-done:
	case <-time.After(logPatience):
	}
}

// onTerminal reports whether w is a terminal.
func onTerminal(w any) bool {
	if s, ok := w.(screen); ok {
		w = s.file
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
