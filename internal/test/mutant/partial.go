package mutant

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"bencao/indexer/datapackage"
)

// Partial returns the mutants in which a share of a table's rows or of a column's cells is damaged.
// The choice is random but reproducible.
func Partial(s Sources, share float64) []Mutant {
	pkg := source{key: "package", folder: s.Package, with: s.withPackage}
	var all []Mutant
	for _, file := range s.Package.names() {
		t := s.Package.Tables[file]
		add := func(column, kind string, spoil func(t *Table, p *pick) *Table) {
			all = append(all, pkg.mutant(file, column, fmt.Sprintf("%s-%g%%", kind, 100*share), func(t *Table) *Table {
				rng := rand.New(rand.NewPCG(uint64(len(t.Rows)), uint64(len(column)+len(kind))))
				want := max(1, int(math.Round(share*float64(len(t.Rows)))))
				spoilt := spoil(t.clone(), &pick{rng, want})
				if column != "" && 4*differing(t, spoilt) < 3*(want-want%2) {
					return t // the damage changes too few cells
				}
				return spoilt
			}, nil))
		}
		for _, k := range rowKinds {
			if k.fits == nil || k.fits(t) {
				add("", k.name, k.spoil)
			}
		}
		for col, name := range t.Header {
			for _, k := range cellKinds {
				if k.fits == nil || k.fits(t, col) {
					add(name, k.name, func(t *Table, p *pick) *Table { return k.spoil(t, col, p) })
				}
			}
		}
	}
	return all
}

// differing counts the rows of b that are not in a. The order of rows does not matter.
func differing(a, b *Table) int {
	had := map[string]int{}
	for _, row := range a.Rows {
		had[strings.Join(row, "\x00")]++
	}
	n := 0
	for _, row := range b.Rows {
		if k := strings.Join(row, "\x00"); had[k] > 0 {
			had[k]--
		} else {
			n++
		}
	}
	return n
}

// PartialKinds returns the kinds of [Partial], in order.
func PartialKinds() []string {
	var names []string
	for _, k := range rowKinds {
		names = append(names, k.name)
	}
	for _, k := range cellKinds {
		names = append(names, k.name)
	}
	return names
}

// pick selects n rows at random.
type pick struct {
	rng *rand.Rand
	n   int
}

