package indexer_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/indexer"
	"bencao/internal/test/mutant"
)

// spoilt returns the sources with one table edited.
func spoilt(s mutant.Sources, file string, edit func(t *mutant.Table)) mutant.Sources {
	t := *s.Package.Tables[file]
	c := mutant.Table{Header: t.Header, Dialect: t.Dialect}
	for _, row := range t.Rows {
		c.Rows = append(c.Rows, slices.Clone(row))
	}
	edit(&c)
	s.Package.Tables = maps.Clone(s.Package.Tables)
	s.Package.Tables[file] = &c
	return s
}

// swapColumns returns a function that swaps the cells of two columns in a share of the rows.
func swapColumns(a, b string, share float64) func(t *mutant.Table) {
	return func(t *mutant.Table) {
		i, j := slices.Index(t.Header, a), slices.Index(t.Header, b)
		for r := range int(share * float64(len(t.Rows))) {
			row := t.Rows[r*7919%len(t.Rows)]
			row[i], row[j] = row[j], row[i]
		}
	}
}

// circle returns a function that moves the cells of a column. It chooses a share of the rows. Each
// chosen row gets the cell of the next chosen row.
func circle(column string, share float64) func(t *mutant.Table) {
	return func(t *mutant.Table) {
		i := slices.Index(t.Header, column)
		n := int(share * float64(len(t.Rows)))
		first := t.Rows[0][i]
		for r := range n {
			next := t.Rows[(r+1)*7919%len(t.Rows)][i]
			if r == n-1 {
				next = first
			}
			t.Rows[r*7919%len(t.Rows)][i] = next
		}
	}
}

// doses returns a function that applies f to a share of the doses.
func doses(share float64, f func(string) string) func(t *mutant.Table) {
	return func(t *mutant.Table) {
		i := slices.Index(t.Header, "dose")
		left := int(share * float64(len(t.Rows)))
		for r := 0; r < len(t.Rows) && left > 0; r++ {
			if row := t.Rows[r*7919%len(t.Rows)]; f(row[i]) != row[i] {
				row[i] = f(row[i])
				left--
			}
		}
	}
}

// again returns a function that repeats a share of the formulas under new ids.
func again(share float64) func(t *mutant.Table) {
	return func(t *mutant.Table) {
		for r := range int(share * float64(len(t.Rows))) {
			row := slices.Clone(t.Rows[r])
			row[0] = strconv.Itoa(90_000 + r)
			row[1] = ""
			t.Rows = append(t.Rows, row)
		}
	}
}

// TestValuesInOtherPlaces checks that a build is refused if values changed places or were scaled.
// The refusal must name the rows and the remedy. The flags that it names must allow the build.
func TestValuesInOtherPlaces(t *testing.T) {
	oneByOne(t)
	good := sampleSources(t)
	cfg := sourcesConfig(t, good)
	mustRun(t, cfg)
	cfg.DryRun = true
	ten := func(s string) string {
		if strings.HasPrefix(s, "三两") {
			return "三十两"
		}
		return s
	}
	for _, tt := range []struct {
		name, file string
		edit       func(t *mutant.Table)
		want       []string
	}{
		{"GUIDs of two species", "species.csv", circle("guid", 0.007), []string{"2 GUIDs belong to another record", "species.csv:2, ", `belonged to "`, "--allow moved-guids=species"}},
		{"GUIDs of 3 %", "species.csv", circle("guid", 0.03), []string{"8 GUIDs belong to another record"}},
		{"GUIDs of 9 %", "formulas.csv", circle("guid", 0.09), []string{"30 GUIDs belong to another record", "formulas.csv:2, ", "--allow moved-guids=formulas"}},
		{"formulas repeated", "formulas.csv", again(0.4), []string{"134 new rows repeat others under new ids, such as formulas.csv:", "--allow growth=formulas"}},
		{"titles and authors of 3 %", "papers.csv", swapColumns("title", "authors", 0.03), []string{"papers.title", "mostly authors, such as papers.csv:2, ", "--allow changes=papers"}},
		{"titles and authors of 8 %", "papers.csv", swapColumns("title", "authors", 0.08), []string{"papers.authors", "mostly title, such as papers.csv:2, "}},
		{"efficacy and indications", "formulas.csv", swapColumns("efficacy", "indications", 0.03), []string{"formulas.efficacy", "mostly indications"}},
		{"Chinese names of species and genus", "species.csv", swapColumns("chinese_name", "genus_chinese", 0.03), []string{"species.chinese_name", "mostly genus_chinese"}},
		{"titles of other papers", "papers.csv", circle("title", 0.03), []string{"cells exchanged their values with other rows, such as papers.csv:2, "}},
		{"钱 for 两", "formula_ingredients.csv", doses(0.09, func(s string) string { return strings.ReplaceAll(s, "两", "钱") }),
			[]string{"formula_ingredients.dose", "155 numbers of ", "× 0.1, such as formula_ingredients.csv:", "--allow changes=formula_ingredients"}},
		{"doses tenfold", "formula_ingredients.csv", doses(0.09, ten), []string{"155 numbers of ", "× 10, such as formula_ingredients.csv:"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := sourcesOf(cfg, spoilt(good, tt.file, tt.edit))
			bad.Limits = indexer.Limits{}
			closed := refused(t, bad)
			for _, want := range tt.want {
				if !strings.Contains(closed.Error(), want) {
					t.Errorf("the refusal says\n%s\nwant %q in it", closed, want)
				}
			}
		})
	}
}

