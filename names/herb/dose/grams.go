package dose

import (
	"slices"
	"strings"
)

// liang lists the weight of a 两 in grams by period. Up to the Yuan, the values are measured on
// standard weights that archaeologists found (丘光明, 《中国历代度量衡考》, 1992). Later values were set by law.
// The Tang also had a 两 three times as heavy, but its law (《唐六典》) requires the small one for
// medicines. The Jin and the Yuan used the standard of the Song.
var liang = []standard{
	{8, 15.5},       // Western Han: a 斤 of 248 g
	{959, 13.8},     // Eastern Han to the Five Dynasties: a 斤 of 222 g
	{1367, 40},      // Song, Jin and Yuan: a 斤 of 640 g
	{1929, 37.3},    // Ming and Qing: a 斤 of 597 g
	{1978, 31.25},   // since 1930, the market 斤 of 500 g
	{1<<31 - 1, 30}, // China's pharmacies: a 钱 of 3 g, a 两 of 10 钱
}

// standard is the weight of a 两 up to and including a year.
type standard struct {
	until int32
	grams float64
}

// Liang returns the weight of a 两 in a year, in grams.
func Liang(year int32) float64 {
	at := slices.IndexFunc(liang, func(s standard) bool { return year <= s.until })
	return liang[at].grams
}

// Grams returns the weight of a dose in grams. A dose in traditional units is converted by the
// measures of the given year. For a range Grams returns the middle. ok is false if the dose is not a
// weight, or if it is in traditional units and the year is nil.
//
// ok is also false for a 分 without a 钱 in a year after the Song, because such a 分 is ambiguous. It
// may be a tenth of a 钱, or a quarter of a 两 copied from an older book.
func Grams(text string, year *int32) (grams float64, ok bool) {
	d, err := EraOf(year).Parse(text)
	if err != nil || d.Kind != Weight {
		return 0, false
	}
	if IsMetric(text) {
		return 3 * d.Value, true // Parse converts 3 g to 1 钱
	}
	if year == nil || EraOf(year) == New && strings.Contains(text, "分") && !strings.Contains(text, "钱") {
		return 0, false
	}
	return d.Value / 10 * Liang(*year), true
}

// IsMetric reports whether a dose is written in today's units.
func IsMetric(text string) bool {
	s := strings.ToLower(amount(clean(text)))
	for _, m := range metric {
		if strings.HasSuffix(s, m.word) {
			return true
		}
	}
	return false
}
