package access

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A splice puts text in the place of the bytes from start to end.
type splice struct {
	start, end int
	text       string
}

// apply returns the text with the splices made.
func (d *document) apply(splices []splice) ([]byte, error) {
	slices.SortStableFunc(splices, func(a, b splice) int { return a.start - b.start })
	var out bytes.Buffer
	pos := 0
	for _, s := range splices {
		if s.start < pos {
			return nil, errors.New("two changes of the access file meet in one place; make them one after the other")
		}
		out.Write(d.data[pos:s.start])
		out.WriteString(s.text)
		pos = s.end
	}
	out.Write(d.data[pos:])
	return out.Bytes(), nil
}

// keyBlock returns the block of key number i.
func (d *document) keyBlock(i int) *block {
	for n := range d.blocks {
		if b := &d.blocks[n]; b.name == "key" {
			if i == 0 {
				return b
			}
			i--
		}
	}
	return nil
}

// appendKey writes a block at the end.
func (d *document) appendKey(e Entry) splice {
	eol := d.eol()
	var b strings.Builder
	if len(bytes.TrimSpace(d.data)) > 0 && !bytes.HasSuffix(d.data, []byte("\n"+eol)) {
		b.WriteString(eol)
	}
	b.WriteString("[[key]]" + eol)
	for i := range columns {
		if v := columns[i].render(e); v != "" {
			b.WriteString(columns[i].name + " = " + v + eol)
		}
	}
	return splice{len(d.data), len(d.data), b.String()}
}

// render returns the value of a setting on one line, empty if it has none.
func (k *columnSpec) render(e Entry) string {
	if k.list == nil {
		return k.write(e)
	}
	return "[" + strings.Join(quoted(k.list(e)), ", ") + "]"
}

func quoted(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = quote(s)
	}
	return out
}

// updateKey changes the settings in which after differs from before.
func (d *document) updateKey(b *block, before, after Entry) []splice {
	var out []splice
	below := d.nextLine(b.start) // where a setting that is missing goes
	indent := ""
	for i := range columns {
		k := &columns[i]
		f := b.field(k.name)
		text := k.render(after)
		if text != k.render(before) {
			switch {
			case f == nil && text != "":
				out = append(out, splice{below, below, indent + k.name + " = " + text + d.eol()})
			case f == nil:
			case text == "" && f.value.kind == unstable.Bool:
				out = append(out, splice{f.value.start, f.value.end, "false"})
			case text == "":
				out = append(out, splice{d.lineStart(f.start), d.nextLine(f.value.end), ""})
			case k.list != nil:
				out = append(out, d.updateList(f.value, k.list(after), k.canon)...)
			default:
				out = append(out, splice{f.value.start, f.value.end, text})
			}
		}
		if f != nil {
			below = d.nextLine(f.value.end)
			indent = string(d.data[d.lineStart(f.start):f.start])
		}
	}
	return out
}

// updateList takes members out of a list and puts new ones behind the last.
// A list on one line is written anew; in others the lines of the members that
// stay are left with their comments, and a comment behind a member goes with it.
func (d *document) updateList(v value, want []string, canon func(string) string) []splice {
	if !bytes.Contains(d.data[v.start:v.end], []byte("\n")) {
		return []splice{{v.start, v.end, "[" + strings.Join(quoted(want), ", ") + "]"}}
	}
	var out []splice
	var have []string
	add, indent := v.start+1, "" // where new members go
	for i, item := range v.items {
		text := canon(item.text)
		have = append(have, text)
		comma := d.comma(item.end)
		end := item.end
		if comma >= 0 {
			end = comma + 1
		}
		start := d.lineStart(item.start)
		ownLine := d.blank(start, item.start) && d.restIsComment(end) && d.lineStart(end) == d.lineStart(item.end)
		if ownLine {
			indent = string(d.data[start:item.start])
		}
		if !slices.Contains(want, text) {
			switch {
			case ownLine:
				out = append(out, splice{start, d.nextLine(end), ""})
			case comma >= 0:
				out = append(out, splice{item.start, item.end, ""}, splice{comma, comma + 1, ""})
			default:
				out = append(out, splice{item.start, item.end, ""})
			}
		} else if comma < 0 {
			out = append(out, splice{item.end, item.end, ","})
		}
		if i == len(v.items)-1 {
			add = end
		}
	}
	lines := len(v.items) > 0 && d.restIsComment(add)
	if lines {
		add = d.nextLine(add)
	}
	for _, text := range want {
		switch {
		case slices.Contains(have, text):
		case lines:
			out = append(out, splice{add, add, indent + quote(text) + "," + d.eol()})
		default:
			out = append(out, splice{add, add, " " + quote(text) + ","})
		}
	}
	return out
}

// removeKey takes out a block with the comments that belong to it: those right
// above its header, unless they are the head of the file, and those right
// below its last line, unless another header follows them.
func (d *document) removeKey(b *block) splice {
	start := b.start
	for start > 0 && d.comment(d.lineStart(start-1)) {
		start = d.lineStart(start - 1)
	}
	if start == 0 {
		start = b.start
	}
	end := d.nextLine(b.end)
	below := end
	for below < len(d.data) && d.comment(below) {
		below = d.nextLine(below)
	}
	if below == len(d.data) || d.blankLine(below) {
		end = below
	}
	for end < len(d.data) && d.blankLine(end) {
		end = d.nextLine(end)
	}
	return splice{start, end, ""}
}
