package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"bencao/internal/messages"
	"bencao/names/bulk"

	"github.com/spf13/pflag"
)

// researchers lists the commands whose help and messages are all in Chinese. Of the other commands,
// only the line in "bencao help" is in Chinese.
var researchers = []string{"demo", "export", "help", "init", "match", "mcp", "patterns", "reconcile", "report", "search", "snapshots", "usage", "version"}

// catalogue reads a catalogue. It fails the test if a translation has other placeholders than the
// English text.
func catalogue(t *testing.T, name string) messages.Phrases {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("language", name))
	if err != nil {
		t.Fatal(err)
	}
	c, err := messages.ReadPhrases(name, file)
	if err != nil {
		t.Fatal(err)
	}
	for english, chinese := range c {
		if en, zh := verbs(english), verbs(chinese); !slices.Equal(en, zh) {
			t.Errorf("%s: %q has the values %q, and in Chinese %q", name, english, en, zh)
		}
	}
	return c
}

// verb matches a placeholder in a format of package fmt.
var verb = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*[\d.]*([a-zA-Z%])`)

// verbs returns the placeholders of a format, sorted. A placeholder starts with the position of its
// value, such as "1q".
func verbs(format string) []string {
	var verbs []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil {
			next = n
		}
		verbs = append(verbs, strconv.Itoa(next)+m[2])
		next++
	}
	slices.Sort(verbs)
	return verbs
}

func TestVerbs(t *testing.T) {
	for format, want := range map[string][]string{
		"%d of %d, 100 %%": {"1d", "2d"},
		"%[2]s %[1]q":      {"1q", "2s"},
		"%-12s%04o":        {"1s", "2o"},
		"nothing":          nil,
	} {
		if got := verbs(format); !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", format, got, want)
		}
	}
}

// complete fails the test if the catalogue lacks a text of must, or if it has a text that is
// neither in must nor in may.
func complete(t *testing.T, name string, must, may map[string]bool) {
	t.Helper()
	c := catalogue(t, name)
	for english := range must {
		if c[english] == "" {
			t.Errorf("%s has no Chinese for\n%s", name, english)
		}
	}
	for english := range c {
		if !must[english] && !may[english] {
			t.Errorf("%s has a text that the program no longer has:\n%s", name, english)
		}
	}
}

// TestHelpIsChinese checks that the help of the commands in [researchers] is in Chinese.
func TestHelpIsChinese(t *testing.T) {
	must := map[string]bool{}
	add := func(text string) {
		for _, p := range paragraphs(text) {
			must[p] = true
		}
	}
	root := newRoot()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	add(root.Long)
	for _, c := range root.Commands() {
		add(c.Short)
		if !slices.Contains(researchers, c.Name()) {
			continue
		}
		add(cmp.Or(c.Long, c.Short))
		flag := func(f *pflag.Flag) {
			if _, usage := pflag.UnquoteUsage(f); f.Name != "help" {
				add(usage)
			}
		}
		c.LocalFlags().VisitAll(flag)
		c.InheritedFlags().VisitAll(flag)
	}
	root.Flags().VisitAll(func(f *pflag.Flag) { add(f.Usage) })
	complete(t, "help.zh.txt", must, nil)
}

// literals calls do for each string literal in the source of a folder. If the literal is an
// argument of a call, call is the name of the called function and arg is the position of the
// argument.
func literals(t *testing.T, folder string, do func(file, call string, arg int, text string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		type argument struct {
			call string
			n    int
		}
		of := map[ast.Node]argument{}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				for i, a := range call.Args {
					of[a] = argument{called(call), i}
				}
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				do(filepath.Base(file), of[lit].call, of[lit].n, text)
			}
			return true
		})
	}
}

// called returns the name of the called function, without its receiver. Only functions of package
// fmt keep the name of their package.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "fmt" {
			return "fmt." + f.Sel.Name
		}
		return f.Sel.Name
	}
	return ""
}

// TestMessagesAreChinese checks that every message in the user's language has a Chinese
// translation.
func TestMessagesAreChinese(t *testing.T) {
	must := map[string]bool{}
	literals(t, ".", func(_, call string, arg int, text string) {
		switch {
		case call == "words", call == "section" && arg == 1, arg == 0 && (call == "say" || call == "word" || call == "phrase"):
			must[text] = true
		}
	})
	for _, w := range append(bulk.RemarkWords(), wordsOfOthers...) {
		must[w] = true
	}
	complete(t, "said.zh.txt", must, nil)
}

// wordsOfOthers lists words that come from other packages and that the program prints.
var wordsOfOthers = []string{"0.9 and more", "0.7 to 0.9", "below 0.7", "characters", "letters", "digits", "family", "genus", "herb", "source", "dynasty", "author of a book"}

// speakers lists the files whose errors researchers may see.
var speakers = []string{
	"args.go", "data.go", "demo.go", "export.go", "init.go", "language.go", "match.go", "output.go", "reconcile.go",
	"remote.go", "report.go", "root.go", "search.go", "settings.go", "snapshots.go", "usage.go",
}

// notSaid lists formats of errors that need no translation, because they have no word.
var notSaid = []string{"%s: %w", "%s %w", "%w"}

// TestErrorsAreChinese checks that every error that researchers may see has a Chinese translation.
// It also checks that every translated error still exists.
func TestErrorsAreChinese(t *testing.T) {
	must, may := map[string]bool{}, map[string]bool{
		// errors of the system, of pflag and of cobra
		syscall.ENOENT.Error(): true, syscall.EACCES.Error(): true, syscall.EISDIR.Error(): true, syscall.ENOTDIR.Error(): true,
		fs.ErrNotExist.Error(): true, syscall.EADDRINUSE.Error(): true, syscall.EADDRNOTAVAIL.Error(): true, syscall.ECONNREFUSED.Error(): true, "open %s: %w": true,
	}
	literals(t, ".", func(file, call string, arg int, text string) {
		text = strings.TrimSpace(text)
		may[text] = true
		if slices.Contains(speakers, file) && arg == 0 && call == "fmt.Errorf" && !slices.Contains(notSaid, text) {
			t.Errorf("%s: call messages.Errorf, so that this error can be translated: %s", file, text)
		}
		if slices.Contains(speakers, file) && arg == 0 && slices.Contains([]string{"usagef", "Errorf", "New"}, call) && !slices.Contains(notSaid, text) {
			must[text] = true
		}
	})
	for _, below := range []string{
		"api/access", "api/listen", "indexer/export", "internal/contents", "internal/rows", "mappings/search", "names/bulk",
		"names/internal/vocabulary", "store/snapshot", "api/usage",
	} {
		literals(t, filepath.Join("..", "..", below), func(_, _ string, _ int, text string) { may[text] = true })
	}
	complete(t, "errors.zh.txt", must, may)
}

// TestLanguageOfUser checks that BENCAO_LANG decides the language. Without it, the locale decides,
// by the rules of POSIX.
func TestLanguageOfUser(t *testing.T) {
	for _, tt := range []struct {
		own, all, messages, lang string
		chinese                  bool
	}{
		{},
		{own: "zh", lang: "en_GB.UTF-8", chinese: true},
		{own: "en", all: "zh_CN.UTF-8"},
		{lang: "zh_CN.UTF-8", chinese: true},
		{lang: "zh_TW", chinese: true},
		{lang: "zh", chinese: true},
		{lang: "zha_CN.UTF-8"},
		{messages: "zh_CN.UTF-8", lang: "de_DE.UTF-8", chinese: true},
		{messages: "C", lang: "zh_CN.UTF-8"},
		{all: "C.UTF-8", messages: "zh_CN.UTF-8", lang: "zh_CN.UTF-8"},
		{all: "zh_CN.GB18030", lang: "C", chinese: true},
	} {
		for name, value := range map[string]string{languageVariable: tt.own, "LC_ALL": tt.all, "LC_MESSAGES": tt.messages, "LANG": tt.lang} {
			t.Setenv(name, value)
		}
		if l, err := userLanguage(); err != nil || (l != nil) != tt.chinese {
			t.Errorf("%+v: %t, %v", tt, l != nil, err)
		}
	}
	t.Setenv(languageVariable, "fr")
	if _, err := userLanguage(); exitCode(err) != exitUsage {
		t.Errorf("%s=fr: %v", languageVariable, err)
	}
}

// TestWrap checks that a line may end between any two Chinese characters, except before punctuation
// that ends a clause, and that no Latin word is broken.
func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"按中文名、拼音检索。":     "按中文名、\n拼音检索。",
		"核对名单，或 names 列": "核对名单，\n或 names \n列",
		"short":          "short",
	} {
		if got := wrap(text, 10); got != strings.ReplaceAll(want, " \n", "\n") {
			t.Errorf("%q is\n%s\nwant\n%s", text, got, want)
		}
	}
}
