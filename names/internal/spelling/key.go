// Package spelling is about the letters of scientific names: how words are
// cut and folded, and which spellings count as one.
//
//	name            Rosa × alba var. Foliàcea
//	key             rosa alba foliacea            AppendKey: folded, without signs and ranks
//	orthographic    rosa alb foliace              AppendOrtho: what copyists exchange made one
//
// It knows neither authors nor checklists.
package spelling

import "bencao/names/ranks"

// HybridSign is what every way to write a hybrid's sign becomes.
const HybridSign = '×'

// IsHybridSign says whether a word of its own is the sign of a hybrid, or that
// of a graft hybrid.
func IsHybridSign(w string) bool { return w == "×" || w == "x" || w == "X" || w == "+" || w == "✕" }

// AppendKey appends the key of a canonical name: its words folded to lower
// case and Latin letters, one space between them, without hybrid signs and
// rank words. It returns the length of the first word too.
func AppendKey(dst []byte, name string) (key []byte, genus int) {
	start := len(dst)
	words := 0
	for len(name) > 0 {
		var w string
		w, name = NextWord(name)
		if w == "" {
			break
		}
		if IsHybridSign(w) {
			continue
		}
		if words >= 1 && name != "" {
			if _, ok := ranks.Mark(w); ok {
				continue
			}
		}
		if words > 0 {
			dst = append(dst, ' ')
		}
		dst = AppendFolded(dst, w)
		words++
		if words == 1 {
			genus = len(dst) - start
		}
	}
	return dst, genus
}
