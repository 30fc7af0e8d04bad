package access

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

const (
	// maxDepth is the largest number of parts of a dotted name.
	maxDepth = 8
	// maxNames is the largest number of names in a table, and of tables in a file.
	maxNames = 1000
	// maxItems is the largest number of values in a list.
	maxItems = 10_000
)

// CheckBounds returns the number of the first line of a TOML file that exceeds one of these bounds,
// and the reason. If no line does, it returns 0 and "". The bounds protect the TOML library. For a
// megabyte of names the library takes half a minute, because it compares each name with all others
// of the same table and makes a table for each part of a dotted name. CheckBounds accepts text that
// is not TOML; the library reports that error.
func CheckBounds(data []byte) (line int, why string) {
	var p unstable.Parser
	p.Reset(data)
	tables, names := map[string]bool{}, 0
	for p.NextExpression() {
		e := p.Expression()
		parts, first := 0, 0
		for k := e.Key(); k.Next(); parts++ {
			if parts == 0 {
				first = int(k.Node().Raw.Offset)
			}
		}
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			name, _ := dotted(e)
			tables[name], names = true, 0
		case unstable.KeyValue:
			names++
		}
		at := func() int { return 1 + bytes.Count(data[:first], []byte("\n")) }
		switch {
		case parts > maxDepth:
			return at(), fmt.Sprintf("a name has %d parts; at most %d are allowed", parts, maxDepth)
		case len(tables) > maxNames:
			return at(), fmt.Sprintf("there are more than %d different tables", maxNames)
		case names > maxNames:
			return at(), fmt.Sprintf("a table has more than %d names", maxNames)
		case e.Kind == unstable.KeyValue && wide(e.Value()):
			return at(), fmt.Sprintf("a list has more than %d values, or a table in braces has more than %d names or a name of more than %d parts", maxItems, maxNames, maxDepth)
		}
	}
	return 0, ""
}

// wide reports whether v, a list or an inline table, exceeds the bounds. It also checks the lists
// and tables inside v.
func wide(v *unstable.Node) bool {
	type level struct {
		items unstable.Iterator
		table bool
		n     int // number of names or values so far
	}
	open := []level{}
	enter := func(n *unstable.Node) {
		if n.Kind == unstable.Array || n.Kind == unstable.InlineTable {
			open = append(open, level{items: n.Children(), table: n.Kind == unstable.InlineTable})
		}
	}
	enter(v)
	for len(open) > 0 {
		top := &open[len(open)-1]
		if !top.items.Next() {
			open = open[:len(open)-1]
			continue
		}
		n := top.items.Node()
		top.n++
		if !top.table {
			if top.n > maxItems {
				return true
			}
			enter(n)
			continue
		}
		parts := 0
		for k := n.Key(); k.Next(); parts++ {
		}
		if top.n > maxNames || parts > maxDepth {
			return true
		}
		enter(n.Value())
	}
	return false
}
