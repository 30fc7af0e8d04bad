package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bencao/api/access"
	"bencao/api/listen"
	"bencao/indexer/sample"
	"bencao/internal/durable"
	"bencao/internal/system"

	"github.com/spf13/cobra"
)

func newInit() *cobra.Command {
	p := &setup{settings: &settings{origin: map[string]string{}}}
	cmd := &cobra.Command{
		Use:     "init",
		GroupID: "run",
		Short:   "Write a configuration, an access file and a first key",
		Long: `Write the files of a server: a configuration file, an access file, and a file with a first key, which only you can
read. init prints what it wrote and the next steps. It never overwrites a file.

The key always works from this machine. In a container, --container lets it also work from the address of the bridge, where
requests to a published port come from; with --behind-proxy, the bridge is a trusted proxy instead.

Where the package of Debian or Red Hat is installed, root's files go to /etc/bencao and are those of its services: start
these with "systemctl start bencao-index bencao". Until you name your data as source, they serve the sample data.`,
		Example: `  bencao init
  bencao init --config /etc/bencao/bencao.toml --data /var/lib/bencao --site-url https://plants.example --trusted-proxy 127.0.0.1 --id lab --network 192.0.2.0/24`,
		Args: noArgs,
	}
	p.flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return p.run(cmd) }
	return cmd
}

// setup holds the settings of "bencao init".
type setup struct {
	*settings
	file, id, keyFile string
	keyNetworks       []string
	container, behind bool
	packaged          bool // the files are for the services of the Debian or Red Hat package
	out               io.Writer
}

func (p *setup) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	p.bindAll(cmd, "data", "access", "listen", "site-url", "trusted-proxy", "source", "explorer")
	f.StringVar(&p.file, "config", "bencao.toml", "configuration `file` to write; for root, where the package is installed, "+packageConfig)
	f.StringVar(&p.id, "id", "first", "`ID` of the first key in logs and commands")
	f.StringArrayVar(&p.keyNetworks, "network", nil, "`network` from which the first key works, besides this machine; may be repeated")
	f.StringVar(&p.keyFile, "key-file", "", "`file` for the first key, or - for standard output (default the id with .key, beside the configuration)")
	f.BoolVar(&p.container, "container", false, "this is a container: listen on all its addresses, and expect requests from its bridge")
	f.BoolVar(&p.behind, "behind-proxy", false, "with --container: requests come through a proxy on the host")
	group(cmd, "First key:", "id", "network", "key-file")
	group(cmd, "Container:", "container", "behind-proxy")
}

func (p *setup) run(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("config") && isPackaged() {
		p.packaged, p.file = true, packageConfig
	}
	file := p.file
	if err := p.load(cmd); err != nil {
		return err
	}
	p.file = file
	if p.out = cmd.OutOrStdout(); p.keyFile == "-" {
		p.out = cmd.ErrOrStderr() // standard output gets only the key
	}
	if err := p.complete(); err != nil {
		return err
	}
	if err := p.check(cmd); err != nil {
		return err
	}
	entry, err := p.entry()
	if err != nil {
		return err
	}
	if err := p.write(cmd.OutOrStdout(), entry); err != nil {
		return err
	}
	return p.next()
}

