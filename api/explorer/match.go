package explorer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bencao/api/access"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/internal/messages"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/names/han"
	"bencao/store"
)

// Bounds of a list.
const (
	mostNames = 10_000
	mostBytes = 5 << 20
	// mostTableColumns is how many columns a table may have.
	mostTableColumns = 200
	// mostChoices is how many bytes the choices may have that go back with the form.
	mostChoices = 10 << 20
	// mostForm is how many bytes are read of a form before it is refused as too
	// large: a reader whose form is refused unread sees no page.
	mostForm = 16 << 20
	// mostParts is how many parts of a form are looked at.
	mostParts = 32
	// patience is how long a list may take.
	patience = 2 * time.Minute
	// candidates is how many are shown of a name.
	candidates = 4
)

func matchPage(v *visit) (*page, error) {
	return formPage(v, ""), nil
}

// formPage is the page with the form, and what is wrong with the list that was
// sent, if something is.
func formPage(v *visit, wrong string) *page {
	return &page{template: "match", Title: v.say("match.title"), Lead: v.say("match.lead", typeset.Thousands(mostNames)), Data: wrong}
}

// matchList matches a list that is pasted or uploaded. Rows go out as they are
// matched; nothing of the list is kept.
func (e *renderer) matchList(w http.ResponseWriter, v *visit) error {
	return e.form(w, v, mostBytes, func(ctx context.Context, w http.ResponseWriter, body io.Reader) error {
		in, opt, err := uploaded(v, body)
		if err != nil {
			return err
		}
		opt.ErrorText, opt.MaxColumns, opt.CacheSize = v.lang.Tell, mostTableColumns, 2000
		opt.Workers, opt.Semaphore = cap(e.working), e.working
		match := bulk.MatchEach(func(q names.Query) (names.Response, error) { return v.Match(ctx, q) })
		if opt.Excel {
			return saveList(ctx, w, match, in, opt)
		}
		out := &matchWriter{e: e, v: v, w: w, ctx: ctx}
		opt.Format, opt.Given, opt.All, opt.Limit = bulk.JSONLines, true, true, candidates
		_, err = bulk.Run(ctx, match, in, out, opt)
		if err == nil || errors.Is(err, errEnough) {
			err = out.flushRow()
		}
		return out.end(err)
	})
}

// megabytes writes a number of bytes, of 1,048,576 for each.
func megabytes(bytes int64) string {
	return strconv.FormatFloat(math.Ceil(float64(bytes)/(1<<20)*10)/10, 'f', -1, 64) + "\u00a0MB"
}

// uploaded finds the list in a form: the file if there is one, or else the text.
func uploaded(v *visit, body io.Reader) (io.Reader, bulk.Options, error) {
	kind, params, err := mime.ParseMediaType(v.r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, bulk.Options{}, problem.New(problem.BadParameter, listNoForm.With())
	}
	form := multipart.NewReader(body, params["boundary"])
	opt := bulk.Options{Excel: v.query.Get("as") == "csv"}
	for range mostParts {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, opt, problem.New(problem.BadParameter, listEmpty.With())
		}
		if err != nil {
			return nil, opt, problem.New(problem.BadParameter, formUnread.With(err))
		}
		switch part.FormName() {
		case "file", "names":
			text := bufio.NewReader(part)
			begin, err := text.Peek(1024)
			if len(bytes.TrimSpace(begin)) == 0 && err != nil {
				continue
			}
			// Pasted text is a name a line, or cells of a spreadsheet.
			opt.Plain = part.FormName() == "names" && !bytes.Contains(begin, []byte("\t"))
			return text, opt, nil
		}
	}
	return nil, opt, problem.New(problem.BadParameter, formParts.With(mostParts))
}

// errEnough ends a list that is too long.
var errEnough = errors.New("the list is too long")

// listError says to the reader what is wrong with a list.
func listError(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, errEnough):
		return problem.New(problem.BadParameter, listNames.With(mostNames))
	}
	if f := (*problem.Fault)(nil); errors.As(err, &f) {
		return f
	}
	if wrong := (*messages.Message)(nil); errors.As(err, &wrong) {
		return problem.New(problem.BadParameter, wrong)
	}
	return err
}

// resultColumns are the fields of a row that follow those of the list.
var resultColumns = bulk.ResultColumns()

