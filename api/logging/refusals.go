package logging

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// defaultRefusals is how many refused requests [Refusals] lets through a
// second.
const defaultRefusals = 100

// Refusals sums up lines about requests that nobody vouches for: strangers
// must not be able to fill the log. In a second it lets so many through, and
// tells of the rest in one line, with counts by reason. Its methods may be
// called from many goroutines.
type Refusals struct {
	log  *slog.Logger
	most int

	mu     sync.Mutex // guards what follows
	passed int        // lines let through in this second
	over   *time.Timer
	rest   map[string]int // by reason
}

// NewRefusals returns a sum that writes to log. Most is how many lines are
// let through a second; zero is [defaultRefusals].
func NewRefusals(log *slog.Logger, most int) *Refusals {
	if most <= 0 {
		most = defaultRefusals
	}
	return &Refusals{log: log, most: most, rest: map[string]int{}}
}

// Let tells whether a line about a request that was refused for reason may be
// logged. If not, it is counted. Reasons must be few and our own words.
func (r *Refusals) Let(reason string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over == nil { // the second begins
		r.over = time.AfterFunc(time.Second, r.Flush)
	}
	if r.passed < r.most {
		r.passed++
		return true
	}
	r.rest[reason]++
	return false
}

// Flush logs what was counted, and begins another second. It is called each
// second, and should be at the end.
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
