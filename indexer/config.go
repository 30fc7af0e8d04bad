package indexer

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bencao/indexer/archive"
	"bencao/indexer/check"
	"bencao/indexer/datapackage"
	"bencao/internal/snapshotfiles"
	"bencao/names/region"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// Config names the sources to index and the directory to publish to.
type Config struct {
	// Data is the data directory. It is created if it does not exist.
	Data string
	// Public is the data directory of a second, public snapshot, built without the tables that
	// require a scope. Empty builds none.
	Public string
	// excluded lists tables of the package that the build ignores.
	excluded []string
	// Package is the data package.
	Package Input
	// Checklists are the lists against which names are matched. If checklists disagree, WCVP takes
	// precedence. Without WCVP, the first checklist in the list does.
	Checklists []Input
	// AllHerbSources makes formulas count for the species that the Chinese Pharmacopoeia gives a
	// herb, besides those of herb_species.
	AllHerbSources bool
	// Regions has the names of the regions in which plants grow. Nil means [region.Default].
	Regions *region.Table
	// Limits prevent a build that lost data from replacing a good snapshot.
	Limits Limits
	// Keep is the number of snapshots to keep, including the current one. Zero means 3.
	Keep int
	// DryRun builds and checks everything but publishes nothing.
	DryRun bool
	// Rebuild builds a snapshot even if the sources have not changed since the current one.
	Rebuild bool
	// Program is the name and version of the program for the manifest.
	Program string
	// TrustKeys is the folder of the keys with which the publisher signs snapshots for mirrors.
	// Empty means [trust.KeyFolder] of Data. The keys are used only if the data directory has a
	// root of trust.
	TrustKeys string
	signer    trust.Publisher
	// TrustExpires is the time for which mirrors may accept a snapshot after a run has published or
	// confirmed it. Zero means 14 days.
	TrustExpires time.Duration
	// MetricsFile is a file for Prometheus' textfile collector, written after every run, successful
	// or not. Empty writes none.
	MetricsFile string
}

// Limits prevent a build that lost data, or in which data lost their meaning, from replacing a good
// snapshot.
type Limits = check.Limits

// RefusedError is returned when a check refused the build, so that the old snapshot stays current.
type RefusedError = check.Error

// Input is one source: a folder, a zip or a file.
type Input struct {
	// Key is the name of a checklist in the operator's configuration, such as wcvp.
	Key string
	// Path is the path of the source. If FS is set, it serves only as a name.
	Path string
	// FS, if not nil, is a folder that holds the source, such as one embedded in the program.
	FS fs.FS
	// Name and Version override the name and version that the source states.
	Name, Version string
	// Columns maps column names of the source to the names that this program uses, for each table
	// of a data package. A checklist has one table, "names".
	Columns map[string]map[string]string
	// Limits bound the size of the source. The zero value means the default limits.
	Limits archive.Limits
}

func (in Input) open() (*archive.Archive, error) {
	if in.FS != nil {
		return archive.FromFS(in.Path, in.FS, in.Limits)
	}
	return archive.Open(in.Path, in.Limits)
}

// Options connects a run to its surroundings. The zero value is ready for use.
type Options struct {
	// Log receives a line for each phase and warnings for the operator. Nil logs nothing.
	Log *slog.Logger
	// Progress, if not nil, is called as each phase advances.
	Progress Progress
	// Now returns the current time. Nil means time.Now.
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

// Exceptions returns the kinds of failures that [Limits.Allow] accepts.
func Exceptions() []string { return check.Exceptions() }

// Unfinished is the one of [Exceptions] that accepts a file that ends within a row. A source may
// need it in every build.
const Unfinished = check.Unfinished

// Tables lists the names of tables that [Limits.Allow] accepts: the tables of a data package,
// and checklist:KEY for each checklist.
func (c Config) Tables() []string {
	all := datapackage.TableNames()
	for _, in := range c.Checklists {
		all = append(all, check.Checklist(in.Key))
	}
	return all
}

// CanAllow reports whether name is valid for [Limits.Allow]. name may be a table, a kind of derived
// data, the package, a checklist (even a removed one), or a column of one of these, such as
// species.author.
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

// FindingsFile returns the path of the file that lists all findings of the last run.
func (c Config) FindingsFile() string {
	_, findings := c.lastFiles()
	return filepath.Join(c.Data, findings)
}

// lastFiles returns the names of the files for the report and the findings in the data directory.
// The names for a dry run differ, so that it does not overwrite the report of the last build.
func (c Config) lastFiles() (report, findings string) {
	if c.DryRun {
		return dryReportName, dryFindingsName
	}
	return LastReport, LastFindings
}

// checkPublic returns an error if the public data directory is the data directory itself, which must
// exist.
func (c Config) checkPublic() error {
	public, err := os.Stat(c.Public)
	if c.Public == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	own, ownErr := os.Stat(c.Data)
	if err := errors.Join(err, ownErr); err != nil {
		return err
	}
	if os.SameFile(own, public) {
		return fmt.Errorf("public: %s is the data folder itself; give a folder of its own", c.Public)
	}
	return nil
}

// checkSameKind returns an error if the data directory holds snapshots of the other kind, full or
// public. Anyone may copy public snapshots, so their directory must not contain a full snapshot.
func (c Config) checkSameKind(dir snapshot.Dir) error {
	list, err := dir.List()
	if err != nil {
		return err
	}
	public := len(c.excluded) > 0
	for _, info := range list {
		switch {
		case info.Err != nil:
		case public && !snapshotfiles.Public(info.Manifest):
			return fmt.Errorf("%s is the folder for public snapshots, but %s in it is a complete one; give public snapshots a folder of their own", dir.Path(), info.ID)
		case !public && snapshotfiles.Public(info.Manifest):
			return fmt.Errorf("%s has public snapshots, such as %s, and a complete one there would be served too; give another folder", dir.Path(), info.ID)
		}
	}
	return nil
}

// content returns the content section of the manifest, except for the record counts.
func (c Config) content(sources []snapshot.Source) snapshot.Content {
	return snapshot.Content{
		Program:  c.Program,
		Schema:   snapshotfiles.Schema(),
		Settings: c.settings(),
		Tables:   map[string]int{},
		Sources:  sources,
	}
}

// excludes reports whether the build ignores a table of the package.
func (c Config) excludes(table string) bool { return slices.Contains(c.excluded, table) }

// settings returns the settings on which the snapshot depends besides its sources.
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
		out[snapshotfiles.PublicSetting] = strings.Join(c.excluded, " ")
	}
	if c.AllHerbSources {
		out["herb sources"] = "all"
	}
	if c.Regions != nil {
		out["regions"] = fmt.Sprintf("%x", sha256.Sum256(c.Regions.Text()))
	}
	for i, in := range c.Checklists {
		out[fmt.Sprintf("checklist %d", i+1)] = in.Key
	}
	return out
}
