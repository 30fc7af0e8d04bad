package parse_test

import (
	"archive/zip"
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pinned calls ask for every text whose reading must not change by accident. It uses every n-th
// name of WCVP, with and without author, where n is the argument every. It also uses every cell of
// the judged corpora and of the test data of names, and mutations of all these texts. odd is false
// for a name of WCVP.
func pinned(tb testing.TB, shared, testdata string, every int, ask func(text string, odd bool)) {
	tb.Helper()
	var some []string
	seen := 0
	keep := func(s string) {
		if seen++; seen%20 == 0 {
			some = append(some, s)
		}
	}
	eachLine(tb, filepath.Join(shared, "data", "wcvp.zip"), func(line string) {
		c := strings.Split(line, "|")
		if len(c) < 23 {
			return
		}
		both := strings.TrimSpace(c[21] + " " + c[22])
		keep(both)
		if seen%every == 0 {
			ask(c[21], false)
			ask(both, false)
		}
	})
	for _, glob := range []string{filepath.Join(shared, "golden", "names", "*.tsv"), filepath.Join(testdata, "*.txt"), filepath.Join(testdata, "golden", "*.txt")} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			tb.Fatalf("no files %s: %v", glob, err)
		}
		slices.Sort(files)
		for _, f := range files {
			eachLine(tb, f, func(line string) {
				for _, cell := range strings.FieldsFunc(strings.ReplaceAll(strings.ReplaceAll(line, "=>", "\t"), " | ", "\t"), func(r rune) bool { return r == '\t' }) {
					cell = strings.TrimSpace(cell)
					ask(cell, true)
					for range 8 { // mutate the texts of corpora more often, because they are more unusual than those of WCVP
						some = append(some, cell)
					}
				}
			})
		}
	}
	rng := rand.New(rand.NewPCG(20, 26))
	for range mutations {
		ask(mutate(rng, some[rng.IntN(len(some))], some), true)
	}
}

const mutations = 150_000

// pieces lists the texts that a mutation can insert.
var pieces = strings.Fields(`× x X + * var. var subsp. ssp f. fo. forma form v. nothovar. nothof. convar. lusus st. gr. sp. spp. sp spec. sp.2 species indet. cf. cf aff. ? nr near prox. agg. agg
complex group Group Gp grex cv. cv 'Alba' "Nana" [sic] (sic) (L.) (Mill.) L. Mill. Hook.f. Hook. f. ex in et & and y e de von d' al. auct. auct auctt. sensu lato s.l. s. l. s.str. p.p. nom. nud. nom
nov. sp.nov. comb. emend. non nec hort. hort Bge. Bunge (Thunb.) 1753 1821, 123-124 : ; , . - — / or vel = ≡ sect. subgen. ser. (Eucalyptus) Rosaceae Compositae compositae Poaceae - α β γ 2 a. b.
St.-Hil. St.-Amans null NA # † ! | _ &amp; <i> </i> ä ö ü é ß Rosa rosa ROSA canina CANINA alba Alba P. p. Pan. xpiperita ×piperita indica? 11-punctata d'urvillei banksiae Banksiae (cultivated) (hybrid) (Rosa × canina) stat. pro ined. %20 . ' ( ) [ ]
incertae sedis inc. plantae Not Radix test (P.A.Smith 123) (1821) s.lat. auctor. microgene monstr. sv. sf. race proles Uva-ursi bursa pastoris`)

// mutate changes a text in one to three places. It may insert elements of the list pieces, and
// parts of the texts in the list some.
func mutate(rng *rand.Rand, s string, some []string) string {
	for range 1 + rng.IntN(3) {
		w := strings.Fields(s)
		if len(w) == 0 {
			return s
		}
		i := rng.IntN(len(w))
		switch rng.IntN(12) {
		case 0, 1, 2:
			w = slices.Insert(w, rng.IntN(len(w)+1), pieces[rng.IntN(len(pieces))])
		case 3:
			w[i] = pieces[rng.IntN(len(pieces))]
		case 4:
			w = slices.Delete(w, i, i+1)
		case 5:
			w[i] = strings.ToUpper(w[i])
		case 6:
			w[i] = strings.ToLower(w[i])
		case 7:
			j := rng.IntN(len(w))
			w[i], w[j] = w[j], w[i]
		case 8:
			if i > 0 {
				w[i-1] += w[i]
				w = slices.Delete(w, i, i+1)
			}
		case 9:
			r := []rune(w[i])
			k := rng.IntN(len(r))
			letters := []rune("abcdefghiklmnoprstuvxyz.,;:'-()AÄü2 ")
			switch rng.IntN(3) {
			case 0:
				r[k] = letters[rng.IntN(len(letters))]
			case 1:
				r = slices.Insert(r, k, letters[rng.IntN(len(letters))])
			default:
				r = slices.Delete(r, k, k+1)
			}
			w[i] = string(r)
		case 10:
			other := strings.Fields(some[rng.IntN(len(some))])
			if len(other) > 0 {
				w = slices.Insert(w, rng.IntN(len(w)+1), other[rng.IntN(len(other))])
			}
		default:
			if rng.IntN(2) == 0 {
				s = strings.ToUpper(s)
			} else {
				s = strings.ToLower(s)
			}
			w = strings.Fields(s)
		}
		s = strings.Join(w, " ")
	}
	return s
}

// eachLine calls f with each line of a file, or of the first file in a zip.
func eachLine(tb testing.TB, path string, f func(line string)) {
	tb.Helper()
	read := func(sc *bufio.Scanner) {
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			f(sc.Text())
		}
		if err := sc.Err(); err != nil {
			tb.Fatal(fmt.Errorf("%s: %w", path, err))
		}
	}
	if !strings.HasSuffix(path, ".zip") {
		file, err := os.Open(path)
		if err != nil {
			tb.Fatal(err)
		}
		defer file.Close()
		read(bufio.NewScanner(file))
		return
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer z.Close()
	r, err := z.File[0].Open()
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	read(bufio.NewScanner(r))
}
