package wordlist

import "strings"

// ChineseBefore and ChineseBehind list words before and after a Chinese name that are not part of
// the name. They give the place, the kind or the used part of the plant. A long word must come
// before shorter words that are contained in it, since the first word that fits is removed.
var (
	// ChineseVegetation lists kinds of vegetation. These words do not name a plant, although a part
	// of each word does.
	ChineseVegetation = strings.Fields(`红树林 松林 杉木林 白桦林 桉树林 橡胶林 胡杨林`)
	ChineseBefore     = strings.Fields(`本品 中药材 中药 药材 药用植物 植物 树种 乔木 灌木 草本 藤本 优势种 建群种 伴生种 主要有
		主要 常见 栽培 野生 家种 人工 天然 园艺 盆栽 引种 古树 名木 珍稀 濒危 外来 入侵 为 系
		是 的`)
	ChineseBehind = strings.Fields(`古树 名木 大树 母树 幼苗 幼树 小苗 树苗 苗木 实生苗 组培苗 扦插苗 嫁接苗 植株 单株 个体 植物 栽培 野生 品种
		群落 群系 种群 居群 混交林 人工林 天然林 次生林 原始林 纯林 疏林 幼林 林下 林地 灌丛 草丛 草甸 草地 草原 样地 样方 标本
		种子 种仁 果实 叶片 叶子 树叶 枝叶 枝条 树皮 树干 根皮 根系 根部 块根 块茎 鳞茎 茎叶 茎秆 全草 花粉 花序 花蕾 木材 心材 木质部
		愈伤组织 提取物 浸膏 精油 挥发油 多糖 粉末 饮片 药材 林 树 苗 等`)
)
