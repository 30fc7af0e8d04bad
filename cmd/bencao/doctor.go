package main

import (
	"context"
	"fmt"
	"slices"

	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
)

// checks lists the checks of the doctor, in the order of its output. A check that does not apply
// returns nothing.
var checks = []struct {
	name        string
	needsFolder bool // the check is left out if there is no data folder
	find        func(*examined) []diagnosis
}{
	{"config", false, findConfig},
	{"data folder", false, findFolder},
	{"owners", true, findOwners},
	{"lock", true, findLock},
	{"snapshot", true, findSnapshot},
	{"clock", true, findClock},
	{"disk", true, findRoom},
	{"pins", true, findPins},
	{"last night", true, findNight},
	{"sources", true, findSources},
	{"root of trust", true, findTrust},
	{"input", false, findInputs},
	{"metrics file", false, findMetricsFile},
	{"trust-root", false, findTrustRoot},
	{"trust-keys", false, findTrustKeys},
	{"access file", false, findAccess},
	{"listen", false, func(p *examined) []diagnosis { return findPort(p, "listen", p.listen) }},
	{"admin", false, func(p *examined) []diagnosis { return findPort(p, "admin", p.admin) }},
}

// state is the result of a check, from best to worst.
type state string

const (
	stateOK   state = "ok"
	stateWarn state = "warn"
	stateFail state = "fail"
)

// diagnosis is a result of a check.
type diagnosis struct {
	Check string `json:"check"`
	State state  `json:"state"`
	// Found describes the situation that the check found.
	Found string `json:"found"`
	// Mend is advice, or "" if the state is ok. Its JSON name is part of the output format.
	Mend string `json:"mend"`
}

func good(format string, args ...any) []diagnosis {
	return []diagnosis{{State: stateOK, Found: fmt.Sprintf(format, args...)}}
}

func warn(advice, format string, args ...any) []diagnosis {
	return []diagnosis{{State: stateWarn, Found: fmt.Sprintf(format, args...), Mend: advice}}
}

func fail(err error, advice string) []diagnosis {
	return []diagnosis{{State: stateFail, Found: err.Error(), Mend: advice}}
}

// examined holds the settings and the results that several checks need.
type examined struct {
	*settings
	folderErr   error // why the data folder cannot be read
	dir         snapshot.Dir
	manifest    snapshot.Manifest // of the current snapshot
	snapshotErr error             // why a server cannot serve the current snapshot
	run         lastRun
	runErr      error
	taken       map[string]error  // why a server cannot listen at an address
	served      map[string]string // id of the snapshot that a running server has at an address
}

func newDoctor() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "doctor",
		GroupID: "care",
		Short:   "Look for problems and say how to fix them",
		Long: `Check the configuration, the data folder and the free space on its disk, the current snapshot, the last run, the
sources, the access file, the clock and the ports, with the settings that "bencao index" and "bencao serve" would use.
Nothing is changed.

Exit codes: 0 no check fails (there may be warnings), 1 a check fails, 2 wrong usage.`,
		Example: "  bencao doctor --config /etc/bencao/bencao.toml",
		Args:    noArgs,
	}
	s := use(cmd, "data", "public", "access", "listen", "admin", "source", "checklist", "metrics-file", "trust-keys", "trust-root", "max-age", "max-source-age")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all := examine(s, cmd)
		if err := printDiagnoses(cmd, all, *asJSON); err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(d diagnosis) bool { return d.State == stateFail }) {
			return errUnwell
		}
		return nil
	}
	return cmd
}

// examine makes all checks. If the settings cannot be loaded, that is the only result.
func examine(s *settings, cmd *cobra.Command) (all []diagnosis) {
	if err := s.load(cmd); err != nil {
		all = fail(err, "correct the setting; \"bencao config check\" shows where each comes from")
		all[0].Check = "config"
		return all
	}
	p := admit(cmd.Context(), s)
	for _, c := range checks {
		if c.needsFolder && (p.data == "" || p.folderErr != nil) {
			continue
		}
		for _, d := range c.find(p) {
			d.Check = c.name
			all = append(all, d)
		}
	}
	return all
}

// admit reads the files that several checks need.
func admit(ctx context.Context, s *settings) *examined {
	p := &examined{settings: s, taken: map[string]error{}, served: map[string]string{}}
	for _, address := range []string{s.listen, s.admin} {
		if address != "" && address != off {
			p.taken[address] = examineAddress(ctx, address)
			p.served[address] = askVersion(ctx, address)
		}
	}
	if s.data == "" {
		return p
	}
	if p.dir, p.folderErr = s.dataFolder(); p.folderErr != nil {
		return p
	}
	current, err := p.dir.Current()
	if err == nil {
		p.manifest, err = p.dir.Verify(ctx, current.ID, snapshot.Quick)
	}
	if err == nil {
		err = openable(ctx, p.dir)
	}
	p.snapshotErr = err
	p.run, p.runErr = readLastRun(s.data)
	return p
}

// openable returns an error if a server cannot open the current snapshot.
func openable(ctx context.Context, dir snapshot.Dir) error {
	files, err := snapshotfiles.Current(ctx, dir, snapshotfiles.All)
	if err != nil {
		return err
	}
	return files.Close()
}

func printDiagnoses(cmd *cobra.Command, all []diagnosis, asJSON bool) error {
	if asJSON {
		return printJSON(cmd, all)
	}
	t := newTable()
	for _, d := range all {
		t.row(d.State, d.Check, d.Found)
		if d.Mend != "" {
			t.row("", "", "→ "+d.Mend)
		}
	}
	return t.write(cmd.OutOrStdout())
}
