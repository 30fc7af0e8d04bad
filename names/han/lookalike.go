package han

import (
	"strings"
	"sync"
)

// lookAlikes lists groups of characters that eyes, writers and text recognition (OCR) take for each other
// in the names of plants, herbs and formulas. A character may be in several groups.
const lookAlikes = `
芩苓 术木 己已巳 枝技 柴紫 豉鼓 芎弓穹 枣棘 栀桅 杏否 干千于 白自 大太犬 天夭 未末 土士 王玉 人入 目日
茱莱 萸芋 耆者 母毋 杞札 杞己 梗硬 桔枯 茵菌 陈阵 翘翅 泽译 蒲薄 芍勺 风凤 荆刑 桑柔 羌姜 续读 断新 牡壮 丹舟
赤亦 瓜爪 蒌萎 贝见 乌鸟 龙尤 柏拍 元无 归旧 戟战 巴已 粳梗 莎沙 菀苑 蚕蛋 斛解 拨拔 蒿篙 芫芜
草早 茯伏 苓令 芷止 荷何 芥介 莲连 茅矛 苍仓 莪我 蔻寇 藿霍 葶亭 茵因 茱朱 萸臾 菖昌 桔吉 梗更 枳只 枝支 槟宾 榔郎 蛤合 硝肖 磺黄 胶交 参叁
`

// alike maps a character to those that look like it.
var alike = sync.OnceValue(func() map[rune][]rune {
	all := map[rune][]rune{}
	for group := range strings.FieldsSeq(lookAlikes) {
		for _, r := range group {
			for _, other := range group {
				if other != r {
					all[r] = append(all[r], other)
				}
			}
		}
	}
	return all
})

// LookAlikes returns the characters for which a folded character is taken, or which are taken for it.
func LookAlikes(r rune) []rune { return alike()[r] }
