package hostile

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// relationKinds returns the kinds that damage the relationships between parts.
func relationKinds() []Kind {
	target := func(r *rand.Rand) string {
		return one(r, "", ".", "..", "../", "/", "//", "../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "http://example.org/sheet.xml", `..\..\x.xml`, `worksheets\sheet1.xml`,
			"worksheets/", "worksheets/sheet1.xml#x", "worksheets/%73heet1.xml", "./worksheets/../worksheets/sheet1.xml", "/xl/worksheets/sheet1.xml", "xl/worksheets/sheet1.xml", "WORKSHEETS/SHEET1.XML",
			"nowhere.xml", "\x00", strings.Repeat("../", 100_000)+"x", strings.Repeat("x", 1<<20), "worksheets/sheet9.xml")
	}
	return []Kind{
		kind("relations/astray", func(r *rand.Rand) []byte {
			parts := validParts()
			p := &parts[one(r, rootPart, relsPart)]
			for _, old := range []string{"xl/workbook.xml", "worksheets/sheet1.xml", "sharedStrings.xml"} {
				if r.IntN(2) == 0 {
					p.head = strings.Replace(p.head, `Target="`+old, `Target="`+target(r), 1)
				}
			}
			return pack(parts)
		}),
		kind("relations/cyclic", func(r *rand.Rand) []byte {
			parts := validParts()
			to := func() string {
				return one(r, "/_rels/.rels", "/xl/workbook.xml", "/xl/_rels/workbook.xml.rels", "/xl/sharedStrings.xml", "/xl/worksheets/sheet1.xml", "/[Content_Types].xml")
			}
			parts[rootPart].head = strings.Replace(parts[rootPart].head, "xl/workbook.xml", one(r, "xl/workbook.xml", to()), 1)
			parts[relsPart].head = strings.NewReplacer("worksheets/sheet1.xml", to(), "sharedStrings.xml", to()).Replace(parts[relsPart].head)
			return pack(parts)
		}),
		kind("relations/other identifiers", func(r *rand.Rand) []byte {
			parts := validParts()
			parts[one(r, bookPart, relsPart)].head = strings.ReplaceAll(parts[one(r, bookPart, relsPart)].head, "rId1", one(r, "", "rId2", "rId3", "x", "rId1 ", "RID1", strings.Repeat("r", 1<<20)))
			return pack(parts)
		}),
		kind("relations/of another kind", func(r *rand.Rand) []byte {
			parts := validParts()
			p := &parts[one(r, rootPart, relsPart)]
			p.head = strings.ReplaceAll(p.head, one(r, "/officeDocument", "/worksheet", "/sharedStrings"), one(r, "", "/chartsheet", "/x", "/sharedStrings"))
			if r.IntN(2) == 0 {
				p.head = strings.ReplaceAll(p.head, ` Target=`, ` TargetMode="External" Target=`)
			}
			return pack(parts)
		}),
		kind("relations/many", func(r *rand.Rand) []byte {
			parts := validParts()
			p := &parts[one(r, rootPart, relsPart)]
			p.times = between(r, 10_000, 500_000)
			p.tail = relation("rId1", "worksheet", "worksheets/sheet1.xml") + p.tail
			return pack(parts)
		}),
		kind("sheets/many", func(r *rand.Rand) []byte {
			parts := validParts()
			parts[bookPart].times = between(r, 10_000, 1_500_000)
			return pack(parts)
		}),
		kind("sheets/none", func(r *rand.Rand) []byte {
			parts := validParts()
			parts[bookPart].head = strings.Replace(parts[bookPart].head, "<sheet ", one(r, "<shet ", "<!-- --><x ", `<sheet r:x="1" `), 1)
			parts[bookPart].head = strings.Replace(parts[bookPart].head, " r:id=", one(r, " r:id=", " id=", " x="), 1)
			return pack(parts)
		}),
	}
}

