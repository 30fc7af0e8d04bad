package draw

import (
	"html/template"
	"math"
)

// Node is a node around the centre of a network.
type Node struct {
	Name, Note string
	// Near is the similarity to the centre, from 0 to 1.
	Near float64
}

// Ring is a circle around the centre. All points on it have the same similarity to the centre.
type Ring struct {
	Near float64
	Text string
}

// mostNodes is the largest number of nodes that Network draws.
const mostNodes = 12

// Network draws nodes around a centre. The more similar a node is to the centre, the closer it is.
// The rings are the scale. The picture is 360 units wide. One half of the labels is in a column on
// the left, the other half in a column on the right, so that no label covers another. The label of
// the most similar node is at the top. A thin line connects each label with its node.
func Network(middle string, nodes []Node, rings []Ring, label string) template.HTML {
	nodes = nodes[:min(mostNodes, len(nodes))]
	const width, row, margin = 360, 40, 30
	const inner, outer, labels = 34, 80, 92 // radii of the innermost and outermost circle, and the distance of the labels from the middle
	rows := (len(nodes) + 1) / 2
	height := max(2*margin+row*max(rows-1, 1), 2*(outer+14))
	cx, cy := width/2.0, float64(height)/2
	least := 1.0
	for _, r := range rings {
		least = min(least, r.Near)
	}
	for _, n := range nodes {
		least = min(least, n.Near)
	}
	away := func(near float64) float64 {
		if least >= 1 {
			return inner
		}
		return inner + (outer-inner)*(1-near)/(1-least)
	}
	var p picture
	p.add(`<svg role="img" viewBox="0 0 %d %d" aria-label="%s">`, width, height, label)
	for _, r := range rings {
		p.add(`<circle class="gr" cx="%.1f" cy="%.1f" r="%.1f"/>`, cx, cy, away(r.Near))
	}
	for i, n := range nodes {
		side, anchor := 1.0, "start"
		if i%2 == 1 {
			side, anchor = -1, "end"
		}
		// From top to bottom, the nodes on one side have the same order as their labels.
		place := (float64(i/2) + .5) / float64(rows)
		angle := math.Pi * (place - .5)
		x, y := cx+side*away(n.Near)*math.Cos(angle), cy+away(n.Near)*math.Sin(angle)
		labelX, labelY := cx+side*labels, cy+(float64(i/2)-float64(rows-1)/2)*row
		p.add(`<path class="ed" d="M%.1f %.1fL%.1f %.1f"/><path class="gr" d="M%.1f %.1fL%.1f %.1f"/>`, cx, cy, x, y, x, y, labelX-side*3, labelY)
		p.add(`<circle class="nd" cx="%.1f" cy="%.1f" r="4.5"/>`, x, y)
		p.add(`<text class="halo" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, labelX, labelY+1, anchor, short(n.Name, room))
		p.add(`<text class="t3 halo" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, labelX, labelY+15, anchor, short(n.Note, room+2))
	}
	for i, r := range rings {
		y := cy - away(r.Near) + 4
		if i == 0 { // the nodes on the innermost circle are close together, so its text is lower
			y += 12
		}
		p.add(`<text class="t3 halo" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, cx, y, r.Text)
	}
	p.add(`<text class="b halo" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, cx, cy+5, short(middle, 2*4))
	return p.end()
}

// room is the largest width of a label. A Chinese character counts as 2, any other character as 1.
const room = 13

// short shortens a label to the width room.
func short(label string, room int) string {
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
