package herb_test

import (
	"testing"

	"bencao/names/herb"
)

func TestSlip(t *testing.T) {
	for text, want := range map[string]string{
		"木桶": "木通", "麦牙": "麦芽", "石高": "石膏", "瓦愣子": "瓦楞子", "荆介": "荆芥", "青篙": "青蒿", "栝萎根": "天花粉", "灸甘草": "炙甘草", "黄相": "黄柏",
		"木通": "", // a name
		"湿气": "", // sounds like 石脂
		"桃红": "", // two drugs
		"黄鳝": "", // an animal
		"柴":  "", "": "",
	} {
		if got := herb.Slip(text); got != want {
			t.Errorf("%q miswrites %q, want %q", text, got, want)
		}
	}
}
