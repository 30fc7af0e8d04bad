package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"bencao/api/access"
	"bencao/api/params"
	"bencao/api/problem"
	"bencao/internal/messages"
	"bencao/mappings"
	"bencao/mappings/patterns"
	"bencao/mappings/search"
	"bencao/store"
)

// patternCost is the number of requests that one request of a patterns operation counts as.
const patternCost = 5

// PatternPopulation selects the formulas that the patterns operations count.
type PatternPopulation struct {
	Q       string `query:"q" runes:"500" lines:"true" doc:"The same as in formulas.search; without it, all formulas are counted." example:"汤"`
	Filters formulaFilters
	Scopes  access.Scopes
}

// PatternQuestion is the part of the input that all patterns operations have.
type PatternQuestion struct {
	PatternPopulation
	Names    string `query:"names" words:"standard,written,source" default:"standard" doc:"What counts as one drug: its standard name, its name as written, or its source species and part."`
	Distinct string `query:"distinct" words:"composition" doc:"composition counts each set of drugs once, however many formulas have it."`
}

// LongPaging selects a page of a list whose pages may have more items than those of other lists.
type LongPaging struct {
	Page     int32 `query:"page" min:"1" max:"2147483647" default:"1" doc:"Page, from 1. A page past the end is empty."`
	PageSize int32 `query:"pageSize" min:"1" max:"1000" default:"20" doc:"Items per page, 1 to 1000."`
}

// PatternHerbs is the input of patterns.herbs.
type PatternHerbs struct {
	PatternQuestion
	Against     string `query:"against" runes:"500" doc:"The formulas to compare with, as the query of formulas.search, such as dynasty=宋. Without it, all other formulas. Formulas of the population are left out. A query that formulas.search does not take is refused." example:"dynasty=东汉"`
	MinFormulas int32  `query:"minFormulas" min:"1" max:"1000000" default:"1" doc:"Only drugs in so many formulas of the population."`
	Sort        string `query:"sort" words:"formulas,oddsRatio,q" default:"formulas" doc:"Order: most formulas first; drugs with q below 0.05 first and then the largest odds ratio; or smallest q first."`
	LongPaging
}

// PatternPairs is the input of patterns.pairs.
type PatternPairs struct {
	PatternQuestion
	Herb        string `query:"herb" runes:"200" doc:"The drug x, by id or any name: only pairs with it. It is paired even if it is in fewer than minFormulas formulas. A drug that no formula of the population has is refused."`
	With        string `query:"with" runes:"200" doc:"The drug y, by id or any name. It is paired even if it is in fewer than minFormulas formulas. A drug that no formula of the population has is refused."`
	MinFormulas *int32 `query:"minFormulas" min:"1" max:"1000000" doc:"Only drugs in so many formulas of the population are paired, and those of herb and with. Without it, 10 or a thousandth of the formulas, and more if that is too much to answer. A number that leaves more than 100,000 pairs is refused." example:"2"`
	Side        string `query:"side" words:"often,seldom,both" default:"often" doc:"The pairs that come first: those together too often, too seldom, or either."`
	LongPaging
}

// PatternSets is the input of patterns.sets.
type PatternSets struct {
	PatternQuestion
	Herb        string `query:"herb" runes:"200" doc:"Only sets with this drug, by id or any name. A drug in fewer than minFormulas formulas is refused."`
	MinFormulas *int32 `query:"minFormulas" min:"1" max:"1000000" doc:"Only sets in so many formulas of the population. Without it, 20 or a 500th of the formulas, and more if that is too much to answer. A number that leaves too many sets is refused." example:"2"`
	LongPaging
}

// PatternHerbsBeside has the members of a page of patterns.herbs in addition to its items.
type PatternHerbsBeside struct {
	Population patterns.Population `json:"population"`
	Against    patterns.Population `json:"against" doc:"The formulas that the population is compared with."`
}

