package written

import (
	"slices"
	"strings"
)

// processing lists words for the processing of a herb. These words are removed even from known
// names, since many tables list 炙甘草 and 甘草 separately although the two are one herb.
var processing = affixes{
	prefixes: split(`炙 炒 炮 煅 煨 焙 焦 制 蒸 煮 烧 烫 煎 蜜 酒 醋 盐 姜 麸 微炒 清炒 麸炒 土炒 酒炒 盐炒 醋炒 米炒 姜炒 姜汁炒 蜜炒
		蜜炙 酒炙 醋炙 盐炙 姜炙 酥炙 酒制 醋制 姜制 盐制 蜜制 法制 酒洗 酒浸 酒蒸 酒煮 醋煮 醋煅 面煨 盐水炒`),
	suffixes: split(`炭 末 细末 炙 炒 炮 煅 煨 焙 熬 研 洗 酒炒 酒洗 酒浸 酒蒸 蜜炙 土炒 麸炒 姜炒 姜制 醋炒 醋煮 盐炒 微炒 煨熟 炒黑 炒焦 炒研
		去皮 去心 去芦 去节 去核 去白 去穰 去毛 去须 去皮尖 去皮脐 去粗皮`),
}

// quality lists words for a herb's state, size, origin or part. These words are removed only from
// unknown names: 生姜 and 干姜 are known names, so they remain different herbs.
var quality = affixes{
	prefixes: split(`加 生 鲜 干 熟 净 真 好 肥 嫩 老 陈 大 上 细 全 明 绵 川 怀 杭 宣 广 北 西 辽 台 吴 新罗 华阴 银州`),
	suffixes: split(`身 尾 梢 节 头 肉 仁 汁 屑 片 粉 灰 霜 穗 泥 饮片 等分 各等分 为末 为君 为臣 为佐 为使`),
}

// parts lists the suffixes in quality that name a part of a herb.
var parts = split(`身 尾 梢 节 头 肉 仁 汁 穗`)

// either combines the words of processing and quality.
var either = affixes{
	prefixes: slices.Concat(processing.prefixes, quality.prefixes),
	suffixes: slices.Concat(processing.suffixes, quality.suffixes),
}

// distinct lists names that contain the name of another herb but are not variants of it. They name
// another plant, or every book treats them as another herb.
var distinct = set(split(`炮姜 煨姜 川牛膝 川木通 北沙参 广藿香 西洋参 大茴香 大蓟 川木香 川贝母 川楝子 川椒 生姜 干姜 熟地黄 生地黄 熟地 生地 干地黄 巴豆霜`))

// instructions lists texts that occur in place of a herb but are instructions, such as "in equal
// parts", "to be ground", "as large as a seed of the parasol tree" and "another recipe".
var instructions = set(split(`等分 各等分 又方 为末 为细末 共为末 为丸 蜜丸 水丸 糊丸 桐子大 梧子大 梧桐子大 为君 为臣 为佐 为使 上药 右药 以上 各`))

// affixes are words that may precede or follow a name.
type affixes struct{ prefixes, suffixes []string }

// maxAffixes is the maximum number of affixes that are removed from a name.
const maxAffixes = 3

// strip removes as few affixes from a text as are necessary to leave a known name. It then also
// removes words for processing from that name, if a known name still remains.
func strip(s string, a affixes, known, whole func(string) bool, depth int) (string, bool) {
	if depth == 0 || whole(s) {
		return "", false
	}
	var rests []string
	for _, affix := range a.prefixes {
		if rest, ok := strings.CutPrefix(s, affix); ok && rest != "" {
			rests = append(rests, rest)
		}
	}
	for _, affix := range a.suffixes {
		if rest, ok := strings.CutSuffix(s, affix); ok && rest != "" {
			rests = append(rests, rest)
		}
	}
	for _, r := range rests {
		if known(r) {
			if deeper, ok := strip(r, processing, known, whole, depth-1); ok {
				return deeper, true
			}
			return r, true
		}
	}
	for _, r := range rests {
		if deeper, ok := strip(r, a, known, whole, depth-1); ok {
			return deeper, true
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
