package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"

	"bencao/indexer"
	"bencao/indexer/sample"
)

// nightMemory is how much a night uses, in bytes, before it looks for what it
// could let go of at the price of time; GOMEMLIMIT says otherwise. A country of a
// million papers and names needs less.
const nightMemory = 2560 << 20

// runNight runs the indexer and shows on w how it goes: as bars on a terminal,
// else as log lines.
func runNight(ctx context.Context, s *settings, cfg indexer.Config, w io.Writer) (*indexer.Report, error) {
	if os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(nightMemory))
	}
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
	var gate *indexer.RefusedError
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

// sampleConfig is what to build of the data that ships inside the program.
func sampleConfig(data string) indexer.Config {
	cfg := indexer.Config{
		Data:    data,
		Package: indexer.Input{Path: "sample", FS: sample.Package()},
		Program: thisBuild().program(),
	}
	for _, c := range sample.Checklists() {
		cfg.Checklists = append(cfg.Checklists, indexer.Input{Key: c.Name, Path: c.Name, FS: c.FS, Version: "sample " + sample.Version})
	}
	return cfg
}
