package main

import (
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// The bill of this test's own program has what is linked into it.
func TestDescribe(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := describe(program)
	if err != nil {
		t.Fatal(err)
	}
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Format != "CycloneDX" || doc.Metadata.Component.Name != "bencao" || len(doc.Metadata.Component.Hashes[0].Content) != 64 {
		t.Errorf("the bill begins %.300s", text)
	}
	info, _ := debug.ReadBuildInfo()
	if want := 1 + len(info.Deps); len(doc.Components) != want || len(doc.Dependencies[0].DependsOn) != want {
		t.Errorf("%d components and %d dependencies, want the standard library and %d modules", len(doc.Components), len(doc.Dependencies[0].DependsOn), want-1)
	}
	if std := "pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go"); doc.Components[0].Purl != std {
		t.Errorf("the first component is %s, want %s", doc.Components[0].Purl, std)
	}
	if again, err := describe(program); err != nil || string(again) != string(text) {
		t.Errorf("a second bill differs (%v)", err)
	}
	if _, err := describe("sbom_test.go"); err == nil {
		t.Error("a file that is no program has a bill of materials")
	}
}
