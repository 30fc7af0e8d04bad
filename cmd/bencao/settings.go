package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"bencao/store/snapshot"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings are what flags, environment and configuration file may set.
type settings struct {
	data, access, log string

	// serve
	listen, admin, siteURL, license, citeAs string
	trustedProxies                          []string
	addressRate                             int

	// index
	source, metricsFile       string
	checklists                []string // name=path
	maxRejected, maxShrink    float64
	allowRejects, allowShrink []string
	keep                      int
	signKey                   string

	// pull
	publicKey string
	// maxAge is how long a snapshot may go without being built or confirmed;
	// zero is any time.
	maxAge time.Duration

	// columns gives our name of a column by the file's own, by table; it and
	// checklistFiles stand in the configuration file alone.
	columns        map[string]map[string]string
	checklistFiles []fileChecklist

	// config is the configuration file, empty for none.
	config string
	// origin says where each setting in force comes from, by its name.
	origin map[string]string
}

// setting is one row: the flag --name, the variable BENCAO_NAME and the key
// name of the configuration file, each with what stands for a hyphen there.
type setting struct {
	name string
	bind func(f *pflag.FlagSet, s *settings, name string)
	// file returns the values in the configuration file, nil when it has none.
	file func(c *configFile) []string
}

// allSettings lists every setting, in the order in which "config check" shows
// them.
var allSettings = []setting{
	{"data", text(func(s *settings) *string { return &s.data }, "", "data `folder` with the snapshots"),
		func(c *configFile) []string { return one(c.Data) }},
	{"access", text(func(s *settings) *string { return &s.access }, "", "access `file` with the keys"),
		func(c *configFile) []string { return one(c.Access) }},
	{"listen", text(func(s *settings) *string { return &s.listen }, "127.0.0.1:8080", "`address` to answer on"),
		func(c *configFile) []string { return one(c.Listen) }},
	{"admin", text(func(s *settings) *string { return &s.admin }, "127.0.0.1:9090", "`address` of /healthz, /readyz and /metrics; \"off\" for none"),
		func(c *configFile) []string { return one(c.Admin) }},
	{"site-url", text(func(s *settings) *string { return &s.siteURL }, "", "`address` of the site that the url of every record begins with (default http:// and the listen address)"),
		func(c *configFile) []string { return one(c.SiteURL) }},
	{"trusted-proxy", list(func(s *settings) *[]string { return &s.trustedProxies }, "`network` of proxies whose X-Forwarded-For is believed; may be repeated"),
		func(c *configFile) []string { return c.TrustedProxy }},
	{"address-rate", number(func(s *settings) *int { return &s.addressRate }, 60, "requests a minute that an address may send without a valid key"),
		func(c *configFile) []string { return whole(c.AddressRate) }},
	{"license", text(func(s *settings) *string { return &s.license }, "", "`address` of the data's licence, linked from every answer"),
		func(c *configFile) []string { return one(c.License) }},
	{"cite-as", text(func(s *settings) *string { return &s.citeAs }, "", "`address` to cite, linked from every answer"),
		func(c *configFile) []string { return one(c.CiteAs) }},
	{"source", text(func(s *settings) *string { return &s.source }, "", "data package: a `folder or zip` with datapackage.json"),
		func(c *configFile) []string { return one(c.Source) }},
	{"checklist", list(func(s *settings) *[]string { return &s.checklists }, "checklist as `name=path`, the one that counts most first; may be repeated"),
		func(c *configFile) []string { return c.checklistPairs() }},
	{"max-rejected", share(func(s *settings) *float64 { return &s.maxRejected }, 0.01, "largest share of a table's rows that may be rejected"),
		func(c *configFile) []string { return fraction(c.MaxRejected) }},
	{"max-shrink", share(func(s *settings) *float64 { return &s.maxShrink }, 0.05, "largest share of a table that may be gone since the last snapshot"),
		func(c *configFile) []string { return fraction(c.MaxShrink) }},
	{"allow-rejects", list(func(s *settings) *[]string { return &s.allowRejects }, "`table` that may have any number of rejected rows, this time; may be repeated"), nil},
	{"allow-shrink", list(func(s *settings) *[]string { return &s.allowShrink }, "`table` that may shrink as it likes, this time; may be repeated"), nil},
	{"metrics-file", text(func(s *settings) *string { return &s.metricsFile }, "", "`file` for the run's metrics, for Prometheus' textfile collector"),
		func(c *configFile) []string { return one(c.MetricsFile) }},
	{"keep", number(func(s *settings) *int { return &s.keep }, 3, "snapshots to keep, the current one among them"),
		func(c *configFile) []string { return whole(c.Keep) }},
	{"sign-key", text(func(s *settings) *string { return &s.signKey }, "", "`file` with the key to sign snapshots by, from \"bencao sign-key create\""),
		func(c *configFile) []string { return one(c.SignKey) }},
	{"public-key", text(func(s *settings) *string { return &s.publicKey }, "", "`file` with the publisher's public keys; what is not signed by one is refused"),
		func(c *configFile) []string { return one(c.PublicKey) }},
	{"max-age", span(func(s *settings) *time.Duration { return &s.maxAge }, "`time`, such as 26h, after which a snapshot that nobody has built or confirmed is stale; 0 is never"),
		func(c *configFile) []string { return one(c.MaxAge) }},
	{"log", text(func(s *settings) *string { return &s.log }, "auto", "form of log lines: text, json, or auto: text on a terminal"),
		func(c *configFile) []string { return one(c.Log) }},
}

