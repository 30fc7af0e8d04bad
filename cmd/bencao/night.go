package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"bencao/indexer"
)

// runNight runs the indexer and shows on w how it goes: as bars on a terminal,
// else as log lines.
func runNight(ctx context.Context, s *settings, cfg indexer.Config, w io.Writer) (*indexer.Report, error) {
	opt := indexer.Options{Log: s.logger(w)}
	if onTerminal(w) {
		bars := &bars{w: w}
		defer bars.end()
		opt = indexer.Options{
			Progress: func(phase string, done, total int) { bars.show(phase, unitOf[phase], int64(done), int64(total)) },
			Log:      slog.New(s.forPeople(bars, slog.LevelWarn)),
		}
	}
	report, err := indexer.Run(ctx, cfg, opt)
	var gate *indexer.GateError
	switch {
	case errors.As(err, &gate):
		err = &exitError{exitRefused, err}
	case errors.Is(err, indexer.ErrRejects):
		err = &exitError{exitRejects, err}
	case errors.Is(err, context.Canceled):
		err = fmt.Errorf("interrupted, and nothing was published: %w", err)
	}
	return report, err
}
