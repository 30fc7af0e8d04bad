package matchers

import (
	"context"

	"bencao/mappings/index"
	"bencao/mappings/internal/hits"
	"bencao/mappings/internal/reading"
)

// Finder finds the records of one table. It is safe for concurrent use.
type Finder struct {
	index      *index.Index
	plan       plan
	lazy       *lazyColumns
	checklists Checklists // nil if there are none
}

// New returns a finder for the records of an index.
func New(ix *index.Index) *Finder {
	return &Finder{index: ix, plan: newPlan(ix.Rows), lazy: newLazyColumns(len(ix.Rows))}
}

// SetChecklists sets the checklists that resolve scientific names. It must not be called during a
// search.
func (f *Finder) SetChecklists(checklists Checklists) { f.checklists = checklists }

// Scratch holds the reader and the buffers for one search at a time. It must not be used again
// after a panic.
type Scratch struct {
	Reader *index.Reader
	Hits   *hits.Collector
	Finds  int // calls of [Finder.Find]
	lookup lookup
}

// Scratch returns a new Scratch.
func (f *Finder) Scratch() *Scratch {
	return &Scratch{Reader: f.index.Reader(), Hits: hits.New(f.index)}
}

// Request is a query to a [Finder].
type Request struct {
	*reading.Reading
	In      string // the part of the records to search (Field.Part); "" for names
	PageEnd int    // number of hits that must be in order; further hits need only be counted
	Trace   *Trace // records what was tried; may be nil

	Unforgiving bool // stop after the first stage in which a matcher was tried, even if it found nothing
}

// Find adds the hits of a query to scratch.Hits, which must be reset. It runs the
// matchers stage by stage and row by row.
func (f *Finder) Find(ctx context.Context, scratch *Scratch, q Request) error {
	scratch.Finds++
	l, rd := &scratch.lookup, q.Reading
	*l = lookup{Index: f.index, ctx: ctx, reader: scratch.Reader, hits: scratch.Hits, lazy: f.lazy, trace: q.Trace, pageEnd: q.PageEnd, rows: &f.plan.rows, checklists: f.checklists}
	defer func() { *l = lookup{} }() // do not keep the caller's texts alive in the scratch
	noPlant := q.In == "" && l.noPlant(rd)
	for at, steps := range f.plan.stages {
		if noPlant && stage(at) > exactStage || q.Unforgiving && l.attempted {
			return l.err
		}
		q.Trace.beginStage()
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
