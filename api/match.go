package api

import (
	"context"
	"errors"
	"strings"

	"bencao/api/problem"
	"bencao/internal/null"
	"bencao/names"
)

// NameMatch is the input of names.match.
type NameMatch struct {
	Name         string `query:"name" required:"true" runes:"256" doc:"A scientific name with or without author, a Chinese name, pinyin, or an identifier of IPNI, WCVP or WFO." example:"Panax ginseng C.A.Mey."`
	Author       string `query:"author" runes:"256" doc:"The author, if it is not part of name."`
	Limit        int    `query:"limit" min:"1" max:"20" default:"5" doc:"The maximum number of results, 1 to 20."`
	Fuzzy        bool   `query:"fuzzy" default:"true" doc:"false omits names with other letters; variants of orthography are still found."`
	Family       string `query:"family" runes:"256" doc:"A hint, in Latin or Chinese: candidates of another family are flagged and come later; a family of animals, in -idae, excludes all plants. A text that is no known family is no hint." example:"Araliaceae"`
	Kingdom      string `query:"kingdom" runes:"256" doc:"A hint: a kingdom of animals, fungi or other organisms, such as Animalia, excludes all plants. A text that is no known kingdom is no hint."`
	ChineseName  string `query:"chineseName" runes:"256" doc:"A hint: the Chinese name beside a scientific name. It confirms a candidate, chooses between candidates, answers if the scientific name leads nowhere (flag nameNotFound), or contradicts (flag chineseNameDiffers)."`
	Region       string `query:"region" runes:"16" doc:"A hint: china, or a code of level 3 of the World Geographical Scheme for Recording Plant Distributions, such as CHC; any other text is refused. If no author distinguishes homonyms and only one of them resolves to a plant of that region, it comes first."`
	Distribution bool   `query:"distribution" default:"false" doc:"true adds where the plant of the accepted name grows, its life form, and where the name was published."`
	Explain      bool   `query:"explain" default:"false" doc:"true adds the parts of the score, and the steps of matching in their order."`
}

func (b *Backend) nameMatch(ctx context.Context, in NameMatch) (One[names.Response], error) {
	found, err := b.matched(ctx, names.Query{
		Name: in.Name, Author: in.Author, Family: in.Family, Kingdom: in.Kingdom, ChineseName: in.ChineseName, Region: in.Region, Limit: in.Limit, NoFuzzy: !in.Fuzzy, Distribution: in.Distribution, Explain: in.Explain,
	})
	if err != nil {
		return One[names.Response]{}, refusedName(err)
	}
	out := b.body()
	out.b = found.AppendJSON(out.b)
	return One[names.Response]{out}, nil
}

// NameMatches is the input of names.matches.
type NameMatches struct {
	Names        []string `query:"name" most:"100" runes:"256" required:"true" doc:"A name as in names.match. Repeat the parameter for each name, 100 at most." example:"Panax ginseng|Polygonum multiflorum"`
	Authors      []string `query:"author" most:"100" runes:"256" doc:"The authors, if they are not part of the names: one for each name in the same order, empty for a name without one. Any other number of authors is refused."`
	Families     []string `query:"family" most:"100" runes:"256" doc:"Families as hints, in Latin or Chinese: one for each name in the same order, empty for a name without one. Any other number of families is refused."`
	Kingdoms     []string `query:"kingdom" most:"100" runes:"256" doc:"The kingdoms as hints: one for each name in the same order, empty for a name without one. Any other number of kingdoms is refused."`
	ChineseNames []string `query:"chineseName" most:"100" runes:"256" doc:"The Chinese names beside the scientific names as hints: one for each name in the same order, empty for a name without one. Any other number of Chinese names is refused."`
	Region       string   `query:"region" runes:"16" doc:"A hint for all names: china, or a code of level 3 of the World Geographical Scheme for Recording Plant Distributions, such as CHC; any other text is refused. If no author distinguishes homonyms and only one of them resolves to a plant of that region, it comes first."`
	Limit        int      `query:"limit" min:"1" max:"20" default:"5" doc:"The maximum number of results for each name, 1 to 20."`
	Fuzzy        bool     `query:"fuzzy" default:"true" doc:"false omits names with other letters; variants of orthography are still found."`
	Distribution bool     `query:"distribution" default:"false" doc:"true adds where the plants of the accepted names grow, their life forms, and where the names were published."`
	Explain      bool     `query:"explain" default:"false" doc:"true adds the parts of the score, and the steps of matching in their order."`
}

func (b *Backend) nameMatches(ctx context.Context, in NameMatches) (One[[]names.Response], error) {
	for what, given := range map[string][]string{"author": in.Authors, "family": in.Families, "kingdom": in.Kingdoms, "chineseName": in.ChineseNames} {
		if len(given) > 0 && len(given) != len(in.Names) {
			return One[[]names.Response]{}, problem.New(problem.BadParameter, problem.HintsCount.With(what, len(given), len(in.Names)))
		}
	}
	at := func(given []string, i int) string {
		if len(given) == 0 {
			return ""
		}
		return given[i]
	}
	out := b.body()
	out.b = append(out.b, '[')
	for i, name := range in.Names {
		q := names.Query{Name: name, Author: at(in.Authors, i), Family: at(in.Families, i), Kingdom: at(in.Kingdoms, i), ChineseName: at(in.ChineseNames, i), Region: in.Region, Limit: in.Limit, NoFuzzy: !in.Fuzzy, Distribution: in.Distribution, Explain: in.Explain}
		found, err := b.matched(ctx, q)
		if err != nil {
			return One[[]names.Response]{}, refusedName(err)
		}
		if i > 0 {
			out.b = append(out.b, ',')
		}
		out.b = found.AppendJSON(out.b)
	}
	out.b = append(out.b, ']')
	return One[[]names.Response]{out}, nil
}

// refusedName turns an error about a name into a fault.
func refusedName(err error) error {
	if wrong := (*names.InputError)(nil); errors.As(err, &wrong) {
		return problem.New(problem.BadParameter, wrong.Message)
	}
	return err
}

// matched matches a name. To each result that is a species of the database, it adds the address of
// the species' page.
func (b *Backend) matched(ctx context.Context, q names.Query) (found names.Response, err error) {
	err = recovered(ctx, func() (err error) {
		found, err = b.files.Match(q)
		return err
	})
	if err != nil {
		return found, err
	}
	if found.Results == nil {
		found.Results = []names.Entry{}
	}
	for i := range found.Results {
		if e := &found.Results[i]; e.GUID != "" {
			e.URL = null.Text(strings.TrimRight(b.meta.SiteURL, "/") + "/species/" + string(e.GUID))
		}
	}
	return found, nil
}
