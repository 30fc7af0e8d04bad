package herb

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bencao/indexer/datapackage"
	"bencao/names/han"
	"bencao/store"
)

// TestIsHerb checks which names count as herbs although no table has them: names that are frequent
// in formulas, usually with a dose.
func TestIsHerb(t *testing.T) {
	c := &collection{Herbs: New(&datapackage.Package{HerbSpecies: []datapackage.HerbSpecies{{Herb: "人参"}}})}
	uses := func(formulas, dosed int) *use {
		return &use{formulas: make([]store.Num, formulas), total: formulas, dosed: dosed}
	}
	all := &use{total: 1000, dosed: 900}
	for _, tt := range []struct {
		name string
		use  *use
		want bool
		why  string
	}{
		{"人参", uses(1, 0), true, "the table of drugs has it"},
		{"紫蓂", uses(5, 4), true, "formulas often have it, with a dose"},
		{"紫蓂", uses(4, 4), false, "not often enough"},
		{"发热", uses(6, 0), false, "an illness"},
		{"少阴", uses(9, 1), false, "a channel"},
		{"皂角子", uses(5, 3), true, "sometimes without a dose"},
		{"加豆豉", uses(6, 6), false, "an instruction"},
		{"舶上人参", uses(26, 18), true, "longer, and ends in a herb"},
		{"小便不利", uses(8, 8), false, "longer, and ends in none"},
	} {
		if got := c.isHerb(tt.name, tt.use, all); got != tt.want {
			t.Errorf("%s in %d formulas, %d times with a dose: herb %v, want %v: %s", tt.name, len(tt.use.formulas), tt.use.dosed, got, tt.want, tt.why)
		}
	}
	if !c.isHerb("紫蓂", uses(5, 0), &use{total: 1000}) {
		t.Error("in a package without doses, a frequent name is not taken for a herb")
	}
}

// TestRareHerbs checks the names of herbs that the table of herbs has and no formula: they lose
// doses and words before them, and no affixes.
func TestRareHerbs(t *testing.T) {
	h := New(&datapackage.Package{})
	for written, plain := range map[string]string{
		"海马一对": "海马", "娑罗子四两": "娑罗子", "入生姜": "生姜", "大猪肚": "猪肚", "明党参": "明党参", "刘寄奴草": "刘寄奴", "姜汁制炒": "",
		"生锦纹大黄": "大黄", "鸡苏薄荷叶": "薄荷", "大八角川乌头": "川乌", "川文蛤": "五倍子",
	} {
		if got := strings.Join(h.Plain(written), " "); got != plain {
			t.Errorf("%s is %q, want %q", written, got, plain)
		}
	}
}

// TestDocs checks the examples of docs/formulas.md, for a package whose table lists the plain
// names.
func TestDocs(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "formulas.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(doc)
	examples := map[string]string{"桂枝附子": "桂枝 附子", "龙眼肉酸枣仁": "龙眼肉 酸枣仁", "云苓": "茯苓", "丹砂": "朱砂"}
	for written, plain := range examples { // one sentence of the page must name both
		if !regexp.MustCompile(written + "[^.;]*" + strings.ReplaceAll(plain, " ", "[^.;]*")).MatchString(text) {
			t.Errorf("docs/formulas.md should say that %s is %s", written, plain)
		}
	}
	p := &datapackage.Package{}
	list := func(names ...string) {
		for _, name := range names {
			p.HerbSpecies = append(p.HerbSpecies, datapackage.HerbSpecies{Herb: name})
		}
	}
	list("桂枝", "附子", "龙眼肉", "酸枣仁", "牛膝", "沙参", "姜", "地黄")
	rows := 0
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || !strings.HasPrefix(line, "| ") || !han.Has(cells[0]) {
			continue
		}
		rows++
		written := strings.Split(strings.TrimPrefix(cells[0], "| "), ", ")
		plain := strings.Split(cells[1], ", ")
		for i, w := range written {
			switch {
			case cells[1] == "unchanged":
				examples[w] = w
			case len(plain) == len(written):
				examples[w] = plain[i]
			default:
				examples[w] = plain[0]
			}
			if cells[1] != "unchanged" {
				list(examples[w])
			}
		}
	}
	if rows < 5 {
		t.Errorf("%d rows of examples can be read, 5 are wanted", rows)
	}
	known := New(p)
	for written, plain := range examples {
		if got := strings.Join(known.Plain(written), " "); got != plain {
			t.Errorf("the plain name of %s is %q, docs/formulas.md says %q", written, got, plain)
		}
	}
}
