// Package spelling folds the letters of scientific names and defines which spellings count as
// equal.
//
//	name            Rosa × alba var. Foliàcea
//	key             rosa alba foliacea            AppendKey: folded, without signs and ranks
//	orthographic    rosa alb foliace              AppendOrtho: confusable letters made equal
//
// The package knows neither authors nor checklists. Start with [AppendKey] and [AppendOrtho].
package spelling

import "bencao/names/ranks"

// HybridSign is the normal form of the hybrid sign.
const HybridSign = '×'

// IsHybridSign reports whether a word is a hybrid sign or the sign of a graft-hybrid, which is +.
func IsHybridSign(w string) bool { return w == "×" || w == "x" || w == "X" || w == "+" || w == "✕" }

// AppendKey appends the key of a canonical name: its words in lower-case Latin letters, separated
// by single spaces, without hybrid signs and rank words. genus is the length of the first word of
// the key.
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
