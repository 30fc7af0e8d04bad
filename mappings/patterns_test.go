package mappings_test

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/mappings/patterns"
	"bencao/mappings/search"
	"bencao/store"
)

// patternLines returns the lines of a list in testdata/patterns, without comments.
func patternLines(t *testing.T, file string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "patterns", file))
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// engine opens the patterns that are stored in the snapshot of the package.
func (p *pack) engine(t *testing.T) *patterns.Engine {
	t.Helper()
	tx, err := p.store.Begin()
	must(t, err)
	defer tx.Close()
	e, err := patterns.Open(tx.Pattern)
	must(t, err)
	return e
}

// herbSets returns the names of the herbs of each formula that has herbs.
func herbSets(t *testing.T, e *patterns.Engine) map[store.Num]map[string]bool {
	t.Helper()
	all, err := e.List(patterns.Question{})
	must(t, err)
	sets := map[store.Num]map[string]bool{}
	for _, n := range all.Formulas {
		sets[n] = map[string]bool{}
		for _, d := range all.Herbs(n) {
			sets[n][d.Name] = true
		}
	}
	return sets
}

// TestClassesOfFormulas compares the likeness and the descent of formulas with the classes of
// 《伤寒论类方》. In this book, each class has a head formula. The test assigns each formula to the class
// whose formulas are most like it.
//
// The likeness of two formulas is the total weight of their common herbs, divided by the total
// weight of all herbs in either formula. A herb in few formulas has a large weight.
// docs/patterns.md gives the figures.
func TestClassesOfFormulas(t *testing.T) {
	p := full(t)
	e := p.engine(t)
	sets := herbSets(t, e)
	formulasWith := map[string]int{}
	for _, set := range sets {
		for herb := range set {
			formulasWith[herb]++
		}
	}
	weight := func(herb string) float64 { return math.Log(float64(len(sets)) / float64(formulasWith[herb])) }
	likeness := func(a, b map[string]bool) float64 {
		var common, all float64
		for herb := range a {
			all += weight(herb)
			if b[herb] {
				common += weight(herb)
			}
		}
		for herb := range b {
			if !a[herb] {
				all += weight(herb)
			}
		}
		return common / all
	}
	// record returns the oldest formula with one of the names. It prefers formulas of 伤寒论.
	record := func(names []string) (best store.Num, found bool) {
		rank := func(n store.Num) (int, int32) {
			f := &p.Formulas[n]
			in, year := 1, int32(math.MaxInt32)
			if strings.Contains(string(f.OriginalSource), "伤寒论") {
				in = 0
			}
			if f.Year != nil {
				year = *f.Year
			}
			return in, year
		}
		for i := range p.Formulas {
			n := store.Num(i)
			if !slices.Contains(names, string(p.Formulas[i].Name)) || len(sets[n]) == 0 {
				continue
			}
			in, year := rank(n)
			bestIn, bestYear := rank(best)
			if !found || cmp.Or(cmp.Compare(in, bestIn), cmp.Compare(year, bestYear)) < 0 {
				best, found = n, true
			}
		}
		return best, found
	}
	type member struct {
		head, name string
		record     store.Num
		leads      bool // the formula has the name of the head
	}
	var members []member
	named, missing := 0, []string{}
	for _, line := range patternLines(t, "leifang.txt") {
		head, list, _ := strings.Cut(line, ": ")
		for i, text := range strings.Fields(list) {
			names := strings.Split(text, "=")
			named++
			n, found := record(names)
			if !found {
				missing = append(missing, names[0])
				continue
			}
			members = append(members, member{head, names[0], n, head != "杂法方" && (i == 0 || strings.HasSuffix(names[0], head))})
		}
	}
	if named != 113 {
		t.Errorf("the list has %d formulas; the book has 113", named)
	}
	right, judged, descended, under := 0, 0, 0, 0
	var wrong []string
	for _, m := range members {
		if m.leads || m.head == "杂法方" {
			continue
		}
		var best member
		most := -1.0
		for _, h := range members {
			if like := likeness(sets[m.record], sets[h.record]); h.leads && like > most {
				best, most = h, like
			}
		}
		if judged++; best.head == m.head {
			right++
		} else {
			wrong = append(wrong, m.name+" ("+m.head+") like "+best.name)
		}
		for n := m.record; ; {
			from, _ := e.Descent(n)
			if from == nil {
				break
			}
			n = from[0].Formula
			if i := slices.IndexFunc(members, func(h member) bool { return h.leads && h.record == n }); i >= 0 {
				descended++
				if members[i].head == m.head {
					under++
				}
				break
			}
		}
	}
	near := 0
	for i, m := range members {
		// Of several equally like formulas, one of the class is enough: their order tells nothing.
		most, same := -1.0, false
		for k, h := range members {
			switch like := likeness(sets[m.record], sets[h.record]); {
			case k == i || like < most:
			case like > most:
				most, same = like, h.head == m.head
			default:
				same = same || h.head == m.head
			}
		}
		if same {
			near++
		}
	}
	t.Logf("%d of %d formulas are most like another formula of their class", near, len(members))
	t.Logf("%d of 113 formulas are in the data; missing %v", len(members), missing)
	t.Logf("%d of %d formulas with a head are most like a formula of that head; others %v", right, judged, wrong)
	t.Logf("%d of %d that descend from a formula of a head descend from the right one", under, descended)
	if under*100 < 90*descended || descended < 10 {
		t.Errorf("%d of %d formulas descend from the right head; at least 90 %% of 10 should", under, descended)
	}
	if right < 38 || near < 63 {
		t.Errorf("%d formulas are most like the right head and %d most like their class; they were 38 and 63", right, near)
	}
}

