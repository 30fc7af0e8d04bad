// Package bulk matches long lists of names: CSV or plain lines in, CSV or
// JSON lines out. Rows come out in the order in which they went in, each with
// all its columns and its number, so that nothing is lost or moved. Equal
// names are matched once; memory does not grow with the list.
package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"bencao/internal/messages"
	"bencao/names"
	"bencao/names/internal/vocabulary"
)

// MaxNames is the most names that a [Matcher] is asked for at once, as many as a
// server takes in a request.
const MaxNames = 100

// Matcher answers up to [MaxNames] names, in their order: the names file, or a
// server behind the API. It is called from many goroutines. An error ends the
// run.
type Matcher func(context.Context, []names.Query) ([]Answer, error)

// Answer is what a [Matcher] says of a name.
type Answer struct {
	names.Response
	// Err, if not nil, says what is wrong with the name; it goes into its row.
	Err error
}

// MatchEach makes a Matcher of what answers one name, such as (*names.Index).Match. An
// error that is a [*names.InputError] is about the name.
func MatchEach(match func(names.Query) (names.Response, error)) Matcher {
	return func(_ context.Context, queries []names.Query) ([]Answer, error) {
		all := make([]Answer, len(queries))
		for i, q := range queries {
			resp, err := match(q)
			if wrong := (*names.InputError)(nil); err != nil && !errors.As(err, &wrong) {
				return nil, err
			}
			all[i] = Answer{resp, err}
		}
		return all, nil
	}
}

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
	// header, such as name or scientificName. A table without one is refused; a
	// list of one column without one is a name a line.
	Column string
	// AuthorColumn is the header of the column of authors, FamilyColumn that of
	// the column of families, which serve as hints. Empty looks for usual ones,
	// such as scientificNameAuthorship and family.
	AuthorColumn, FamilyColumn string
	// Plain says that every line is a name, the first one too.
	Plain bool

	Format Format
	// Given, of [JSONLines], writes one field, given, instead of the list's own:
	// the cells of the row that are not empty, with " · " between them; of a row
	// of more than [MaxGiven] bytes those of name, author and family alone.
	Given bool
	// Excel writes CSV that Excel opens right and in which no cell is a
	// formula: byte-order mark, CRLF, a quote before = + - @.
	Excel bool

	// All writes a row for every candidate instead of the best one only.
	All bool
	// Limit is the most candidates of a name; 0 is names.DefaultLimit.
	Limit int
	// Region is a hint for all names, see [names.Query].
	Region string
	// NoFuzzy leaves out names that differ in letters.
	NoFuzzy bool
	// Source, if not empty, leaves out candidates that another checklist gives,
	// Rank those of another rank, MinScore those that score less.
	Source, Rank string
	MinScore     float64
	// Strict makes Run return an [*UnreadableError] at the end if some row
	// could not be read.
	Strict bool

	// MaxColumns is the most columns that the list may have; 0 is [MaxColumns].
	MaxColumns int
	// MaxUnpacked is the most bytes that a workbook may have when it is unpacked;
	// 0 is 64 MiB. Parts that hold no cells don't count.
	MaxUnpacked int64
	// TempDir is where a large workbook is kept until Run returns, in a folder of
	// its own; "" is the system's folder.
	TempDir string

	// Semaphore, if not nil, is shared by runs that must leave processors to others: a
	// run puts in a token while it reads some rows, and while it matches some names.
	Semaphore chan struct{}

	// ErrorText puts what is wrong with a row into words; nil is in English.
	ErrorText func(error) string
	// Workers is how many names are matched at once; 0 is one for each
	// processor.
	Workers int
	// CacheSize is how many names are kept to find duplicates; 0 is 200,000.
	CacheSize int
	// Progress, if not nil, is called with what is done so far, from one
	// goroutine at a time.
	Progress func(Stats)
}

// Stats counts what a run has done.
type Stats struct {
	Rows       int64 // input rows, the header not among them
	Matched    int64 // rows with a result
	Unreadable int64 // rows that were no rows, or whose name was no text
	Bytes      int64 // input read, as UTF-8
	// Encoding is what the list is in, such as GB18030.
	Encoding string
	// Best counts rows by what their best result is.
	Best Tally
}

// UnreadableError says that some rows could not be read; they are in the
// output, with the reason.
type UnreadableError struct {
	Rows  int64
	First int64 // number of the first one
	Err   error // what was wrong with it
}

