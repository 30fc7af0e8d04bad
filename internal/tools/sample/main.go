// Command sample writes the data that ships inside the program from its sources and from the tables
// in handwritten:
//
//	bin/sample [-out indexer/sample] SOURCES
//
// The same input gives the same bytes. A difference in the sample therefore comes from a
// handwritten table, the sources or this program, and a review can check it. No row is invented:
// values that no table has stay empty.
package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed handwritten/*.tsv
var handwritten embed.FS

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", filepath.Join("indexer", "sample"), "folder that gets package/ and checklists/")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() != 1 {
		fmt.Fprintln(stderr, "gen: name the folder of the sources, and nothing else")
		return 2
	}
	if err := generate(os.DirFS(flags.Arg(0)), *out); err != nil {
		fmt.Fprintf(stderr, "gen: %v\n", err)
		return 1
	}
	return 0
}

// generate writes package/ and checklists/ below out.
func generate(sources fs.FS, out string) error {
	s, err := read(sources, handwritten)
	if err != nil {
		return err
	}
	p := newPackage()
	list, err := s.species(p)
	if err != nil {
		return err
	}
	for _, step := range []func(*pack, *plants) error{
		s.synonyms, s.aliases, s.flora, s.uses, s.papers, s.formulas, s.herbs,
	} {
		if err := step(p, list); err != nil {
			return err
		}
	}
	if err := p.write(filepath.Join(out, "package")); err != nil {
		return err
	}
	return errors.Join(
		s.wcvp(filepath.Join(out, "checklists", "wcvp"), list),
		s.wfo(filepath.Join(out, "checklists", "wfo"), list),
		s.china(filepath.Join(out, "checklists", "china"), list),
		s.vascan(sources, filepath.Join(out, "checklists", "vascan")),
		s.coldp(sources, filepath.Join(out, "checklists", "vascan-coldp")),
	)
}
