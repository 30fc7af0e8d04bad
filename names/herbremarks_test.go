package names_test

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bencao/names"
	"bencao/names/herb"
	"bencao/names/internal/answer"
)

// remarks stand behind the names of drugs in price lists and orders. None of them names a drug or a
// plant.
var remarks = []string{
	"统", "统货", "选货", "一等", "二级", "大统", "优质", "江苏", "安徽亳州", "四川", "产地河北", "进口", "家种", "野生", "切片", "饮片", "無硫",
	"《名医别录》", "《中国药典》2020年版", "500克装", "批号20240611", "现货", "规格0.5-1.0",
}

// TestRemarksBehindHerbs checks on random names of drugs that a remark in brackets or a number behind
// a name changes nothing. It logs the seed.
func TestRemarksBehindHerbs(t *testing.T) {
	seed := *relationSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("go test ./names -run RemarksBehindHerbs -relation-seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 2))
	t.Run("small", func(t *testing.T) {
		// Plants whose names are those of drugs of other plants.
		others := []names.Usage{
			{Name: "Nepeta cataria", ChineseName: "荆芥"}, {Name: "Woodwardia japonica", ChineseName: "狗脊"}, {Name: "Lemna minor", ChineseName: "浮萍"},
			{Name: "Pseudocydonia sinensis", ChineseName: "木瓜"}, {Name: "Elsholtzia ciliata", ChineseName: "香薷"},
		}
		for _, d := range herb.All() {
			if d.IsPlant() {
				others = append(others, names.Usage{Name: d.Species[0].Names[0]})
			}
		}
		slices.SortStableFunc(others, func(a, b names.Usage) int { return strings.Compare(a.Name, b.Name) })
		others = slices.CompactFunc(others, func(a, b names.Usage) bool { return a.Name == b.Name })
		for i := range others {
			others[i].ID, others[i].Rank, others[i].Status = strconv.Itoa(i+1), "species", names.Accepted
		}
		testRemarks(t, smallIndex(t, others...), rng)
	})
	t.Run("real", func(t *testing.T) { testRemarks(t, sharedIndex(t), rng) })
}

func testRemarks(t *testing.T, ix *names.Index, rng *rand.Rand) {
	all := []string{"荆芥", "狗脊", "浮萍", "木瓜", "香薷", "三棱", "白芍"}
	f, err := os.Open(filepath.Join("..", "indexer", "sample", "package", "formula_ingredients.csv"))
	must(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must(t, err)
	for _, row := range rows[1:] {
		all = append(all, row[2])
	}
	for _, d := range herb.All() {
		all = append(all, d.Name)
		for _, a := range d.Aliases {
			all = append(all, a.Name)
		}
	}
	asked, held := 0, 0
	for i := range 800 {
		name := all[rng.IntN(len(all))]
		if i < 40 {
			name = all[i%7]
		}
		alone := match(ix, name, "")
		if alone.HerbName == "" {
			continue // it names another plant rather than the drug
		}
		text := name
		if n := strconv.Itoa(1 + rng.IntN(500)); rng.IntN(3) == 0 {
			text += []string{n, " " + n, "*" + n, "＊" + n, "。", ".", ":" + n, "：" + n, " ×" + n, " " + n + "g", "  " + n + "g/包", n + "头"}[rng.IntN(12)]
		} else {
			b := []rune([]string{"()", "（）", "[]", "【】", "［］"}[rng.IntN(5)])
			text += string(b[0]) + remarks[rng.IntN(len(remarks))] + string(b[1])
		}
		asked++
		if got, want := withoutRemark(match(ix, text, "")), withoutRemark(alone); got != want {
			t.Logf("%s: %s\nwant %s", text, got, want)
			continue
		}
		held++
	}
	t.Logf("%d of %d", held, asked)
	if asked < 400 || float64(held) < 0.99*float64(asked) {
		t.Errorf("holds for %d of %d names", held, asked)
	}
}

// withoutRemark writes a response without the flag for a remark that was ignored.
func withoutRemark(r names.Response) string {
	for i := range r.Results {
		r.Results[i].Flags = slices.DeleteFunc(slices.Clone(r.Results[i].Flags), func(f string) bool {
			return slices.Contains(answer.AnnotationIgnored.Words(), f)
		})
	}
	return string(r.HerbName) + " " + string(r.HerbKind) + " " + render(r)
}

// TestUnreadMembers matches lists with members that name nothing. These are unread, and lower the score.
func TestUnreadMembers(t *testing.T) {
	var usages []names.Usage
	for i, n := range []string{"Panax ginseng 人参", "Salvia miltiorrhiza 丹参", "Aconitum carmichaelii 乌头", "Paeonia lactiflora 芍药", "Koeleria litvinowii 银艹／洽草"} {
		latin, chinese := n[:strings.LastIndex(n, " ")], n[strings.LastIndex(n, " ")+1:]
		usages = append(usages, names.Usage{ID: strconv.Itoa(i + 1), Name: latin, ChineseName: chinese, Rank: "species", Status: names.Accepted})
	}
	ix := smallIndex(t, usages...)
	for _, tt := range []struct{ text, unread string }{
		{"人参、甲乙丙", "甲乙丙"}, {"甲乙丙/白芍", "甲乙丙"}, {"人参，甲乙丙；丁戊己", "甲乙丙 … 丁戊己"}, {"人参、丹参、甲乙丙", "甲乙丙"},
		{"人参、茯苓", ""}, {"人参、丹参", ""}, {"人参，五加科", ""}, {"人参，人参属", ""}, {"裸子植物，人参", ""}, {"人参，饮片", ""}, {"中药，人参", ""},
		{"白芍 500g/包", ""}, {"附子10g，先煎", ""}, {"附子10g（去皮脐）", ""}, {"别名：橡树；人参 Panax ginseng", ""}, {"银艹／洽草", ""},
	} {
		r := match(ix, tt.text, "")
		if len(r.Results) == 0 {
			t.Errorf("%s: nothing", tt.text)
			continue
		}
		several := len(r.Results) > 1 // which are at 0.50
		if got := r.Results[0].Score; string(r.Unread) != tt.unread || !several && (got < names.ScoreTake) != (tt.unread != "") {
			t.Errorf("%s: %s, unread %q; want %q", tt.text, render(r), r.Unread, tt.unread)
		}
	}
}
