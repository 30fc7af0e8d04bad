package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"bencao/indexer"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/internal/system"
	"bencao/names/region"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newIndex() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "index",
		GroupID: "run",
		Short:   "Build a snapshot from a data package and checklists",
		Long: `Build a snapshot from a data package and checklists, check it, and make it current.

A run never replaces a good snapshot with a worse one. The old snapshot stays current if a source can't be read, if too
many rows are rejected, if a table is much smaller than before, or if data have lost their meaning: a column is shifted by
a row, a checklist is missing, names are no longer in any checklist, or GUIDs belong to other records.

If a change is intended, allow it by name, as in --allow changes=species. The last line of a refused run is the command
that allows all of its changes.

last-findings.csv in the data folder (dry-run-findings.csv after a dry run) lists the errors in the sources, with file and
line. The snapshot has the same list as findings.csv.

Exit codes: 0 the current snapshot is built from these sources, 1 failed, 2 wrong usage, 3 a check refused the new
snapshot, 4 a dry run found rows to reject, 5 the sources are those of a snapshot that "bencao rollback --hold" withdrew.`,
		Example: `  bencao index --source china-plants.zip --checklist wcvp=wcvp.zip --checklist wfo=wfo-dwca.zip --data /var/lib/bencao
  bencao index --config bencao.toml --dry-run
  bencao index --source bencao:sample --data try`,
		Args: noArgs,
	}
	s := use(cmd, "data", "source", "checklist", "max-rejected", "max-shrink", "max-changed", "allow", "metrics-file", "herb-sources", "regions", "keep", "public", "trust-keys", "trust-expires", "log")
	dryRun := cmd.Flags().Bool("dry-run", false, "build and check everything, publish nothing")
	rebuild := cmd.Flags().Bool("rebuild", false, "build even if the sources have not changed")
	first := cmd.Flags().Bool("first", false, "publish a first snapshot even if checks find its data implausible")
	asJSON := cmd.Flags().Bool("json", false, "print the report as JSON")
	group(cmd, "This run:", "dry-run", "rebuild", "first")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd, "data", "source"); err != nil {
			return err
		}
		cfg, err := indexConfig(s)
		if err != nil {
			return err
		}
		cfg.DryRun, cfg.Rebuild, cfg.Limits.First = *dryRun, *rebuild, *first
		report, err := runIndex(cmd.Context(), s, cfg, cmd.ErrOrStderr())
		err = withCommand(cmd, typed(cmd, s), err)
		if printErr := printReport(cmd, report, cfg.FindingsFile(), *asJSON); printErr != nil {
			return errors.Join(err, printErr)
		}
		return err
	}
	return cmd
}

// indexConfig returns the configuration of the build that the settings describe.
func indexConfig(s *settings) (indexer.Config, error) {
	cfg := indexer.Config{
		Data:        s.data,
		Public:      s.public,
		Package:     indexer.Input{Path: s.source, Columns: s.columns},
		Keep:        s.keep,
		Program:     thisBuild().program(),
		MetricsFile: s.metricsFile,
		TrustKeys:   s.trustKeys, TrustExpires: s.trustExpires,
		AllHerbSources: s.herbSources == "all",
		Limits:         s.limits,
	}
	for _, limit := range []*float64{&cfg.Limits.MaxRejected, &cfg.Limits.MaxShrink, &cfg.Limits.MaxChanged} {
		// In Limits, 0 means the default. So a limit of 0 becomes the smallest positive number.
		*limit = max(*limit, math.SmallestNonzeroFloat64)
	}
	var err error
	if cfg.Checklists, err = s.inputs(); err != nil {
		return cfg, err
	}
	if s.regions != "" {
		if cfg.Regions, err = region.Open(s.regions); err != nil {
			return cfg, usagef("regions: %w", err)
		}
	}
	if s.source == sample.Source {
		cfg.Package.FS = sample.Package()
		if len(cfg.Checklists) == 0 {
			cfg.Checklists = sampleConfig("").Checklists
		}
	}
	for _, text := range s.allow {
		kind, name, _ := strings.Cut(text, "=")
		if !cfg.Limits.Allow(kind, name) {
			kinds := indexer.Exceptions()
			return cfg, usagef("--allow %s: write KIND=TABLE; %sthe kinds are %s", text, didYouMean(kind, kinds), strings.Join(kinds, ", "))
		}
		if valid := cfg.Tables(); !cfg.CanAllow(name) {
			return cfg, usagef("--allow %s: there is no such table; %sthe tables are %s", text, didYouMean(name, valid), strings.Join(valid, ", "))
		}
	}
	return cfg, nil
}

