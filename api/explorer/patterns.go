package explorer

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"bencao/api/explorer/draw"
	"bencao/api/explorer/typeset"
	"bencao/api/problem"
	"bencao/mappings/patterns"
	"bencao/store"
)

// Numbers of herbs, pairs and values on the page. A heat map shows heatHerbs herbs. A network shows
// networkHerbs herbs, or another number from networkSizes if the user chooses one. The page
// requests pairs of at most mostPaired herbs.
const (
	herbsShown, herbsListed  = 25, 50
	pairsShown               = 25
	heatHerbs, networkHerbs  = 25, 30
	mostPaired               = 100
	clearLines, mostLines    = 60, 400
	besideShown              = 20
	pagesOfPairs, pairsAPage = 5, 1000
)

var networkSizes = []int{15, 30, 60}

// patternsView is the data of the page of patterns.
type patternsView struct {
	*patternForm
	Example       string // address of an example query; empty if the snapshot lacks the herb in the example
	Filters       []navLink
	Facets        []facetView
	Count         patterns.Population
	N, AgainstN   int // numbers of formulas counted in the population and in the other population
	All           string
	Distinct      bool
	Ways          []navLink // links for counting all formulas, or one of each composition
	Forms         string    // value of the parameter forms
	Joins         []navLink // links for counting a processed form as a herb of its own, or as the herb that was processed
	Compared      bool
	OtherName     string
	Name          string
	Sort          string
	Sorts         []navLink // links for the orders of the table of herbs
	Herbs, Rest   []herbRow
	More          int // number of herbs that the table leaves out
	Beside        []besideTable
	Pairs         []pairRow
	PairP         string // the p value of the only pair, with the sign before it
	PairWrong     string // why there are no pairs of the herbs that the form names
	OfHerb        string // the herb of all pairs, or the two herbs of the only one
	Tested        int
	MinFormulas   int
	Network, Tall template.HTML
	Sizes, Least  []navLink
	Drawn, Lines  int
	InText        int32 // number of formulas whose text names OfHerb although their list of ingredients does not
	Apart         int   // number of herbs that are not in the network because no line leads to them
	LeastNow      int
	Heat          template.HTML
	Docs          []navLink
	allPairs      []patterns.Pair // all pairs of the herbs in the heat map and the network
	Files         []navLink
	Methods       string
	Page          string
}

// herbRow is the row of a herb in a table of the population.
type herbRow struct {
	patterns.HerbCount
	Address, Pinyin, Formulas string
	Picture                   template.HTML
	ShareText, ElseText       string
	Odds, QText               string
	Chosen                    bool // whether the formulas were chosen by the herb
	mark
}

// mark says whether a herb or a pair is significantly more or less frequent.
type mark struct{ More, Fewer bool }

// AllMarks is for the key of the marks.
func (*patternsView) AllMarks() mark { return mark{true, true} }

// OthersTyped reports whether a field of the other population has a text.
func (view *patternsView) OthersTyped() bool {
	return slices.ContainsFunc(view.Others, func(f patternField) bool { return f.Typed != "" })
}

// marked returns the mark of a false discovery rate and a ratio, which is 1 if there is no difference.
func marked(q, ratio float64) mark {
	return mark{q < patterns.Significant && ratio > 1, q < patterns.Significant && ratio < 1}
}

// besideTable lists the most frequent herbs of one of the two compared populations.
type besideTable struct {
	Title string
	Rows  []herbRow
}

// pairRow is the row of a pair of herbs in a table of the population.
type pairRow struct {
	patterns.Pair
	Address, XAddress, YAddress string
	Expected, Lift, QText       string
	mark
}

// herbsAnswer and pairsAnswer are the answers of patterns.herbs and patterns.pairs.
type herbsAnswer struct {
	Total      int                  `json:"total"`
	Items      []patterns.HerbCount `json:"items"`
	Population patterns.Population
	Against    patterns.Population
}

