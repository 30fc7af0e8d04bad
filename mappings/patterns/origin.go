package patterns

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/names/han"
	"bencao/store"
)

// Basis is the evidence that a formula descends from another.
type Basis string

// The bases, the best evidence first.
const (
	ByName    Basis = "name"      // the name of the formula contains that of the other
	ByText    Basis = "text"      // a text of the source says it: 即四君子汤加陈皮
	Contained Basis = "contained" // the formula contains all drugs of the other
)

// bases lists the bases. The index of a basis plus 1 is its stored number.
var bases = []Basis{ByName, ByText, Contained}

// origin tells from which formulas a formula descends. Of one that combines two formulas, parents has
// both. It is empty for a formula that descends from none.
type origin struct {
	parents []store.Num
	basis   Basis
}

const (
	// leastContained is the minimum number of drugs of a parent with the basis Contained.
	leastContained = 4
	// leastName is the minimum length of a formula's name without its dosage form, in characters.
	leastName = 2
	// mostName is the maximum length of a formula's name in a text, in bytes.
	mostName = 48
)

// genealogy finds the origins of formulas. Names and texts are folded by [han.Fold].
type genealogy struct {
	d *store.Data
	// names and stems has the names of the formulas and their stems. Formulas of one stem, such as
	// 理中丸 and 理中汤, count as records of one formula.
	names, stems []string
	// listed has the drugs of each formula in ascending order. A processed form or a part counts as
	// its drug. sets has the unlisted drugs too.
	listed, sets [][]uint32
	// common has, for each formula, the numbers of formulas that list each of its drugs, added up.
	common []int
	// first has, for each formula, the oldest record of it: of the same stem, with at least half of the
	// drugs of both in common.
	first  []store.Num
	byName map[string][]store.Num
	// byStem has the formulas by stem, and those with 大 or 小 before the stem.
	byStem map[string][]store.Num
	drugs  []uint32        // herb → its number in sets
	isDrug map[string]bool // names of drugs
	told   map[store.Num][]statement
}

// statement says that a formula is made from one formula or two.
type statement struct {
	parents []string // their names, perhaps without the dosage form
	// change is the text about what the formula adds and leaves out. If it is not "", it must explain
	// the formula, because the statement may be about another formula of the same name.
	change string
}

// origins returns the origin of each formula. list and sets are what collect returns for the naming
// joined.
func origins(d *store.Data, list []Herb, sets [][]uint32) []origin {
	g := &genealogy{d: d, listed: sets, byName: map[string][]store.Num{}, byStem: map[string][]store.Num{}, isDrug: map[string]bool{}, told: map[store.Num][]statement{}}
	g.addUnlisted(list)
	for i := range d.Formulas {
		n, name := store.Num(i), han.Fold(string(d.Formulas[i].Name))
		g.names = append(g.names, name)
		g.byName[name] = append(g.byName[name], n)
		stem, _ := split(name)
		g.stems = append(g.stems, cmp.Or(stem, name))
		g.byStem[stem] = append(g.byStem[stem], n)
		if bare := size.ReplaceAllString(stem, ""); bare != stem && utf8.RuneCountInString(bare) >= leastName {
			g.byStem[bare] = append(g.byStem[bare], n)
		}
	}
	delete(g.byStem, "")
	for i := range d.Herbs {
		g.isDrug[han.Fold(d.Herbs[i].Name)] = true
	}
	for i := range d.Formulas {
		for _, in := range d.Formulas[i].Ingredients {
			for _, name := range append(in.Plain, in.Herb) {
				g.isDrug[han.Fold(name)] = true
			}
		}
	}
	for i := range d.Formulas {
		g.listen(store.Num(i))
	}
	g.findFirst()
	contained := g.contained()
	out := make([]origin, len(sets))
	for i := range out {
		n := store.Num(i)
		if d.Formulas[i].Year == nil {
			continue
		}
		for _, of := range []func(store.Num) origin{g.byItsName, g.byTexts, g.calledLike, contained} {
			if out[i] = of(n); out[i].parents != nil {
				break
			}
		}
	}
	return out
}

