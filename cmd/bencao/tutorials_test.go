package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/race"

	"github.com/rogpeppe/go-internal/testscript"
)

// walks lists the pages of docs whose commands TestTutorials runs.
var walks = []string{
	"quick-start.md", "tutorials/reconcile-a-list.md", "tutorials/from-a-drug-to-papers.md",
	"tutorials/publish-your-database.md", "tutorials/run-a-mirror.md", "tutorials/patterns-of-a-drug.md",
	"tutorials/from-prescriptions-to-methods.md",
}

// TestTutorials runs every command of the pages in walks, in order, and of their Chinese twins that
// have other commands or output. Each page has its own shell. The test compares the standard output
// with the text below the command, where "…" matches any text.
func TestTutorials(t *testing.T) {
	if race.On {
		t.Skip("NOT TESTED with the race detector: the scripts run the same commands with it")
	}
	for _, tool := range []string{"bash", "curl", "jq", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("there is no %s here; install it", tool)
			}
			t.Skipf("SKIPPED: there is no %s here; install it", tool)
		}
	}
	scripts := t.TempDir()
	for _, page := range walks {
		var english []step
		for _, folder := range []string{"en", "zh"} {
			name, err := filepath.Abs(filepath.Join("..", "..", "docs", strings.TrimPrefix(folder, "en"), page))
			must(t, err)
			all := steps(read(t, name))
			if slices.Equal(all, english) {
				continue // the steps of the English page are run
			}
			english = all
			script := strings.NewReplacer("/", "-", ".md", "-"+folder+".txtar").Replace(page)
			must(t, os.WriteFile(filepath.Join(scripts, script), []byte("walk "+name+"\n"), 0o644))
		}
	}
	runScripts(t, testscript.Params{Dir: scripts, Cmds: map[string]func(*testscript.TestScript, bool, []string){"walk": scriptWalk}})
}

// step is a command of a page with the output that the page shows.
type step struct {
	command, shown string
	ends           bool // the command is the last of its block
}

// steps returns the commands of a page. They are in the code blocks that start with "```console". A
// command is a line that starts with "$ ", with the lines after it that start with "> ".
func steps(page string) []step {
	var all []step
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(page, -1) {
		for line := range strings.Lines(block[1]) {
			last := len(all) - 1
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				all = append(all, step{command: command})
			} else if more, ok := strings.CutPrefix(line, "> "); ok && last >= 0 && all[last].shown == "" {
				all[last].command += more
			} else if last >= 0 {
				all[last].shown += line
			}
		}
		if len(all) > 0 {
			all[len(all)-1].ends = true
		}
	}
	return all
}

// served matches the port numbers of the servers that a page starts. The test replaces them by free
// ports.
var served = regexp.MustCompile(`\b8[09]\d\d\b`)

// scriptWalk runs the commands of a page, each block as if it were pasted. At the end of a block that
// starts a server, it waits until the server answers and has printed its address to the file that
// the command names; within a block, the page itself must wait. If the page runs
// the demo, scriptWalk first copies indexed sample data into the folder demo.
//
//	walk PAGE
func scriptWalk(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile(args[0])
	ts.Check(err)
	if strings.Contains(string(text), "bencao demo --data demo ") {
		ts.Check(copySample(ts.MkAbs("demo"), demoSample))
	}
	free := map[string]string{}
	page := served.ReplaceAllStringFunc(string(text), func(port string) string {
		if free[port] == "" {
			scriptPort(ts, false, []string{"FREE"})
			free[port] = strings.TrimPrefix(ts.Getenv("FREE"), "127.0.0.1:")
		}
		return free[port]
	})
	all := steps(page)
	if len(all) < 5 {
		ts.Fatalf("the test finds only %[2]d commands in %[1]s", args[0], len(all))
	}
	const mark = "@@ step"
	var script strings.Builder
	// The trap ends the programs that the page started when the script ends. The script and these
	// programs write to files: pipes would keep the test waiting for the last program.
	script.WriteString("exec >page.out 2>page.err </dev/null\nset -m\ntrap 'kill $(jobs -p)' EXIT\n")
	wait := ""
	for i, s := range all {
		fmt.Fprintf(&script, "echo '%s %d'\n%s", mark, i, s.command)
		if strings.HasSuffix(strings.TrimSpace(s.command), "&") {
			port := regexp.MustCompile(`[0-9]{4,5}\b`).FindString(strings.ReplaceAll(s.command, "127.0.0.1:", " "))
			wait += fmt.Sprintf("for i in {1..900}; do curl -s -o server.out http://127.0.0.1:%s/ && break; kill -0 $! || break; sleep 0.1; done\n", port)
			if to := regexp.MustCompile(` > (\S+)`).FindStringSubmatch(s.command); to != nil {
				wait += fmt.Sprintf("until [ -s %s ] || ! kill -0 $!; do sleep 0.1; done\n", to[1])
			}
		}
		if s.ends {
			script.WriteString(wait)
			wait = ""
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs("page.sh"), []byte(script.String()), 0o644))
	if err := ts.Exec("bash", "page.sh"); err != nil {
		ts.Logf("%s: %v", args[0], err)
	}
	out, complaints := ts.ReadFile("page.out"), ts.ReadFile("page.err")
	for i, s := range all {
		_, rest, ok := strings.Cut(out, fmt.Sprintf("%s %d\n", mark, i))
		if !ok {
			ts.Fatalf("%s: the shell did not reach\n%s%s", args[0], s.command, complaints)
		}
		printed, _, _ := strings.Cut(rest, fmt.Sprintf("%s %d\n", mark, i+1))
		pattern := "^" + regexp.MustCompile(`\s*…\s*`).ReplaceAllLiteralString(regexp.QuoteMeta(strings.TrimSpace(s.shown)), "(?s:.*)") + "$"
		if !regexp.MustCompile(pattern).MatchString(strings.TrimSpace(printed)) {
			ts.Fatalf("%s shows for\n%s\n%s\nThe command prints\n%s\n%s", args[0], s.command, s.shown, printed, complaints)
		}
	}
}
