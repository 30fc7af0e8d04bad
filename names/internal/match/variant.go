package match

import (
	"slices"

	"bencao/names/editdistance"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// farVariant is the most letters in which names of one orthographic key may
// differ: the key drops repeated letters, however many there are.
const farVariant = 9

// variants looks up the orthographic keys of the name, the first one that is
// known.
func (f *finder) variants(cands []candidate) []candidate {
	before := len(cands)
	for _, k := range f.name.Keys {
		f.buf.ortho = spelling.AppendOrtho(f.buf.ortho[:0], k.Text)
		for n := range f.Values(file.ByOrtho, f.buf.ortho) {
			f.buf.key = f.AppendKey(f.buf.key[:0], n)
			other := f.buf.key
			if string(spelling.AppendOrtho(nil, other)) != string(f.buf.ortho) || string(other) == string(k.Text) {
				continue
			}
			d := editdistance.WithBlocks(k.Text, other, farVariant)
			if d > farVariant || d > 1 && k.Genus == len(k.Text) {
				continue // a heap of repeated letters
			}
			f.steps.found("variant:", other, " differs in orthography")
			cands = f.fromKey(cands, f.Keys[n].Usage, f.name,
				difference{like: variant, edits: d, cost: float64(d), flags: k.Flags | orthoFlags(k.Text, other)})
		}
		if len(cands) > before {
			break
		}
	}
	if len(cands) == before || f.name.Author == "" {
		return cands
	}
	// A genus that is known as it stands is another one, unless the author
	// says so.
	if k := f.name.Keys[0]; !f.HasGenus(k.Text[:k.Genus]) {
		return cands
	}
	other := func(c candidate) bool { return c.flags.Has(vocabulary.GenusCorrected) && c.author == author.Differs }
	return append(cands[:before], slices.DeleteFunc(cands[before:], other)...)
}

// orthoFlags says in what two keys with one orthographic key differ: in the
// genus, in the endings of epithets, or in other letters.
func orthoFlags(a, b []byte) vocabulary.Flags {
	var flags vocabulary.Flags
	for first := true; len(a) > 0 && len(b) > 0; first = false {
		x, y, restA, restB := nextWords(a, b)
		if string(x) != string(y) {
			switch {
			case first:
				flags |= vocabulary.GenusCorrected | vocabulary.Orthography
			case spelling.CommonPrefix(x, y) >= min(len(x), len(y))-3 && string(spelling.AppendSound(nil, x)) != string(spelling.AppendSound(nil, y)):
				flags |= vocabulary.GenderEnding
			default:
				flags |= vocabulary.Orthography
			}
		}
		a, b = restA, restB
	}
	return flags
}
