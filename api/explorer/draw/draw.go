// Package draw draws the pictures of the explorer as SVG inside a page. A picture takes the
// available width: widths are percentages, heights and font sizes are pixels. Colours come from the
// style sheet, by CSS class. The package does not know the records of the data. Begin with [Times].
package draw

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"

	"bencao/api/explorer/typeset"
)

// dynasty is a period that pictures with a time axis show as a band.
type dynasty struct {
	Name     string // in Chinese, as the data names it
	From, To int    // years; negative before the common era
}

// dynasties lists the bands of pictures with a time axis. The years are those in which a dynasty
// ruled.
var dynasties = []dynasty{
	{"汉", -202, 220}, {"唐", 618, 907}, {"宋", 960, 1279}, {"元", 1279, 1368}, {"明", 1368, 1644}, {"清", 1644, 1912},
}

// firstYear and lastYear are the ends of the time axis.
const firstYear, lastYear = 150, 1930

// share returns the position of a year on the time axis, in percent of the picture's width.
func share(year int) float64 {
	return 100 * float64(min(max(year, firstYear), lastYear)-firstYear) / (lastYear - firstYear)
}

// picture collects the SVG of a picture. It escapes all text.
type picture struct{ strings.Builder }

func (p *picture) add(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = html.EscapeString(s)
		}
	}
	fmt.Fprintf(&p.Builder, format, args...)
}

func (p *picture) end() template.HTML {
	p.WriteString("</svg>")
	return template.HTML(p.String())
}

// Meter draws a share from 0 to 1 as a bar. class is the CSS class of its colour.
func Meter(value float64, class string) template.HTML {
	var p picture
	p.add(`<svg class="m" aria-hidden="true" focusable="false"><rect class="f0" width="100%%" height="6"/><rect class="%s" width="%.1f%%" height="6"/>`, class, 100*min(max(value, 0), 1))
	return p.end()
}

// Bar draws a bar of a bar chart. value is its length, from 0 to 1.
func Bar(value float64) template.HTML {
	var p picture
	p.add(`<svg aria-hidden="true" focusable="false"><rect class="f1" width="%.2f%%" height="14"/>`, 100*min(max(value, 0), 1))
	return p.end()
}

// Year is a year with the number of things, such as formulas, from that year.
type Year struct{ Year, Count int }

// quiet is a year from a period without books, so the label of the scale has space there.
const quiet = 420

// mostValues is the number of the highest lines that get a label with their number. apart is the
// smallest distance between two such labels, in percent of the picture's width.
const mostValues, apart = 3, 9

// Times draws a vertical line for each year. The height of a line shows the number of things in
// that year. The bands of the dynasties are in the background. name translates the name of a
// dynasty. label describes the picture for screen readers.
func Times(years []Year, label string, name func(string) string) template.HTML {
	const bottom, top, height = 166, 46, 190
	shown := slices.DeleteFunc(slices.Clone(years), func(y Year) bool { return y.Year < firstYear || y.Year > lastYear })
	most := 1
	for _, y := range shown {
		most = max(most, y.Count)
	}
	at := func(count int) float64 { return bottom - float64(bottom-top)*float64(count)/float64(most) }
	var p picture
	p.add(`<svg role="img" aria-label="%s" height="%d">`, label, height)
	for _, d := range dynasties {
		p.add(`<rect class="band" x="%.2f%%" width="%.2f%%" y="18" height="148"/>`, share(d.From), share(d.To)-share(d.From))
	}
	for _, d := range dynasties {
		y := 12
		if d.To-d.From < 100 { // the name does not fit between the names of the neighbouring dynasties
			y = 32
		}
		if share(d.From) == 0 { // a centred name would begin outside of the picture
			p.add(`<text class="t2" x="0" y="%d">%s</text>`, y, name(d.Name))
			continue
		}
		p.add(`<text class="t2" text-anchor="middle" x="%.2f%%" y="%d">%s</text>`, (share(d.From)+share(d.To))/2, y, name(d.Name))
	}
	if line := round(most * 3 / 5); line > 1 {
		p.add(`<line class="gr" x1="0" x2="100%%" y1="%.1[1]f" y2="%.1[1]f"/><text class="t3 halo" x="%.1[4]f%%" text-anchor="middle" y="%.1[2]f">%[3]s</text>`, at(line), at(line)-3, typeset.Thousands(line), share(quiet))
	}
	p.add(`<line class="ax" x1="0" x2="100%%" y1="%d" y2="%d"/>`, bottom, bottom)
	for year := 200; year <= 1800; year += 400 {
		p.add(`<line class="ax" x1="%.2[1]f%%" x2="%.2[1]f%%" y1="%[2]d" y2="%[3]d"/><text class="t3" text-anchor="middle" x="%.2[1]f%%" y="183">%[4]d</text>`, share(year), bottom, bottom+4, year)
	}
	for _, y := range shown {
		p.add(`<line class="st" x1="%.2[1]f%%" x2="%.2[1]f%%" y1="%[2]d" y2="%.1[3]f"/>`, share(y.Year), bottom, min(bottom-2, at(y.Count)))
	}
	slices.SortStableFunc(shown, func(a, b Year) int { return b.Count - a.Count })
	var taken []float64
	for _, y := range shown {
		x := min(max(share(y.Year), 3), 97)
		if len(taken) == mostValues || y.Count < 2 {
			break
		}
		if !slices.ContainsFunc(taken, func(t float64) bool { return math.Abs(t-x) < apart }) {
			taken = append(taken, x)
			p.add(`<text class="t3 halo" text-anchor="middle" x="%.2f%%" y="%.1f">%s</text>`, x, at(y.Count)-4, typeset.Thousands(y.Count))
		}
	}
	return p.end()
}

