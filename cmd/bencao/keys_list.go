package main

import (
	"fmt"
	"strings"
	"time"

	"bencao/api/access"

	"github.com/spf13/cobra"
)

// keyJSON is a key as --json prints it. Its fields have the names of the access file.
type keyJSON struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	State string `json:"state"` // active, disabled or expired
	Hash  string `json:"hash"`
	// Networks and Scopes are lists even if they are empty, never null.
	Networks []string `json:"networks"`
	AllowAny bool     `json:"allow_any"`
	Scopes   []string `json:"scopes"`
	Rate     int      `json:"rate"`
	Expires  *string  `json:"expires"` // null means never
	Disabled bool     `json:"disabled"`
	Note     string   `json:"note"`
}

func newKeyJSON(e access.Entry, now time.Time) keyJSON {
	k := keyJSON{
		ID: e.ID, Name: e.Name, State: e.State(now), Hash: e.Hash.String(), Networks: networkTexts(e), AllowAny: e.AllowAny,
		Scopes: e.Scopes.Names(), Rate: e.Rate, Disabled: e.Disabled, Note: e.Note,
	}
	if !e.Expires.IsZero() {
		at := e.Expires.Format(time.RFC3339)
		k.Expires = &at
	}
	return k
}

func networkTexts(e access.Entry) []string {
	out := make([]string, len(e.Networks))
	for i, p := range e.Networks {
		out[i] = p.String()
	}
	return out
}

func newKeysList() *cobra.Command {
	var asJSON bool
	var s *settings
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the keys",
		Example: "  bencao keys list --access access.toml",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.load(cmd, "access"); err != nil {
				return err
			}
			keys, err := readAccess(cmd, s.access)
			if err != nil {
				return err
			}
			now := time.Now()
			if asJSON {
				list := []keyJSON{}
				for _, e := range keys.Entries() {
					list = append(list, newKeyJSON(e, now))
				}
				return printJSON(cmd, list)
			}
			t := newTable(cmd, "ID", "STATE", "RATE", "EXPIRES", "NETWORKS", "SCOPES", "NAME")
			t.colours = map[string]colour{"active": green, "disabled": yellow, "expired": red}
			for _, e := range keys.Entries() {
				t.row(e.ID, e.State(now), e.Rate, expiryOrNever(e), strings.Join(networkTexts(e), ","), e.Scopes, e.Name)
			}
			return t.write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	s = use(cmd, "access")
	return cmd
}

func newKeysShow() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show a key's rights",
		Long:    "show shows what the access file says of a key. The key itself cannot be shown: only its hash is kept.",
		Example: "  bencao keys show --access access.toml lab",
	}
	asJSON := cmd.Flags().Bool("json", false, "print a JSON object")
	return onKey(cmd, func(path, id string) error {
		keys, err := readAccess(cmd, path)
		if err != nil {
			return err
		}
		e, ok := keys.Entry(id)
		if !ok {
			return fmt.Errorf("%w: %q is not in %s; see \"bencao keys list\"", access.ErrNoEntry, id, path)
		}
		if *asJSON {
			return printJSON(cmd, newKeyJSON(e, time.Now()))
		}
		t := newTable(cmd)
		for _, row := range [][2]string{
			{"id", e.ID}, {"name", e.Name}, {"state", e.State(time.Now())}, {"hash", e.Hash.String()},
			{"networks", strings.Join(networkTexts(e), ", ")}, {"scopes", strings.Join(e.Scopes.Names(), ", ")},
			{"rate", fmt.Sprintf("%d requests per minute", e.Rate)}, {"expires", expiryOrNever(e)}, {"note", e.Note},
		} {
			if row[1] != "" {
				t.row(row[0], row[1])
			}
		}
		return t.write(cmd.OutOrStdout())
	})
}

// readAccess reads the access file and prints the warnings about it.
func readAccess(cmd *cobra.Command, path string) (*access.Table, error) {
	table, err := access.Read(path)
	if err != nil {
		return nil, err
	}
	for _, w := range table.Warnings() {
		cmd.PrintErrf("%s: %s\n", path, w)
	}
	return table, nil
}

func expiryOrNever(e access.Entry) string {
	if e.Expires.IsZero() {
		return "never"
	}
	return access.ExpiryText(e.Expires)
}
