package family_test

import (
	"testing"

	"bencao/names/internal/family"
)

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"Pinaceae": "pinaceae", "PINACEAE": "pinaceae", " pinaceae ": "pinaceae", "松科": "pinaceae", "松科 Pinaceae": "pinaceae", "Pinaceae（松科）": "pinaceae",
		"松科Pinaceae": "pinaceae", "1. 松科": "pinaceae", "G4松科 Pinaceae": "pinaceae", "Pinac.": "pinaceae", "12 Pinac.": "pinaceae",
		"Leguminosae": "fabaceae", "豆科（蝶形花科）": "fabaceae", "薔薇科": "rosaceae", "十字花科 Cruciferae": "brassicaceae", "Umbelliferae": "apiaceae",
		"槭樹科": "aceraceae", "百合科": "liliaceae", "伞形科": "apiaceae", "五福花科": "adoxaceae",
		"-": "", "": "", "unknown": "", "NA": "", "未知": "", "松属": "", "Rosa": "", "Ro.": "", "Xyzaceae": "", "科": "", "…": "", "松": "", "P.": "",
	} {
		if got := family.Read(text); got != want {
			t.Errorf("Read(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestIsHeading(t *testing.T) {
	for text, want := range map[string]bool{
		"五加科": true, "五加科 Araliaceae": true, "12. Araliaceae（五加科）": true, "Compositae": true, "G4 松科": true,
		"Lauraceae sp. 3": false, "五加科 人参": false, "Panax ginseng": false, "": false, "Araliaceae Juss.": false, "各科植物": false, "Pinac.": true,
		"Hedw.": false, "Mart.": false, "Hook.": false, // authors
	} {
		if family.IsHeading(text) != want {
			t.Errorf("IsHeading(%q) is %v", text, !want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Aceraceae", "Sapindaceae", true},
		{"Caesalpiniaceae", "Mimosaceae", true},
		{"Compositae", "Asteraceae", true},
		{"Liliaceae", "Asparagaceae", true},
		{"Liliaceae", "Ruscaceae", true}, // Ruscaceae is a part of Asparagaceae
		{"Melanthiaceae", "Liliaceae", true},
		{"Melanthiaceae", "Asparagaceae", false},
		{"Araliaceae", "Rosaceae", false},
	} {
		if got := family.Same(tt.a, tt.b); got != tt.same {
			t.Errorf("Same(%s, %s) is %v", tt.a, tt.b, got)
		}
	}
}