// addUnlisted sets g.sets and g.common. A drug that no formula lists gets a number of its own.
func (g *genealogy) addUnlisted(list []Herb) {
	numbers := map[string]uint32{}
	for i, one := range list {
		numbers[string(one.ID)] = uint32(i)
	}
	of := map[string]uint32{}
	number := func(key string) uint32 {
		if _, known := numbers[key]; !known {
			numbers[key] = uint32(len(numbers))
		}
		return numbers[key]
	}
	for i := range g.d.Herbs {
		n := number(g.d.Herbs[madeFrom(g.d, store.Num(i))].GUID)
		g.drugs = append(g.drugs, n)
		of[g.d.Herbs[i].Name] = n
	}
	for i, set := range g.listed {
		whole := slices.Clone(set)
		for _, name := range g.d.Formulas[i].Unlisted {
			n, known := of[name]
			if !known {
				n = number(name)
			}
			whole = append(whole, n)
		}
		slices.Sort(whole)
		g.sets = append(g.sets, slices.Compact(whole))
	}
	count := make([]int, len(numbers))
	for _, set := range g.listed {
		for _, drug := range set {
			count[drug]++
		}
	}
	g.common = make([]int, len(g.sets))
	for i, set := range g.sets {
		for _, drug := range set {
			g.common[i] += count[drug]
		}
	}
}

// findFirst sets g.first.
func (g *genealogy) findFirst() {
	records := map[string][]store.Num{}
	for i, stem := range g.stems {
		if g.d.Formulas[i].Year != nil {
			records[stem] = append(records[stem], store.Num(i))
		}
	}
	for i := range g.d.Formulas {
		n := store.Num(i)
		first := n
		if g.d.Formulas[i].Year != nil {
			for _, p := range records[g.stems[i]] {
				if g.older(p, first) < 0 && 2*shared(g.sets[p], g.sets[i]) >= max(len(g.sets[p]), len(g.sets[i])) {
					first = p
				}
			}
		}
		g.first = append(g.first, first)
	}
}

// form matches the dosage form at the end of a name, and size the 大 or 小 at its beginning.
var (
	form = regexp.MustCompile(`(?:饮子|丸子|煎子|圆子|[汤丸散饮丹膏煎圆酒])方?$`)
	size = regexp.MustCompile(`^[大小]`)
)

// split divides a name into its stem and its dosage form: 桂枝汤 into 桂枝 and 汤. A stem that is shorter
// than leastName is "".
func split(name string) (stem, dosage string) {
	stem = form.ReplaceAllString(name, "")
	dosage = name[len(stem):]
	if utf8.RuneCountInString(stem) < leastName {
		stem = ""
	}
	return stem, dosage
}

// altered matches the beginning of names such as 加味逍遥散, and changed what divides names such as
// 桂枝去芍药汤. twice matches the stems of 桂枝二麻黄一汤 and 桂枝麻黄各半汤.
var (
	altered = regexp.MustCompile(`^(?:加味|加减|增损)`)
	changed = regexp.MustCompile(`[加去合]`)
	twice   = regexp.MustCompile(`^(.+)(?:二(.+)一|各半)$`)
)

// byItsName returns the origin that the name of formula n gives.
func (g *genealogy) byItsName(n store.Num) (o origin) {
	stem, dosage := split(g.names[n])
	try := func(names ...string) bool {
		o = g.find(n, ByName, statement{parents: names})
		return o.parents != nil
	}
	if rest := altered.ReplaceAllString(g.names[n], ""); rest != g.names[n] && try(rest) {
		return o
	}
	for _, at := range changed.FindAllStringIndex(stem, -1) {
		before, after := stem[:at[0]], stem[at[1]:]
		if stem[at[0]:at[1]] == "合" && try(before+dosage, after+dosage) || try(before+dosage) {
			return o
		}
	}
	if m := twice.FindStringSubmatch(stem); m != nil {
		if m[2] != "" {
			try(m[1]+dosage, m[2]+dosage)
			return o
		}
		for at := range m[1] {
			if try(m[1][:at]+dosage, m[1][at:]+dosage) {
				return o
			}
		}
	}
	return o
}