type pairsAnswer struct {
	Total      int             `json:"total"`
	Items      []patterns.Pair `json:"items"`
	Population patterns.Population
	N, Tested  int
	// MinFormulas is the minimum in the request, or the minimum that the server chose.
	MinFormulas int
}

// formulasOf returns the address of the page that lists some formulas of a population: those that
// contain all of the given herbs.
func (v *visit) formulasOf(population []string, herbs ...string) string {
	q := append([]string{"kind", "formulas"}, population...)
	all := strings.Join(herbs, "、")
	for i := 2; i < len(q); i += 2 {
		if q[i] == "herbs" && all != "" {
			q[i+1] = strings.TrimLeft(q[i+1]+"、"+all, "、")
		}
	}
	return v.link("/search", q...)
}

func patternsPage(v *visit) (*page, error) {
	form, err := v.readForm()
	if err != nil {
		return nil, err
	}
	own, other := form.population(""), form.population(otherPrefix)
	view := &patternsView{patternForm: form, Distinct: v.word("distinct") != "", Forms: v.word("forms"), Sort: v.word("sort"), Name: form.nameOf(v, ""), Page: v.Site + v.again(), Filters: form.active(v)}
	view.addDocs(v)
	if form.Wrong() {
		return view.page(v)
	}
	if view.Compared = len(values(other)) > 0; view.Compared {
		other = append(other, "forms", view.Forms)
	}
	own = append(own, "forms", view.Forms)
	view.All = v.formulasOf(own)
	distinct := ""
	if view.Distinct {
		distinct = "composition"
	}
	question := append(slices.Clone(own), "distinct", distinct)
	listed := append(slices.Clone(question), "pageSize", strconv.Itoa(herbsListed), "against", values(other).Encode())
	herbs, err := ask[herbsAnswer](v, "patterns.herbs", "", listed...)
	if err != nil {
		return nil, err
	}
	view.Count = herbs.Population
	view.N, view.AgainstN = view.counted(herbs.Population), view.counted(herbs.Against)
	view.Ways = []navLink{v.option("patterns.each", "distinct", ""), v.option("patterns.once", "distinct", "composition")}
	view.Joins = []navLink{v.option("patterns.alone", "forms", "", "least", ""), v.option("patterns.joined", "forms", "together", "least", "")}
	index, err := allHerbs(v)
	if err != nil {
		return nil, err
	}
	if len(view.Filters) == 0 && index["当归"] != nil {
		view.Example = v.link("/patterns", "dynasty", "宋", "herbs", "当归")
	}
	sorted := herbs
	if by := v.word("sort"); by != "" {
		listed = append(listed, "sort", by)
		if sorted, err = ask[herbsAnswer](v, "patterns.herbs", "", listed...); err != nil {
			return nil, err
		}
	}
	view.addHerbs(v, &sorted, own, index)
	if view.Compared {
		view.OtherName = form.nameOf(v, otherPrefix)
		back, err := ask[herbsAnswer](v, "patterns.herbs", "", append(append(slices.Clone(other), "distinct", distinct), "pageSize", strconv.Itoa(besideShown), "against", values(own).Encode())...)
		if err != nil {
			return nil, err
		}
		view.addBeside(v, view.Name, herbs.Items, own, index)
		view.addBeside(v, view.OtherName, back.Items, other, index)
	}
	if view.N > 0 {
		if err := view.addPairs(v, question, own); err != nil {
			return nil, err
		}
		if err := view.addPictures(v, &herbs, question, own, index); err != nil {
			return nil, err
		}
	}
	if err := view.addFacets(v, own); err != nil {
		return nil, err
	}
	view.Methods = view.methods(v)
	if name := v.Param("file"); name != "" {
		for at := 2; name == "drugs.csv" && len(sorted.Items) < sorted.Total; at++ {
			more, err := ask[herbsAnswer](v, "patterns.herbs", "", append(listed, "page", strconv.Itoa(at))...)
			if err != nil {
				return nil, err
			}
			sorted.Items = append(sorted.Items, more.Items...)
		}
		return view.file(v, name, sorted.Items)
	}
	query := strings.TrimPrefix(v.again("lang", ""), v.path())
	for _, f := range []struct {
		name, text string
		there      bool
	}{
		{"network.svg", "patterns.networkFile", view.Network != ""}, {"heat-map.svg", "patterns.heatFile", view.Heat != ""},
		{"drugs.csv", "patterns.drugsFile", len(herbs.Items) > 0}, {"pairs.csv", "patterns.pairsFile", len(view.allPairs) > 0},
	} {
		if f.there {
			view.Files = append(view.Files, navLink{Text: v.say(f.text), Address: "/patterns/" + f.name + query})
		}
	}
	return view.page(v)
}

