package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"bencao/api/access"

	"github.com/pelletier/go-toml/v2"
)

// configFile is the configuration file. A key that is not here is an error.
type configFile struct {
	Data            *string  `toml:"data"`
	Access          *string  `toml:"access"`
	Listen          *string  `toml:"listen"`
	Admin           *string  `toml:"admin"`
	SiteURL         *string  `toml:"site_url"`
	TrustedProxy    []string `toml:"trusted_proxy"`
	TrustAnyProxy   *bool    `toml:"trust_any_proxy"`
	AddressRate     *int     `toml:"address_rate"`
	NamesPerRequest *int     `toml:"names_per_request"`
	KeepOpen        *int     `toml:"keep_open"`
	Usage           *string  `toml:"usage"`
	License         *string  `toml:"license"`
	CiteAs          *string  `toml:"cite_as"`
	Contact         *string  `toml:"contact"`
	Source          *string  `toml:"source"`
	MaxRejected     *float64 `toml:"max_rejected"`
	MaxShrink       *float64 `toml:"max_shrink"`
	MaxGrowth       *float64 `toml:"max_growth"`
	MaxChanged      *float64 `toml:"max_changed"`
	MaxEmptied      *float64 `toml:"max_emptied"`
	MaxUnmatched    *float64 `toml:"max_unmatched"`
	AllowUnfinished []string `toml:"allow_unfinished"`
	MetricsFile     *string  `toml:"metrics_file"`
	Keep            *int     `toml:"keep"`
	Public          *string  `toml:"public"`
	SignKey         *string  `toml:"sign_key"`
	TimestampKey    *string  `toml:"timestamp_key"`
	TrustRoot       *string  `toml:"trust_root"`
	SignExpires     *string  `toml:"sign_expires"`
	Reader          []string `toml:"reader"`
	PublicKey       *string  `toml:"public_key"`
	MaxAge          *string  `toml:"max_age"`
	MaxSourceAge    *string  `toml:"max_source_age"`
	ShutdownDelay   *string  `toml:"shutdown_delay"`
	ShutdownTimeout *string  `toml:"shutdown_timeout"`
	Log             *string  `toml:"log"`
	// Columns gives, by table of the data package, our name of a column by the
	// file's own.
	Columns   map[string]map[string]string `toml:"columns"`
	Explorer  fileExplorer                 `toml:"explorer"`
	Limits    fileLimits                   `toml:"limits"`
	Bucket    fileBucket                   `toml:"bucket"`
	Report    fileReport                   `toml:"report"`
	Checklist []fileChecklist              `toml:"checklist"`
}

// fileExplorer is the explorer in the configuration file.
type fileExplorer struct {
	Enabled *bool `toml:"enabled"`
}

// fileLimits is what the configuration file says of where limits are counted.
type fileLimits struct {
	Redis             *string `toml:"redis"`
	RedisPasswordFile *string `toml:"redis_password_file"`
}

// fileBucket is what the configuration file says of the store that a bucket is in.
type fileBucket struct {
	Endpoint  *string `toml:"endpoint"`
	Region    *string `toml:"region"`
	PathStyle *string `toml:"path_style"`
}

// fileReport is what the configuration file says of the report of a night.
type fileReport struct {
	Mail     []string `toml:"mail"`
	From     *string  `toml:"mail_from"`
	Sendmail *string  `toml:"sendmail"`
	Lang     *string  `toml:"lang"`
}

// fileChecklist is a checklist in the configuration file.
type fileChecklist struct {
	Name string `toml:"name"`
	Path string `toml:"path"`
	// Version overrides what the checklist says of itself.
	Version string `toml:"version"`
	// MaxAge is how old the list may be, such as 9000h; empty is any age.
	MaxAge string `toml:"max_age"`
	// Columns gives our name of a column by the file's own, for a CSV file.
	Columns map[string]string `toml:"columns"`
}

// maxAge is how old the list may be; zero is any age.
func (l fileChecklist) maxAge() (time.Duration, error) {
	if l.MaxAge == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(l.MaxAge)
	if err == nil && d < 0 {
		err = fmt.Errorf("%s is less than nothing", d)
	}
	return d, err
}

// checklistPairs are the checklists as the flag would give them.
func (c *configFile) checklistPairs() []string {
	var pairs []string
	for _, l := range c.Checklist {
		pairs = append(pairs, l.Name+"="+l.Path)
	}
	return pairs
}

// read fills c from the file at path. Relative paths in it are relative to
// its folder.
func (c *configFile) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return usagef("configuration file: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return usagef("configuration file: %w", err)
	}
	return c.parse(path, text)
}