// PatternPairsBeside has the members of a page of patterns.pairs in addition to its items.
type PatternPairsBeside struct {
	Population  patterns.Population `json:"population"`
	N           int32               `json:"n" doc:"Formulas that were counted: all of the population, or one of each composition."`
	Tested      int32               `json:"tested" doc:"Pairs that were tested: all pairs of drugs in at least minFormulas formulas, and of herb and with."`
	MinFormulas int32               `json:"minFormulas" doc:"The parameter minFormulas, or the number that was used without it."`
}

// PatternSetsBeside has the members of a page of patterns.sets in addition to its items.
type PatternSetsBeside struct {
	Population  patterns.Population `json:"population"`
	N           int32               `json:"n" doc:"Formulas that were counted: all of the population, or one of each composition."`
	MinFormulas int32               `json:"minFormulas" doc:"The parameter minFormulas, or the number that was used without it."`
}

// fewest turns the parameter minFormulas into the minimum for the patterns engine. If the request
// lacks the parameter, the engine chooses the minimum.
func fewest(minFormulas *int32) int {
	if minFormulas == nil {
		return patterns.Automatic
	}
	return int(*minFormulas)
}

// named returns the name that the patterns engine uses for the herb in a parameter. If no herb has
// the given name, named returns that name unchanged.
func (in *PatternQuestion) named(ctx context.Context, b *Backend, parameter, name string) (string, error) {
	if name == "" || patterns.Naming(in.Names) != patterns.Standard {
		return name, nil
	}
	herb, ok, err := b.herbNamed(ctx, parameter, name)
	if err != nil || !ok {
		return name, err
	}
	return herb, nil
}

// question turns a request into a question for the patterns engine. It also returns the population.
func (in *PatternQuestion) question(ctx context.Context, b *Backend) (patterns.Question, population, error) {
	p, err := in.found(ctx, b)
	return patterns.Question{Formulas: p.formulas, Names: patterns.Naming(in.Names), Together: in.Filters["forms"] == formsTogether, Distinct: in.Distinct != ""}, p, err
}

// population is a set of formulas, and what chose them.
type population struct {
	formulas []uint64 // a bit set; nil means all formulas
	herbs    []string // the herbs that q or a filter names, under the names that formulas use
	species  string   // the species that a filter names
	told     verdict  // how the formulas match q
}

// found returns the population that q and the filters select.
func (in *PatternPopulation) found(ctx context.Context, b *Backend) (p population, err error) {
	q, err := b.query(ctx, "formulas", in.Q, in.Filters, in.Scopes)
	if err != nil {
		return p, err
	}
	if q.Everything() {
		p.told.Total = b.files.Formulas.Len()
		return p, nil
	}
	p.species = in.Filters["species"]
	for _, f := range q.Filters {
		if f.Field == mappings.HerbsField {
			p.herbs = append(p.herbs, f.Any...)
		}
	}
	if q.In == "composition" {
		herb, known, err := b.herbNamed(ctx, "q", q.Text)
		if known && err == nil {
			p.herbs = append(p.herbs, herb)
		}
	}
	if err = recovered(ctx, func() (err error) {
		p.formulas, p.told.Hits, err = b.files.Formulas.Found(ctx, q)
		return err
	}); err != nil {
		return p, err
	}
	for _, r := range p.told.Recognised {
		if r.Field == mappings.HerbsField {
			p.herbs = append(p.herbs, r.Values...)
		}
	}
	if p.told.Total == 0 {
		p.told.unknown, err = unknownFilters(b.files.Formulas, q)
	}
	return p, err
}

