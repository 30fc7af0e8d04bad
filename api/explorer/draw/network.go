package draw

import (
	"html/template"
	"math"
)

// Node is a thing round the middle of a network.
type Node struct {
	Name, Note string
	// Near is its likeness to the middle, from 0 to 1.
	Near float64
}

// mostNodes is how many nodes have room.
const mostNodes = 12

// Network draws the things that are most like the one in the middle: the nearer,
// the more alike. It has 360 units in width, wherever it stands; labels stand in
// rows of their own left and right, so that none covers another.
func Network(middle string, nodes []Node, label string) template.HTML {
	nodes = nodes[:min(mostNodes, len(nodes))]
	const width, row, top = 360, 44, 30
	rows := (len(nodes) + 1) / 2
	height := 2*top + row*max(rows-1, 1)
	cx, cy := width/2.0, float64(height)/2
	var p picture
	p.add(`<svg role="img" viewBox="0 0 %d %d" aria-label="%s">`, width, height, label)
	type place struct{ x, y, labelX float64 }
	places := make([]place, len(nodes))
	for i, n := range nodes {
		side := 1.0
		if i%2 == 1 {
			side = -1
		}
		y := cy
		if rows > 1 {
			y = float64(top) + float64(height-2*top)*float64(order(i/2, rows))/float64(rows-1)
		}
		// The nearest stands 30 from the middle and the farthest 92.
		away := 30 + 62*math.Sqrt(1-min(max(n.Near, 0), 1))
		places[i] = place{x: cx + side*away, y: y, labelX: cx + side*(away+9)}
	}
	for _, at := range places {
		p.add(`<line class="ed" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, cx, cy, at.x, at.y)
	}
	for i, n := range nodes {
		at, anchor := places[i], "start"
		if i%2 == 1 {
			anchor = "end"
		}
		p.add(`<circle class="nd" cx="%.1f" cy="%.1f" r="5"/>`, at.x, at.y)
		p.add(`<text class="halo" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, at.labelX, at.y+4, anchor, short(n.Name))
		p.add(`<text class="t3 halo" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, at.labelX, at.y+18, anchor, short(n.Note))
	}
	p.add(`<circle class="nd0" cx="%.1f" cy="%.1f" r="8"/><text class="b halo" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, cx, cy, cx, cy+25, short(middle))
	return p.end()
}

// order spreads the nearest round the middle: the rows are taken from the middle
// outwards, by turns above and below.
func order(i, rows int) int {
	middle := (rows - 1) / 2
	if i%2 == 1 {
		return middle + (i+1)/2
	}
	return middle - i/2
}

// room is how wide a label may be, in halves of a Chinese character.
const room = 14

// short cuts a label to what has room.
func short(label string) string {
	width := 0
	for i, r := range label {
		if width++; r > 0x2e7f {
			width++
		}
		if width > room {
			return label[:i] + "…"
		}
	}
	return label
}
