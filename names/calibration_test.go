package names_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bencao/names"
	"bencao/names/internal/answer"
)

// TestCalibration measures the share of right answers of each kind of answer and compares this
// share with the mean score of the kind. testdata/calibration.txt has the measured shares.
// docs/name-matching.md and its Chinese translation list each kind with its score, the number of
// answers and the share.
func TestCalibration(t *testing.T) {
	ix := sharedIndex(t)
	dir := sharedDir(t)
	var c calibration

	// Match all names of a few genera, accepted names and synonyms. An answer is right if it gives
	// the accepted name.
	genera := make(map[string]bool)
	for row := range judged(t, filepath.Join(dir, "golden", "names", "wcvp_extract_synonyms.tsv")) {
		if row["expected_accepted"] == "" || !hasName(ix, row["input"]) {
			continue
		}
		genus, _, _ := strings.Cut(row["input"], " ")
		genera[genus] = true
		for _, author := range []string{row["input_authors"], ""} {
			r := match(ix, row["input"], author)
			if len(r.Results) == 0 || r.Results[0].AcceptedName == "" {
				continue
			}
			c.add(r, string(r.Results[0].AcceptedName) == row["expected_accepted"])
		}
	}
	all, err := pool()
	must(t, err)
	for _, s := range all.species {
		if genus, _, _ := strings.Cut(s.name, " "); !genera[genus] {
			continue
		}
		for _, author := range []string{s.author, ""} {
			if r := match(ix, s.name, author); len(r.Results) > 0 {
				c.add(r, string(r.Results[0].AcceptedName) == s.name)
			}
		}
	}
	c.missing(t)
	c.china(t)
	c.authors(t)
	c.chineseNames(t, dir)
	// Match misspelt names of the checklist. An answer is right if it gives the correctly spelt
	// name.
	rng := rand.New(rand.NewPCG(8, 8))
	for i, s := range samples(t, 12_000, 21) {
		edits, author := 1+i%2, ""
		if i%4 > 1 {
			author = s.author
		}
		name := misspell(rng, s.name, edits)
		if name == s.name || hasName(ix, name) {
			continue
		}
		r := match(ix, name, author)
		if len(r.Results) > 0 {
			c.add(r, string(r.Results[0].MatchedName) == s.name)
		}
	}
	got := c.String()
	file := filepath.Join("testdata", "calibration.txt")
	if *update {
		must(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if got != string(want) {
		t.Errorf("the measured shares have changed; run go test ./names -run Calibration -update, and bring docs/name-matching.md up to date. Now:\n%s", got)
	}
	for _, page := range []string{"docs/name-matching.md", "docs/zh/name-matching.md"} {
		doc := readFile(t, filepath.Join("..", filepath.FromSlash(page)))
		for _, k := range c.kinds {
			if k.n < fewest {
				continue
			}
			if row := fmt.Sprintf("| %d | %.3f |", k.n, float64(k.right)/float64(k.n)); !strings.Contains(doc, row) {
				t.Errorf("%s: the table of scores has no row of %s that ends with %q", page, k.name, row)
			}
		}
	}
	for _, k := range c.kinds {
		if k.n < fewest || strings.HasPrefix(k.name, answer.MatchHigherRank) {
			continue // skip kinds with few answers, and answers at a higher taxonomic rank
		}
		share, score := float64(k.right)/float64(k.n), k.score/float64(k.n)
		near := scoreNear
		if given, ok := givenScores[k.name]; ok {
			near = given
		}
		if math.Abs(math.Round(100*score)-math.Round(100*share)) > 100*near {
			t.Errorf("%s: %d of %d are right, %.3f, but the mean score is %.2f: set it in score.go between %.2f and %.2f", k.name, k.right, k.n, share, score, share-near, share+near)
		}
	}
}

const (
	// scoreNear is the largest allowed difference between the mean score of a kind and its share of
	// right answers, both rounded to two decimals.
	scoreNear = 0.02
	// fewest is the least number of judged answers that a kind needs to be compared.
	fewest = 40
)

// givenScores lists the kinds whose score was set by hand instead of from the measured share. Its
// values are the allowed differences between score and share. docs/name-matching.md gives the
// reason for each kind.
var givenScores = map[string]float64{
	"exact, homonyms, the accepted one, author notGiven": 0.27,
	"exact, homonyms, another, author notGiven":          0.30,
	"exact, homonyms, the one in use, author notGiven":   0.40, // fewer than 40 answers of this kind are judged
	// The judged names are old synonyms. WCVP has only a homonym of each, with another author. Most
	// names in real lists are in use; those are judged in the next row.
	"exact, author differs":                0.65,
	"exact, author differs, a name in use": 0.10,
	// So few answers are judged that differing opinions on the accepted name of a synonym change
	// the share much.
	"exact, author compatible": 0.25,
	// The score is below the measured share, because real lists have more names that are in no
	// checklist.
	"fuzzy, 1 edit, author notGiven":  0.12,
	"fuzzy, 1 edit, author same":      0.06,
	"fuzzy, 2 edits, author notGiven": 0.26,
	"fuzzy, 2 edits, author same":     0.10,
	"genus expanded":                  0.30, // without a context that names the genus, only chance makes the answer right
	"genus expanded, several":         0.06,
	// The answers of these kinds are judged on plants that only the database has.
	"pinyin":               0.21,
	"pinyin, several":      0.06,
	"chineseAlias":         0.05,
	"chineseName, several": 0.05,
}

// missing asks for species that are in no checklist, so every match is wrong. It asks for only one
// in ten of these species, because most names that users send are in a checklist.
func (c *calibration) missing(t *testing.T) {
	ix := heldOutIndex(t)
	for i, s := range heldOut.missing {
		if i%10 > 0 || hasName(ix, s.name) {
			continue
		}
		for _, author := range []string{s.author, ""} {
			if r := match(ix, s.name, author); len(r.Results) > 0 && r.Results[0].MatchType != answer.MatchHigherRank {
				c.add(r, false)
			}
		}
	}
}

// china matches synonyms in the sense of botanists in China, with and without author. WCVP accepts
// the species to which these synonyms belong. china also matches the names of these species, in
// full and with the genus abbreviated. Each answer must resolve to the species.
func (c *calibration) china(t *testing.T) {
	ix := heldOutIndex(t)
	taxon := make(map[string]string)
	find := func(name, author string) string {
		key := name + "|" + author
		if _, ok := taxon[key]; !ok {
			taxon[key] = ""
			r := match(ix, name, author)
			if len(r.Results) > 0 {
				if e := r.Results[0]; e.MatchType == answer.MatchExact && e.WCVPID != "" && (e.AuthorMatch == answer.AuthorSame || e.AuthorMatch == answer.AuthorCompatible) {
					taxon[key] = string(e.AcceptedName)
				}
			}
		}
		return taxon[key]
	}
	ask := func(n chinaName, name, author string) {
		want := find(n.accepted, n.acceptedAuthor)
		if want == "" {
			return
		}
		if r := match(ix, name, author); len(r.Results) > 0 && r.Results[0].MatchType != answer.MatchHigherRank && r.Results[0].WCVPID != "" {
			right := string(r.Results[0].AcceptedName) == want
			c.add(r, right)
			if !right && *showMisses {
				e := r.Results[0]
				t.Logf("%s: %s %s: %s %s of %s, want %s", kindOf(r), name, author, e.MatchedName, e.MatchedAuthor, e.AcceptedName, want)
			}
		}
	}
	// opinion reports whether WCVP accepts a name that botanists in China treat as a synonym. The
	// answer is then another opinion, not a wrong match, unless the author differs.
	opinion := func(n chinaName) bool {
		r := match(ix, n.name, n.author)
		return len(r.Results) > 0 && r.Results[0].MatchType == answer.MatchExact && r.Results[0].TaxonStatus == "accepted" && r.Results[0].AuthorMatch != answer.AuthorDiffers
	}
	for i, n := range heldOut.synonyms {
		if i%3 == 0 && !opinion(n) {
			ask(n, n.name, n.author)
			ask(n, n.name, "")
		}
	}
	for i, n := range heldOut.species {
		if i%3 == 0 {
			ask(n, n.name, "")
			if genus, epithet, ok := strings.Cut(n.name, " "); ok && !strings.Contains(epithet, " ") {
				ask(n, genus[:1]+". "+epithet, "")
			}
		}
	}
}

// authors matches names in use whose author differs from the author in WCVP. Whether each answer is
// right was judged by hand.
func (c *calibration) authors(t *testing.T) {
	ix := heldOutIndex(t)
	for _, line := range strings.Split(readFile(t, filepath.Join("testdata", "authors-judged.txt")), "\n") {
		cells := strings.Split(line, " | ")
		if strings.HasPrefix(line, "#") || len(cells) != 4 {
			continue
		}
		// Match would find the name with the author of the query in the database. Reconcile does
		// not use names from the database.
		e, _, err := ix.Reconcile(names.Query{Name: cells[0], Author: cells[1]})
		must(t, err)
		if e.MatchType != answer.MatchExact || e.AuthorMatch != answer.AuthorDiffers {
			continue // count only exact matches whose author differs
		}
		c.addAs("exact, author differs, a name in use", names.Response{Results: []names.Entry{e}}, cells[3] == "right")
	}
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	must(t, err)
	return string(data)
}

// chineseNames matches the Chinese names of Catalogue of Life China and the pinyin of a national
// checklist. The index does not have this catalogue, so only the database can answer.
func (c *calibration) chineseNames(t *testing.T, dir string) {
	ix := heldOutIndex(t)
	err := eachRow(filepath.Join(dir, "data", "col-china.zip"), "", ',', func(row map[string]string) error {
		if row["物种中文名"] == "" {
			return nil
		}
		want := match(ix, row["物种拉丁名"], "")
		if len(want.Results) == 0 || want.Results[0].MatchType != answer.MatchExact {
			return nil
		}
		if r := match(ix, row["物种中文名"], ""); len(r.Results) > 0 {
			c.add(r, r.Results[0].AcceptedName == want.Results[0].AcceptedName)
		}
		return nil
	})
	must(t, err)
	for row := range judged(t, filepath.Join(dir, "golden", "pinyin-dev.tsv")) {
		name := match(ix, row["chinese_name"], "")
		if len(name.Results) == 0 || name.MatchedVia != answer.ViaChineseName {
			continue
		}
		for _, pinyin := range []string{row["pinyin"], plainTones(row["pinyin"])} {
			if r := match(ix, pinyin, ""); r.MatchedVia == answer.ViaPinyin {
				c.add(r, r.Results[0].AcceptedName == name.Results[0].AcceptedName)
			}
		}
	}
}

// plainTones removes the tone marks from pinyin.
func plainTones(pinyin string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(pinyin))
}

// calibration counts right answers by kind.
type calibration struct{ kinds []*kindCount }

type kindCount struct {
	name     string
	n, right int
	score    float64
}

// kindOf returns the kind of an answer.
func kindOf(r names.Response) string {
	e := r.Results[0]
	has := func(flag string) bool { return slices.Contains(e.Flags, flag) }
	several := ""
	if has("ambiguous") {
		several = ", several"
	}
	switch r.MatchedVia {
	case answer.ViaChineseName, answer.ViaChineseAlias, answer.ViaPinyin, answer.ViaHerbName:
		return r.MatchedVia + several
	}
	if has("genusExpanded") {
		return "genus expanded" + several
	}
	kind := e.MatchType
	switch {
	case e.MatchType == answer.MatchFuzzy && e.EditDistance == 1:
		kind += ", 1 edit"
	case e.MatchType == answer.MatchFuzzy:
		kind += fmt.Sprintf(", %d edits", e.EditDistance)
	case has("homonym") && has("ambiguous") && e.AuthorMatch == answer.AuthorNotGiven && e.MatchType == answer.MatchExact:
		if kind += ", homonyms, another"; e.TaxonStatus == "accepted" {
			kind = strings.Replace(kind, "another", "the accepted one", 1)
		}
	case has("homonym") && e.AuthorMatch == answer.AuthorNotGiven && e.MatchType == answer.MatchExact && e.Score == 0.95:
		kind += ", homonyms, the one in use"
	}
	if has("rankDiffers") {
		kind += ", rank differs"
	}
	return kind + ", author " + e.AuthorMatch
}

func (c *calibration) add(r names.Response, right bool) { c.addAs(kindOf(r), r, right) }

func (c *calibration) addAs(name string, r names.Response, right bool) {
	var k *kindCount
	for _, o := range c.kinds {
		if o.name == name {
			k = o
		}
	}
	if k == nil {
		k = &kindCount{name: name}
		c.kinds = append(c.kinds, k)
	}
	k.n++
	k.score += r.Results[0].Score
	if right {
		k.right++
	}
}

// String returns one row for each kind, sorted by text.
func (c *calibration) String() string {
	var rows []string
	for _, k := range c.kinds {
		if k.n < fewest {
			continue
		}
		rows = append(rows, fmt.Sprintf("| %s | %d | %.3f | %.2f |\n", k.name, k.n, float64(k.right)/float64(k.n), k.score/float64(k.n)))
	}
	slices.Sort(rows)
	return strings.Join(rows, "")
}
