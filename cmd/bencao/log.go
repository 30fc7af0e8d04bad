package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"bencao/api/logging"
	"bencao/internal/invisible"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// logger writes lines in the form that the setting log names.
func (s *settings) logger(w io.Writer) *slog.Logger {
	log := slog.New(s.logForm(w, w))
	slog.SetDefault(log) // what libraries say has the same form
	return log
}

// logForm makes a handler that writes to w as is right for a log that in the
// end goes to end.
func (s *settings) logForm(w, end io.Writer) slog.Handler {
	switch terminal := onTerminal(end); {
	case s.log == "json", s.log == "auto" && !terminal:
		if q, ok := w.(*logging.Queue); ok {
			return slog.NewJSONHandler(escaping{q}, nil)
		}
		return slog.NewJSONHandler(escaping{w}, nil)
	case terminal:
		return s.forPeople(w, slog.LevelInfo)
	}
	return slog.NewTextHandler(w, nil)
}

// forPeople makes a handler whose lines people read as they come.
func (s *settings) forPeople(w io.Writer, least slog.Level) slog.Handler {
	return tint.NewTextHandler(w, &tint.Options{Level: least, TimeFormat: time.TimeOnly, NoColor: !bool(s.paint), ReplaceAttr: visibleAttr})
}

// visibleAttr escapes what nobody sees: on a terminal in colour tint writes escape
// sequences as they are.
func visibleAttr(_ []string, a slog.Attr) slog.Attr {
	text := a.Value.String()
	if _, _, found := invisible.Find(text); found {
		return slog.String(a.Key, string(invisible.Escape([]byte(text))))
	}
	return a
}

// escaping writes JSON in which all is seen that nobody would see. JSON escapes
// fewer characters by itself.
type escaping struct{ io.Writer }

func (e escaping) Write(b []byte) (int, error) {
	if _, err := e.Writer.Write(invisible.Escape(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// queuedLogger is as [settings.logger], for a service: it never waits for
// whoever reads the log, and outlives them. Close the queue.
func queuedLogger(s *settings, w io.Writer) (*slog.Logger, *logging.Queue) {
	signal.Ignore(syscall.SIGPIPE) // or a log without a reader would end the program
	q := logging.NewQueue(w, 0, func(dropped int64) []byte {
		var line bytes.Buffer
		slog.New(s.logForm(&line, w)).Warn("lines dropped from the log, because nobody took them in time", "lines", dropped)
		return line.Bytes()
	})
	log := slog.New(s.logForm(q, w))
	slog.SetDefault(log)
	return log, q
}

// lastWords bounds how long the end waits for whoever reads the log.
const lastWords = 2 * time.Second

// complain prints what ends the program, if anybody takes it in time: a write
// to a pipe whose reader has stalled can't be called off.
func complain(w io.Writer, text string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		fmt.Fprintf(w, "bencao: %s\n", invisible.Escape([]byte(text)))
	}()
	select {
	case <-done:
	case <-time.After(lastWords):
	}
}

// onTerminal tells whether a person reads what is written to w.
func onTerminal(w any) bool {
	f, ok := fileOf(w)
	return ok && term.IsTerminal(int(f.Fd()))
}
