package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
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
		Short:   "Make and change the root of trust of a publisher",
		Long: `Mirrors that have a publisher's root of trust ("bencao pull --trust-root FILE") accept only snapshots that the publisher
has signed. "bencao trust init" makes the root and its keys, and every nightly build signs from then on.

A root names the keys: those that sign roots and how many of them must, the key that signs nightly builds, and the key that
renews timestamps. Mirrors find every later root from the one that they have, so you can change keys without
touching a mirror. The rules are those of The Update Framework.

If several people sign roots on their own machines, use create, sign and publish instead of init.`,
		Example: `  bencao trust init --data /var/lib/bencao
  bencao trust show --data /var/lib/bencao`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTrustInit(), newTrustCreate(), newTrustChange(), newTrustSign(), newTrustPublish(), newTrustRenew(), newTrustShow())
	return cmd
}

func newTrustInit() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a root of trust and its keys, so that nightly builds sign for mirrors",
		Long: `Make a root of trust and its keys, so that nightly builds sign for mirrors. The keys go into a folder beside the data folder
(--trust-keys), which only its owner may read: root.key signs roots, nightly.key signs nightly builds. Move root.key to
another machine: it is needed again only to change keys, and before the root expires. If there is a snapshot, it is signed at
once; with --public the folder of public snapshots gets the same root.

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
		dirs := []snapshot.Dir{snapshot.At(s.data)}
		if s.public != "" {
			dirs = append(dirs, snapshot.At(s.public))
		}
		for _, dir := range dirs {
			if _, err := trust.Current(dir); err == nil {
				return fmt.Errorf("%s has a root of trust already; \"bencao trust show\" prints it, \"bencao trust change\" makes the next, and \"bencao trust publish\" puts it into another folder", dir.Path())
			} else if !errors.Is(err, trust.ErrNoRoot) {
				return err
			}
		}
		root, err := trust.NewPublisher(s.keyFolder(), time.Now().Add(*expires))
		if err != nil {
			return err
		}
		// If the next step fails, as during a nightly build, the owner of the data folder can run the
		// command again.
		if err := durable.Adopt(s.keyFolder(), s.data); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, dir := range dirs {
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

// roleFlags holds the flags that describe a new root of trust: the files with the public keys of
// each role, the number of root keys that must sign, and the time until the root expires.
type roleFlags struct {
	root, night, timestamp []string
	threshold              int
	expires                time.Duration
}

func addRoles(cmd *cobra.Command) *roleFlags {
	f := &roleFlags{}
	cmd.Flags().StringArrayVar(&f.root, "root-key", nil, "`file` with public keys that sign roots; may be repeated")
	cmd.Flags().IntVar(&f.threshold, "threshold", 1, "how many of them must sign")
	cmd.Flags().StringArrayVar(&f.night, "night-key", nil, "`file` with public keys that sign nightly builds; may be repeated")
	cmd.Flags().StringArrayVar(&f.timestamp, "stamp-key", nil, "`file` with public keys that sign timestamps (default: those of nightly builds); may be repeated")
	cmd.Flags().DurationVar(&f.expires, "expires", 365*24*time.Hour, "`time` for which the root holds")
	return f
}

// roles reads the keys from the files that the flags name.
func (f *roleFlags) roles() (r trust.Roles, err error) {
	if len(f.root) == 0 || len(f.night) == 0 {
		return r, usagef("give the files with public keys: --root-key for those that sign roots, --night-key for the nightly key")
	}
	if f.expires <= 0 {
		return r, usagef("expires is %s; use a time such as 8760h", f.expires)
	}
	for _, of := range []struct {
		files []string
		keys  *[]trust.PublicKey
	}{{f.root, &r.Root}, {f.night, &r.Nightly}, {f.timestamp, &r.Timestamp}} {
		for _, file := range of.files {
			keys, err := trust.ReadPublicKeys(file)
			if err != nil {
				return r, err
			}
			*of.keys = append(*of.keys, keys...)
		}
	}
	r.Threshold = f.threshold
	return r, nil
}

func newTrustCreate() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "create FILE",
		Short:   "Make the first root, unsigned",
		Example: "  bencao trust create --root-key anna.pub --root-key ben.pub --threshold 2 --night-key night.pub root.json",
		Args:    oneArg("the file to make"),
	}
	flags := addRoles(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		roles, err := flags.roles()
		if err != nil {
			return err
		}
		root, err := trust.NewRoot(roles, time.Now().Add(flags.expires))
		if err != nil {
			return err
		}
		return writeRoot(cmd, args[0], root)
	}
	return cmd
}

func newTrustChange() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "change OLD FILE",
		Short: "Make the next root, unsigned",
		Long: `Make the next root, with other keys or a later expiry. Give all keys that count from then on. Enough keys of the old root and
