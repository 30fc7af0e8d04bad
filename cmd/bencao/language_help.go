package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/internal/phrases"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how wide what cmd does is written, in places of a terminal.
const helpWidth = 100

// addLanguages lets root and its commands give help in the language of their user.
// English is as cobra has it.
func addLanguages(root *cobra.Command) {
	inEnglish := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		l := tongueOf(cmd)
		if l == nil {
			inEnglish(cmd, args)
			return
		}
		cmd.InitDefaultHelpFlag()
		if _, err := io.WriteString(cmd.OutOrStdout(), l.helpOf(cmd)); err != nil {
			cmd.PrintErrln(err)
		}
	})
}

// paragraphs are those of a text that is broken into lines for its source, each in
// one line.
func paragraphs(text string) []string {
	var all []string
	for p := range strings.SplitSeq(text, "\n\n") {
		all = append(all, phrases.OneLine(p))
	}
	return all
}

// helpText says a text of the help; what is in no catalogue stays in English.
func (l *tongue) helpText(english string) string {
	english = phrases.OneLine(english)
	return cmp.Or(l.help[english], english)
}

// helpOf is the help of a command.
func (l *tongue) helpOf(cmd *cobra.Command) string {
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
	l.section(&b, "Flags:", l.flags(cmd.LocalFlags()))
	l.section(&b, "Flags of every command:", l.flags(cmd.InheritedFlags()))
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n" + l.say("%q says more about a command.", cmd.CommandPath()+" [command] --help") + "\n")
	}
	return b.String()
}

// section writes rows, if there are any, below a heading.
func (l *tongue) section(b *strings.Builder, heading string, t table) {
	if len(t.rows) > 0 {
		b.WriteString("\n" + l.word(heading) + "\n" + t.text())
	}
}

// flags are rows of flags and what they do.
func (l *tongue) flags(set *pflag.FlagSet) table {
	t := table{}
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			name += " " + value
		}
		switch usage = l.helpText(usage); {
		case f.Name == "help":
			usage = l.word("print this help")
		case f.Value.Type() == "string" && f.DefValue != "":
			usage += l.say("(default %q)", f.DefValue)
		case f.DefValue != "" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != "[]" && f.DefValue != "false":
			usage += l.say("(default %s)", f.DefValue)
		}
		t.row(name, usage)
	})
	return t
}

// wrap breaks a text into lines of at most width places. Between Chinese
// characters a line may break, but not before what ends a clause or behind what
// begins one; words of letters stay whole.
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

// mayBreak tells whether a line may end between two characters.
func mayBreak(a, b rune) bool {
	wide := func(r rune) bool { return cellWidth.RuneWidth(r) == 2 }
	switch {
	case strings.ContainsRune("，。、；：？！）》」”…", b), strings.ContainsRune("（《「“", a):
		return false
	}
	return b == ' ' || wide(a) || wide(b) && !unicode.IsSpace(a)
}

// text is what [table.write] writes.
func (t *table) text() string {
	var b strings.Builder
	if err := t.write(&b); err != nil {
		panic(fmt.Sprintf("a text takes every byte: %v", err))
	}
	return b.String()
}
