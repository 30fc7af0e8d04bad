package main

import (
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/race"

	"golang.org/x/tools/go/packages"
)

// shared lists the files that every command may use. Any other file belongs to the command that has
// the name of the file. Most files in this list contain no command. The exceptions are index.go and
// serve.go, because "demo" and "init" build and serve, and push.go, because publisher.go uses its
// bucket.
var shared = []string{
	"args", "configfile", "data", "exit", "index", "language", "lastrun", "log", "network", "output",
	"parts", "publisher", "push", "remote", "removed", "serve", "settings", "standard", "version",
}

// room returns the name of the command or shared file that a file belongs to.
func room(file string) string {
	name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".go"), "_")
	return name
}

// TestCommandsUseWhatIsShared checks that commands do not use each other, so that changing a
// command needs its own file only.
func TestCommandsUseWhatIsShared(t *testing.T) {
	if race.On {
		t.Skip("NOT TESTED with the race detector: it reads the program and runs nothing")
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, ".")
	if err != nil {
		t.Fatal(err)
	}
	program := loaded[0]
	file := func(at token.Pos) string { return filepath.Base(program.Fset.Position(at).Filename) }
	here, found := program.Types.Scope(), 0
	for id, object := range program.TypesInfo.Uses {
		method, ok := object.(*types.Func)
		if object.Parent() != here && !(ok && method.Pkg() == program.Types && method.Signature().Recv() != nil) {
			continue
		}
		found++
		from, into := room(file(id.Pos())), room(file(object.Pos()))
		if from == into || from == "root" || from == "main" || from == "commands" || slices.Contains(shared, into) {
			continue
		}
		t.Errorf("%s uses %s of %s; commands use what is shared, and what is shared uses no command: move it to one of the files %s",
			program.Fset.Position(id.Pos()), id.Name, file(object.Pos()), strings.Join(shared, ", "))
	}
	if found < 300 {
		t.Errorf("%d uses were found (%v); this test finds too little", found, program.Errors)
	}
	for _, name := range shared {
		if !slices.ContainsFunc(program.GoFiles, func(f string) bool { return filepath.Base(f) == name+".go" }) {
			t.Errorf("%s.go is shared by this test, but not there", name)
		}
	}
}