// matchRow is a name with its candidates.
type matchRow struct {
	Number     int
	Given      string
	Band       string // take, look, leave or none
	Best       *candidate
	Candidates []candidate
	// Said is why the row is as it is, in words.
	Said []string
	// Drug is the drug of this name, if it is that of no plant.
	Drug *navLink
}

// candidate is what a name may mean.
type candidate struct {
	CanonicalName, MatchedVia, GUID, ChineseName, MatchedName, MatchedAuthor string
	AcceptedName, AcceptedAuthor, AcceptedFamily, WCVPID, IPNIID, WFOID      string
	Rank, AcceptedRank                                                       string
	MatchType, MatchSource, AuthorMatch, URL, Error, Unread                  string
	Score                                                                    float64
	EditDistance                                                             int
	Flags                                                                    []string
	// Value is the candidate as a row of the table that the reader saves.
	Value string
	// Name is the accepted name, or the one that was found if none is accepted;
	// Found is the one that was found, if it is another.
	Name, Found template.HTML
}

// judge says what is to be made of a row.
func (r *matchRow) judge(v *visit) {
	first := r.Candidates[0]
	if first.MatchType == "" {
		r.Band, r.Candidates = "none", nil
		r.Said = first.wrong(v)
		switch {
		case first.Error != "":
		case familyName.MatchString(r.Given):
			r.Said = append(r.Said, v.say("match.family"))
		default:
			r.Said = append(r.Said, v.say("match.nothing"))
		}
		return
	}
	r.Best = &r.Candidates[0]
	if strings.Contains(r.Given, first.MatchedName) {
		r.Best.Found = ""
	}
	r.Said = append(first.how(v), first.wrong(v)...)
	switch {
	case first.Score >= names.ScoreTake && !first.doubtful():
		r.Band = "take"
	case first.Score >= names.ScoreLook:
		r.Band = "look"
	default:
		r.Band = "leave"
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.URL, c.MatchSource = v.ours(c.URL), v.lang.Known("matchSource."+c.MatchSource, c.MatchSource)
		c.Value = csvLine(strconv.Itoa(r.Number), r.Given, r.Band, strconv.FormatFloat(c.Score, 'f', 2, 64), c.MatchType, c.MatchedName, c.MatchedAuthor, c.AcceptedName, c.AcceptedAuthor, c.AcceptedFamily, c.ChineseName, c.WCVPID, c.IPNIID, c.WFOID, c.GUID)
	}
}

// doubtful tells whether a person should look at a candidate before it is taken:
// it is no species, nothing says which of several it is, or it is spelt otherwise
// by more than a letter.
func (c *candidate) doubtful() bool {
	return c.MatchType == "higherRank" || c.MatchedVia == "hybridFormula" || c.AcceptedName == "" || c.wide() ||
		c.MatchType == "fuzzy" && c.EditDistance > 1 || slices.ContainsFunc(c.Flags, func(f string) bool { return slices.Contains(doubts, f) })
}

// wide tells whether the answer is a taxon above species.
func (c *candidate) wide() bool { return c.AcceptedRank == "genus" || c.Rank == "genus" }

// how says by what kind of name a candidate was found, and how it differs.
func (c *candidate) how(v *visit) []string {
	var said []string
	if c.MatchType == "exact" || c.MatchedVia != "acceptedName" {
		if text := v.lang.Known("via."+c.MatchedVia, ""); text != "" {
			said = append(said, text)
		}
	}
	spelt := slices.ContainsFunc(c.Flags, func(f string) bool { return slices.Contains(spellings, f) })
	if text := v.lang.Known("type."+c.MatchType, ""); text != "" && !spelt {
		said = append(said, text)
	}
	if c.wide() && c.MatchType != "higherRank" {
		said = append(said, v.say("match.genus"))
	}
	for _, flag := range c.Flags {
		said = append(said, v.lang.Known("flag."+flag, flag))
	}
	if text := v.lang.Known("author."+c.AuthorMatch, ""); text != "" {
		said = append(said, text)
	}
	return said
}

// wrong says what is wrong with a name, and what of it was not read.
func (c *candidate) wrong(v *visit) []string {
	var said []string
	if c.Error != "" {
		said = append(said, c.Error)
	}
	if c.Unread != "" {
		said = append(said, v.say("match.unread", c.Unread))
	}
	return said
}

