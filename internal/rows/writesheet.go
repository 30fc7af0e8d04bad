package rows

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf16"
)

// maxCellUnits is the maximum number of UTF-16 units in a cell of Excel.
const maxCellUnits = 32767

// escaped matches the notation _x000D_, by which a workbook represents a character that XML cannot
// contain.
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// The parts of a workbook with one sheet, except the sheet.
const (
	packageTypes = xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`
	packageRelations = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/></Relationships>`
	workbookPart = xml.Header + `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
		`<sheets><sheet name="%s" sheetId="1" r:id="rId1"/></sheets></workbook>`
	sheetStart = xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
	sheetEnd   = `</sheetData></worksheet>`
)

// WriteSheet writes an Excel workbook (xlsx) with one sheet. Equal cells give equal bytes. All
// cells are text. [Defuse] changes cells that a spreadsheet would run as formulas when they are
// pasted elsewhere. Text over Excel's limit is cut off.
func WriteSheet(w io.Writer, name string, all [][]string) error {
	out := zip.NewWriter(w)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", packageTypes},
		{"_rels/.rels", fmt.Sprintf(packageRelations, "officeDocument", "xl/workbook.xml")},
		{"xl/workbook.xml", fmt.Sprintf(workbookPart, name)},
		{"xl/_rels/workbook.xml.rels", fmt.Sprintf(packageRelations, "worksheet", "worksheets/sheet1.xml")},
	} {
		to, err := out.Create(part.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(to, part.text); err != nil {
			return err
		}
	}
	to, err := out.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	if err := writeCells(to, all); err != nil {
		return err
	}
	return out.Close()
}

// writeCells writes the sheet.
func writeCells(w io.Writer, all [][]string) error {
	out := bufio.NewWriter(w) // Flush returns the first error of any write
	out.WriteString(sheetStart)
	for i, row := range all {
		fmt.Fprintf(out, `<row r="%d">`, i+1)
		for j, cell := range row {
			text := escaped.ReplaceAllString(clipped(Defuse(cell)), "_x005F$0")
			space := ""
			if strings.TrimSpace(text) != text { // without the attribute, some programs trim the text
				space = ` xml:space="preserve"`
			}
			fmt.Fprintf(out, `<c r="%s%d" t="inlineStr"><is><t%s>`, columnName(j+1), i+1, space)
			if err := xml.EscapeText(out, []byte(text)); err != nil {
				return err
			}
			out.WriteString("</t></is></c>")
		}
		out.WriteString("</row>")
	}
	out.WriteString(sheetEnd)
	return out.Flush()
}

// clipped returns the start of a text that fits into a cell.
func clipped(text string) string {
	if len(text) <= maxCellUnits {
		return text
	}
	units := 0
	for i, c := range text {
		if units += max(1, utf16.RuneLen(c)); units > maxCellUnits {
			return text[:i]
		}
	}
	return text
}

// columnName returns the letters of column n. The first column is 1.
func columnName(n int) string {
	name := ""
	for ; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}
