package access

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// FileError says what is wrong with an access file.
type FileError struct {
	Path     string
	Problems []Problem
}

// Problem is one thing that is wrong, with its line from 1 and how to mend it.
type Problem struct {
	Line int
	Text string
}

// Error lists the problems, one per line, as "path:line: text".
func (e *FileError) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:%d: %s", e.Path, p.Line, p.Text)
	}
	return b.String()
}

// A document is the text of an access file, cut into blocks and fields that
// remember where they stand: the checks say the line, and an edit changes the
// bytes of one field and leaves what people wrote around it.
type document struct {
	data   []byte
	blocks []block
}

// A block is a header, [[key]] or [anonymous], and the fields below it.
type block struct {
	name   string
	list   bool // [[name]]
	start  int  // where the line of the header begins
	end    int  // behind the last field, or the header if there is none
	line   int
	fields []field
}

// A field is a line "name = value"; a list may take several.
type field struct {
	name  string
	start int // of the name
	value value
}

// A value is the right side of a field or a member of a list.
type value struct {
	kind       unstable.Kind
	text       string // of a string without quotes and escapes, else as written
	start, end int
	line       int
	items      []value
	comments   bool // a list with comments in it
}

func (b *block) field(name string) *field {
	for i := range b.fields {
		if b.fields[i].name == name {
			return &b.fields[i]
		}
	}
	return nil
}

// readDocument cuts data into blocks. Its problems are those of TOML itself
// and of what stands where no block is.
func readDocument(data []byte) (*document, []Problem) {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return nil, []Problem{{1, "begins with a byte order mark; save the file as UTF-8 without one"}}
	}
	if line, why := CheckBounds(data); why != "" {
		return nil, []Problem{{line, why}}
	}
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		return nil, []Problem{tomlProblem(err)}
	}
	d := &document{data: data}
	var problems []Problem
	lines := indexLines(data)
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		key, first, last := dotted(e)
		line := lines.at(first)
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			end := last + bytes.IndexByte(data[last:], ']') + 1
			if e.Kind == unstable.ArrayTable {
				end = last + bytes.Index(data[last:], []byte("]]")) + 2
			}
			d.blocks = append(d.blocks, block{
				name: key, list: e.Kind == unstable.ArrayTable, line: line,
				start: bytes.LastIndexByte(data[:first], '\n') + 1, end: end,
			})
		case unstable.KeyValue:
			if len(d.blocks) == 0 {
				problems = append(problems, Problem{line, fmt.Sprintf("%s stands above the first block; write it below [[key]] or [anonymous]", cut(key))})
				continue
			}
			b := &d.blocks[len(d.blocks)-1]
			b.end = int(e.Raw.Offset + e.Raw.Length)
			v := readValue(&p, e.Value(), lines)
			if v.kind == unstable.Array {
				v.start = first + bytes.IndexByte(data[first:], '[')
				v.line = lines.at(v.start)
			}
			v.end = b.end
			b.fields = append(b.fields, field{name: key, start: first, value: v})
		}
	}
	if err := p.Error(); err != nil { // toml.Unmarshal has read the same text without an error
		return nil, []Problem{{1, err.Error()}}
	}
	return d, problems
}

// dotted returns the name of an expression and where it begins and ends.
func dotted(e *unstable.Node) (name string, first, last int) {
	var parts []string
	it := e.Key()
	for it.Next() {
		n := it.Node()
		if len(parts) == 0 {
			first = int(n.Raw.Offset)
		}
		last = int(n.Raw.Offset + n.Raw.Length)
		parts = append(parts, string(n.Data))
	}
	return strings.Join(parts, "."), first, last
}

func readValue(p *unstable.Parser, n *unstable.Node, lines lineIndex) value {
	v := value{kind: n.Kind, text: string(n.Data), start: int(n.Raw.Offset), end: int(n.Raw.Offset + n.Raw.Length)}
	v.line = lines.at(v.start)
	if n.Kind != unstable.Array {
		return v
	}
	it := n.Children()
	for it.Next() {
		if c := it.Node(); c.Kind == unstable.Comment {
			v.comments = true
		} else {
			v.items = append(v.items, readValue(p, c, lines))
		}
	}
	return v
}

// tomlProblem turns an error of the TOML reader into ours. Its message names
// the rule that is broken, and shows no more of the text than a character.
func tomlProblem(err error) Problem {
	line := 1
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, _ = de.Position()
	}
	return Problem{line, strings.TrimPrefix(err.Error(), "toml: ")}
}

// A lineIndex finds the line of an offset.
type lineIndex []int // where the lines begin

func indexLines(data []byte) lineIndex {
	starts := lineIndex{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// at returns the number of the line, from 1.
func (l lineIndex) at(offset int) int {
	i, found := slices.BinarySearch(l, offset)
	if found {
		return i + 1
	}
	return i
}

// finishLine ends the last line of the text, so that every line has an end.
func (d *document) finishLine() {
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
	return nextLine(d.data, offset)
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

// nextLine returns where in data the line below that of offset begins.
func nextLine(data []byte, offset int) int {
	if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(data)
}
