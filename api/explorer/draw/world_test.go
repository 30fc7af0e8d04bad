package draw_test

import (
	"bytes"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bencao/api/explorer/draw"
	"bencao/internal/test/testkit"
	"bencao/names/region"

	"github.com/klauspost/compress/gzip"
)

// land reads the picture of the land. It returns the outlines as polygons.
func land(t *testing.T) [][][2]float64 {
	t.Helper()
	svg, err := os.ReadFile("../assets/land.svg")
	testkit.Must(t, err)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(svg)
	testkit.Must(t, err)
	testkit.Must(t, w.Close())
	if len(svg) > 30_000 || packed.Len() > 12_000 {
		t.Errorf("land.svg has %d bytes, and %d compressed; 30,000 and 12,000 are the limits", len(svg), packed.Len())
	}
	paths := regexp.MustCompile(` d="([^"]+)"`).FindAllSubmatch(svg, -1)
	var rings [][][2]float64
	for _, ring := range strings.Split(strings.Trim(string(paths[len(paths)-1][1]), "Mz"), "zM") {
		var x, y float64
		var points [][2]float64
		numbers := regexp.MustCompile(`-?\d+`).FindAllString(ring, -1)
		for i := 0; i+1 < len(numbers); i += 2 {
			x, y = x+number(t, numbers[i]), y+number(t, numbers[i+1])
			points = append(points, [2]float64{x, y})
		}
		rings = append(rings, points)
	}
	return rings
}

// away returns the distance of a point from the polygons, which is 0 inside one.
func away(rings [][][2]float64, x, y float64) float64 {
	inside, least := false, math.Inf(1)
	for _, ring := range rings {
		for i, b := range ring {
			a := ring[(i+len(ring)-1)%len(ring)]
			if (a[1] > y) != (b[1] > y) && x < a[0]+(b[0]-a[0])*(y-a[1])/(b[1]-a[1]) {
				inside = !inside
			}
			least = min(least, math.Hypot(x-b[0], y-b[1]))
		}
	}
	if inside {
		return 0
	}
	return least
}

// TestWorld draws every region of the geography. A mark that does not lie on the land is one of an
// island that the picture of the land leaves out: then it is far from all land. If the projection,
// the land or a point were wrong, marks would lie in the sea just off a coast.
func TestWorld(t *testing.T) {
	rings := land(t)
	regions := region.Default().All()
	on, near := 0, []string{}
	for _, r := range regions {
		svg := string(draw.World("land.svg", []draw.Place{{Latitude: r.Latitude, Longitude: r.Longitude, Mark: draw.Native}}, "label"))
		m := regexp.MustCompile(`cx="([\d.]+)%" cy="([\d.]+)%"`).FindStringSubmatch(svg)
		if m == nil {
			t.Fatalf("%s is not in the picture: %s", r.Name, svg)
		}
		switch d := away(rings, number(t, m[1])*20, number(t, m[2])*9.74); {
		case d == 0:
			on++
		case d < 30 && r.Level == 3:
			near = append(near, r.Name+" "+strconv.Itoa(int(d)))
		}
	}
	t.Logf("%d of %d marks lie on the land, %d near it: %s", on, len(regions), len(near), strings.Join(near, ", "))
	if on < 330 {
		t.Errorf("only %d of %d marks lie on the land", on, len(regions))
	}
}

// TestMarks checks that each mark has a shape of its own, and that a rarer one is above the others.
func TestMarks(t *testing.T) {
	var places []draw.Place
	for _, m := range []draw.Mark{draw.Extinct, draw.Native, draw.Doubtful, draw.Introduced} {
		places = append(places, draw.Place{Latitude: 35, Longitude: 105, Mark: m})
	}
	got := string(draw.World("land.svg", places, `"a" <b>`))
	for _, want := range []string{`aria-label="&#34;a&#34; &lt;b&gt;"`, `href="land.svg"`, `class="wi".*class="wn".*>\?<.*>×<`} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("the picture lacks %s: %s", want, got)
		}
	}
	seen := map[string]bool{}
	for _, p := range places {
		seen[string(draw.Key(p.Mark))] = true
	}
	if len(seen) != len(places) {
		t.Errorf("%d marks have %d shapes", len(places), len(seen))
	}
}