// option returns a link to this page with another value of a parameter. key is the text of the
// link, and also has further parameters.
func (v *visit) option(key, name, value string, also ...string) navLink {
	return navLink{Text: v.say(key), Address: v.again(append(also, name, value)...), Here: v.word(name) == value}
}

// page returns the page. A file cannot be made from a form with a wrong field.
func (view *patternsView) page(v *visit) (*page, error) {
	if f := view.wrongField(); f != nil && v.Param("file") != "" {
		return nil, problem.New(problem.BadParameter, fieldWrong.With(f.Label, f.Wrong))
	}
	return &page{template: "patterns", Title: v.say("patterns.title"), Lead: v.say("patterns.lead"), Data: view}, nil
}

// addDocs adds links to the descriptions of the operations that the page asks.
func (view *patternsView) addDocs(v *visit) {
	for _, op := range []string{"patterns.herbs", "patterns.pairs"} {
		view.Docs = append(view.Docs, navLink{Text: v.say("patterns.docs." + op), Address: v.link("/docs/" + op)})
	}
}

// file returns a picture or a table of the page as a download. name is the name of the file.
func (view *patternsView) file(v *visit, name string, herbs []patterns.HerbCount) (*page, error) {
	picture := func(drawn template.HTML) (*page, error) {
		if drawn == "" {
			return nil, noPage(v)
		}
		return &page{file: &file{name: "bencao-" + name, kind: "image/svg+xml", content: draw.Standalone(drawn, v.Site)}}, nil
	}
	number := func(x *float64) string {
		if x == nil {
			return ""
		}
		return strconv.FormatFloat(*x, 'g', 6, 64)
	}
	var rows [][]string
	switch name {
	case "network.svg":
		return picture(view.Network)
	case "heat-map.svg":
		return picture(view.Heat)
	case "drugs.csv":
		rows = append(rows, []string{"id", "name", "formulas", "share", "elsewhere", "shareElsewhere", "oddsRatio", "oddsLow", "oddsHigh", "p", "q"})
		for _, h := range herbs {
			rows = append(rows, []string{string(h.ID), h.Name, strconv.Itoa(int(h.Formulas)), number(&h.Share), strconv.Itoa(int(h.Elsewhere)), number(h.ShareElse), number(h.OddsRatio), number(h.OddsLow), number(h.OddsHigh), number(h.P), number(h.Q)})
		}
	case "pairs.csv":
		rows = append(rows, []string{"x", "y", "formulas", "formulasX", "formulasY", "expected", "support", "confidenceXY", "confidenceYX", "lift", "jaccard", "p"})
		for _, p := range view.allPairs {
			rows = append(rows, []string{p.X.Name, p.Y.Name, strconv.Itoa(int(p.Formulas)), strconv.Itoa(int(p.FormulasX)), strconv.Itoa(int(p.FormulasY)), number(&p.Expected), number(&p.Support), number(&p.ConfidenceXY), number(&p.ConfidenceYX), number(&p.Lift), number(&p.Jaccard), number(&p.P)})
		}
	}
	if len(rows) < 2 {
		return nil, noPage(v)
	}
	return &page{file: spreadsheet("bencao-"+name, rows)}, nil
}

