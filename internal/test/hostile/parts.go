package hostile

import (
	"math/rand/v2"
	"strings"
)

// ways lists the ways to damage a part.
var ways = []struct {
	name  string
	spoil func(r *rand.Rand, p *part)
}{
	{"bloated", func(r *rand.Rand, p *part) {
		p.times = one(r, between(r, 1<<16, 16<<20), between(r, 16<<20, 80<<20)) / len(p.body)
	}},
	{"nested", func(r *rand.Rand, p *part) {
		name := one(r, "a", "row", "c", "si", "is", "r", "sheets", "x:y")
		p.body, p.times = "<"+name+">", between(r, 100, 12<<20)
		if r.IntN(2) == 0 { // half of the lists also have the end tags
			p.times = between(r, 100, 100_000)
			p.tail = strings.Repeat("</"+name+">", p.times) + p.tail
		}
	}},
	{"truncated", func(r *rand.Rand, p *part) {
		text := p.text()
		p.head, p.tail = text[:r.IntN(len(text))], ""
	}},
	{"flipped", func(r *rand.Rand, p *part) { p.head, p.tail = flip(r, p.text(), between(r, 1, 20)), "" }},
	{"large attribute", func(r *rand.Rand, p *part) {
		p.head += `<c a="`
		p.tail = `"/>` + p.tail
		p.body, p.times = "xxxxxxxx", between(r, 1<<17, 8<<20)
	}},
	{"many attributes", func(r *rand.Rand, p *part) {
		p.head += `<c`
		p.tail = `/>` + p.tail
		p.body, p.times = ` a=""`, between(r, 1<<17, 10<<20)
	}},
	{"large text", func(r *rand.Rand, p *part) {
		p.head += one(r, "<si><t>", `<row><c t="inlineStr"><is><t>`, `<row><c><v>`, "<t>", "")
		p.tail = one(r, "</t></si>", "</t></is></c></row>", "</v></c></row>", "") + p.tail
		p.body, p.times = one(r, "x", "人参", "&lt;", "_x0041_", "\n"), between(r, 1<<20, 12<<20)
	}},
	{"large comment", func(r *rand.Rand, p *part) {
		p.head += one(r, "<!--", "<![CDATA[", "<?x ", "</", "<", "&")
		p.body, p.times = "xxxxxxxx", between(r, 1<<17, 8<<20)
		p.tail = one(r, "-->", "]]>", "?>", ">", ";", "") + p.tail
	}},
	{"entities", func(r *rand.Rand, p *part) {
		var dtd strings.Builder
		dtd.WriteString(declaration + `<!DOCTYPE x [<!ENTITY e0 "` + strings.Repeat("lol", 1000) + `">` + one(r, "", `<!ENTITY file SYSTEM "file:///etc/passwd">`, `<!ENTITY % far SYSTEM "http://example.org/x.dtd"> %far;`))
		for i := 1; i < 10; i++ {
			at := string(rune('0' + i - 1))
			dtd.WriteString(`<!ENTITY e` + string(rune('0'+i)) + ` "` + strings.Repeat("&e"+at+";", 10) + `">`)
		}
		p.head = dtd.String() + "]>" + strings.TrimPrefix(p.head, declaration)
		p.body, p.times = strings.Replace(p.body, ">", ">"+one(r, "&e9;", "&file;", "&#0;", "&#x110000;", "&nbsp;"), 1), between(r, 1, 1000)
	}},
	{"empty", func(r *rand.Rand, p *part) { p.head, p.tail = one(r, "", " ", declaration, "<a/>", "\xEF\xBB\xBF"), "" }},
	{"other encoding", func(r *rand.Rand, p *part) {
		text := strings.Replace(p.text(), "UTF-8", one(r, "UTF-16", "GB18030", "UTF-7", "x", ""), 1)
		p.head, p.tail = text, ""
		switch r.IntN(4) {
		case 0:
			p.head = "\xFF\xFE" + wide(text, false)
		case 1:
			p.head = "\xFE\xFF" + wide(text, true)
		case 2:
			p.head = wide(text, false)[:between(r, 1, len(text))]
		}
	}},
}

// partKinds returns the kinds that damage one part of a workbook.
func partKinds() []Kind {
	var all []Kind
	for i, p := range validParts() {
		file := p.name[strings.LastIndex(p.name, "/")+1:]
		for _, way := range ways {
			all = append(all, kind("workbook/"+file+"/"+way.name, func(r *rand.Rand) []byte {
				parts := validParts()
				way.spoil(r, &parts[i])
				parts[i].thicken(r)
				return pack(parts)
			}))
		}
		all = append(all, kind("workbook/"+file+"/missing", func(r *rand.Rand) []byte {
			parts := validParts()
			parts[i].name = one(r, "x", "../"+p.name, "/"+p.name, strings.ToUpper(p.name), strings.ReplaceAll(p.name, "/", `\`), p.name+"/x")
			return pack(parts)
		}))
	}
	return all
}

// flip flips n random bits of a text.
func flip(r *rand.Rand, text string, n int) string {
	b := []byte(text)
	for range n {
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	}
	return string(b)
}

// wide converts a text to UTF-16, big-endian if big is set. The text must have no characters above
// U+FFFF.
func wide(text string, big bool) string {
	var b strings.Builder
	for _, c := range text {
		hi, lo := byte(c>>8), byte(c)
		if big {
			b.Write([]byte{hi, lo})
		} else {
			b.Write([]byte{lo, hi})
		}
	}
	return b.String()
}
