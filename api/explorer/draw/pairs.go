package draw

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strings"
)

// Herb is a node of a network of pairs.
type Herb struct {
	Name, Note string // Note is the second line of the label, such as the pinyin; it may be empty
	// Address is the page that lists the formulas with the herb. Title describes that page.
	Address, Title string
	Size           float64 // area of the circle, from 0 for the smallest to 1 for the largest
}

// Together is an edge of a network of pairs. A and B are the indexes of its nodes.
type Together struct {
	A, B   int
	Weight float64 // strength of the edge, from 0 to 1
	Title  string  // description of the edge; may be empty
}

// spot is the place of a node. The box around the circle and the label of the node has the width w,
// and extends from y-top to y+bottom.
type spot struct{ x, y, r, w, top, bottom float64 }

// The layout: the smallest and the largest radius of a circle, the font size, the heights of the
// two lines of a label, the space between boxes and the numbers of steps.
const (
	smallest, largest = 4.5, 17
	fontSize          = 13
	line, noteLine    = 17, 14
	gap               = 3
	steps, pushes     = 150, 120
)

// Pairs draws herbs as circles and pairs of herbs as lines. Herbs that a line joins are close to
// each other. No circle or label covers another. The picture is width units wide, and as high as
// necessary. The same input gives the same picture.
func Pairs(nodes []Herb, edges []Together, width int, label string) template.HTML {
	spots, height := arrange(nodes, edges, float64(width))
	var p picture
	p.add(`<svg role="group" viewBox="0 0 %d %.0f" aria-label="%s">`, width, height, label)
	for _, e := range edges {
		a, b := spots[e.A], spots[e.B]
		p.add(`<line class="pe" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke-width="%.2f" stroke-opacity="%.2f">`, a.x, a.y, b.x, b.y, .8+4.2*e.Weight, .35+.5*e.Weight)
		if e.Title != "" {
			p.add(`<title>%s</title>`, e.Title)
		}
		p.add(`</line>`)
	}
	for i, n := range nodes {
		s := spots[i]
		p.add(`<a href="%s" tabindex="-1"><circle class="pd" cx="%.1f" cy="%.1f" r="%.1f"/><text class="halo" text-anchor="middle" x="%.1f" y="%.1f">%s</text>`, n.Address, s.x, s.y, s.r, s.x, s.y+s.r+line-4, n.Name)
		if n.Note != "" {
			p.add(`<text class="t3 halo" text-anchor="middle" x="%.1f" y="%.1f">%s</text>`, s.x, s.y+s.r+line+noteLine-5, n.Note)
		}
		p.add(`<title>%s</title></a>`, n.Title)
	}
	return p.end()
}

// textWidth estimates the width of a text in a font of the given size. A Chinese character is as
// wide as the size.
func textWidth(text string, size float64) float64 {
	width := 0.0
	for _, r := range text {
		switch {
		case r > 0x2e7f:
			width += size
		case strings.ContainsRune("il .,'", r):
			width += .32 * size
		default:
			width += .6 * size
		}
	}
	return width
}

// arrange places the nodes in three steps. It returns their places and the height of the picture.
// First it puts the nodes on a spiral, with the first node in the middle, and moves them by forces
// (Fruchterman and Reingold). Then it pushes overlapping boxes apart. At last it moves down each
// box that still overlaps with a box above it.
func arrange(nodes []Herb, edges []Together, width float64) ([]spot, float64) {
	spots := make([]spot, len(nodes))
	area := 0.0
	for i, n := range nodes {
		s := &spots[i]
		s.r = math.Sqrt(smallest*smallest + (largest*largest-smallest*smallest)*min(max(n.Size, 0), 1))
		s.w = max(2*s.r, textWidth(n.Name, fontSize), textWidth(n.Note, fontSize-1)) + 2*gap
		s.top, s.bottom = s.r+gap, s.r+line+gap
		if n.Note != "" {
			s.bottom += noteLine
		}
		area += s.w * (s.top + s.bottom)
	}
	const density = .3 // area of the boxes divided by the area of the picture, before boxes are pushed apart
	height := max(area/density/width, 120)
	if width > 500 {
		height = max(height, .5*width)
	}
	for i := range spots {
		away, angle := math.Sqrt((float64(i)+.5)/float64(len(spots))), float64(i)*math.Pi*(3-math.Sqrt(5))
		spots[i].x, spots[i].y = width/2+away*math.Cos(angle)*width*.45, height/2+away*math.Sin(angle)*height*.45
	}
	force(spots, edges, width, height)
	separate(spots, width)
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range spots {
		lowest = min(lowest, spots[i].y-spots[i].top)
		highest = max(highest, spots[i].y+spots[i].bottom)
	}
	if len(spots) == 0 {
		return spots, height
	}
	for i := range spots {
		spots[i].y -= lowest
	}
	return spots, highest - lowest
}

