package main

import (
	"fmt"

	"bencao/store/snapshot/trust"

	"github.com/spf13/cobra"
)

func newSignKey() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "sign-key",
		GroupID: "care",
		Short:   "Make the key that snapshots are signed by",
		Long: `A publisher signs its snapshots by a key of its own ("bencao index --sign-key FILE"), and mirrors that have the public
half ("bencao pull --public-key FILE") take nothing else, even if somebody has altered the files on the way.`,
		Example: "  bencao sign-key create /etc/bencao/sign.key > publisher.pub",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "create FILE",
		Short: "Make a key pair: the secret in a new file, the public half on standard output",
		Long: `Make a key pair. The secret goes into FILE, which must not be there and which only its owner may read; it is never
printed. The public half goes to standard output: give it to the mirrors by a channel that they trust.`,
		Example: "  bencao sign-key create /etc/bencao/sign.key > publisher.pub",
		Args:    oneArg("the file to make"),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := trust.NewSigningKey()
			if err != nil {
				return err
			}
			if err := key.WriteFile(args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), key.Public())
			return err
		},
	}, &cobra.Command{
		Use:     "show FILE",
		Short:   "Print the public half of a key",
		Example: "  bencao sign-key show /etc/bencao/sign.key > publisher.pub",
		Args:    oneArg("the file with the key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := trust.ReadSigningKey(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), key.Public())
			return err
		},
	})
	return cmd
}