// text, list, number, span and share make the flag of a setting of that type.
func text(at func(*settings) *string, value, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.StringVar(at(s), name, value, help) }
}

func list(at func(*settings) *[]string, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.StringArrayVar(at(s), name, nil, help) }
}

func number(at func(*settings) *int, value int, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.IntVar(at(s), name, value, help) }
}

func span(at func(*settings) *time.Duration, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.DurationVar(at(s), name, 0, help) }
}

func share(at func(*settings) *float64, value float64, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.Float64Var(at(s), name, value, help) }
}

// one, whole and fraction are a value of the configuration file as a flag
// would give it; nil when the file lacks it.
func one(v *string) []string {
	if v == nil {
		return nil
	}
	return []string{*v}
}

func whole(v *int) []string {
	if v == nil {
		return nil
	}
	return []string{strconv.Itoa(*v)}
}

func fraction(v *float64) []string {
	if v == nil {
		return nil
	}
	return []string{strconv.FormatFloat(*v, 'g', -1, 64)}
}

// variable is the setting's name in the environment.
func (s setting) variable() string {
	return "BENCAO_" + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

// checkVariables refuses a variable that is nearly the name of a setting: who
// wrote it means something, and would not have it. Others that begin with
// BENCAO_ may be somebody else's.
func checkVariables(environ []string) error {
	valid := []string{configVariable, keyVariable}
	for _, s := range allSettings {
		valid = append(valid, s.variable())
	}
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "BENCAO_") || slices.Contains(valid, name) {
			continue
		}
		if near := didYouMean(name, valid); near != "" {
			return usagef("environment: %s is no setting; %sunset it if it is meant for something else", name, near)
		}
	}
	return nil
}

// configVariable names the configuration file where there is no --config.
const configVariable = "BENCAO_CONFIG"

// use adds the flags of the named settings to cmd. After [settings.load] they
// hold what is in force.
func use(cmd *cobra.Command, names ...string) *settings {
	s := &settings{origin: map[string]string{}}
	for _, name := range names {
		i := slices.IndexFunc(allSettings, func(x setting) bool { return x.name == name })
		allSettings[i].bind(cmd.Flags(), s, name)
	}
	cmd.Flags().StringVar(&s.config, "config", "", "configuration `file` (TOML)")
	return s
}