// chosen returns the keys of the herbs by which populations were chosen, in a naming.
func (b *Backend) chosen(ctx context.Context, by patterns.Naming, populations ...population) (keys []string, err error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	var nums []store.Num
	for _, p := range populations {
		for _, name := range p.herbs {
			if d, ok := b.patterns.Herb(name); ok {
				if n, ok := tx.HerbNum(string(d.ID)); ok {
					nums = append(nums, n)
				}
			}
		}
		if p.species == "" {
			continue
		}
		q, err := b.query(ctx, "herbs", "", map[string]string{"species": p.species}, 0)
		if err != nil {
			return nil, err
		}
		q.Size = tx.Count(store.TableHerbs)
		var hits search.Hits
		err = recovered(ctx, func() error {
			hits, err = b.files.Herbs.Search(ctx, q)
			return err
		})
		if err != nil {
			return nil, err
		}
		nums = append(nums, hits.Nums...)
	}
	for _, n := range nums {
		var herb store.HerbDetail
		if err := json.Unmarshal(tx.HerbDetail(n).Append(nil, "", store.Composition), &herb); err != nil {
			return nil, fmt.Errorf("herb %d: %w", n, err)
		}
		keys = append(keys, b.patterns.HerbsOf(by, &herb)...)
	}
	return keys, nil
}

// againstPlan parses the parameter against, which is itself a query with parameters.
var againstPlan = params.New(reflect.TypeFor[PatternPopulation]())

// against returns the formulas that formulas.search finds for the parameter against.
func against(ctx context.Context, b *Backend, query string, scopes access.Scopes) (found population, err error) {
	if query == "" {
		return found, nil
	}
	vals, err := againstPlan.Read(query, nil)
	var in PatternPopulation
	if err == nil {
		againstPlan.Fill(reflect.ValueOf(&in).Elem(), vals, scopes)
		found, err = in.found(ctx, b)
	}
	var f *problem.Fault
	if errors.As(err, &f) {
		return found, problem.New(f.Kind, problem.AgainstWrong.With(f.Detail))
	}
	return found, err
}

// kept returns the cached answer to a question. If there is none, it calls ask and caches the
// answer, or the message with which ask refuses the question.
func kept[T any](ctx context.Context, b *Backend, kind string, q patterns.Question, ask func() (T, error)) (T, error) {
	h := sha256.New()
	for _, set := range [][]uint64{q.Formulas, q.Against} {
		// Writing to a hash never returns an error.
		_ = binary.Write(h, binary.LittleEndian, int64(len(set)))
		_ = binary.Write(h, binary.LittleEndian, set)
	}
	words := q
	words.Formulas, words.Against = nil, nil
	key := fmt.Sprintf("%s %x %#v %t %t", kind, h.Sum(nil), words, q.Formulas == nil, q.Against == nil)
	v, err := b.patterned.GetOrMake(ctx, key, func() (any, error) {
		v, err := ask()
		if message := (*messages.Message)(nil); errors.As(err, &message) {
			return message, nil
		}
		return v, err
	})
	var none T
	if err != nil {
		return none, err
	}
	if message, refused := v.(*messages.Message); refused {
		return none, problem.New(problem.BadParameter, message)
	}
	return v.(T), nil
}

// PatternPage is a page of results of the patterns engine. In addition to the members of every
// page, its JSON has the members of B.
type PatternPage[T, B any] struct{ Page[T] }

func (p PatternPage[T, B]) shape() shape {
	s := p.Page.shape()
	s.beside = reflect.TypeFor[B]()
	return s
}

// patternPage renders a page about a population. rows must be only the rows of the page that at
// selects.
func patternPage[T, B any](b *Backend, of population, rows []T, at Paging, total int, beside B) (PatternPage[T, B], error) {
	p := PatternPage[T, B]{Page[T]{body: b.body(), at: at, total: total, search: &of.told}}
	out := bytes.NewBuffer(beginPage(p.b, at, total))
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i, row := range rows {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := enc.Encode(row); err != nil {
			return p, err
		}
		out.Truncate(out.Len() - 1)
	}
	out.WriteString("],")
	text, err := json.Marshal(beside)
	if err != nil {
		return p, err
	}
	out.Write(text[1:])
	p.b = out.Bytes()
	return p, nil
}

