package herb_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/names/herb"
)

// judgedHerb is a row of the judged herbs, by column.
type judgedHerb map[string]string

func (j judgedHerb) list(column string) []string {
	if j[column] == "" {
		return nil
	}
	return strings.Split(j[column], "|")
}

// judgedHerbs reads the judged herbs, or skips the test.
func judgedHerbs(t *testing.T) []judgedHerb {
	t.Helper()
	data, err := os.ReadFile(fullsize.Path(t, "golden/drugs-dev.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	head := strings.Split(lines[0], "\t")
	var rows []judgedHerb
	for _, line := range lines[1:] {
		row := judgedHerb{}
		for i, f := range strings.Split(line, "\t") {
			row[head[i]] = f
		}
		rows = append(rows, row)
	}
	return rows
}

// binomial returns the genus and the epithet of a name.
func binomial(name string) string {
	words := strings.Fields(strings.ReplaceAll(name, "× ", ""))
	return strings.Join(words[:min(2, len(words))], " ")
}

// isRight reports whether the matches have a species of a judged plant. For a judged herb that is
// not a plant, it reports whether no match is a plant.
func isRight(found []herb.Match, row judgedHerb) bool {
	if row["kind"] != "plant" {
		return !slices.ContainsFunc(found, func(f herb.Match) bool { return f.IsPlant() }) && len(found) > 0
	}
	for _, f := range found {
		for _, s := range f.Species {
			for _, n := range s.Names {
				if slices.ContainsFunc(row.list("species"), func(want string) bool { return binomial(want) == binomial(n) }) {
					return f.IsPlant()
				}
			}
		}
	}
	return false
}

// TestJudged checks the answers of the table for judged herbs.
func TestJudged(t *testing.T) {
	type figure struct{ asked, right, other int }
	figures := map[string]*figure{}
	ask := func(kind, name string, row judgedHerb, found []herb.Match) {
		if figures[kind] == nil {
			figures[kind] = &figure{}
		}
		f := figures[kind]
		f.asked++
		switch {
		case isRight(found, row):
			f.right++
		case len(found) > 0:
			f.other++
			t.Logf("%s %s: another drug, %s (%s)", kind, name, found[0].Name, row["chinese"])
		default:
			t.Logf("%s %s: not known (%s)", kind, name, row["chinese"])
		}
	}
	for _, row := range judgedHerbs(t) {
		ask("Chinese", row["chinese"], row, herb.Lookup(row["chinese"]))
		ask("Latin, new order", row["latin_2020"], row, herb.LookupLatin(row["latin_2020"]))
		ask("Latin, old order", row["latin_old"], row, herb.LookupLatin(row["latin_old"]))
		for _, p := range row.list("processed") {
			ask("processed", p, row, herb.Lookup(p))
		}
		for _, p := range row.list("synonyms_zh") {
			ask("other name", p, row, herb.Lookup(p))
		}
	}
	for kind, least := range map[string]float64{"Chinese": 0.97, "Latin, new order": 0.95, "Latin, old order": 0.95, "processed": 0.95, "other name": 0.75} {
		f := figures[kind]
		share := float64(f.right) / float64(f.asked)
		t.Logf("%s: %d of %d (%.3f), another drug %d", kind, f.right, f.asked, share, f.other)
		if share < least {
			t.Errorf("%s: %.3f right, want %.2f", kind, share, least)
		}
	}
}