// maxConfig bounds a configuration file, in bytes.
const maxConfig = 1 << 20

// parse fills c from the text of the file at path.
func (c *configFile) parse(path string, text []byte) error {
	if len(text) > maxConfig {
		return usagef("%s: the file is larger than %d MiB", path, maxConfig>>20)
	}
	if line, why := access.CheckBounds(text); why != "" {
		return usagef("%s:%d: %s", path, line, why)
	}
	dec := toml.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(c); err != nil {
		return &usageError{configError(path, err)}
	}
	for _, p := range []*string{c.Data, c.Access, c.Source, c.MetricsFile, c.Public, c.SignKey, c.TimestampKey, c.TrustRoot, c.PublicKey, c.Limits.RedisPasswordFile, c.Report.Sendmail} {
		if p != nil {
			*p = absolute(path, *p)
		}
	}
	if c.Usage != nil && *c.Usage != off {
		*c.Usage = absolute(path, *c.Usage)
	}
	for i := range c.Checklist {
		l := &c.Checklist[i]
		if l.Name == "" || l.Path == "" {
			return usagef("%s: checklist %d needs a name and a path", path, i+1)
		}
		if _, err := l.maxAge(); err != nil {
			return usagef("%s: checklist %s: max_age is %q; use a time such as 9000h", path, l.Name, l.MaxAge)
		}
		l.Path = absolute(path, l.Path)
	}
	return nil
}

// configError says in which line of the file what is wrong, and what is valid.
func configError(path string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		var lines []string
		for i := range strict.Errors {
			e := &strict.Errors[i]
			row, _ := e.Position()
			key := e.Key()
			valid := validKeys(key[:len(key)-1])
			last := key[len(key)-1]
			lines = append(lines, fmt.Sprintf("%s:%d: unknown key %q; %svalid are %s",
				path, row, strings.Join(key, "."), didYouMean(last, valid), strings.Join(valid, ", ")))
		}
		return errors.New(strings.Join(lines, "\n"))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		row, column := wrong.Position()
		if given, mismatch := strings.CutPrefix(wrong.Error(), "toml: cannot decode TOML "); mismatch {
			given, _, _ = strings.Cut(given, " into ")
			return fmt.Errorf("%s:%d:%d: %s has a value of the kind %s; use %s",
				path, row, column, strings.Join(wrong.Key(), "."), given, wantedValue(wrong.Key()))
		}
		return fmt.Errorf("%s:%d:%d: %s", path, row, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return fmt.Errorf("%s: %w", path, err)
}

// wantedValue says what a key of the configuration file takes.
func wantedValue(key []string) string {
	if len(key) == 0 {
		return "another"
	}
	for f := range keyTable(key[:len(key)-1]).Fields() {
		if f.Tag.Get("toml") != key[len(key)-1] {
			continue
		}
		switch f.Type {
		case reflect.TypeFor[*bool]():
			return valueOf["bool"]
		case reflect.TypeFor[*int]():
			return valueOf["int"]
		case reflect.TypeFor[*float64]():
			return valueOf["float64"]
		case reflect.TypeFor[[]string]():
			return `a list such as ["10.0.0.0/8"]`
		case reflect.TypeFor[fileExplorer]():
			return "a table [explorer]"
		case reflect.TypeFor[fileLimits]():
			return "a table [limits]"
		case reflect.TypeFor[fileBucket]():
			return "a table [bucket]"
		case reflect.TypeFor[fileReport]():
			return "a table [report]"
		case reflect.TypeFor[[]fileChecklist]():
			return "a block [[checklist]] for each"
		case reflect.TypeFor[*string](), reflect.TypeFor[string]():
			return "text in quotation marks"
		}
	}
	return "a table such as [columns.species], with text in quotation marks"
}

// keyTable is the type of a table of the configuration file.
func keyTable(table []string) reflect.Type {
	if len(table) > 0 {
		switch table[0] {
		case "bucket":
			return reflect.TypeFor[fileBucket]()
		case "checklist":
			return reflect.TypeFor[fileChecklist]()
		case "explorer":
			return reflect.TypeFor[fileExplorer]()
		case "limits":
			return reflect.TypeFor[fileLimits]()
		case "report":
			return reflect.TypeFor[fileReport]()
		}
	}
	return reflect.TypeFor[configFile]()
}

// validKeys lists the keys that a table of the configuration file may have.
func validKeys(table []string) []string {
	var keys []string
	for f := range keyTable(table).Fields() {
		keys = append(keys, f.Tag.Get("toml"))
	}
	slices.Sort(keys)
	return keys
}

// absolute makes a path of the configuration file relative to its folder.
func absolute(config, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(config), path)
}