// load completes the flags of cmd by the environment and the configuration
// file. The settings in required must be set by one of the three.
func (s *settings) load(cmd *cobra.Command, required ...string) error {
	if err := checkVariables(os.Environ()); err != nil {
		return err
	}
	if path, set := os.LookupEnv(configVariable); set && !cmd.Flags().Changed("config") {
		s.config = path
	}
	var file configFile
	if s.config != "" {
		if err := file.read(s.config); err != nil {
			return err
		}
	}
	s.columns, s.checklistFiles = file.Columns, file.Checklist
	for _, one := range allSettings {
		f := cmd.Flags().Lookup(one.name)
		if f == nil {
			continue
		}
		var values []string
		if one.file != nil {
			values = one.file(&file)
		}
		value, set := os.LookupEnv(one.variable())
		switch {
		case f.Changed:
			s.origin[one.name] = "flag --" + one.name
			continue
		case set:
			s.origin[one.name] = "environment " + one.variable()
			values = []string{value}
			if f.Value.Type() == "stringArray" {
				values = strings.Fields(value)
			}
		case values != nil:
			s.origin[one.name] = s.config
		default:
			s.origin[one.name] = "default"
			continue
		}
		for _, v := range values {
			if err := f.Value.Set(v); err != nil {
				return usagef("%s is %q (%s); use %s", one.name, v, s.origin[one.name], valueOf[f.Value.Type()])
			}
		}
	}
	for _, name := range required {
		if f := cmd.Flags().Lookup(name); f.Value.String() == "" {
			return usagef("%s is not set; give --%s, %s, or %s in a configuration file",
				name, name, setting{name: name}.variable(), strings.ReplaceAll(name, "-", "_"))
		}
	}
	return s.check(cmd)
}

// check looks at what is in force as far as it can be judged without trying.
func (s *settings) check(cmd *cobra.Command) error {
	for _, c := range []struct {
		name, want string
		ok         bool
	}{
		{"listen", "an address such as 127.0.0.1:8080", isListen(s.listen)},
		{"admin", "an address such as 127.0.0.1:9090, or off", s.admin == "" || s.admin == "off" || isListen(s.admin)},
		{"log", "auto, text or json", slices.Contains([]string{"auto", "text", "json"}, s.log)},
		{"keep", "1 or more", s.keep >= 1},
		{"max-age", "a time such as 26h", s.maxAge >= 0},
		{"max-rejected", "a share from 0 to 1", s.maxRejected >= 0 && s.maxRejected <= 1},
		{"max-shrink", "a share from 0 to 1", s.maxShrink >= 0 && s.maxShrink <= 1},
		{"address-rate", "1 or more", s.addressRate >= 1},
		{"site-url", "an address such as https://plants.example", s.siteURL == "" || isSite(s.siteURL)},
		{"license", "an address such as https://creativecommons.org/licenses/by/4.0/", s.license == "" || isSite(s.license)},
		{"cite-as", "an address such as https://doi.org/10.1000/1", s.citeAs == "" || isSite(s.citeAs)},
	} {
		if f := cmd.Flags().Lookup(c.name); f != nil && !c.ok {
			return usagef("%s is %s (%s); use %s", c.name, f.Value, s.origin[c.name], c.want)
		}
	}
	if _, err := s.inputs(); err != nil {
		return err
	}
	_, err := networks("trusted-proxy", s.trustedProxies)
	return err
}

// isListen tells whether text is a host, which may be empty, and a port.
func isListen(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// isSite tells whether text is the address of a page.
func isSite(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// dataFolder is the data folder, which must be there.
func (s *settings) dataFolder() (snapshot.Dir, error) {
	info, err := os.Stat(s.data)
	var e *fs.PathError
	switch {
	case errors.As(err, &e):
		return snapshot.Dir{}, fmt.Errorf("data folder %s: %w; \"bencao index\" makes it", s.data, e.Err)
	case err != nil:
		return snapshot.Dir{}, err
	case !info.IsDir():
		return snapshot.Dir{}, fmt.Errorf("data folder %s is no folder", s.data)
	}
	return snapshot.At(s.data), nil
}

// absolute makes a path of the configuration file relative to its folder.
func absolute(config, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(config), path)
}
