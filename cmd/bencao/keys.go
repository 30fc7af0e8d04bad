package main

import (
	"errors"
	"fmt"
	"time"

	"bencao/api/access"

	"github.com/spf13/cobra"
)

// noticed is the end of messages about a change of the access file.
const noticed = "a running server notices within seconds"

// newKeysCmd returns "bencao keys", which manages the access file.
func newKeysCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "keys",
		GroupID: "care",
		Short:   "Make, list, change and remove API keys",
		Long: `keys takes care of the access file, which says who may ask the server from where,
for what, and how often. An edit keeps the order of the keys and the comment at the
head of the file. Edits at the same time wait for each other. A file without its last
line may be cut off, so keys refuses it.`,
		Example: `  bencao keys create --access access.toml --id lab --network 192.0.2.0/24 --scope prescriptions > lab.key
  bencao keys list --access access.toml
  bencao keys disable --access access.toml lab`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newKeysCreate(), newKeysList(), newKeysShow(), newKeysEdit(), newKeysExpire(), newKeysRemove(),
		newKeysSwitch("disable", "Refuse a key until it is enabled again", true),
		newKeysSwitch("enable", "Let a disabled key in again", false))
	return cmd
}

func newKeysCreate() *cobra.Command {
	var r rights
	var id string
	var s *settings
	cmd := &cobra.Command{
		Use:   "create --id ID --network NETWORK …",
		Short: "Make a key and print it, once",
		Long: `create makes a key, adds its hash and its rights to the access file, and prints the
key alone on standard output. It is kept nowhere else: if it is lost, make a new one.
The file is made if it is not there.`,
		Example: `  bencao keys create --access access.toml --id lab --network 192.0.2.0/24 --network 2001:db8::/32 --scope prescriptions --rate 600 --expires 2027-01-01 > lab.key`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.load(cmd, "access"); err != nil {
				return err
			}
			if err := access.CheckID(id); err != nil {
				return usagef("--id: %w", err)
			}
			if len(r.networks) == 0 {
				return usagef("%s needs a network that the key may be used from; add --network, such as --network 192.0.2.0/24", cmd.CommandPath())
			}
			e := access.Entry{ID: id}
			if err := r.apply(cmd, &e); err != nil {
				return err
			}
			secret, err := access.Create(s.access, e)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(cmd.OutOrStdout(), secret.Reveal()); err != nil {
				// Nobody knows a key that was not printed, so remove it.
				return errors.Join(fmt.Errorf("print the key: %w", err), access.Remove(s.access, id))
			}
			cmd.PrintErrf("key %q is made and shown only now; send it as the header X-Api-Key; %s\n", id, noticed)
			if state := e.State(time.Now()); state != "active" {
				cmd.PrintErrf("note that it is already %s\n", state)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "the key's `ID` in logs and commands")
	r.flags(cmd)
	s = use(cmd, "access")
	return cmd
}

func newKeysEdit() *cobra.Command {
	var r rights
	cmd := &cobra.Command{
		Use:   "edit ID",
		Short: "Change the networks, scopes, rate, name, note or expiry of a key",
		Long: `edit changes what its flags say and nothing else. --network and --scope replace the
whole list; --add-network, --drop-network, --add-scope and --drop-scope change it.
An empty value, as in --note "", takes a name, a note or all scopes away.`,
		Example: `  bencao keys edit --access access.toml lab --add-network 198.51.100.7 --rate 1200`,
	}
	r.flags(cmd)
	r.editFlags(cmd)
	return onKey(cmd, func(s *settings, id string) error {
		if err := r.checkEdit(cmd); err != nil {
			return err
		}
		return updateKey(cmd, s.access, id, "changed", func(e *access.Entry) error { return r.apply(cmd, e) })
	})
}

func newKeysExpire() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "expire ID",
		Short: "Let a key end now or on a day",
		Example: `  bencao keys expire --access access.toml lab
  bencao keys expire --access access.toml lab --at 2027-01-01`,
	}
	at := cmd.Flags().String("at", "now", "`WHEN` it ends: now, never, a date (its first moment in UTC), or a date and time with a zone")
	return onKey(cmd, func(s *settings, id string) error {
		when, err := parseExpiry("at", *at)
		if err != nil {
			return err
		}
		said := "expired"
		switch {
		case when.IsZero():
			said = "without an end"
		case when.After(time.Now()):
			said = "valid until " + access.ExpiryText(when)
		}
		return updateKey(cmd, s.access, id, said, func(e *access.Entry) error { e.Expires = when; return nil })
	})
}

func newKeysSwitch(verb, short string, disabled bool) *cobra.Command {
	cmd := &cobra.Command{
		Use:     verb + " ID",
		Short:   short,
		Example: "  bencao keys " + verb + " --access access.toml lab",
	}
	return onKey(cmd, func(s *settings, id string) error {
		return updateKey(cmd, s.access, id, verb+"d", func(e *access.Entry) error { e.Disabled = disabled; return nil })
	})
}

func newKeysRemove() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "remove ID",
		Short:   "Take a key out of the file",
		Long:    `remove takes a key out of the file. "disable" keeps it there.`,
		Example: "  bencao keys remove --access access.toml lab",
	}
	return onKey(cmd, func(s *settings, id string) error {
		if err := access.Remove(s.access, id); err != nil {
			return err
		}
		cmd.PrintErrf("key %q is removed; %s\n", id, noticed)
		return nil
	})
}

// onKey makes cmd a command on one key: it calls do with the settings, those in more among them, and
// the id in the argument. Shells complete the id.
func onKey(cmd *cobra.Command, do func(s *settings, id string) error, more ...string) *cobra.Command {
	s := use(cmd, append(more, "access")...)
	cmd.Args = oneArg("the id of a key")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := s.load(cmd, "access"); err != nil {
			return err
		}
		return do(s, args[0])
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) (ids []string, _ cobra.ShellCompDirective) {
		if err := s.load(cmd, "access"); err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		table, err := access.Read(s.access)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, e := range table.Entries() {
			ids = append(ids, e.ID)
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// updateKey changes the entry of a key and prints its new state. said describes the change.
func updateKey(cmd *cobra.Command, path, id, said string, change func(*access.Entry) error) error {
	e, err := access.Update(path, id, change)
	if err != nil {
		return err
	}
	cmd.PrintErrf("key %q is %s; %s\n", id, said, noticed)
	if state := e.State(time.Now()); state != "active" && state != said {
		cmd.PrintErrf("note that it is still %s\n", state)
	}
	return nil
}
