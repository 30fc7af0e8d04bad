package main

import (
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/race"

	"golang.org/x/tools/go/packages"
)

// shared lists the files that every command may use, without ".go". Any other file belongs to one
// command: search.go to "search", keys_list.go to "keys". Most shared files define no command.
// Two do: "demo" builds and serves with the functions of index.go and serve.go.
var shared = []string{
	"args", "asking", "configfile", "data", "exit", "filters", "help", "index", "lastrun", "lists", "log", "network", "output",
	"serve", "settings", "version",
}

// stem returns the name of a file up to the first "_" or ".", such as "keys" for keys_list.go. It
// names the command or the shared file that the file belongs to.
func stem(file string) string {
	name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".go"), "_")
	return name
}

// TestCommandsUseWhatIsShared checks that no command uses the file of another command. A change to
// a command then touches only its own files.
func TestCommandsUseWhatIsShared(t *testing.T) {
	if race.On {
		t.Skip("NOT TESTED with the race detector: it reads the source and runs nothing")
	}
	t.Parallel()
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, ".")
	must(t, err)
	program := loaded[0]
	file := func(at token.Pos) string { return filepath.Base(program.Fset.Position(at).Filename) }
	here, found := program.Types.Scope(), 0
	for id, object := range program.TypesInfo.Uses {
		method, ok := object.(*types.Func)
		if object.Parent() != here && !(ok && method.Pkg() == program.Types && method.Signature().Recv() != nil) {
			continue
		}
		found++
		from, into := stem(file(id.Pos())), stem(file(object.Pos()))
		if from == into || from == "root" || from == "main" || from == "commands" || slices.Contains(shared, into) {
			continue
		}
		t.Errorf("%s uses %s of %s; commands use what is shared, and what is shared uses no command: move it to one of the files %s",
			program.Fset.Position(id.Pos()), id.Name, file(object.Pos()), strings.Join(shared, ", "))
	}
	if found < 300 {
		t.Errorf("the test finds only %d uses (%v)", found, program.Errors)
	}
	for _, name := range shared {
		if !slices.ContainsFunc(program.GoFiles, func(f string) bool { return filepath.Base(f) == name+".go" }) {
			t.Errorf("%s.go is in the list of shared files, but does not exist", name)
		}
	}
}