// TestPairsOfHerbs checks how many pairs of herbs from the book 《施今墨对药》 occur together
// significantly often in formulas. It ignores pairs that occur in no formula. Processed forms count
// as their herb.
func TestPairsOfHerbs(t *testing.T) {
	e := full(t).engine(t)
	together, significant, likely, few := 0, 0, 0, 0
	sure, likelySure := 0, 0 // pairs that the list does not mark as doubtful
	var not []string
	lines := patternLines(t, "duiyao.txt")
	for _, line := range lines {
		names := strings.Fields(line)
		pairs, err := e.Pairs(t.Context(), patterns.Question{Herb: names[0], With: names[1], MinFormulas: 2, Together: true})
		if err != nil { // one of the herbs is in fewer than two formulas
			few++
			continue
		}
		list := pairs.Page(0, 1)
		if list[0].Formulas == 0 {
			few++
			continue
		}
		together++
		if list[0].P < .05 {
			likely++
		}
		if !strings.HasSuffix(line, "?") {
			if sure++; list[0].P < .05 {
				likelySure++
			}
		}
		if list[0].Q < .05 {
			significant++
		} else {
			not = append(not, line)
		}
	}
	t.Logf("%d of %d pairs without doubt have p < 0.05", likelySure, sure)
	t.Logf("%d pairs; of %d no formula has both; of %d others %d have p < 0.05 and %d q < 0.05; not %v", len(lines), few, together, likely, significant, not)
	if likely*100 < 80*together || together < 100 {
		t.Errorf("%d of %d pairs have p < 0.05; at least 80 %% of 100 should", likely, together)
	}
}

// TestPublishedStudies compares the most frequent herbs of populations with those that published
// studies of the same populations give.
func TestPublishedStudies(t *testing.T) {
	p := full(t)
	e := p.engine(t)
	agreed, all := 0, 0
	for _, line := range patternLines(t, "studies.txt") {
		c := strings.Split(line, "|")
		for i := range c {
			c[i] = strings.TrimSpace(c[i])
		}
		words := strings.Fields(c[3])
		if len(words) == 0 {
			words = []string{""}
		}
		var population []uint64
		for _, word := range words {
			q := search.Query{Text: word, Dynasty: c[1]}
			if word != "" {
				q.In = "indications"
			}
			if c[2] != "" {
				q.Filters = []search.Filter{{Field: "source", Any: []string{c[2]}}}
			}
			found, _, err := p.formulas.Found(t.Context(), q)
			must(t, err)
			if population == nil {
				population = make([]uint64, len(found))
			}
			for i, w := range found {
				population[i] |= w
			}
		}
		herbs, err := e.Herbs(t.Context(), patterns.Question{Formulas: population})
		must(t, err)
		var first []string
		for _, h := range herbs.Rows[:min(10, len(herbs.Rows))] {
			first = append(first, h.Name)
		}
		common := 0
		study := strings.Fields(c[4])
		for _, herb := range study {
			if slices.Contains(first, herb) {
				common++
			}
		}
		agreed, all = agreed+common, all+len(study)
		t.Logf("%s: %d formulas, %d of %d; study %v, here %v", c[0], herbs.Population.Formulas, common, len(study), study, first)
	}
	if agreed*100 < 60*all {
		t.Errorf("%d of %d drugs of the studies are among the first ten; at least 60 %% should", agreed, all)
	}
}