// force moves the nodes until attraction along edges and repulsion between all nodes are nearly
// balanced. Then it spreads the nodes over the whole picture.
func force(spots []spot, edges []Together, width, height float64) {
	ideal := math.Sqrt(width * height / float64(max(1, len(spots))))
	moves := make([][2]float64, len(spots))
	for step := range steps {
		for i := range moves {
			// A pull to the middle keeps all nodes in the picture, even groups that no edge
			// connects with the other nodes.
			moves[i] = [2]float64{.5 * (width/2 - spots[i].x), .5 * (height/2 - spots[i].y)}
		}
		for i := range spots {
			for j := range i {
				dx, dy := spots[i].x-spots[j].x, spots[i].y-spots[j].y
				push := ideal * ideal / max(dx*dx+dy*dy, 1)
				moves[i][0] += dx * push
				moves[i][1] += dy * push
				moves[j][0] -= dx * push
				moves[j][1] -= dy * push
			}
		}
		for _, e := range edges {
			dx, dy := spots[e.A].x-spots[e.B].x, spots[e.A].y-spots[e.B].y
			pull := (.15 + .85*e.Weight) * math.Sqrt(dx*dx+dy*dy) / ideal
			moves[e.A][0] -= dx * pull
			moves[e.A][1] -= dy * pull
			moves[e.B][0] += dx * pull
			moves[e.B][1] += dy * pull
		}
		most := width / 8 * (1 - float64(step)/steps)
		for i := range spots {
			m := moves[i]
			if long := math.Hypot(m[0], m[1]); long > most {
				m[0], m[1] = m[0]/long*most, m[1]/long*most
			}
			spots[i].x, spots[i].y = spots[i].x+m[0], spots[i].y+m[1]
		}
	}
	spread(spots, func(s *spot) *float64 { return &s.x }, func(s *spot) (float64, float64) { return s.w / 2, width - s.w/2 })
	spread(spots, func(s *spot) *float64 { return &s.y }, func(s *spot) (float64, float64) { return s.top, height - s.bottom })
}

// spread rescales one coordinate of all nodes so that the nodes fill the range that the function
// limits returns. One half of the new coordinate comes from the old coordinate, the other half from
// the node's rank, so that crowded nodes get more space.
func spread(spots []spot, coordinate func(*spot) *float64, limits func(*spot) (low, high float64)) {
	order := make([]*spot, len(spots))
	for i := range spots {
		order[i] = &spots[i]
	}
	slices.SortStableFunc(order, func(a, b *spot) int { return cmp.Compare(*coordinate(a), *coordinate(b)) })
	if len(order) < 2 {
		return
	}
	first, last := *coordinate(order[0]), *coordinate(order[len(order)-1])
	for i, s := range order {
		low, high := limits(s)
		c := coordinate(s)
		part := (*c - first) / max(last-first, 1)
		*c = low + (high-low)*(part+float64(i)/float64(len(order)-1))/2
	}
}

