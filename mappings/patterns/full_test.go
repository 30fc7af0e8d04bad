package patterns_test

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/csv"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/mappings/patterns"
	"bencao/store"
)

// full returns the formulas of the full-size package. Their herbs have the names as written in the
// source.
var full = sync.OnceValues(func() (*store.Data, error) {
	path, err := fullsize.Find("data/china-plants.zip")
	if err != nil {
		return nil, err
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	d := &store.Data{}
	byID := map[string]int{}
	each := func(name string, row func(map[string]string)) error {
		f, err := z.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		r := csv.NewReader(f)
		head, err := r.Read()
		for err == nil {
			var line []string
			if line, err = r.Read(); err == nil {
				m := map[string]string{}
				for i, h := range head {
					m[h] = line[i]
				}
				row(m)
			}
		}
		if err == io.EOF {
			err = nil
		}
		return err
	}
	if err := each("formulas.csv", func(m map[string]string) {
		byID[m["entry_id"]] = len(d.Formulas)
		f := store.Formula{FormulaDetail: store.FormulaDetail{Dynasty: store.Text(m["dynasty"]), Indications: store.Text(m["indications"])}, Num: store.Num(len(d.Formulas))}
		if y, err := strconv.Atoi(m["year"]); err == nil {
			f.Year = new(int32(y))
		}
		id, _ := strconv.Atoi(m["entry_id"])
		f.EntryID = int32(id)
		d.Formulas = append(d.Formulas, f)
	}); err != nil {
		return nil, err
	}
	return d, each("formula_ingredients.csv", func(m map[string]string) {
		f := &d.Formulas[byID[m["formula_id"]]]
		f.Ingredients = append(f.Ingredients, store.Ingredient{Herb: m["herb"]})
	})
})

// fullData returns the full-size formulas, or skips the test.
func fullData(tb testing.TB) *store.Data {
	tb.Helper()
	fullsize.Path(tb, "data/china-plants.zip")
	d, err := full()
	must(tb, err)
	return d
}

func open(tb testing.TB, d *store.Data) *patterns.Engine {
	tb.Helper()
	built := patterns.Build(d)
	e, err := patterns.Open(func(key string) []byte { return built[key] })
	must(tb, err)
	return e
}

// population returns the bit set of the formulas for which accept returns true.
func population(d *store.Data, accept func(*store.Formula) bool) []uint64 {
	set := make([]uint64, (len(d.Formulas)+63)/64)
	for i := range d.Formulas {
		if accept(&d.Formulas[i]) {
			set[i/64] |= 1 << (i % 64)
		}
	}
	return set
}

// same reports whether text is the value rounded to as many digits as text has.
func same(value float64, text string) bool {
	if mantissa, _, scientific := strings.Cut(text, "e"); scientific {
		_, digits, _ := strings.Cut(mantissa, ".")
		return strconv.FormatFloat(value, 'e', len(digits), 64) == text
	}
	digits := 0
	if _, after, ok := strings.Cut(text, "."); ok {
		digits = len(after)
	}
	got, want := strconv.FormatFloat(value, 'f', digits, 64), text
	return got == want
}

// TestJudgedPairs compares pairs of herbs, named as written, with the values that another program
// computed from the package.
func TestJudgedPairs(t *testing.T) {
	path := fullsize.Path(t, "golden/patterns/pairs-dev.tsv")
	d := fullData(t)
	e := open(t, d)
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	compared := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		c := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(c[0], "#") || c[4] == "none" {
			continue
		}
		kind, value, _ := strings.Cut(c[0], " ")
		q := patterns.Question{Names: patterns.Written, Distinct: c[3] != "formulas", Herb: c[1], With: c[2], MinFormulas: 2}
		q.Formulas = population(d, func(f *store.Formula) bool {
			switch kind {
			case "dynasty":
				return string(f.Dynasty) == value
			case "indications":
				return strings.Contains(string(f.Indications), value)
			}
			return true
		})
		pairs, err := e.Pairs(context.Background(), q)
		if err != nil {
			t.Errorf("%s: %v", lines.Text(), err)
			continue
		}
		page := pairs.Page(0, 2)
		if len(page) != 1 || pairs.Total != 1 {
			t.Errorf("%s: %d pairs", lines.Text(), len(page))
			continue
		}
		p := page[0]
		for i, v := range []float64{float64(pairs.N), float64(p.FormulasX), float64(p.FormulasY), float64(p.Formulas), p.Support, p.ConfidenceXY, p.ConfidenceYX, p.Lift, p.P} {
			if !same(v, c[4+i]) {
				t.Errorf("%s %s %s: value %d is %v; want %s", c[0], c[1], c[2], i+1, v, c[4+i])
			}
		}
		compared++
	}
	if compared < 10 {
		t.Errorf("%d pairs were compared", compared)
	}
}

// grown returns n random formulas. Each is made from a formula of d by replacing about half of its
// herbs with random herbs of d.
func grown(d *store.Data, n int) *store.Data {
	r := rand.New(rand.NewPCG(1, 1))
	var herbs []string
	for i := range d.Formulas {
		for _, in := range d.Formulas[i].Ingredients {
			herbs = append(herbs, in.Herb)
		}
	}
	out := &store.Data{Formulas: make([]store.Formula, n)}
	for i := range out.Formulas {
		f := d.Formulas[r.IntN(len(d.Formulas))]
		f.Num, f.EntryID = store.Num(i), int32(i)
		f.Ingredients = append([]store.Ingredient{}, f.Ingredients...)
		for k := range f.Ingredients {
			if r.IntN(2) == 0 {
				f.Ingredients[k] = store.Ingredient{Herb: herbs[r.IntN(len(herbs))]}
			}
		}
		out.Formulas[i] = f
	}
	return out
}

// TestShuffledClaims checks the false discovery rate with formulas whose herbs were shuffled. The
// pairs of shuffled herbs are random, so at most one pair in a hundred may have a q value below 1
// %.
func TestShuffledClaims(t *testing.T) {
	d := fullData(t)
	r := rand.New(rand.NewPCG(2, 2))
	var herbs []*store.Ingredient
	shuffled := &store.Data{Formulas: make([]store.Formula, len(d.Formulas))}
	for i := range d.Formulas {
		shuffled.Formulas[i] = d.Formulas[i]
		shuffled.Formulas[i].Ingredients = append([]store.Ingredient{}, d.Formulas[i].Ingredients...)
		for k := range shuffled.Formulas[i].Ingredients {
			herbs = append(herbs, &shuffled.Formulas[i].Ingredients[k])
		}
	}
	r.Shuffle(len(herbs), func(i, j int) { *herbs[i], *herbs[j] = *herbs[j], *herbs[i] })
	e := open(t, shuffled)
	for _, side := range []patterns.Side{patterns.Often, patterns.Seldom} {
		p, err := e.Pairs(t.Context(), patterns.Question{Names: patterns.Written, MinFormulas: 10, Side: side})
		must(t, err)
		list := p.Page(0, p.Tested/100+1)
		claimed := 0
		for _, one := range list {
			if one.Q < 0.01 {
				claimed++
			}
		}
		t.Logf("%s: %d of %d pairs", side, claimed, p.Tested)
		if claimed*100 > p.Tested {
			t.Errorf("%s: %d of %d pairs are claimed", side, claimed, p.Tested)
		}
	}
}
