package draw

import (
	"cmp"
	"html/template"
	"math"
	"slices"
)

// Place is a mark on a map of the world. Latitude and Longitude are in degrees.
type Place struct {
	Latitude, Longitude float64
	Mark                Mark
}

// Mark says how a plant occurs in a place. Each is drawn with a shape of its own; later ones are drawn
// above earlier ones.
type Mark int

const (
	Introduced Mark = iota // ring
	Native                 // filled circle
	Doubtful               // question mark
	Extinct                // cross
)

// World draws marks on a map. land is the address of the picture of the land, in the Equal Earth
// projection. The map has no borders.
func World(land string, places []Place, label string) template.HTML {
	var p picture
	p.add(`<svg class="world" role="img" aria-label="%s"><image href="%s" width="100%%" height="100%%"/>`, label, land)
	for _, at := range slices.SortedStableFunc(slices.Values(places), func(a, b Place) int { return cmp.Compare(a.Mark, b.Mark) }) {
		x, y := equalEarth(at.Latitude, at.Longitude)
		p.mark(at.Mark, x, y)
	}
	return p.end()
}

// Key draws a mark for the legend of a map.
func Key(mark Mark) template.HTML {
	var p picture
	p.add(`<svg class="key" aria-hidden="true" focusable="false">`)
	p.mark(mark, 50, 50)
	return p.end()
}

// mark adds a mark. Its place is in percent of the width and the height.
func (p *picture) mark(mark Mark, x, y float64) {
	switch mark {
	case Extinct:
		p.add(`<text class="wm" x="%.2f%%" y="%.2f%%" dy=".35em">×</text>`, x, y)
	case Doubtful:
		p.add(`<text class="wm" x="%.2f%%" y="%.2f%%" dy=".35em">?</text>`, x, y)
	case Native:
		p.add(`<circle class="wn" cx="%.2f%%" cy="%.2f%%" r="4.5"/>`, x, y)
	default:
		p.add(`<circle class="wi" cx="%.2f%%" cy="%.2f%%" r="4"/>`, x, y)
	}
}

// middle is the meridian in the middle of a map, in degrees. The edge then lies in the Bering Strait.
const middle = 11

// equalEarth returns the place of a point in the Equal Earth projection (Šavrič, Patterson and Jenny
// 2018), in percent of the width and the height of a map.
func equalEarth(latitude, longitude float64) (x, y float64) {
	const a1, a2, a3, a4 = 1.340264, -0.081106, 0.000893, 0.003796
	turned := math.Mod(longitude-middle+540, 360) - 180
	at := func(latitude, longitude float64) (x, y float64) {
		t := math.Asin(math.Sqrt(3) / 2 * math.Sin(latitude*math.Pi/180))
		t2 := t * t
		t6 := t2 * t2 * t2
		return 2 / math.Sqrt(3) * longitude * math.Pi / 180 * math.Cos(t) / (a1 + 3*a2*t2 + t6*(7*a3+9*a4*t2)), t * (a1 + a2*t2 + t6*(a3+a4*t2))
	}
	x, y = at(latitude, turned)
	right, _ := at(0, 180)
	_, top := at(90, 0)
	return 50 + 50*x/right, 50 - 50*y/top
}
