package logging

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// defaultRefusals is the number of lines that [Refusals] permits each second by default.
const defaultRefusals = 100

// Refusals limits the log lines about refused requests without a valid key, so that strangers
// cannot fill the log. In each second it permits a limited number of lines. At the end of the
// second it logs one line with the number of the other requests, by reason. Its methods may be
// called from many goroutines.
type Refusals struct {
	log  *slog.Logger
	most int

	mu     sync.Mutex // guards the fields below
	passed int        // number of lines permitted in this second
	over   *time.Timer
	rest   map[string]int // numbers of the other requests, by reason
}

// NewRefusals returns a Refusals that logs its summaries to log. The number of lines that it
// permits in each second is most, or [defaultRefusals] if most is zero.
func NewRefusals(log *slog.Logger, most int) *Refusals {
	if most <= 0 {
		most = defaultRefusals
	}
	return &Refusals{log: log, most: most, rest: map[string]int{}}
}

// Let reports whether a line about a refused request may be logged. If not, Let counts the request
// for the summary. reason is why the request was refused. It must come from a small fixed set,
// never from a client.
func (r *Refusals) Let(reason string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over == nil { // this is the first refusal of this second
		r.over = time.AfterFunc(time.Second, r.Flush)
	}
	if r.passed < r.most {
		r.passed++
		return true
	}
	r.rest[reason]++
	return false
}

// Flush logs the summary of the present second and begins a new second. A timer calls it when the
// second is over. The program should call it before it ends.
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
