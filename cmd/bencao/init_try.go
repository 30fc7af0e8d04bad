package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bencao/api/access"
	"bencao/api/listen"
	"bencao/internal/messages"
	"bencao/internal/system"
	"bencao/store/snapshot"
)

// text is the configuration file.
func (p *setup) text() string {
	var b strings.Builder
	set := func(key string, value any) {
		text, err := json.Marshal(value) // a text in JSON is one in TOML
		if err != nil {
			panic(err) // texts and lists of texts
		}
		fmt.Fprintf(&b, "%s = %s\n", key, text)
	}
	b.WriteString("# Written by \"bencao init\". \"bencao config check --config FILE\" says what is in force.\n")
	set("data", p.data)
	set("access", p.access)
	set("listen", p.listen)
	set("site_url", p.siteURL)
	if len(p.trustedProxies) > 0 {
		b.WriteString("# The proxy in front; it must overwrite X-Forwarded-For.\n")
		set("trusted_proxy", p.trustedProxies)
	}
	b.WriteString(`
# What "bencao index" reads:
# source = "/srv/bencao/china-plants.zip"
# [[checklist]]
# name = "wcvp"
# path = "/srv/bencao/wcvp.zip"
`)
	return b.String()
}

// trialRequest is what a first request is for, below the server's address.
const trialRequest = "/api/v1/species?q=renshen&pageSize=1"

// try serves for a moment with what was written, and asks.
func (p *setup) try(ctx context.Context, key access.Secret) error {
	trial := *p.settings
	trial.admin, trial.usageFolder, trial.addressRate = off, off, access.DefaultAddressRate
	over := p.language.say("the snapshot in %s", p.data)
	if _, err := snapshot.At(p.data).Current(); errors.Is(err, snapshot.ErrNone) {
		if !p.sample {
			return nil
		}
		answer, err := p.ask(phrase("There is no snapshot yet. Try it on the sample that ships inside?"), p.language.word("yes"))
		if err != nil || !strings.HasPrefix(strings.ToLower(answer), "y") && !strings.HasPrefix(answer, "是") {
			return err
		}
		folder, err := os.MkdirTemp("", "bencao-init-")
		if err != nil {
			return err
		}
		defer clearAway(folder)
		over, trial.data = p.language.word("the sample, in a folder that is removed again"), filepath.Join(folder, "data")
		if _, err := runNight(ctx, &trial, sampleConfig(trial.data), io.Discard); err != nil {
			return err
		}
	}
	said, err := askTrial(ctx, &trial, key)
	if errors.Is(err, system.AddressTaken) {
		fmt.Fprintf(p.out, "\n%s\n", p.language.say("Something listens on %s already; this try uses another port.", p.listen))
		trial.listen = "127.0.0.1:0"
		said, err = askTrial(ctx, &trial, key)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "\n%s\n  %s\n%s\n", p.language.say("Asked a server with these files, over %s:", over), p.curl(), said)
	return err
}

// askTrial serves until it has asked once, and returns the answer.
func askTrial(ctx context.Context, s *settings, key access.Secret) (said string, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var askErr error
	err = serve(ctx, s, io.Discard, moments{ready: func(address string) {
		said, askErr = askOnce(ctx, s, address, key)
		stop()
	}})
	return said, errors.Join(err, askErr)
}

func askOnce(ctx context.Context, s *settings, address string, key access.Secret) (_ string, err error) {
	if at, wrong := listen.Parse(s.listen); wrong == nil && at.Network == "unix" {
		address = s.listen
	}
	client, err := clientOf(address)
	if err != nil {
		return "", err
	}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+nearby(address)+trialRequest, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("X-Api-Key", key.Reveal())
	if forwards(s) {
		req.Header.Set("X-Forwarded-For", here)
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	const shown = 400
	text, err := io.ReadAll(io.LimitReader(resp.Body, shown))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = messages.Errorf("the server answers %s: %s", resp.Status, text)
	}
	return fmt.Sprintf("  %s\n  %s", resp.Status, strings.ToValidUTF8(strings.TrimSpace(string(text)), "")), err
}

// here is this machine, for a server that believes it.
const here = "127.0.0.1"

// forwards tells whether a request from this machine must say for whom it is.
func forwards(s *settings) bool {
	if at, err := listen.Parse(s.listen); err == nil && at.Network == "unix" {
		return true
	}
	proxies, err := trusted(s)
	return err == nil && slices.ContainsFunc(proxies, func(n netip.Prefix) bool { return n.Contains(netip.MustParseAddr(here)) })
}

// curl is the request as a person sends it from this machine.
func (p *setup) curl() string {
	key, extra := p.keyFile, ""
	if key == "-" {
		key = p.id + ".key"
	}
	if forwards(p.settings) {
		extra = fmt.Sprintf(" -H 'X-Forwarded-For: %s'", here)
	}
	if at, err := listen.Parse(p.listen); err == nil && at.Network == "unix" {
		extra += " --unix-socket " + at.Place
	}
	return fmt.Sprintf(`curl -s -H "X-Api-Key: $(cat %s)"%s 'http://%s%s'`, key, extra, nearby(p.listen), trialRequest)
}

// clearAway removes a trial's snapshot, whose folders can't be written. What
// can't be removed stays in the system's folder for such things.
func clearAway(folder string) {
	_ = filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			err = os.Chmod(path, 0o700)
		}
		return err
	})
	_ = os.RemoveAll(folder)
}

// checklistSites are where checklists come from.
var checklistSites = [][2]string{
	{phrase("World Checklist of Vascular Plants"), "https://sftp.kew.org/pub/data-repositories/WCVP/"},
	{phrase("World Flora Online Plant List"), "https://wfoplantlist.org/"},
	{phrase("Catalogue of Life China"), "http://www.sp2000.org.cn/"},
	{phrase("others"), "https://www.checklistbank.org/"},
}

// next says how to go on.
func (p *setup) next() error {
	l := p.language
	sites := table{}
	for _, s := range checklistSites {
		sites.row("       "+l.word(s[0]), " "+s[1])
	}
	_, err := fmt.Fprintf(p.out, "\n%s\n  1. %s\n  2. %s\n%s  3. bencao index --config %[5]s\n  4. bencao serve --config %[5]s\n  5. bencao doctor --config %[5]s\n",
		l.word("Next:"), l.say("Export your tables (docs/data-package.md), and name them as source in %s.", p.file),
		l.word("Fetch the checklists that names are matched against, and name them there (docs/checklists.md):"), sites.text(), p.file)
	return err
}