func (b *Backend) patternHerbs(ctx context.Context, in PatternHerbs) (p PatternPage[patterns.HerbCount, PatternHerbsBeside], err error) {
	q, own, err := in.question(ctx, b)
	if err != nil {
		return p, err
	}
	other, err := against(ctx, b, in.Against, in.Scopes)
	if err != nil {
		return p, err
	}
	q.Against, q.MinFormulas, q.Sort = other.formulas, int(in.MinFormulas), patterns.Sort(in.Sort)
	if q.Chosen, err = b.chosen(ctx, q.Names, own, other); err != nil {
		return p, err
	}
	all, err := kept(ctx, b, "herbs", q, func() (*patterns.Herbs, error) { return b.patterns.Herbs(ctx, q) })
	if err != nil {
		return p, err
	}
	at := Paging(in.LongPaging)
	from, to := at.window(len(all.Rows))
	return patternPage(b, own, all.Rows[from:to], at, len(all.Rows), PatternHerbsBeside{all.Population, all.Against})
}

func (b *Backend) patternPairs(ctx context.Context, in PatternPairs) (p PatternPage[patterns.Pair, PatternPairsBeside], err error) {
	q, own, err := in.question(ctx, b)
	if err != nil {
		return p, err
	}
	q.MinFormulas, q.Side = fewest(in.MinFormulas), patterns.Side(in.Side)
	if q.Herb, err = in.named(ctx, b, "herb", in.Herb); err != nil {
		return p, err
	}
	if q.With, err = in.named(ctx, b, "with", in.With); err != nil {
		return p, err
	}
	all, err := kept(ctx, b, "pairs", q, func() (*patterns.Pairs, error) { return b.patterns.Pairs(ctx, q) })
	if err != nil {
		return p, err
	}
	at := Paging(in.LongPaging)
	from, to := at.window(all.Total)
	return patternPage(b, own, all.Page(from, to), at, all.Total, PatternPairsBeside{all.Population, int32(all.N), int32(all.Tested), int32(all.MinFormulas)})
}

func (b *Backend) patternSets(ctx context.Context, in PatternSets) (p PatternPage[patterns.Set, PatternSetsBeside], err error) {
	q, own, err := in.question(ctx, b)
	if err != nil {
		return p, err
	}
	q.MinFormulas = fewest(in.MinFormulas)
	if q.Herb, err = in.named(ctx, b, "herb", in.Herb); err != nil {
		return p, err
	}
	all, err := kept(ctx, b, "sets", q, func() (*patterns.Sets, error) { return b.patterns.Sets(ctx, q) })
	if err != nil {
		return p, err
	}
	at := Paging(in.LongPaging)
	from, to := at.window(len(all.Rows))
	return patternPage(b, own, all.Rows[from:to], at, len(all.Rows), PatternSetsBeside{all.Population, int32(all.N), int32(all.MinFormulas)})
}

// PatternFormulas is the input of patterns.formulas.
type PatternFormulas struct {
	PatternQuestion
	LongPaging
}

// PatternFormula is a formula with the herbs that it contains.
type PatternFormula struct {
	GUID  string          `json:"guid" doc:"The formula's guid."`
	Name  store.Text      `json:"name" doc:"Chinese name; not unique."`
	Herbs []patterns.Herb `json:"drugs" doc:"Its drugs, each once, the most frequent in the data first."`
}

// PatternFormulasBeside has the members of a page of patterns.formulas in addition to its items.
type PatternFormulasBeside struct {
	Population patterns.Population `json:"population"`
}

func (b *Backend) patternFormulas(ctx context.Context, in PatternFormulas) (p PatternPage[PatternFormula, PatternFormulasBeside], err error) {
	q, own, err := in.question(ctx, b)
	if err != nil {
		return p, err
	}
	all, err := kept(ctx, b, "formulas", q, func() (*patterns.Listed, error) { return b.patterns.List(q) })
	if err != nil {
		return p, err
	}
	tx, err := b.files.Store.Begin()
	if err != nil {
		return p, err
	}
	defer tx.Close()
	at := Paging(in.LongPaging)
	from, to := at.window(len(all.Formulas))
	var rows []PatternFormula
	for _, n := range all.Formulas[from:to] {
		one, err := b.relative(tx, patterns.Relative{Formula: n})
		if err != nil {
			return p, err
		}
		rows = append(rows, PatternFormula{one.GUID, one.Name, all.Herbs(n)})
	}
	return patternPage(b, own, rows, at, len(all.Formulas), PatternFormulasBeside{all.Population})
}

