package access

import "bytes"

// endLine ends the last line of the text, so that every line has an end.
func (d *document) endLine() {
	if len(d.data) > 0 && d.data[len(d.data)-1] != '\n' {
		d.data = append(bytes.Clone(d.data), d.eol()...)
	}
}

// eol returns the line end that the text uses.
func (d *document) eol() string {
	if bytes.Contains(d.data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// lineStart returns where the line of offset begins.
func (d *document) lineStart(offset int) int {
	return bytes.LastIndexByte(d.data[:offset], '\n') + 1
}

// nextLine returns where the line below that of offset begins.
func (d *document) nextLine(offset int) int {
	i := bytes.IndexByte(d.data[offset:], '\n')
	if i < 0 {
		return len(d.data)
	}
	return offset + i + 1
}

// blank tells whether there is only white space from start to end.
func (d *document) blank(start, end int) bool {
	return len(bytes.TrimSpace(d.data[start:end])) == 0
}

// blankLine tells whether the line that begins at offset is blank.
func (d *document) blankLine(offset int) bool {
	return d.blank(offset, d.nextLine(offset))
}

// restIsComment tells whether nothing but a comment stands between offset and
// the end of its line.
func (d *document) restIsComment(offset int) bool {
	rest := bytes.TrimSpace(d.data[offset:d.nextLine(offset)])
	return len(rest) == 0 || rest[0] == '#'
}

// comment tells whether the line that begins at offset is a comment.
func (d *document) comment(offset int) bool {
	return !d.blankLine(offset) && d.restIsComment(offset)
}

// comma returns where the comma behind a list member that ends at offset is,
// -1 if the list ends without one.
func (d *document) comma(offset int) int {
	for i := offset; i < len(d.data); i++ {
		switch d.data[i] {
		case ',':
			return i
		case ']':
			return -1
		case '#':
			i = d.nextLine(i) - 1
		}
	}
	return -1
}
