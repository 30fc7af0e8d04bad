package logging

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// defaultRefusals is the default number of lines a second.
const defaultRefusals = 100

// Refusals limits the log lines about refused requests without a valid key, so that strangers
// cannot fill the log. Each second it permits some lines and then logs one line with the number of
// the others by reason. Its methods may be called from many goroutines.
type Refusals struct {
	log  *slog.Logger
	most int

	mu     sync.Mutex // guards the fields below
	passed int        // lines permitted in this second
	over   *time.Timer
	rest   map[string]int // numbers of other lines by reason
}

// NewRefusals returns a Refusals that permits most lines a second and logs its sums to log. A most
// of zero means [defaultRefusals].
func NewRefusals(log *slog.Logger, most int) *Refusals {
	if most <= 0 {
		most = defaultRefusals
	}
	return &Refusals{log: log, most: most, rest: map[string]int{}}
}

// Let reports whether a line about a request that was refused for reason may be logged. Otherwise
// it counts the request. reason must come from a small fixed set, never from a client.
func (r *Refusals) Let(reason string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over == nil { // the first refusal of this second
		r.over = time.AfterFunc(time.Second, r.Flush)
	}
	if r.passed < r.most {
		r.passed++
		return true
	}
	r.rest[reason]++
	return false
}

// Flush logs the counts and begins a new second. It runs each second, and should be called at the
// end.
func (r *Refusals) Flush() {
	r.mu.Lock()
	rest := r.rest
	if r.over != nil {
		r.over.Stop()
	}
	r.passed, r.over, r.rest = 0, nil, map[string]int{}
	r.mu.Unlock()
	if len(rest) == 0 {
		return
	}
	total, reasons := 0, make([]any, 0, len(rest))
	for _, reason := range slices.Sorted(maps.Keys(rest)) {
		total += rest[reason]
		reasons = append(reasons, slog.Int(reason, rest[reason]))
	}
	r.log.LogAttrs(context.Background(), slog.LevelInfo, "requests refused, summed up",
		slog.Int("requests", total), slog.Group("reasons", reasons...))
}
