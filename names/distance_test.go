package names_test

import (
	"testing"

	"bencao/names"
)

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b  string
		limit int
		want  int
	}{
		{"ginseng", "ginseng", 3, 0},
		{"ginsen", "ginseng", 3, 1},
		{"ginesng", "ginseng", 3, 1},
		{"gniesng", "ginseng", 3, 2},
		{"serrulatus", "serratulus", 3, 2},
		{"vesiculosus", "vecusilosus", 3, 2},
		{"", "abc", 3, 3},
		{"abc", "", 2, 3},
		{"pxxxxomus", "pomatomus", 2, 3},
		{"pxxxxomus", "pomatomus", 10, 4},
		{"人参", "人蔘", 2, 1}, // runes, not bytes
	}
	for _, tt := range tests {
		if got := names.Distance(tt.a, tt.b, tt.limit); got != tt.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", tt.a, tt.b, tt.limit, got, tt.want)
		}
		if got := names.Distance(tt.b, tt.a, tt.limit); got != tt.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", tt.b, tt.a, tt.limit, got, tt.want)
		}
	}
}
