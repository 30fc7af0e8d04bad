package main

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"bencao/indexer"
	"github.com/spf13/cobra"

	"github.com/spf13/pflag"
)

// off is the value of a setting for nothing at all.
const off = "off"

// defaultRate is the rate of a new key: ten requests a second.
const defaultRate = 600

// settings are what flags, environment and configuration file may set.
type settings struct {
	data, access, log string
	// paint colours what goes to standard error.
	paint painter

	// serve
	listen, admin, siteURL, license, citeAs, contact string
	trustedProxies                                   []string
	trustAnyProxy                                    bool
	addressRate, namesPerRequest, keepOpen           int
	redis, redisPasswordFile                         string
	explorer                                         bool
	// usageFolder keeps what keys have asked; empty is "usage" in the data folder,
	// off is nowhere.
	usageFolder string

	// index
	source, metricsFile string
	// public is the data folder of the public snapshot; empty is none.
	public     string
	checklists []string // name=path
	gates      indexer.Limits
	keep       int
	signKey    string
	// signExpires is how long mirrors may take what is published for the
	// current snapshot.
	signExpires time.Duration
	// timestampKey signs timestamps alone, trustRoot is what mirrors begin with.
	timestampKey, trustRoot string
	// readers are users whose processes hold snapshots against removal.
	readers []string

	// pull and push: the store that a bucket is in
	endpoint, region, pathStyle string

	// pull
	publicKey string
	// maxAge is how long a snapshot may go without being built or confirmed;
	// zero is any time.
	maxAge time.Duration
	// maxSourceAge is how old the data package may be; zero is any age. Those of
	// checklists stand in checklistFiles.
	maxSourceAge time.Duration

	// shutdownDelay is how long a server that ends goes on while /readyz says so.
	shutdownDelay time.Duration
	// shutdownTimeout is how long its requests may take after that.
	shutdownTimeout time.Duration

	// mail are the addresses that the report of a night goes to, mailFrom the one
	// that it comes from, sendmail the program that takes it, and language what it
	// is written in: without a setting that of the user.
	mail                         []string
	mailFrom, sendmail, language string

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
	{"listen", text(func(s *settings) *string { return &s.listen }, "127.0.0.1:8080", "`address` to answer on: host:port, or unix:/path of a socket"),
		func(c *configFile) []string { return one(c.Listen) }},
	{"admin", text(func(s *settings) *string { return &s.admin }, "127.0.0.1:9090", "`address` of /healthz, /readyz and /metrics; \"off\" for none"),
		func(c *configFile) []string { return one(c.Admin) }},
	{"site-url", text(func(s *settings) *string { return &s.siteURL }, "", "`address` of the site that the url of every record begins with (default http:// and the listen address)"),
		func(c *configFile) []string { return one(c.SiteURL) }},
	{"trusted-proxy", list(func(s *settings) *[]string { return &s.trustedProxies }, "`network` of proxies whose X-Forwarded-For is believed; may be repeated"),
		func(c *configFile) []string { return c.TrustedProxy }},
	{"trust-any-proxy", yes(func(s *settings) *bool { return &s.trustAnyProxy }, "let --trusted-proxy be half of the internet or more: then whoever reaches the server may say that they are anybody"),
		func(c *configFile) []string { return yesOrNo(c.TrustAnyProxy) }},
	{"address-rate", number(func(s *settings) *int { return &s.addressRate }, 60, "requests a minute that an address may send without a valid key"),
		func(c *configFile) []string { return whole(c.AddressRate) }},
	{"names-per-request", number(func(s *settings) *int { return &s.namesPerRequest }, 10, "names of one call of names.matches that count as one request against a limit, 1 to 100"),
		func(c *configFile) []string { return whole(c.NamesPerRequest) }},
	{"redis", text(func(s *settings) *string { return &s.redis }, "", "`address` of a Redis, such as redis://10.0.0.5:6379, in which several servers count limits together"),
		func(c *configFile) []string { return one(c.Limits.Redis) }},
	{"redis-password-file", text(func(s *settings) *string { return &s.redisPasswordFile }, "", "`file` with the password of that Redis (default: $"+redisVariable+")"),
		func(c *configFile) []string { return one(c.Limits.RedisPasswordFile) }},
	{"keep-open", number(func(s *settings) *int { return &s.keepOpen }, 1, "snapshots before the current one that stay open, 0 to 10, for who asks by X-Data-Version to go on with one"),
		func(c *configFile) []string { return whole(c.KeepOpen) }},
	{"explorer", yes(func(s *settings) *bool { return &s.explorer }, "show the data to people as well, as pages, to whom the key \"explorer\" of the access file says"),
		func(c *configFile) []string { return yesOrNo(c.Explorer.Enabled) }},
	{"usage", text(func(s *settings) *string { return &s.usageFolder }, "", "`folder` that keeps what each key has asked (default usage in the data folder); \"off\" keeps it in memory alone"),
		func(c *configFile) []string { return one(c.Usage) }},
	{"license", text(func(s *settings) *string { return &s.license }, "", "`address` of the data's licence, linked from every answer"),
		func(c *configFile) []string { return one(c.License) }},
	{"cite-as", text(func(s *settings) *string { return &s.citeAs }, "", "`address` to cite, linked from every answer"),
		func(c *configFile) []string { return one(c.CiteAs) }},
	{"contact", text(func(s *settings) *string { return &s.contact }, "", "mail `address` of the operator, or the address of a page, which the pages show"),
		func(c *configFile) []string { return one(c.Contact) }},
	{"source", text(func(s *settings) *string { return &s.source }, "", "data package: a `folder or zip` with datapackage.json"),
		func(c *configFile) []string { return one(c.Source) }},
	{"checklist", list(func(s *settings) *[]string { return &s.checklists }, "checklist as `name=path`, the one that counts most first; may be repeated"),
		func(c *configFile) []string { return c.checklistPairs() }},
	{"max-rejected", share(func(s *settings) *float64 { return &s.gates.MaxRejected }, 0.01, "largest share of a table's rows that may be rejected"),
		func(c *configFile) []string { return fraction(c.MaxRejected) }},
	{"max-shrink", share(func(s *settings) *float64 { return &s.gates.MaxShrink }, 0.05, "largest share of a table that may be gone since the last snapshot"),
		func(c *configFile) []string { return fraction(c.MaxShrink) }},
	{"max-growth", share(func(s *settings) *float64 { return &s.gates.MaxGrowth }, 0.5, "largest share by which a table may grow since the last snapshot"),
		func(c *configFile) []string { return fraction(c.MaxGrowth) }},
	{"max-changed", share(func(s *settings) *float64 { return &s.gates.MaxChanged }, 0.1, "largest share of a table's records, or of a column's values, that may differ from the last snapshot's"),
		func(c *configFile) []string { return fraction(c.MaxChanged) }},
	{"max-emptied", share(func(s *settings) *float64 { return &s.gates.MaxEmptied }, 0.05, "largest share of a column's cells that may have become empty"),
		func(c *configFile) []string { return fraction(c.MaxEmptied) }},
	{"max-unmatched", share(func(s *settings) *float64 { return &s.gates.MaxUnmatched }, 0.01, "largest share of species that may have lost their accepted name, or an identifier"),
		func(c *configFile) []string { return fraction(c.MaxUnmatched) }},
	{"allow-rejects", list(func(s *settings) *[]string { return &s.gates.AllowRejects }, "`table` that may have any number of rejected rows, this time; may be repeated"), nil},
	{"allow-shrink", list(func(s *settings) *[]string { return &s.gates.AllowShrink }, "`table` that may shrink as it likes, this time; may be repeated"), nil},
	{"allow-growth", list(func(s *settings) *[]string { return &s.gates.AllowGrowth }, "`table` that may grow as it likes, this time; may be repeated"), nil},
	{"allow-changes", list(func(s *settings) *[]string { return &s.gates.AllowChanges }, "`table or table.column` that may change as it likes, this time; may be repeated"), nil},
	{"allow-empty", list(func(s *settings) *[]string { return &s.gates.AllowEmpty }, "`table or table.column` that may become empty or vanish, this time; may be repeated"), nil},
	{"allow-missing", list(func(s *settings) *[]string { return &s.gates.AllowMissing }, "`table` or checklist:name that may be missing, this time; may be repeated"), nil},
	{"allow-older", list(func(s *settings) *[]string { return &s.gates.AllowOlder }, "`source`, package or checklist:name, that may be older than the last snapshot's, this time; may be repeated"), nil},
	{"allow-moved-guids", list(func(s *settings) *[]string { return &s.gates.AllowMovedGUIDs }, "`table` whose GUIDs may belong to other records than before, this time; may be repeated"), nil},
	{"allow-unfinished", list(func(s *settings) *[]string { return &s.gates.AllowUnfinished }, "`table` or checklist:name whose file may end within a row; may be repeated"),
		func(c *configFile) []string { return c.AllowUnfinished }},
	{"metrics-file", text(func(s *settings) *string { return &s.metricsFile }, "", "`file` for the run's metrics, for Prometheus' textfile collector"),
		func(c *configFile) []string { return one(c.MetricsFile) }},
	{"keep", number(func(s *settings) *int { return &s.keep }, 3, "snapshots to keep, the current one among them"),
		func(c *configFile) []string { return whole(c.Keep) }},
	{"public", text(func(s *settings) *string { return &s.public }, "", "data `folder` for a second snapshot without what keys need scopes for, for open mirrors"),
		func(c *configFile) []string { return one(c.Public) }},
	{"mail", list(func(s *settings) *[]string { return &s.mail }, "mail `address` that the report of a night goes to; may be repeated; \"off\" is none"),
		func(c *configFile) []string { return c.Report.Mail }},
	{"mail-from", text(func(s *settings) *string { return &s.mailFrom }, "", "mail `address` that it comes from (default: this user at this machine)"),
		func(c *configFile) []string { return one(c.Report.From) }},
	{"sendmail", text(func(s *settings) *string { return &s.sendmail }, "/usr/sbin/sendmail", "`program` that takes mail as sendmail does, with -t -i"),
		func(c *configFile) []string { return one(c.Report.Sendmail) }},
	{"lang", text(func(s *settings) *string { return &s.language }, "", "`language` of the report, en or zh (default: that of messages)"),
		func(c *configFile) []string { return one(c.Report.Lang) }},
	{"sign-key", text(func(s *settings) *string { return &s.signKey }, "", "`file` with the key to sign snapshots by, from \"bencao sign-key create\""),
		func(c *configFile) []string { return one(c.SignKey) }},
	{"timestamp-key", text(func(s *settings) *string { return &s.timestampKey }, "", "`file` with the key to sign timestamps by, where the root names one of its own (default: that of sign-key)"),
		func(c *configFile) []string { return one(c.TimestampKey) }},
	{"trust-root", text(func(s *settings) *string { return &s.trustRoot }, "", "`file` with a root of the publisher, from \"bencao trust\"; what does not follow from it is refused"),
		func(c *configFile) []string { return one(c.TrustRoot) }},
	{"sign-expires", func(f *pflag.FlagSet, s *settings, name string) {
		f.DurationVar(&s.signExpires, name, 14*24*time.Hour, "`time` from a night on for which mirrors take its snapshot for the current one")
	}, func(c *configFile) []string { return one(c.SignExpires) }},
	{"reader", list(func(s *settings) *[]string { return &s.readers }, "`user` whose servers keep the snapshot they answer from, beside root and the data folder's owner; may be repeated"),
		func(c *configFile) []string { return c.Reader }},
	{"public-key", text(func(s *settings) *string { return &s.publicKey }, "", "`file` with the publisher's public keys; what is not signed by one is refused"),
		func(c *configFile) []string { return one(c.PublicKey) }},
	{"endpoint", text(func(s *settings) *string { return &s.endpoint }, "", "`address` of the S3 store, such as https://s3.example.org:9000 (default: $AWS_ENDPOINT_URL, or Amazon's of the region)"),
		func(c *configFile) []string { return one(c.Bucket.Endpoint) }},
	{"region", text(func(s *settings) *string { return &s.region }, "", "`region` of the bucket (default: $AWS_REGION, or us-east-1)"),
		func(c *configFile) []string { return one(c.Bucket.Region) }},
	{"path-style", text(func(s *settings) *string { return &s.pathStyle }, "auto", "whether the bucket's name stands in the path, not in the host: auto, always or never"),
		func(c *configFile) []string { return one(c.Bucket.PathStyle) }},
	{"max-source-age", span(func(s *settings) *time.Duration { return &s.maxSourceAge }, 0, "`time`, such as 72h, after which a data package that nobody has made anew is stale; 0 is never"),
		func(c *configFile) []string { return one(c.MaxSourceAge) }},
	{"max-age", span(func(s *settings) *time.Duration { return &s.maxAge }, 0, "`time`, such as 26h, after which a snapshot that nobody has built or confirmed is stale; 0 is never"),
		func(c *configFile) []string { return one(c.MaxAge) }},
	{"shutdown-delay", span(func(s *settings) *time.Duration { return &s.shutdownDelay }, 0, "`time`, such as 10s, for which a server that is told to end goes on answering while /readyz says 503"),
		func(c *configFile) []string { return one(c.ShutdownDelay) }},
	{"shutdown-timeout", span(func(s *settings) *time.Duration { return &s.shutdownTimeout }, 5*time.Second, "`time`, such as 5s, that requests under way may take after that; their connections are then closed"),
		func(c *configFile) []string { return one(c.ShutdownTimeout) }},
	{"log", text(func(s *settings) *string { return &s.log }, "auto", "form of log lines: text, json, or auto: text on a terminal"),
		func(c *configFile) []string { return one(c.Log) }},
}

// text, yes, list, number, span and share make the flag of a setting of that type.
func text(at func(*settings) *string, value, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.StringVar(at(s), name, value, help) }
}

func yes(at func(*settings) *bool, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.BoolVar(at(s), name, false, help) }
}

func list(at func(*settings) *[]string, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.StringArrayVar(at(s), name, nil, help) }
}

func number(at func(*settings) *int, value int, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.IntVar(at(s), name, value, help) }
}

func span(at func(*settings) *time.Duration, value time.Duration, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.DurationVar(at(s), name, value, help) }
}

func share(at func(*settings) *float64, value float64, help string) func(*pflag.FlagSet, *settings, string) {
	return func(f *pflag.FlagSet, s *settings, name string) { f.Float64Var(at(s), name, value, help) }
}

// one, yesOrNo, whole and fraction are a value of the configuration file as a flag
// would give it; nil when the file lacks it.
func one(v *string) []string {
	if v == nil {
		return nil
	}
	return []string{*v}
}

func yesOrNo(v *bool) []string {
	if v == nil {
		return nil
	}
	return []string{strconv.FormatBool(*v)}
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