// byTexts returns the origin that texts of the source give for formula n.
func (g *genealogy) byTexts(n store.Num) (o origin) {
	for _, said := range g.told[n] {
		if o = g.find(n, ByText, said); o.parents != nil {
			break
		}
	}
	return o
}

// find returns the origin of formula n according to a statement. All its parents must be found.
func (g *genealogy) find(n store.Num, by Basis, said statement) origin {
	o := origin{basis: by}
	for _, name := range said.parents {
		p, ok := g.record(n, by, name)
		if !ok {
			return origin{}
		}
		o.parents = append(o.parents, p)
	}
	if said.change != "" && !g.explains(said.change, o.parents, n) {
		return origin{}
	}
	return o
}

// record returns the formula with a name that is most like formula n and not younger. If there is
// none with this name, it may have another dosage form, or 大 or 小 before the name. It then must share
// half of its drugs, and two, with formula n, as must any formula that only a text gives.
func (g *genealogy) record(n store.Num, by Basis, name string) (best store.Num, found bool) {
	stem, _ := split(name)
	if stem == "" {
		return 0, false
	}
	most := 0
	for i, list := range [][]store.Num{g.byName[name], g.byStem[stem]} {
		for _, p := range list {
			if g.d.Formulas[p].Year == nil || *g.d.Formulas[p].Year > *g.d.Formulas[n].Year || g.stems[p] == g.stems[n] {
				continue
			}
			common := shared(g.sets[p], g.sets[n])
			if common == 0 || (i > 0 || by == ByText) && (common < 2 || 2*common < len(g.sets[p])) {
				continue
			}
			if like := 2*common - len(g.sets[p]); !found || cmp.Or(most-like, g.older(p, best)) < 0 {
				best, most, found = p, like, true
			}
		}
		if found {
			break
		}
	}
	return best, found
}

// explains reports whether a text explains how formula n is made from its parents. Apart from the
// drugs that the text names, three quarters of the drugs of formula n are in its parents, and three
// quarters of those of each parent in formula n. Of one parent, the text must name a drug.
func (g *genealogy) explains(text string, parents []store.Num, n store.Num) bool {
	named := map[uint32]bool{}
	for _, f := range append([]store.Num{n}, parents...) {
		for k := range g.d.Formulas[f].Ingredients {
			in := &g.d.Formulas[f].Ingredients[k]
			for _, h := range in.Herbs {
				if strings.Contains(text, han.Fold(in.Herb)) || strings.Contains(text, han.Fold(g.d.Herbs[h].Name)) {
					named[g.drugs[h]] = true
				}
			}
		}
	}
	has := map[uint32]bool{}
	for _, p := range parents {
		missing := 0
		for _, drug := range g.sets[p] {
			has[drug] = true
			if !named[drug] && !slices.Contains(g.sets[n], drug) {
				missing++
			}
		}
		if 4*missing > len(g.sets[p]) {
			return false
		}
	}
	more := 0
	for _, drug := range g.sets[n] {
		if !has[drug] && !named[drug] {
			more++
		}
	}
	return 4*more <= len(g.sets[n]) && (len(named) > 0 || len(parents) > 1)
}

