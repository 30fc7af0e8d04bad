package main

import (
	"errors"
	"fmt"
	"os"
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
		Short:   "Make and change the root from which mirrors trust a publisher",
		Long: `A root names the keys that count: those that sign roots and how many of them must, that by which nights are signed, and
that by which timestamps are renewed. Mirrors have the first root ("bencao pull --trust-root FILE") and follow from there
to every later one, so that keys are changed without touching a mirror. The rules are those of The Update Framework.

A root is made, signed by enough of its keys, which need not be on one machine, and published. From then on every night
needs the keys that it names.`,
		Example: `  bencao trust create --root-key anna.pub --root-key ben.pub --threshold 2 --night-key night.pub root.json
  bencao trust sign root.json anna.key
  bencao trust publish root.json --data /var/lib/bencao --sign-key night.key`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTrustCreate(), newTrustChange(), newTrustSign(), newTrustPublish(), newTrustRenew(), newTrustShow())
	return cmd
}

// roleFlags are the keys that a root gives to its roles.
type roleFlags struct {
	root, night, timestamp []string
	threshold              int
	expires                time.Duration
}

func addRoles(cmd *cobra.Command) *roleFlags {
	f := &roleFlags{}
	cmd.Flags().StringArrayVar(&f.root, "root-key", nil, "`file` with public keys that sign roots; may be repeated")
	cmd.Flags().IntVar(&f.threshold, "threshold", 1, "how many of them must sign")
	cmd.Flags().StringArrayVar(&f.night, "night-key", nil, "`file` with public keys that sign nights; may be repeated")
	cmd.Flags().StringArrayVar(&f.timestamp, "stamp-key", nil, "`file` with public keys that sign timestamps (default: those of nights); may be repeated")
	cmd.Flags().DurationVar(&f.expires, "expires", 365*24*time.Hour, "`time` for which the root holds")
	return f
}

// roles reads the keys.
func (f *roleFlags) roles() (r trust.Roles, err error) {
	if len(f.root) == 0 || len(f.night) == 0 {
		return r, usagef("give the files with public keys: --root-key for those that sign roots, --night-key for that of \"bencao index --sign-key\"")
	}
	if f.expires <= 0 {
		return r, usagef("expires is %s; use a time such as 8760h", f.expires)
	}
	for _, of := range []struct {
		files []string
		keys  *[]snapshot.PublicKey
	}{{f.root, &r.Root}, {f.night, &r.Night}, {f.timestamp, &r.Timestamp}} {
		for _, file := range of.files {
			keys, err := snapshot.ReadPublicKeys(file)
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
		Short: "Make the root after another, unsigned",
		Long: `Make the root after another, with other keys or a later expiry. Give all keys that count from then on. It must be signed
by enough keys of the old root, and by enough of its own.`,
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
			key, err := snapshot.ReadSigningKey(args[1])
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
		Long: `Put a root into a data folder, for mirrors to follow. It must be signed by enough of its own keys, and of those of the
root that is there. With --sign-key the current snapshot is signed anew by the keys that the root names; else the next
night does that.`,
		Example: "  bencao trust publish root.json --data /var/lib/bencao --sign-key night.key",
		Args:    oneArg("the root"),
	}
	s := use(cmd, "data", "sign-key", "timestamp-key", "sign-expires")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root, err := readRoot(args[0])
		if err != nil {
			return err
		}
		return s.announcing(cmd, "bencao trust publish", func(dir snapshot.Dir) error {
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
		Short: "Put off the expiry of what mirrors are told, without a night",
		Long: `Put off the expiry of what mirrors are told, without a night: by --timestamp-key alone that of the timestamp, by
--sign-key that of everything.`,
		Example: "  bencao trust renew --data /var/lib/bencao --timestamp-key stamp.key",
		Args:    noArgs,
	}
	s := use(cmd, "data", "sign-key", "timestamp-key", "sign-expires")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return s.announcing(cmd, "bencao trust renew", func(dir snapshot.Dir) error {
			if s.signKey == "" && s.timestampKey == "" {
				return usagef("give --timestamp-key, or --sign-key")
			}
			if s.signKey != "" {
				return nil
			}
			p, err := s.publisher()
			if err != nil {
				return err
			}
			return p.Renew(dir)
		})
	}
	return cmd
}

func newTrustShow() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show [FILE]",
		Short:   "Say what a root holds: that of a file, or of the data folder",
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

// announcing does something under the lock of the data folder, and tells
// mirrors of the current snapshot again if there is the key for that.
func (s *settings) announcing(cmd *cobra.Command, purpose string, do func(snapshot.Dir) error) (err error) {
	dir, err := s.folder(cmd)
	if err != nil {
		return err
	}
	opt, err := s.writerOptions(dir, purpose)
	if err != nil {
		return err
	}
	opt.Existing = false // before the first night
	w, err := dir.Lock(opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := do(dir); err != nil || s.signKey == "" {
		return err
	}
	if err := w.Announce(); err != nil && !errors.Is(err, snapshot.ErrNone) {
		return err
	}
	return nil
}

func readRoot(name string) (*trust.Root, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	root, err := trust.ParseRoot(b)
	if err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	return root, nil
}

// writeRoot makes the file of a root that nobody has signed.
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
