package indexer

import (
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/check"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/contents"
	"bencao/store/snapshot"
)

// Config says what to build a snapshot from, and where.
type Config struct {
	// Data is the data directory. It is made if it is not there.
	Data string
	// Public, if given, is the data directory of a second snapshot, which is
	// built without the tables that keys need scopes for.
	Public string
	// without are tables that are read as if the package had none of them.
	excluded []string
	// Package is the data package.
	Package Input
	// Checklists are the lists that names are matched against. Where they
	// disagree WCVP wins, then the first.
	Checklists []Input
	// Limits keep a night that lost data from replacing a good one.
	Limits Limits
	// Keep is how many snapshots stay, the current one among them. Zero is 3.
	Keep int
	// DryRun builds and checks everything and publishes nothing.
	DryRun bool
	// Rebuild builds even when the sources are those of the current snapshot.
	Rebuild bool
	// Program is the name and version of the program, for the manifest.
	Program string
	// SignKey signs the snapshot, for mirrors. Nil signs nothing.
	SignKey *snapshot.SigningKey
	// SignKeyFile, if given, is where SignKey is read from. That it can't be
	// is told like every other failure of a run.
	SignKeyFile string
	// TimestampKeyFile, if given, has the key that signs timestamps by the root of
	// trust, if that names one of its own.
	TimestampKeyFile string
	timestampKey     *snapshot.SigningKey
	// SignExpires is how long mirrors may take what a run publishes or confirms
	// for the current snapshot. Zero is 14 days.
	SignExpires time.Duration
	// Readers are users, by number, whose processes hold an old snapshot against
	// removal, beside root and the data directory's owner.
	Readers []int
	// MetricsFile, if given, is written for Prometheus' textfile collector
	// after every run, however it ended.
	MetricsFile string
}

// Limits keep a night that lost data, or in which data lost their meaning, from
// replacing a good one.
type Limits = check.Limits

// RefusedError says that a gate kept the old snapshot.
type RefusedError = check.Error

// Input is one source: a folder, a zip or a file.
type Input struct {
	// Key is what the operator calls a checklist, such as wcvp.
	Key string
	// Path is where it is. It only names the source when FS is given.
	Path string
	// FS, if not nil, is a folder that holds it, such as one embedded in the
	// program.
	FS fs.FS
	// Name and Version win over what the source says of itself.
	Name, Version string
	// Columns gives, by table of a data package, our name of a column by the
	// file's own. A checklist has one table, "names".
	Columns map[string]map[string]string
	// Limits bound what the source may hold. The zero value has limits.
	Limits archive.Limits
}

func (in Input) open() (*archive.Archive, error) {
	if in.FS != nil {
		return archive.FromFS(in.Path, in.FS, in.Limits)
	}
	return archive.Open(in.Path, in.Limits)
}

// Options are how a run shows itself. The zero value is ready for use.
type Options struct {
	// Log takes one line for each phase and for what the operator should
	// know. Nil is silent.
	Log *slog.Logger
	// Progress, if not nil, is told how far each phase has come.
	Progress Progress
	// Mail, if not nil, sends word of a run that published, was refused or failed,
	// before its report is written. That it fails is said in the report, the log
	// and the metrics; the run is no worse for it.
	Mail func(*Report, []finding.Finding) error
	// Now is the clock of the report. Nil is time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Tables lists the names that [Limits] may be lifted for: the tables of a data
// package and, as checklist:KEY, the checklists.
func (c Config) Tables() []string {
	all := datapackage.TableNames()
	for _, in := range c.Checklists {
		all = append(all, check.Checklist(in.Key))
	}
	return all
}

// CanAllow tells whether a gate may be lifted for a name: a table, what is
// derived from tables, the package, a checklist that is or was there, or a
// column of one of them, as in species.author.
func (c Config) CanAllow(name string) bool {
	if strings.HasPrefix(name, check.Checklist("")) {
		return true
	}
	for _, t := range append(c.Tables(), check.NonTables...) {
		if name == t || strings.HasPrefix(name, t+".") {
			return true
		}
	}
	return false
}

// FindingsFile is where all findings of a run are listed after it.
func (c Config) FindingsFile() string {
	_, findings := c.lastFiles()
	return filepath.Join(c.Data, findings)
}

// lastFiles names the files beside the snapshots. A dry run has its own: it
// must not hide how the last night ended.
func (c Config) lastFiles() (report, findings string) {
	if c.DryRun {
		return dryReportName, dryFindingsName
	}
	return LastReport, LastFindings
}

// checkPublic tells what is wrong with the folder for public snapshots.
func (c Config) checkPublic() error {
	if c.Public == "" {
		return nil
	}
	own, err := filepath.Abs(c.Data)
	if err != nil {
		return err
	}
	public, err := filepath.Abs(c.Public)
	if err != nil {
		return err
	}
	if own == public {
		return fmt.Errorf("public: %s is the data folder itself; give a folder of its own", c.Public)
	}
	return nil
}

// separate refuses a data directory that has snapshots of the other kind: who
// may copy the public ones must not find a whole one among them.
func (c Config) checkSameKind(dir snapshot.Dir) error {
	list, err := dir.List()
	if err != nil {
		return err
	}
	public := len(c.excluded) > 0
	for _, info := range list {
		switch {
		case info.Err != nil:
		case public && !contents.Public(info.Manifest):
			return fmt.Errorf("%s is to have public snapshots, and %s there is a whole one; give a folder of their own", dir.Path(), info.ID)
		case !public && contents.Public(info.Manifest):
			return fmt.Errorf("%s has public snapshots, such as %s, and a whole one beside them would be handed out; give another folder", dir.Path(), info.ID)
		}
	}
	return nil
}

// content is what the manifest says before the tables are counted.
func (c Config) content(sources []snapshot.Source) snapshot.Content {
	return snapshot.Content{
		Program:  c.Program,
		Schema:   contents.Schema(),
		Settings: c.settings(),
		Tables:   map[string]int{},
		Sources:  sources,
	}
}

// leavesOut tells whether a table is read as if the package had none of it.
func (c Config) excludes(table string) bool { return slices.Contains(c.excluded, table) }

// settings are those that change what is built from the same sources.
func (c Config) settings() map[string]string {
	out := map[string]string{}
	for _, in := range append([]Input{c.Package}, c.Checklists...) {
		for table, columns := range in.Columns {
			for from, to := range columns {
				out["columns "+in.Key+" "+table+" "+from] = to
			}
		}
	}
	if len(c.excluded) > 0 {
		out[contents.PublicSetting] = strings.Join(c.excluded, " ")
	}
	for i, in := range c.Checklists {
		out[fmt.Sprintf("checklist %d", i+1)] = in.Key
	}
	return out
}
