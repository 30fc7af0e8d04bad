// Package bulk matches long lists of names: CSV or plain lines in, CSV or
// JSON lines out. Rows come out in the order in which they went in, each with
// all its columns and its number, so that nothing is lost or moved. Equal
// names are matched once; memory does not grow with the list.
package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"bencao/names"
	"bencao/names/internal/vocabulary"
)

// Matcher answers one name: (*names.Index).Match, or a server behind the API.
// It is called from many goroutines. An error that is a [*names.InputError]
// is about the name and goes into its row; any other ends the run.
type Matcher func(context.Context, names.Query) (names.Response, error)

// Format is how results are written.
type Format int

// The formats of results.
const (
	CSV Format = iota
	JSONLines
)

// Options tunes [Run]. The zero value finds the column of names by its header
// and writes the best candidate of each as CSV.
type Options struct {
	// Column is the header of the column of names. Empty looks for a usual
	// header, such as name or scientificName; without one every line is a
	// name.
	Column string
	// AuthorColumn is the header of the column of authors, if they stand
	// apart.
	AuthorColumn string
	// FamilyColumn is the header of a column of families that serve as hints.
	FamilyColumn string
	// Plain says that every line is a name, the first one too.
	Plain bool

	Format Format
	// Excel writes CSV that Excel opens right and in which no cell is a
	// formula: byte-order mark, CRLF, a quote before = + - @.
	Excel bool

	// All writes a row for every candidate instead of the best one only.
	All bool
	// Limit is the most candidates of a name; 0 is names.DefaultLimit.
	Limit int
	// NoFuzzy leaves out names that differ in letters.
	NoFuzzy bool
	// Strict makes Run return an [*UnreadableError] at the end if some row
	// could not be read.
	Strict bool

	// Workers is how many names are matched at once; 0 is one for each
	// processor.
	Workers int
	// Remember is how many names are kept to find duplicates; 0 is 200,000.
	Remember int
	// Progress, if not nil, is called with what is done so far, from one
	// goroutine at a time.
	Progress func(Stats)
}

// Stats counts what a run has done.
type Stats struct {
	Rows       int64 // input rows, the header not among them
	Matched    int64 // rows with a result
	Unreadable int64 // rows that were no rows, or whose name was no text
	Bytes      int64 // input read
}

// UnreadableError says that some rows could not be read; they are in the
// output, with the reason.
type UnreadableError struct {
	Rows  int64
	First int64 // number of the first one
	Err   error // what was wrong with it
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("%d rows could not be read, the first is row %d: %v", e.Rows, e.First, e.Err)
}

// Unwrap returns what was wrong with the first row.
func (e *UnreadableError) Unwrap() error { return e.Err }

// batchRows is how many rows go from hand to hand at once.
const batchRows = 128

// batch is a run of rows on its way from the reader to the writer.
type batch struct {
	rows  []row
	first int64 // number of its first row
	read  int64 // bytes of input up to its end
	out   []byte
	stats Stats
	bad   *UnreadableError
	err   error
	done  chan struct{}
}

// Run matches the names that in holds and writes the results to out. It
// returns when all is written, or at the first error of reading, writing or
// matching, or when ctx ends.
func Run(ctx context.Context, match Matcher, in io.Reader, out io.Writer, opt Options) (Stats, error) {
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	src, err := newReader(in, opt)
	if err != nil {
		return Stats{}, err
	}
	job := &job{match: match, opt: opt, table: src.table, seen: newMemory(opt.Remember)}
	if _, err := out.Write(job.header()); err != nil {
		return Stats{}, err
	}

	ctx, cancel := context.WithCancel(ctx)
	work := make(chan *batch, workers)
	queue := make(chan *batch, 4*workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for b := range work {
				job.do(ctx, b)
				close(b.done)
			}
		})
	}
	wg.Go(func() {
		defer close(work)
		defer close(queue)
		src.batches(ctx, func(b *batch) bool {
			for _, c := range []chan *batch{queue, work} {
				select {
				case c <- b:
				case <-ctx.Done():
					return false
				}
			}
			return true
		})
	})
	stats, err := collect(ctx, queue, out, opt)
	cancel()
	wg.Wait()
	return stats, err
}

// collect writes the batches in order.
func collect(ctx context.Context, queue <-chan *batch, out io.Writer, opt Options) (Stats, error) {
	var total Stats
	var bad *UnreadableError
	for b := range queue {
		select {
		case <-b.done:
		case <-ctx.Done():
			return total, ctx.Err()
		}
		if b.err != nil {
			return total, b.err
		}
		if _, err := out.Write(b.out); err != nil {
			return total, err
		}
		total.Rows += b.stats.Rows
		total.Matched += b.stats.Matched
		total.Unreadable += b.stats.Unreadable
		total.Bytes = b.read
		if bad == nil {
			bad = b.bad
		}
		if opt.Progress != nil {
			opt.Progress(total)
		}
	}
	if err := ctx.Err(); err != nil {
		return total, err
	}
	if opt.Strict && bad != nil {
		bad.Rows = total.Unreadable
		return total, bad
	}
	return total, nil
}

// job is what all batches share.
type job struct {
	match Matcher
	opt   Options
	table table
	seen  *memory
}

// do matches the rows of a batch and renders its output.
func (j *job) do(ctx context.Context, b *batch) {
	if b.err != nil {
		return
	}
	for i := range b.rows {
		r := &b.rows[i]
		number := b.first + int64(i)
		b.stats.Rows++
		a, err := j.answer(ctx, r)
		if err != nil {
			b.err = fmt.Errorf("row %d: %w", number, err)
			return
		}
		if a.err != nil {
			b.stats.Unreadable++
			if b.bad == nil {
				b.bad = &UnreadableError{First: number, Err: a.err}
			}
		}
		if a.matched {
			b.stats.Matched++
		}
		for _, tail := range a.tails {
			b.out = j.appendRow(b.out, r, number, tail)
		}
	}
}

// answer returns the rendered answer for a row, which may be known already.
func (j *job) answer(ctx context.Context, r *row) (*answer, error) {
	if r.err != nil {
		return j.failed(r.err), nil
	}
	q := names.Query{Name: r.cell(j.table.name), Author: r.cell(j.table.author), Family: r.cell(j.table.family), Limit: j.opt.Limit, NoFuzzy: j.opt.NoFuzzy}
	slot := j.seen.slot(q.Name + "\x00" + q.Author + "\x00" + q.Family)
	slot.once.Do(func() { slot.answer, slot.err = j.ask(ctx, q) })
	return slot.answer, slot.err
}

// ask matches a name and renders the answer.
func (j *job) ask(ctx context.Context, q names.Query) (*answer, error) {
	resp, err := j.match(ctx, q)
	if bad := (*names.InputError)(nil); errors.As(err, &bad) {
		return j.failed(bad), nil
	}
	if err != nil {
		return nil, err
	}
	results := resp.Results
	if !j.opt.All && len(results) > 1 {
		results = results[:1]
	}
	a := &answer{matched: len(results) > 0}
	if len(results) == 0 {
		a.tails = append(a.tails, j.renderTail(&resp, nil, nil))
	}
	for i := range results {
		a.tails = append(a.tails, j.renderTail(&resp, &results[i], nil))
	}
	return a, nil
}

// failed is the answer for a row that cannot be matched.
func (j *job) failed(err error) *answer {
	return &answer{err: err, tails: [][]byte{j.renderTail(&names.Response{MatchedVia: vocabulary.ViaNone}, nil, err)}}
}
