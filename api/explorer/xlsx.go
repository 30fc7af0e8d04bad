package explorer

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
)

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