// withCommand adds a command to the error that a check refused the build: the operator's command
// with the flags that allow all refused changes. It returns other errors unchanged.
func withCommand(cmd *cobra.Command, typed []string, err error) error {
	var gate *indexer.RefusedError
	if !errors.As(err, &gate) || len(gate.Flags) == 0 {
		return err
	}
	words := strings.Fields(cmd.CommandPath())
	words[0] = quoted(os.Args[0])
	words = slices.Concat(words, typed, gate.Flags)
	return &exitError{exitRefused, fmt.Errorf("%w\nif all of this is meant, allow it with:\n%s", err, strings.Join(words, " "))}
}

// typed returns the flags of the operator's command, quoted for a shell. It includes --allow if the
// environment or the configuration file sets exceptions, because a flag replaces those.
func typed(cmd *cobra.Command, s *settings) []string {
	var words []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		lifts := f.Name == "allow" && s.origin[f.Name] != "default"
		if !f.Changed && !lifts {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range list.GetSlice() {
				words = append(words, "--"+f.Name, quoted(v))
			}
			return
		}
		if f.Value.Type() == "bool" {
			words = append(words, strings.TrimSuffix("--"+f.Name+"="+f.Value.String(), "=true"))
			return
		}
		words = append(words, "--"+f.Name, quoted(f.Value.String()))
	})
	return words
}

// shellSafe matches words that a shell reads unchanged without quotes.
var shellSafe = regexp.MustCompile(`^[\pL\pN_./:=@%+,-]+$`)

// quoted returns a word with the quotes that a shell needs.
func quoted(word string) string {
	if shellSafe.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// leastIndexMemory is the least memory, in bytes, that a build uses before it trades time for memory. A
// package with a million papers and names needs less.
const leastIndexMemory = 2560 << 20

// indexMemory returns the memory that a build uses before it trades time for memory: half of what the
// machine or its cgroup allows. GOMEMLIMIT overrides it.
func indexMemory(allowed int64) int64 { return max(leastIndexMemory, allowed/2) }

// runIndex runs the indexer. It shows the progress on w: as bars if w is a terminal, otherwise as
// log lines.
func runIndex(ctx context.Context, s *settings, cfg indexer.Config, w io.Writer) (*indexer.Report, error) {
	if os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(indexMemory(system.Memory())))
	}
	opt := indexer.Options{Log: s.logger(w)}
	if onTerminal(w) {
		bars := &bars{w: w}
		defer bars.end()
		opt = indexer.Options{
			Progress: func(phase string, done, total int) { bars.show(phase, unitOf[phase], int64(done), int64(total)) },
			Log:      slog.New(forPeople(bars, slog.LevelWarn)),
		}
	}
	report, err := indexer.Run(ctx, cfg, opt)
	var gate *indexer.RefusedError
	switch {
	case errors.As(err, &gate):
		err = &exitError{exitRefused, err}
	case errors.Is(err, indexer.ErrRejects):
		err = &exitError{exitRejects, err}
	case errors.Is(err, indexer.ErrHeld):
		err = &exitError{exitHeld, err}
	case errors.Is(err, context.Canceled):
		err = fmt.Errorf("interrupted, and nothing was published: %w", err)
	}
	return report, err
}

// sampleConfig returns the configuration of a build from the sample data inside the program to the
// data folder data.
func sampleConfig(data string) indexer.Config {
	cfg := indexer.Config{
		Data:    data,
		Package: indexer.Input{Path: "sample", FS: sample.Package()},
		Program: thisBuild().program(),
	}
	for _, c := range sample.Checklists() {
		cfg.Checklists = append(cfg.Checklists, indexer.Input{Key: c.Name, Path: c.Name, FS: c.FS, Version: "sample " + sample.Version})
	}
	return cfg
}

