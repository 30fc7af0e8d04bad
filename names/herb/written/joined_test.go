package written_test

import (
	"strings"
	"testing"

	"bencao/names/herb/written"
)

func TestJoined(t *testing.T) {
	tests := []struct{ word, want, why string }{
		{"赤白芍", "赤芍 白芍", "a shared end"},
		{"生熟地黄", "生地黄 熟地黄", "a shared end of two characters"},
		{"赤白芍藥", "赤芍药 白芍药", "a traditional character"},
		{"桑枝叶", "桑枝 桑叶", "a shared beginning"},
		{"炒谷麦芽", "谷芽 麦芽", "prepared"},
		{"焦三仙", "山楂 麦芽 六神曲", "a word of the table, prepared"},
		{"煅龙牡", "龙骨 牡蛎", "a word of the table, prepared"},
		{"二冬", "天冬 麦冬", "a word of the table"},
		{"猪茯苓", "猪苓 茯苓", "a folk name proves nothing"},
		{"生干姜", "", "干姜, raw; the pair is not in the table"},
		{"赤茯苓", "", "a name of the table"},
		{"金银花藤", "", "a name of the table"},
		{"大小便", "", "no names"},
		{"白芍", "", "one herb"},
		{"", "", "empty"},
	}
	for _, tt := range tests {
		if got := strings.Join(written.Joined(tt.word), " "); got != tt.want {
			t.Errorf("%q joins %q, want %q: %s", tt.word, got, tt.want, tt.why)
		}
	}
}

// TestPlainOfJoined checks that words that join drugs have the plain names of all of them, also beside
// another name, and that a row of the curated table decides.
func TestPlainOfJoined(t *testing.T) {
	names := known(often)
	for text, want := range map[string]string{"赤白芍": "赤芍 白芍", "生熟地黄人参": "生地黄 熟地黄 人参", "川草乌": "川乌 草乌", "酒洗生熟地黄": "生地黄 熟地黄"} {
		got := strings.Join(names.Plain(text), " ")
		if got != want {
			t.Errorf("the plain names of %s are %q, want %q", text, got, want)
		}
	}
	listed := written.New(written.Sources{
		Listed:   func(yield func(written.Listed) bool) { yield(written.Listed{Herb: "川草乌"}) },
		Standard: func(func(written.OtherName) bool) {}, Written: func(func(string) bool) {}, Own: func(func(string) bool) {},
	})
	if got := strings.Join(listed.Plain("川草乌"), " "); got != "川草乌" {
		t.Errorf("川草乌 is %q, but the curated table lists it", got)
	}
}
