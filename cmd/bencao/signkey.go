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
		Short:   "Make a single key for a root of trust",
		Long: `Make a single key for a root of trust, for publishers whose keys are on several machines. "bencao trust init" makes all
keys that one machine needs.`,
		Example: "  bencao sign-key create anna.key > anna.pub",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "create FILE",
		Short: "Make a key pair: the secret in a new file, the public half on standard output",
		Long: `Make a key pair. The secret goes into FILE, which must not be there and which only its owner may read; it is never
printed. The public half goes to standard output: "bencao trust create" takes it.`,
		Example: "  bencao sign-key create anna.key > anna.pub",
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
		Example: "  bencao sign-key show anna.key > anna.pub",
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
