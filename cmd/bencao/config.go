package main

import "github.com/spf13/cobra"

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
		Short: "Print the settings in force and where each comes from",
		Long: `Print the settings in force and where each comes from. A flag overrides the environment (BENCAO_ and the setting's
name), which overrides the configuration file, which overrides the default. An unknown key in the file, or a value
that a setting does not accept, ends with exit code 2.`,
		Example: "  bencao config check --config bencao.toml",
		Args:    noArgs,
	}
	var names []string
	for _, r := range allSettings {
		names = append(names, r.name)
	}
	s := use(check, names...)
	asJSON := check.Flags().Bool("json", false, "print JSON")
	check.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.load(cmd); err != nil {
			return err
		}
		type inForce struct {
			Value string `json:"value"`
			From  string `json:"from"`
		}
		all := map[string]inForce{}
		t := newTable("SETTING", "VALUE", "FROM")
		for _, name := range names {
			value := cmd.Flags().Lookup(name).Value.String()
			all[name] = inForce{value, s.origin[name]}
			t.row(name, value, s.origin[name])
		}
		if *asJSON {
			return printJSON(cmd, all)
		}
		return t.write(cmd.OutOrStdout())
	}
	cmd.AddCommand(check)
	return cmd
}
