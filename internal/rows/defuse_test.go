package rows_test

import (
	"testing"

	"bencao/internal/rows"
)

func TestDefuse(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "人参": "人参", "=1+1": "'=1+1", "@SUM(1)": "'@SUM(1)", "-cmd": "'-cmd", "+A1": "'+A1", "-168": "-168", "+1.5": "+1.5",
		"-NaN": "'-NaN", "-Inf": "'-Inf", "\t=1": "'\t=1", "\r=1": "'\r=1", "a=1": "a=1",
	} {
		if got := rows.Defuse(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}