// sheetKinds returns the kinds that damage rows and cells.
func sheetKinds() []Kind {
	var all []Kind
	add := func(name string, rows func(r *rand.Rand, p *part)) {
		all = append(all, kind("sheet/"+name, func(r *rand.Rand) []byte {
			parts := validParts()
			rows(r, &parts[sheetPart])
			parts[sheetPart].thicken(r)
			return pack(parts)
		}))
	}
	header := func(p *part) { p.head = p.head[:strings.Index(p.head, `<row r="2"`)] }
	add("cells far right", func(r *rand.Rand, p *part) {
		header(p)
		p.body, p.times = fmt.Sprintf(`<row><c r="%s1"><v>1</v></c></row>`, one(r, "XFD", "XFE", "ZZZ", "ALM", "GS")), between(r, 1000, 1_000_000)
	})
	add("header far right", func(r *rand.Rand, p *part) {
		p.head = strings.Replace(p.head, `r="B1"`, `r="`+one(r, "XFD1", "XFE1", "ZZZZZZZZZZZZZZ1", "AAAAAA1", "BXY1")+`"`, 1)
		p.times = between(r, 0, 100_000)
	})
	add("wide header", func(r *rand.Rand, p *part) {
		i := strings.Index(p.head, "</row>")
		p.tail = p.head[i:] + p.tail
		p.head, p.body, p.times = p.head[:i], `<c t="s"><v>1</v></c>`, between(r, 100, 3_000_000)
	})
	add("long row", func(r *rand.Rand, p *part) {
		header(p)
		p.head += "<row>"
		p.tail = "</row>" + p.tail
		p.body, p.times = one(r, `<c t="s"><v>1</v></c>`, `<c r="A2"><v>1</v></c>`, `<c r="B2" t="s"><v>4</v></c>`, `<c r="XFD2"><v>1</v></c>`, `<c/>`), between(r, 10_000, 2_500_000)
	})
	add("rows out of order", func(r *rand.Rand, p *part) {
		header(p)
		var b strings.Builder
		for range between(r, 10, 3000) {
			fmt.Fprintf(&b, `<row r="%d"><c r="A%d" t="s"><v>2</v></c></row>`, r.IntN(5000), r.IntN(5000))
		}
		p.head += b.String()
	})
	add("cells out of order", func(r *rand.Rand, p *part) {
		header(p)
		var b strings.Builder
		for n := range between(r, 10, 3000) {
			fmt.Fprintf(&b, `<row r="%d">`, n+2)
			for range r.IntN(6) {
				fmt.Fprintf(&b, `<c r="%c%d" t="s"><v>%d</v></c>`, 'A'+rune(r.IntN(3)), n+r.IntN(3), r.IntN(7)-1)
			}
			b.WriteString("</row>")
		}
		p.head += b.String()
	})
	add("rows far down", func(r *rand.Rand, p *part) {
		header(p)
		for range between(r, 1, 3) {
			p.head += fmt.Sprintf(`<row r="%s"><c t="s"><v>2</v></c></row>`, one(r, "1048576", "1048577", "2147483647", "2147483648", "9223372036854775807", "99999999999999999999", "-1", "0", "x", "1e9"))
		}
	})
	add("rows without cells", func(r *rand.Rand, p *part) {
		if r.IntN(2) == 0 {
			header(p)
		}
		p.body, p.times = one(r, "<row/>", `<row r="1"/>`, "<row><c/></row>", `<row r="2" spans="1:16384"></row>`), between(r, 100_000, 3_000_000)
	})
	add("odd references", func(r *rand.Rand, p *part) {
		header(p)
		for range between(r, 1, 100) {
			p.head += fmt.Sprintf(`<row><c r="%s" t="s"><v>2</v></c></row>`, one(r, "", "A", "1", "A0", "a2", "1A", "A-1", "$A$2", "A2:B2", "Ä2", "XFD1048576", "XFD1048577", "AAAAAAAAAAAAAAAAAAAA1", "A99999999999999999999", " A2", "A 2", "\uFF21\uFF12"))
		}
	})
	add("odd values", func(r *rand.Rand, p *part) {
		header(p)
		for range between(r, 1, 200) {
			p.head += fmt.Sprintf(`<row><c t="%s"><v>%s</v></c><c t="inlineStr"><is><t>%s</t></is></c></row>`, one(r, "s", "s", "str", "b", "e", "d", "n", "inlineStr", "", "x"),
				one(r, "-1", "0", "99", "4294967296", "-9223372036854775808", "99999999999999999999", "x", "", " 2 ", "1e3", "#N/A", "NaN", "=1+1", "2024-01-01", "_x0000_", "_xD800_", "_x005F_x0041_", "<v>2</v>", "<![CDATA[2]]>", "&#10;"),
				one(r, "a\nb", "&quot;", ",", "\t", "\r", "_x000D_", strings.Repeat("x", 40_000), "\u202e", "=cmd|' /C calc'!A0"))
		}
	})
	add("formulas and rich text", func(r *rand.Rand, p *part) {
		header(p)
		p.body, p.times = one(r, `<row><c t="str"><f>A1</f><v>Panax</v></c></row>`, `<row><c><f>`+strings.Repeat("(", 200)+`</f></c></row>`, `<row><c t="inlineStr"><is><r><t>Pa</t></r><r><rPr/><t>nax</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c></row>`), between(r, 1000, 400_000)
	})
	add("one long text in every cell", func(r *rand.Rand, p *part) {
		header(p)
		p.body, p.times = `<row><c t="s"><v>4</v></c><c t="s"><v>4</v></c></row>`, between(r, 1000, 600_000)
	})
	long := len(all) - 1
	all[long].Make = func(seed uint64) []byte {
		r := rand.New(rand.NewPCG(seed, 0))
		parts := validParts()
		header(&parts[sheetPart])
		parts[sheetPart].body, parts[sheetPart].times = `<row><c t="s"><v>0</v></c><c t="s"><v>5</v></c></row>`, between(r, 1000, 600_000)
		p := &parts[stringsPart]
		p.head += "<si><t>"
		p.body, p.times = one(r, "x", "人", "\n", "\"", "="), between(r, 10_000, 900_000)
		p.tail = "</t></si>" + p.tail
		return pack(parts)
	}
	add("with a namespace before each name", func(r *rand.Rand, p *part) {
		text := strings.NewReplacer("</", "</x:", "<?", "<?", "<", "<x:").Replace(strings.TrimPrefix(p.text(), declaration))
		text = declaration + strings.Replace(text, "xmlns=", "xmlns:x=", 1)
		end := strings.Index(text, "</x:sheetData>")
		p.head, p.tail = text[:end], text[end:]
		p.body, p.times = `<x:row><x:c t="s"><x:v>4</x:v></x:c></x:row>`, between(r, 1, 1000)
	})
	shared := func(name string, body func(r *rand.Rand) string, most int) {
		all = append(all, kind("strings/"+name, func(r *rand.Rand) []byte {
			parts := validParts()
			parts[stringsPart].body, parts[stringsPart].times = body(r), between(r, 1000, most)
			parts[stringsPart].thicken(r)
			return pack(parts)
		}))
	}
	shared("millions", func(r *rand.Rand) string { return one(r, "<si/>", "<si><t/></si>", "<si></si>", "<si><t>x</t></si>") }, 10<<20)
	shared("many runs", func(r *rand.Rand) string {
		return one(r, "<r><t>x</t></r>", "<t>x</t>", "<rPh><t>x</t></rPh>", "<si><si>")
	}, 3<<20)
	all = append(all, kind("strings/counts that lie", func(r *rand.Rand) []byte {
		parts := validParts()
		parts[stringsPart].head = strings.Replace(parts[stringsPart].head, `count="5" uniqueCount="5"`, one(r, `count="4294967295" uniqueCount="9223372036854775807"`, `uniqueCount="-1"`, `count="x"`, `uniqueCount="2147483647"`), 1)
		return pack(parts)
	}))
	return all
}
