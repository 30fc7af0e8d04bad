package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestPullEvery checks that "pull --every" pulls again after a failure, ends in order when it gets
// a signal, and ends at once if the command is wrong.
func TestPullEvery(t *testing.T) {
	var said strings.Builder
	log := slog.New(slog.NewTextHandler(&said, nil))
	ctx, end := context.WithCancel(t.Context())
	defer end()
	n := 0
	err := again(ctx, time.Millisecond, log, func() error {
		switch n++; n {
		case 1:
			return errors.New("the publisher sleeps")
		case 3:
			end()
			return ctx.Err()
		}
		return nil
	})
	if err != nil || n != 3 || strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "the publisher sleeps") {
		t.Errorf("%d pulls, %v, log %q; want three pulls, and a failure of the first in the log", n, err, said.String())
	}
	n = 0
	if err := again(t.Context(), time.Hour, log, func() error { n++; return usagef("wrong") }); exitCode(err) != exitUsage || n != 1 {
		t.Errorf("a wrong command: %d pulls, %v", n, err)
	}
}
