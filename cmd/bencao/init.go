package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"bencao/api/access"
	"bencao/internal/durable"
	"bencao/internal/messages"

	"github.com/spf13/cobra"
)

func newInit() *cobra.Command {
	p := &setup{settings: &settings{origin: map[string]string{}}}
	cmd := &cobra.Command{
		Use:     "init",
		GroupID: "run",
		Short:   "Write a configuration, an access file and a first key, and try them",
		Long: `Write what a server needs: a configuration file, an access file, and a file with a first key, which nobody else may read.
On a terminal it asks for what no flag says; elsewhere, and with --yes, defaults are taken. Nothing that is there is written over.

Then it starts a server with these files for a moment and asks it, as the first curl would: over the snapshot of the data
folder, or, where there is none yet, over the sample that ships inside the program, in a folder of its own that is removed again.

The key may always be used from this machine. In a container, --container lets it be used from the address of the bridge,
which is where requests through a published port come from; with --behind-proxy it is the bridge whose X-Forwarded-For is believed.`,
		Example: `  bencao init
  bencao init --yes --config /etc/bencao/bencao.toml --data /var/lib/bencao --site-url https://plants.example --trusted-proxy 127.0.0.1 --id lab --network 192.0.2.0/24`,
		Args: noArgs,
	}
	p.flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return p.run(cmd) }
	return cmd
}

// setup is what "bencao init" must know.
type setup struct {
	*settings
	file, id, keyFile              string
	keyNetworks                    []string
	container, behind, yes, sample bool
	in                             *bufio.Reader // of a person who is asked; nil for nobody
	out                            io.Writer
	language                       *language
}

func (p *setup) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	p.bindAll(cmd, "data", "access", "listen", "site-url", "trusted-proxy", "trust-any-proxy", "log")
	f.StringVar(&p.file, "config", "bencao.toml", "configuration `file` to write")
	f.StringVar(&p.id, "id", "first", "the first key's `ID` in logs and commands")
	f.StringArrayVar(&p.keyNetworks, "network", nil, "`network` that the first key may be used from, beside this machine; may be repeated")
	f.StringVar(&p.keyFile, "key-file", "", "`file` for the first key, or - for standard output (default the id with .key, beside the configuration)")
	f.BoolVar(&p.container, "container", false, "this is a container: listen on all its addresses, and expect requests from its bridge")
	f.BoolVar(&p.behind, "behind-proxy", false, "with --container: a proxy on the host stands in front")
	f.BoolVar(&p.yes, "yes", false, "ask nothing")
	f.BoolVar(&p.sample, "sample", true, "where there is no snapshot yet, try it on the sample")
}

func (p *setup) run(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	file := p.file
	if err := p.load(cmd); err != nil {
		return err
	}
	p.file, p.language = file, languageOf(cmd)
	if p.out = cmd.OutOrStdout(); p.keyFile == "-" {
		p.out = cmd.ErrOrStderr() // the key goes alone
	}
	if !p.yes && onTerminal(cmd.InOrStdin()) {
		p.in = bufio.NewReader(cmd.InOrStdin())
	}
	if err := p.decide(given); err != nil {
		return err
	}
	if err := p.check(cmd); err != nil {
		return err
	}
	entry, err := p.entry()
	if err != nil {
		return err
	}
	key, err := p.write(cmd.OutOrStdout(), entry)
	if err != nil {
		return err
	}
	if err := p.try(cmd.Context(), key); err != nil {
		return messages.Errorf("the files are written, but the try failed: %w", err)
	}
	return p.next()
}

