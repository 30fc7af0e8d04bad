package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write THIRD_PARTY_NOTICES.txt")

// TestNotices checks that THIRD_PARTY_NOTICES.txt lists the modules that the program links today,
// and that their licences allow it.
func TestNotices(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	name := filepath.Join(root, "THIRD_PARTY_NOTICES.txt")
	want, err := notices(root)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("THIRD_PARTY_NOTICES.txt does not match the modules that the program links; run make notices and read the diff")
	}
	for _, part := range []string{
		"github.com/spf13/cobra v", "github.com/inconshreveable/mousetrap v", // only Windows links the second one
		"the Go standard library", "Kirill Simonov", "The Apache License 2.0.",
	} {
		if !strings.Contains(want, part) {
			t.Errorf("the notices lack %q", part)
		}
	}
	for _, part := range []string{"kin-openapi", "honnef.co"} {
		if strings.Contains(want, part) {
			t.Errorf("the notices have %q, which only tests and tools use", part)
		}
	}
}

func TestShorten(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	apache := string(b)
	for _, tt := range []struct {
		name        string
		file        file
		kinds, text string
	}{
		{"the same terms", file{"LICENSE", "   " + strings.ReplaceAll(apache, "Copyright [yyyy] [name of copyright owner]", "Copyright 2020 Ada")},
			"Apache-2.0", "The Apache License 2.0.\n   Copyright 2020 Ada"},
		{"other terms", file{"LICENSE", strings.ReplaceAll(apache, "royalty-free", "costly")},
			"Apache-2.0", strings.ReplaceAll(apache, "royalty-free", "costly")},
		{"two in one", file{"LICENSE", apache + "Permission is hereby granted, free of charge, to any person obtaining a copy"},
			"Apache-2.0, MIT", apache + "Permission is hereby granted, free of charge, to any person obtaining a copy"},
		{"a notice", file{"NOTICE.txt", "Made by Ada."}, "", "Made by Ada."},
		{"nobody knows", file{"LICENSE", "All yours on Sundays."}, "", "All yours on Sundays."},
		{"copyleft", file{"COPYING", "GNU GENERAL PUBLIC LICENSE"}, "", "GNU GENERAL PUBLIC LICENSE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if kinds, text := tt.file.shorten(apache); strings.Join(kinds, ", ") != tt.kinds || text != tt.text {
				t.Errorf("shorten: %q, %.200q, want %q, %.200q", kinds, text, tt.kinds, tt.text)
			}
		})
	}
}
