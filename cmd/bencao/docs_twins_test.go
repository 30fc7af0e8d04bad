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

// TestDocsTwins compares each Chinese page with its English twin: docs/zh/X.md with docs/X.md, and
// README.zh.md with README.md. The prose may differ. These parts must agree:
//
//   - The blocks of code are equal. Of a console block that asks for pages (lang=en or lang=zh) only
//     the commands count, because the Chinese page shows the Chinese pages, and grep may look for
//     Chinese.
//   - The headings have the same levels in the same order.
//   - The tables have the same number of rows, and each row has the code of the English row. The
//     Chinese row may have more code.
func TestDocsTwins(t *testing.T) {
	root := filepath.Join("..", "..")
	twins := map[string]string{"README.zh.md": "README.md"}
	pages, err := fs.Glob(os.DirFS(root), "docs/zh/*.md")
	must(t, err)
	tutorials, err := fs.Glob(os.DirFS(root), "docs/zh/tutorials/*.md")
	must(t, err)
	for _, p := range append(pages, tutorials...) {
		twins[p] = path.Join("docs", strings.TrimPrefix(p, "docs/zh/"))
	}
	if len(twins) < 6 {
		t.Errorf("the test finds only %d pages in Chinese", len(twins))
	}
	for chinese, english := range twins {
		zh, en := readDoc(t, root, chinese), readDoc(t, root, english)
		for i, block := range en.code {
			if i >= len(zh.code) || zh.code[i] != block {
				t.Errorf("%s lacks a block of code of %s, or differs in it; copy it:\n%s", chinese, english, block)
				break
			}
		}
		if len(zh.code) > len(en.code) {
			t.Errorf("%s has a block of code that %s lacks:\n%s", chinese, english, zh.code[len(en.code)])
		}
		if !slices.Equal(zh.levels, en.levels) {
			t.Errorf("%s has headings of the levels %v, %s of %v; translate the new section, or remove the old one", chinese, zh.levels, english, en.levels)
		}
		if len(zh.rows) != len(en.rows) {
			t.Errorf("the tables of %s have %d rows in all, of %s %d", chinese, len(zh.rows), english, len(en.rows))
		}
		for i := range min(len(zh.rows), len(en.rows)) {
			for _, code := range en.rows[i] {
				if !slices.Contains(zh.rows[i], code) {
					t.Errorf("%s lacks %s in row %d of its tables, which has %s", chinese, code, i+1, strings.Join(zh.rows[i], ", "))
				}
			}
		}
		if !regexp.MustCompile(`\p{Han}`).MatchString(zh.prose) {
			t.Errorf("%s has no word of Chinese", chinese)
		}
	}
}

// doc is a page split into its parts.
type doc struct {
	code    []string // code between lines of ```
	levels  []int    // levels of the headings, 1 for "# "
	anchors []string // fragments of the headings
	links   []link
	rows    [][]string // the code in each row of a table
	prose   string     // everything except the code
}

var (
	blocks   = regexp.MustCompile("(?ms)^```.*?^```$")
	headings = regexp.MustCompile(`(?m)^(#+) (.*)$`)
	rows     = regexp.MustCompile(`(?m)^\|.*$`)
	inline   = regexp.MustCompile("`[^`]+`")
)

func readDoc(tb testing.TB, root, name string) doc {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	must(tb, err)
	d := doc{prose: blocks.ReplaceAllString(string(b), "")}
	for _, block := range blocks.FindAllString(string(b), -1) {
		d.code = append(d.code, withoutOutput(block))
	}
	d.links = linksOf(d.prose)
	for _, row := range rows.FindAllString(d.prose, -1) {
		d.rows = append(d.rows, inline.FindAllString(row, -1))
	}
	for _, m := range headings.FindAllStringSubmatch(d.prose, -1) {
		d.levels = append(d.levels, len(m[1]))
		d.anchors = append(d.anchors, anchorOf(m[2]))
	}
	return d
}

// ofLanguage matches a parameter lang and the rest of its command up to the pattern of grep.
var ofLanguage = regexp.MustCompile(`lang=(en|zh)( .*)? \| grep .*`)

// withoutOutput returns a block of code. For a console block that asks for pages, it returns only
// the commands, without the value of lang and the pattern of grep.
func withoutOutput(block string) string {
	if !strings.HasPrefix(block, "```console\n") || !ofLanguage.MatchString(block) {
		return block
	}
	var commands strings.Builder
	for line := range strings.Lines(block) {
		if strings.HasPrefix(line, "$ ") || strings.HasPrefix(line, "> ") {
			commands.WriteString(ofLanguage.ReplaceAllString(line, "lang=…$2"))
		}
	}
	return commands.String()
}

// TestShownTables compares the table headings that pages show, in both languages, with the headings
// that the commands print.
func TestShownTables(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	must(t, copySample(data, "wcvp"))
	t.Cleanup(func() { out(t, "chmod", "-R", "u+w", data) })
	for _, tt := range []struct{ page, command string }{{"snapshots.md", "snapshots"}} {
		for _, folder := range []string{"", "zh"} {
			page, err := os.ReadFile(filepath.Join("..", "..", "docs", folder, tt.page))
			must(t, err)
			shown := regexp.MustCompile(`(?m)^\$ bencao ` + tt.command + ` .*\n(.+)$`).FindStringSubmatch(string(page))
			if shown == nil {
				t.Errorf("the test finds no output in docs/%s/%s of bencao %s", folder, tt.page, tt.command)
				continue
			}
			b, err := self(t, tt.command, "--data", data).Output()
			must(t, err)
			printed, _, _ := strings.Cut(string(b), "\n")
			if !slices.Equal(strings.Fields(shown[1]), strings.Fields(printed)) {
				t.Errorf("docs/%s/%s shows the heading %s, and bencao %s prints %s", folder, tt.page, shown[1], tt.command, printed)
			}
		}
	}
}