enough keys of the new root must then sign it.`,
		Example: "  bencao trust change root.json --root-key anna.pub --root-key carl.pub --threshold 2 --night-key new.pub root2.json",
		Args:    twoArgs("the root before", "the file to make"),
	}
	flags := addRoles(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		roles, err := flags.roles()
		if err != nil {
			return err
		}
		old, err := readRoot(args[0])
		if err != nil {
			return err
		}
		root, err := old.Next(roles, time.Now().Add(flags.expires))
		if err != nil {
			return err
		}
		return writeRoot(cmd, args[1], root)
	}
	return cmd
}

func newTrustSign() *cobra.Command {
	return &cobra.Command{
		Use:     "sign FILE KEY",
		Short:   "Add the signature of a key to a root",
		Example: "  bencao trust sign root.json anna.key",
		Args:    twoArgs("the root", "the file with the key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := readRoot(args[0])
			if err != nil {
				return err
			}
			key, err := trust.ReadSigningKey(args[1])
			if err != nil {
				return err
			}
			if err := root.Sign(key); err != nil {
				return err
			}
			b, err := root.Encode()
			if err != nil {
				return err
			}
			if err := durable.WriteFile(args[0], b, durable.Options{}); err != nil {
				return err
			}
			return showRoot(cmd, root)
		},
	}
}

func newTrustPublish() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "publish FILE",
		Short: "Put a root into a data folder, for mirrors to follow",
		Long: `Put a root into a data folder, for mirrors to follow. Enough of its own keys, and enough keys of the root that is
there, must have signed it. If the folder --trust-keys has the nightly key that the root names, the current snapshot is signed again
at once; else the next nightly build does that.`,
		Example: "  bencao trust publish root.json --data /var/lib/bencao --trust-keys /etc/bencao/keys",
		Args:    oneArg("the root"),
	}
	s := use(cmd, "data", "trust-keys", "trust-expires")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root, err := readRoot(args[0])
		if err != nil {
			return err
		}
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		return s.announcing(dir, "bencao trust publish", func(dir snapshot.Dir) error {
			if err := trust.Install(dir, root); err != nil {
				return err
			}
			return showRoot(cmd, root)
		})
	}
	return cmd
}

func newTrustRenew() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "renew",
		Short: "Extend the expiry of the signatures for mirrors, without a nightly build",
		Long: `Extend the expiry of the signatures for mirrors, without a nightly build. With the nightly key in the folder --trust-keys
everything is signed again, with timestamp.key alone only the timestamp.`,
		Example: "  bencao trust renew --data /var/lib/bencao --trust-keys /etc/bencao/keys",
		Args:    noArgs,
	}
	s := use(cmd, "data", "trust-keys", "trust-expires")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		return s.announcing(dir, "bencao trust renew", func(dir snapshot.Dir) error {
			p, err := s.publisher()
			switch {
			case err != nil || p.Nightly != nil:
				return err
			case p.Timestamp == nil:
				return usagef("%s has no nightly.key and no timestamp.key; name their folder by --trust-keys", s.keyFolder())
			}
			return p.Renew(dir)
		})
	}
	return cmd
}

func newTrustShow() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show [FILE]",
		Short:   "Print the keys and the expiry of a root: in a file, or in the data folder",
		Example: "  bencao trust show --data /var/lib/bencao",
		Args:    atMostOneArg("the root"),
	}
	s := use(cmd, "data")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			root, err := readRoot(args[0])
			if err != nil {
				return err
			}
			return showRoot(cmd, root)
		}
		dir, err := s.folder(cmd)
		if err != nil {
			return err
		}
		root, err := trust.Current(dir)
		if err != nil {
			return err
		}
		return showRoot(cmd, root)
	}
	return cmd
}

// announcing locks the data folder, calls do, and then signs the current snapshot again if it has
// the nightly key.
func (s *settings) announcing(dir snapshot.Dir, purpose string, do func(snapshot.Dir) error) (err error) {
	opt, err := s.writerOptions(dir, purpose)
	if err != nil {
		return err
	}
	opt.Existing = false // the command may create the data folder before the first nightly build
	w, err := dir.Lock(opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := do(dir); err != nil {
		return err
	}
	p, err := s.publisher()
	if err != nil || p.Nightly == nil {
		return err
	}
	if err := w.Announce(); err != nil && !errors.Is(err, snapshot.ErrNone) {
		return err
	}
	return nil
}

// writeRoot writes a root that has no signature yet to a file.
func writeRoot(cmd *cobra.Command, name string, root *trust.Root) error {
	b, err := root.Encode()
	if err != nil {
		return err
	}
	if err := durable.Create(name, b, 0o644); err != nil {
		return err
	}
	return showRoot(cmd, root)
}

func showRoot(cmd *cobra.Command, root *trust.Root) error {
	state := "signed by enough of its own keys"
	if err := root.Complete(); err != nil {
		state = "not signed by enough of its own keys"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "root %d, until %s: %d signatures, %s\n", root.Version(), root.Expires().Format(time.RFC3339), root.Signatures(), state)
	for _, r := range root.Roles() {
		fmt.Fprintf(&b, "%s: %d of %s\n", r.Name, r.Threshold, strings.Join(r.Keys, ", "))
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), b.String())
	return err
}