// round returns the largest number that is at most n among 1, 2, 5, 10, 20, 50, 100 and so on.
func round(n int) int {
	out := 0
	for unit := 1; unit <= n; unit *= 10 {
		for _, times := range []int{1, 2, 5} {
			if times*unit <= n {
				out = times * unit
			}
		}
	}
	return out
}

// When draws a dot for each year on a line. The bands of the dynasties are in the background.
func When(years []int, label string) template.HTML {
	var p picture
	p.add(`<svg class="when" role="img" aria-label="%s">`, label)
	for _, d := range dynasties {
		p.add(`<rect class="band" x="%.2f%%" width="%.2f%%" y="0" height="18"/>`, inset(d.From), inset(d.To)-inset(d.From)-.4)
	}
	p.add(`<line class="ax" x1="0" x2="100%%" y1="9" y2="9"/>`)
	for _, y := range years {
		p.add(`<circle class="nd" cx="%.2f%%" cy="9" r="4"/>`, inset(y))
	}
	return p.end()
}

// Axis draws the names of the dynasties. It belongs above pictures that are drawn by [When].
func Axis(name func(string) string) template.HTML {
	var p picture
	p.add(`<svg class="when" aria-hidden="true" focusable="false">`)
	for _, d := range dynasties {
		if d.To-d.From < 100 && d.From > 0 { // the band is too narrow for the name
			continue
		}
		p.add(`<text class="t3" text-anchor="middle" x="%.2f%%" y="14">%s</text>`, (inset(d.From)+inset(d.To))/2, name(d.Name))
	}
	return p.end()
}

// inset is like share, but leaves space for a dot at each end of the line.
func inset(year int) float64 { return 2 + share(year)*.96 }

// Part is one of the parts of a bar that [Split] draws. Class is its CSS class.
type Part struct {
	Class string
	Count int
}

// Split draws one bar that is divided into parts in proportion to their counts.
func Split(parts []Part, label string) template.HTML {
	whole := 0
	for _, part := range parts {
		whole += part.Count
	}
	var p picture
	p.add(`<svg class="split" role="img" aria-label="%s">`, label)
	x := 0.0
	for _, part := range parts {
		width := 100 * float64(part.Count) / float64(max(1, whole))
		p.add(`<rect class="%s" x="%.2f%%" width="%.2f%%" height="14"/>`, part.Class, x, width)
		x += width
	}
	return p.end()
}

// BarAgainst draws a share as a bar. A mark shows the usual share, unless usual is 0. If the share
// is most or larger, the bar has the full width.
func BarAgainst(value, usual, most float64) template.HTML {
	var p picture
	p.add(`<svg aria-hidden="true" focusable="false"><rect class="f1" width="%.2f%%" y="2" height="14"/>`, 100*min(max(value/most, 0), 1))
	if usual > 0 {
		p.add(`<rect class="us" x="%.2f%%" width="3" height="18"/>`, 99.2*min(usual/most, 1))
	}
	return p.end()
}
