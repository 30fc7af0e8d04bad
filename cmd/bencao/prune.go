package main

import (
	"errors"
	"fmt"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/spf13/cobra"
)

func newPrune() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "prune",
		GroupID: "care",
		Short:   "Remove old snapshots and what crashed runs left behind",
		Long: `Remove old snapshots and what crashed runs left behind. The current snapshot stays, and so do the pinned ones and
those that a process has open.`,
		Example: "  bencao prune --data /var/lib/bencao --keep 3",
		Args:    noArgs,
	}
	s := use(cmd, "data", "keep", "log")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		w, err := dir.Lock(snapshot.WriterOptions{Purpose: "bencao prune", Existing: true, Log: s.logger(cmd.ErrOrStderr())})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.Close()) }()
		removed, err := w.Prune(s.keep, trust.Followers(dir)...)
		for _, id := range removed {
			if _, printErr := fmt.Fprintf(cmd.OutOrStdout(), "removed %s\n", id); printErr != nil {
				return errors.Join(err, printErr)
			}
		}
		if err != nil {
			return err
		}
		all, err := dir.List()
		if line := pinnedLine(all); line != "" && err == nil {
			_, err = fmt.Fprintln(cmd.OutOrStdout(), line)
		}
		return err
	}
	return cmd
}