// TestNamings logs the numbers of herbs and pairs for each naming.
func TestNamings(t *testing.T) {
	e := full(t).engine(t)
	for _, by := range []patterns.Naming{patterns.Written, patterns.Standard, patterns.Source} {
		for _, forms := range []bool{false, true} {
			if forms && by != patterns.Standard {
				continue
			}
			herbs, err := e.Herbs(t.Context(), patterns.Question{Names: by, Together: forms})
			must(t, err)
			pairs, err := e.Pairs(t.Context(), patterns.Question{Names: by, Together: forms, MinFormulas: 10, Side: patterns.Both})
			must(t, err)
			claimed := 0
			for from := 0; ; from += 1000 {
				list := pairs.Page(from, from+1000)
				for _, one := range list {
					if one.Q < .01 {
						claimed++
					}
				}
				if len(list) < 1000 || list[999].Q >= .01 {
					break
				}
			}
			var names []string
			for _, h := range herbs.Rows[:25] {
				names = append(names, h.Name)
			}
			t.Logf("%s, forms together %t: %d drugs, %d distinct of %d, %d pairs tested, %d at q < 0.01, first %v", by, forms, len(herbs.Rows), herbs.Population.Distinct, herbs.Population.Formulas, pairs.Tested, claimed, names)
		}
	}
}

// TestJudgedDescents checks famous descents: some record of the formula must descend from a formula
// with one of the expected names. It also checks the formulas whose own name says from which other
// formula of the package they descend.
func TestJudgedDescents(t *testing.T) {
	path := fullsize.Path(t, "golden/patterns/descent-5.tsv")
	p := full(t)
	e := p.engine(t)
	byName := map[string][]store.Num{}
	for i := range p.Formulas {
		byName[string(p.Formulas[i].Name)] = append(byName[string(p.Formulas[i].Name)], store.Num(i))
	}
	descends := func(n store.Num, names ...string) bool {
		from, _ := e.Descent(n)
		return slices.ContainsFunc(from, func(r patterns.Relative) bool {
			return slices.Contains(names, string(p.Formulas[r.Formula].Name))
		})
	}
	text, err := os.ReadFile(path)
	must(t, err)
	right, judged := 0, 0
	for line := range strings.Lines(string(text)) {
		c := strings.Split(line, "\t")
		if c[0] == "formula" {
			continue
		}
		judged++
		if slices.ContainsFunc(byName[c[0]], func(n store.Num) bool { return descends(n, strings.Split(c[1], "|")...) }) {
			right++
		} else {
			t.Logf("no record of %s descends from %s", c[0], c[1])
		}
	}
	if right < 17 {
		t.Errorf("%d of %d famous descents are right; 17 should", right, judged)
	}

	named, found, bases := 0, 0, map[patterns.Basis]int{}
	said := regexp.MustCompile(`^(?:加味|加减|增损)(.+)$|^(.{2,}?)[加去](.+)(汤|散|丸)$`)
	for i := range p.Formulas {
		f := &p.Formulas[i]
		if from, _ := e.Descent(store.Num(i)); from != nil {
			bases[from[0].Basis]++
		}
		m := said.FindStringSubmatch(string(f.Name))
		if m == nil {
			continue
		}
		parent := m[1] + m[2] + m[4]
		if !slices.ContainsFunc(byName[parent], func(n store.Num) bool {
			return p.Formulas[n].Year != nil && f.Year != nil && *p.Formulas[n].Year <= *f.Year
		}) {
			continue
		}
		if named++; descends(store.Num(i), parent) {
			found++
		} else {
			t.Logf("%d %s, %d, does not descend from %s", f.EntryID, f.Name, *f.Year, parent)
		}
	}
	t.Logf("%d of %d famous descents, %d of %d by the formula's name; by basis %v of %d", right, judged, found, named, bases, len(p.Formulas))
	if found*100 < 90*named || named < 60 {
		t.Errorf("%d of %d formulas descend from the one in their name; 90 %% of 60 should", found, named)
	}
}
