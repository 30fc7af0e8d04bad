package hostile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// textKinds returns the kinds that are text: CSV, and one name per line.
func textKinds() []Kind {
	const table = "name,family,note\nPanax ginseng,Araliaceae,a root\nGlycyrrhiza uralensis,Fabaceae,\"said \"\"sweet\"\"\"\n人参,五加科,\n"
	separator := func(r *rand.Rand) string { return one(r, ",", "\t", ";", "|") }
	return []Kind{
		kind("text/columns", func(r *rand.Rand) []byte {
			comma := separator(r)
			return []byte("name" + strings.Repeat(comma+one(r, "", "a", "x1"), between(r, 201, 2_000_000)) + "\nPanax ginseng\n")
		}),
		kind("text/columns and rows", func(r *rand.Rand) []byte {
			n := between(r, 100, 100_000)
			row := "Panax ginseng" + strings.Repeat(",", n-1) + "\n"
			return []byte("name" + strings.Repeat(",c", n-1) + "\n" + strings.Repeat(row, min(1000, 4<<20/len(row))))
		}),
		kind("text/long headers", func(r *rand.Rand) []byte {
			n := between(r, 1, 200)
			return []byte("name" + strings.Repeat(","+strings.Repeat(one(r, "x", "\x01"), 1_000_000/n), n) + "\n" + strings.Repeat("Panax\n", between(r, 1, 20_000)))
		}),
		kind("text/rows wider than the header", func(r *rand.Rand) []byte {
			row := "Panax" + strings.Repeat(",", between(r, 3, 1_000_000)) + "\n"
			return []byte("name,note\n" + strings.Repeat(row, between(r, 1, 4<<20/len(row))))
		}),
		kind("text/long cell", func(r *rand.Rand) []byte {
			return []byte("name,note\nPanax ginseng," + one(r, "", "\"") + strings.Repeat(one(r, "x", "\x01", "人", "\"\"", "\n"), between(r, 100_000, 1_300_000)) + one(r, "", "\"") + "\nPanax,x\n")
		}),
		kind("text/long rows", func(r *rand.Rand) []byte {
			row := "Panax ginseng,\"" + strings.Repeat(one(r, "x", "\x01", "\"\"", "\n"), between(r, 100_000, 500_000)) + "\"\n"
			return []byte("name,note\n" + strings.Repeat(row, 4<<20/len(row)))
		}),
		kind("text/long line", func(r *rand.Rand) []byte {
			return []byte(one(r, "", "name\n", "name,x\n", "\"") + strings.Repeat(one(r, "x", ",", "\t", "\"", " ", "a,", "\xb2\xdd"), between(r, 1<<20, 2_400_000)))
		}),
		kind("text/open quote", func(r *rand.Rand) []byte {
			return []byte("name,note\n\"Panax ginseng,x\n" + strings.Repeat("Panax ginseng,x\n", between(r, 100, 200_000)))
		}),
		kind("text/open quotes", func(r *rand.Rand) []byte {
			row := "\"Panax" + strings.Repeat("x", one(r, 0, 10, 1000, 5000, 100_000)) + one(r, "", ",\"", "\"\"") + "\n"
			return []byte("name,note\n" + strings.Repeat(row, between(r, 1, max(2, min(100_000, 4<<20/len(row))))))
		}),
		kind("text/quotes anywhere", func(r *rand.Rand) []byte {
			b := []byte(strings.Repeat(table, between(r, 1, 300)))
			for range between(r, 1, 200) {
				b[r.IntN(len(b))] = one[byte](r, '"', '"', ',', '\n', '\r', '\'')
			}
			return b
		}),
		kind("text/separators", func(r *rand.Rand) []byte {
			lines := strings.Split(strings.Repeat(table, between(r, 1, 50)), "\n")
			for i := range lines {
				lines[i] = strings.ReplaceAll(lines[i], ",", one(r, ",", ",", "\t", ";", "|", ":", "、", "，", "\x1f"))
			}
			return []byte(strings.Join(lines, one(r, "\n", "\r\n", "\r", "\n\r", "\u2028", "\x85")))
		}),
		kind("text/separators alone", func(r *rand.Rand) []byte {
			return []byte(strings.Repeat(one(r, ",", "\t", ";", "|", "\n", "\r", "\r\n", " ", "\"", "\"\n", ",\n", "\u3000"), between(r, 1, 1_300_000)))
		}),
		kind("text/UTF-16", func(r *rand.Rand) []byte {
			big := r.IntN(2) == 0
			b := one(r, "", "\xFF\xFE", "\xFE\xFF") + wide(strings.Repeat(table, between(r, 1, 500)), big)
			return []byte(b[:len(b)-r.IntN(6)])
		}),
		kind("text/UTF-16 of odd units", func(r *rand.Rand) []byte {
			b := []byte(one(r, "\xFF\xFE", "\xFE\xFF") + wide("name\n", false))
			for range between(r, 1, 100_000) {
				b = append(b, byte(r.Uint32()))
			}
			for i := 2; i+1 < len(b); i += 1 + r.IntN(40) {
				b[i] = byte(between(r, 0xD8, 0xDF)) // unpaired surrogates
			}
			return b
		}),
		kind("text/GB18030 cut off", func(r *rand.Rand) []byte {
			row := "\xc8\xcb\xb2\xce,\xce\xe5\xbc\xd3\xbf\xc6,\x81\x30\x81\x30\n" // 人参, 五加科 and a character of four bytes, in GB18030
			b := "name,family,note\n" + strings.Repeat(row, between(r, 1, 500))
			b = strings.ReplaceAll(b, one(r, "\xce,", "\x81\x30\n", "\xbf\xc6"), one(r, "\xce", "\x81\n", "\xbf", "\xff,", "\x80"))
			return []byte(b[:len(b)-r.IntN(6)])
		}),
		kind("text/mixed encodings", func(r *rand.Rand) []byte {
			var b bytes.Buffer
			b.WriteString("name,note\n")
			for range between(r, 1, 3000) {
				b.WriteString(one(r, "人参", "\xc8\xcb\xb2\xce", "\xa4\x48\xb0\xd1", "H\xfcgel", "Panax", "\xff\xfe", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xEF\xBB\xBF") + one(r, ",x\n", "\n", "\r\n", ""))
			}
			return b.Bytes()
		}),
		kind("text/marks", func(r *rand.Rand) []byte {
			b := ""
			for range between(r, 1, 5) {
				b += one(r, "\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\xFF\xFE\x00\x00", "\x00\x00\xFE\xFF", "\x2B\x2F\x76\x38")
			}
			return []byte(b + table)
		}),
		kind("text/zero bytes", func(r *rand.Rand) []byte {
			if r.IntN(2) == 0 {
				return make([]byte, between(r, 1, 4<<20))
			}
			b := []byte(strings.Repeat(table, between(r, 1, 100)))
			for range between(r, 1, len(b)/4) {
				b[r.IntN(len(b))] = 0
			}
			return b
		}),
		kind("text/noise", func(r *rand.Rand) []byte {
			b := make([]byte, between(r, 0, 100_000))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			return b
		}),
		kind("text/bits flipped", func(r *rand.Rand) []byte {
			return []byte(flip(r, strings.Repeat(table, between(r, 1, 50)), between(r, 1, 50)))
		}),
		kind("text/names made to be run", func(r *rand.Rand) []byte {
			var b strings.Builder
			b.WriteString("name,note\n")
			for i := range between(r, 1, 1000) {
				fmt.Fprintf(&b, "%s%d,%s\n", one(r, "=1+", "@SUM(", "+", "-", "<script>", "Panax &amp; ", "\u202e", "'\"><img src=x>", "\x1b[31m", "%s%n", "{{.}}"), i, one(r, "=cmd|' /C calc'!A0", "", "\t=1"))
			}
			return []byte(b.String())
		}),
		kind("text/one name very often", func(r *rand.Rand) []byte {
			return []byte(strings.Repeat(one(r, "Panax\n", "a\n", "\n", "x,\n"), between(r, 10_000, 800_000)))
		}),
		kind("text/long names", func(r *rand.Rand) []byte {
			name := one(r, "Panax ", "× ", "(", "Aa. ", "人参、", "and ", "[", "var. ", "\u0301")
			return []byte("name\n" + strings.Repeat(strings.Repeat(name, between(r, 100, 20_000))+"\n", between(r, 1, 20)))
		}),
	}
}
