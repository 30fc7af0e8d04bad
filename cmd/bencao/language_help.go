package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/internal/messages"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help texts, in columns of a terminal.
const helpWidth = 100

// addHelp makes root and its commands print help in the user's language, with flags in groups.
func addHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		cmd.InitDefaultHelpFlag()
		if _, err := io.WriteString(cmd.OutOrStdout(), languageOf(cmd).helpOf(cmd)); err != nil {
			cmd.PrintErrln(err)
		}
	})
}

// paragraphs returns the paragraphs of a text, each as one line. An indented paragraph is an
// example and keeps its lines.
func paragraphs(text string) []string {
	var all []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(p, "\t") {
			p = messages.OneLine(p)
		}
		all = append(all, p)
	}
	return all
}

// helpText returns the translation of a text of the help, or the English text if the catalogue
// lacks it.
func (l *language) helpText(english string) string {
	if l == nil {
		return english
	}
	return cmp.Or(l.help[english], english)
}

// helpOf returns the help of a command.
func (l *language) helpOf(cmd *cobra.Command) string {
	var b strings.Builder
	for _, p := range paragraphs(cmp.Or(cmd.Long, cmd.Short)) {
		b.WriteString(wrap(l.helpText(p), helpWidth) + "\n\n")
	}
	b.WriteString(l.word("Usage:") + "\n")
	if cmd.Runnable() {
		b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.CommandPath() + " [command]\n")
	}
	if cmd.HasExample() {
		b.WriteString("\n" + l.word("Examples:") + "\n" + cmd.Example + "\n")
	}
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: phrase("Commands:")}}
	}
	for _, g := range groups {
		t := table{}
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				t.row("  "+c.Name(), l.helpText(c.Short))
			}
		}
		l.section(&b, g.Title, t)
	}
	titles := append([]string{phrase("Flags:")}, groupsOf(cmd)...)
	l.flags(&b, titles, cmd.LocalFlags())
	l.flags(&b, []string{phrase("Flags of every command:")}, cmd.InheritedFlags())
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n" + l.say("%q says more about a command.", cmd.CommandPath()+" [command] --help") + "\n")
	}
	return b.String()
}

// section writes a heading and the rows of t below it. It writes nothing if t has no rows.
func (l *language) section(b *strings.Builder, heading string, t table) {
	if len(t.rows) > 0 {
		b.WriteString("\n" + l.word(heading) + "\n" + t.text())
	}
}

// flags writes a section for each group of flags in set. titles are the titles of the groups. Flags
// without a group belong to the first section.
func (l *language) flags(b *strings.Builder, titles []string, set *pflag.FlagSet) {
	for i, title := range titles {
		t := table{}
		set.VisitAll(func(f *pflag.Flag) {
			if in := f.Annotations[groupAnnotation]; !f.Hidden && (in == nil && i == 0 || in != nil && in[0] == title) {
				t.row(l.flag(f)...)
			}
		})
		l.section(b, title, t)
	}
}

// flag returns the row of a flag in the help: its name with the kind of its value, and its meaning.
func (l *language) flag(f *pflag.Flag) []any {
	name := "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	value, usage := pflag.UnquoteUsage(f)
	if value != "" {
		name += " " + value
	}
	usage, value = l.helpText(usage), ""
	switch {
	case f.Name == "help":
		usage = l.word("print this help")
	case f.Value.Type() == "string" && f.DefValue != "":
		value = l.say("(default %q)", f.DefValue)
	case f.DefValue != "" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != "[]" && f.DefValue != "false":
		value = l.say("(default %s)", f.DefValue)
	}
	if value != "" && l == nil {
		usage += " "
	}
	return []any{name, usage + value}
}

// wrap breaks a text into lines of at most width columns. A line may end between Chinese
// characters, but not before a closing and not after an opening punctuation mark. wrap never breaks
// a Latin word.
func wrap(text string, width int) string {
	var lines []string
	line, word := "", ""
	flush := func() {
		if cellWidth.StringWidth(line+word) > width && strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimRight(line, " "))
			line, word = "", strings.TrimLeft(word, " ")
		}
		line, word = line+word, ""
	}
	for _, r := range text {
		before, _ := utf8.DecodeLastRuneInString(word)
		if word != "" && mayBreak(before, r) {
			flush()
		}
		word += string(r)
	}
	flush()
	return strings.Join(append(lines, line), "\n")
}

// mayBreak reports whether a line may end between the characters a and b.
func mayBreak(a, b rune) bool {
	wide := func(r rune) bool { return cellWidth.RuneWidth(r) == 2 }
	switch {
	case strings.ContainsRune("，。、；：？！）》」”…", b), strings.ContainsRune("（《「“", a):
		return false
	}
	return b == ' ' || wide(a) || wide(b) && !unicode.IsSpace(a)
}

// text returns the table as [table.write] writes it.
func (t *table) text() string {
	var b strings.Builder
	if err := t.write(&b); err != nil {
		panic(fmt.Sprintf("a text takes every byte: %v", err))
	}
	return b.String()
}
