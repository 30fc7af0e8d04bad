package file

// keys holds the sorted keys of a file and the genera of the keys.
type keys struct {
	Keys []Key // sorted, with one extra row at the end
	// Rests holds the texts of all keys without their genus.
	Rests  []byte
	Genera []Genus // with one extra row at the end
	// GenusNames holds the folded names of the genera, one after the other.
	GenusNames []byte
	// sampled holds the genus of every key whose number is a multiple of perSample, for GenusOf. It
	// is computed when the file is opened.
	sampled []uint32
}

// Rest returns the part of a key after the genus.
func (k *keys) Rest(key uint32) []byte { return k.Rests[k.Keys[key].Rest:k.Keys[key+1].Rest] }

// Genus returns the folded name of a genus.
func (k *keys) Genus(n uint32) []byte {
	return k.GenusNames[k.Genera[n].Name:k.Genera[n+1].Name]
}

// AppendKey appends a whole key.
func (k *keys) AppendKey(dst []byte, key uint32) []byte {
	dst = append(dst, k.Genus(k.GenusOf(key))...)
	if rest := k.Rest(key); len(rest) > 0 {
		dst = append(append(dst, ' '), rest...)
	}
	return dst
}

// perSample is the number of keys from one entry of sampled to the next.
const perSample = 128

// sampleGenera fills sampled.
func (k *keys) sampleGenera() {
	g := uint32(0)
	for key := uint32(0); int64(key) < int64(len(k.Keys))-1; key += perSample {
		for k.Genera[g+1].Key <= key {
			g++
		}
		k.sampled = append(k.sampled, g)
	}
}

// GenusOf returns the genus of a key. It starts at the entry of sampled for this key or the nearest
// key before it.
func (k *keys) GenusOf(key uint32) uint32 {
	g := k.sampled[key/perSample]
	for k.Genera[g+1].Key <= key {
		g++
	}
	return g
}
