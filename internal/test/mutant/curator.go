package mutant

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Curator edits real sources as the maintainers of a database do. It starts with a part of the
// records, some of them with careless mistakes. Every day it adds some of the remaining records,
// corrects some cells and removes a few records with everything that refers to them.
type Curator struct {
	rng   *rand.Rand
	whole Sources
	// in has the keys of the records that are in the database now, by table.
	in map[string]map[string]bool
	// slips has the original values of cells with a mistake that is not corrected yet.
	slips map[cell]string
	// linked lists, for a cell with a mistake, the cells that are corrected together with it.
	linked map[cell][]cell
	// twice holds, by table, the records that were entered a second time under other ids. A curator
	// merges them later.
	twice map[string][][]string
	// book is a source book. All its formulas are added on the day bookDay.
	book string
	day  int
}

type cell struct{ table, key, column string }

// recordFiles lists the tables whose records a curator adds and removes. A table stands after the
// tables to which it refers.
var recordFiles = []string{
	"species.csv", "formulas.csv", "papers.csv", "synonyms.csv", "aliases.csv", "flora.csv", "uses.csv",
	"species_papers.csv", "formula_ingredients.csv", "formula_codes.csv", "herb_species.csv",
}

// own lists the tables whose rows a curator adds and removes individually. A row of another table
// is added and removed together with the record to which it refers.
var own = []string{
	"species.csv", "formulas.csv", "papers.csv", "synonyms.csv", "aliases.csv", "flora.csv", "uses.csv", "species_papers.csv", "herb_species.csv",
}

// carelessness lists mistakes that are corrected later.
var carelessness = []struct {
	table, column string
	slip          func(string) string
}{
	{"species.csv", "author", func(s string) string { return strings.ReplaceAll(s, ". ", ".") }},
	{"species.csv", "author", func(string) string { return "" }},
	{"species.csv", "chinese_name_pinyin", func(string) string { return "" }},
	{"species.csv", "family_chinese", func(string) string { return "" }},
	{"species.csv", "scientific_name", doubled},
	{"species.csv", "chinese_name", func(s string) string { return s + "（原植物）" }},
	{"synonyms.csv", "author", func(string) string { return "" }},
	{"synonyms.csv", "name", doubled},
	{"flora.csv", "page", func(string) string { return "" }},
	{"flora.csv", "volume", func(string) string { return "" }},
	{"papers.csv", "title", func(s string) string { return s + "." }},
	{"papers.csv", "doi", func(string) string { return "" }},
	{"papers.csv", "authors", func(s string) string { return strings.ReplaceAll(s, ", ", " ") }},
	{"papers.csv", "year", func(string) string { return "" }},
	{"formulas.csv", "indications", func(s string) string { return strings.ReplaceAll(s, "。", "．") }},
	{"formulas.csv", "efficacy", func(string) string { return "" }},
	{"formulas.csv", "name_pinyin", func(string) string { return "" }},
	{"formula_ingredients.csv", "dose", func(string) string { return "" }},
	{"formula_ingredients.csv", "note", func(string) string { return "" }},
	{"uses.csv", "description", func(s string) string { return s + " " }},
	{"uses.csv", "part", func(string) string { return "" }},
	{"aliases.csv", "source", func(string) string { return "" }},
}

// doubled repeats a letter in a text.
func doubled(s string) string {
	if at := strings.LastIndexAny(s, "lnstr"); at > 0 {
		return s[:at] + s[at:at+1] + s[at:]
	}
	return s
}

// NewCurator returns a curator that starts with four fifths of the records and a mistake in 1 % of
// the cells. The seed determines all edits.
func NewCurator(s Sources, seed uint64) *Curator {
	c := &Curator{
		rng:   rand.New(rand.NewPCG(seed, 1)),
		whole: s, in: map[string]map[string]bool{}, slips: map[cell]string{}, linked: map[cell][]cell{}, twice: map[string][][]string{},
	}
	for _, file := range recordFiles {
		t, there := s.Package.Tables[file]
		if !there {
			continue
		}
		c.in[file] = map[string]bool{}
		for _, row := range t.Rows {
			c.in[file][t.key(row)] = !slices.Contains(own, file) || c.rng.Float64() < 0.8
		}
	}
	for _, slip := range carelessness {
		t, there := s.Package.Tables[slip.table]
		if !there || t.index(slip.column) < 0 {
			continue
		}
		for _, row := range t.Rows {
			at := cell{slip.table, t.key(row), slip.column}
			was := row[t.index(slip.column)]
			if is := slip.slip(was); was != "" && is != was && c.slips[at] == "" && c.rng.Float64() < 0.01 {
				c.slips[at] = is
			}
		}
	}
	c.confuse()
	c.repeat()
	c.books()
	return c
}

