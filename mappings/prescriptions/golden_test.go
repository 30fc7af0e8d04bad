package prescriptions_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/fullsize"
	"bencao/internal/test/indextest"
	"bencao/internal/test/race"
	"bencao/mappings/prescriptions"
)

// judgement counts judged mentions.
type judgement struct{ mentions, right, wrong int }

func (j *judgement) add(o judgement) {
	j.mentions, j.right, j.wrong = j.mentions+o.mentions, j.right+o.right, j.wrong+o.wrong
}

func (j judgement) percent() float64 { return 100 * float64(j.right) / float64(max(1, j.mentions)) }

// explained lists the drugs that are read surely, and that the judges did not expect, with the reason.
var explained = map[string]string{
	"冬葵果": "an item of the pharmacopoeia beside 冬葵子",
	"饴糖":  "麦芽糖 in an instruction that gives its amount",
	"大枣":  "the judges left out 大棗十粒",
	"当归":  "the judges left out three drugs with ranges of doses", "熟地黄": "as 当归", "枸杞": "as 当归",
	"百合": "the judges left out 炙百合",
	"砂糖": "红糖 is an other name of this record", "糯米": "稻米 is 糯米 in the books of names.txt",
	"附子": "the judges left out 炮附子", "制附子": "as 附子",
}

// TestGolden reads the prescriptions of public tables, whose drugs people have judged, with the names of
// the full-size data.
func TestGolden(t *testing.T) {
	if race.On {
		t.Skip("NOT TESTED: the full package takes too long under -race")
	}
	folder := fullsize.Path(t, "golden/prescriptions")
	built, err := indextest.Run(t.Context(), t.TempDir(), fullsize.Path(t, "data/china-plants.zip"))
	must(t, err)
	b, _ := open(t, built.Dir)
	files, err := filepath.Glob(filepath.Join(folder, "*.tsv"))
	must(t, err)
	var all, chinese judgement
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".tsv")
		text, err := os.ReadFile(path)
		must(t, err)
		rows := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
		s := read(t, b, string(text), prescriptions.Options{TextColumn: "text"})
		if len(s.Prescriptions) != len(rows) {
			t.Fatalf("%s: %d prescriptions of %d rows", name, len(s.Prescriptions), len(rows))
		}
		drugs := map[string][]map[string]string{}
		for _, row := range table(t, results(t, s, prescriptions.Counting{})["drugs.csv"]) {
			drugs[row["prescription"]] = append(drugs[row["prescription"]], row)
		}
		var j judgement
		proposed := 0
		for i, row := range rows {
			cells := strings.Split(row, "\t")
			list := drugs[s.Prescriptions[i].ID]
			out := ""
			for k, d := range list {
				if k == 0 || d["place"] != list[k-1]["place"] {
					out += d["written"] + d["dose"] + d["note"]
				}
			}
			if sorted(out) != sorted(cells[2]) {
				t.Errorf("%s: the words of %q come out as %q", name, cells[2], out)
			}
			one, right := judge(t, name, s, &s.Prescriptions[i], list, strings.Split(cells[3], ";"))
			j.add(one)
			proposed += right
		}
		t.Logf("%s: %d of %d right (%.1f %%), %d wrong", name, j.right, j.mentions, j.percent(), j.wrong)
		switch name {
		case "slips":
			if n := j.right + proposed; 5*n < 4*len(rows) {
				t.Errorf("%d of %d slips are right or rightly proposed; 80 %% are wanted", n, len(rows))
			}
		case "joined":
			if 10*j.right < 9*j.mentions {
				t.Errorf("%.1f %% of the joined drugs are right; 90 %% are wanted", j.percent())
			}
		default:
			all.add(j)
			if name != "ko-shanghan-hangul" && name != "v-tcm-en" {
				chinese.add(j)
			}
		}
	}
	t.Logf("all: %d mentions, %.2f %% right; without Hangul and English %.2f %%", all.mentions, all.percent(), chinese.percent())
	if all.percent() < 96 || chinese.percent() < 98 {
		t.Errorf("%.2f %% of all and %.2f %% without Hangul and English are right; 96 and 98 are wanted", all.percent(), chinese.percent())
	}
}

// judge compares the drugs of a prescription with those expected. proposed counts the prescriptions whose
// only unsure mention has an expected drug as its first proposal.
func judge(t *testing.T, file string, s *prescriptions.Set, p *prescriptions.Prescription, list []map[string]string, expected []string) (j judgement, proposed int) {
	t.Helper()
	rest := slices.DeleteFunc(slices.Clone(list), func(d map[string]string) bool { return d["standardName"] == "" })
	for _, want := range expected {
		names := strings.Split(want, "|")
		i := slices.IndexFunc(rest, func(d map[string]string) bool {
			return slices.Contains(names, d["standardName"]) || slices.Contains(names, d["countedAs"]) || names[0] == "枸杞子" && d["standardName"] == "枸杞"
		})
		switch {
		case i >= 0:
			rest = slices.Delete(rest, i, i+1)
			j.right++
		case slices.Contains(names, "none"):
			continue
		default:
			for _, d := range p.Drugs {
				first, _, _ := strings.Cut(s.Proposals(d.Name), "、")
				if d.State != prescriptions.Sure && slices.Contains(names, first) {
					proposed = 1
				}
			}
		}
		j.mentions++
	}
	j.wrong = len(rest)
	for _, d := range rest {
		if explained[d["standardName"]] == "" {
			t.Errorf("%s %s: %s is surely %s, which is not expected (%v)", file, p.ID, d["written"], d["standardName"], expected)
		}
	}
	return j, proposed
}
