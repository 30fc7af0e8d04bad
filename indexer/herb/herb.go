// Package herb finds the plain name of a herb as a formula writes it: 炙甘草,
// 甘草（炙） and 甘草末 are all 甘草.
//
// What may be taken off is listed here; whether it is taken off is decided by
// a set of known plain names, because the same character is processing in one
// name and part of another: 姜半夏 is 半夏, but 姜黄 is no 黄.
package herb

import (
	"slices"
	"strings"

	"bencao/indexer/dose"
	"bencao/names/han"
)

// processing is what is done to a herb. It is taken off even a name that is
// known, since 炙甘草 and 甘草 are one herb with two entries in many tables.
var processing = affixes{
	prefixes: split(`炙 炒 炮 煅 煨 焙 焦 制 蒸 煮 烧 烫 煎 蜜 酒 醋 盐 姜 麸 微炒 清炒 麸炒 土炒 酒炒 盐炒 醋炒 米炒 姜炒 姜汁炒 蜜炒
		蜜炙 酒炙 醋炙 盐炙 姜炙 酥炙 酒制 醋制 姜制 盐制 蜜制 法制 酒洗 酒浸 酒蒸 酒煮 醋煮 醋煅 面煨 盐水炒`),
	suffixes: split(`炭 末 细末 炙 炒 炮 煅 煨 焙 熬 研 洗 酒炒 酒洗 酒浸 酒蒸 蜜炙 土炒 麸炒 姜炒 姜制 醋炒 醋煮 盐炒 微炒 煨熟 炒黑 炒焦 炒研
		去皮 去心 去芦 去节 去核 去白 去穰 去毛 去须 去皮尖 去皮脐 去粗皮`),
}

// quality is a herb's state, size, origin or part. It is taken off only when
// the name as written is not known: 生姜 and 干姜 are known and stay two.
var quality = affixes{
	prefixes: split(`生 鲜 干 熟 净 真 好 肥 嫩 老 陈 大 上 细 全 明 绵 川 怀 杭 宣 广 北 西 辽 台 吴 新罗 华阴 银州`),
	suffixes: split(`身 尾 梢 节 头 肉 仁 汁 屑 片 粉 灰 霜 穗 泥 饮片`),
}

// either is both.
var either = affixes{
	prefixes: slices.Concat(processing.prefixes, quality.prefixes),
	suffixes: slices.Concat(processing.suffixes, quality.suffixes),
}

// apart are names that are no other herb with something before or behind it,
// although their rest is one: another plant, or another drug in every book.
var apart = set(split(`炮姜 煨姜 川牛膝 川木通 北沙参 广藿香 西洋参 大茴香 大蓟 川木香 川贝母 川楝子 川椒 生姜 干姜 熟地黄 生地黄 熟地 生地 干地黄 巴豆霜`))

// affixes are what may stand before and behind a name.
type affixes struct{ prefixes, suffixes []string }

// Names is a set of plain names, to which others are led back. It may be used
// by many goroutines.
type Names struct{ known map[string]bool }

// NewNames takes the plain names that are known, in any spelling.
func NewNames(known []string) *Names {
	n := &Names{known: make(map[string]bool, len(known))}
	for _, k := range known {
		n.known[han.Fold(k)] = true
	}
	return n
}

// Plain is the known name that a herb is led back to, or the herb's own name
// when it leads to none. Both are folded ([han.Fold]).
func (n *Names) Plain(herb string) string {
	s := bare(herb)
	if s == "" {
		return han.Fold(herb)
	}
	if p, ok := n.strip(s, processing, deepest); ok {
		return p
	}
	if n.known[s] || apart[s] || n.several(s) {
		return s
	}
	if p, ok := n.strip(s, either, deepest); ok {
		return p
	}
	return s
}

// several says whether two known names were run together (干姜附子): taking
// 干 and 姜 off would make it 附子 alone.
func (n *Names) several(s string) bool {
	for i := range s {
		if n.known[s[:i]] && n.known[s[i:]] {
			return true
		}
	}
	return false
}

// Known says whether a name, as Plain returns it, is one of the set.
func (n *Names) Known(plain string) bool { return n.known[plain] }

// bare folds a name and takes off a remark behind it and a dose that slipped
// into it (大枣十二枚).
func bare(herb string) string {
	if i := strings.IndexAny(herb, "（([〔【，,、；;"); i > 0 {
		herb = herb[:i]
	}
	s := han.Fold(herb)
	for i := range s {
		if i == 0 {
			continue
		}
		if _, err := dose.Parse(s[i:]); err == nil {
			return s[:i]
		}
	}
	return s
}

// deepest is how many affixes a name may have.
const deepest = 3

// strip takes affixes off until a known name is left. Names that need fewer
// come first.
func (n *Names) strip(s string, a affixes, depth int) (string, bool) {
	if depth == 0 || apart[s] {
		return "", false
	}
	var rests []string
	for _, p := range a.prefixes {
		if rest, ok := strings.CutPrefix(s, p); ok && rest != "" {
			rests = append(rests, rest)
		}
	}
	for _, p := range a.suffixes {
		if rest, ok := strings.CutSuffix(s, p); ok && rest != "" {
			rests = append(rests, rest)
		}
	}
	for _, r := range rests {
		if n.known[r] {
			if p, ok := n.strip(r, processing, depth-1); ok {
				return p, true
			}
			return r, true
		}
	}
	for _, r := range rests {
		if p, ok := n.strip(r, a, depth-1); ok {
			return p, true
		}
	}
	return "", false
}

func split(s string) []string { return strings.Fields(s) }

func set(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
