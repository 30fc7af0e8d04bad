package han_test

import (
	"testing"

	"bencao/names/han"
)

func TestNumerals(t *testing.T) {
	for in, want := range map[string]string{
		"7叶1枝花":    "七叶一枝花",
		"3七":       "三七",
		"３七":       "三七",
		"10大功劳":    "十大功劳",
		"12时辰":     "十二时辰",
		"24味":      "二十四味",
		"100部":     "百部",
		"1000里光":   "千里光",
		"10000年青":  "万年青",
		"300棒":     "三百棒",
		"999感冒灵":   "九九九感冒灵",
		"105号":     "一〇五号",
		"人参3":      "人参三",
		"服10g":     "服10g",
		"人shen1参":  "人shen1参",
		"参 3":      "参 3",
		"浓度1.5":    "浓度1.5",
		"renshen1": "renshen1",
		"123":      "123",
		"人参":       "人参",
		"":         "",
	} {
		if got := han.Numerals(in); got != want {
			t.Errorf("%q is written as %q, want %q", in, got, want)
		}
	}
}
