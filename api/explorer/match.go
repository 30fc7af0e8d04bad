package explorer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"iter"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/internal/invisible"
	"bencao/internal/messages"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/names/han"
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
	return e.intake.form(w, v, mostBytes, func(ctx context.Context, w http.ResponseWriter, f *received) error {
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

// uploaded returns the list in a form. The list is the uploaded file if there is one, or else the
// pasted text.
func uploaded(v *visit, body io.Reader) (io.Reader, bulk.Options, error) {
	opt := bulk.Options{Excel: v.query.Get("as") == "csv"}
	for part, err := range parts(v, body, mostParts) {
		if err != nil {
			return nil, opt, err
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
			return text, opt, nil
		}
	}
	return nil, opt, problem.New(problem.BadParameter, listEmpty.With())
}

// parts yields the parts of a form. It yields an error, and ends, if the form has more than most parts or
// cannot be read.
func parts(v *visit, body io.Reader, most int) iter.Seq2[*multipart.Part, error] {
	return func(yield func(*multipart.Part, error) bool) {
		kind, params, err := mime.ParseMediaType(v.r.Header.Get("Content-Type"))
		if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
			yield(nil, problem.New(problem.BadParameter, listNoForm.With()))
			return
		}
		form := multipart.NewReader(body, params["boundary"])
		for range most {
			part, err := form.NextRawPart()
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				err = problem.New(problem.BadParameter, formUnread.With(err))
			// Parsing this header takes up to 60 times its size.
			case len(part.Header.Get("Content-Disposition")) > mostDisposition:
				err = problem.New(problem.BadParameter, formUnread.With(multipart.ErrMessageTooLarge))
			default:
				// No browser encodes a part (RFC 7578, section 4.7), nor does curl unless it is told to.
				if coding := strings.ToLower(part.Header.Get("Content-Transfer-Encoding")); !slices.Contains([]string{"", "7bit", "8bit", "binary"}, coding) {
					err = problem.New(problem.BadParameter, formEncoded.With(problem.Quote(coding)))
				}
			}
			if !yield(part, err) || err != nil {
				return
			}
		}
		yield(nil, problem.New(problem.BadParameter, formParts.With(most)))
	}
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

// saveList matches a list of names and sends the whole table, with the best candidate of each name.
// It sends nothing before the table is complete, because the user could not see that a file is
// truncated.
func saveList(ctx context.Context, w http.ResponseWriter, p *place, match bulk.Matcher, in io.Reader, opt bulk.Options) error {
	table := &limited{place: p}
	stats, err := bulk.Run(ctx, match, in, table, opt)
	switch {
	case err != nil:
		return listError(err)
	case stats.Rows > mostNames:
		return problem.New(problem.BadParameter, bulk.TooManyNames.With(typeset.Thousands(mostNames)))
	}
	attach(w, "bencao-names.csv", csvType)
	w.Header().Set("Content-Length", strconv.Itoa(table.size))
	_, err = table.WriteTo(w)
	return err
}

// mostTable is the largest size of a table that saveList sends, in bytes.
const mostTable = 24 << 20

// limited holds a table without invisible characters and fails if it becomes too large, since many
// cells of an uploaded workbook may share one long text.
type limited struct {
	net.Buffers
	place *place
	size  int
}

// Write adds lines to the table. The first write begins with a byte-order mark, which is kept.
func (l *limited) Write(b []byte) (int, error) {
	if l.size+len(b) > mostTable {
		return 0, tableBytes.With(mostTable >> 20)
	}
	if err := l.place.hold(int64(len(b))); err != nil {
		return 0, err
	}
	text, marked := bytes.CutPrefix(b, []byte(byteOrderMark))
	if text = invisible.DropBytes(bytes.Clone(text)); marked && l.size == 0 {
		text = append([]byte(byteOrderMark), text...)
	}
	l.size += len(text)
	l.Buffers = append(l.Buffers, text)
	return len(b), nil
}
