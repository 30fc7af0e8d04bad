package main

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"bencao/mappings"

	"github.com/spf13/cobra"
)

// filterFlags has the values of flags for the filters of tables.
type filterFlags struct {
	choices []mappings.Choice
	values  []*string
}

// addFilters adds flags for the filters and orders of tables that pass to cmd. title returns the title
// of a flag's group in the help.
func addFilters(cmd *cobra.Command, tables []string, passes func(mappings.Filter) bool, title func(mappings.Choice) string) (flags filterFlags) {
	flags.choices = mappings.Choices(tables, func(f mappings.Filter) string { return f.Name }, passes)
	for _, c := range flags.choices {
		flags.values = append(flags.values, cmd.Flags().String(flagOf(c.Name), "", c.Describe(false)))
		group(cmd, title(c), flagOf(c.Name))
	}
	return flags
}

// query returns the parameters of the API for a search in a table.
func (flags filterFlags) query(table string) (url.Values, error) {
	query := url.Values{}
	for i, c := range flags.choices {
		switch value := *flags.values[i]; {
		case value == "":
		case !slices.Contains(c.Tables, table):
			return nil, usagef("--%s is for %s; %s have none", flagOf(c.Name), strings.Join(c.Tables, " and "), table)
		default:
			query.Set(c.Name, value)
		}
	}
	return query, nil
}

// flagOf returns the name of the flag for a parameter, such as has-formulas for hasFormulas.
func flagOf(parameter string) string {
	var b strings.Builder
	for _, r := range parameter {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