// TestPartialDamage checks that a build is refused if a small share of a table is damaged in certain
// ways. The refusal must name the check's finding, and the flags that it names must allow the build.
func TestPartialDamage(t *testing.T) {
	oneByOne(t)
	good := sampleSources(t)
	cfg := sourcesConfig(t, good)
	mustRun(t, cfg)
	cfg.DryRun = true
	for _, tt := range []struct {
		name  string
		share float64
		want  string
	}{
		{"package/species/guids-to-new-0.1%", 0.001, "1 GUIDs belong to another record"},
		{"package/formulas/guids-to-new-0.1%", 0.001, "1 GUIDs belong to another record"},
		{"package/species_papers/links-moved-3%", 0.03, "numbers are those of the previous snapshot +1"},
		{"package/uses/links-moved-3%", 0.03, "numbers are those of the previous snapshot +1"},
		{"package/formula_ingredients/given-to-others-3%", 0.03, "rows belong to another record than in the previous snapshot"},
		{"package/species/scientific_name/other-script-1%", 0.01, "a word that mixes Latin letters with letters of another script"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := mutant.Partial(good, tt.share)
			i := slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Name() == tt.name })
			s, ok := all[i].Sources()
			if !ok {
				t.Fatal("there is no such damage")
			}
			bad := sourcesOf(cfg, s)
			closed := refused(t, bad)
			if !strings.Contains(closed.Error(), tt.want) {
				t.Errorf("the refusal says\n%s\nwant %q in it", closed, tt.want)
			}
			for _, flag := range closed.Flags {
				kind, table, _ := strings.Cut(strings.TrimPrefix(flag, "--allow "), "=")
				bad.Limits.Allow(kind, table)
			}
			if _, err := indexer.Run(t.Context(), bad, indexer.Options{}); err != nil {
				t.Errorf("with %v: %v", closed.Flags, err)
			}
		})
	}
}

// TestExchangesAddUp exchanges a few cells of a column in every build. The exchanges of each build
// are within the limit, but their sum must soon be refused.
func TestExchangesAddUp(t *testing.T) {
	oneByOne(t)
	for n, most := range map[int]int{1: 7, 2: 4} {
		s := speciesSources(t)
		cfg := sourcesConfig(t, s)
		mustRun(t, cfg)
		for build := 1; ; build++ {
			s = mutant.Exchanged(s, "species.csv", "author", n, uint64(build))
			cfg = sourcesOf(cfg, s)
			_, err := indexer.Run(t.Context(), cfg, indexer.Options{})
			if err == nil && build < most {
				continue
			}
			if err == nil || build == 1 || !strings.Contains(err.Error(), "species.author") || !strings.Contains(err.Error(), "this sums up with the earlier builds") {
				t.Errorf("%d exchanges in each build, build %d: %v; want a refusal of the sum after at most %d builds", n, build, err, most)
			}
			break
		}
	}
}
