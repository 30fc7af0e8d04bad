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
	"bencao/names/bulk"
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
		return problem.Newf(problem.BadParameter, "the form can't be read: %v", err)
	}
	chosen := [][]string{tableHeader}
	for n := 1; n <= mostNames; n++ {
		line := v.r.PostForm.Get("r" + strconv.Itoa(n))
		if line == "" {
			continue
		}
		cells, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil {
			return problem.Newf(problem.BadParameter, "row %d of the form can't be read", n)
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
