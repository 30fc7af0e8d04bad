package main

import (
	"os"
	"slices"
	"strings"

	"bencao/api"
	"bencao/api/limits"
	"bencao/indexer"
	"bencao/indexer/curator"

	"github.com/spf13/cobra"
)

// load completes the flags of cmd by the environment and the configuration
// file. The settings in required must be set by one of the three.
func (s *settings) load(cmd *cobra.Command, required ...string) error {
	if err := checkVariables(os.Environ()); err != nil {
		return err
	}
	s.paint = painterFor(cmd, cmd.ErrOrStderr())
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
	if err := s.check(cmd); err != nil {
		return err
	}
	if s.language == "" {
		s.language = tongueOf(cmd).code()
	}
	return nil
}

// check looks at what is in force as far as it can be judged without trying.
func (s *settings) check(cmd *cobra.Command) error {
	for _, c := range []struct {
		name, want string
		ok         bool
	}{
		{"listen", "an address such as 127.0.0.1:8080, or unix:/run/bencao/api.sock", isListen(s.listen)},
		{"admin", "an address such as 127.0.0.1:9090, or off", s.admin == "" || s.admin == off || isListen(s.admin)},
		{"log", "auto, text or json", slices.Contains([]string{"auto", "text", "json"}, s.log)},
		{"keep", "1 or more", s.keep >= 1},
		{"max-source-age", "a time such as 72h", s.maxSourceAge >= 0},
		{"max-age", "a time such as 26h", s.maxAge >= 0},
		{"shutdown-delay", "a time such as 10s", s.shutdownDelay >= 0},
		{"shutdown-timeout", "a time such as 5s", s.shutdownTimeout > 0},
		{"sign-expires", "a time such as 336h", s.signExpires > 0},
		{"max-rejected", "a share from 0 to 1", isShare(s.gates.MaxRejected)},
		{"max-shrink", "a share from 0 to 1", isShare(s.gates.MaxShrink)},
		{"max-growth", "a share of 0 or more", s.gates.MaxGrowth >= 0},
		{"max-changed", "a share from 0 to 1", isShare(s.gates.MaxChanged)},
		{"max-emptied", "a share from 0 to 1", isShare(s.gates.MaxEmptied)},
		{"max-unmatched", "a share from 0 to 1", isShare(s.gates.MaxUnmatched)},
		{"address-rate", "1 or more", s.addressRate >= 1},
		{"keep-open", "0 to 10", s.keepOpen >= 0 && s.keepOpen <= 10},
		{"names-per-request", "1 to 100", s.namesPerRequest >= 1 && s.namesPerRequest <= 100},
		{"site-url", "an address such as https://plants.example", s.siteURL == "" || isSite(s.siteURL)},
		{"license", "an address such as https://creativecommons.org/licenses/by/4.0/, with spaces, quotes and angle brackets percent-encoded", s.license == "" || isSite(s.license)},
		{"cite-as", "an address such as https://doi.org/10.1000/1", s.citeAs == "" || isSite(s.citeAs)},
		{"mail", "addresses such as curator@example.org, or off", isMail(s.mail)},
		{"mail-from", "an address such as bencao@example.org", s.mailFrom == "" || isMail([]string{s.mailFrom})},
		{"lang", strings.Join(curator.Languages, " or "), s.language == "" || slices.Contains(curator.Languages, s.language)},
		{"contact", "a mail address or the address of a page, such as plants@example.org", s.contact == "" || api.CheckContact(s.contact) == nil},
	} {
		if f := cmd.Flags().Lookup(c.name); f != nil && !c.ok {
			return usagef("%s is %s (%s); use %s", c.name, f.Value, s.origin[c.name], c.want)
		}
	}
	if s.redis != "" {
		if err := limits.CheckURL(s.redis); err != nil {
			return usagef("redis (%s): %w", s.origin["redis"], err)
		}
	}
	if _, err := s.inputs(); err != nil {
		return err
	}
	if _, err := s.readerIDs(); err != nil {
		return err
	}
	_, err := trusted(s)
	return err
}

// inputs are the checklists in the operator's order.
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

// checkVariables refuses a variable that is nearly the name of a setting: who
// wrote it means something, and would not have it. Others that begin with
// BENCAO_ may be somebody else's.
func checkVariables(environ []string) error {
	valid := []string{configVariable, keyVariable, languageVariable, redisVariable}
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

const (
	// configVariable names the configuration file where there is no --config.
	configVariable = "BENCAO_CONFIG"
	// keyVariable holds a key for a server where there is no --key-file.
	keyVariable = "BENCAO_API_KEY"
	// redisVariable holds the password of Redis where there is no
	// --redis-password-file.
	redisVariable = "BENCAO_REDIS_PASSWORD"
)

// isShare tells whether x is a part of a whole.
func isShare(x float64) bool { return x >= 0 && x <= 1 }