// counted returns how many formulas of a population are counted: all formulas, or one of each
// composition.
func (view *patternsView) counted(p patterns.Population) int {
	if view.Distinct {
		return int(p.Distinct)
	}
	return int(p.Formulas)
}

// addFacets adds dynasties and books as links. Each link restricts the population to one dynasty or
// book.
func (view *patternsView) addFacets(v *visit, own []string) error {
	counted, err := facets(v, "formulas.facets", "dynasty,source", mostFacets, own...)
	if err != nil {
		return err
	}
	for _, by := range []string{"dynasty", "source"} {
		if len(counted[by].Counts) > 1 {
			view.Facets = append(view.Facets, v.facet(counted[by], func(value string) string { return v.again(by, value, "least", "") }))
		}
	}
	return nil
}

// herbRows returns the rows of herbs. The bar of a herb shows the share of the formulas that
// contain the herb. The bar of the highest share of all has the full length.
func herbRows(v *visit, herbs []patterns.HerbCount, population []string, index herbIndex) []herbRow {
	var out []herbRow
	most := .01
	for _, h := range herbs {
		if most = max(most, h.Share); h.ShareElse != nil {
			most = max(most, *h.ShareElse)
		}
	}
	for _, h := range herbs {
		r := herbRow{HerbCount: h, Pinyin: index.sound(h.Name), Address: v.herbAddress(h.Herb), Formulas: v.formulasOf(population, h.Name), ShareText: percentOf(h.Share)}
		usual := 0.0
		if h.ShareElse != nil {
			usual, r.ElseText = *h.ShareElse, percentOf(*h.ShareElse)
		}
		if h.OddsRatio != nil {
			r.Odds = v.say("patterns.interval", ratio(*h.OddsRatio), ratio(*h.OddsLow), ratio(*h.OddsHigh))
		}
		if h.Q != nil {
			r.QText, r.mark = small(*h.Q), marked(*h.Q, *h.OddsRatio)
		}
		r.Chosen = h.ShareElse != nil && h.OddsRatio == nil
		r.Picture = draw.BarAgainst(h.Share, usual, most)
		out = append(out, r)
	}
	return out
}

func (view *patternsView) addHerbs(v *visit, herbs *herbsAnswer, own []string, index herbIndex) {
	for _, by := range []string{"", string(patterns.ByOddsRatio), string(patterns.ByQ)} {
		view.Sorts = append(view.Sorts, v.option("patterns.sort."+cmp.Or(by, string(patterns.ByFormulas)), "sort", by))
	}
	rows := herbRows(v, herbs.Items, own, index)
	view.More = herbs.Total - len(rows)
	shown := min(herbsShown, len(rows))
	view.Herbs, view.Rest = rows[:shown], rows[shown:]
}

// addBeside adds a table of the most frequent herbs of a population. herbs begins with these herbs.
func (view *patternsView) addBeside(v *visit, name string, herbs []patterns.HerbCount, population []string, index herbIndex) {
	herbs = herbs[:min(besideShown, len(herbs))]
	view.Beside = append(view.Beside, besideTable{name, herbRows(v, herbs, population, index)})
}

// pairRows returns the rows of a table of pairs.
func pairRows(v *visit, pairs []patterns.Pair, own []string) []pairRow {
	var out []pairRow
	for _, p := range pairs {
		out = append(out, pairRow{Pair: p, Address: v.formulasOf(own, p.X.Name, p.Y.Name), XAddress: v.herbAddress(p.X), YAddress: v.herbAddress(p.Y), Expected: oneDecimal(p.Expected), Lift: ratio(p.Lift), QText: small(p.Q), mark: marked(p.Q, p.Lift)})
	}
	return out
}

