package explorer

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"bencao/api/problem"
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
	rows := [][]string{tableHeader}
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
		rows = append(rows, cells[:len(tableHeader)])
	}
	if v.r.PostForm.Get("as") == "xlsx" {
		book, err := workbook("bencao-names.xlsx", rows)
		if err != nil {
			return err
		}
		return book.send(w)
	}
	return spreadsheet("bencao-names.csv", rows).send(w)
}

// The parts of a workbook of one sheet that are the same in all.
const (
	xlsxTypes = xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`
	xlsxRoot  = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	xlsxBook  = xml.Header + `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="names" sheetId="1" r:id="rId1"/></sheets></workbook>`
	xlsxLinks = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
)

// workbook writes rows as xlsx. All cells are text, which nothing computes.
func workbook(name string, rows [][]string) (*file, error) {
	var sheet bytes.Buffer
	sheet.WriteString(xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
	for i, row := range rows {
		fmt.Fprintf(&sheet, `<row r="%d">`, i+1)
		for _, cell := range row {
			sheet.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">`)
			if err := xml.EscapeText(&sheet, []byte(defuse(cell))); err != nil {
				return nil, err
			}
			sheet.WriteString(`</t></is></c>`)
		}
		sheet.WriteString(`</row>`)
	}
	sheet.WriteString(`</sheetData></worksheet>`)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range []struct {
		name    string
		content []byte
	}{
		{"[Content_Types].xml", []byte(xlsxTypes)}, {"_rels/.rels", []byte(xlsxRoot)}, {"xl/workbook.xml", []byte(xlsxBook)},
		{"xl/_rels/workbook.xml.rels", []byte(xlsxLinks)}, {"xl/worksheets/sheet1.xml", sheet.Bytes()},
	} {
		w, err := z.Create(part.name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(part.content); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
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
