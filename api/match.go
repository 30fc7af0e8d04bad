package api

import (
	"context"

	"bencao/names"
	"bencao/store"
)

// NameMatch is what names.match takes.
type NameMatch struct {
	Name    string `query:"name" required:"true" runes:"256" doc:"A scientific name with or without author, a Chinese name, pinyin, or an identifier of IPNI, WCVP or WFO." example:"Panax ginseng C.A.Mey."`
	Author  string `query:"author" runes:"256" doc:"The author, where it stands apart from the name."`
	Limit   int    `query:"limit" min:"1" max:"20" default:"5" doc:"The most results wanted, 1 to 20."`
	Fuzzy   bool   `query:"fuzzy" default:"true" doc:"false leaves out names that differ in letters, other than in their orthography."`
	Family  string `query:"family" runes:"256" doc:"A hint: candidates of another family are flagged and come later." example:"Araliaceae"`
	Region  string `query:"region" words:"china" doc:"A hint: where no author tells homonyms apart, the only one that leads to a plant of that region comes first."`
	Explain bool   `query:"explain" default:"false" doc:"true adds the score's parts and what was done, in order."`
}

func (b *Backend) nameMatch(ctx context.Context, in NameMatch) (One[names.Response], error) {
	found, err := b.matched(ctx, names.Query{
		Name: in.Name, Author: in.Author, Family: in.Family, Region: in.Region, Limit: in.Limit, NoFuzzy: !in.Fuzzy, Explain: in.Explain,
	})
	if err != nil {
		return One[names.Response]{}, err
	}
	return encode(&b.buffers, found)
}

// NoInput is what a handler takes that needs to know nothing.
type NoInput struct{}

func (b *Backend) stats(context.Context, NoInput) (One[store.SiteStats], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[store.SiteStats]{}, err
	}
	defer tx.Close()
	out := One[store.SiteStats]{b.body()}
	out.b = append(out.b, tx.Stats()...)
	return out, nil
}