// familyName is the name of a family, which matching does not answer.
var familyName = regexp.MustCompile(`^(?i)[a-z]+aceae$`)

// mostDrugs is how many names of a list that nothing fits are looked up among the
// drugs.
const mostDrugs = 200

// addDrug says of a Chinese name that no plant has which drug it is here: a
// mineral, an animal or a fungus, which checklists of plants do not have.
func (r *matchRow) addDrug(v *visit) error {
	l, err := ask[list[store.HerbSummary]](v, "herbs.search", "", "q", r.Given, "pageSize", "1")
	if err != nil || len(l.Items) == 0 || l.Items[0].Name != r.Given {
		return err
	}
	h := l.Items[0]
	r.Drug = &navLink{Text: v.say("match.drug", v.lang.Known("herb."+string(h.Kind), string(h.Kind))), Address: v.ours(h.URL)}
	return nil
}

// Decided is the row as it is saved when there is nothing to choose: its band
// says to take the only candidate.
func (r *matchRow) Decided() string {
	if r.Band == "take" {
		return r.Best.Value
	}
	return r.Undecided()
}

// Open tells whether there is something to choose.
func (r *matchRow) Open() bool {
	return len(r.Candidates) > 1 || len(r.Candidates) == 1 && r.Band != "take"
}

// csvLine writes cells as a line.
func csvLine(cells ...string) string {
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(cells) // a builder takes everything
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// Undecided is the row as it is saved when no candidate is chosen.
func (r *matchRow) Undecided() string {
	return csvLine(strconv.Itoa(r.Number), r.Given, r.Band)
}

// matchWriter shows rows while they are matched. It is the output of [bulk.Run]:
// lines of JSON, one for each candidate.
type matchWriter struct {
	e      *renderer
	v      *visit
	w      http.ResponseWriter
	ctx    context.Context
	begun  bool
	html   bytes.Buffer // made and not yet sent
	rest   []byte
	row    *matchRow
	counts map[string]int
	rows   int
	drugs  int // looked up
	cut    bool
}

func (m *matchWriter) Write(b []byte) (int, error) {
	select {
	case m.e.working <- struct{}{}:
	case <-m.ctx.Done():
		return 0, m.ctx.Err()
	}
	if err := m.lines(b); err != nil {
		return 0, err
	}
	return len(b), m.send()
}

// lines makes rows of what is written, and gives the turn back before they are sent to
// a reader who may be slow.
func (m *matchWriter) lines(b []byte) error {
	defer func() { <-m.e.working }()
	m.rest = append(m.rest, b...)
	for {
		line, rest, ok := bytes.Cut(m.rest, []byte("\n"))
		if !ok {
			return nil
		}
		if err := m.line(line); err != nil {
			return err
		}
		m.rest = rest
	}
}

// send sends the rows that are made.
func (m *matchWriter) send() error {
	if !m.begun {
		return nil
	}
	if _, err := m.html.WriteTo(m.w); err != nil {
		return err
	}
	return http.NewResponseController(m.w).Flush()
}

// line takes a candidate.
func (m *matchWriter) line(line []byte) error {
	given, number, c, err := readCandidate(line)
	if err != nil {
		return err
	}
	if m.row != nil && m.row.Number != number {
		if err := m.flushRow(); err != nil {
			return err
		}
	}
	if number > mostNames {
		m.cut = true
		return errEnough
	}
	if m.row == nil {
		m.row = &matchRow{Number: number, Given: given}
	}
	if c.Name = typeset.Latin(c.AcceptedName, c.AcceptedAuthor); c.AcceptedName == "" {
		c.Name = typeset.Latin(c.MatchedName, c.MatchedAuthor)
	} else if c.MatchedName != c.AcceptedName {
		c.Found = typeset.Latin(c.MatchedName, "")
	}
	m.row.Candidates = append(m.row.Candidates, c)
	return nil
}

// readCandidate reads a line: the list's own fields, then ours.
func readCandidate(line []byte) (given string, number int, c candidate, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if _, err := dec.Token(); err != nil {
		return "", 0, c, err
	}
	var values []json.RawMessage
	for dec.More() {
		if _, err := dec.Token(); err != nil {
			return "", 0, c, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return "", 0, c, err
		}
		values = append(values, value)
	}
	own := len(values) - len(resultColumns)
	if own < 0 {
		return "", 0, c, fmt.Errorf("a row of %d fields", len(values))
	}
	var cells []string
	for _, value := range values[:own] {
		var cell string
		if json.Unmarshal(value, &cell) == nil && cell != "" {
			cells = append(cells, cell)
		}
	}
	fields := map[string]any{
		"row": &number, "canonicalName": &c.CanonicalName, "matchedVia": &c.MatchedVia, "guid": &c.GUID, "chineseName": &c.ChineseName,
		"matchedName": &c.MatchedName, "matchedAuthor": &c.MatchedAuthor, "acceptedName": &c.AcceptedName, "acceptedAuthor": &c.AcceptedAuthor,
		"acceptedFamily": &c.AcceptedFamily, "wcvpId": &c.WCVPID, "ipniId": &c.IPNIID, "wfoId": &c.WFOID, "matchType": &c.MatchType,
		"rank": &c.Rank, "acceptedRank": &c.AcceptedRank, "editDistance": &c.EditDistance,
		"matchSource": &c.MatchSource, "score": &c.Score, "authorMatch": &c.AuthorMatch, "flags": &c.Flags, "url": &c.URL,
		"error": &c.Error, "unread": &c.Unread,
	}
	for i, column := range resultColumns {
		to, value := fields[column], values[own+i]
		if to == nil {
			continue
		}
		if err := json.Unmarshal(value, to); err != nil && string(value) != `""` {
			return "", 0, c, fmt.Errorf("%s: %w", column, err)
		}
	}
	return strings.Join(cells, " · "), number, c, nil
}

// write adds a part to the page.
func (m *matchWriter) write(template string, data any) error {
	html, err := m.e.fill(m.v, template, data)
	if err != nil {
		return err
	}
	_, err = m.html.Write(html)
	return err
}

// begin writes what stands above the rows.
func (m *matchWriter) begin() error {
	m.begun, m.counts = true, map[string]int{}
	m.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	m.w.WriteHeader(http.StatusOK)
	p := &page{template: "match-begin", Title: m.v.say("match.results")}
	return m.write(p.template, m.e.frame(m.v, p))
}

// flushRow writes a row whose candidates are all there.
func (m *matchWriter) flushRow() error {
	if m.row == nil {
		return nil
	}
	if !m.begun {
		if err := m.begin(); err != nil {
			return err
		}
	}
	r := m.row
	m.row = nil
	r.judge(m.v)
	if r.Band == "none" && m.drugs < mostDrugs && len([]rune(r.Given)) < 20 && han.Has(r.Given) && m.v.may(access.Prescriptions) {
		m.drugs++
		if err := r.addDrug(m.v); err != nil {
			return err
		}
	}
	m.counts[r.Band]++
	m.rows++
	return m.write("match-row", r)
}

// matchEnd is what stands below the rows.
type matchEnd struct {
	Rows    int
	Bands   []bandCount
	Split   template.HTML
	Stopped string
}

// bandCount is how many rows are of a band.
type bandCount struct {
	Name, Note string
	Count      int
}

// end writes what stands below the rows, or says why there are none.
func (m *matchWriter) end(err error) error {
	if !m.begun {
		if err == nil {
			return problem.New(problem.BadParameter, listNoNames.With())
		}
		return listError(err)
	}
	if m.v.ctx.Err() != nil { // the reader has left
		return m.v.ctx.Err()
	}
	end := matchEnd{Rows: m.rows}
	var parts []draw.Part
	var counts []any
	for _, band := range []struct{ name, class string }{{"take", "f1"}, {"look", "fl"}, {"leave", "fn"}, {"none", "f0"}} {
		n := m.counts[band.name]
		end.Bands = append(end.Bands, bandCount{band.name, m.v.lang.Known("band."+band.name+"Note", ""), n})
		parts, counts = append(parts, draw.Part{Class: band.class, Count: n}), append(counts, n)
	}
	end.Split = draw.Split(parts, m.v.say("match.split", counts...))
	switch {
	case m.cut:
		end.Stopped = m.v.say("match.cut", typeset.Thousands(mostNames))
	case err != nil:
		end.Stopped = m.v.say("match.stopped", m.rows)
	}
	if werr := m.write("match-end", end); werr != nil {
		return werr
	}
	if werr := m.send(); werr != nil {
		return werr
	}
	return err
}
