package main

import (
	"slices"
	"strings"
	"time"

	"bencao/api/access"

	"github.com/spf13/cobra"
)

// rights holds the flags for the rights of a key.
type rights struct {
	networks, addNetworks, dropNetworks []string
	scopes, addScopes, dropScopes       []string
	rate                                int
	expires, name, note                 string
	allowAny                            bool
}

// rightsFlags lists the names of the flags of [rights].
var rightsFlags = []string{
	"network", "add-network", "drop-network", "scope", "add-scope", "drop-scope",
	"rate", "expires", "name", "note", "allow-any",
}

func (r *rights) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&r.networks, "network", nil, "a `NETWORK` or address that the key may be used from; may be repeated")
	f.StringSliceVar(&r.scopes, "scope", nil, "a `SCOPE` beyond the open data, one of "+strings.Join(access.ScopeNames(), ", ")+"; may be repeated")
	f.IntVar(&r.rate, "rate", defaultRate, "`REQUESTS` in a minute")
	f.StringVar(&r.expires, "expires", "never", "`WHEN` it ends: never, now, a date (its first moment in UTC), or a date and time with a zone")
	f.StringVar(&r.name, "name", "", "who holds the key, as `TEXT`")
	f.StringVar(&r.note, "note", "", "a `TEXT` to remember")
	f.BoolVar(&r.allowAny, "allow-any", false, "let a network be wider than an IPv4 /8 or an IPv6 /7")
	completeScopes(cmd, "scope")
	group(cmd, "Rights:", "network", "scope", "rate", "expires", "allow-any")
	group(cmd, "Notes:", "name", "note")
}

func (r *rights) editFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&r.addNetworks, "add-network", nil, "one more `NETWORK`; may be repeated")
	f.StringSliceVar(&r.dropNetworks, "drop-network", nil, "a `NETWORK` that no longer counts; may be repeated")
	f.StringSliceVar(&r.addScopes, "add-scope", nil, "one more `SCOPE`; may be repeated")
	f.StringSliceVar(&r.dropScopes, "drop-scope", nil, "a `SCOPE` that no longer counts; may be repeated")
	completeScopes(cmd, "add-scope", "drop-scope")
	group(cmd, "Rights:", "add-network", "drop-network", "add-scope", "drop-scope")
}

// checkEdit returns an error if the flags of "bencao keys edit" contradict each other or change
// nothing.
func (r *rights) checkEdit(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if !slices.ContainsFunc(rightsFlags, given) {
		return usagef("%s has nothing to change; add one of --%s", cmd.CommandPath(), strings.Join(rightsFlags, ", --"))
	}
	for _, list := range []string{"network", "scope"} {
		for _, verb := range []string{"add", "drop"} {
			if change := verb + "-" + list; given(list) && given(change) {
				return usagef("--%s replaces the whole list, so --%s beside it has no meaning; leave one of them out", list, change)
			}
		}
	}
	return nil
}

// apply sets the rights of e for which flags are given. If e is new, it also sets the defaults of
// the other rights.
func (r *rights) apply(cmd *cobra.Command, e *access.Entry) error {
	given := cmd.Flags().Changed
	if given("network") {
		list, err := networks("--network", r.networks)
		if err != nil {
			return err
		}
		e.Networks = list
	}
	if err := r.changeNetworks(e); err != nil {
		return err
	}
	if err := r.applyScopes(given("scope"), e); err != nil {
		return err
	}
	if given("allow-any") {
		e.AllowAny = r.allowAny
	}
	if err := access.TooWide(e.Networks); err != nil && !e.AllowAny {
		return usagef("%w; add --allow-any if that is meant", err)
	}
	if given("rate") || e.Rate == 0 {
		if r.rate < 1 || r.rate > access.MaxRate {
			return usagef("--rate is %d; use a whole number from 1 to %d, in requests per minute", r.rate, access.MaxRate)
		}
		e.Rate = r.rate
	}
	if given("expires") {
		when, err := parseExpiry("expires", r.expires)
		if err != nil {
			return err
		}
		e.Expires = when
	}
	for _, prose := range []struct {
		flag, text string
		to         *string
	}{{"name", r.name, &e.Name}, {"note", r.note, &e.Note}} {
		if given(prose.flag) {
			if err := access.CheckProse("--"+prose.flag, prose.text); err != nil {
				return usagef("%w", err)
			}
			*prose.to = prose.text
		}
	}
	return nil
}

func (r *rights) changeNetworks(e *access.Entry) error {
	add, err := networks("--add-network", r.addNetworks)
	if err != nil {
		return err
	}
	drop, err := networks("--drop-network", r.dropNetworks)
	if err != nil {
		return err
	}
	listed := strings.Join(networkTexts(*e), ", ")
	for _, p := range drop {
		i := slices.Index(e.Networks, p)
		if i < 0 {
			return usagef("--drop-network %s: key %q does not list it; it lists %s", p, e.ID, listed)
		}
		e.Networks = slices.Delete(e.Networks, i, i+1)
	}
	for _, p := range add {
		if !slices.Contains(e.Networks, p) {
			e.Networks = append(e.Networks, p)
		}
	}
	if len(e.Networks) == 0 {
		return usagef("key %q would work nowhere without a network; disable it instead", e.ID)
	}
	return nil
}

func (r *rights) applyScopes(replace bool, e *access.Entry) error {
	scopes, err := parseScopes("scope", r.scopes)
	if err != nil {
		return err
	}
	add, err := parseScopes("add-scope", r.addScopes)
	if err != nil {
		return err
	}
	drop, err := parseScopes("drop-scope", r.dropScopes)
	if err != nil {
		return err
	}
	if replace {
		e.Scopes = scopes
	}
	e.Scopes = (e.Scopes | add) &^ drop
	return nil
}

// parseExpiry reads the time at which a key expires. It returns the zero time for "never".
func parseExpiry(flag, text string) (time.Time, error) {
	switch text {
	case "never":
		return time.Time{}, nil
	case "now":
		return time.Now().UTC().Truncate(time.Second), nil
	}
	when, err := access.ParseExpiry(text)
	if err != nil {
		return time.Time{}, usagef("--%s: %w, now or never", flag, err)
	}
	return when, nil
}