// calledLike returns the origin of a formula such as 附子理中丸: the stem of an older formula, 理中丸, is in
// its name, and it has at least three quarters of the drugs of that formula, which are two or more. The
// longest such stem counts. A stem that is the name of a drug, or a part of one in the name, tells nothing:
// 五加皮汤 is called after 五加皮, not after 五加酒.
func (g *genealogy) calledLike(n store.Num) (o origin) {
	stem, _ := split(g.names[n])
	runes := []rune(stem)
	for length := len(runes) - 1; length >= leastName; length-- {
		for at := 0; at+length <= len(runes); at++ {
			part := string(runes[at : at+length])
			if g.inDrug(runes, at, at+length) {
				continue
			}
			for _, p := range g.byStem[part] {
				if g.precedes(p, n) && len(g.sets[p]) > 1 && 4*shared(g.sets[p], g.sets[n]) >= 3*len(g.sets[p]) && (o.parents == nil || g.larger(p, o.parents[0]) < 0) {
					o = origin{[]store.Num{p}, ByName}
				}
			}
			if o.parents != nil {
				return o
			}
		}
	}
	return o
}

// inDrug reports whether the characters of a name from begin to end are the name of a drug or belong to one.
func (g *genealogy) inDrug(name []rune, begin, end int) bool {
	for from := range begin + 1 {
		for to := end; to <= len(name); to++ {
			if g.isDrug[string(name[from:to])] {
				return true
			}
		}
	}
	return false
}

// own matches what a text says about its formula: 即六味地黄汤加知母. adds and called match what it says
// about others: 本方加附子一枚，名附子理中汤; 本方合四物名八珍汤.
var (
	sentence = regexp.MustCompile(`[^。；;\n]+`)
	own      = regexp.MustCompile(`(?:即|本云|此乃)([^，,、（）()《》]{2,10}?)[，,]?[今倍更]?([加去合])(.*)`)
	adds     = regexp.MustCompile(`([^，,、（）()《》]*?)([加入合])(.*)`)
	called   = regexp.MustCompile(`名[为曰]?`)
)

// listen collects the statements in the texts of formula n.
func (g *genealogy) listen(n store.Num) {
	f := &g.d.Formulas[n]
	for _, text := range []store.Text{f.Composition, f.Efficacy, f.Indications, f.Preparation} {
		of := g.names[n] // the formula of which the text speaks
		var m []string   // what the text said last that a formula adds
		change := ""
		for _, s := range sentence.FindAllString(string(text), -1) {
			if !strings.HasPrefix(s, "（") {
				of = g.names[n]
			}
			if is := own.FindStringSubmatch(s); is != nil && g.nameAt(is[1]) == han.Fold(is[1]) && !called.MatchString(is[3]) {
				g.tell(of, n, statement{parents: g.combined(is[1], is[2], is[3])})
			}
			from := 0
			for _, at := range called.FindAllStringIndex(s, -1) {
				before := s[from:at[0]]
				from = at[1]
				if !strings.HasSuffix(before, "又") { // 又名 gives a second name
					m = adds.FindStringSubmatch(before)
					if !strings.HasPrefix(before, "再") {
						change = ""
					}
					change += before
				}
				if m == nil {
					continue
				}
				of = g.nameAt(s[from:])
				parent := g.names[n]
				for i := range m[1] {
					if known := g.nameAt(m[1][i:]); known != "" && known == han.Fold(m[1][i:]) {
						parent = known
						break
					}
				}
				g.tell(of, n, statement{g.combined(parent, m[2], m[3]), change})
			}
		}
	}
}

// combined returns the names of the parents in a statement: parent, and after 合 a second one.
func (g *genealogy) combined(parent, verb, rest string) []string {
	if second := g.nameAt(rest); verb == "合" && second != "" {
		return []string{parent, second}
	}
	return []string{parent}
}

// tell records a statement in the text of formula n about the formulas with a name. If this is the
// name of formula n, the statement is about this formula alone.
func (g *genealogy) tell(name string, n store.Num, said statement) {
	list := g.byName[name]
	if list == nil {
		list = g.byStem[name]
	}
	if name == g.names[n] {
		list = []store.Num{n}
	}
	for _, child := range list {
		g.told[child] = append(g.told[child], said)
	}
}