// complete sets the defaults of the settings that have no value.
func (p *setup) complete() error {
	if p.container && p.origin["listen"] == "default" {
		p.listen = ":8080"
	}
	folder, data := filepath.Dir(p.file), packageData
	if !p.packaged {
		data = filepath.Join(folder, "data")
	}
	p.data = cmp.Or(p.data, data)
	p.access = cmp.Or(p.access, filepath.Join(folder, "access.toml"))
	p.keyFile = cmp.Or(p.keyFile, filepath.Join(folder, p.id+".key"))
	p.siteURL = cmp.Or(p.siteURL, "http://"+nearby(p.listen))
	p.source = cmp.Or(p.source, sample.Source)
	paths := []*string{&p.file, &p.data, &p.access}
	if p.source != sample.Source {
		paths = append(paths, &p.source)
	}
	for _, path := range paths {
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

// The paths of the Debian and Red Hat packages, and the users of their services.
// deploy/package/postinst.sh has the same paths and users.
const (
	packageConfig = "/etc/bencao/bencao.toml"
	packageData   = "/var/lib/bencao"
	packageUsage  = "/var/lib/bencao-serve/usage" // usage folder of bencao-serve.service, which cannot write to the data folder
	packageWriter = "bencao-index"
	packageReader = "bencao-serve"
)

// isPackaged reports whether the program runs as root on a system where the Debian or Red Hat
// package has created its folder and users.
func isPackaged() bool {
	_, err := user.Lookup(packageWriter)
	info, statErr := os.Stat(packageData)
	return os.Geteuid() == 0 && err == nil && statErr == nil && info.IsDir()
}

// bridge finds the gateway of the container. Requests to published ports come from the gateway's
// address. If the server runs behind a proxy, bridge adds the address to the trusted proxies,
// otherwise to the networks of the key.
func (p *setup) bridge() error {
	gateway, ok, err := system.Gateway()
	if err != nil {
		return fmt.Errorf("--container: %w", err)
	}
	switch {
	case !ok && len(p.keyNetworks) == 0 && len(p.trustedProxies) == 0:
		_, err = fmt.Fprintln(p.out, "This container has no gateway: without --network or --trusted-proxy nobody outside of it can use the key.")
	case !ok:
	case p.behind:
		p.trustedProxies = append(p.trustedProxies, gateway.String())
	default:
		p.keyNetworks = append(p.keyNetworks, gateway.String())
	}
	return err
}

// entry returns the entry of the first key in the access file. The key has the scope of formulas.
// It works from this machine and from the networks of --network.
func (p *setup) entry() (access.Entry, error) {
	if err := access.CheckID(p.id); err != nil {
		return access.Entry{}, usagef("id: %w", err)
	}
	all, err := networks("network", append([]string{"127.0.0.0/8", "::1/128"}, p.keyNetworks...))
	if err != nil {
		return access.Entry{}, err
	}
	if err := access.TooWide(all); err != nil {
		return access.Entry{}, usagef("network: %w; the first key is for people you know; make other keys with \"bencao keys create --allow-any\"", err)
	}
	return access.Entry{ID: p.id, Networks: all, Scopes: access.Prescriptions, Rate: defaultRate}, nil
}

// write creates the access file, the key file and the configuration file. It returns an error if one
// of these files exists.
func (p *setup) write(stdout io.Writer, entry access.Entry) error {
	for _, path := range []string{p.file, p.access, p.keyFile} {
		if path == "-" {
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s exists already, and init never overwrites a file; move it away, or give other names with --config, --access and --key-file", path)
		} else if !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := durable.MkdirAll(filepath.Dir(path)); err != nil {
			return err
		}
	}
	key, err := access.Create(p.access, entry)
	if err != nil {
		return err
	}
	if p.explorer {
		if _, err := access.Create(p.access, access.Entry{ID: explorerKey, Networks: entry.Networks, Rate: entry.Rate}); err != nil {
			return err
		}
	}
	if p.packaged {
		if err := letGroupRead(p.access, packageReader); err != nil {
			return err
		}
	}
	if p.keyFile == "-" {
		_, err = fmt.Fprintln(stdout, key.Reveal())
	} else {
		err = durable.Create(p.keyFile, []byte(key.Reveal()+"\n"), 0o600)
	}
	if err != nil { // nobody knows the key, so remove it
		return errors.Join(fmt.Errorf("write the key: %w", err), access.Remove(p.access, p.id))
	}
	return durable.Create(p.file, []byte(p.text()), 0o644)
}

// letGroupRead gives the file at path to the group of the user name, which may then read it.
func letGroupRead(path, name string) error {
	u, err := user.Lookup(name)
	if err != nil {
		return err
	}
	group, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	return errors.Join(os.Chown(path, -1, group), os.Chmod(path, 0o640))
}

// text returns the text of the configuration file.
func (p *setup) text() string {
	var b strings.Builder
	set := func(key string, value any) {
		text, err := json.Marshal(value) // a JSON string or list is also valid TOML
		if err != nil {
			panic(err) // cannot fail: the values are texts and lists of texts
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
	if p.explorer {
		b.WriteString("# Pages for people, with the rights of the key \"explorer\".\n")
		set("explorer.enabled", true)
	}
	if p.packaged {
		b.WriteString("# From this age on /readyz says stale, and doctor fails.\n")
		set("max_age", "26h")
		b.WriteString("# Where the server, which may not write the data folder, counts requests by key.\n")
		set("usage", packageUsage)
		b.WriteString("# For Prometheus' node exporter; the folder must exist, and bencao-index must be able to write there.\n")
		b.WriteString("# metrics_file = \"/var/lib/prometheus/node-exporter/bencao.prom\"\n")
	}
	b.WriteString("\n# What \"bencao index\" reads, such as \"/srv/bencao/china-plants.zip\".\n")
	set("source", p.source)
	b.WriteString(`# [[checklist]]
# name = "wcvp"
# path = "/srv/bencao/wcvp.zip"
`)
	return b.String()
}

// here is the address of this machine for the header X-Forwarded-For.
const here = "127.0.0.1"

// forwards reports whether the server trusts this machine as a proxy. A request from this machine
// then needs the header X-Forwarded-For.
func forwards(s *settings) bool {
	if at, err := listen.Parse(s.listen); err == nil && at.Network == "unix" {
		return true
	}
	proxies, err := trusted(s)
	return err == nil && slices.ContainsFunc(proxies, func(n netip.Prefix) bool { return n.Contains(netip.MustParseAddr(here)) })
}

// curl returns a command that sends a request from this machine.
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
	return fmt.Sprintf(`curl -s -H "X-Api-Key: $(cat %s)"%s http://%s/api/v1/stats`, key, extra, nearby(p.listen))
}

// checklistSites lists names and addresses of websites with checklists.
var checklistSites = [][2]string{
	{"World Checklist of Vascular Plants", "https://sftp.kew.org/pub/data-repositories/WCVP/"},
	{"World Flora Online Plant List", "https://wfoplantlist.org/"},
	{"Catalogue of Life China", "http://www.sp2000.org.cn/"},
	{"others", "https://www.checklistbank.org/"},
}

// next prints what init wrote, and the next steps.
func (p *setup) next() error {
	readers := "for you alone, let the server's user read it"
	if p.packaged {
		readers = "the server's user may read it"
	}
	key := p.keyFile
	if key == "-" {
		key = "standard output"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `Written:
  %s  the key %q, for you alone; it is kept nowhere else
  %s  who may ask, edited by "bencao keys"; %s
  %s  the configuration:

`, key, p.id, p.access, readers, p.file)
	for line := range strings.Lines(p.text()) {
		b.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
	}
	b.WriteString("\nNext:\n")
	if p.packaged {
		fmt.Fprintf(&b, `  1. systemctl start bencao-index bencao
  2. systemctl enable --now bencao-index.timer bencao.socket bencao-serve
  3. bencao doctor --config %[1]s
  4. %[2]s
For your own data, name the export of your tables as source in %[1]s, and start bencao-index again.
`, p.file, p.curl())
	} else {
		sites := table{}
		for _, s := range checklistSites {
			sites.row("       "+s[0], " "+s[1])
		}
		fmt.Fprintf(&b, `  1. Export your tables (docs/data-package.md), and name them as source in %[1]s.
  2. Fetch the checklists that names are matched against, and name them there (docs/checklists.md):
%[2]s  3. bencao index --config %[1]s
  4. bencao serve --config %[1]s
  5. bencao doctor --config %[1]s
  6. %[3]s
`, p.file, sites.text(), p.curl())
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}
