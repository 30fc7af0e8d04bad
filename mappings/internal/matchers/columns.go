package matchers

import "bencao/mappings/internal/lazy"

// made is what is made of an index when a query first needs it, by row.
type lazyColumns struct {
	lexicons     []lazy.Value[*lexicon]
	nearSoundsOf []lazy.Value[*nearSoundIndex]
	spellings    []lazy.Value[[]letterSets]
	heteronyms   []lazy.Value[[]heteronymName] // of names in characters
}

func newLazyColumns(rows int) *lazyColumns {
	return &lazyColumns{make([]lazy.Value[*lexicon], rows), make([]lazy.Value[*nearSoundIndex], rows), make([]lazy.Value[[]letterSets], rows), make([]lazy.Value[[]heteronymName], rows)}
}