// overlap returns how far two boxes overlap horizontally and vertically. They overlap if both
// values are positive.
func overlap(a, b *spot) (x, y float64) {
	x = (a.w+b.w)/2 - math.Abs(a.x-b.x)
	y = min(a.y+a.bottom, b.y+b.bottom) - max(a.y-a.top, b.y-b.top)
	return x, y
}

// separate pushes boxes apart until no two overlap. All boxes stay within the width of the picture.
// Boxes that still overlap after many rounds are moved down.
func separate(spots []spot, width float64) {
	for range pushes {
		moved := false
		for i := range spots {
			for j := range i {
				a, b := &spots[i], &spots[j]
				x, y := overlap(a, b)
				if x <= 0 || y <= 0 {
					continue
				}
				moved = true
				if x < y {
					x = (x + .1) / 2
					if a.x < b.x {
						x = -x
					}
					a.x, b.x = a.x+x, b.x-x
				} else {
					y = (y + .1) / 2
					if a.y < b.y {
						y = -y
					}
					a.y, b.y = a.y+y, b.y-y
				}
				a.x, b.x = min(max(a.x, a.w/2), width-a.w/2), min(max(b.x, b.w/2), width-b.w/2)
			}
		}
		if !moved {
			return
		}
	}
	order := make([]int, len(spots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(spots[a].y, spots[b].y) })
	for i, n := range order {
		for placed := 0; placed < i; placed++ {
			a, b := &spots[n], &spots[order[placed]]
			if x, y := overlap(a, b); x > 0 && y > 0 {
				a.y += y + .1
				placed = -1 // the box has moved, so compare it with all boxes once more
			}
		}
	}
}

// Cell is the cell of a pair of herbs in a heat map.
type Cell struct {
	Count          int
	Lift           float64 // number of formulas divided by the expected number
	Address, Title string
}

// lifts has the shades of a heat map, from the highest lift to the lowest. Each shade has the
// lowest lift for which it is used, a CSS class, and a text.
var lifts = []struct {
	from        float64
	class, text string
}{{4, "c5", "≥ 4"}, {2, "c4", "2–4"}, {1.25, "c3", "1.25–2"}, {.8, "c2", "0.8–1.25"}, {.5, "c1", "0.5–0.8"}, {0, "c0", "< 0.5"}}

// Triangle draws a triangular heat map. It has a row and a column for each name, and a cell for
// each pair of names. A cell shows the number of formulas with the pair, and its shade shows the
// lift. The name of a column is above the first cell of the column, at the end of the row with the
// same name. notes has a text for each column, which follows the name. key explains the shades.
func Triangle(names, notes []string, cell func(row, column int) Cell, label, key string) template.HTML {
	const size, left, right, legend, shade = 27, 74, 150, 54, 92
	width := max(left+size*len(names)+right, shade*len(lifts))
	height := size*len(names) + legend
	var p picture
	p.add(`<svg class="tri" role="group" viewBox="0 0 %d %d" aria-label="%s">`, width, height, label)
	for row, name := range names {
		y := row * size
		if row > 0 { // the first row has no cells
			p.add(`<text text-anchor="end" x="%d" y="%d">%s</text>`, left-6, y+18, short(name, 10))
		}
		for column := range row {
			c := cell(row, column)
			x := left + column*size
			class := classOf(c.Lift)
			p.add(`<a href="%s" tabindex="-1"><rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="2"/><text class="n %s" text-anchor="middle" x="%.1f" y="%d">%d</text><title>%s</title></a>`, c.Address, class, x+1, y+1, size-2, size-2, "i"+class, float64(x)+size/2., y+17, c.Count, c.Title)
		}
		p.add(`<text class="b" x="%d" y="%d">%s</text>`, left+row*size+4, y+18, name)
		if notes[row] != "" {
			p.add(`<text class="t3" x="%.0f" y="%d">%s</text>`, float64(left+row*size+10)+textWidth(name, fontSize), y+18, short(notes[row], 18))
		}
	}
	y := size*len(names) + 14
	p.add(`<text class="t2" x="0" y="%d">%s</text>`, y+4, key)
	for i, l := range lifts {
		x := shade * (len(lifts) - 1 - i)
		p.add(`<rect class="%s" x="%d" y="%d" width="18" height="18" rx="2"/><text class="t2" x="%d" y="%d">%s</text>`, l.class, x, y+14, x+24, y+28, l.text)
	}
	return p.end()
}

