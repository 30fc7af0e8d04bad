package written_test

import (
	"strings"
	"testing"

	"bencao/names/herb/written"
)

func TestNoted(t *testing.T) {
	tests := []struct{ herb, note, want, why string }{
		{"甘草", "炙", "炙甘草", "the method alone"},
		{"甘草", "炙，各二两", "炙甘草", "a dose behind it"},
		{"甘草", "半两炙微赤锉", "炙甘草", "a dose before it, and more behind it"},
		{"甘草", "一两半，炙", "炙甘草", "a dose and a comma before it"},
		{"甘草", "微炙", "炙甘草", "a little"},
		{"干姜", "炮裂", "炮姜", "another name of the form"},
		{"白术", "土炒", "土炒白术", "the longest method"},
		{"枳壳", "去瓤，麸炒", "麸炒枳壳", "behind another instruction"},
		{"甘草", "生用", "", "raw"},
		{"甘草", "不炙", "", "not done"},
		{"甘草", "半生半炙", "", "half of it"},
		{"甘草", "二两", "", "a dose alone"},
		{"甘草", "", "", "no note"},
		{"人参", "炙", "", "no such form in the table"},
	}
	for _, tt := range tests {
		if got := strings.Join(written.Noted(tt.herb, tt.note), " "); got != tt.want {
			t.Errorf("the note %q adds %q to %s, want %q: %s", tt.note, got, tt.herb, tt.want, tt.why)
		}
	}
}
