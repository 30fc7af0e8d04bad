package main

import (
	"errors"
	"math"
	"slices"
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

A run never replaces a good snapshot by a worse one: a source that can't be read, too many rejected rows, or a table
much smaller than before leave the old snapshot in place. last-findings.csv in the data folder (dry-run-findings.csv
after a dry run) says what is wrong in the sources, with file and line; the snapshot keeps it as findings.csv.

Exit codes: 0 the current snapshot is built from these sources, 1 failed, 2 wrong usage, 3 a gate refused,
4 a dry run found rows to reject.`,
		Example: `  bencao index --source china-plants.zip --checklist wcvp=wcvp.zip --checklist wfo=wfo-dwca.zip --data /var/lib/bencao
  bencao index --config bencao.toml --dry-run`,
		Args: noArgs,
	}
	s := use(cmd, "data", "source", "checklist", "max-rejected", "max-shrink", "allow-rejects", "allow-shrink", "metrics-file", "keep", "sign-key", "log")
	dryRun := cmd.Flags().Bool("dry-run", false, "build and check everything, publish nothing")
	rebuild := cmd.Flags().Bool("rebuild", false, "build even if the sources have not changed")
	asJSON := cmd.Flags().Bool("json", false, "print the report as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd, "data", "source"); err != nil {
			return err
		}
		cfg, err := indexConfig(s)
		if err != nil {
			return err
		}
		cfg.DryRun, cfg.Rebuild = *dryRun, *rebuild
		report, err := runNight(cmd.Context(), s, cfg, cmd.ErrOrStderr())
		if printErr := printReport(cmd.OutOrStdout(), report, cfg.FindingsFile(), *asJSON); printErr != nil {
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
		Package:     indexer.Input{Path: s.source, Columns: s.columns},
		Keep:        s.keep,
		Program:     thisBuild().program(),
		MetricsFile: s.metricsFile,
		SignKeyFile: s.signKey,
		Gates: indexer.Gates{
			MaxRejected: strict(s.maxRejected), MaxShrink: strict(s.maxShrink),
			AllowRejects: s.allowRejects, AllowShrink: s.allowShrink,
		},
	}
	var err error
	if cfg.Checklists, err = s.inputs(); err != nil {
		return cfg, err
	}
	valid := cfg.Tables()
	for _, lifted := range []struct {
		flag   string
		tables []string
	}{{"allow-rejects", s.allowRejects}, {"allow-shrink", s.allowShrink}} {
		for _, name := range lifted.tables {
			if !slices.Contains(valid, name) {
				return cfg, usagef("--%s %s: there is no such table; %sthe tables are %s", lifted.flag, name, didYouMean(name, valid), strings.Join(valid, ", "))
			}
		}
	}
	return cfg, nil
}

// strict is a share for a gate, whose own zero value means its default.
func strict(share float64) float64 { return max(share, math.SmallestNonzeroFloat64) }
