package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

// state is how a check ended, from best to worst.
type state string

const (
	stateOK   state = "ok"
	stateWarn state = "warn"
	stateFail state = "fail"
)

// diagnosis is one line of the doctor.
type diagnosis struct {
	Check string `json:"check"`
	State state  `json:"state"`
	// Found is what is there.
	Found string `json:"found"`
	// Mend is what to do about it; empty if all is well.
	Mend string `json:"mend"`
}

func newDoctor() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "doctor",
		GroupID: "care",
		Short:   "Look for what would go wrong, and say how to mend it",
		Long: `Look at the configuration, the data folder and the room on its disk, the current snapshot, the last night, the sources,
the access file, the clock and the ports, as the same settings would make "bencao index" and "bencao serve" find them.
It changes nothing.

Exit codes: 0 nothing fails (there may be warnings), 1 something does, 2 wrong usage.`,
		Example: "  bencao doctor --config /etc/bencao/bencao.toml",
		Args:    noArgs,
	}
	s := use(cmd, "data", "access", "listen", "admin", "source", "checklist", "metrics-file", "trust-keys", "trust-root", "max-age", "max-source-age")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all := examine(s, cmd)
		if err := printDiagnoses(cmd, all, *asJSON); err != nil {
			return err
		}
		for _, d := range all {
			if d.State == stateFail {
				return errUnwell
			}
		}
		return nil
	}
	return cmd
}

// examine makes all checks that the settings allow.
func examine(s *settings, cmd *cobra.Command) []diagnosis {
	if err := s.load(cmd); err != nil {
		return []diagnosis{fail("config", err, "mend the setting; \"bencao config check\" shows where each comes from")}
	}
	where := s.config
	if where == "" {
		where = "no configuration file; flags, environment and defaults"
	}
	all := []diagnosis{good("config", "%s", where)}
	all = append(all, examineData(cmd.Context(), s)...)
	all = append(all, examineInputs(s)...)
	all = append(all, examineAccess(s)...)
	return append(all, examinePorts(cmd.Context(), s)...)
}

func good(check, format string, args ...any) diagnosis {
	return diagnosis{Check: check, State: stateOK, Found: fmt.Sprintf(format, args...)}
}

func warn(check, mend, format string, args ...any) diagnosis {
	return diagnosis{check, stateWarn, fmt.Sprintf(format, args...), mend}
}

func fail(check string, err error, mend string) diagnosis {
	return diagnosis{check, stateFail, err.Error(), mend}
}

func printDiagnoses(cmd *cobra.Command, all []diagnosis, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(all)
	}
	t := newTable(cmd)
	t.colours = map[string]colour{string(stateOK): green, string(stateWarn): yellow, string(stateFail): red}
	for _, d := range all {
		t.row(d.State, d.Check, d.Found)
		if d.Mend != "" {
			t.row("", "", "→ "+d.Mend)
		}
	}
	return t.write(cmd.OutOrStdout())
}
