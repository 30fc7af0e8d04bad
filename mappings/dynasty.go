package mappings

import (
	"strings"

	"bencao/names/han"
)

// dynastyNames maps other names of a dynasty to its usual name.
var dynastyNames = map[string]string{
	"前汉": "西汉", "后汉": "东汉", "两汉": "汉", "两晋": "晋", "赵宋": "宋", "两宋": "宋", "满清": "清", "大清": "清", "大明": "明", "大元": "元",
	"蒙元": "元", "大唐": "唐", "李唐": "唐", "曹魏": "魏", "蜀汉": "蜀", "孙吴": "吴", "东吴": "吴", "先秦": "先秦", "民国时期": "民国", "中华民国": "民国",

	// The English names are those of Wilkinson, Chinese History: A New Manual, without spaces. Jin alone
	// can mean two dynasties.
	"xia": "夏", "shang": "商", "zhou": "周", "westernzhou": "西周", "easternzhou": "东周", "springandautumn": "春秋", "warringstates": "战国",
	"qin": "秦", "han": "汉", "westernhan": "西汉", "formerhan": "西汉", "easternhan": "东汉", "laterhan": "东汉", "threekingdoms": "三国",
	"westernjin": "西晋", "easternjin": "东晋", "northernandsoutherndynasties": "南北朝", "southerndynasties": "南朝", "northerndynasties": "北朝",
	"sui": "隋", "tang": "唐", "fivedynasties": "五代", "liao": "辽", "song": "宋", "northernsong": "北宋", "southernsong": "南宋", "jurchenjin": "金",
	"yuan": "元", "ming": "明", "qing": "清", "republic": "民国", "republicofchina": "民国",
}

// dynastyParts maps the name of a group of dynasties to its members.
var dynastyParts = map[string][]string{
	"汉":   {"西汉", "东汉"},
	"宋":   {"北宋", "南宋"},
	"晋":   {"西晋", "东晋"},
	"周":   {"西周", "东周", "春秋", "战国"},
	"东周":  {"春秋", "战国"},
	"先秦":  {"夏", "商", "周", "西周", "东周", "春秋", "战国"},
	"秦汉":  {"秦", "汉", "西汉", "东汉"},
	"三国":  {"魏", "蜀", "吴"},
	"魏晋":  {"魏", "晋", "西晋", "东晋"},
	"南朝":  {"刘宋", "南齐", "梁", "陈", "齐"},
	"北朝":  {"北魏", "东魏", "西魏", "北齐", "北周"},
	"南北朝": {"南朝", "北朝", "刘宋", "南齐", "梁", "陈", "齐", "北魏", "东魏", "西魏", "北齐", "北周"},
	"隋唐":  {"隋", "唐"},
	"五代":  {"后梁", "后唐", "后晋", "后周", "五代十国"},
	"汉魏":  {"汉", "西汉", "东汉", "魏"},
	"唐宋":  {"唐", "宋", "北宋", "南宋"},
	"金元":  {"金", "元"},
	"元明":  {"元", "明"},
	"宋元":  {"宋", "北宋", "南宋", "元"},
	"明清":  {"明", "清"},
}

// DynastyKey returns the usual name of a dynasty: 汉 for both 漢代 and 漢朝.
func DynastyKey(s string) string {
	key := strings.ToLower(strings.Join(strings.Fields(han.Fold(s)), ""))
	if _, ok := dynastyParts[key]; ok {
		return key
	}
	for _, end := range []string{"时期", "初期", "中期", "晚期", "末期", "末年", "初年", "年间", "王朝", "朝代", "代", "朝", "初", "末", "dynasty", "period"} {
		if rest, ok := strings.CutSuffix(key, end); ok && rest != "" {
			key = rest
			break
		}
	}
	if name, ok := dynastyNames[key]; ok {
		return name
	}
	return key
}

// DynastyGroups returns the usual name of a record's dynasty and the names of all groups that
// include it. It returns nil for an empty dynasty.
func DynastyGroups(s string) []string {
	key := DynastyKey(s)
	if key == "" {
		return nil
	}
	groups := []string{key}
	for name, parts := range dynastyParts {
		for _, p := range parts {
			if p == key {
				groups = append(groups, name)
			}
		}
	}
	return groups
}
