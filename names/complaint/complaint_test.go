package complaint_test

import (
	"slices"
	"strings"
	"testing"

	"bencao/names/complaint"
)

// TestOlder asks for old names of complaints, also in traditional characters.
func TestOlder(t *testing.T) {
	for _, tt := range []struct{ modern, old string }{
		{"肺痨", "骨蒸"}, {"肺癆", "传尸"}, {"肺痨", "劳瘵"}, {"淋证", "淋"}, {"淋證", "淋"}, {"中风", "风痱"}, {" 中风 ", "偏枯"}, {"糖尿病", "消渴"}, {"慢性胃炎", "胃脘痛"}, {"惊悸病", "惊悸"}, {"急性黄疸", "黄胆"},
	} {
		if got := complaint.Older(tt.modern); !slices.Contains(got, tt.old) {
			t.Errorf("Older(%q) = %q, want also %s", tt.modern, got, tt.old)
		}
	}
	for modern, first := range map[string]string{"急性中风": "中风", "痔病": "痔", "惊悸病": "惊悸", "中风": "卒中", "脚气病": "脚气"} {
		if got := complaint.Older(modern); len(got) == 0 || got[0] != first || slices.Contains(got[1:], first) {
			t.Errorf("Older(%q) = %q, want %s first, once", modern, got, first)
		}
	}
	for name, want := range map[string]bool{"咳嗽": true, "失眠": true, "骨蒸": true, "慢性胃炎": true, "coughs": true, "理中汤": false, "阿司匹林": false, "": false} {
		if complaint.Known(name) != want {
			t.Errorf("Known(%q) = %v", name, !want)
		}
	}
	for _, unknown := range []string{"", "桂枝", "咳嗽", "桂枝汤证", "病"} {
		if got := complaint.Older(unknown); got != nil {
			t.Errorf("Older(%q) = %q, want nil", unknown, got)
		}
	}
}

// TestNames asks for all names of a complaint in Chinese.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"腹泻": "腹泻 泄利 下利 注下 洞泄 飧泄 濡泄 水泻 泄泻", "diarrhea": "泄泻 泄利 下利 注下 洞泄 飧泄 濡泄 水泻 腹泻", "咳嗽": "咳嗽", "咳嗽病": "咳嗽病 咳嗽",
		"阳痿": "阳痿 阴痿 阳事不举", "toothache": "牙痛 牙疼 齿痛", "asthma": "哮喘 喘 哮 呷嗽 上气 哮病 哮证 支气管哮喘", "肺痨": "肺痨 骨蒸 劳瘵 痨瘵 传尸 尸注 尸疰 鬼疰 劳嗽 肺结核 结核病", "ginseng": "", "": "",
	} {
		if got := strings.Join(complaint.Names(name), " "); got != want {
			t.Errorf("Names(%q) = %q, want %q", name, got, want)
		}
	}
	if got := complaint.Unlike("痹"); !slices.Contains(got, "喉痹") || complaint.Unlike("咳嗽") != nil {
		t.Errorf("words unlike 痹 are %q", got)
	}
}

// TestChinese asks for the Chinese names of complaints that have English names.
func TestChinese(t *testing.T) {
	for english, want := range map[string][]string{
		"cough": {"咳嗽"}, "Headaches": {"头痛"}, "night  sweats": {"盗汗"}, "insomnia": {"失眠", "不得眠"}, "Diarrhoea": {"泄泻"}, "rashes": {"疹"}, "chronic cough": {"咳嗽"}, "Night blindness": {"夜盲", "雀目"}, "ginseng": nil, "": nil,
	} {
		got := complaint.Chinese(english)
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) || len(want) == 0 && got != nil {
			t.Errorf("Chinese(%q) = %q, want %q first", english, got, want)
		}
	}
}
