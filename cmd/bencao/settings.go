package main

import (
	"os"
	"slices"
	"strings"
	"time"

	"bencao/api"
	"bencao/api/limits/redis"
	"bencao/api/listen"
	"bencao/indexer"
	"bencao/store/snapshot"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// off is the value that turns a setting off.
const off = "off"

// defaultRate is the rate of a new key, in requests per minute.
const defaultRate = 600

// settings holds the value of every setting. After [settings.load], these are the values in force.
// [settings.table] gives the meaning of each.
type settings struct {
	data, access, source, public string
	checklists                   []string // each is name=path
	keep                         int
	herbSources                  string // table or all
	regions                      string

	listen, admin, siteURL string
	trustedProxies         []string

	addressRate int
	redis       string

	explorer                 bool
	mapPicture               string // on or off
	license, citeAs, contact string
	keepOpen                 int
	usageFolder              string // "" means the folder "usage" in the data folder

	limits indexer.Limits
	allow  []string // exceptions from the checks of a build, each as kind=table

	trustKeys, trustRoot string
	trustExpires         time.Duration

	maxAge, maxSourceAge           time.Duration // 0 means any age
	shutdownDelay, shutdownTimeout time.Duration
	metricsFile, log               string

	lang string // of the curator's report: en or zh

	// columns maps column names of the data package to the standard names, by table. Only the
	// configuration file sets columns and checklistFiles.
	columns        map[string]map[string]string
	checklistFiles []fileChecklist

	config string            // path of the configuration file, "" for none
	origin map[string]string // the source of each value in force, by the name of the setting
}

// setting is a row of the table: the flag --name, the variable BENCAO_NAME and a key of the
// configuration file.
type setting struct {
	name string
	to   any // a pointer to the value: a string, bool, int, float64, time.Duration or []string
	init any // the default; nil is the zero value
	help string
	key  string // key in the configuration file, such as "limits.redis"; "" for none
	path bool   // the value in the configuration file is a path relative to that file
	// invalid reports that the value is out of range. want describes the valid values.
	invalid bool
	want    string
}

// settingGroup is a section of the help.
type settingGroup struct {
	title string
	rows  []setting
}

// table lists every setting. To add one, add a field to [settings], a row here and one to
// docs/configuration.md, and name it in the commands that use it.
//
// [settings.load] layers flags, environment and file by hand. The library koanf was tried. It costs
// 1.7 CPU seconds to build, 0.4 MB and 8 modules, and replaces only the 30 lines of that loop. It
// does not say which layer a value comes from, and its TOML parser loses the lines of keys.
func (s *settings) table() []settingGroup {
	return []settingGroup{
		{"Data:", []setting{
			row("data", &s.data, nil, "data `folder` with the snapshots", filePath),
			row("access", &s.access, nil, "access `file` with the keys", filePath),
			row("source", &s.source, nil, "data package: a `folder or zip` with datapackage.json; \"bencao:sample\" is the sample data inside the program", filePath),
			row("checklist", &s.checklists, nil, "checklist as `name=path`, most important first; may be repeated", flagOnly),
			row("public", &s.public, nil, "data `folder` for a second snapshot, without the data that need a scope, for open mirrors", filePath),
			row("herb-sources", &s.herbSources, "table", "species for which formulas with a herb count: table for those of herb_species, all for those of the Chinese Pharmacopoeia too", valid("table or all", slices.Contains([]string{"table", "all"}, s.herbSources))),
			row("regions", &s.regions, nil, "`file` with the names of the regions in which plants grow, in place of those in the program", filePath),
			row("keep", &s.keep, 3, "snapshots to keep, including the current one", valid("1 or more", s.keep >= 1)),
		}},
		{"Addresses:", []setting{
			row("listen", &s.listen, "127.0.0.1:8080", "`address` to answer on: host:port, or unix:/path for a socket", valid("an address such as 127.0.0.1:8080, or unix:/run/bencao/api.sock", isListen(s.listen))),
			row("admin", &s.admin, "127.0.0.1:9090", "`address` of /healthz, /readyz and /metrics; \"off\" for none", valid("an address such as 127.0.0.1:9090, or off", s.admin == "" || s.admin == off || isListen(s.admin))),
			row("site-url", &s.siteURL, nil, "public `address` of the site; the url of every record begins with it (default http:// and the listen address)", valid("an address such as https://plants.example", s.siteURL == "" || isSite(s.siteURL))),
			row("trusted-proxy", &s.trustedProxies, nil, "`network` of proxies whose X-Forwarded-For is believed; may be repeated"),
		}},
		{"Limits:", []setting{
			row("address-rate", &s.addressRate, 60, "requests a minute that an address may send without a valid key", valid("1 or more", s.addressRate >= 1)),
			row("redis", &s.redis, nil, "`address` of a Redis, such as redis://10.0.0.5:6379, that counts requests for several servers together; $"+redisVariable+" is its password", fileKey("limits.redis")),
		}},
		{"Pages and answers:", []setting{
			row("explorer", &s.explorer, nil, "also serve pages for people, with the rights of the key \"explorer\" in the access file", fileKey("explorer.enabled")),
			row("map", &s.mapPicture, "on", "map of the regions in which a species grows, on its page: on or off", fileKey("explorer.map"), valid("on or off", slices.Contains([]string{"on", off}, s.mapPicture))),
			row("keep-open", &s.keepOpen, 1, "earlier snapshots that are open at once, 0 to 10, for clients that ask for one with X-Data-Version: the last ones, and pinned ones", valid("0 to 10", s.keepOpen >= 0 && s.keepOpen <= 10)),
			row("license", &s.license, nil, "`address` of the data's licence, linked from every answer", valid("an address such as https://creativecommons.org/licenses/by/4.0/, with spaces, quotes and angle brackets percent-encoded", s.license == "" || isSite(s.license))),
			row("cite-as", &s.citeAs, nil, "`address` to cite, linked from every answer", valid("an address such as https://doi.org/10.1000/1", s.citeAs == "" || isSite(s.citeAs))),
			row("contact", &s.contact, nil, "mail `address` of the operator, or address of a page, which the pages show", valid("a mail address or the address of a page, such as plants@example.org", s.contact == "" || api.CheckContact(s.contact) == nil)),
		}},
		{"Checks before publishing:", []setting{
			row("max-rejected", &s.limits.MaxRejected, 0.01, "largest share of a table's rows that may be rejected", valid("a share from 0 to 1", isShare(s.limits.MaxRejected))),
			row("max-shrink", &s.limits.MaxShrink, 0.05, "largest share of a table that may have disappeared since the last snapshot", valid("a share from 0 to 1", isShare(s.limits.MaxShrink))),
			row("max-changed", &s.limits.MaxChanged, 0.1, "largest share of a table's records, or of a column's values, that may differ from the last snapshot", valid("a share from 0 to 1", isShare(s.limits.MaxChanged))),
		}},
		{"This run:", []setting{
			row("allow", &s.allow, nil, "let a table, a column (species.author) or a checklist (checklist:wcvp) fail a check, as `kind=table`; kind is one of "+strings.Join(indexer.Exceptions(), ", ")+"; may be repeated"),
		}},
		{"Signatures:", []setting{
			row("trust-keys", &s.trustKeys, nil, "`folder` with the keys that sign for mirrors, from \"bencao trust init\" (default: the name of the data folder with .keys)", filePath),
			row("trust-expires", &s.trustExpires, 14*24*time.Hour, "`time` after which mirrors no longer accept a snapshot as the current one", valid("a time such as 336h", s.trustExpires > 0)),
			row("trust-root", &s.trustRoot, nil, "`file` with the publisher's root of trust, tuf/1.root.json of its data folder; snapshots that the publisher has not signed are refused", filePath),
		}},
		{"Report:", []setting{
			row("lang", &s.lang, "en", "language of the report: en or zh", fileKey("report.lang"), valid("en or zh", slices.Contains([]string{"en", "zh"}, s.lang))),
		}},
		{"Operation:", []setting{
			row("max-source-age", &s.maxSourceAge, nil, "`time`, such as 72h, after which a data package is stale; 0 is never", valid("a time such as 72h", s.maxSourceAge >= 0)),
			row("max-age", &s.maxAge, nil, "`time`, such as 26h, after which a snapshot that was not built or confirmed again is stale; 0 is never", valid("a time such as 26h", s.maxAge >= 0)),
			row("usage", &s.usageFolder, nil, "`folder` in which a server saves when each key was used, and how often (default: usage in the data folder), or \"off\"", filePath),
			row("shutdown-delay", &s.shutdownDelay, nil, "`time`, such as 10s, to keep answering after SIGTERM while /readyz says 503", valid("a time such as 10s", s.shutdownDelay >= 0)),
			row("shutdown-timeout", &s.shutdownTimeout, 5*time.Second, "`time`, such as 5s, for running requests to finish after that; then their connections are closed", valid("a time such as 5s", s.shutdownTimeout > 0)),
			row("metrics-file", &s.metricsFile, nil, "`file` for the metrics of the run, for Prometheus' textfile collector", filePath),
			row("log", &s.log, "auto", "format of the log: text, json, or auto (text on a terminal)", valid("auto, text or json", slices.Contains([]string{"auto", "text", "json"}, s.log))),
		}},
	}
}

// row returns a setting with the given options. Its key in the configuration file is the name with
// underscores for hyphens, unless an option changes the key.
func row(name string, to, init any, help string, options ...func(*setting)) setting {
	r := setting{name: name, to: to, init: init, help: help, key: strings.ReplaceAll(name, "-", "_")}
	for _, o := range options {
		o(&r)
	}
	return r
}

// fileKey sets the key in the configuration file.
func fileKey(k string) func(*setting) { return func(r *setting) { r.key = k } }

// flagOnly removes the key. The configuration file cannot set the setting by a key then.
func flagOnly(r *setting) { r.key = "" }

// filePath marks the setting as a path. In the configuration file, a relative path is relative to
// the folder of that file, and "off" is not a path.
func filePath(r *setting) { r.path = true }

// valid sets the description of the valid values. ok reports whether the present value is valid.
func valid(want string, ok bool) func(*setting) {
	return func(r *setting) { r.want, r.invalid = want, !ok }
}

// rows returns the settings of all groups, in the order in which "config check" shows them.
func (s *settings) rows() (all []setting) {
	for _, g := range s.table() {
		all = append(all, g.rows...)
	}
	return all
}

// allSettings lists the settings without values.
var allSettings = new(settings).rows()

const (
	// configVariable is the environment variable that names the configuration file. The flag
	// --config overrides it.
	configVariable = "BENCAO_CONFIG"
	// keyVariable is the environment variable with the API key for the server at --server. The flag
	// --key-file overrides it.
	keyVariable = "BENCAO_API_KEY"
	// redisVariable is the environment variable with the password for Redis.
	redisVariable = "BENCAO_REDIS_PASSWORD"
)

// isListen reports whether address is a valid address to listen on.
func isListen(address string) bool {
	_, err := listen.Parse(address)
	return err == nil
}

// isShare reports whether x is between 0 and 1.
func isShare(x float64) bool { return x >= 0 && x <= 1 }

// isSite reports whether address is the http or https address of a web page.
func isSite(address string) bool { return api.CheckAddress(address) == nil }

// variable returns the name of the setting's environment variable, such as BENCAO_DATA.
func (r setting) variable() string {
	return "BENCAO_" + strings.ToUpper(strings.ReplaceAll(r.name, "-", "_"))
}

// bind adds the setting's flag to f.
func (r setting) bind(f *pflag.FlagSet) {
	switch to := r.to.(type) {
	case *string:
		*to, _ = r.init.(string)
		f.StringVar(to, r.name, *to, r.help)
	case *bool:
		f.BoolVar(to, r.name, false, r.help)
	case *int:
		*to, _ = r.init.(int)
		f.IntVar(to, r.name, *to, r.help)
	case *float64:
		*to, _ = r.init.(float64)
		f.Float64Var(to, r.name, *to, r.help)
	case *time.Duration:
		*to, _ = r.init.(time.Duration)
		f.DurationVar(to, r.name, *to, r.help)
	case *[]string:
		f.StringArrayVar(to, r.name, nil, r.help)
	}
	if err := f.SetAnnotation(r.name, settingAnnotation, []string{r.name}); err != nil {
		panic(err) // the flag was defined above
	}
}

// settingAnnotation is the key of the annotation that marks a flag as a setting.
const settingAnnotation = "setting"

// bindAll adds the flags of the named settings to cmd, each in its group of the help.
func (s *settings) bindAll(cmd *cobra.Command, names ...string) {
	for _, g := range s.table() {
		for _, r := range g.rows {
			if slices.Contains(names, r.name) {
				r.bind(cmd.Flags())
				group(cmd, g.title, r.name)
			}
		}
	}
}

// use adds the flags of the named settings, and --config, to cmd. After [settings.load], the
// returned settings hold the values in force.
func use(cmd *cobra.Command, names ...string) *settings {
	s := &settings{origin: map[string]string{}}
	s.bindAll(cmd, names...)
	cmd.Flags().StringVar(&s.config, "config", "", "configuration `file` (TOML)")
	return s
}

// load fills in the settings that have no flag on the command line, from the environment and the
// configuration file. Then it checks all values. It returns an error if a required setting has no
// value.
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
	s.columns, s.checklistFiles = file.Columns, file.Checklists
	for _, one := range allSettings {
		f := cmd.Flags().Lookup(one.name)
		if f == nil || f.Annotations[settingAnnotation] == nil {
			continue // cmd lacks the setting; its flag may have the name but another meaning, such as --source of "bencao match"
		}
		values, inFile := file.values[one.name]
		variable, set := os.LookupEnv(one.variable())
		switch {
		case f.Changed:
			s.origin[one.name] = "flag --" + one.name
			continue
		case set:
			s.origin[one.name] = "environment " + one.variable()
			values = []string{variable}
			if f.Value.Type() == "stringArray" {
				values = strings.Fields(variable)
			}
		case inFile:
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
	s.siteURL = strings.TrimRight(s.siteURL, "/")
	for _, name := range required {
		if f := cmd.Flags().Lookup(name); f.Value.String() == "" {
			if cache, err := os.UserCacheDir(); name == "data" && err == nil {
				if _, err := snapshot.At(demoData(cache)).Current(); err == nil {
					return usagef("data is not set; give --data, BENCAO_DATA, or data in a configuration file; the demo's is --data %s", demoData(cache))
				}
			}
			return usagef("%s is not set; give --%s, %s, or %s in a configuration file",
				name, name, setting{name: name}.variable(), strings.ReplaceAll(name, "-", "_"))
		}
	}
	return s.check(cmd)
}

// check returns an error about the first setting of cmd whose value is not valid. It does not open
// the files that the settings name, and makes no connection.
func (s *settings) check(cmd *cobra.Command) error {
	for _, r := range s.rows() {
		if f := cmd.Flags().Lookup(r.name); f != nil && r.invalid {
			return usagef("%s is %s (%s); use %s", r.name, f.Value, s.origin[r.name], r.want)
		}
	}
	if s.redis != "" {
		if err := redis.CheckURL(s.redis); err != nil {
			return usagef("redis (%s): %w", s.origin["redis"], err)
		}
	}
	if s.origin["allow"] == s.config && slices.ContainsFunc(s.allow, func(a string) bool { return !strings.HasPrefix(a, indexer.Unfinished+"=") }) {
		return usagef("allow (%s) may only have %s=TABLE in a configuration file; the other exceptions are for one run", s.config, indexer.Unfinished)
	}
	if _, err := s.inputs(); err != nil {
		return err
	}
	_, err := trusted(s)
	return err
}

// inputs returns the checklists in the order in which the operator gave them.
func (s *settings) inputs() ([]indexer.Input, error) {
	var all []indexer.Input
	for _, pair := range s.checklists {
		key, path, found := strings.Cut(pair, "=")
		if !found || key == "" || path == "" {
			return nil, usagef("checklist %q: write name=path, such as wcvp=wcvp.zip", pair)
		}
		in := indexer.Input{Key: key, Path: path}
		if slices.ContainsFunc(all, func(other indexer.Input) bool { return other.Key == key }) {
			return nil, usagef("checklist %s is given twice; give each a name of its own", key)
		}
		for _, c := range s.checklistFiles {
			if c.Name != key {
				continue
			}
			in.Version = c.Version
			if len(c.Columns) > 0 {
				in.Columns = map[string]map[string]string{"names": c.Columns}
			}
		}
		all = append(all, in)
	}
	return all, nil
}

// checkVariables returns an error for a variable whose name is similar to the name of a setting: that
// is probably a typing error, which would have no effect and go unnoticed. Other variables that
// start with BENCAO_ are allowed, because they may belong to other programs.
func checkVariables(environ []string) error {
	valid := []string{configVariable, keyVariable, redisVariable}
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