// confused lists columns whose cells a curator swaps by mistake. Each cell is swapped with another
// cell of the same record, the one in the column that other names. If column and other are the
// same, the cell is swapped with the cell of another record.
var confused = []struct{ table, column, other string }{
	{"papers.csv", "title", "authors"},
	{"formulas.csv", "efficacy", "indications"},
	{"species.csv", "chinese_name", "genus_chinese"},
	{"species.csv", "author", "author"},
	{"papers.csv", "doi", "doi"},
	{"formula_ingredients.csv", "dose", "dose"},
}

// confuse swaps some cells, at most five pairs of each kind.
func (c *Curator) confuse() {
	for _, of := range confused {
		t, there := c.whole.Package.Tables[of.table]
		if !there || t.index(of.column) < 0 || t.index(of.other) < 0 || len(t.Rows) < 2 {
			continue
		}
		for range 5 {
			row := t.Rows[c.rng.IntN(len(t.Rows))]
			partner := row
			if of.column == of.other {
				partner = t.Rows[c.rng.IntN(len(t.Rows))]
			}
			a := cell{of.table, t.key(row), of.column}
			b := cell{of.table, t.key(partner), of.other}
			x, y := row[t.index(of.column)], partner[t.index(of.other)]
			_, slippedA := c.slips[a]
			_, slippedB := c.slips[b]
			if x == y || x == "" || y == "" || slippedA || slippedB {
				continue
			}
			c.slips[a], c.slips[b] = y, x
			c.linked[a], c.linked[b] = []cell{b}, []cell{a}
		}
	}
}

// repeat enters 1 % of the records a second time.
func (c *Curator) repeat() {
	for _, file := range []string{"formulas.csv", "papers.csv", "synonyms.csv"} {
		if t, there := c.whole.Package.Tables[file]; there {
			again := rowKinds[slices.IndexFunc(rowKinds, func(k rowKind) bool { return k.name == "repeated" })]
			c.twice[file] = again.spoil(t.clone(), &pick{c.rng, len(t.Rows) / 100}).Rows[len(t.Rows):]
		}
	}
}

// bookDay is the day on which a book is added.
const bookDay = 12

// books keeps the formulas of a small book out of the database, and writes the doses of another
// book in 钱 instead of 两.
func (c *Curator) books() {
	f, there := c.whole.Package.Tables["formulas.csv"]
	in, also := c.whole.Package.Tables["formula_ingredients.csv"]
	if !there || !also || f.index("original_source") < 0 {
		return
	}
	bookOf, wrong := map[string]string{}, map[string][]cell{}
	size := map[string]int{}
	for _, row := range f.Rows {
		bookOf[row[f.index("entry_id")]] = row[f.index("original_source")]
		size[row[f.index("original_source")]]++
	}
	for _, row := range in.Rows {
		book := bookOf[row[in.index("formula_id")]]
		if strings.Contains(row[in.index("dose")], "两") {
			wrong[book] = append(wrong[book], cell{"formula_ingredients.csv", in.key(row), "dose"})
		}
	}
	var small, units []string
	for book, n := range size {
		if n >= 4 && 100*n <= 4*len(f.Rows) {
			small = append(small, book)
		}
		if len(wrong[book]) >= 8 && 100*len(wrong[book]) <= 3*len(in.Rows) {
			units = append(units, book)
		}
	}
	slices.Sort(small)
	slices.Sort(units)
	if len(small) > 0 {
		c.book = small[c.rng.IntN(len(small))]
	}
	for _, book := range units {
		if book == c.book {
			continue
		}
		for _, at := range wrong[book] {
			c.slips[at] = "" // set to the original value below
			c.linked[at] = wrong[book]
		}
		for _, row := range in.Rows {
			at := cell{"formula_ingredients.csv", in.key(row), "dose"}
			if bookOf[row[in.index("formula_id")]] == book && slices.Contains(wrong[book], at) {
				c.slips[at] = strings.ReplaceAll(row[in.index("dose")], "两", "钱")
			}
		}
		break
	}
}

// key joins the cells of the columns that identify a row.
func (t *Table) key(row []string) string {
	columns := t.schema.PrimaryKey
	if columns == nil {
		columns = t.schema.Unique[0]
	}
	var parts []string
	for _, name := range columns {
		parts = append(parts, row[t.index(name)])
	}
	return strings.Join(parts, "\x00")
}

// Next edits the database for one day and returns its export. A day changes 0.5 to 3 % of each
// table's records. The first call returns the initial state.
func (c *Curator) Next() Sources {
	c.day++
	if c.day > 1 {
		for _, file := range recordFiles {
			if _, there := c.in[file]; there {
				c.work(file, 0.005+0.025*c.rng.Float64())
			}
		}
	}
	return c.export()
}

