package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocsLinks checks the links inside the repository. A link must resolve to a file, and its
// fragment to a heading. If the target of a link on a Chinese page has a Chinese twin, the
// link must go to the twin. A page and its twin must link to each other.
func TestDocsLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	pages := readDocs(t, root)
	found := 0
	for page, d := range pages {
		chinese := page == "README.zh.md" || strings.HasPrefix(page, "docs/zh/")
		for _, l := range d.links {
			found++
			file, anchor, _ := strings.Cut(l.address, "#")
			to := page
			if file != "" {
				to = path.Join(path.Dir(page), file)
			}
			if _, err := fs.Stat(os.DirFS(root), to); err != nil {
				t.Errorf("%s links to %s, which does not exist: %v", page, l.address, err)
			}
			if anchor != "" && !slices.Contains(pages[to].anchors, anchor) {
				t.Errorf("%s links to %s, but %s has no such heading", page, l.address, to)
			}
			if twin := twinOf(to); pages[twin].prose != "" && chinese && l.text != "English" {
				t.Errorf("%s links to %s, which exists in Chinese: link to %s", page, l.address, twin)
			}
		}
		if twin := twinOf(page); pages[twin].prose != "" {
			holdLinked(t, pages, page, "中文", twin)
			holdLinked(t, pages, twin, "English", page)
		}
	}
	if found < 300 {
		t.Errorf("the test finds only %d links in the documentation", found)
	}
}

// holdLinked fails the test if a page does not link to its twin.
func holdLinked(t *testing.T, pages map[string]doc, page, language, twin string) {
	t.Helper()
	address, err := filepath.Rel(path.Dir(page), twin)
	must(t, err)
	if !slices.Contains(pages[page].links, link{language, filepath.ToSlash(address)}) {
		t.Errorf("%s has no link [%s](%s) to its twin", page, language, address)
	}
}

// twinOf returns the path of the Chinese twin that belongs to an English page, or "" for any other
// page.
func twinOf(page string) string {
	switch rest, docs := strings.CutPrefix(page, "docs/"); {
	case page == "README.md":
		return "README.zh.md"
	case docs && !strings.HasPrefix(rest, "zh/") && strings.HasSuffix(rest, ".md"):
		return "docs/zh/" + rest
	}
	return ""
}

// readDocs returns every page of the repository, by path.
func readDocs(t *testing.T, root string) map[string]doc {
	t.Helper()
	pages := map[string]doc{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".md"):
			pages[name] = readDoc(t, root, name)
		}
		return nil
	})
	must(t, err)
	return pages
}

// link is a link to a file of the repository.
type link struct{ text, address string }

var (
	linked  = regexp.MustCompile(`\[([^\]]*)\]\(([^)\s]+)\)`)
	outside = regexp.MustCompile(`^[a-z]+:`)
	noSlug  = regexp.MustCompile(`[^\p{L}\p{M}\p{N}_\- ]`)
)

// linksOf returns the links to files of the repository. prose is a page without code.
func linksOf(prose string) []link {
	var links []link
	for _, m := range linked.FindAllStringSubmatch(prose, -1) {
		if !outside.MatchString(m[2]) {
			links = append(links, link{m[1], m[2]})
		}
	}
	return links
}

// anchorOf returns the fragment of a link to a heading.
func anchorOf(heading string) string {
	heading = linked.ReplaceAllString(heading, "$1")
	return strings.ReplaceAll(noSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
}

// TestDocsTables checks that the second row of every table separates the head from the body. A
// table that an empty line interrupts has a second part without a head, which no page shows as a
// table.
func TestDocsTables(t *testing.T) {
	table := regexp.MustCompile(`(?m)(^\|.*\n)+`)
	separator := regexp.MustCompile(`^\|.*\n\|[-: |]+\|\n`)
	found := 0
	for page, d := range readDocs(t, filepath.Join("..", "..")) {
		for _, lines := range table.FindAllString(d.prose+"\n", -1) {
			if found++; !separator.MatchString(lines) {
				t.Errorf("%s has a table without a head; an empty line may be above it:\n%.200s", page, lines)
			}
		}
	}
	if found < 100 {
		t.Errorf("the test finds only %d tables", found)
	}
}