// printReport prints the report of a run, as a summary or as JSON. findings is the path of the file
// with all findings.
func printReport(cmd *cobra.Command, r *indexer.Report, findings string, asJSON bool) error {
	if r == nil {
		return nil
	}
	if asJSON {
		return printJSON(cmd, r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s", r.Outcome)
	if r.Snapshot != "" {
		fmt.Fprintf(&b, ", current snapshot %s", r.Snapshot)
	}
	b.WriteByte('\n')
	if p := r.Public; p != nil {
		fmt.Fprintf(&b, "public snapshot %s in %s: %s, %s\n", p.Outcome, p.Data, p.Snapshot, size(total(p.Bytes)))
	}
	summary(&b, r, findings)
	_, err := io.WriteString(cmd.OutOrStdout(), b.String())
	return err
}

// summary writes the tables, changes, findings, times and sizes of a run to b.
func summary(b *strings.Builder, r *indexer.Report, findings string) {
	if len(r.Tables) > 0 {
		b.WriteByte('\n')
		t := newTable("table", "rows", "rejected", "added", "removed", "changed")
		for _, name := range slices.Sorted(maps.Keys(r.Tables)) {
			of := r.Tables[name]
			if c, compared := r.Changes[name]; compared {
				t.row(name, of.Kept, of.Rejected, c.Added, c.Removed, c.Changed)
			} else {
				t.row(name, of.Kept, of.Rejected)
			}
		}
		b.WriteString(t.text())
		for _, name := range slices.Sorted(maps.Keys(r.Changes)) {
			c := r.Changes[name]
			if c.Before > 0 {
				examples(b, name+" added", c.AddedFirst)
				examples(b, name+" changed", c.ChangedFirst)
			}
			examples(b, name+" removed", c.RemovedFirst)
		}
	}
	if len(r.Findings) > 0 {
		b.WriteByte('\n')
		t := newTable("findings", "severity", "code", "table")
		for _, f := range r.Findings {
			t.row(f.Count, f.Severity, f.Code, f.Table)
		}
		b.WriteString(t.text())
		fmt.Fprintf(b, "each with file and line: %s\n", findings)
	}
	notices(b, r.Noticed)
	b.WriteByte('\n')
	var phases []string
	peak := int64(0)
	for _, p := range r.Phases {
		if p.Seconds >= 0.1 {
			phases = append(phases, fmt.Sprintf("%s %.1f s", p.Name, p.Seconds))
		}
		peak = max(peak, p.PeakBytes)
	}
	fmt.Fprintf(b, "took %s", r.FinishedAt.Sub(r.StartedAt).Round(100*time.Millisecond))
	if peak > 0 {
		fmt.Fprintf(b, ", at most %s of memory", size(peak))
	}
	if len(phases) > 0 {
		fmt.Fprintf(b, ": %s", strings.Join(phases, ", "))
	}
	b.WriteByte('\n')
	if len(r.Bytes) > 0 {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(r.Bytes)) {
			parts = append(parts, name+" "+size(r.Bytes[name]))
		}
		fmt.Fprintf(b, "size %s: %s\n", size(total(r.Bytes)), strings.Join(parts, ", "))
	}
}

// maxNotices is the largest number of notices in a summary. The file with findings has all.
const maxNotices = 10

// notices lists the differences from the last snapshot that no check refused.
func notices(b *strings.Builder, all []finding.Finding) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\nlook at these differences from the last snapshot, which no check refused:\n")
	for _, f := range all[:min(len(all), maxNotices)] {
		place := f.Table
		if f.Column != "" {
			place += "." + f.Column
		}
		fmt.Fprintf(b, "  %s: %s\n", place, f.Message)
	}
	if more := len(all) - maxNotices; more > 0 {
		fmt.Fprintf(b, "  and %d more, which the findings list\n", more)
	}
}

// total returns the sum of file sizes.
func total(of map[string]int64) (sum int64) {
	for n := range maps.Values(of) {
		sum += n
	}
	return sum
}

// maxExamples is the largest number of example keys in a summary. The report has up to 20.
const maxExamples = 3

func examples(b *strings.Builder, what string, keys []string) {
	if len(keys) == 0 {
		return
	}
	more := ""
	if len(keys) > maxExamples {
		keys, more = keys[:maxExamples], " …"
	}
	fmt.Fprintf(b, "%s: %s%s\n", what, strings.Join(keys, " "), more)
}
