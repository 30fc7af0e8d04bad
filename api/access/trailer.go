package access

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Two comments show whether an access file is complete. The first line announces the last line. A
// file that has the first and lacks the last line is therefore known to be cut off. The last line
// has a checksum of everything above it. If the text above has been changed, or mixes an old and a
// new file, the checksum does not match:
//
//	# bencao access file: whole only with its last line, "# end of access file"; leave both where they are
//	…
//	# end of access file (checksum 9f86d081884c7d65)
//
// "bencao keys" writes both lines. After an edit by hand, both lines are still there, but the
// checksum no longer matches. A server then waits until the file has not changed for a while (see
// [File]). Even then, the last line proves that nothing above it was cut off.
const (
	headLine = `# bencao access file: whole only with its last line, "# end of access file"; leave both where they are`
	// headStart and endStart are the beginnings of the two lines, by which they are recognised.
	headStart = `# bencao access file:`
	endStart  = `# end of access file`
)

// checkTrailer reports whether the text of a file is sealed: its checksum matches, so "bencao keys"
// wrote it and it is complete. If the file is known to be cut off, checkTrailer returns a problem.
func checkTrailer(data []byte) (sealed bool, problems []Problem) {
	end := findLine(data, endStart)
	if end < 0 {
		half := len(data) > 0 && len(data) < len(headLine) && bytes.HasPrefix([]byte(headLine), data)
		if half || findLine(data, headStart) >= 0 {
			last := bytes.Count(bytes.TrimRight(data, " \t\r\n"), []byte("\n")) + 1
			return false, []Problem{{last, fmt.Sprintf("the file is cut off: its last line, %q, is missing; write the file to its end, or put the line back if you took it out", endStart)}}
		}
		return false, nil
	}
	return bytes.Equal(bytes.TrimRight(data[end:], " \t\r\n"), []byte(endLine(data[:end]))), nil
}

// lineAfterTrailer returns the number of the first line that has text and is below the line that
// should be the last. It returns 0 if there is no such line.
func lineAfterTrailer(data []byte) int {
	end := findLine(data, endStart)
	if end < 0 {
		return 0
	}
	rest := bytes.TrimLeft(data[nextLine(data, end):], " \t\r\n")
	if len(rest) == 0 {
		return 0
	}
	return bytes.Count(data[:len(data)-len(rest)], []byte("\n")) + 1
}

// endLine returns the last line of an access file. The line has the checksum of the text above.
func endLine(above []byte) string {
	sum := sha256.Sum256(above)
	return endStart + " (checksum " + hex.EncodeToString(sum[:8]) + ")"
}

// seal returns text with the first and the last line that "bencao keys" writes. If text has these
// lines already, seal replaces them, even if more text follows the last line.
func seal(text []byte) []byte {
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	text = withoutTrailer(text)
	var out bytes.Buffer
	if findLine(text, headStart) < 0 {
		out.WriteString(headLine + eol)
		if len(text) > 0 && !bytes.ContainsAny(text[:1], "#\r\n") {
			out.WriteString(eol)
		}
	}
	out.Write(text)
	if !bytes.HasSuffix(text, []byte("\n")) {
		out.WriteString(eol)
	}
	if !bytes.HasSuffix(out.Bytes(), []byte("\n"+eol)) {
		out.WriteString(eol)
	}
	out.WriteString(endLine(out.Bytes()) + eol)
	return out.Bytes()
}

// withoutTrailer returns text without the lines that begin like the last line of an access file,
// wherever they are.
func withoutTrailer(text []byte) []byte {
	var out []byte
	for {
		end := findLine(text, endStart)
		if end < 0 {
			return append(out, text...)
		}
		out = append(out, text[:end]...)
		text = text[nextLine(text, end):]
	}
}

// findLine returns the offset of the first line that starts with start, or -1 if there is none.
func findLine(data []byte, start string) int {
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte(start))
		if i < 0 {
			return -1
		}
		if at += i; at == 0 || data[at-1] == '\n' {
			return at
		}
		at += len(start)
	}
}

// nextLine returns the offset at which the line after the one with offset begins.
func nextLine(data []byte, offset int) int {
	if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(data)
}
