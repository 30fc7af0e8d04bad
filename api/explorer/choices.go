package explorer

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"strconv"
	"strings"

	"bencao/api/problem"
	"bencao/internal/rows"
	"bencao/internal/say"
	"bencao/names/bulk"
)

// What is wrong with a form or its list.
var (
	listsAtOnce = say.Sentence("lists-at-once", "%v lists are matched just now, as many as are at a time")
	listBytes   = say.Sentence("list-bytes", "the list has %v bytes; a list of at most %v is taken")
	listNames   = say.Sentence("list-names", "the list has more than %v names; split it")
	listNoForm  = say.Sentence("list-no-form", "the list comes in no form; use the one of this page")
	listEmpty   = say.Sentence("list-empty", "the list is empty; write a name into each line, or choose a file")
	listNoNames = say.Sentence("list-no-names", "the list has no names; write one into each line")
	formUnread  = say.Sentence("form-unread", "the form can't be read: %v")
	formRow     = say.Sentence("form-row", "row %v of the form can't be read")
)

// tableHeader are the columns of the table that a reader saves.
var tableHeader = []string{"row", "given", "band", "score", "matchType", "matchedName", "matchedAuthor", "acceptedName", "acceptedAuthor", "acceptedFamily", "chineseName", "wcvpId", "ipniId", "wfoId", "guid"}

// matchTable gives the rows that the reader has chosen as a file. They come with
// the form: the server has kept nothing.
func (e *renderer) matchTable(w http.ResponseWriter, v *visit) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Connection", "close")
	if err := v.Patience(patience); err != nil {
		return err
	}
	if err := v.r.ParseForm(); err != nil {
		return problem.New(problem.BadParameter, formUnread.With(err))
	}
	chosen := [][]string{tableHeader}
	for n := 1; n <= mostNames; n++ {
		line := v.r.PostForm.Get("r" + strconv.Itoa(n))
		if line == "" {
			continue
		}
		cells, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil {
			return problem.New(problem.BadParameter, formRow.With(n))
		}
		for len(cells) < len(tableHeader) {
			cells = append(cells, "")
		}
		chosen = append(chosen, cells[:len(tableHeader)])
	}
	if v.r.PostForm.Get("as") == "xlsx" {
		book, err := workbook("bencao-names.xlsx", chosen)
		if err != nil {
			return err
		}
		return book.send(w)
	}
	return spreadsheet("bencao-names.csv", chosen).send(w)
}

// saveList writes the whole table with the best candidate of each name.
func saveList(ctx context.Context, w http.ResponseWriter, match bulk.Matcher, in io.Reader, opt bulk.Options) error {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="bencao-names.csv"`)
	_, err := bulk.Run(ctx, match, in, &limited{w: w}, opt)
	if err != nil {
		h.Del("Content-Disposition")
	}
	return listError(err)
}

// limited passes rows on until there are too many.
type limited struct {
	w    io.Writer
	rows int
}

func (l *limited) Write(b []byte) (int, error) {
	if l.rows += bytes.Count(b, []byte("\n")); l.rows > 2*mostNames {
		return 0, errEnough
	}
	return l.w.Write(b)
}

// workbook writes rows as xlsx, of which nothing computes anything.
func workbook(name string, all [][]string) (*file, error) {
	var out bytes.Buffer
	if err := rows.WriteSheet(&out, "names", all); err != nil {
		return nil, err
	}
	return &file{name: name, kind: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", content: out.Bytes()}, nil
}

// Undecided is the row as it is saved when no candidate is chosen.
func (r *matchRow) Undecided() string {
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write([]string{strconv.Itoa(r.Number), r.Given, r.Band}) // a builder takes everything
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}
