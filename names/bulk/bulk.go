// Package bulk matches long lists of names. A list is CSV, a workbook or plain lines; the results
// are CSV or JSON lines. The output has every row of the input, in the same order, with its row
// number and all its columns. Equal names are matched once. Memory use does not grow with the
// length of the list.
//
// The package does not match names itself: a [Matcher] does. Package internal/rows reads the lists.
// Start with [Run]. The table in columns.go lists the columns of the results.
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

	"bencao/names"
)

// MaxNames is the maximum number of names in one call of a [Matcher]. A request to a server has the
// same limit.
const MaxNames = 100

// Matcher matches up to [MaxNames] names and returns the answers in the order of the names. Many
// goroutines may call it at the same time. If it returns an error, the run ends.
type Matcher func(context.Context, []names.Query) ([]Answer, error)

// Answer is the answer to one name.
type Answer struct {
	names.Response
	// Err is the reason why the name cannot be matched, or nil. It is written to the row of the
	// name.
	Err error
	// Change is the difference from an earlier version; nil without [Options.Since].
	Change *Change
}

// MatchEach returns a Matcher that calls match for each name; match may be (*names.Index).Match. If
// match returns an [*names.InputError], the error is the answer to this name. Any other error ends
// the run.
func MatchEach(match func(names.Query) (names.Response, error)) Matcher {
	return func(_ context.Context, queries []names.Query) ([]Answer, error) {
		all := make([]Answer, len(queries))
		for i, q := range queries {
			resp, err := match(q)
			if wrong := (*names.InputError)(nil); err != nil && !errors.As(err, &wrong) {
				return nil, err
			}
			all[i] = Answer{Response: resp, Err: err}
		}
		return all, nil
	}
}

