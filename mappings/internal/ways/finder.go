package ways

import (
	"context"
	"runtime"

	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
)

// Finder finds the records of one table. It is safe for use by many goroutines.
type Finder struct {
	index *index.Index
	plan  plan
	made  *made
	slow  chan struct{} // holds a token for each forgiving search that runs
	lists Lists         // nil if nobody knows any
}

// New returns what finds the records of an index.
func New(ix *index.Index) *Finder {
	return &Finder{index: ix, plan: planOf(ix.Rows), made: newMade(len(ix.Rows)), slow: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Consult lets searches ask checklists what scientific names mean. No search may be
// running.
func (f *Finder) Consult(lists Lists) { f.lists = lists }

// Room is what one search at a time works with. It is not to be used again after a
// panic.
type Room struct {
	Reader *index.Reader
	Hits   *hits.Collector
	lookup lookup
}

// Room returns room for one search at a time.
func (f *Finder) Room() *Room { return &Room{Reader: f.index.Reader(), Hits: hits.New(f.index)} }

// Asked is what is sought.
type Asked struct {
	*reading.Reading
	In      string // the part of the records; empty is their names
	PageEnd int    // the place behind the last hit that is wanted in order
	Trace   *Trace // takes up what is tried; nil if nobody wants to know

	Unforgiving bool // ends with the first stage in which anything was tried
}

// Find adds the records that answer a query to the hits of the room, which must be
// ready: stage by stage, row by row, way by way.
func (f *Finder) Find(ctx context.Context, room *Room, q Asked) error {
	l, rd := &room.lookup, q.Reading
	*l = lookup{Index: f.index, ctx: ctx, reader: room.Reader, hits: room.Hits, made: f.made, trace: q.Trace, pageEnd: q.PageEnd, rows: &f.plan.rows, lists: f.lists}
	defer func() { *l = lookup{} }() // which holds what the caller gave
	noPlant := l.noPlant(rd)
	for at, steps := range f.plan.stages {
		if noPlant && stage(at) > asTyped || q.Unforgiving && l.attempted {
			return l.err
		}
		q.Trace.stage()
		if stage(at) == asHeard {
			// Forgiving searches cost the most; a few at a time keep the rest quick.
			select {
			case f.slow <- struct{}{}:
				defer func() { <-f.slow }()
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		for i := range steps {
			step := &steps[i]
			if noPlant && !step.ofOwn {
				continue
			}
			if step.takes(rd) && l.Rows[step.why.Row].In == q.In {
				step.find(l, rd, step.why)
			}
			if l.err != nil {
				return l.err
			}
		}
		if room.Hits.Any() {
			return nil
		}
		noPlant = noPlant || l.meant != nil && l.meant.NoPlant
	}
	return nil
}
