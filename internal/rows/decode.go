package rows

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"bencao/internal/messages"
)

// The encodings that a list is read in. Those but UTF-16 hold ASCII as it is,
// so their lines are cut before they are decoded.
var encodings = map[string]encoding.Encoding{
	"UTF-16LE":     unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"UTF-16BE":     unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"GB18030":      simplifiedchinese.GB18030,
	"Big5":         traditionalchinese.Big5,
	"Windows-1252": charmap.Windows1252,
}

// guessed are the encodings by the words of [Guess].
var guessed = map[string]string{"GB18030": "GB18030", "GBK (or GB18030)": "GB18030", "Big5": "Big5", "Latin-1 or Windows-1252": "Windows-1252"}

// wide makes UTF-8 of what is UTF-16, with a mark or without, and takes the mark
// off UTF-8. It returns the name of the encoding if it is UTF-16, else "".
func wide(r io.Reader) (io.Reader, string) {
	in := bufio.NewReaderSize(r, chunk)
	head, _ := in.Peek(chunk) // a short list has less, and an error comes again when it is read
	name := ""
	switch {
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		in.Discard(3) // they are there
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		name = "UTF-16LE"
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		name = "UTF-16BE"
	default:
		name = unmarked(head)
	}
	if name == "" {
		return in, ""
	}
	return encodings[name].NewDecoder().Reader(in), name
}

// oldMac reads lines that end in a carriage return alone, as old Macintoshes
// wrote them, as lines.
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

// ended returns in, with the ends of its lines as all others have them.
func ended(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(chunk) // a short list has less, and an error comes again when it is read
	if i := bytes.IndexByte(head, '\r'); i < 0 || bytes.IndexByte(head, '\n') >= 0 {
		return in
	}
	return bufio.NewReaderSize(oldMac{in}, chunk)
}

// unmarked tells UTF-16 without a mark from all else: of each line's end and
// each plain letter one byte is 0, always the same of two. Plain ASCII with a
// zero byte in it is none: the ends of its lines have no second byte.
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

// decoder makes UTF-8 of lines.
type decoder struct {
	// name is the encoding of the lines, "" as long as all are ASCII.
	name string
	// ahead returns what is known of the list behind a line.
	ahead func() []byte
}

// line returns a line in UTF-8. The first line that is not plain ASCII says how
// all are encoded. What can't be decoded becomes U+FFFD, and is told.
func (d *decoder) line(line []byte) ([]byte, error) {
	if ascii(line) {
		return line, nil
	}
	if d.name == "" {
		d.name = "UTF-8"
		if !utf8.Valid(line) {
			d.name = d.guess(line)
		}
	}
	if d.name == "UTF-8" {
		if utf8.Valid(line) {
			return line, nil
		}
		return bytes.ToValidUTF8(line, []byte("\uFFFD")), rowNotUTF8.With()
	}
	text, err := encodings[d.name].NewDecoder().Bytes(line)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return bytes.ToValidUTF8(text, []byte("\uFFFD")), rowNotAsBefore.With(d.name)
	}
	return text, nil
}

// What is wrong with a row.
var (
	rowNotUTF8     = messages.Define("row-not-utf8", "is not UTF-8; save the whole list in one encoding, best in UTF-8")
	rowNotAsBefore = messages.Define("row-not-as-before", "is not %s as the lines before; save the whole list in one encoding, best in UTF-8")
	rowTooLong     = messages.Define("row-too-long", "has %d bytes; at most %d are read")
	rowCells       = messages.Define("row-cells", "has %d cells, but the header has %d")
	rowQuote       = messages.Define("row-quote", "has a quote that does not end")
)

// guess is the encoding of a line that is not UTF-8, by it and what is known of
// those behind it. It is UTF-8 when nothing else fits, so that each such line
// is told.
func (d *decoder) guess(line []byte) string {
	sample := append(bytes.Clone(line), d.ahead()...)
	for _, b := range [][]byte{sample, line} {
		name := guessed[Guess(b)]
		if name == "" {
			continue
		}
		if text, err := encodings[name].NewDecoder().Bytes(line); err == nil && !bytes.ContainsRune(text, utf8.RuneError) && !strings.ContainsFunc(string(text), private) {
			return name
		}
	}
	return "UTF-8"
}

// private tells characters that no text has: what a wrong encoding makes.
func private(r rune) bool { return r >= 0xE000 && r <= 0xF8FF || r >= 0x80 && r < 0xA0 }

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