func (e *UnreadableError) Error() string {
	return e.Unwrap().Error()
}

// Unwrap returns the same error as one that can be translated; it wraps the error of the first row.
func (e *UnreadableError) Unwrap() error {
	return messages.Errorf("%d rows could not be read, the first is row %d: %w", e.Rows, e.First, e.Err)
}

// MaxColumns is how many columns a list may have, unless [Options] say otherwise.
const MaxColumns = 2000

// Limits of what is on its way from the reader to the writer.
const (
	// batchRows and batchBytes are how many rows go from hand to hand at once,
	// and how many bytes, but for the last row.
	batchRows  = MaxNames
	batchBytes = 256 << 10
	// places are how many pieces of placeBytes are on their way. A row has at
	// most one MiB and its cells.
	places     = 256
	placeBytes = 32 << 10
	// outBytes is how many bytes are written at once, but for the last row.
	outBytes = 64 << 10
)

// batch is a run of rows on its way from the reader to the writer.
type batch struct {
	rows    []row
	size    int   // bytes of memory that the rows take
	first   int64 // number of its first row
	read    int64 // bytes of input up to its end
	coded   string
	answers []*answer
	stats   Stats
	bad     *UnreadableError
	err     error
	done    chan struct{}
}

// places are how many pieces of placeBytes a batch takes.
func (b *batch) places() int { return min(places, 1+b.size/placeBytes) }

// Run matches the names that in holds and writes the results to out. It
// returns when all is written, or at the first error of reading, writing or
// matching, or when ctx ends; what it kept of the list is gone then.
func Run(ctx context.Context, match Matcher, in io.Reader, out io.Writer, opt Options) (stats Stats, err error) {
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	src, err := newReader(ctx, in, opt)
	if err != nil {
		return Stats{}, err
	}
	defer func() { err = errors.Join(err, src.close()) }()
	job := newJob(match, src.table, opt)
	if _, err := out.Write(job.header()); err != nil {
		return Stats{}, err
	}

	ctx, cancel := context.WithCancel(ctx)
	work := make(chan *batch, workers)
	queue := make(chan *batch, 4*workers)
	room := make(chan struct{}, places)
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
			for range b.places() {
				select {
				case room <- struct{}{}:
				case <-ctx.Done():
					return false
				}
			}
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
	stats, err = job.collect(ctx, queue, room, out)
	cancel()
	wg.Wait()
	return stats, err
}