// Run matches the names in a list and writes the results to out. It returns when it has written
// everything, at the first error, or when ctx ends. It removes its temporary files.
func Run(ctx context.Context, match Matcher, in io.Reader, out io.Writer, opt Options) (stats Stats, err error) {
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ask := func(queries []names.Query) ([]Answer, error) { return matchInTurn(ctx, match, queries, opt) }
	src, err := newReader(ctx, in, ask, opt)
	if err != nil {
		return Stats{}, err
	}
	defer func() { err = errors.Join(err, src.close()) }()
	job := newJob(match, src.table, opt)
	job.begun = src.begun()
	if _, err := out.Write(job.header()); err != nil {
		return Stats{}, err
	}

	ctx, cancel := context.WithCancel(ctx)
	work := make(chan *batch, workers)
	queue := make(chan *batch, 4*workers)
	budget := make(chan struct{}, maxPieces)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for b := range work {
				job.answer(ctx, b)
				close(b.done)
			}
		})
	}
	wg.Go(func() {
		defer close(work)
		defer close(queue)
		src.batches(ctx, func(b *batch) bool {
			for range b.pieces() {
				select {
				case budget <- struct{}{}:
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
	stats, err = job.collect(ctx, queue, budget, out)
	cancel()
	wg.Wait()
	return stats, err
}

// matchInTurn calls the matcher while it has a turn.
func matchInTurn(ctx context.Context, match Matcher, queries []names.Query, opt Options) ([]Answer, error) {
	done, err := opt.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	answers, err := match(ctx, queries)
	if err == nil && len(answers) != len(queries) {
		err = fmt.Errorf("%d answers came for %d names", len(answers), len(queries))
	}
	return answers, err
}

// collect writes the batches in order and returns their units to the budget. It holds batches back
// until other readings of their doubtful rows fill a call of the matcher.
func (j *job) collect(ctx context.Context, queue <-chan *batch, budget <-chan struct{}, out io.Writer) (Stats, error) {
	c := &collected{job: j, out: out, total: j.begun, taxa: newTaxa()}
	for b := range queue {
		select {
		case <-b.done:
		case <-ctx.Done():
			return c.total, ctx.Err()
		}
		for range b.pieces() {
			<-budget
		}
		if b.err != nil {
			return c.total, cmp.Or(c.flush(ctx), b.err)
		}
		if c.readings+b.readings > MaxNames || c.pieces+b.pieces() > maxPieces {
			if err := c.flush(ctx); err != nil {
				return c.total, err
			}
		}
		c.held, c.readings, c.pieces = append(c.held, b), c.readings+b.readings, c.pieces+b.pieces()
		if c.readings == 0 {
			if err := c.flush(ctx); err != nil {
				return c.total, err
			}
		}
	}
	return c.total, cmp.Or(c.flush(ctx), ctx.Err())
}

// collected has the batches that are held back.
type collected struct {
	*job
	out      io.Writer
	total    Stats
	taxa     taxa
	text     []byte
	held     []*batch
	readings int // other readings of their doubtful rows
	pieces   int // units of their memory
}

// flush matches the other readings of the batches that are held back, and writes the batches.
func (c *collected) flush(ctx context.Context) error {
	if c.readings > 0 {
		if err := c.lookUpOthers(ctx, c.held); err != nil {
			return err
		}
	}
	for _, b := range c.held {
		b.count(&c.total)
		var err error
		if c.text, err = c.write(c.out, b, c.text[:0]); err != nil {
			return err
		}
		for _, a := range b.answers {
			if !a.counted {
				a.counted = true
				c.taxa.add(a)
			}
		}
		c.taxa.count(&c.total)
		c.total.Bytes, c.total.Encoding = b.read, b.encoding
		if c.opt.Progress != nil {
			c.opt.Progress(c.total)
		}
	}
	clear(c.held)
	c.held, c.readings, c.pieces = c.held[:0], 0, 0
	return nil
}

// write renders the rows of a batch and writes them. text is a buffer, which write returns for the
// next call.
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
	_, err := out.Write(text)
	return text, err
}

// job holds the values that all batches of a run share.
type job struct {
	match   Matcher
	opt     Options
	table   *table
	begun   Stats
	results []string // headers of the columns of the results
	columns []column
	words   map[string]string // code of a remark → its words, translated
	keys    [][]byte          // headers of the list as JSON, for [JSONLines]
	cache   *cache
}

func newJob(match Matcher, t *table, opt Options) *job {
	columns := columnSet(opt.Columns)
	if opt.Distribution {
		columns = append(slices.Clip(columns), rangeColumns...)
	}
	if opt.Explain {
		columns = append(slices.Clip(columns), stepsColumn)
	}
	if opt.Since != nil {
		columns = append(slices.Clip(columns), sinceColumns...)
	}
	input := t.columns
	if opt.Given {
		input = nil
	}
	return &job{match: match, opt: opt, table: t, results: resultHeaders(input, columns), columns: columns, words: wordsOf(opt.Word), keys: keysJSON(input), cache: newCache(opt.CacheSize)}
}

// answer matches the rows of a batch and renders their results.
func (j *job) answer(ctx context.Context, b *batch) {
	if b.err != nil {
		return
	}
	var at int
	if b.answers, at, b.err = j.lookUp(ctx, b.rows); b.err != nil {
		b.err = fmt.Errorf("row %d: %w", b.first+int64(at), b.err)
		return
	}
	for i, a := range b.answers {
		for q := b.rows[i].query.other; q != nil && a.mayBeElse(); q = q.other {
			b.readings++
		}
	}
}

// mayBeElse reports whether another reading of the row may have a better answer.
func (a *answer) mayBeElse() bool { return a.doubtful && a.err == nil }

// count counts the rows of a batch.
func (b *batch) count(s *Stats) {
	for i, a := range b.answers {
		q := &b.rows[i].query
		count(&s.RowAbove, q.above)
		count(&s.NoFamily, q.noFamily)
		count(&s.Epithets, q.epithet)
		s.Rows++
		count(&s.Unreadable, a.best == Unreadable)
		count(&s.Empty, a.best == Empty)
		count(&s.Undecoded, b.rows[i].lost != nil)
		count(&s.Matched, a.matched)
		s.Best[a.best]++
		s.addChange(a.change)
		count(&s.Ambiguous, a.ambiguous)
		count(&s.Unplaced, a.unplaced)
		count(&s.Disagree, a.disagree)
	}
}

// lookUp returns the answers for rows. It matches the names whose answers are not in the cache. With an
// error, it returns the index of the row.
func (j *job) lookUp(ctx context.Context, rows []row) (answers []*answer, at int, err error) {
	slots := make([]*slot, len(rows))
	mine := make([]*slot, 0, len(rows))
	queries := make([]names.Query, 0, len(rows))
	above := make([]bool, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		if r.err != nil {
			slots[i] = &slot{answer: j.failed(r.err)}
			continue
		}
		q := names.Query{Name: r.query.name, Author: r.query.author, Family: r.query.family, Kingdom: r.query.kingdom, ChineseName: r.query.chinese,
			Region: j.opt.Region, Limit: j.candidateLimit(), NoFuzzy: j.opt.NoFuzzy, Distribution: j.opt.Distribution, Explain: j.opt.Explain || j.opt.Since != nil}
		key := q.Name + "\x00" + q.Author + "\x00" + q.Family + "\x00" + q.Kingdom + "\x00" + q.ChineseName
		if r.query.above {
			key += "\x00above"
		}
		s, isNew := j.cache.slot(key)
		if slots[i] = s; isNew {
			mine, queries, above = append(mine, s), append(queries, q), append(above, r.query.above)
		}
	}
	if len(mine) > 0 {
		j.fill(ctx, mine, queries, above)
	}
	answers = make([]*answer, len(rows))
	for i, s := range slots {
		if answers[i], err = s.wait(); err != nil {
			return nil, i, err
		}
	}
	return answers, 0, nil
}

// fill matches queries and fills their slots.
func (j *job) fill(ctx context.Context, slots []*slot, queries []names.Query, above []bool) {
	answers, err := matchInTurn(ctx, j.match, queries, j.opt)
	if err == nil && j.opt.Since != nil {
		err = j.changes(ctx, queries, answers)
	}
	for i, s := range slots {
		if s.err = err; err == nil {
			if s.answer = j.render(&answers[i], above[i]); strings.TrimSpace(queries[i].Name) == "" {
				s.answer.best = Empty
			}
		}
		s.ready.Done()
	}
}

// lookUpOthers matches the other readings of the doubtful rows of batches, and takes that answer which
// has the best score; of equal ones, one in the family of the query.
func (j *job) lookUpOthers(ctx context.Context, batches []*batch) error {
	type place struct {
		*batch
		row int
	}
	var all []row
	var places []place
	for _, b := range batches {
		for i, a := range b.answers {
			for q := b.rows[i].query.other; q != nil && a.mayBeElse(); q = q.other {
				all, places = append(all, row{query: *q}), append(places, place{b, i})
			}
		}
	}
	for part := range slices.Chunk(all, MaxNames) {
		found, at, err := j.lookUp(ctx, part)
		if err != nil {
			return fmt.Errorf("row %d: %w", places[at].first+int64(places[at].row), err)
		}
		for k, a := range found {
			b, i := places[k].batch, places[k].row
			if was := b.answers[i]; was.mayBeElse() && (a.score > was.score || a.score == was.score && was.otherFamily && !a.otherFamily) {
				b.answers[i], b.rows[i].query = a, part[k].query
			}
		}
		places = places[len(part):]
	}
	return nil
}

// count adds 1 to n if the second argument is true.
func count(n *int64, is bool) {
	if is {
		*n++
	}
}

// candidateLimit returns the number of candidates to request for a name. If options exclude some
// candidates from the answer, it is the maximum.
func (j *job) candidateLimit() int {
	if j.opt.Source != "" || j.opt.Rank != "" || j.opt.MinScore > 0 {
		return names.MaxLimit
	}
	return j.opt.Limit
}

// wanted reports whether a candidate passes the options Source, Rank and MinScore.
func (j *job) wanted(e names.Entry) bool {
	return e.Score >= j.opt.MinScore && (j.opt.Source == "" || strings.EqualFold(e.MatchSource, j.opt.Source)) &&
		(j.opt.Rank == "" || strings.EqualFold(string(e.Rank), j.opt.Rank))
}

// render renders the answer to a name. above is true if the name was completed from a row above.
func (j *job) render(from *Answer, above bool) *answer {
	if from.Err != nil {
		return j.failed(from.Err)
	}
	resp := from.Response
	results := resp.Results
	if j.opt.Source != "" || j.opt.Rank != "" || j.opt.MinScore > 0 {
		results = slices.DeleteFunc(slices.Clone(results), func(e names.Entry) bool { return !j.wanted(e) })
	}
	results = results[:min(len(results), cmp.Or(j.opt.Limit, names.DefaultLimit))]
	candidates := len(results)
	if !j.opt.All && len(results) > 1 {
		results = results[:1]
	}
	for i := range results {
		if e := &results[i]; above {
			e.Flags = append(slices.Clone(e.Flags), names.RowAbove.Words()...)
		}
	}
	a := &answer{matched: len(results) > 0, best: kindOf(results), change: from.Change}
	a.note(results)
	if len(results) == 0 {
		a.tails = append(a.tails, j.renderTail(&matched{response: &resp, change: from.Change}))
	}
	for i := range results {
		a.tails = append(a.tails, j.renderTail(&matched{response: &resp, entry: &results[i], candidates: candidates, change: from.Change}))
	}
	return a
}

// failed returns the answer for a row that cannot be matched.
func (j *job) failed(err error) *answer {
	m := matched{response: &names.Response{MatchedVia: names.ViaNone}, problem: j.errorText(err)}
	return &answer{err: err, best: Unreadable, tails: [][]byte{j.renderTail(&m)}}
}

// errorText returns the message for an error in a row.
func (j *job) errorText(err error) string {
	if j.opt.ErrorText == nil {
		return err.Error()
	}
	return j.opt.ErrorText(err)
}
