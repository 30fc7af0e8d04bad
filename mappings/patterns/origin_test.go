package patterns_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bencao/mappings/patterns"
	"bencao/store"
)

// book returns formulas, one for each line such as "四君子汤: 人参 白术 | 本方加陈皮，名异功散": its name,
// its drugs and the text of its composition. Each formula is a year older than the next one.
func book(lines ...string) *store.Data {
	var drugs, names, texts []string
	for _, line := range lines {
		name, rest, _ := strings.Cut(line, ":")
		list, text, _ := strings.Cut(rest, "|")
		names, drugs, texts = append(names, name), append(drugs, list), append(texts, text)
	}
	d := made(drugs...)
	for i := range d.Formulas {
		d.Formulas[i].Name, d.Formulas[i].Composition = store.Text(names[i]), store.Text(texts[i])
	}
	return d
}

// TestOrigins checks from which formulas a formula descends, and by what evidence. The wanted text
// lists, for each formula that descends from others, the basis and the names of these formulas.
func TestOrigins(t *testing.T) {
	const (
		four   = "四君子汤: 人参 白术 茯苓 甘草"
		blood  = "四物汤: 当归 川芎 白芍 熟地黄"
		guizhi = "桂枝汤: 桂枝 芍药 甘草 生姜 大枣"
	)
	for _, test := range []struct {
		why   string
		lines []string
		want  string
	}{
		{"加味X", []string{four, "生姜甘草汤: 人参 甘草 生姜", "加味四君子汤: 人参 白术 茯苓 甘草 黄芪"}, "加味四君子汤 name 四君子汤"},
		{"X加Y, although the list of drugs is cut off", []string{guizhi, "桂枝加大黄汤: 芍药 大黄"}, "桂枝加大黄汤 name 桂枝汤"},
		{"X去Y", []string{guizhi, "桂枝去芍药汤: 桂枝 甘草 生姜 大枣"}, "桂枝去芍药汤 name 桂枝汤"},
		{"X合Z", []string{four, blood, "四君子合四物汤: 人参 当归"}, "四君子合四物汤 name 四君子汤+四物汤"},
		{"half of each", []string{guizhi, "麻黄汤: 麻黄 桂枝 杏仁 甘草", "桂枝麻黄各半汤: 桂枝 麻黄", "桂枝二麻黄一汤: 桂枝 麻黄"}, "桂枝麻黄各半汤 name 桂枝汤+麻黄汤; 桂枝二麻黄一汤 name 桂枝汤+麻黄汤"},
		{"another dosage form that shares half of its drugs", []string{"归脾汤: 人参 黄芪", "归脾散: 大黄 芒硝 厚朴", "加味归脾丸: 人参 黄芪 柴胡"}, "加味归脾丸 name 归脾汤"},
		{"no older formula of the name", []string{"加味四君子汤: 人参 白术 茯苓 甘草 黄芪", four}, ""},
		{"the stem in the name, most drugs of the formula", []string{"理中丸: 人参 白术 干姜 甘草", "附子理中丸: 附子 人参 白术 干姜 甘草", "治中理中汤: 附子 大黄"}, "附子理中丸 name 理中丸"},
		{"大 and 小", []string{"小承气汤: 大黄 厚朴 枳实", "大承气汤: 大黄 厚朴 枳实 芒硝"}, "大承气汤 name 小承气汤"},
		{"the name of a drug in the name", []string{"人参汤: 人参 甘草", "人参败毒散: 人参 甘草 羌活"}, ""},
		{"a part of the name of a drug in the name", []string{"五加酒: 五加皮 当归", "五加皮汤: 五加皮 当归 牛膝"}, ""},
		{"its own text", []string{"六味地黄丸: 熟地黄 山药 茯苓", "知柏地黄汤: 熟地黄 茯苓 | 即六味地黄汤加知母，黄柏。"}, "知柏地黄汤 text 六味地黄丸"},
		{"its own text: 本云", []string{guizhi, "救逆汤: 桂枝 甘草 生姜 大枣 龙骨 | 本云桂枝汤，今去芍药，加龙骨。"}, "救逆汤 text 桂枝汤"},
		{"a text about what its formula becomes, step by step", []string{four, "异功散: 人参 白术 茯苓 甘草 陈皮", "六君子汤: 人参 白术 茯苓 甘草 陈皮 半夏", "六君子汤: 人参 甘草 枳壳 木香", four + " | 本方加陈皮，名异功散（钱氏）：调理脾胃。再加半夏，名六君子汤。"},
			"异功散 text 四君子汤; 六君子汤 text 四君子汤"},
		{"a text about a second name", []string{"平胃散: 苍术 厚朴 陈皮 甘草", "不换金正气散: 苍术 厚朴 陈皮 甘草 藿香 半夏", "平胃散: 苍术 | 本方加藿香、半夏，名藿香平胃散，又名不换金正气散《局方》"}, "不换金正气散 text 平胃散"},
		{"a text about two formulas together", []string{four, blood, "八珍汤: 人参 白术 茯苓 甘草 当归 川芎 白芍 熟地黄", four + " | 本方合四物名八珍汤。"}, "八珍汤 text 四君子汤+四物汤"},
		{"a text in brackets is about what was named before", []string{"四逆汤: 附子 干姜 甘草", "理中汤: 人参 白术 干姜 甘草 | 本方加附子一枚，名附子理中汤。（亦可作丸，即四逆汤加参术。）"}, ""},
		{"the largest contained formula", []string{"甲方: 人参 白术 茯苓 甘草", "乙方: 人参 白术 茯苓 甘草 黄芪", "丙方: 人参 白术 茯苓 甘草 黄芪 当归"}, "乙方 contained 甲方; 丙方 contained 乙方"},
		{"of two equally large ones, that with the rarer drugs", []string{"甲方: 甘草 生姜 大枣 桂枝", "乙方: 甘草 桂枝 麻黄 杏仁", "丙方: 甘草 生姜 大枣 桂枝 麻黄 杏仁 石膏", "丁方: 生姜 大枣"}, "丙方 contained 乙方"},
		{"a name that is only a change", []string{"汤: 桂枝 芍药 甘草 生姜", "去桂加白术汤: 桂枝 白术"}, ""},
		{"two contained formulas with all drugs", []string{"甲方: 人参 白术 茯苓 甘草", "乙方: 当归 川芎 白芍 熟地黄", "丙方: 人参 白术 茯苓 甘草 当归 川芎 白芍 熟地黄"}, "丙方 contained 甲方+乙方"},
		{"a later copy of an older formula", []string{"逍遥散: 当归 白芍 白术 茯苓 甘草 柴胡", "归芍汤: 当归 白芍 白术 茯苓", "逍遥散: 当归 白芍 白术 茯苓 甘草"}, ""},
		{"a later copy of an older formula and one of its parent", []string{"归芍汤: 当归 白芍 白术 茯苓 泽泻", "逍遥散: 当归 白芍 白术 茯苓 甘草 柴胡", "归芍汤: 当归 白芍 白术 茯苓", "逍遥散: 当归 白芍 白术 茯苓 甘草"}, "逍遥散 contained 归芍汤"},
		{"a later formula of the same name", []string{"逍遥散: 大黄 芒硝 厚朴", "归芍汤: 当归 白芍 白术 茯苓", "逍遥散: 当归 白芍 白术 茯苓 甘草"}, "逍遥散 contained 归芍汤"},
		{"three drugs are too few", []string{"甲方: 人参 白术 茯苓", "乙方: 人参 白术 茯苓 甘草"}, ""},
		{"the same drugs, and records of the same formula", []string{"甲方: 人参 白术 茯苓 甘草", "乙方: 人参 白术 茯苓 甘草", "甲散: 人参 白术 茯苓 甘草 大枣", "平胃散: 苍术 厚朴 陈皮 甘草", "平胃散: 苍术 厚朴 陈皮 甘草 大枣"}, "甲散 contained 甲方"},
	} {
		d := book(test.lines...)
		e := open(t, d)
		var got []string
		for i := range d.Formulas {
			from, _ := e.Descent(store.Num(i))
			if from == nil {
				continue
			}
			var names []string
			for _, r := range from {
				names = append(names, string(d.Formulas[r.Formula].Name))
			}
			got = append(got, fmt.Sprintf("%s %s %s", d.Formulas[i].Name, from[0].Basis, strings.Join(names, "+")))
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s: %s, want %s", test.why, text, test.want)
		}
	}
}