// classOf returns the CSS class of the shade for a lift.
func classOf(lift float64) string {
	for _, l := range lifts {
		if lift >= l.from {
			return l.class
		}
	}
	return lifts[len(lifts)-1].class
}

// Descendant is a formula in a family tree.
type Descendant struct {
	Year                 int
	Text, Address, Title string
	Here                 bool // this is the formula that the page is about
}

// Tree draws the formula all[0] and its descendants. Each formula has a line of its own, the oldest
// at the top. The bands of the dynasties are in the background.
func Tree(all []Descendant, label string, name func(string) string) template.HTML {
	const row, head = 24, 26
	var p picture
	height := head + row*len(all)
	p.add(`<svg role="group" height="%d" aria-label="%s">`, height, label)
	for _, d := range dynasties {
		p.add(`<rect class="band" x="%.2f%%" width="%.2f%%" y="18" height="%d"/>`, inset(d.From), inset(d.To)-inset(d.From), height-18)
		if d.To-d.From >= 100 || d.From < 0 {
			p.add(`<text class="t2" text-anchor="middle" x="%.2f%%" y="12">%s</text>`, (inset(d.From)+inset(d.To))/2, name(d.Name))
		}
	}
	y := func(i int) int { return head + row*i + row/2 }
	if len(all) > 1 {
		p.add(`<line class="ax" x1="%.2[1]f%%" x2="%.2[1]f%%" y1="%[2]d" y2="%[3]d"/>`, inset(all[0].Year), y(0), y(len(all)-1))
	}
	for i, d := range all {
		x, class := inset(d.Year), "nd"
		if d.Here {
			class = "nd here"
		}
		if i > 0 {
			p.add(`<line class="ax" x1="%.2f%%" x2="%.2f%%" y1="%d" y2="%d"/>`, inset(all[0].Year), x, y(i), y(i))
		}
		anchor, away := "start", 9
		if x > 50 {
			anchor, away = "end", -9
		}
		p.add(`<a href="%s"><circle class="%s" cx="%.2f%%" cy="%d" r="4.5"/><text class="halo" text-anchor="%s" x="%.2f%%" dx="%d" y="%d">%s</text><title>%s</title></a>`, d.Address, class, x, y(i), anchor, x, away, y(i)+4, short(d.Text, 22), d.Title)
	}
	return p.end()
}

// standalone is a style element with colours and fonts, for a picture that is a separate file.
const standalone = `<style>svg{font-family:system-ui,"Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;background:#fff}text{fill:#18201b;font-size:13px}.t2{fill:#465049;font-size:12.5px}.t3{fill:#5f6a62;font-size:12px}.b{font-weight:650}.n{font-size:10.5px}.halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}.pe{stroke:#5f6a62}.pd{fill:#6cb186;stroke:#fff;stroke-width:1.5}.c0{fill:#97548f;stroke:#18201b;stroke-dasharray:2 2}.c1{fill:#ecd9ea;stroke:#5f6a62;stroke-width:.6;stroke-dasharray:2 2}.c2{fill:#eef1ec}.c3{fill:#a6d0b0}.c4{fill:#6cb186}.c5{fill:#1f6b46}.ic0,.ic5{fill:#fff}</style>`

// Standalone returns a picture as a separate file. The links in the file become complete addresses
// of the site.
func Standalone(drawn template.HTML, site string) []byte {
	head, rest, _ := strings.Cut(string(drawn), ">")
	head = strings.Replace(head, "<svg", `<svg xmlns="http://www.w3.org/2000/svg"`, 1)
	rest = strings.ReplaceAll(rest, `href="/`, `href="`+template.HTMLEscapeString(site)+`/`)
	return []byte(head + ">" + standalone + rest)
}
