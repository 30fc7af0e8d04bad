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
			all[i] = Answer{resp, err}
		}
		return all, nil
	}
}

// Format is the format of the results.
type Format int

// The formats of results.
const (
	CSV Format = iota
	JSONLines
)

// Options are the options of [Run]. With the zero value, Run finds the column of names by its
// header and writes the best candidate for each name as CSV.
type Options struct {
	// Column is the header of the column of names. If it is empty, Run looks for a usual header,
	// such as name or scientificName. Without such a header, Run reads a list of one column as one
	// name in each line and refuses a list of several columns.
	Column string
	// AuthorColumn, FamilyColumn and ChineseColumn are the headers of the columns of authors,
	// families and Chinese names. Their cells are hints. If an option is empty, Run looks for a
	// usual header, such as scientificNameAuthorship, family or 中文名.
	AuthorColumn, FamilyColumn, ChineseColumn string
	// Sheet is the name of the sheet to read, if the list is a workbook. If it is empty, Run reads all
	// sheets that have the header of the first sheet with names. If these are several, a column of the
	// results has the name of the sheet.
	Sheet string
	// Plain means that every line is a name, including the first.
	Plain bool

	Format Format
	// Columns is the set of columns of the results: [ColumnsFull], [ColumnsPaper] or [ColumnsIDs].
	// Empty means [ColumnsFull].
	Columns string
	// Given, for [JSONLines], replaces the columns of the list by one field, "given". The field has
	// the non-empty cells of the row, separated by " · ". For a row with more than [MaxGiven]
	// bytes, the field has only the name, the author and the family.
	Given bool
	// Excel writes CSV for Excel, with a byte-order mark and CRLF. If a cell starts with = + - or
	// @, a quote is written before it, so that Excel does not run the cell as a formula.
	Excel bool

	// All writes a row for every candidate of a name instead of only for the best candidate.
	All bool
	// Limit is the maximum number of candidates for a name; 0 means names.DefaultLimit.
	Limit int
	// Region is a hint for all names, see [names.Query].
	Region string
	// NoFuzzy excludes candidates whose spelling differs from the name in more than orthography.
	NoFuzzy bool
	// Source and Rank, if not empty, exclude candidates of other checklists and of other ranks.
	// MinScore excludes candidates with a lower score.
	Source, Rank string
	MinScore     float64

	// Explain adds a column with the steps of matching, which is empty for exact names.
	Explain bool

	// MaxColumns is the maximum number of columns of the list; 0 means [MaxColumns].
	MaxColumns int
	// MaxRows is the maximum number of rows that are matched; 0 means any number. If the list has more,
	// the next row gets an error, which says so, and Run reads no further.
	MaxRows int64
	// MaxUnpacked is the maximum size of an unpacked workbook in bytes; 0 means 64 MiB. Parts of
	// the workbook without cells do not count.
	MaxUnpacked int64
	// TempDir is the folder for the temporary files of large workbooks; empty means the system's
	// temporary folder. Run creates a folder in TempDir and removes it at the end.
	TempDir string

	// Turn, if not nil, waits for a turn to use a processor. A run holds a turn while it reads or
	// matches a batch. It calls done to give the turn back.
	Turn func(context.Context) (done func(), err error)

	// ErrorText returns the message for an error in a row. If ErrorText is nil, messages are in
	// English.
	ErrorText func(error) string
	// Word translates a word of a remark. code identifies the word, such as flag.ambiguous, and
	// english is its English text. If Word is nil, remarks are in English.
	Word func(code, english string) string
	// Workers is the number of batches that are matched at the same time; 0 means one for each
	// processor.
	Workers int
	// CacheSize is the maximum number of names whose answers are cached; 0 means 40,000.
	CacheSize int
	// Progress, if not nil, is called during the run with the counts so far. Calls do not overlap.
	Progress func(Stats)
}