// addPairs adds the pairs of herbs that most clearly occur together. Each herb of a pair must occur
// in a minimum number of formulas ([patterns.LeastPaired]). If the form names a herb, the pairs are
// those of this herb; if it names two, their pair is the only one.
func (view *patternsView) addPairs(v *visit, question, own []string) error {
	least := ""
	if n := patterns.LeastPaired(view.N); n != patterns.Automatic {
		least = strconv.Itoa(n)
	}
	herb, with := view.Values["herb"], view.Values["with"]
	side := ""
	if with != "" {
		side = "both" // the user did not choose the pair because it is frequent
	}
	if view.OfHerb = herb; with != "" {
		view.OfHerb = v.say("patterns.twoDrugs", herb, with)
	}
	pairs, err := ask[pairsAnswer](v, "patterns.pairs", "", append(slices.Clone(question), "herb", herb, "with", with, "side", side, "minFormulas", least, "pageSize", strconv.Itoa(pairsShown))...)
	if herb != "" && wrongText(err) {
		view.PairWrong = v.lang.Tell(err)
		return nil
	}
	if err != nil {
		return err
	}
	view.Tested, view.MinFormulas = pairs.Tested, pairs.MinFormulas
	view.Pairs = pairRows(v, pairs.Items, own)
	if herb != "" && with == "" && len(pairs.Items) > 0 {
		h, err := ask[store.HerbDetail](v, "herbs.detail", string(pairs.Items[0].X.ID))
		if err == nil && h.InText != nil {
			view.InText = *h.InText
		}
	}
	if with != "" && len(pairs.Items) == 1 {
		if view.PairP = small(pairs.Items[0].P); !strings.HasPrefix(view.PairP, "<") {
			view.PairP = "= " + view.PairP
		}
	}
	return nil
}

// pairKey identifies a pair of herbs by the two ranks of the herbs in the population.
type pairKey struct{ first, second int }

// pairsOfHerbs are the pairs among the most frequent herbs of a population.
type pairsOfHerbs struct {
	herbs []patterns.HerbCount // the most frequent first; only the first of them are paired, and count is their number
	count int                  // number of herbs that are paired with each other
	by    map[pairKey]patterns.Pair
	keys  []pairKey // the keys in the field by, in ascending order
}

// pairsAmong requests the pairs of the most frequent herbs. size is the number of these herbs. It
// includes further herbs that are in as many formulas as the last of them. It pairs at most
// mostPaired herbs.
func pairsAmong(v *visit, herbs []patterns.HerbCount, size int, question []string) (*pairsOfHerbs, error) {
	if len(herbs) < 2 {
		return nil, nil
	}
	least := max(2, int(herbs[min(size, len(herbs))-1].Formulas))
	for len(herbs) > mostPaired && int(herbs[mostPaired].Formulas) >= least {
		least++
	}
	rank := map[patterns.Herb]int{}
	for i, h := range herbs {
		if int(h.Formulas) >= least {
			rank[h.Herb] = i
		}
	}
	if len(rank) < 2 {
		return nil, nil
	}
	found := &pairsOfHerbs{herbs: herbs, count: len(rank), by: map[pairKey]patterns.Pair{}}
	for at := 1; at <= pagesOfPairs; at++ {
		got, err := ask[pairsAnswer](v, "patterns.pairs", "", append(slices.Clone(question), "minFormulas", strconv.Itoa(least), "pageSize", strconv.Itoa(pairsAPage), "page", strconv.Itoa(at))...)
		if err != nil {
			return nil, err
		}
		found.add(rank, got.Items)
		if at*pairsAPage >= got.Total {
			break
		}
	}
	found.sort()
	return found, nil
}

// add adds the pairs of herbs that have a rank.
func (found *pairsOfHerbs) add(rank map[patterns.Herb]int, pairs []patterns.Pair) {
	for _, p := range pairs {
		x, xRanked := rank[p.X]
		y, yRanked := rank[p.Y]
		if xRanked && yRanked {
			k := pairKey{min(x, y), max(x, y)}
			found.by[k] = p
			found.keys = append(found.keys, k)
		}
	}
}

func (found *pairsOfHerbs) sort() {
	slices.SortFunc(found.keys, func(a, b pairKey) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second)) })
}

