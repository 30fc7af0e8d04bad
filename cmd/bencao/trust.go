package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"bencao/internal/durable"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/spf13/cobra"
)

func newTrust() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "trust",
		GroupID: "care",
		Short:   "Make and renew the root of trust of a publisher",
		Long: `Mirrors that have a publisher's root of trust ("bencao pull --trust-root FILE") accept only snapshots that the publisher
has signed. "bencao trust init" makes the root and its keys, and every nightly build signs from then on.

A root names two keys: root.key signs roots, nightly.key signs nightly builds. Mirrors find every later root from the one
that they have. The rules are those of The Update Framework.`,
		Example: `  bencao trust init --data /var/lib/bencao
  bencao trust renew --data /var/lib/bencao`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTrustInit(), newTrustRenew())
	return cmd
}

func newTrustInit() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a root of trust and its keys, so that nightly builds sign for mirrors",
		Long: `Make a root of trust and its keys, so that nightly builds sign for mirrors. The keys go into a folder beside the data folder
(--trust-keys), which only its owner may read: root.key signs roots, nightly.key signs nightly builds. Move root.key to
another machine: "bencao trust renew" needs it before the root expires, and to replace a stolen nightly key. If there is a snapshot, it is signed at
once; with --public the folder of public snapshots gets the same root, later too.

If root runs it, the files get the owner of the data folder, so that the nightly build can read and change them. Give mirrors the file tuf/1.root.json of the data folder, over a channel that they trust.`,
		Example: "  bencao trust init --data /var/lib/bencao --trust-keys /etc/bencao/keys",
		Args:    noArgs,
	}
	s := use(cmd, "data", "public", "trust-keys", "trust-expires")
	expires := cmd.Flags().Duration("expires", 365*24*time.Hour, "`time` for which the root holds")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd, "data"); err != nil {
			return err
		}
		if *expires <= 0 {
			return usagef("expires is %s; use a time such as 8760h", *expires)
		}
		var rooted, bare []snapshot.Dir
		for _, dir := range trust.Dirs(s.data, s.public) {
			switch _, err := trust.Current(dir); {
			case err == nil:
				rooted = append(rooted, dir)
			case errors.Is(err, trust.ErrNoRoot):
				bare = append(bare, dir)
			default:
				return err
			}
		}
		switch {
		case len(bare) == 0:
			return fmt.Errorf("%s has a root of trust already; \"bencao trust renew\" makes the next one", rooted[0].Path())
		case len(rooted) > 0:
			from, to := rooted[0], bare[0]
			if err := s.announcing(to, "bencao trust init", func(to snapshot.Dir) error { return trust.CopyRoots(from, to) }); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s has the root of %s now\n", to.Path(), from.Path())
			return err
		}
		root, err := trust.NewPublisher(s.keyFolder(), time.Now().Add(*expires))
		if err != nil {
			return err
		}
		// If the next step fails, as during a nightly build, the owner of the data folder can run the
		// command again.
		if err := s.adoptKeys(); err != nil {
			return err
		}
		for _, dir := range bare {
			if err := s.announcing(dir, "bencao trust init", func(dir snapshot.Dir) error { return trust.Install(dir, root) }); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "root %d is made, valid until %s; its keys are in %s\n  give mirrors the file %s, for \"bencao pull URL --data DIR --trust-root FILE\"\n",
			root.Version(), root.Expires().Format(time.RFC3339), s.keyFolder(), filepath.Join(s.data, filepath.FromSlash(trust.FirstRoot)))
		return err
	}
	return cmd
}

func newTrustRenew() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "renew",
		Short: "Make the next root, and sign the current snapshot again",
		Long: `Sign the current snapshot again, so that mirrors accept it without a nightly build. If the folder --trust-keys has root.key,
also make the next root, which holds for another year; do that before the present root expires. With --new-key the next root
names a new nightly.key; do that if the present one may be stolen. With --public the folder of public snapshots gets its next
root too. Mirrors need no change.`,
		Example: `  bencao trust renew --data /var/lib/bencao --trust-keys /etc/bencao/keys
  bencao trust renew --data /var/lib/bencao --trust-keys /etc/bencao/keys --new-key`,
		Args: noArgs,
	}
	s := use(cmd, "data", "public", "trust-keys", "trust-expires")
	expires := cmd.Flags().Duration("expires", 365*24*time.Hour, "`time` for which the next root holds")
	newKey := cmd.Flags().Bool("new-key", false, "replace nightly.key by a new key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd, "data"); err != nil {
			return err
		}
		if *expires <= 0 {
			return usagef("expires is %s; use a time such as 8760h", *expires)
		}
		withRoot := trust.HasRootKey(s.keyFolder())
		if *newKey && !withRoot {
			return usagef("%s has no root.key, which must sign a root with a new key; put it there, or name its folder by --trust-keys", s.keyFolder())
		}
		for _, dir := range trust.Dirs(s.data, s.public) {
			if _, err := trust.Current(dir); err != nil {
				return err
			}
		}
		if *newKey {
			if err := trust.DropNightlyKey(s.keyFolder()); err != nil {
				return err
			}
		}
		for _, dir := range trust.Dirs(s.data, s.public) {
			err := s.announcing(dir, "bencao trust renew", func(dir snapshot.Dir) error {
				root, err := trust.Current(dir)
				if err == nil && withRoot {
					if root, err = trust.RenewRoot(dir, s.keyFolder(), time.Now().Add(*expires)); err == nil {
						err = s.adoptKeys()
					}
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: root %d, valid until %s\n", dir.Path(), root.Version(), root.Expires().Format(time.RFC3339))
				return err
			})
			if err != nil {
				return err
			}
		}
		if *newKey && s.public == "" {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "if there is a folder of public snapshots, its root still names the old key: run \"bencao trust renew --public FOLDER\" before the next build")
			return err
		}
		return nil
	}
	return cmd
}

// adoptKeys gives the folder of keys the owner of the data folder.
func (s *settings) adoptKeys() error {
	if err := durable.Adopt(s.keyFolder(), s.data); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// announcing locks the data folder, calls do, and then signs the current snapshot again.
func (s *settings) announcing(dir snapshot.Dir, purpose string, do func(snapshot.Dir) error) (err error) {
	opt, err := s.writerOptions(dir, purpose)
	if err != nil {
		return err
	}
	opt.Existing = false // the command may create the data folder before the first nightly build
	opt.Announce = func(at snapshot.Pointer) error {
		p, err := s.publisher() // do may have made the keys
		if err != nil {
			return err
		}
		return p.Announce(dir, at)
	}
	w, err := dir.Lock(opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := do(dir); err != nil {
		return err
	}
	if err := w.Announce(); err != nil && !errors.Is(err, snapshot.ErrNone) {
		return err
	}
	return nil
}
