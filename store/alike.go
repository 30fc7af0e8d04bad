package store

import (
	"encoding/binary"
	"math"
)

// packLikeness makes what the store holds of a formula's similar ones. The herbs
// that two share are the plain names that both have, in the first one's order. The
// format is described in likeness.go, which reads it.
func (d *Data) packLikeness(f *Formula) (Template, error) {
	own := f.plainHerbs()
	place := make([]int, len(own)) // of each among the herbs written, from 1
	places := 0
	var herbs, lists, shared []byte
	for _, list := range [][]Similar{f.SimilarEuclidean, f.SimilarJaccard} {
		lists = binary.AppendUvarint(lists, uint64(len(list)))
		for _, s := range list {
			lists = binary.AppendUvarint(lists, uint64(s.Formula))
			lists = appendValue(lists, s.Value)
			other := &d.Formulas[s.Formula]
			count := uint64(0)
			shared = shared[:0]
			for i, h := range own {
				if !other.hasHerb(h) {
					continue
				}
				if place[i] == 0 {
					name, err := render(h, 0)
					if err != nil {
						return nil, err
					}
					places++
					place[i] = places
					herbs = append(binary.AppendUvarint(herbs, uint64(len(name))), name...)
				}
				count++
				shared = binary.AppendUvarint(shared, uint64(place[i]-1))
			}
			lists = append(binary.AppendUvarint(lists, count), shared...)
		}
	}
	return append(append(binary.AppendUvarint(nil, uint64(places)), herbs...), lists...), nil
}

func appendValue(dst []byte, v float64) []byte {
	if k := math.Round(v * valueSteps); k >= 0 && k < 1<<32 && k/valueSteps == v && !math.Signbit(v) {
		return binary.AppendUvarint(dst, uint64(k)+1)
	}
	return binary.LittleEndian.AppendUint64(append(dst, 0), math.Float64bits(v))
}
