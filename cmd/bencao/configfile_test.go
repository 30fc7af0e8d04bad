package main

import (
	"errors"
	"strings"
	"testing"
)

// FuzzConfig checks that any file is either read or refused with a usage error that names the file.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"data = \"d\"\n[limits]\nredis = \"redis://10.0.0.5\"\n[[checklist]]\nname = \"wcvp\"\npath = \"p\"\n[columns.species]\na = \"b\"\n",
		"a = 'x'", "[columns.a.a]", "reader = [[]]", "reader = ['', '']", "[[checklist]]\n[[checklist]]\n", "\n=",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var c configFile
		err := c.parse("bencao.toml", text)
		if wrong := (*usageError)(nil); err != nil && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), "bencao.toml")) {
			t.Errorf("%.80q gives %v, want a wrong usage that names the file", text, err)
		}
	})
}
