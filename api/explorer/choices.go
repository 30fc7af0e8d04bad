package explorer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bencao/api/problem"
	"bencao/internal/invisible"
	"bencao/internal/messages"
	"bencao/internal/rows"
	"bencao/names"
	"bencao/names/bulk"
	"bencao/store"
)

// What is wrong with a form or its list.
var (
	listBytes   = messages.Define("list-bytes", "the list has %v; a list of at most %v is taken")
	listNames   = messages.Define("list-names", "the list has more than %v names; split it")
	tableBytes  = messages.Define("table-bytes", "the list with what is found has more than %v MB; leave out columns that are not needed")
	listNoForm  = messages.Define("list-no-form", "the list comes in no form; use the one of this page")
	listEmpty   = messages.Define("list-empty", "the list is empty; write a name into each line, or choose a file")
	listNoNames = messages.Define("list-no-names", "the list has no names; write one into each line")
	formUnread  = messages.Define("form-unread", "the form can't be read: %v")
	formParts   = messages.Define("form-parts", "the form has more than %v parts and no list among the first; use the one of this page")
	formRow     = messages.Define("form-row", "row %v of the form can't be read")
)

// mostRow is how many bytes a row of the form may have.
const mostRow = 64 << 10

// tableHeader are the columns of the table that a reader saves.
var tableHeader = []string{"row", "given", "band", "score", "matchType", "matchedName", "matchedAuthor", "acceptedName", "acceptedAuthor", "acceptedFamily", "chineseName", "wcvpId", "ipniId", "wfoId", "guid"}

// matchTable gives the rows that the reader has chosen as a file. They come with
// the form: the server has kept nothing.
func (e *renderer) matchTable(w http.ResponseWriter, v *visit) error {
	return e.form(w, v, mostChoices, func(_ context.Context, w http.ResponseWriter, body io.Reader) error {
		chosen, excel, err := readChoices(body)
		if err != nil {
			return err
		}
		if excel {
			book, err := workbook("bencao-names.xlsx", chosen)
			if err != nil {
				return err
			}
			return book.send(w)
		}
		return spreadsheet("bencao-names.csv", chosen).send(w)
	})
}

// readChoices reads the rows of a form, r1 to r10000, whose order is that of their
// numbers, and whether they are wanted as a workbook. Other fields are passed over.
func readChoices(body io.Reader) (chosen [][]string, excel bool, err error) {
	fields := bufio.NewScanner(body)
	fields.Buffer(nil, mostRow)
	fields.Split(splitFields)
	lines := map[int]string{}
	for fields.Scan() {
		name, value, _ := strings.Cut(fields.Text(), "=")
		row, isRow := strings.CutPrefix(name, "r")
		n, err := strconv.Atoi(row)
		if isRow = isRow && err == nil && n >= 1 && n <= mostNames; !isRow && name != "as" {
			continue
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return nil, false, problem.New(problem.BadParameter, formUnread.With(err))
		}
		if !isRow {
			excel = value == "xlsx"
		} else if lines[n] == "" {
			lines[n] = value
		}
	}
	if err := fields.Err(); err != nil {
		return nil, false, problem.New(problem.BadParameter, formUnread.With(err))
	}
	chosen = [][]string{tableHeader}
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		if lines[n] == "" {
			continue
		}
		cells, err := csv.NewReader(strings.NewReader(lines[n])).Read()
		if err != nil {
			return nil, false, problem.New(problem.BadParameter, formRow.With(n))
		}
		for len(cells) < len(tableHeader) {
			cells = append(cells, "")
		}
		chosen = append(chosen, cells[:len(tableHeader)])
	}
	return chosen, excel, nil
}

// splitFields splits a form at each &, for [bufio.Scanner].
func splitFields(data []byte, atEnd bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '&'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// saveList writes the whole table with the best candidate of each name. It is held
// back until it is whole: half of a file would look like all of it.
func saveList(ctx context.Context, w http.ResponseWriter, match bulk.Matcher, in io.Reader, opt bulk.Options) error {
	table := &limited{}
	stats, err := bulk.Run(ctx, match, in, table, opt)
	if err == nil && stats.Rows > mostNames {
		err = errEnough
	}
	if err != nil {
		return listError(err)
	}
	text, marked := bytes.CutPrefix(table.Bytes(), []byte(byteOrderMark))
	if text = invisible.DropBytes(text); marked {
		text = append([]byte(byteOrderMark), text...)
	}
	return (&file{name: "bencao-names.csv", kind: "text/csv; charset=utf-8", content: text}).send(w)
}

// mostTable is how many bytes a table has at most that is saved whole.
const mostTable = 24 << 20

// limited keeps a table until it surely has too many rows, of which some may have
// several lines, or is too large: cells of a workbook may share a long text.
type limited struct {
	bytes.Buffer
	lines int
}

func (l *limited) Write(b []byte) (int, error) {
	if l.lines += bytes.Count(b, []byte("\n")); l.lines > 2*mostNames {
		return 0, errEnough
	}
	if l.Len()+len(b) > mostTable {
		return 0, tableBytes.With(mostTable >> 20)
	}
	return l.Buffer.Write(b)
}

// workbook writes rows as xlsx, of which nothing computes anything.
func workbook(name string, all [][]string) (*file, error) {
	for _, row := range all {
		for i, cell := range row {
			row[i] = invisible.Drop(cell)
		}
	}
	var out bytes.Buffer
	if err := rows.WriteSheet(&out, "names", all); err != nil {
		return nil, err
	}
	return &file{name: name, kind: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", content: out.Bytes()}, nil
}

// doubts are flags of what a person has to decide, however good the score is: see
// what docs/name-matching.md says of each.
var doubts = []string{"ambiguous", "qualifier", "proParte", "possible", "familyDiffers", "drugDiffersFromPlant", "rankDiffers"}

// spellings are flags that say how a name is spelt otherwise.
var spellings = []string{"orthography", "genderEnding", "epithetCorrected", "genusCorrected"}

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
