package matchers

import "bencao/mappings/internal/lazy"

// lazyColumns holds data that matchers derive from the index on first use, by row.
type lazyColumns struct {
	lexicons     []lazy.Value[*lexicon]
	nearSoundsOf []lazy.Value[*nearSoundIndex]
	letterSets   []lazy.Value[[]letterSets]
	heteronyms   []lazy.Value[[]heteronymName] // only for rows of names in characters
}

func newLazyColumns(rows int) *lazyColumns {
	return &lazyColumns{make([]lazy.Value[*lexicon], rows), make([]lazy.Value[*nearSoundIndex], rows), make([]lazy.Value[[]letterSets], rows), make([]lazy.Value[[]heteronymName], rows)}
}
