package explorer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
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

// Limits of a list of names that a user sends.
const (
	mostNames = 10_000
	mostBytes = 5 << 20
	// mostTableColumns is the largest number of columns that a list may have if it is a table.
	mostTableColumns = 200
	// mostForm is the largest size in bytes of a form, which is that of the user's choices. A longer
	// list is read completely, too, because a browser does not show the answer to a form that was
	// refused before all of it was read.
	mostForm = 16 << 20
	// mostParts is the number of parts of a form that are searched for the list.
	mostParts = 32
	// mostDisposition is the largest size in bytes of the header that names a part.
	mostDisposition = 4 << 10
	// patience is the longest time that matching a list may take.
	patience = 2 * time.Minute
	// candidates is the number of candidates that a page shows for each name.
	candidates = 4
)

func matchPage(v *visit) (*page, error) {
	return formPage(v, ""), nil
}

// formPage returns the page with the form for a list of names. If the user has sent a list with an
// error, wrong describes the error; otherwise it is empty.
func formPage(v *visit, wrong string) *page {
	return &page{template: "match", Title: v.say("match.title"), Lead: v.say("match.lead", typeset.Thousands(mostNames)), Data: wrong}
}

// matchList matches a list that the user has pasted or uploaded. It sends the first rows while it
// still matches the others. It stores nothing of the list.
func (e *renderer) matchList(w http.ResponseWriter, v *visit) error {
	return e.form(w, v, mostBytes, func(ctx context.Context, w http.ResponseWriter, f *received) error {
		in, opt, err := uploaded(v, f)
		if err != nil {
			return err
		}
		opt.ErrorText, opt.MaxColumns, opt.MaxRows, opt.CacheSize = v.lang.Tell, mostTableColumns, mostNames, 2000
		opt.Turn = v.ListTurn
		match := bulk.MatchEach(func(q names.Query) (names.Response, error) { return v.Match(ctx, q) })
		if opt.Excel {
			opt.Word = v.lang.Known
			return saveList(ctx, w, f.place, match, in, opt)
		}
		out := &matchWriter{e: e, v: v, w: w, ctx: ctx}
		opt.Format, opt.Given, opt.All, opt.Limit = bulk.JSONLines, true, true, candidates
		stats, err := bulk.Run(ctx, match, in, out, opt)
		if err == nil {
			err = out.flushRow()
		}
		return out.end(&stats, err)
	})
}

// megabytes returns a number of bytes as text, in megabytes of 1,048,576 bytes.
func megabytes(bytes int64) string {
	return strconv.FormatFloat(math.Ceil(float64(bytes)/(1<<20)*10)/10, 'f', -1, 64) + "\u00a0MB"
}

// uploaded returns the list in a form. The list is the uploaded file if there is one, or else the
// pasted text.
func uploaded(v *visit, body io.Reader) (io.Reader, bulk.Options, error) {
	kind, params, err := mime.ParseMediaType(v.r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, bulk.Options{}, problem.New(problem.BadParameter, listNoForm.With())
	}
	form := multipart.NewReader(body, params["boundary"])
	opt := bulk.Options{Excel: v.query.Get("as") == "csv"}
	for range mostParts {
		part, err := form.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil, opt, problem.New(problem.BadParameter, listEmpty.With())
		}
		if err != nil {
			return nil, opt, problem.New(problem.BadParameter, formUnread.With(err))
		}
		// Parsing this header takes up to 60 times its size.
		if len(part.Header.Get("Content-Disposition")) > mostDisposition {
			return nil, opt, problem.New(problem.BadParameter, formUnread.With(multipart.ErrMessageTooLarge))
		}
		// No browser encodes a part (RFC 7578, section 4.7), nor does curl unless it is told to.
		if coding := strings.ToLower(part.Header.Get("Content-Transfer-Encoding")); !slices.Contains([]string{"", "7bit", "8bit", "binary"}, coding) {
			return nil, opt, problem.New(problem.BadParameter, formEncoded.With(problem.Quote(coding)))
		}
		switch part.FormName() {
		case "region":
			value, err := io.ReadAll(io.LimitReader(part, 64))
			if err != nil {
				return nil, opt, problem.New(problem.BadParameter, formUnread.With(err))
			}
			if string(value) == names.RegionChina {
				opt.Region = names.RegionChina
			}
		case "file", "names":
			text := bufio.NewReader(part)
			begin, err := text.Peek(1024)
			if len(bytes.TrimSpace(begin)) == 0 && err != nil {
				continue
			}
			// Pasted text without a tab has one name in each line. Pasted text with tabs consists
			// of cells that were copied from a spreadsheet.
			opt.Plain = part.FormName() == "names" && !bytes.Contains(begin, []byte("\t"))
			return text, opt, nil
		}
	}
	return nil, opt, problem.New(problem.BadParameter, formParts.With(mostParts))
}

