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
		warnings := slog.NewTextHandler(bars, &slog.HandlerOptions{Level: slog.LevelWarn})
		opt = indexer.Options{Progress: bars.show, Log: slog.New(warnings)}
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
