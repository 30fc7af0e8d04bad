package draw_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bencao/api/explorer/draw"
)

// TestTimes checks that the highest lines have a label with their number, and that the scale has a
// label with a round number.
func TestTimes(t *testing.T) {
	got := string(draw.Times([]draw.Year{{Year: 219, Count: 12}, {Year: 652, Count: 1234}, {Year: 682, Count: 1200}, {Year: 1078, Count: 40}}, "a <b>", func(d string) string { return d }))
	for _, want := range []string{">1,234</text>", ">500</text>", ">40</text>", ">12</text>", "a &lt;b&gt;", ">汉<"} {
		if !strings.Contains(got, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	if strings.Contains(got, ">1,200</text>") {
		t.Error("two numbers stand on each other")
	}
}

// TestNetwork checks that the distance of a node from the centre depends only on its similarity,
// and is larger for a lower similarity.
func TestNetwork(t *testing.T) {
	nodes := []draw.Node{{Name: "a", Near: 1}, {Name: "b", Near: 1}, {Name: "c", Near: .9}, {Name: "d", Near: .8}, {Name: "很长很长很长的名称", Near: .8}}
	if !strings.Contains(string(draw.Network("小柴胡汤", nodes, nil, "label")), ">小柴胡汤<") {
		t.Error("a name of four characters is cut")
	}
	got := string(draw.Network("中", nodes, []draw.Ring{{Near: 1, Text: "1.0"}, {Near: .8, Text: "0.8"}}, "label"))
	var away []float64
	var cx, cy float64
	for _, m := range regexp.MustCompile(`class="(gr|nd)" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"`).FindAllStringSubmatch(got, -1) {
		x, y := number(t, m[2]), number(t, m[3])
		if m[1] == "gr" {
			cx, cy = x, y
			continue
		}
		away = append(away, (x-cx)*(x-cx)+(y-cy)*(y-cy))
	}
	if len(away) != len(nodes) {
		t.Fatalf("%d nodes are drawn", len(away))
	}
	same := func(a, b float64) bool { return a/b > .97 && a/b < 1.03 }
	if !same(away[0], away[1]) || !same(away[3], away[4]) || away[2] <= away[1] || away[3] <= away[2] {
		t.Errorf("the squares of distances are %v", away)
	}
	if !strings.Contains(got, "很长很长很长…") || !strings.Contains(got, ">0.8</text>") {
		t.Error("a name has too much room, or a ring no number")
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
