package draw_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"bencao/api/explorer/draw"
)

// box is the rectangle around a circle or a label.
type box struct {
	what                     string
	left, top, right, bottom float64
}

var herbs = regexp.MustCompile(`<circle class="pd" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/><text[^>]* x="([\d.]+)" y="([\d.]+)">([^<]*)</text>`)

// TestPairsNeverOverlap draws random, complete and empty graphs with long and short names, in the
// widths of a phone and a screen. All circles and labels must be inside the picture, and nothing
// may cover a label.
func TestPairsNeverOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{1, 2, 7, 30, 60} {
		for _, share := range []float64{0, .05, .2, 1} {
			for _, width := range []int{320, 760} {
				var nodes []draw.Herb
				var edges []draw.Together
				for i := range count {
					nodes = append(nodes, draw.Herb{Name: strings.Repeat("药", 2+i%5), Address: "/x", Size: 1 / float64(i+1)})
					for j := range i {
						if r.Float64() < share {
							edges = append(edges, draw.Together{A: i, B: j, Weight: r.Float64()})
						}
					}
				}
				got := draw.Pairs(nodes, edges, width, "label")
				if again := draw.Pairs(nodes, edges, width, "label"); got != again {
					t.Errorf("%d drugs, %d pairs: two pictures differ", count, len(edges))
				}
				var boxes []box
				for _, m := range herbs.FindAllStringSubmatch(string(got), -1) {
					x, y, radius, textX, textY := number(t, m[1]), number(t, m[2]), number(t, m[3]), number(t, m[4]), number(t, m[5])
					half := float64(13*len([]rune(m[6]))) / 2
					boxes = append(boxes, box{"circle of " + m[6], x - radius, y - radius, x + radius, y + radius}, box{m[6], textX - half, textY - 11, textX + half, textY + 2})
				}
				if len(boxes) != 2*count {
					t.Fatalf("%d of %d drugs are drawn", len(boxes)/2, count)
				}
				var height float64
				if _, err := fmt.Sscanf(regexp.MustCompile(`viewBox="0 0 \d+ (\d+)"`).FindStringSubmatch(string(got))[1], "%g", &height); err != nil {
					t.Fatal(err)
				}
				for i, a := range boxes {
					if a.left < 0 || a.right > float64(width) || a.top < -1 || a.bottom > height+1 {
						t.Errorf("%d drugs, %d pairs, %d wide: %v is outside of %v", count, len(edges), width, a, height)
					}
					for _, b := range boxes[:i] {
						if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
							t.Errorf("%d drugs, %d pairs, %d wide: %v covers %v", count, len(edges), width, a, b)
						}
					}
				}
			}
		}
	}
}

// TestPairsClose checks with two groups of herbs that each herb is closer to its own group than to
// the other.
func TestPairsClose(t *testing.T) {
	var nodes []draw.Herb
	var edges []draw.Together
	for i := range 12 {
		nodes = append(nodes, draw.Herb{Name: fmt.Sprintf("药%c", '一'+i), Size: .2})
		for j := range i {
			if i%2 == j%2 {
				edges = append(edges, draw.Together{A: i, B: j, Weight: .8})
			}
		}
	}
	var at [][2]float64
	for _, m := range herbs.FindAllStringSubmatch(string(draw.Pairs(nodes, edges, 760, "label")), -1) {
		at = append(at, [2]float64{number(t, m[1]), number(t, m[2])})
	}
	var sums [2]float64
	var n [2]int
	for i := range at {
		for j := range i {
			dx, dy := at[i][0]-at[j][0], at[i][1]-at[j][1]
			other := (i + j) % 2
			sums[other] += dx*dx + dy*dy
			n[other]++
		}
	}
	if inside, outside := sums[0]/float64(n[0]), sums[1]/float64(n[1]); inside > .7*outside {
		t.Errorf("the squares of distances are %.0f in a group and %.0f between groups", inside, outside)
	}
}

// TestTriangle checks the number of cells, the shades of the cells, and that the file is valid XML.
func TestTriangle(t *testing.T) {
	names := []string{"甘草", "人参", "<当归>"}
	lift := map[[2]int]float64{{1, 0}: .2, {2, 0}: 1, {2, 1}: 4}
	got := draw.Triangle(names, make([]string, 3), func(row, column int) draw.Cell {
		return draw.Cell{Count: 10*row + column, Lift: lift[[2]int{row, column}], Address: "/search?a=1&b=2", Title: "t"}
	}, "label", "key")
	for _, want := range []string{`class="c0" x="75" y="28"`, `class="c2" x="75" y="55"`, `class="c5" x="102" y="55"`, ">10</text>", ">21</text>", "&lt;当归&gt;"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the picture lacks %s: %s", want, got)
		}
	}
	if n := strings.Count(string(got), "<a "); n != 3 {
		t.Errorf("%d cells", n)
	}
	for what, drawn := range map[string]template.HTML{"heat map": got, "network": draw.Pairs([]draw.Herb{{Name: "<a>", Address: "/x?a&b"}}, nil, 320, "l"), "tree": draw.Tree([]draw.Descendant{{Year: 200, Text: "a"}, {Year: 1500, Text: "<b>", Here: true}}, "l", func(d string) string { return d })} {
		file := draw.Standalone(drawn, "https://x.example")
		d := xml.NewDecoder(strings.NewReader(string(file)))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		if what != "tree" && !strings.Contains(string(file), `href="https://x.example/`) {
			t.Errorf("%s: links lead nowhere: %s", what, file)
		}
	}
}
