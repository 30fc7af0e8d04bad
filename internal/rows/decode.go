package rows

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"bencao/internal/messages"
)

// encodings lists the encodings of lists. In all of them except UTF-16, a line feed is the same byte
// as in ASCII. A list can therefore be split into lines before it is decoded. [wide] converts UTF-16
// earlier.
var encodings = map[string]encoding.Encoding{
	"UTF-16LE":     unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"UTF-16BE":     unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"GB18030":      simplifiedchinese.GB18030,
	"Big5":         traditionalchinese.Big5,
	"Windows-1252": charmap.Windows1252,
	"Shift_JIS":    japanese.ShiftJIS,
	"EUC-JP":       japanese.EUCJP,
	"EUC-KR":       korean.EUCKR,
	"Windows-1250": charmap.Windows1250,
	"Windows-1251": charmap.Windows1251,
	"ISO-8859-2":   charmap.ISO8859_2,
	"ISO-8859-15":  charmap.ISO8859_15,
	"KOI8-R":       charmap.KOI8R,
	"Macintosh":    charmap.Macintosh,
}

// Encodings returns the names of the encodings that [ListOptions] takes, sorted.
func Encodings() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range encodings {
			if !yield(name) {
				return
			}
		}
		yield("UTF-8")
	})
}

// guessed maps the results of [Guess] to keys of encodings.
var guessed = map[string]string{"GB18030": "GB18030", "GBK (or GB18030)": "GB18030", "Big5": "Big5", "Latin-1 or Windows-1252": "Windows-1252"}

// markGB is the byte-order mark of GB18030.
const markGB = "\x84\x31\x95\x33"

// wide converts UTF-16, with or without byte-order mark, to UTF-8, and GB18030 with it. It also removes
// the byte-order mark of UTF-8. If it converts the text, wide returns the name of its encoding,
// otherwise "". name is the encoding if it is known, or "".
func wide(r io.Reader, name string) (io.Reader, string) {
	in := bufio.NewReaderSize(r, chunk)
	head, _ := in.Peek(chunk) // a short list has fewer bytes; the next read returns any error
	known := name != ""
	if !strings.HasPrefix(name, "UTF-16") {
		name = ""
	}
	switch {
	case bytes.HasPrefix(head, []byte(markGB)):
		in.Discard(len(markGB)) // cannot fail: the bytes are buffered
		name = "GB18030"
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		in.Discard(3) // cannot fail: the bytes are buffered
	case known && name == "": // the encoding named is not UTF-16
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		name = "UTF-16LE"
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		name = "UTF-16BE"
	case name == "":
		name = unmarked(head)
	}
	if name == "" {
		return in, ""
	}
	return encodings[name].NewDecoder().Reader(in), name
}

// oldMac replaces carriage returns, the line ends of the old Mac OS, by line feeds.
type oldMac struct{ io.Reader }

func (r oldMac) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// ended returns a reader of the same text in which every line ends in a line feed. If the first
// chunk has carriage returns but no line feed, the reader replaces the carriage returns.
func ended(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(chunk) // a short list has fewer bytes; the next read returns any error
	if i := bytes.IndexByte(head, '\r'); i < 0 || bytes.IndexByte(head, '\n') >= 0 {
		return in
	}
	return bufio.NewReaderSize(oldMac{in}, chunk)
}

// unmarked detects UTF-16 without byte-order mark. In each ASCII character and line end of UTF-16,
// one of the two bytes is 0, always the first or always the second. ASCII text with some zero bytes
// is not taken for UTF-16, because its line ends have no zero byte.
func unmarked(head []byte) string {
	if ascii(head) {
		for i, c := range head {
			if c == '\n' && (i == 0 || head[i-1] != 0) && i+1 < len(head) && head[i+1] != 0 {
				return ""
			}
		}
	}
	var zero [2]int
	for i, c := range head {
		if c == 0 {
			zero[i%2]++
		}
	}
	switch {
	case zero[1] > 0 && zero[0] == 0 && 50*zero[1] >= len(head):
		return "UTF-16LE"
	case zero[0] > 0 && zero[1] == 0 && 50*zero[0] >= len(head):
		return "UTF-16BE"
	}
	return ""
}

// decoder converts lines to UTF-8.
type decoder struct {
	// name is the encoding, or "" while all lines are ASCII.
	name string
	// ahead returns the buffered text that follows the present line.
	ahead func() []byte
}

// line returns a line in UTF-8. At the first line that is not ASCII, it guesses the encoding of all
// lines. Bytes that cannot be decoded become U+FFFD; lost is true if there are any.
func (d *decoder) line(line []byte) (text []byte, lost bool) {
	if ascii(line) {
		return line, false
	}
	if d.name == "" {
		d.name = d.guess(line)
	}
	if d.name == "UTF-8" {
		if utf8.Valid(line) {
			return line, false
		}
		return bytes.ToValidUTF8(line, []byte("\uFFFD")), true
	}
	text, err := encodings[d.name].NewDecoder().Bytes(line)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return bytes.ToValidUTF8(text, []byte("\uFFFD")), true
	}
	return text, false
}

// The errors of a row.
var (
	rowLost    = messages.Define("row-lost", "is not %s; save the whole list in one encoding, best in UTF-8")
	rowTooLong = messages.Define("row-too-long", "has %d bytes; at most %d are read")
	rowLacks   = messages.Define("row-lacks", "has a cell with the shared string number %v, which the workbook does not have; save it again in its program")
	rowCells   = messages.Define("row-cells", "has %d cells, but the header has %d")
	rowQuote   = messages.Define("row-quote", "has a quote that does not end")
)

// guess returns the encoding of a line that is not ASCII, from the line and the buffered text after
// it. If no encoding fits, guess returns UTF-8, and the bytes of each such line are lost.
func (d *decoder) guess(line []byte) string {
	isUTF8 := utf8.Valid(line) // it may be so by chance, as 目 in GB18030
	sample := append(bytes.Clone(line), d.ahead()...)
	lines, valid := 0, 0
	for l := range bytes.Lines(sample) {
		if !ascii(l) {
			lines++
			if utf8.Valid(l) {
				valid++
			}
		}
	}
	if 2*valid > lines || isUTF8 && 2*valid == lines {
		return "UTF-8" // other lines are damaged
	}
	name := guessed[Guess(sample)]
	if name != "" && !isUTF8 && fits(line, name) {
		return name
	}
	// A Chinese list may begin with a damaged line. One in Windows-1252 does not: the few bytes that it
	// lacks are frequent in other encodings, and all others would be wrong letters.
	if name == "GB18030" || name == "Big5" {
		damaged := 0
		for l := range bytes.Lines(sample) {
			if !fits(l, name) {
				damaged++
			}
		}
		if 2*damaged < lines {
			return name
		}
	}
	return "UTF-8"
}

// fits reports whether a line can be decoded in an encoding.
func fits(line []byte, name string) bool {
	text, err := encodings[name].NewDecoder().Bytes(line)
	return err == nil && !bytes.ContainsRune(text, utf8.RuneError) && !strings.ContainsFunc(string(text), private)
}

// private reports whether r occurs only in wrongly decoded text.
func private(r rune) bool { return r >= 0xE000 && r <= 0xF8FF || r >= 0x80 && r < 0xA0 }

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
