package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// shown is a bencao command that a page shows.
type shown struct {
	page string
	args []string
}

// commandsShown returns the bencao commands in the code blocks of README, docs and their Chinese
// twins. It reads blocks without a language, and the languages sh and console.
func commandsShown(t *testing.T) []shown {
	t.Helper()
	root := os.DirFS(filepath.Join("..", ".."))
	pages := []string{"README.md", "README.zh.md"}
	for _, pattern := range []string{"docs/*.md", "docs/tutorials/*.md", "docs/zh/*.md", "docs/zh/tutorials/*.md"} {
		some, err := fs.Glob(root, pattern)
		must(t, err)
		pages = append(pages, some...)
	}
	blocks := regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")
	beside := regexp.MustCompile(`\s#.*|\s\d?>>?\s*\S+`) // comments and redirections
	begins := regexp.MustCompile(`(?:^|[$;&|(]\s*|sudo -u \S+ |/usr/local/bin/|:/usage.* |--rm.* )bencao ([^|;&)<>]*)`)
	words := regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
	var all []shown
	for _, page := range pages {
		text, err := fs.ReadFile(root, page)
		must(t, err)
		for _, block := range blocks.FindAllStringSubmatch(string(text), -1) {
			if lang := block[1]; lang != "" && lang != "sh" && lang != "console" {
				continue
			}
			for line := range strings.SplitSeq(strings.ReplaceAll(block[2], "\\\n", " "), "\n") {
				for _, m := range begins.FindAllStringSubmatch(beside.ReplaceAllString(line, ""), -1) {
					c := shown{page: page}
					for _, word := range words.FindAllString(m[1], -1) {
						if word = strings.Trim(word, `'"`); word != "…" {
							c.args = append(c.args, word)
						}
					}
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// TestDocsCommands checks that the program accepts every command that a page shows, with its flags
// and arguments.
func TestDocsCommands(t *testing.T) {
	all := commandsShown(t)
	for _, c := range all {
		cmd, rest, err := newRoot().Find(c.args)
		if err == nil && !cmd.Runnable() {
			err = fmt.Errorf("the command needs a subcommand")
		}
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err == nil {
			err = cmd.ValidateArgs(cmd.Flags().Args())
		}
		if err != nil {
			t.Errorf("%s: bencao %s: %v", c.page, strings.Join(c.args, " "), err)
		}
	}
	if len(all) < 90 {
		t.Errorf("the test finds only %d commands", len(all))
	}
}

// reads lists the commands that only read a data folder.
var reads = map[string]bool{"export": true, "report": true, "search": true, "snapshots": true, "verify": true}

// TestDocsReading runs the shown commands that only read a data folder. It leaves out the Chinese
// pages, the tutorials and the quick start.
func TestDocsReading(t *testing.T) {
	var script strings.Builder
	script.WriteString("indexed data wcvp\n")
	ran := 0
	for _, c := range commandsShown(t) {
		if !reads[c.args[0]] || strings.HasPrefix(c.page, "docs/zh/") || strings.Contains(c.page, "tutorials") || c.page == "docs/quick-start.md" {
			continue
		}
		ran++
		script.WriteString("exec sh -c 'rm -rf package* old.zip names* plants* && exec \"$@\"' sh bencao")
		for _, arg := range c.args {
			switch {
			case arg == "/var/lib/bencao" || arg == "DIR":
				arg = "data"
			case regexp.MustCompile(`^\d{8}T`).MatchString(arg):
				continue // an id that the page made up, which the test's data folder does not have
			}
			script.WriteString(" '" + arg + "'")
		}
		script.WriteString("\n")
	}
	if ran < 12 {
		t.Errorf("the test runs only %d commands", ran)
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "reading.txtar"), []byte(script.String()), 0o644))
	runScripts(t, testscript.Params{Dir: dir, Cmds: scriptCommands})
}