// TestContained compares the parents with the basis Contained with those that a plain search over all
// pairs of formulas finds. Drugs that the list of a formula lacks count as drugs of a parent.
func TestContained(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, seed))
	d := random(300, seed)
	for i := range d.Formulas {
		f := &d.Formulas[i]
		f.Year = new(int32(1000 + r.IntN(50)))
		if r.IntN(8) == 0 {
			f.Unlisted = []string{"戊", "葛根"}[:1+r.IntN(2)]
		}
	}
	e := open(t, d)
	listed := func(f *store.Formula) (names []string) {
		for _, in := range f.Ingredients {
			names = append(names, in.Herb)
		}
		return names
	}
	whole := func(f *store.Formula) []string {
		names := append(listed(f), f.Unlisted...)
		slices.Sort(names)
		return slices.Compact(names)
	}
	older := func(a, b *store.Formula) int {
		return cmp.Or(cmp.Compare(*a.Year, *b.Year), cmp.Compare(a.EntryID, b.EntryID))
	}
	count := map[string]int{}
	for i := range d.Formulas {
		for _, name := range listed(&d.Formulas[i]) {
			count[name]++
		}
	}
	common := func(f *store.Formula) (sum int) {
		for _, name := range whole(f) {
			sum += count[name]
		}
		return sum
	}
	found := 0
	for i := range d.Formulas {
		f := &d.Formulas[i]
		has := listed(f)
		var want *store.Formula
		for k := range d.Formulas {
			p := &d.Formulas[k]
			drugs := whole(p)
			if len(drugs) < 4 || len(drugs) >= len(has) || older(p, f) >= 0 || slices.ContainsFunc(drugs, func(s string) bool { return !slices.Contains(has, s) }) {
				continue
			}
			if want == nil || cmp.Or(len(whole(want))-len(drugs), common(p)-common(want), older(p, want)) < 0 {
				want = p
			}
		}
		from, _ := e.Descent(store.Num(i))
		switch {
		case want == nil && from != nil || want != nil && (from == nil || from[0].Formula != want.Num):
			t.Errorf("seed %d: formula %d descends from %v, want %v", seed, i, from, want)
		case want != nil:
			if found++; len(from[0].LeftOut) > 0 || from[0].Basis != patterns.Contained {
				t.Errorf("seed %d: formula %d: %+v", seed, i, from[0])
			}
			var added, wantAdded []string
			for _, h := range from[0].Added {
				added = append(added, h.Name)
			}
			for _, name := range whole(f) {
				if count[name] > 0 && !slices.Contains(whole(want), name) {
					wantAdded = append(wantAdded, name)
				}
			}
			slices.Sort(added)
			if !slices.Equal(added, wantAdded) {
				t.Errorf("seed %d: formula %d adds %v to formula %d, want %v", seed, i, added, want.Num, wantAdded)
			}
		}
		if len(from) > 1 && len(from[0].Added) == 0 {
			t.Errorf("seed %d: formula %d combines %v, but the first has all its drugs", seed, i, from)
		}
	}
	if found < 20 {
		t.Errorf("seed %d: only %d formulas contain another", seed, found)
	}
}
