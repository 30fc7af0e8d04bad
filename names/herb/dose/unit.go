package dose

import (
	"strconv"
	"strings"
)

// unit is the meaning of a word for a unit.
type unit struct {
	kind Kind
	unit string  // the unit of [Dose.Value] for this kind
	size float64 // how many of these units the word means: 10 for 两, since a 两 is 10 钱
}

// units maps words to units. To add a unit, add a row.
var units = map[string]unit{
	"斤": {Weight, "钱", 160},
	"两": {Weight, "钱", 10},
	"钱": {Weight, "钱", 1},
	"铢": {Weight, "钱", 10.0 / 24},
	"字": {Weight, "钱", 0.25},
	"分": {Weight, "钱", 0.1}, // the size depends on the Era
	"厘": {Weight, "钱", 0.01},
	"毫": {Weight, "钱", 0.001},
	"克": {Weight, "钱", 1.0 / 3}, // 1 钱 is 3 g

	"斛": {Volume, "合", 1000},
	"斗": {Volume, "合", 100},
	"升": {Volume, "合", 10},
	"合": {Volume, "合", 1},
	"勺": {Volume, "合", 0.1},

	"丈": {Length, "寸", 100},
	"尺": {Length, "寸", 10},
	"寸": {Length, "寸", 1},
}

// pieces lists the words that count pieces.
const pieces = "枚 个 片 粒 颗 具 条 只 对 握 把 茎 根 枝 头 块 张 朵 丸 贴 撮 挺 锭 瓣 节 株 盏 碗 杯 匙 匕 方寸匕 钱匕 刀圭 团 双 滴 份 包 付 剂"

// counted maps the words of the list pieces to their units.
var counted = func() map[string]unit {
	m := map[string]unit{}
	for _, w := range strings.Fields(pieces) {
		m[w] = unit{Count, w, 1}
	}
	return m
}()

// unitAt returns the longest unit at the start of r.
func unitAt(r []rune) (string, unit, bool) {
	for n := min(3, len(r)); n > 0; n-- {
		w := string(r[:n])
		if u, ok := units[w]; ok {
			return w, u, true
		}
		if u, ok := counted[w]; ok {
			return w, u, true
		}
	}
	return "", unit{}, false
}

func startsUnit(r []rune) bool { _, _, ok := unitAt(r); return ok }

// metric lists today's units.
var metric = []struct {
	word string
	unit unit
}{
	{"千克", unit{Weight, "钱", 1000.0 / 3}},
	{"公斤", unit{Weight, "钱", 1000.0 / 3}},
	{"毫克", unit{Weight, "钱", 0.001 / 3}},
	{"毫升", unit{Volume, "合", 0.01}}, // today, a 升 is a litre, and so a 合 is 100 ml
	{"kg", unit{Weight, "钱", 1000.0 / 3}},
	{"mg", unit{Weight, "钱", 0.001 / 3}},
	{"ml", unit{Volume, "合", 0.01}},
	{"克", unit{Weight, "钱", 1.0 / 3}},
	{"g", unit{Weight, "钱", 1.0 / 3}},
}

// modern parses digits with any unit, and ranges of them: 1.5g, 6~9克, 3两, 12枚.
func modern(s string) (Dose, bool) {
	end := 0
	for end < len(s) && strings.IndexByte("0123456789.-~", s[end]) >= 0 {
		end++
	}
	if end == 0 {
		return Dose{}, false
	}
	low, high, isRange := strings.Cut(strings.ReplaceAll(s[:end], "~", "-"), "-")
	value, err := strconv.ParseFloat(low, 64)
	if err != nil || value > 1e6 {
		return Dose{}, false
	}
	if isRange {
		top, err := strconv.ParseFloat(high, 64)
		if err != nil || top < value || top > 1e6 {
			return Dose{}, false
		}
		value = (value + top) / 2
	}
	word := strings.ToLower(s[end:])
	for _, m := range metric {
		if word == m.word {
			return Dose{value * m.unit.size, m.unit.unit, m.unit.kind}, true
		}
	}
	if w, u, ok := unitAt([]rune(word)); ok && w == word {
		return Dose{value * u.size, u.unit, u.kind}, true
	}
	return Dose{}, false
}
