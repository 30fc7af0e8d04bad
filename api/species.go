package api

import (
	"context"

	"bencao/api/access"
	"bencao/api/problem"
	"bencao/store"
)

// SpeciesSearch is the input of species.search.
type SpeciesSearch struct {
	Q       string `query:"q" runes:"500" lines:"true" doc:"Chinese name, pinyin, scientific name or synonym, or everyday name in English, Japanese or Korean; without it, all records are listed." example:"人参"`
	Choices speciesChoices
	Asking
	Paging
}

func (b *Backend) speciesSearch(ctx context.Context, in SpeciesSearch) (Page[store.SpeciesSummary], error) {
	t := table{store.TableSpecies, b.files.Species, (*store.Tx).SpeciesSummary}
	q, err := b.query(ctx, "species", in.Q, in.Choices, access.Open)
	if err != nil {
		return Page[store.SpeciesSummary]{}, err
	}
	return listed[store.SpeciesSummary](ctx, b, t, q, in.Paging, in.Asking)
}

// SpeciesPath is the input of operations on one species.
type SpeciesPath struct {
	GUID string `path:"guid" doc:"The species' guid, as a search gives it." example:"af3292fc-12d3-59b2-83b2-9deda4bc842a"`
}

func (b *Backend) speciesDetail(_ context.Context, in SpeciesPath) (One[store.SpeciesDetail], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[store.SpeciesDetail]{}, err
	}
	defer tx.Close()
	detail, ok := tx.FindSpecies(in.GUID)
	if !ok {
		return One[store.SpeciesDetail]{}, problem.Unknown(problem.NoSpecies, in.GUID)
	}
	body, err := b.answer(detail, 0)
	return One[store.SpeciesDetail]{body}, err
}

func (b *Backend) speciesNames(_ context.Context, in SpeciesPath) (One[store.SpeciesNames], error) {
	listings, err := b.listings(in.GUID)
	if err != nil {
		return One[store.SpeciesNames]{}, err
	}
	out, err := b.files.Taxa.SpeciesNames(listings)
	if err != nil {
		return One[store.SpeciesNames]{}, err
	}
	return encode(&b.buffers, out)
}

func (b *Backend) speciesDistribution(_ context.Context, in SpeciesPath) (One[store.Distribution], error) {
	listings, err := b.listings(in.GUID)
	if err != nil {
		return One[store.Distribution]{}, err
	}
	regions, err := b.files.Store.Regions()
	if err != nil {
		return One[store.Distribution]{}, err
	}
	out, err := b.files.Taxa.Distribution(listings, regions)
	if err != nil {
		return One[store.Distribution]{}, err
	}
	return encode(&b.buffers, out)
}

// listings returns where the checklists have the species with a guid.
func (b *Backend) listings(guid string) ([]store.Listing, error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	n, ok := tx.SpeciesNum(guid)
	if !ok {
		return nil, problem.Unknown(problem.NoSpecies, guid)
	}
	return tx.SpeciesListings(n)
}

func (b *Backend) speciesFlora(_ context.Context, in SpeciesPath) (List[store.FloraTreatment], error) {
	list, err := listOf(b, in.GUID, (*store.Tx).SpeciesFlora)
	return List[store.FloraTreatment]{list}, err
}

func (b *Backend) speciesPapers(_ context.Context, in SpeciesPath) (List[store.PaperSummary], error) {
	list, err := listOf(b, in.GUID, (*store.Tx).SpeciesPapers)
	return List[store.PaperSummary]{list}, err
}

func (b *Backend) speciesUses(_ context.Context, in SpeciesPath) (List[store.PlantUse], error) {
	list, err := listOf(b, in.GUID, (*store.Tx).SpeciesUses)
	return List[store.PlantUse]{list}, err
}

// SpeciesFormulas is the input of species.formulas.
type SpeciesFormulas struct {
	SpeciesPath
	Paging
}

func (b *Backend) speciesFormulas(_ context.Context, in SpeciesFormulas) (Page[store.FormulaSummary], error) {
	return formulasOf(b, problem.NoSpecies, in.GUID, (*store.Tx).SpeciesNum, (*store.Tx).SpeciesFormulas, in.Paging)
}

// listOf returns a list that the store has rendered for a species.
func listOf(b *Backend, guid string, read func(*store.Tx, store.Num) store.Rows) (list, error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return list{}, err
	}
	l := list{tx: tx, site: b.site}
	handed := false
	defer func() {
		if !handed { // this also runs after a panic, as when a truncated file is read
			l.release()
		}
	}()
	n, ok := tx.SpeciesNum(guid)
	if !ok {
		return list{}, problem.Unknown(problem.NoSpecies, guid)
	}
	if l.rows = read(tx, n); l.rows.Err() != nil {
		return list{}, l.rows.Err()
	}
	handed = true
	return l, nil
}