// listError converts an error in a list to a fault for the user.
func listError(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	if f := (*problem.Fault)(nil); errors.As(err, &f) {
		return f
	}
	if wrong := (*messages.Message)(nil); errors.As(err, &wrong) {
		return problem.New(problem.BadParameter, wrong)
	}
	return err
}

// matchRow is a row of the list: a name with its candidates.
type matchRow struct {
	Number     int
	Given      string
	Band       string // advice to the user: take, look, leave or none
	Best       *candidate
	Candidates []candidate
	// Said explains how the name was matched, in words.
	Said []string
	// Herb links to the herb that has this name, if no plant has the name. Otherwise it is nil.
	Herb *navLink
}

// candidate is a possible meaning of a name, as [bulk.Run] writes it in JSON.
type candidate struct {
	MatchedVia, GUID, ChineseName, MatchedName, MatchedAuthor            string
	AcceptedName, AcceptedAuthor, AcceptedFamily, WCVPID, IPNIID, WFOID  string
	Rank, AcceptedRank                                                   string
	MatchType, MatchSource, AuthorMatch, URL, Error, Unread, TaxonStatus string
	Score                                                                float64
	EditDistance                                                         int
	Flags                                                                []string
	said                                                                 []string // how it matches, in words
	// Value is the row of the downloaded table if this candidate is chosen.
	Value string
	// Name is the accepted name. If there is none, it is the matched name. Found is the matched
	// name as the checklist writes it, or empty if the page need not show it.
	Name, Found template.HTML
}

// judge sets the row's band, which tells the user what to do, and gives the reasons in Said.
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
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.said = append(c.how(v), c.wrong(v)...)
	}
	r.Said = r.Best.said
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
		c.Value = tableLine(r, c)
	}
}

// doubtful reports whether a person should check a candidate even if its score is high. Reasons
// are, for example, that it is no species, that several taxa are possible, or that the spelling
// differs by more than one letter.
func (c *candidate) doubtful() bool {
	return c.MatchType == "higherRank" || c.MatchedVia == "hybridFormula" || c.AcceptedName == "" || c.wide() ||
		c.MatchType == "fuzzy" && c.EditDistance > 1 || slices.ContainsFunc(c.Flags, func(f string) bool { return slices.Contains(doubts, f) })
}

// wide reports whether the candidate is a taxon above species.
func (c *candidate) wide() bool { return c.AcceptedRank == "genus" || c.Rank == "genus" }

// how describes how the candidate matches the name in the list, and where the two differ.
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

// wrong describes the errors in the name that the user submitted, and the parts of the name that were
// not understood.
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

// familyName matches scientific names of families. They have no candidates.
var familyName = regexp.MustCompile(`^(?i)[a-z]+aceae$`)

// mostHerbs is the largest number of names in a list that are looked up as herbs because they match
// no plant.
const mostHerbs = 200

// addHerb adds a link to the herb whose Chinese name is exactly the name in the row. It is called
// for names that match no plant. Minerals, animals and fungi are herbs, but they are not in
// checklists of plants.
func (r *matchRow) addHerb(v *visit) error {
	l, err := ask[list[store.HerbSummary]](v, "herbs.search", "", "q", r.Given, "pageSize", "1")
	if err != nil || len(l.Items) == 0 || l.Items[0].Name != r.Given {
		return err
	}
	h := l.Items[0]
	r.Herb = &navLink{Text: v.say("match.drug", v.lang.Known("herb."+string(h.Kind), string(h.Kind))), Address: v.ours(h.URL)}
	return nil
}

// Decided returns the row of the downloaded table if the page does not let the user choose. The row
// has the best candidate if the band is take, and no candidate otherwise.
func (r *matchRow) Decided() string {
	if r.Band == "take" {
		return r.Best.Value
	}
	return r.Undecided()
}

// Open reports whether the page lets the user choose a candidate.
func (r *matchRow) Open() bool {
	return len(r.Candidates) > 1 || len(r.Candidates) == 1 && r.Band != "take"
}

// Synonym reports whether the name in the list is a synonym.
func (r *matchRow) Synonym() bool { return r.Best != nil && r.Best.MatchedVia == "synonym" }

// bytes returns the largest number of bytes that the row takes in the form with the user's choices.
func (r *matchRow) bytes() int {
	most := len(url.QueryEscape(r.Undecided()))
	for _, c := range r.Candidates {
		most = max(most, len(url.QueryEscape(c.Value)))
	}
	return most + len("&r10000=")
}

// Undecided returns the row of the downloaded table if the user chooses no candidate.
func (r *matchRow) Undecided() string { return tableLine(r, nil) }

// matchWriter shows rows while they are being matched. It gets the output of [bulk.Run], which is
// one line of JSON for each candidate.
type matchWriter struct {
	e      *renderer
	v      *visit
	w      http.ResponseWriter
	ctx    context.Context
	begun  bool
	html   bytes.Buffer // HTML of the rows that are not yet sent
	rest   []byte
	row    *matchRow
	counts map[string]int
	rows   int
	herbs  int  // number of names that were looked up as herbs
	size   int  // bytes of the form with the user's choices
	cut    bool // the list has more rows than the page
}