// addPictures adds the heat map and the network of the most frequent herbs.
func (view *patternsView) addPictures(v *visit, herbs *herbsAnswer, question, own []string, index herbIndex) error {
	size := networkHerbs
	if n, err := strconv.Atoi(v.query.Get("drugs")); err == nil && slices.Contains(networkSizes, n) {
		size = n
	}
	for _, n := range networkSizes {
		view.Sizes = append(view.Sizes, navLink{Text: strconv.Itoa(n), Address: v.again("drugs", strconv.Itoa(n), "least", ""), Here: n == size})
	}
	found, err := pairsAmong(v, herbs.Items, max(size, heatHerbs), question)
	if err != nil || found == nil {
		return err
	}
	for _, k := range found.keys {
		view.allPairs = append(view.allPairs, found.by[k])
	}
	view.addHeat(v, found, own, index)
	view.addNetwork(v, found, min(size, found.count), own, index)
	return nil
}

// titleOf describes in words how often the two herbs of a pair occur together.
func titleOf(v *visit, p patterns.Pair) string {
	return v.say("patterns.pair", p.X.Name, p.Y.Name, p.Formulas, oneDecimal(p.Expected), ratio(p.Lift))
}

func (view *patternsView) addHeat(v *visit, found *pairsOfHerbs, own []string, index herbIndex) {
	shown := min(heatHerbs, found.count)
	var names, notes []string
	for _, h := range found.herbs[:shown] {
		names, notes = append(names, h.Name), append(notes, v.sound(index, h.Name))
	}
	view.Heat = draw.Triangle(names, notes, func(row, column int) draw.Cell {
		p := found.by[pairKey{column, row}]
		return draw.Cell{Count: int(p.Formulas), Lift: p.Lift, Address: v.formulasOf(own, p.X.Name, p.Y.Name), Title: titleOf(v, p)}
	}, v.say("patterns.heatLabel", shown), v.say("patterns.heatKey"))
}

// addNetwork adds the network of the most frequent herbs. size is the number of these herbs. A line
// joins two herbs that occur together more often than expected and in at least as many formulas as
// the threshold (see [threshold]).
func (view *patternsView) addNetwork(v *visit, found *pairsOfHerbs, size int, own []string, index herbIndex) {
	var together []pairKey // pairs that occur more often than expected
	var counts []int
	for _, k := range found.keys {
		if p := found.by[k]; k.second < size && p.Lift > 1 {
			together, counts = append(together, k), append(counts, int(p.Formulas))
		}
	}
	slices.SortFunc(counts, func(a, b int) int { return b - a })
	view.LeastNow = threshold(v, counts)
	view.addThresholds(v, counts)
	together = slices.DeleteFunc(together, func(k pairKey) bool { return int(found.by[k].Formulas) < view.LeastNow })
	linked := map[int]bool{}
	for _, k := range together {
		linked[k.first], linked[k.second] = true, true
	}
	place := map[int]int{}
	var nodes []draw.Herb
	for i, h := range found.herbs[:size] { // in this order, the most frequent herb becomes the first node
		if linked[i] {
			place[i] = len(nodes)
			nodes = append(nodes, draw.Herb{Name: h.Name, Note: v.sound(index, h.Name), Address: v.formulasOf(own, h.Name), Title: v.say("patterns.drug", h.Name, h.Formulas, percentOf(h.Share)), Size: h.Share / found.herbs[0].Share})
		}
	}
	var edges []draw.Together
	for _, k := range together {
		p := found.by[k]
		edges = append(edges, draw.Together{A: place[k.first], B: place[k.second], Weight: float64(p.Formulas) / float64(counts[0]), Title: titleOf(v, p)})
	}
	view.Drawn, view.Lines, view.Apart = len(nodes), len(edges), size-len(nodes)
	if len(nodes) == 0 {
		return
	}
	label := v.say("patterns.networkLabel", len(nodes), len(edges))
	view.Network = draw.Pairs(nodes, edges, 760, label)
	for i := range edges {
		edges[i].Title = "" // phones show no titles
	}
	view.Tall = draw.Pairs(nodes, edges, 320, label)
}

