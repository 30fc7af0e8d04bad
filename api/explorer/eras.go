package explorer

import (
	"cmp"
	"html/template"
	"maps"
	"slices"
	"strconv"

	"bencao/api/access"
	"bencao/api/explorer/draw"
)

// eras are when some formulas were written.
type eras struct {
	Times     template.HTML
	Dynasties bars
	// Shares says that the dynasties have shares of all their formulas beside them.
	Shares bool
}

// chronicle are the dynasties of the data, the oldest first.
var chronicle = []string{"先秦", "春秋", "战国", "秦", "汉", "西汉", "东汉", "三国", "魏", "晋", "西晋", "东晋", "南朝", "北朝", "南北朝", "隋", "唐", "五代",
	"宋", "北宋", "辽", "南宋", "金", "元", "明", "清", "民国", "现代", "当代"}

// older orders dynasties, those that the chronicle lacks last.
func older(a, b string) int {
	place := func(d string) int {
		if i := slices.Index(chronicle, d); i >= 0 {
			return i
		}
		return len(chronicle)
	}
	return cmp.Or(place(a)-place(b), cmp.Compare(a, b))
}

// erasOf draws the years and dynasties of formulas. Those of address are links.
func erasOf(v *visit, years, dynasties map[string]int, address func(dynasty string) string) (eras, error) {
	var e eras
	var all []draw.Year
	for text, n := range years {
		if y, err := strconv.Atoi(text); err == nil {
			all = append(all, draw.Year{Year: y, Count: n})
		}
	}
	slices.SortFunc(all, func(a, b draw.Year) int { return a.Year - b.Year })
	if len(all) > 1 {
		e.Times = draw.Times(all, v.say("times.label", len(all)), func(d string) string { return v.lang.Known("dynasty."+d, d) })
	}
	totals := map[string]int{}
	if e.Shares = v.may(access.Prescriptions); e.Shares {
		whole, err := facets(v, "formulas.facets", "dynasty", 200)
		if err != nil {
			return e, err
		}
		totals = countsOf(whole["dynasty"])
	}
	for _, d := range slices.SortedFunc(maps.Keys(dynasties), older) {
		e.Dynasties.Most = max(e.Dynasties.Most, dynasties[d])
		row := bar{Value: d, Count: dynasties[d], Address: address(d)}
		if totals[d] > 0 {
			row.Chinese = percent(dynasties[d], totals[d])
		}
		e.Dynasties.Rows = append(e.Dynasties.Rows, row)
	}
	return e, nil
}

// percent is a share in words.
func percent(n, of int) string {
	whole := (100*n + of/2) / of
	if n > 0 && whole == 0 {
		return "< 1 %"
	}
	return strconv.Itoa(whole) + " %"
}

// timesAs is how many times as often something is.
func timesAs(ratio float64) string { return "×" + strconv.FormatFloat(ratio, 'f', 1, 64) }
