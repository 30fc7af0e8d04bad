package main

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		GroupID: "care",
		Short:   "Look at the configuration",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	check := &cobra.Command{
		Use:   "check",
		Short: "Print what is in force and from where",
		Long: `Print every setting that is in force and where it comes from. A flag overrides the environment (BENCAO_ and the
setting's name), which overrides the configuration file, which overrides the default. A key that the file may not
have, or a value that a setting can't take, ends with exit code 2.`,
		Example: "  bencao config check --config bencao.toml",
		Args:    noArgs,
	}
	var names []string
	for _, s := range allSettings {
		names = append(names, s.name)
	}
	s := use(check, names...)
	asJSON := check.Flags().Bool("json", false, "print JSON")
	check.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd); err != nil {
			return err
		}
		if *asJSON {
			return printSettings(cmd, s)
		}
		t := newTable(cmd, "SETTING", "VALUE", "FROM")
		for _, one := range allSettings {
			t.row(one.name, cmd.Flags().Lookup(one.name).Value, s.origin[one.name])
		}
		return t.write(cmd.OutOrStdout())
	}
	cmd.AddCommand(check)
	return cmd
}

// printSettings prints what is in force for a machine.
func printSettings(cmd *cobra.Command, s *settings) error {
	type inForce struct {
		Value string `json:"value"`
		From  string `json:"from"`
	}
	all := map[string]inForce{}
	for _, one := range allSettings {
		all[one.name] = inForce{cmd.Flags().Lookup(one.name).Value.String(), s.origin[one.name]}
	}
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetIndent("", "  ")
	return enc.Encode(all)
}