// Stats counts the rows of a run. As JSON it is the summary of the run.
type Stats struct {
	Rows       int64 `json:"rows"`       // rows of the input, without the header
	Matched    int64 `json:"matched"`    // rows with at least one result
	Unreadable int64 `json:"unreadable"` // rows that could not be read, or in which the name is not valid text
	Bytes      int64 `json:"-"`          // bytes of the input read so far, in UTF-8
	// Encoding is the encoding of the input, such as GB18030.
	Encoding string `json:"encoding"`
	// Best counts rows by the kind of their best result.
	Best Tally `json:"best"`

	// Species, Genera and Families count the different taxa among the best results with a score of
	// 0.7 or more. A subspecies counts as its species.
	Species  int64 `json:"species"`
	Genera   int64 `json:"genera"`
	Families int64 `json:"families"`
	// Ambiguous counts the rows whose best result may mean several taxa. Unplaced counts the rows
	// whose best result has no accepted name. Disagree counts the rows for which checklists place
	// the name of the best result in different taxa.
	Ambiguous int64 `json:"ambiguous"`
	Unplaced  int64 `json:"unplaced"`
	Disagree  int64 `json:"checklistsDisagree"`
	// RowAbove counts the rows that were completed from a row above. NoFamily counts the rows whose
	// family cell does not contain a family. Epithets counts the rows whose name is one word in
	// lower case, without a genus.
	RowAbove int64 `json:"rowAbove"`
	NoFamily int64 `json:"noFamily"`
	Epithets int64 `json:"epithets"`
	// Sheets names the sheets that were read, if the list is a workbook, and LeftOut the sheets with
	// rows that were not read. Header is the line number of the first header, from 1, or 0 if there is
	// none.
	Sheets  []string `json:"sheets,omitempty"`
	LeftOut []string `json:"sheetsLeftOut,omitempty"`
	Header  int      `json:"header,omitempty"`
	Taken   Taken    `json:"columns"`
}

// Taken has the headers of the columns that Run used as name, author and so on. "" means that no
// column was used.
type Taken struct {
	Name          string `json:"name,omitempty"`
	Genus         string `json:"genus,omitempty"`
	Epithet       string `json:"epithet,omitempty"`
	Infraspecific string `json:"infraspecific,omitempty"` // one or several headers
	Rank          string `json:"rank,omitempty"`
	Author        string `json:"author,omitempty"`
	Family        string `json:"family,omitempty"`
	ChineseName   string `json:"chineseName,omitempty"`
	// ByCells lists those of these headers that were chosen by what is in their cells, Others the
	// headers of other columns that hold names.
	ByCells []string `json:"byCells,omitempty"`
	Others  []string `json:"otherNames,omitempty"`
}

// MaxColumns is the default of [Options.MaxColumns].
const MaxColumns = 2000

// Limits of the memory that rows use between the reader and the writer.
const (
	// batchRows and batchBytes are the maximum number of rows and of bytes in a batch. With its
	// last row, a batch may exceed batchBytes.
	batchRows  = MaxNames
	batchBytes = 256 << 10
	// maxPieces limits the memory of all batches together, in units of pieceBytes. The largest row,
	// which has 1 MiB of text and the overhead of its cells, fits.
	maxPieces  = 256
	pieceBytes = 32 << 10
	// outBytes is the number of bytes after which the buffered output is written. With its last
	// row, the buffer may exceed it.
	outBytes = 64 << 10
)

// batch is a sequence of rows that is passed from the reader to the writer.
type batch struct {
	rows     []row
	size     int   // bytes of memory that the rows use
	first    int64 // number of the batch's first row
	read     int64 // bytes of the input that were read up to the end of the batch
	encoding string
	answers  []*answer
	stats    Stats
	err      error
	done     chan struct{}
}

// pieces returns the number of units of pieceBytes that a batch uses.
func (b *batch) pieces() int { return min(maxPieces, 1+b.size/pieceBytes) }

// Run matches the names in a list and writes the results to out. It returns when it has written
// everything, at the first error, or when ctx ends. It removes its temporary files.
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

// turn waits for a turn to use a processor. The caller must call done to give the turn back.
func (o *Options) turn(ctx context.Context) (done func(), err error) {
	if o.Turn == nil {
		return func() {}, nil
	}
	return o.Turn(ctx)
}

// matchQueries calls the matcher while it has a turn.
func (j *job) matchQueries(ctx context.Context, queries []names.Query) ([]Answer, error) {
	done, err := j.opt.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return j.match(ctx, queries)
}

// collect writes the batches in order and returns their units to the budget.
func (j *job) collect(ctx context.Context, queue <-chan *batch, budget <-chan struct{}, out io.Writer) (Stats, error) {
	total := j.begun
	var text []byte
	taxa := newTaxa()
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
		for range b.pieces() {
			<-budget
		}
		for _, a := range b.answers {
			if !a.counted {
				a.counted = true
				taxa.add(a)
			}
		}
		taxa.count(&total)
		total.Ambiguous += b.stats.Ambiguous
		total.Unplaced += b.stats.Unplaced
		total.Disagree += b.stats.Disagree
		total.RowAbove += b.stats.RowAbove
		total.NoFamily += b.stats.NoFamily
		total.Epithets += b.stats.Epithets
		total.Rows += b.stats.Rows
		total.Matched += b.stats.Matched
		total.Unreadable += b.stats.Unreadable
		total.Bytes, total.Encoding = b.read, b.encoding
		total.Best.add(b.stats.Best)
		if j.opt.Progress != nil {
			j.opt.Progress(total)
		}
	}
	return total, ctx.Err()
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
	if len(text) == 0 {
		return text, nil
	}
	_, err := out.Write(text)
	return text, err
}

