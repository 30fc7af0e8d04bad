package complaint_test

import (
	"slices"
	"testing"

	"bencao/names/complaint"
)

// TestOlder asks for old names of complaints, also in traditional characters.
func TestOlder(t *testing.T) {
	for _, tt := range []struct{ modern, old string }{
		{"肺痨", "骨蒸"}, {"肺癆", "传尸"}, {"肺痨", "劳瘵"}, {"淋证", "淋"}, {"淋證", "淋"}, {"中风", "风痱"}, {" 中风 ", "偏枯"}, {"糖尿病", "消渴"},
	} {
		if got := complaint.Older(tt.modern); !slices.Contains(got, tt.old) {
			t.Errorf("Older(%q) = %q, want also %s", tt.modern, got, tt.old)
		}
	}
	for _, unknown := range []string{"", "桂枝", "咳嗽"} {
		if got := complaint.Older(unknown); got != nil {
			t.Errorf("Older(%q) = %q, want nil", unknown, got)
		}
	}
}