// turn waits until it is the run's turn. The caller calls done at its end.
func (o *Options) turn(ctx context.Context) (done func(), err error) {
	if o.Semaphore == nil {
		return func() {}, nil
	}
	select {
	case o.Semaphore <- struct{}{}:
		return func() { <-o.Semaphore }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// matchInTurn matches names when it is the run's turn.
func (j *job) matchInTurn(ctx context.Context, queries []names.Query) ([]Answer, error) {
	done, err := j.opt.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return j.match(ctx, queries)
}

// collect writes the batches in order, and gives their places free.
func (j *job) collect(ctx context.Context, queue <-chan *batch, room <-chan struct{}, out io.Writer) (Stats, error) {
	var total Stats
	var bad *UnreadableError
	var text []byte
	for b := range queue {
		select {
		case <-b.done:
		case <-ctx.Done():
			return total, ctx.Err()
		}
		if b.err != nil {
			return total, b.err
		}
		var err error
		if text, err = j.write(out, b, text[:0]); err != nil {
			return total, err
		}
		for range b.places() {
			<-room
		}
		total.Rows += b.stats.Rows
		total.Matched += b.stats.Matched
		total.Unreadable += b.stats.Unreadable
		total.Bytes, total.Encoding = b.read, b.coded
		total.Best.add(b.stats.Best)
		if bad == nil {
			bad = b.bad
		}
		if j.opt.Progress != nil {
			j.opt.Progress(total)
		}
	}
	if err := ctx.Err(); err != nil {
		return total, err
	}
	if j.opt.Strict && bad != nil {
		bad.Rows = total.Unreadable
		return total, bad
	}
	return total, nil
}

// write renders and writes the rows of a batch, by use of text, which it returns.
func (j *job) write(out io.Writer, b *batch, text []byte) ([]byte, error) {
	for i := range b.rows {
		for _, tail := range b.answers[i].tails {
			text = j.appendRow(text, &b.rows[i], b.first+int64(i), tail)
			if len(text) < outBytes {
				continue
			}
			if _, err := out.Write(text); err != nil {
				return nil, err
			}
			text = text[:0]
		}
	}
	if len(text) == 0 {
		return text, nil
	}
	_, err := out.Write(text)
	return text, err
}

// job is what all batches share.
type job struct {
	match   Matcher
	opt     Options
	table   table
	results []string // headers of the results
	keys    [][]byte // headers of the list as JSON, for [JSONLines]
	seen    *memory
}

func newJob(match Matcher, t table, opt Options) *job {
	return &job{match: match, opt: opt, table: t, results: resultHeaders(t.columns), keys: keysJSON(t.columns), seen: newMemory(opt.CacheSize)}
}

// do matches the rows of a batch and renders its output.
func (j *job) do(ctx context.Context, b *batch) {
	if b.err != nil {
		return
	}
	slots := make([]*slot, len(b.rows))
	j.claim(ctx, b.rows, slots)
	for i := range b.rows {
		number := b.first + int64(i)
		b.stats.Rows++
		a, err := slots[i].wait()
		if err != nil {
			b.err = messages.Errorf("row %d: %w", number, err)
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
		b.stats.Best[a.best]++
		b.answers = append(b.answers, a)
	}
}

// claim finds the slots of rows, and fills those that nobody has asked for.
func (j *job) claim(ctx context.Context, rows []row, slots []*slot) {
	var mine []*slot
	var queries []names.Query
	for i := range rows {
		r := &rows[i]
		if r.err != nil {
			slots[i] = &slot{answer: j.failed(r.err)}
			continue
		}
		q := names.Query{Name: r.cell(j.table.name), Author: r.cell(j.table.author), Family: r.cell(j.table.family), Region: j.opt.Region, Limit: j.asked(), NoFuzzy: j.opt.NoFuzzy}
		s, isNew := j.seen.slot(q.Name + "\x00" + q.Author + "\x00" + q.Family)
		if slots[i] = s; isNew {
			mine, queries = append(mine, s), append(queries, q)
		}
	}
	if len(mine) == 0 {
		return
	}
	answers, err := j.matchInTurn(ctx, queries)
	if err == nil && len(answers) != len(queries) {
		err = fmt.Errorf("%d answers came for %d names", len(answers), len(queries))
	}
	for i, s := range mine {
		if s.err = err; err == nil {
			s.answer = j.rendered(&answers[i])
		}
		s.known.Done()
	}
}

// asked is how many candidates are asked for: all if some will be left out.
func (j *job) asked() int {
	if j.opt.Source != "" || j.opt.Rank != "" || j.opt.MinScore > 0 {
		return names.MaxLimit
	}
	return j.opt.Limit
}

// wanted tells that a candidate is none of those that the options leave out.
func (j *job) wanted(e names.Entry) bool {
	return e.Score >= j.opt.MinScore && (j.opt.Source == "" || strings.EqualFold(e.MatchSource, j.opt.Source)) &&
		(j.opt.Rank == "" || strings.EqualFold(string(e.Rank), j.opt.Rank))
}

// rendered renders the answer to a name.
func (j *job) rendered(from *Answer) *answer {
	if from.Err != nil {
		return j.failed(from.Err)
	}
	resp := from.Response
	results := slices.DeleteFunc(slices.Clone(resp.Results), func(e names.Entry) bool { return !j.wanted(e) })
	results = results[:min(len(results), cmp.Or(j.opt.Limit, names.DefaultLimit))]
	if !j.opt.All && len(results) > 1 {
		results = results[:1]
	}
	a := &answer{matched: len(results) > 0, best: kindOf(results)}
	if len(results) == 0 {
		a.tails = append(a.tails, j.renderTail(&resp, nil, nil))
	}
	for i := range results {
		a.tails = append(a.tails, j.renderTail(&resp, &results[i], nil))
	}
	return a
}

// failed is the answer for a row that cannot be matched.
func (j *job) failed(err error) *answer {
	return &answer{err: err, best: Unreadable, tails: [][]byte{j.renderTail(&names.Response{MatchedVia: vocabulary.ViaNone}, nil, err)}}
}

// errorText says what is wrong with a row.
func (j *job) errorText(err error) string {
	if j.opt.ErrorText == nil {
		return err.Error()
	}
	return j.opt.ErrorText(err)
}