// Descent tells from which formulas a formula descends, and which formulas descend from it.
type Descent struct {
	DescendsFrom *Relative  `json:"descendsFrom" doc:"The older formula from which this one descends; null if there is none. Its basis says how sure that is."`
	CombinedWith *Relative  `json:"combinedWith" doc:"The second older formula, if this one combines two; otherwise null."`
	Descendants  []Relative `json:"descendants" doc:"The formulas that descend from this one, the oldest first."`
	Additions    []Addition `json:"additions" doc:"The drugs that descendants add, the most frequent first."`
}

// Relative is a formula from which another formula descends, or which descends from it.
type Relative struct {
	store.FormulaSummary
	YearsApart int32           `json:"yearsApart" doc:"Years between the two."`
	Basis      patterns.Basis  `json:"basis" enum:"name,text,contained" doc:"The evidence: the name of the younger one says so (name), or a text of the source (text); or it contains all drugs of the older one, which is the largest such formula (contained)."`
	Added      []patterns.Herb `json:"added" doc:"Drugs that only the younger one has. A processed form or a part of a drug is the same drug."`
	LeftOut    []patterns.Herb `json:"leftOut" doc:"Drugs that only the older one has."`
}

// Addition is a herb that descendants of a formula add.
type Addition struct {
	patterns.Herb
	Formulas int32 `json:"formulas" doc:"Descendants that add it."`
}

// FormulaDescent is the input of formulas.descent.
type FormulaDescent struct {
	GUID string `path:"guid" doc:"The formula's guid, as a search gives it." example:"7c0dea0f-00af-56ad-9a48-171a85941d9e"`
}

func (b *Backend) formulaDescent(_ context.Context, in FormulaDescent) (One[Descent], error) {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return One[Descent]{}, err
	}
	defer tx.Close()
	n, ok := tx.FormulaNum(in.GUID)
	if !ok {
		return One[Descent]{}, problem.Unknown(problem.NoFormula, in.GUID)
	}
	self, err := b.relative(tx, patterns.Relative{Formula: n})
	if err != nil {
		return One[Descent]{}, err
	}
	out := Descent{Descendants: []Relative{}, Additions: []Addition{}}
	add := func(r patterns.Relative) (Relative, error) {
		one, err := b.relative(tx, r)
		if err == nil && one.Year != nil && self.Year != nil {
			one.YearsApart = max(*one.Year-*self.Year, *self.Year-*one.Year)
		}
		return one, err
	}
	from, to := b.patterns.Descent(n)
	for i, parent := range []**Relative{&out.DescendsFrom, &out.CombinedWith} {
		if i == len(from) {
			break
		}
		one, err := add(from[i])
		if err != nil {
			return One[Descent]{}, err
		}
		*parent = &one
	}
	for _, r := range to {
		one, err := add(r)
		if err != nil {
			return One[Descent]{}, err
		}
		out.Descendants = append(out.Descendants, one)
	}
	slices.SortStableFunc(out.Descendants, func(a, b Relative) int { return int(a.YearsApart) - int(b.YearsApart) })
	herbs, count := b.patterns.Additions(n)
	for i, d := range herbs {
		out.Additions = append(out.Additions, Addition{d, int32(count[i])})
	}
	return encode(&b.buffers, out)
}

// relative converts a relative that the patterns engine found to its JSON type. The caller must set
// YearsApart.
func (b *Backend) relative(tx *store.Tx, r patterns.Relative) (Relative, error) {
	out := Relative{Basis: r.Basis, Added: r.Added, LeftOut: r.LeftOut}
	text := tx.FormulaSummary(r.Formula)
	if text == nil {
		return out, errNoAnswer
	}
	return out, json.Unmarshal(text.Append(nil, b.site, 0), &out.FormulaSummary)
}
