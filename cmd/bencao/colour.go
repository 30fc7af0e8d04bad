package main

import (
	"io"
	"os"

	"bencao/internal/messages"
	"bencao/internal/system"

	"github.com/spf13/cobra"
)

// colour is how a terminal shows a text.
type colour string

const (
	bold   colour = "\x1b[1m"
	red    colour = "\x1b[31m"
	green  colour = "\x1b[32m"
	yellow colour = "\x1b[33m"
	reset  colour = "\x1b[0m"
)

// painter colours texts, or leaves them as they are.
type painter bool

func (p painter) text(c colour, s string) string {
	if !p || s == "" {
		return s
	}
	return string(c) + s + string(reset)
}

// colourMode is the value of the flag --color.
type colourMode string

func (m *colourMode) String() string { return string(*m) }
func (m *colourMode) Type() string   { return "when" }

func (m *colourMode) Set(text string) error {
	switch text {
	case "auto", "always", "never":
		*m = colourMode(text)
		return nil
	}
	return messages.Errorf("%q is none of auto, always, never", text)
}

// colourFlag is the flag that every command has.
const colourFlag = "color"

// addColour gives root and all its commands the flag --color.
func addColour(root *cobra.Command) {
	mode := colourMode("auto")
	root.PersistentFlags().Var(&mode, colourFlag, "colours: auto, always or never; auto is on a terminal, unless NO_COLOR or CLICOLOR=0 is set")
}

// painterFor colours what cmd writes to w, if the flag or else the environment
// say so (https://no-color.org, http://bixense.com/clicolors).
func painterFor(cmd *cobra.Command, w io.Writer) painter {
	mode := colourMode("auto")
	if f := cmd.Flag(colourFlag); f != nil {
		mode = colourMode(f.Value.String())
	}
	switch {
	case mode != "auto":
		return mode == "always"
	case os.Getenv("NO_COLOR") != "":
		return false
	case set(os.Getenv("CLICOLOR_FORCE")):
		return true
	}
	if os.Getenv("CLICOLOR") == "0" || os.Getenv("TERM") == "dumb" || !onTerminal(w) {
		return false
	}
	terminal, file := fileOf(w)
	return painter(file && system.Colours(terminal))
}

// set tells whether a variable of the environment says yes.
func set(value string) bool { return value != "" && value != "0" }