// job holds the values that all batches of a run share.
type job struct {
	match   Matcher
	opt     Options
	table   table
	begun   Stats
	results []string // headers of the columns of the results
	columns []column
	words   map[string]string // code of a remark → its words, translated
	keys    [][]byte          // headers of the list as JSON, for [JSONLines]
	cache   *cache
}

func newJob(match Matcher, t table, opt Options) *job {
	columns := columnSet(opt.Columns)
	if opt.Explain {
		columns = append(slices.Clip(columns), stepsColumn)
	}
	input := t.columns
	if opt.Given {
		input = nil
	}
	return &job{match: match, opt: opt, table: t, results: resultHeaders(input, columns), columns: columns, words: wordsOf(columns, opt.Word), keys: keysJSON(input), cache: newCache(opt.CacheSize)}
}

// answer matches the rows of a batch and renders their results.
func (j *job) answer(ctx context.Context, b *batch) {
	if b.err != nil {
		return
	}
	slots := make([]*slot, len(b.rows))
	j.lookUp(ctx, b.rows, slots)
	j.lookUpAsWritten(ctx, b.rows, slots)
	for i := range b.rows {
		q := &b.rows[i].query
		count(&b.stats.RowAbove, q.above)
		count(&b.stats.NoFamily, q.noFamily)
		count(&b.stats.Epithets, q.epithet)
		b.stats.Rows++
		a, err := slots[i].wait()
		if err != nil {
			b.err = fmt.Errorf("row %d: %w", b.first+int64(i), err)
			return
		}
		if a.err != nil {
			b.stats.Unreadable++
		}
		if a.matched {
			b.stats.Matched++
		}
		b.stats.Best[a.best]++
		count(&b.stats.Ambiguous, a.ambiguous)
		count(&b.stats.Unplaced, a.unplaced)
		count(&b.stats.Disagree, a.disagree)
		b.answers = append(b.answers, a)
	}
}

// lookUp finds the answers for rows in the cache. It matches the names whose answers are not in the
// cache.
func (j *job) lookUp(ctx context.Context, rows []row, slots []*slot) {
	var mine []*slot
	var queries []names.Query
	var above []bool
	for i := range rows {
		r := &rows[i]
		if r.err != nil {
			slots[i] = &slot{answer: j.failed(r.err)}
			continue
		}
		q := names.Query{Name: r.query.name, Author: r.query.author, Family: r.query.family, ChineseName: r.query.chinese,
			Region: j.opt.Region, Limit: j.candidateLimit(), NoFuzzy: j.opt.NoFuzzy, Explain: j.opt.Explain}
		key := q.Name + "\x00" + q.Author + "\x00" + q.Family + "\x00" + q.ChineseName
		if r.query.above {
			key += "\x00above"
		}
		s, isNew := j.cache.slot(key)
		if slots[i] = s; isNew {
			mine, queries, above = append(mine, s), append(queries, q), append(above, r.query.above)
		}
	}
	if len(mine) == 0 {
		return
	}
	answers, err := j.matchQueries(ctx, queries)
	if err == nil && len(answers) != len(queries) {
		err = fmt.Errorf("%d answers came for %d names", len(answers), len(queries))
	}
	for i, s := range mine {
		if s.err = err; err == nil {
			s.answer = j.render(&answers[i], above[i])
		}
		s.ready.Done()
	}
}

// lookUpAsWritten looks at rows whose abbreviated genus was completed from a row above. If the
// completed name has no sure answer, it matches the name with the abbreviated genus and uses that
// answer if it is sure.
func (j *job) lookUpAsWritten(ctx context.Context, rows []row, slots []*slot) {
	var again []row
	var at []int
	for i := range rows {
		if r := &rows[i]; r.query.asWritten != "" {
			if a, err := slots[i].wait(); err == nil && !a.sure {
				written := *r
				written.query.name, written.query.above = r.query.asWritten, false
				again, at = append(again, written), append(at, i)
			}
		}
	}
	if len(again) == 0 {
		return
	}
	found := make([]*slot, len(again))
	j.lookUp(ctx, again, found)
	for k, i := range at {
		if a, err := found[k].wait(); err == nil && a.sure {
			slots[i] = found[k]
			rows[i].query.above = false
		}
	}
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
	a := &answer{matched: len(results) > 0, best: kindOf(results)}
	a.note(results)
	if len(results) == 0 {
		a.tails = append(a.tails, j.renderTail(&matched{response: &resp}))
	}
	for i := range results {
		a.tails = append(a.tails, j.renderTail(&matched{response: &resp, entry: &results[i], candidates: candidates}))
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