func (m *matchWriter) Write(b []byte) (int, error) {
	if err := m.lines(b); err != nil {
		return 0, err
	}
	return len(b), m.send()
}

// lines renders the rows of b. It holds a turn only until it returns, so that other lists can be
// matched while the client reads the rows, which may be slow.
func (m *matchWriter) lines(b []byte) error {
	done, err := m.v.ListTurn(m.ctx)
	if err != nil {
		return err
	}
	defer done()
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

// send sends the HTML that is not yet sent.
func (m *matchWriter) send() error {
	if !m.begun {
		return nil
	}
	if _, err := m.html.WriteTo(m.w); err != nil {
		return err
	}
	return http.NewResponseController(m.w).Flush()
}

// line reads a line of the output of [bulk.Run] and adds the candidate in it to the current row.
func (m *matchWriter) line(line []byte) error {
	var read struct {
		Row   int
		Given string
		candidate
	}
	if err := json.Unmarshal(line, &read); err != nil {
		return err
	}
	c, number := read.candidate, read.Row
	if m.row != nil && m.row.Number != number {
		if err := m.flushRow(); err != nil {
			return err
		}
	}
	if m.cut = m.cut || number > mostNames || m.size > mostForm; m.cut {
		return nil
	}
	if m.row == nil {
		m.row = &matchRow{Number: number, Given: read.Given}
	}
	if c.Name = typeset.Latin(c.AcceptedName, c.AcceptedAuthor); c.AcceptedName == "" {
		c.Name = typeset.Latin(c.MatchedName, c.MatchedAuthor)
	} else if c.MatchedName != c.AcceptedName {
		c.Found = typeset.Latin(c.MatchedName, "")
	}
	m.row.Candidates = append(m.row.Candidates, c)
	return nil
}

// write renders a part of the page from a template.
func (m *matchWriter) write(template string, data any) error {
	html, err := m.e.fill(m.v, template, data)
	if err != nil {
		return err
	}
	_, err = m.html.Write(html)
	return err
}

// begin renders the part of the page that is above the rows.
func (m *matchWriter) begin() error {
	m.begun, m.counts = true, map[string]int{}
	m.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	m.w.WriteHeader(http.StatusOK)
	p := &page{template: "match-begin", Title: m.v.say("match.results")}
	return m.write(p.template, m.e.frame(m.v, p))
}

// flushRow renders the current row. It must be called after all candidates of the row have been
// read.
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
	if r.Band == "none" && m.herbs < mostHerbs && len([]rune(r.Given)) < 20 && han.Has(r.Given) && m.v.may(access.Prescriptions) {
		m.herbs++
		if err := r.addHerb(m.v); err != nil {
			return err
		}
	}
	m.counts[r.Band]++
	if r.Synonym() {
		m.counts["synonym"]++
	}
	m.rows++
	m.size += r.bytes()
	return m.write("match-row", r)
}

// matchEnd is the data of the part of the page that is below the rows.
type matchEnd struct {
	Rows    int
	Bands   []bandCount
	Split   template.HTML
	Stopped string
	// Notes tell how many taxa the list has, which columns of the list were used, and what the user
	// should check.
	Notes []string
}

// bandCount is the number of rows in a band, with the name and the meaning of the band.
type bandCount struct {
	Name, Note string
	Count      int
}

// end sends the part of the page that is below the rows. If there are no rows, it returns an error
// for the error page instead.
func (m *matchWriter) end(stats *bulk.Stats, err error) error {
	if !m.begun {
		if err == nil {
			return problem.New(problem.BadParameter, listNoNames.With())
		}
		return listError(err)
	}
	if m.v.ctx.Err() != nil { // the client has closed the connection
		return m.v.ctx.Err()
	}
	end := matchEnd{Rows: m.rows, Notes: stats.Notes(m.v.say("list.comma"), func(code string, values ...any) string { return m.v.say("match."+code, values...) })}
	var parts []draw.Part
	var counts []any
	for _, band := range []struct{ name, class string }{{"take", "f1"}, {"look", "fl"}, {"leave", "fn"}, {"none", "f0"}} {
		n := m.counts[band.name]
		end.Bands = append(end.Bands, bandCount{band.name, m.v.lang.Known("band."+band.name+"Note", ""), n})
		parts, counts = append(parts, draw.Part{Class: band.class, Count: n}), append(counts, n)
	}
	end.Bands = append(end.Bands, bandCount{"synonym", m.v.say("band.synonymNote"), m.counts["synonym"]})
	end.Split = draw.Split(parts, m.v.say("match.split", counts...))
	switch {
	case m.cut:
		end.Stopped = m.v.say("match.cut", typeset.Thousands(m.rows))
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
