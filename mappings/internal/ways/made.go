package ways

import "bencao/mappings/internal/once"

// made is what is made of an index when a query first needs it, by row.
type made struct {
	lexicons   []once.Value[*lexicon]
	nearLines  []once.Value[*nearNames]
	spellings  []once.Value[[]spelled]
	otherNames []once.Value[[]otherName] // of names in characters
}

func newMade(rows int) *made {
	return &made{make([]once.Value[*lexicon], rows), make([]once.Value[*nearNames], rows), make([]once.Value[[]spelled], rows), make([]once.Value[[]otherName], rows)}
}