// of returns the sorted indexes of random rows, at most p.n of them. fits reports whether a row may
// be chosen.
func (p *pick) of(t *Table, fits func(row []string) bool) []int {
	var rows []int
	for _, i := range p.rng.Perm(len(t.Rows)) {
		if len(rows) < p.n && fits(t.Rows[i]) {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows
}

// rowKind is a way in which an export can damage whole rows.
type rowKind struct {
	name  string
	fits  func(*Table) bool
	spoil func(*Table, *pick) *Table
}

var rowKinds = []rowKind{
	{"guids-exchanged", hasGUID, func(t *Table, p *pick) *Table {
		return t.exchanged(t.withRole(datapackage.RoleGUID), p)
	}},
	// New records get the GUIDs of old records, which get new ones.
	{"guids-to-new", hasGUID, func(t *Table, p *pick) *Table {
		at, last := t.withRole(datapackage.RoleGUID), t.last()
		for _, i := range p.of(t, func([]string) bool { return true }) {
			last++
			row := make([]string, len(t.Header))
			for col, name := range t.Header {
				row[col] = t.Rows[(i+col)%len(t.Rows)][col]
				if strings.HasSuffix(name, "name") {
					row[col] = fmt.Sprintf("%s %c", row[col], '甲'+rune(last%1000))
				}
			}
			row[0], row[at] = strconv.Itoa(last), t.Rows[i][at]
			t.Rows[i][at] = newGUID(row[at])
			t.Rows = append(t.Rows, row)
		}
		return t
	}},
	// A join that is off by one gives links to the next record.
	{"links-moved", hasReference, func(t *Table, p *pick) *Table {
		return t.replaced(t.withRole(datapackage.RoleReference), p, func(s string) string {
			n, err := strconv.Atoi(s)
			if err != nil {
				return s
			}
			return strconv.Itoa(n + 1)
		})
	}},
	// All rows of some records are given to the next record that is chosen.
	{"given-to-others", ordered, func(t *Table, p *pick) *Table {
		of := t.withRole(datapackage.RoleReference)
		var owners []string
		for _, row := range t.Rows {
			if !slices.Contains(owners, row[of]) {
				owners = append(owners, row[of])
			}
		}
		p.rng.Shuffle(len(owners), func(i, j int) { owners[i], owners[j] = owners[j], owners[i] })
		owners = owners[:min(len(owners), max(2, p.n*len(owners)/len(t.Rows)))]
		for _, row := range t.Rows {
			if i := slices.Index(owners, row[of]); i >= 0 {
				row[of] = owners[(i+1)%len(owners)]
			}
		}
		return t
	}},
	{"repeated", numbered, func(t *Table, p *pick) *Table {
		last := t.last()
		for _, i := range p.of(t, func([]string) bool { return true }) {
			again := slices.Clone(t.Rows[i])
			last++
			again[0] = strconv.Itoa(last)
			if _, err := strconv.Atoi(t.Rows[i][0]); err != nil {
				again[0] = t.Rows[i][0] + "_again"
			}
			if at := t.withRole(datapackage.RoleGUID); at >= 0 {
				again[at] = newGUID(t.Rows[i][at])
			}
			t.Rows = append(t.Rows, again)
		}
		return t
	}},
	{"rows-gone", nil, func(t *Table, p *pick) *Table {
		gone := p.of(t, func([]string) bool { return true })
		return t.only(func(i int) bool { return !slices.Contains(gone, i) })
	}},
	{"rows-twice", nil, func(t *Table, p *pick) *Table {
		for _, i := range p.of(t, func([]string) bool { return true }) {
			t.Rows = append(t.Rows, t.Rows[i])
		}
		return t
	}},
	{"cells-left", nil, func(t *Table, p *pick) *Table {
		for _, i := range p.of(t, func(r []string) bool { return len(r) > 1 && r[0] != r[1] }) {
			t.Rows[i] = append(t.Rows[i][1:], t.Rows[i][0])
		}
		return t
	}},
}

// last returns the largest number in the first column.
func (t *Table) last() int {
	last := 0
	for _, row := range t.Rows {
		if n, err := strconv.Atoi(row[0]); err == nil {
			last = max(last, n)
		}
	}
	return last
}

// cellKinds lists the ways in which an export can damage cells of a column.
var cellKinds = []struct {
	name  string
	fits  func(t *Table, col int) bool
	spoil func(t *Table, col int, p *pick) *Table
}{
	{"columns-exchanged", func(t *Table, col int) bool { return col+1 < len(t.Header) }, func(t *Table, col int, p *pick) *Table {
		for _, i := range p.of(t, func(r []string) bool { return len(r) > col+1 && r[col] != r[col+1] }) {
			t.Rows[i][col], t.Rows[i][col+1] = t.Rows[i][col+1], t.Rows[i][col]
		}
		return t
	}},
	{"rows-exchanged", nil, func(t *Table, col int, p *pick) *Table { return t.exchanged(col, p) }},
	// Adjacent rows swap their values.
	{"neighbours-exchanged", nil, func(t *Table, col int, p *pick) *Table {
		left := p.n / 2
		for _, i := range p.rng.Perm(max(0, len(t.Rows)-1)) {
			if a, b := t.Rows[i], t.Rows[i+1]; left > 0 && i%2 == 0 && a[col] != b[col] {
				a[col], b[col] = b[col], a[col]
				left--
			}
		}
		return t
	}},
	// Within a run of rows, each row gets the value of the row above.
	{"shifted", nil, func(t *Table, col int, p *pick) *Table {
		if len(t.Rows) <= p.n {
			return t
		}
		from := p.rng.IntN(len(t.Rows) - p.n)
		run := t.Rows[from : from+p.n]
		for i, v := range shifted((&Table{Rows: run}).column(col), 1) {
			run[i][col] = v
		}
		return t
	}},
	{"blank", nil, func(t *Table, col int, p *pick) *Table {
		return t.replaced(col, p, func(string) string { return "" })
	}},
	{"same", nil, func(t *Table, col int, p *pick) *Table {
		first := slices.IndexFunc(t.Rows, func(r []string) bool { return r[col] != "" })
		if first < 0 {
			return t
		}
		return t.replaced(col, p, func(s string) string {
			if s == "" {
				return ""
			}
			return t.Rows[first][col]
		})
	}},
	{"mojibake", nil, func(t *Table, col int, p *pick) *Table { return t.replaced(col, p, mojibake) }},
	{"other-script", isLatinName, func(t *Table, col int, p *pick) *Table {
		return t.replaced(col, p, cyrillic.Replace)
	}},
	{"cut-short", nil, func(t *Table, col int, p *pick) *Table {
		return t.replaced(col, p, func(s string) string {
			r := []rune(s)
			if len(r) < 8 {
				return s
			}
			return string(r[:len(r)/2])
		})
	}},
	{"unit", isNumber, func(t *Table, col int, p *pick) *Table {
		return t.replaced(col, p, func(s string) string { return strings.ReplaceAll(s, "两", "钱") })
	}},
	{"tenfold", isNumber, func(t *Table, col int, p *pick) *Table {
		return t.replaced(col, p, tenfold)
	}},
}

// cyrillic replaces Latin letters by Cyrillic letters that look the same.
var cyrillic = strings.NewReplacer("a", "а", "e", "е", "o", "о", "c", "с")

func isLatinName(t *Table, col int) bool {
	return slices.Contains([]string{"scientific_name", "name_in_flora", "genus", "family"}, t.Header[col]) ||
		t.Header[col] == "name" && t.index("author") >= 0
}

// tenfold multiplies a number by ten: 三两 becomes 三十两, 3 becomes 30.
func tenfold(s string) string {
	if n, err := strconv.Atoi(s); err == nil {
		return strconv.Itoa(10 * n)
	}
	r := []rune(s)
	if len(r) < 2 || !strings.ContainsRune("一二三四五六七八九", r[0]) || !strings.ContainsRune("两钱分斤升合枚个", r[1]) {
		return s
	}
	return strings.TrimPrefix(string(r[:1]), "一") + "十" + string(r[1:])
}

// replaced applies f to the text of some cells. It chooses only cells that f changes.
func (t *Table) replaced(col int, p *pick, f func(string) string) *Table {
	for _, i := range p.of(t, func(r []string) bool { return len(r) > col && f(r[col]) != r[col] }) {
		t.Rows[i][col] = f(t.Rows[i][col])
	}
	return t
}

// Exchanged returns the sources after n pairs of cells of a column have swapped their values. seed
// determines the cells.
func Exchanged(s Sources, file, column string, n int, seed uint64) Sources {
	t := s.Package.Tables[file]
	spoilt := t.clone().exchanged(t.index(column), &pick{rand.New(rand.NewPCG(seed, 2)), 2 * n})
	return s.withPackage(s.Package.with(file, spoilt))
}

// exchanged swaps the cells of a column between pairs of rows with different values.
func (t *Table) exchanged(col int, p *pick) *Table {
	left := max(1, p.n/2)
	var alone []int // rows that have no partner yet; all have the same value
	for _, i := range p.rng.Perm(len(t.Rows)) {
		if left == 0 || len(t.Rows[i]) <= col {
			continue
		}
		if len(alone) == 0 || t.Rows[alone[0]][col] == t.Rows[i][col] {
			alone = append(alone, i)
			continue
		}
		a, b := t.Rows[alone[0]], t.Rows[i]
		a[col], b[col] = b[col], a[col]
		alone = alone[1:]
		left--
	}
	return t
}
