package access

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Two comments make it possible to tell a whole access file from one that is
// half written. The first line promises the last, so that whatever is cut off
// at the end is missed. The last line has a checksum of all above it, which
// fits no mixture of an old file and a new one either:
//
//	# bencao access file: whole only with its last line, "# end of access file"; leave both where they are
//	…
//	# end of access file (checksum 9f86d081884c7d65)
//
// "bencao keys" writes both. Who edits by hand leaves them as they are: then
// the checksum no longer fits, and the file has to rest before it is believed
// ([File]), but that nothing is cut off is still known, as far down as the
// last line stands.
const (
	headLine = `# bencao access file: whole only with its last line, "# end of access file"; leave both where they are`
	// headStart and endStart are what the lines are known by.
	headStart = `# bencao access file:`
	endStart  = `# end of access file`
)

// proof is how much a text tells of its own wholeness.
type proof int

const (
	// unproven: there is no last line, or its checksum does not fit.
	unproven proof = iota
	// sealed: the checksum fits, so this is what "bencao keys" wrote.
	sealed
)

// prove looks for the first line and the last. A text that lacks its end has
// a problem.
func prove(data []byte) (proof, []Problem) {
	end := findLine(data, endStart)
	if end < 0 {
		half := len(data) > 0 && len(data) < len(headLine) && bytes.HasPrefix([]byte(headLine), data)
		if half || findLine(data, headStart) >= 0 {
			last := bytes.Count(bytes.TrimRight(data, " \t\r\n"), []byte("\n")) + 1
			return unproven, []Problem{{last, fmt.Sprintf("the file is cut off: its last line, %q, is missing; write the file to its end, or put the line back if you took it out", endStart)}}
		}
		return unproven, nil
	}
	if bytes.Equal(bytes.TrimRight(data[end:], " \t\r\n"), []byte(endLine(data[:end]))) {
		return sealed, nil
	}
	return unproven, nil
}

// below returns the number of the first line that stands below the last line,
// 0 if there is none.
func below(data []byte) int {
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

// endLine returns the last line of a file with the text above it.
func endLine(above []byte) string {
	sum := sha256.Sum256(above)
	return endStart + " (checksum " + hex.EncodeToString(sum[:8]) + ")"
}

// seal puts the two lines into text, which may have the first of them.
func seal(text []byte, eol string) []byte {
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

// unseal returns text without its last line, also where somebody has written
// below it. The first stays: it is in nobody's way.
func unseal(text []byte) []byte {
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

// findLine returns where the first line that begins with start stands, -1 if
// there is none.
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
