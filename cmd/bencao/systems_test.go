package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestOtherSystems checks that the program type-checks for macOS. It compiles nothing; "make cross"
// compiles the program and every library for macOS.
func TestOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: a type check of all linked packages for macOS")
	}
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	must(t, err)
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax,
		Dir:  root,
		Env:  append(os.Environ(), "GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"),
		ParseFile: func(set *token.FileSet, name string, text []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, root) {
				for _, d := range file.Decls {
					if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name != "init" && f.Name.Name != "main" {
						f.Body = nil // without bodies, the functions of libraries are not checked
					}
				}
			}
			return file, err
		},
	}, "./cmd/bencao")
	must(t, err)
	ours := 0
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if !strings.HasPrefix(p.PkgPath, "bencao/") {
			return // not our package: its functions have no bodies
		}
		ours++
		for _, e := range p.Errors {
			t.Errorf("for macOS: %s", e)
		}
	})
	if ours < 30 {
		t.Errorf("only %d of our packages were checked", ours)
	}
}