// decide asks for what no flag says, or takes what is usual.
func (p *setup) decide(given func(string) bool) error {
	if p.container && p.origin["listen"] == "default" {
		p.listen = ":8080"
	}
	folder := filepath.Dir(p.file)
	var proxy, networks string
	for _, q := range []struct {
		flag, question, usual string
		answer                *string
	}{
		{"data", phrase("Data folder, for the snapshots"), filepath.Join(folder, "data"), &p.data},
		{"listen", phrase("Address to answer on"), p.listen, &p.listen},
		{"site-url", phrase("Address of the site, as readers see it"), "", &p.siteURL},
		{"trusted-proxy", phrase("Proxy in front of it, such as 127.0.0.1 for one on this machine; empty for none"), "", &proxy},
		{"id", phrase("A name for the first key"), p.id, &p.id},
		{"network", phrase("Networks it may be used from beside this machine, with spaces between them; empty for none"), "", &networks},
	} {
		if given(q.flag) || strings.HasPrefix(p.origin[q.flag], "environment") {
			continue
		}
		if q.flag == "site-url" {
			q.usual = "http://" + nearby(p.listen)
		}
		var err error
		if *q.answer, err = p.ask(q.question, q.usual); err != nil {
			return err
		}
	}
	p.trustedProxies = append(p.trustedProxies, strings.Fields(proxy)...)
	p.keyNetworks = append(p.keyNetworks, strings.Fields(networks)...)
	if p.access == "" {
		p.access = filepath.Join(folder, "access.toml")
	}
	if p.keyFile == "" {
		p.keyFile = filepath.Join(folder, p.id+".key")
	}
	for _, path := range []*string{&p.file, &p.data, &p.access} {
		var err error
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if p.container {
		return p.bridge()
	}
	return nil
}

// ask returns what a person answers, or what is usual if there is nobody to ask
// or nothing is said.
func (p *setup) ask(question, usual string) (string, error) {
	if p.in == nil {
		return usual, nil
	}
	if _, err := fmt.Fprintf(p.out, "%s [%s]: ", p.language.word(question), usual); err != nil {
		return "", err
	}
	line, err := p.in.ReadString('\n')
	if err != nil {
		return "", messages.Errorf("no answer, nothing is written: %w", err)
	}
	if line = strings.TrimSpace(line); line == "" {
		return usual, nil
	}
	return line, nil
}

// routes is where Linux tells how packets leave.
const routes = "/proc/net/route"

// bridge makes the address from which published ports are asked a network of the
// key, or the trusted proxy.
func (p *setup) bridge() error {
	text, err := os.ReadFile(routes)
	if err != nil {
		return messages.Errorf("--container: %w", err)
	}
	gateway, ok := defaultGateway(string(text))
	switch {
	case !ok && len(p.keyNetworks) == 0 && len(p.trustedProxies) == 0:
		_, err = fmt.Fprintln(p.out, p.language.word("This container has no gateway: without --network or --trusted-proxy nobody outside of it can use the key."))
	case !ok:
	case p.behind:
		p.trustedProxies = append(p.trustedProxies, gateway.String())
	default:
		p.keyNetworks = append(p.keyNetworks, gateway.String())
	}
	return err
}

// defaultGateway finds the gateway of the default route in the text of [routes].
func defaultGateway(text string) (netip.Addr, bool) {
	for line := range strings.Lines(text) {
		var name, to, by string
		if n, err := fmt.Sscan(line, &name, &to, &by); n < 3 || err != nil || to != "00000000" {
			continue
		}
		var a [4]byte
		if n, err := fmt.Sscanf(by, "%02X%02X%02X%02X", &a[3], &a[2], &a[1], &a[0]); n == 4 && err == nil && a != [4]byte{} {
			return netip.AddrFrom4(a), true
		}
	}
	return netip.Addr{}, false
}

// entry is the first key: open data and formulas, from this machine and where
// else is said.
func (p *setup) entry() (access.Entry, error) {
	if err := access.CheckID(p.id); err != nil {
		return access.Entry{}, usagef("id: %w", err)
	}
	all, err := networks("network", append([]string{"127.0.0.0/8", "::1/128"}, p.keyNetworks...))
	if err != nil {
		return access.Entry{}, err
	}
	if i, err := access.TooWide(all); i >= 0 {
		return access.Entry{}, usagef("network: %w; a first key is for those you know, make another by \"bencao keys create --allow-any\"", err)
	}
	return access.Entry{ID: p.id, Networks: all, Scopes: access.Prescriptions, Rate: defaultRate}, nil
}

// write makes the files, none of which may be there, and returns the key.
func (p *setup) write(stdout io.Writer, entry access.Entry) (access.Secret, error) {
	for _, path := range []string{p.file, p.access, p.keyFile} {
		if path == "-" {
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			return access.Secret{}, messages.Errorf("%s is there already, and nothing is written over; take it away, or give other names with --config, --access and --key-file", path)
		} else if !errors.Is(err, os.ErrNotExist) {
			return access.Secret{}, err
		}
		if err := durable.MkdirAll(filepath.Dir(path)); err != nil {
			return access.Secret{}, err
		}
	}
	key, err := access.Create(p.access, entry)
	if err != nil {
		return key, err
	}
	if p.keyFile == "-" {
		_, err = fmt.Fprintln(stdout, key.Reveal())
	} else {
		err = durable.Create(p.keyFile, []byte(key.Reveal()+"\n"), 0o600)
	}
	if err != nil { // a key that nobody has is of no use
		return key, errors.Join(messages.Errorf("write the key: %w", err), access.Remove(p.access, p.id))
	}
	if err := durable.Create(p.file, []byte(p.text()), 0o644); err != nil {
		return key, err
	}
	l := p.language
	_, err = fmt.Fprintf(p.out, "\n%s\n  %s\n  %s\n  %s\n", l.word("Written:"),
		l.say("%s  the configuration", p.file),
		l.say("%s  who may ask, edited by \"bencao keys\"; for you alone, let the server's user read it", p.access),
		l.say("%s  the key %q, for you alone; it is kept nowhere else", p.keyFile, p.id))
	return key, err
}