// Revise makes large edits at once and returns the export. It adds all remaining records, corrects
// all mistakes, and writes the authors of all species without spaces, as for a new edition of a
// flora.
func (c *Curator) Revise() Sources {
	c.day++
	for file, in := range c.in {
		for key := range in {
			c.in[file][key] = true
		}
	}
	clear(c.slips)
	clear(c.twice)
	c.book = ""
	s := c.export()
	t := s.Package.Tables["species.csv"]
	if col := t.index("author"); col >= 0 {
		s.Package = s.Package.with("species.csv", t.set(col, each(t.column(col), func(a string) string {
			return strings.ReplaceAll(a, ". ", ".")
		})))
	}
	return s
}

// work edits a share of a table's records: 40 % of the edits add a record, 40 % correct a record,
// and 20 % remove a record.
func (c *Curator) work(file string, share float64) {
	t := c.whole.Package.Tables[file]
	var in, out []string
	for _, row := range t.Rows {
		k := t.key(row)
		if c.in[file][k] {
			in = append(in, k)
		} else {
			out = append(out, k)
		}
	}
	n := max(1, int(share*float64(len(in))))
	if slices.Contains(own, file) {
		for range n * 2 / 5 {
			if len(out) > 0 {
				c.in[file][out[c.rng.IntN(len(out))]] = true
			}
		}
		for range n / 5 {
			c.in[file][in[c.rng.IntN(len(in))]] = false
		}
	}
	var open []cell
	for at := range c.slips {
		if at.table == file {
			open = append(open, at)
		}
	}
	slices.SortFunc(open, func(a, b cell) int { return strings.Compare(a.key+a.column, b.key+b.column) })
	for range (n*2 + 4) / 5 {
		if len(open) == 0 {
			break
		}
		at := open[c.rng.IntN(len(open))]
		delete(c.slips, at)
		for _, other := range c.linked[at] {
			delete(c.slips, other)
		}
	}
	if left := c.twice[file]; len(left) > 0 {
		c.twice[file] = left[1:]
	}
}

// export returns the current database. It omits records that refer to a missing species, formula or
// paper. Every seventh day the order of rows changes, because databases guarantee no order.
func (c *Curator) export() Sources {
	f := c.whole.Package
	there := map[string]map[string]bool{}
	for _, file := range recordFiles {
		t, ok := c.whole.Package.Tables[file]
		if !ok {
			continue
		}
		there[file] = map[string]bool{}
		kept := t.clone().only(func(i int) bool {
			row := t.Rows[i]
			k := t.key(row)
			if !c.in[file][k] {
				return false
			}
			if at := t.index("original_source"); file == "formulas.csv" && at >= 0 && c.book != "" && row[at] == c.book && c.day < bookDay {
				return false
			}
			for _, to := range t.schema.References {
				if id := row[t.index(to.Column)]; id != "" && !there[to.Table+".csv"][id] {
					return false
				}
			}
			there[file][k] = true
			return true
		})
		kept = kept.clone()
		for _, row := range kept.Rows {
			k := t.key(row)
			for col, name := range t.Header {
				if is, slipped := c.slips[cell{file, k, name}]; slipped {
					row[col] = is
				}
			}
		}
		for _, again := range c.twice[file] {
			if at := t.index("species_id"); at < 0 || there["species.csv"][again[at]] {
				kept.Rows = slices.Insert(kept.Rows, len(kept.Rows)/(2+len(again[0])), again)
			}
		}
		if c.day%7 == 0 {
			c.rng.Shuffle(len(kept.Rows), func(i, j int) { kept.Rows[i], kept.Rows[j] = kept.Rows[j], kept.Rows[i] })
		}
		f = f.with(file, kept)
	}
	s := Sources{Package: f, Checklists: slices.Clone(c.whole.Checklists)}
	for i, list := range s.Checklists {
		s.Checklists[i].Folder = c.edition(list)
	}
	return s
}

// edition returns the current edition of a checklist. Every ten days there is a new edition with 3
// % more names.
func (c *Curator) edition(list Checklist) Folder {
	f := list.Folder
	editions := 1 + c.day/10
	for _, file := range f.names() {
		if strings.HasPrefix(file, "Vernacular") {
			continue
		}
		t := f.Tables[file]
		// The first cell of a row determines which edition adds the row, so that later editions
		// have it too.
		f = f.with(file, t.only(func(i int) bool {
			h := newGUID(list.Key + t.Rows[i][0])
			n, err := strconv.ParseUint(h[:4], 16, 32)
			if err != nil {
				panic(fmt.Sprintf("%s is no guid", h))
			}
			return n%100 >= uint64(max(0, 9-3*editions)) || !leaf(t, t.Rows[i])
		}))
	}
	return f
}

// leaf reports whether a row of a checklist is neither a genus nor a family. Genera and families
// are in every edition.
func leaf(t *Table, row []string) bool {
	for _, name := range []string{"taxonRank", "rank", "taxon_rank"} {
		if col := t.index(name); col >= 0 {
			return !strings.EqualFold(row[col], "genus") && !strings.EqualFold(row[col], "family")
		}
	}
	return true
}
