package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocsNameMessages checks that docs/troubleshooting.md and its Chinese twin name only messages
// that exist. The words in the first column of their tables must occur in the source.
func TestDocsNameMessages(t *testing.T) {
	root := os.DirFS(filepath.Join("..", ".."))
	var source strings.Builder
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		b, err := fs.ReadFile(root, name)
		source.Write(b)
		return err
	})
	must(t, err)
	for _, name := range []string{"docs/troubleshooting.md", "docs/zh/troubleshooting.md"} {
		page, err := fs.ReadFile(root, name)
		must(t, err)
		found := 0
		for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*) \|`).FindAllStringSubmatch(string(page), -1) {
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
				for _, words := range strings.Split(m[1], "…") {
					found++
					if words = strings.TrimSpace(words); !strings.Contains(source.String(), words) {
						t.Errorf("%s names the message %q, which the program does not have", name, words)
					}
				}
			}
		}
		if found < 20 {
			t.Errorf("the test finds only %[2]d messages in %[1]s", name, found)
		}
	}
}

// TestDocsNameTests checks that every test that the documentation names exists.
func TestDocsNameTests(t *testing.T) {
	root := os.DirFS(filepath.Join("..", ".."))
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	named := regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z]\\w*)`")
	there := map[string]bool{}
	pages := map[string]string{}
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".md"):
		default:
			return nil
		}
		b, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".md") {
			pages[name] = string(b)
			return nil
		}
		for _, m := range declared.FindAllStringSubmatch(string(b), -1) {
			there[m[1]] = true
		}
		return nil
	})
	must(t, err)
	found := 0
	for page, text := range pages {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			found++
			if !there[m[1]] {
				t.Errorf("%s names %s, which no _test.go declares; name the test that replaced it", page, m[1])
			}
		}
	}
	if found < 100 {
		t.Errorf("the test finds only %d names of tests in the documentation", found)
	}
}
