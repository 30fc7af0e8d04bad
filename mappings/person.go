package mappings

import (
	"iter"
	"maps"
)

// otherNames maps other names of physicians, such as courtesy names, to the names under which their
// books are listed.
var otherNames = map[string]string{
	"仲景": "张仲景", "张机": "张仲景", "孙真人": "孙思邈", "药王": "孙思邈", "东垣": "李杲", "李东垣": "李杲", "丹溪": "朱震亨", "朱丹溪": "朱震亨",
	"河间": "刘完素", "刘河间": "刘完素", "子和": "张从正", "张子和": "张从正", "仲阳": "钱乙", "景岳": "张介宾", "张景岳": "张介宾", "鞠通": "吴瑭", "吴鞠通": "吴瑭",
	"叶天士": "叶桂", "天士": "叶桂", "海藏": "王好古", "知可": "许叔微", "许学士": "许叔微", "无择": "陈言", "陈无择": "陈言", "子礼": "严用和",
	"良甫": "陈自明", "讱庵": "汪昂", "汪讱庵": "汪昂", "葛稚川": "葛洪", "抱朴子": "葛洪", "时珍": "李时珍", "濒湖": "李时珍", "洄溪": "徐大椿", "徐灵胎": "徐大椿",
	"孟英": "王士雄", "王孟英": "王士雄", "清任": "王清任", "勋臣": "王清任", "鹤皋": "吴昆", "晋三": "王子接", "沈存中": "沈括", "苏东坡": "苏轼", "东坡": "苏轼",
	"嘉言": "喻昌", "喻嘉言": "喻昌", "洁古": "张元素", "张洁古": "张元素", "谦甫": "罗天益",
}

// PersonKey returns the name under which a physician's books are listed: 李杲 for 东垣. The argument is
// a folded name. Unknown names are returned unchanged.
func PersonKey(name string) string {
	if full, ok := otherNames[name]; ok {
		return full
	}
	return name
}

// OtherPersonNames yields the other names of physicians with the names under which their books are
// listed.
func OtherPersonNames() iter.Seq2[string, string] { return maps.All(otherNames) }
