package main

import (
	"errors"
	"math"
	"strings"

	"bencao/indexer"

	"github.com/spf13/cobra"
)

func newIndex() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "index",
		GroupID: "run",
		Short:   "Build a snapshot from a data package and checklists",
		Long: `Build a snapshot from a data package and checklists, check it, and make it current.

A run never replaces a good snapshot by a worse one: a source that can't be read, too many rejected rows, a table much
smaller than before, or data that lost their meaning (a column shifted by a row, a checklist left out, names that no
checklist knows any more, GUIDs that belong to other records) leave the old snapshot in place. What is meant is allowed by name:
--allow-changes species; the last line that a refused run prints is the command that allows all of it. last-findings.csv in the data folder (dry-run-findings.csv
after a dry run) says what is wrong in the sources, with file and line; the snapshot keeps it as findings.csv.

Exit codes: 0 the current snapshot is built from these sources, 1 failed, 2 wrong usage, 3 a gate refused,
4 a dry run found rows to reject.`,
		Example: `  bencao index --source china-plants.zip --checklist wcvp=wcvp.zip --checklist wfo=wfo-dwca.zip --data /var/lib/bencao
  bencao index --config bencao.toml --dry-run`,
		Args: noArgs,
	}
	s := use(cmd, "data", "source", "checklist", "max-rejected", "max-shrink", "max-growth", "max-changed", "max-emptied", "max-unmatched",
		"allow-rejects", "allow-shrink", "allow-growth", "allow-changes", "allow-empty", "allow-missing", "allow-older", "allow-moved-guids", "allow-unfinished", "metrics-file", "keep", "public", "trust-keys", "trust-expires", "reader", "log")
	dryRun := cmd.Flags().Bool("dry-run", false, "build and check everything, publish nothing")
	rebuild := cmd.Flags().Bool("rebuild", false, "build even if the sources have not changed")
	first := cmd.Flags().Bool("first", false, "publish a first night even if it makes little sense by itself")
	asJSON := cmd.Flags().Bool("json", false, "print the report as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd, "data", "source"); err != nil {
			return err
		}
		cfg, err := indexConfig(s)
		if err != nil {
			return err
		}
		cfg.DryRun, cfg.Rebuild, cfg.Limits.First = *dryRun, *rebuild, *first
		report, err := runNight(cmd.Context(), s, cfg, cmd.ErrOrStderr())
		err = withCommand(cmd, typed(cmd, s), err)
		if printErr := printReport(cmd, report, cfg.FindingsFile(), *asJSON); printErr != nil {
			return errors.Join(err, printErr)
		}
		return err
	}
	return cmd
}

// indexConfig is what to build, as the settings say.
func indexConfig(s *settings) (indexer.Config, error) {
	cfg := indexer.Config{
		Data:        s.data,
		Public:      s.public,
		Package:     indexer.Input{Path: s.source, Columns: s.columns},
		Keep:        s.keep,
		Program:     thisBuild().program(),
		MetricsFile: s.metricsFile,
		TrustKeys:   s.trustKeys, TrustExpires: s.trustExpires,
		Limits: s.limits,
	}
	for _, limit := range []*float64{&cfg.Limits.MaxRejected, &cfg.Limits.MaxShrink, &cfg.Limits.MaxGrowth, &cfg.Limits.MaxChanged, &cfg.Limits.MaxEmptied, &cfg.Limits.MaxUnmatched} {
		*limit = max(*limit, math.SmallestNonzeroFloat64) // zero means the default there
	}
	var err error
	if cfg.Checklists, err = s.inputs(); err != nil {
		return cfg, err
	}
	if cfg.Readers, err = s.readerIDs(); err != nil {
		return cfg, err
	}
	for _, lifted := range []struct {
		flag  string
		names []string
	}{
		{"allow-rejects", s.limits.AllowRejects}, {"allow-shrink", s.limits.AllowShrink}, {"allow-growth", s.limits.AllowGrowth},
		{"allow-changes", s.limits.AllowChanges}, {"allow-empty", s.limits.AllowEmpty}, {"allow-missing", s.limits.AllowMissing},
		{"allow-older", s.limits.AllowOlder}, {"allow-moved-guids", s.limits.AllowMovedGUIDs}, {"allow-unfinished", s.limits.AllowUnfinished},
	} {
		for _, name := range lifted.names {
			if valid := cfg.Tables(); !cfg.CanAllow(name) {
				return cfg, usagef("--%s %s: there is no such table; %sthe tables are %s", lifted.flag, name, didYouMean(name, valid), strings.Join(valid, ", "))
			}
		}
	}
	return cfg, nil
}