// end matches what may follow a name in a text.
var end = regexp.MustCompile(`^(?:[，,、：:（）()《》 又治名去加]|$)`)

// nameAt returns the longest name or stem of a formula with which a text begins, folded, or "".
func (g *genealogy) nameAt(text string) (longest string) {
	for i := range text[:min(len(text), mostName)] + "." {
		name := han.Fold(text[:i])
		stem, _ := split(name)
		if (g.byName[name] != nil || g.byStem[stem] != nil) && end.MatchString(text[i:]) {
			longest = name
		}
	}
	return longest
}

// older compares two formulas by year and then by their place in the source.
func (g *genealogy) older(a, b store.Num) int {
	f, h := &g.d.Formulas[a], &g.d.Formulas[b]
	return cmp.Or(cmp.Compare(*f.Year, *h.Year), cmp.Compare(f.EntryID, h.EntryID))
}

// larger compares two formulas: those with more drugs come first, then those with rarer drugs, which
// tell more, and then the older ones.
func (g *genealogy) larger(a, b store.Num) int {
	return cmp.Or(cmp.Compare(len(g.sets[b]), len(g.sets[a])), cmp.Compare(g.common[a], g.common[b]), g.older(a, b))
}

// precedes reports whether formula p is older than formula n, and the first record of p not of a later
// year than that of n. p must have another stem and fewer drugs than n. A book of 1865 that copies 逍遥散 of 1078 does not take it from one of 1253.
func (g *genealogy) precedes(p, n store.Num) bool {
	return g.d.Formulas[p].Year != nil && g.older(p, n) < 0 && *g.d.Formulas[g.first[p]].Year <= *g.d.Formulas[g.first[n]].Year && g.stems[p] != g.stems[n] && len(g.sets[p]) > 0 && len(g.sets[p]) < len(g.sets[n])
}

// contained returns a function for the origins with the basis Contained. The parent of a formula is
// the older one with the most drugs, at least four, all of which the formula lists beside others. Of
// several, it is the one with the rarest drugs, then the oldest. If another such formula has all the other drugs, the formula combines
// both; of several, it is the one with the fewest drugs.
func (g *genealogy) contained() func(store.Num) origin {
	last := map[uint32][]store.Num{} // drug → the formulas in which it has the highest number
	for i, set := range g.sets {
		if len(set) >= leastContained && g.d.Formulas[i].Year != nil {
			drug := set[len(set)-1]
			last[drug] = append(last[drug], store.Num(i))
		}
	}
	return func(n store.Num) origin {
		set, bare := g.listed[n], size.ReplaceAllString(g.stems[n], "")
		var all []store.Num
		for _, drug := range set {
			for _, p := range last[drug] {
				if len(g.sets[p]) < len(set) && g.precedes(p, n) && shared(g.sets[p], set) == len(g.sets[p]) && (g.isDrug[bare] || !strings.Contains(g.stems[p], bare)) {
					all = append(all, p)
				}
			}
		}
		if all == nil {
			return origin{}
		}
		slices.SortFunc(all, g.larger)
		o := origin{parents: all[:1:1], basis: Contained}
		first := g.sets[all[0]]
		second := slices.DeleteFunc(slices.Clone(all[1:]), func(p store.Num) bool {
			return len(first)+len(g.sets[p])-shared(first, g.sets[p]) < len(set)
		})
		if len(second) > 0 {
			o.parents = append(o.parents, slices.MinFunc(second, func(a, b store.Num) int {
				return cmp.Or(cmp.Compare(len(g.sets[a]), len(g.sets[b])), g.older(a, b))
			}))
		}
		return o
	}
}

// shared returns the number of common numbers of a and b. Both must be in ascending order.
func shared(a, b []uint32) (count int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			i, j, count = i+1, j+1, count+1
		}
	}
	return count
}
