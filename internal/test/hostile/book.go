package hostile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
)

// part is a file of a workbook. Its text is head, then as many copies of body as the field times
// says, then tail. The body is compressed only once, so a part of 60 MiB is cheap to create.
type part struct {
	name       string
	head, tail string
	body       string
	times      int
	// change, if not nil, puts false values into the zip header of the part.
	change func(*zip.FileHeader)
}

// text returns the head and the tail of a part, without its body.
func (p part) text() string { return p.head + p.tail }

// Indexes of the parts that [validParts] returns.
const (
	typesPart = iota
	rootPart
	bookPart
	relsPart
	stringsPart
	sheetPart
	stylesPart
	themePart
	chainPart
	picturePart
)

const (
	declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace   = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + relationSpace + `"`
	packaged    = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`

	relationSpace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
)

// validParts returns the parts of a valid workbook, as Excel writes it. The body of each part is an
// element of its XML. The field times is 0, so a part contains no body unless an attack repeats it.
func validParts() []part {
	return []part{
		typesPart: {name: "[Content_Types].xml", head: declaration + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>`, body: `<Default Extension="png" ContentType="image/png"/>`, tail: `</Types>`},
		rootPart:  {name: "_rels/.rels", head: declaration + `<Relationships ` + packaged + `>` + relation("rId1", "officeDocument", "xl/workbook.xml"), body: relation("rId9", "image", "x.png"), tail: `</Relationships>`},
		bookPart:  {name: "xl/workbook.xml", head: declaration + `<workbook ` + mainSpace + `><sheets><sheet name="Plants" sheetId="1" r:id="rId1"/>`, body: `<sheet name="More" sheetId="2" r:id="rId1"/>`, tail: `</sheets></workbook>`},
		relsPart: {name: "xl/_rels/workbook.xml.rels", head: declaration + `<Relationships ` + packaged + `>` + relation("rId1", "worksheet", "worksheets/sheet1.xml") + relation("rId2", "sharedStrings", "sharedStrings.xml") + relation("rId3", "styles", "styles.xml"),
			body: relation("rId8", "theme", "theme/theme1.xml"), tail: `</Relationships>`},
		stringsPart: {name: "xl/sharedStrings.xml", head: declaration + `<sst ` + mainSpace + ` count="5" uniqueCount="5"><si><t>name</t></si><si><t>note</t></si><si><t>Panax ginseng</t></si><si><r><t>Glycyrrhiza </t></r><r><t>uralensis</t></r></si><si><t>人参</t><rPh sb="0" eb="2"><t>ren shen</t></rPh></si>`, body: `<si><t>x</t></si>`, tail: `</sst>`},
		sheetPart: {name: "xl/worksheets/sheet1.xml", head: declaration + `<worksheet ` + mainSpace + `><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>1.5</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c></row>`,
			body: `<row><c t="s"><v>4</v></c></row>`, tail: `</sheetData></worksheet>`},
		stylesPart:  {name: "xl/styles.xml", head: declaration + `<styleSheet ` + mainSpace + `><cellXfs count="1">`, body: `<xf/>`, tail: `</cellXfs></styleSheet>`},
		themePart:   {name: "xl/theme/theme1.xml", head: declaration + `<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office">`, body: `<a:objectDefaults/>`, tail: `</a:theme>`},
		chainPart:   {name: "xl/calcChain.xml", head: declaration + `<calcChain ` + mainSpace + `>`, body: `<c r="A1" i="1"/>`, tail: `</calcChain>`},
		picturePart: {name: "xl/media/image1.png", head: "\x89PNG\r\n\x1a\n", body: "\x00\x00\x00\x00\x00\x00\x00\x00", tail: "IEND"},
	}
}

// relation returns a Relationship element.
func relation(id, kind, target string) string {
	return fmt.Sprintf(`<Relationship Id="%s" Type="%s/%s" Target="%s"/>`, id, relationSpace, kind, target)
}

// pack returns a workbook of the given parts.
func pack(parts []part) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range parts {
		data, size, sum := p.deflate()
		h := &zip.FileHeader{Name: p.name, Method: zip.Deflate, CRC32: sum, CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(size)}
		if p.change != nil {
			p.change(h)
		}
		to, err := w.CreateRaw(h)
		must(err)
		_, err = to.Write(data)
		must(err)
	}
	must(w.Close())
	return out.Bytes()
}

// thicken adds comments of random text to a part of at least 1 MiB, in half of the calls. The
// compression ratio of the part then stays below 200.
func (p *part) thicken(r *rand.Rand) {
	size := p.times * len(p.body)
	if size < 1<<20 || r.IntN(2) == 0 {
		return
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
	var noise strings.Builder
	for range 1 + size/180/48_000 {
		noise.WriteString("<!--")
		for range 8000 {
			for n, i := r.Uint64(), 0; i < 8; n, i = n>>6, i+1 {
				noise.WriteByte(letters[n&63])
			}
		}
		noise.WriteString("-->")
	}
	if strings.HasPrefix(p.head, declaration) {
		p.head = declaration + noise.String() + p.head[len(declaration):]
	} else {
		p.head = noise.String() + p.head
	}
}

// deflate compresses a part. It compresses the body as an independent block that can be repeated.
func (p part) deflate() (data []byte, size int, sum uint32) {
	var out bytes.Buffer
	add := func(text string, times int) {
		if text == "" || times == 0 {
			return
		}
		from := out.Len()
		w, err := flate.NewWriter(&out, flate.BestSpeed)
		must(err)
		_, err = io.WriteString(w, text)
		must(err)
		must(w.Flush())
		block := bytes.Clone(out.Bytes()[from:])
		for i := range times {
			if i > 0 {
				out.Write(block)
			}
			sum = crc32.Update(sum, crc32.IEEETable, []byte(text))
		}
		size += len(text) * times
	}
	add(p.head, 1)
	if p.times > 0 {
		each := max(1, 256<<10/len(p.body))
		add(strings.Repeat(p.body, each), p.times/each)
		add(strings.Repeat(p.body, p.times%each), 1)
	}
	add(p.tail, 1)
	out.Write([]byte{0x03, 0x00}) // an empty last block
	return out.Bytes(), size, sum
}

// must panics on an error. Parts are compressed in memory, where no error is expected.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
