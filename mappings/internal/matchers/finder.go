package matchers

import (
	"context"
	"runtime"

	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
)

// Finder finds the records of one table. It is safe for use by many goroutines.
type Finder struct {
	index      *index.Index
	plan       plan
	lazy       *lazyColumns
	slow       chan struct{} // holds a token for each forgiving search that runs
	checklists Checklists    // nil if nobody knows any
}

// New returns what finds the records of an index.
func New(ix *index.Index) *Finder {
	return &Finder{index: ix, plan: newPlan(ix.Rows), lazy: newLazyColumns(len(ix.Rows)), slow: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Consult lets searches ask checklists what scientific names mean. No search may be
// running.
func (f *Finder) Consult(checklists Checklists) { f.checklists = checklists }

// Scratch is what one search at a time works with. It is not to be used again after a
// panic.
type Scratch struct {
	Reader *index.Reader
	Hits   *hits.Collector
	lookup lookup
}

// Scratch returns scratch for one search at a time.
func (f *Finder) Scratch() *Scratch {
	return &Scratch{Reader: f.index.Reader(), Hits: hits.New(f.index)}
}

// Request is what is sought.
type Request struct {
	*reading.Reading
	In      string // the part of the records; empty is their names
	PageEnd int    // the place behind the last hit that is wanted in order
	Trace   *Trace // takes up what is tried; nil if nobody wants to know

	Unforgiving bool // ends with the first stage in which anything was tried
}

// Find adds the records that answer a query to the hits of the scratch, which must be
// ready: stage by stage, row by row, way by way.
func (f *Finder) Find(ctx context.Context, scratch *Scratch, q Request) error {
	l, rd := &scratch.lookup, q.Reading
	*l = lookup{Index: f.index, ctx: ctx, reader: scratch.Reader, hits: scratch.Hits, lazy: f.lazy, trace: q.Trace, pageEnd: q.PageEnd, rows: &f.plan.rows, checklists: f.checklists}
	defer func() { *l = lookup{} }() // which holds what the caller gave
	noPlant := l.noPlant(rd)
	for at, steps := range f.plan.stages {
		if noPlant && stage(at) > exactStage || q.Unforgiving && l.attempted {
			return l.err
		}
		q.Trace.beginStage()
		if stage(at) == phoneticStage {
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
			if noPlant && !step.ownName {
				continue
			}
			if step.accepts(rd) && l.Rows[step.why.Row].Part == q.In {
				step.find(l, rd, step.why)
			}
			if l.err != nil {
				return l.err
			}
		}
		if scratch.Hits.Any() {
			return nil
		}
		noPlant = noPlant || l.resolved != nil && l.resolved.NoPlant
	}
	return nil
}
