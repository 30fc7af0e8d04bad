package main

import (
	"fmt"
	"strings"
	"time"

	"bencao/api/access"
	"bencao/api/keyuse"

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
	Use      *useJSON `json:"use"` // null means not known
}

// useJSON is the use of a key. First and Last are null if the key was never used.
type useJSON struct {
	First    *time.Time `json:"first"`
	Last     *time.Time `json:"last"`
	Requests int64      `json:"requests"`
}

// newKeyJSON returns a key. used is the use of all keys, or nil if it is not known.
func newKeyJSON(e access.Entry, now time.Time, used keyuse.Keys) keyJSON {
	k := keyJSON{
		ID: e.ID, Name: e.Name, State: e.State(now), Hash: e.Hash.String(), Networks: networkTexts(e), AllowAny: e.AllowAny,
		Scopes: e.Scopes.Names(), Rate: e.Rate, Disabled: e.Disabled, Note: e.Note,
	}
	if !e.Expires.IsZero() {
		at := e.Expires.Format(time.RFC3339)
		k.Expires = &at
	}
	if used != nil {
		k.Use = &useJSON{}
		if u, ok := used[e.ID]; ok {
			k.Use = &useJSON{&u.First, &u.Last, u.Requests}
		}
	}
	return k
}

// usedKeys returns the use of all keys. It returns nil if no folder is set, or if the folder cannot
// be read.
func (s *settings) usedKeys(cmd *cobra.Command) keyuse.Keys {
	folder := s.usageAt()
	if folder == "" {
		return nil
	}
	used, err := keyuse.Read(folder)
	if err != nil {
		cmd.PrintErrf("the use of keys is not known: %v\n", err)
	}
	return used
}

// usedAt returns the time at which a key was used.
func usedAt(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04")
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
		Use:   "list",
		Short: "List the keys",
		Long: `list lists the keys. With the data folder of a server, or the folder --usage, it also
says when each key was first and last used, and for how many requests. A running
server saves this every ten minutes.`,
		Example: "  bencao keys list --access access.toml\n  bencao keys list --config /etc/bencao/bencao.toml",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.load(cmd, "access"); err != nil {
				return err
			}
			keys, err := readAccess(cmd, s.access)
			if err != nil {
				return err
			}
			now, used := time.Now(), s.usedKeys(cmd)
			if asJSON {
				list := []keyJSON{}
				for _, e := range keys.Entries() {
					list = append(list, newKeyJSON(e, now, used))
				}
				return printJSON(cmd, list)
			}
			heading := []string{"ID", "STATE", "RATE", "EXPIRES"}
			if used != nil {
				heading = append(heading, "FIRST USED", "LAST USED", "REQUESTS")
			}
			t := newTable(append(heading, "NETWORKS", "SCOPES", "NAME")...)
			for _, e := range keys.Entries() {
				row := []any{e.ID, e.State(now), e.Rate, expiryOrNever(e)}
				if used != nil {
					u := used[e.ID]
					row = append(row, usedAt(u.First), usedAt(u.Last), u.Requests)
				}
				t.row(append(row, strings.Join(networkTexts(e), ","), e.Scopes, e.Name)...)
			}
			return t.write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	s = use(cmd, "access", "data", "usage")
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
	return onKey(cmd, func(s *settings, id string) error {
		keys, err := readAccess(cmd, s.access)
		if err != nil {
			return err
		}
		e, ok := keys.Entry(id)
		if !ok {
			return fmt.Errorf("%w: %q is not in %s; see \"bencao keys list\"", access.ErrNoEntry, id, s.access)
		}
		used := s.usedKeys(cmd)
		if *asJSON {
			return printJSON(cmd, newKeyJSON(e, time.Now(), used))
		}
		t := newTable()
		rows := [][2]string{
			{"id", e.ID}, {"name", e.Name}, {"state", e.State(time.Now())}, {"hash", e.Hash.String()},
			{"networks", strings.Join(networkTexts(e), ", ")}, {"scopes", strings.Join(e.Scopes.Names(), ", ")},
			{"rate", fmt.Sprintf("%d requests per minute", e.Rate)}, {"expires", expiryOrNever(e)}, {"note", e.Note},
		}
		if used != nil {
			u := used[e.ID]
			rows = append(rows, [2]string{"first used", usedAt(u.First)}, [2]string{"last used", usedAt(u.Last)}, [2]string{"requests", fmt.Sprint(u.Requests)})
		}
		for _, row := range rows {
			if row[1] != "" {
				t.row(row[0], row[1])
			}
		}
		return t.write(cmd.OutOrStdout())
	}, "data", "usage")
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
