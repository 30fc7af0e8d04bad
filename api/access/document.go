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

// FileError lists what is wrong with an access file.
type FileError struct {
	Path     string
	Problems []Problem
}

// Problem is one error in an access file. Line counts from 1. Text says how to correct the error.
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

// A block is a header, [[key]] or [anonymous], and the settings below it.
type block struct {
	name   string
	list   bool // the header is [[name]], not [name]
	line   int
	fields []field
}

// A field is "name = value".
type field struct {
	name  string
	value value
}

// A value is the right side of a field, or an element of a list there.
type value struct {
	kind  unstable.Kind
	text  string // for a string, the text without quotes and with escapes resolved; for any other value, the text as written
	line  int
	items []value
}

func (b *block) field(name string) *field {
	for i := range b.fields {
		if b.fields[i].name == name {
			return &b.fields[i]
		}
	}
	return nil
}

// readBlocks splits the text of an access file into blocks. It reports errors of TOML itself, and
// settings above the first block. ok is false if the text cannot be split into blocks.
func readBlocks(data []byte) (blocks []block, problems []Problem, ok bool) {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return nil, []Problem{{1, "begins with a byte order mark; save the file as UTF-8 without one"}}, false
	}
	if line, why := CheckBounds(data); why != "" {
		return nil, []Problem{{line, why}}, false
	}
	// The parser below does not detect a name that is given twice. toml.Unmarshal does.
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		return nil, []Problem{tomlProblem(err)}, false
	}
	lines := indexLines(data)
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		key, first := dotted(e)
		line := lines.at(first)
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			blocks = append(blocks, block{name: key, list: e.Kind == unstable.ArrayTable, line: line})
		case unstable.KeyValue:
			if len(blocks) == 0 {
				problems = append(problems, Problem{line, fmt.Sprintf("%s is above the first block; write it below [[key]] or [anonymous]", cut(key))})
				continue
			}
			v := readValue(e.Value(), lines)
			if v.kind == unstable.Array { // the parser does not report the position of a list
				v.line = lines.at(first + bytes.IndexByte(data[first:], '['))
			}
			b := &blocks[len(blocks)-1]
			b.fields = append(b.fields, field{name: key, value: v})
		}
	}
	if err := p.Error(); err != nil { // not expected, because toml.Unmarshal has read the same text without an error
		return nil, []Problem{{1, err.Error()}}, false
	}
	return blocks, problems, true
}

// dotted returns the dotted name on the left side of an expression, and the offset of the first
// part of that name.
func dotted(e *unstable.Node) (name string, first int) {
	var parts []string
	it := e.Key()
	for it.Next() {
		n := it.Node()
		if len(parts) == 0 {
			first = int(n.Raw.Offset)
		}
		parts = append(parts, string(n.Data))
	}
	return strings.Join(parts, "."), first
}

func readValue(n *unstable.Node, lines lineIndex) value {
	v := value{kind: n.Kind, text: string(n.Data), line: lines.at(int(n.Raw.Offset))}
	if n.Kind != unstable.Array {
		return v
	}
	it := n.Children()
	for it.Next() {
		if c := it.Node(); c.Kind != unstable.Comment {
			v.items = append(v.items, readValue(c, lines))
		}
	}
	return v
}

// tomlProblem returns the problem for an error of the TOML library. The library's message names the
// broken rule and quotes at most one character of the text.
func tomlProblem(err error) Problem {
	line := 1
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, _ = de.Position()
	}
	return Problem{line, strings.TrimPrefix(err.Error(), "toml: ")}
}

// A lineIndex finds the line that contains an offset.
type lineIndex []int // the offsets at which lines begin

func indexLines(data []byte) lineIndex {
	starts := lineIndex{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// at returns the number of the line that contains offset, from 1.
func (l lineIndex) at(offset int) int {
	i, found := slices.BinarySearch(l, offset)
	if found {
		return i + 1
	}
	return i
}
