package pinyin_test

import (
	"testing"

	"bencao/names/pinyin"
)

func TestOfZhuyin(t *testing.T) {
	for text, want := range map[string]string{
		"ㄖㄣˊ ㄕㄣ": "ren2 shen1", "ㄉㄤㄍㄨㄟ": "dang gui", "ㄉㄤ ㄍㄨㄟ": "dang gui", "ㄏㄨㄤˊㄑㄧˊ": "huang2 qi2", "ㄔㄨㄢ ㄒㄩㄥ": "chuan xiong",
		"ㄗˇ ㄙㄨ": "zi3 su1", "ㄋㄩˇ ㄓㄣ ㄗˇ": "nü3 zhen1 zi3", "ㄩˋ ㄓㄨˊ": "yu4 zhu2", "ㄅㄛˋ ˙ㄏㄜ": "bo4 he5", "ㄦˇㄔㄚˊ": "er3 cha2",
		"ㄖㄣˊ人": "", "renshen": "", "ㄚㄅ": "", "": "", "ˊ": "",
	} {
		if got := pinyin.OfZhuyin(text); got != want {
			t.Errorf("%q is %q in pinyin, want %q", text, got, want)
		}
	}
}

func FuzzOfZhuyin(f *testing.F) {
	f.Add("ㄖㄣˊ ㄕㄣ")
	f.Add("ㄅㄛˋ ˙ㄏㄜ")
	f.Fuzz(func(t *testing.T, text string) {
		if read := pinyin.OfZhuyin(text); read != "" {
			if _, ok := pinyin.Parse(read); !ok {
				t.Errorf("%q gives %q, which is not pinyin", text, read)
			}
		}
	})
}
