package datapackage

import (
	"iter"

	"bencao/names/pinyin"
)

// ReadAloud yields the names whose pinyin the package gives, from which others
// are learned.
func (p *Package) ReadAloud() iter.Seq[pinyin.Pair] {
	return func(yield func(pinyin.Pair) bool) {
		for i := range p.Species {
			s := &p.Species[i]
			if s.ChineseName != "" && s.ChineseNamePinyin != "" && !yield(pinyin.Pair{Name: s.ChineseName, Pinyin: s.ChineseNamePinyin}) {
				return
			}
		}
		for i := range p.Formulas {
			f := &p.Formulas[i]
			if f.Name != "" && f.NamePinyin != "" && !yield(pinyin.Pair{Name: f.Name, Pinyin: f.NamePinyin}) {
				return
			}
		}
	}
}
