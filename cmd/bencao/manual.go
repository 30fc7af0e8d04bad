//go:build manual

// With the build tag manual, this package is a program that writes man pages and shell completions
// for packages and archives.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manual FOLDER")
		os.Exit(exitUsage)
	}
	if err := writeManual(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFailed)
	}
}

// writeManual writes the man pages to dir/man1 and the shell completions to dir/completions. The
// man pages have the same groups of flags as the help. Their date comes from $SOURCE_DATE_EPOCH.
func writeManual(dir string) error {
	man, completions := filepath.Join(dir, "man1"), filepath.Join(dir, "completions")
	if err := errors.Join(os.MkdirAll(man, 0o755), os.MkdirAll(completions, 0o755)); err != nil {
		return err
	}
	root := newRoot()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	seconds, err := strconv.ParseInt(cmp.Or(os.Getenv("SOURCE_DATE_EPOCH"), strconv.FormatInt(time.Now().Unix(), 10)), 10, 64)
	return errors.Join(
		err,
		writePages(man, root, time.Unix(seconds, 0).UTC()),
		root.GenBashCompletionFileV2(filepath.Join(completions, "bencao.bash"), true),
		root.GenFishCompletionFile(filepath.Join(completions, "bencao.fish"), true),
		root.GenZshCompletionFile(filepath.Join(completions, "_bencao")),
	)
}

// pageName returns the name of the man page of a command.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// writePages writes the man pages of a command and of its subcommands.
func writePages(dir string, cmd *cobra.Command, date time.Time) error {
	err := os.WriteFile(filepath.Join(dir, pageName(cmd)+".1"), []byte(pageOf(cmd, date)), 0o644)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			err = errors.Join(err, writePages(dir, sub, date))
		}
	}
	return err
}

// pageOf returns the man page of a command.
func pageOf(cmd *cobra.Command, date time.Time) string {
	var b strings.Builder
	section := func(title string) { b.WriteString(".SH " + strings.ToUpper(strings.TrimSuffix(title, ":")) + "\n") }
	fmt.Fprintf(&b, ".TH \"%s\" \"1\" \"%s\" \"bencao\" \"Bencao\"\n", strings.ToUpper(pageName(cmd)), date.Format("Jan 2006"))
	section("Name")
	b.WriteString(roff(pageName(cmd)) + ` \- ` + roff(cmd.Short) + "\n")
	section("Synopsis")
	b.WriteString(`\fB` + roff(cmd.UseLine()) + `\fP` + "\n")
	section("Description")
	for i, p := range paragraphs(cmp.Or(cmd.Long, cmd.Short)) {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(verbatim(p))
	}
	flags := func(title string, set *pflag.FlagSet, in func(*pflag.Flag) bool) {
		begun := false
		set.VisitAll(func(f *pflag.Flag) {
			if f.Hidden || !in(f) {
				return
			}
			if !begun {
				section(title)
				begun = true
			}
			cells := flag(f)
			b.WriteString(".TP\n\\fB" + roff(strings.TrimSpace(cells[0].(string))) + "\\fP\n" + roff(cells[1].(string)) + "\n")
		})
	}
	cmd.InitDefaultHelpFlag()
	flags("Flags", cmd.LocalFlags(), func(f *pflag.Flag) bool { return f.Annotations[groupAnnotation] == nil })
	for _, title := range groupsOf(cmd) {
		flags(title, cmd.LocalFlags(), func(f *pflag.Flag) bool {
			in := f.Annotations[groupAnnotation]
			return in != nil && in[0] == title
		})
	}
	if cmd.HasExample() {
		section("Examples")
		b.WriteString(verbatim("\t" + cmd.Example))
	}
	var others []string
	if cmd.HasParent() {
		others = append(others, roff(pageName(cmd.Parent()))+"(1)")
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			others = append(others, roff(pageName(sub))+"(1)")
		}
	}
	section("See also")
	b.WriteString(strings.Join(others, ", ") + "\n")
	return b.String()
}

// verbatim returns a paragraph in roff. An indented paragraph keeps its lines.
func verbatim(text string) string {
	if !strings.HasPrefix(text, "\t") {
		return roff(text) + "\n"
	}
	lines := strings.Split(text[1:], "\n")
	for i, l := range lines {
		lines[i] = roff(l)
	}
	return ".nf\n" + strings.Join(lines, "\n") + "\n.fi\n"
}

// roff escapes a text for roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