// threshold returns the number of formulas in which a pair must occur to get a line in the network.
// If the user chose a number, threshold returns that number, or a higher one if more than about
// mostLines lines would result. Otherwise it returns a number that gives about clearLines lines.
// counts has the number of formulas of each pair, the highest first.
func threshold(v *visit, counts []int) int {
	if n, err := strconv.Atoi(v.query.Get("least")); err == nil && n > 0 {
		if len(counts) > mostLines {
			n = max(n, counts[mostLines-1])
		}
		return n
	}
	least := 1
	if len(counts) > clearLines {
		least = counts[clearLines-1]
	}
	if len(counts) > mostLines {
		least = max(least, 2)
	}
	return least
}

// addThresholds adds links to this page with other values of the threshold. counts has the number
// of formulas of each pair, the highest first.
func (view *patternsView) addThresholds(v *visit, counts []int) {
	var choices []int
	for _, lines := range []int{15, 30, clearLines, 120, 240} {
		if lines <= len(counts) {
			choices = append(choices, counts[lines-1])
		}
	}
	if len(counts) > 0 && len(counts) <= mostLines {
		choices = append(choices, counts[len(counts)-1])
	}
	choices = append(choices, view.LeastNow)
	slices.Sort(choices)
	for _, n := range slices.Compact(choices) {
		view.Least = append(view.Least, navLink{Text: strconv.Itoa(n), Address: v.again("least", strconv.Itoa(n)), Here: n == view.LeastNow})
	}
}

// methods returns a paragraph about the method of the page. Users can put it into the methods
// section of a paper.
func (view *patternsView) methods(v *visit) string {
	way := v.say("patterns.methods.each", view.N)
	if view.Distinct {
		way = v.say("patterns.methods.once", view.N)
	}
	against := v.say("patterns.methods.rest", view.AgainstN)
	if view.Compared {
		against = v.say("patterns.methods.other", view.OtherName, view.AgainstN)
	}
	parts := []string{v.say("patterns.methods.population", v.Version(), v.Meta().ID, view.Name, int(view.Count.Formulas), int(view.Count.Distinct)), way, v.say("patterns.methods.shares")}
	if view.Forms != "" {
		parts = append(parts, v.say("patterns.methods.joined"))
	}
	if view.AgainstN > 0 {
		parts = append(parts, v.say("patterns.methods.odds", against))
	}
	switch {
	case view.Values["with"] != "" && view.Tested > 0:
		parts = append(parts, v.say("patterns.methods.pair", view.OfHerb, view.MinFormulas, view.Tested))
	case view.Tested > 0:
		parts = append(parts, v.say("patterns.methods.pairs", view.MinFormulas, view.Tested))
	}
	if view.Network != "" {
		parts = append(parts, v.say("patterns.methods.network", view.Drawn+view.Apart, view.LeastNow))
	}
	space := " "
	if v.lang.Code == "zh" {
		space = ""
	}
	return strings.Join(append(parts, v.say("patterns.methods.address", view.Page)), space)
}

// percentOf returns a share in percent, with one decimal if it is below 10 %.
func percentOf(share float64) string {
	switch p := 100 * share; {
	case p == 0:
		return "0 %"
	case p < .1:
		return "< 0.1 %"
	case p < 9.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// small returns a p value or a false discovery rate as text, with two or four decimals.
func small(q float64) string {
	switch {
	case q < .0001:
		return "< 0.0001"
	case q < .01:
		return strconv.FormatFloat(q, 'f', 4, 64)
	default:
		return strconv.FormatFloat(q, 'f', 2, 64)
	}
}

// ratio returns an odds ratio or a lift as text with two significant digits, even if the second
// digit is 0.
func ratio(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x >= 9.95:
		return twoDigits(x)
	case x >= .995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case x >= .0995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// oneDecimal returns a number as text. The text has one decimal if the number is below 100, and
// none otherwise.
func oneDecimal(x float64) string {
	if x >= 99.95 {
		return typeset.Thousands(int(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}
