package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help texts, in columns of a terminal.
const helpWidth = 100

// addHelp makes root and its commands print help with flags in groups.
func addHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if unknownCommand(cmd) != nil {
			return
		}
		cmd.InitDefaultHelpFlag()
		if _, err := io.WriteString(cmd.OutOrStdout(), helpOf(cmd)); err != nil {
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
			p = strings.Join(strings.Fields(p), " ")
		}
		all = append(all, p)
	}
	return all
}

// helpOf returns the help of a command.
func helpOf(cmd *cobra.Command) string {
	var b strings.Builder
	for _, p := range paragraphs(cmp.Or(cmd.Long, cmd.Short)) {
		b.WriteString(wrap(p, helpWidth) + "\n\n")
	}
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.CommandPath() + " [command]\n")
	}
	if cmd.HasExample() {
		b.WriteString("\nExamples:\n" + cmd.Example + "\n")
	}
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range groups {
		t := table{}
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				t.row("  "+c.Name(), c.Short)
			}
		}
		section(&b, g.Title, t)
	}
	titles := append([]string{"Flags:"}, groupsOf(cmd)...)
	flags(&b, titles, cmd.LocalFlags())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%q says more about a command.\n", cmd.CommandPath()+" [command] --help")
	}
	return b.String()
}

// section writes a heading and the rows of t below it. It writes nothing if t has no rows.
func section(b *strings.Builder, heading string, t table) {
	if len(t.rows) > 0 {
		b.WriteString("\n" + heading + "\n" + t.text())
	}
}

// flags writes a section for each group of flags in set. titles are the titles of the groups. Flags
// without a group belong to the first section.
func flags(b *strings.Builder, titles []string, set *pflag.FlagSet) {
	for i, title := range titles {
		t := table{}
		set.VisitAll(func(f *pflag.Flag) {
			if in := f.Annotations[groupAnnotation]; !f.Hidden && (in == nil && i == 0 || in != nil && in[0] == title) {
				t.row(flag(f)...)
			}
		})
		section(b, title, t)
	}
}

// flag returns the row of a flag in the help: its name with the kind of its value, and its meaning.
func flag(f *pflag.Flag) []any {
	name := "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	value, usage := pflag.UnquoteUsage(f)
	if value != "" {
		name += " " + value
	}
	switch {
	case f.Name == "help":
		usage = "print this help"
	case f.Value.Type() == "string" && f.DefValue != "":
		usage += fmt.Sprintf(" (default %q)", f.DefValue)
	case f.DefValue != "" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != "[]" && f.DefValue != "false":
		usage += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	return []any{name, usage}
}

// wrap breaks a text into lines of at most width columns, at spaces. It leaves an example, which
// begins with a tab, as it is.
func wrap(text string, width int) string {
	if strings.HasPrefix(text, "\t") {
		return text
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && cellWidth.StringWidth(line+" "+word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
