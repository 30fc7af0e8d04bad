package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bencao/api/access"
	"bencao/indexer"
	"bencao/indexer/sample"
	"bencao/internal/contents"
	"bencao/internal/durable"
	"bencao/internal/system"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"

	"github.com/spf13/cobra"
)

// state is the result of a check, from best to worst.
type state string

const (
	stateOK   state = "ok"
	stateWarn state = "warn"
	stateFail state = "fail"
)

// diagnosis is the result of one check.
type diagnosis struct {
	Check string `json:"check"`
	State state  `json:"state"`
	// Found describes the situation that the check found.
	Found string `json:"found"`
	// Mend is advice, or "" if the state is ok. Its JSON name is part of the output format.
	Mend string `json:"mend"`
}

func newDoctor() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "doctor",
		GroupID: "care",
		Short:   "Look for problems and say how to fix them",
		Long: `Check the configuration, the data folder and the free space on its disk, the current snapshot, the last run, the
sources, the access file, the clock and the ports, with the settings that "bencao index" and "bencao serve" would use.
Nothing is changed.

Exit codes: 0 no check fails (there may be warnings), 1 a check fails, 2 wrong usage.`,
		Example: "  bencao doctor --config /etc/bencao/bencao.toml",
		Args:    noArgs,
	}
	s := use(cmd, "data", "access", "listen", "admin", "source", "checklist", "metrics-file", "trust-keys", "trust-root", "max-age", "max-source-age")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all := examine(s, cmd)
		if err := printDiagnoses(cmd, all, *asJSON); err != nil {
			return err
		}
		for _, d := range all {
			if d.State == stateFail {
				return errUnwell
			}
		}
		return nil
	}
	return cmd
}

// examine loads the settings and makes all checks that they allow.
func examine(s *settings, cmd *cobra.Command) []diagnosis {
	if err := s.load(cmd); err != nil {
		return []diagnosis{fail("config", err, "correct the setting; \"bencao config check\" shows where each comes from")}
	}
	where := s.config
	if where == "" {
		where = "no configuration file; flags, environment and defaults"
	}
	all := []diagnosis{good("config", "%s", where)}
	all = append(all, examineData(cmd.Context(), s)...)
	all = append(all, examineInputs(s)...)
	all = append(all, examineAccess(s)...)
	return append(all, examinePorts(cmd.Context(), s)...)
}

func good(check, format string, args ...any) diagnosis {
	return diagnosis{Check: check, State: stateOK, Found: fmt.Sprintf(format, args...)}
}

func warn(check, advice, format string, args ...any) diagnosis {
	return diagnosis{check, stateWarn, fmt.Sprintf(format, args...), advice}
}

func fail(check string, err error, advice string) diagnosis {
	return diagnosis{check, stateFail, err.Error(), advice}
}

func printDiagnoses(cmd *cobra.Command, all []diagnosis, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(all)
	}
	t := newTable(cmd)
	t.colours = map[string]colour{string(stateOK): green, string(stateWarn): yellow, string(stateFail): red}
	for _, d := range all {
		t.row(d.State, d.Check, d.Found)
		if d.Mend != "" {
			t.row("", "", "→ "+d.Mend)
		}
	}
	return t.write(cmd.OutOrStdout())
}

// examineData checks the data folder and its snapshots.
func examineData(ctx context.Context, s *settings) []diagnosis {
	if s.data == "" {
		return []diagnosis{warn("data folder", "give --data, BENCAO_DATA, or data in a configuration file", "is not set, so snapshots are not looked at")}
	}
	dir, err := s.dataFolder()
	if err != nil {
		return []diagnosis{fail("data folder", err, "\"bencao index\" or \"bencao pull\" makes it, if this user may write to its parent folder")}
	}
	all := append([]diagnosis{examineFolder(s), examineOwners(s), examineLock(dir)}, examineSnapshot(ctx, s, dir)...)
	return append(all, examineTrust(dir)...)
}

// examineFolder checks that not everybody may change the data folder.
func examineFolder(s *settings) diagnosis {
	const check = "data folder"
	info, err := os.Stat(s.data)
	if err != nil {
		return fail(check, err, "")
	}
	if system.Modes && info.Mode().Perm()&0o002 != 0 {
		return fail(check, fmt.Errorf("%s may be changed by everybody (mode %04o)", s.data, info.Mode().Perm()), "run \"chmod o-w "+s.data+"\"")
	}
	if err := system.Writable(s.data); err != nil {
		return warn(check, "that is right for \"bencao serve\"; run \"bencao index\" as the folder's owner", "%s can't be written to by this user (%d)", s.data, os.Getuid())
	}
	if !system.Modes {
		return good(check, "%s", s.data)
	}
	return good(check, "%s, mode %04o", s.data, info.Mode().Perm())
}

// examineOwners reports files of other users in the data folder and in the folder of keys. Such a
// file mostly belongs to root. It can make commands of the data folder's owner fail.
func examineOwners(s *settings) diagnosis {
	const check = "owners"
	foreign, err := durable.Foreign(s.data)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return fail(check, err, "")
	}
	wrong := s.data
	if len(foreign) == 0 {
		if foreign = otherOwner(s.data, s.keyFolder()); len(foreign) == 0 {
			return good(check, "all files belong to the owner of %s", s.data)
		}
		wrong = s.keyFolder()
	}
	return fail(check, fmt.Errorf("%s does not belong to the owner of %s (%d files or folders), so the owner's commands fail", foreign[0], s.data, len(foreign)),
		fmt.Sprintf("run \"chown -R --reference=%s %s\" as root, and later commands as that user: \"runuser -u USER -- bencao …\"", s.data, wrong))
}

// otherOwner returns the files in folder that do not belong to the owner of the folder data. If
// folder itself belongs to another user, it returns only folder.
func otherOwner(data, folder string) []string {
	of, err := os.Stat(data)
	keys, keysErr := os.Stat(folder)
	if err != nil || keysErr != nil {
		return nil // without keys nothing is signed; examineInputs reports other errors
	}
	if user, _, known := system.Owner(of); known {
		if other, _, _ := system.Owner(keys); other != user {
			return []string{folder}
		}
	}
	foreign, _ := durable.Foreign(folder) // the user may not be permitted to read the folder
	return foreign
}

// examineLock names the process that holds the lock of the data folder.
func examineLock(dir snapshot.Dir) diagnosis {
	who, err := dir.LockOwner()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return good("lock", "only the owner of the folder can see who holds it")
	case err != nil:
		return fail("lock", err, "")
	case who != "":
		return warn("lock", "wait, or check what that process does; the lock ends with the process", "held by %s", who)
	}
	return good("lock", "free")
}

// examineSnapshot checks the current snapshot, its age, and the disk space for the next snapshot.
// It also checks the last run of "bencao index" or "bencao pull", the sources of that run, and the
// leftovers of crashed runs.
func examineSnapshot(ctx context.Context, s *settings, dir snapshot.Dir) []diagnosis {
	const check = "snapshot"
	var all []diagnosis
	p, err := dir.Current()
	var m snapshot.Manifest
	if err == nil {
		m, err = dir.Verify(ctx, p.ID, snapshot.Quick)
	}
	if err == nil {
		err = openable(ctx, dir)
	}
	switch {
	case errors.Is(err, snapshot.ErrNone):
		all = append(all, fail(check, err, "run \"bencao index\", or \"bencao pull\" on a mirror"))
	case err != nil:
		all = append(all, fail(check, err, "run \"bencao index\" or \"bencao pull\" again, or \"bencao rollback\" to one of \"bencao snapshots\""))
	default:
		all = append(all, examineAge(s, m, dir.Fresh(m)), examineClock(dir.Fresh(m)))
	}
	all = append(all, examineRoom(dir.Path(), m.Bytes()), examineNight(s))
	all = append(all, examineSources(s)...)
	if left := leftovers(dir.Path()); len(left) > 0 {
		all = append(all, warn("leftovers", "the next \"bencao index\" or \"bencao pull\" clears them, or \"bencao prune\"", "%s", strings.Join(left, ", ")))
	}
	return all
}

// examineTrust checks the root of trust of the data folder, if there is one.
func examineTrust(dir snapshot.Dir) []diagnosis {
	const check, fix = "root of trust", trust.NextRoot
	root, err := trust.Current(dir)
	if errors.Is(err, trust.ErrNoRoot) {
		return nil
	}
	if err != nil {
		return []diagnosis{fail(check, err, "\"bencao trust publish\" puts it there again")}
	}
	found := fmt.Sprintf("root %d, until %s", root.Version(), root.Expires().Format(time.RFC3339))
	switch left := time.Until(root.Expires()); {
	case left <= 0:
		return []diagnosis{fail(check, errors.New(found+": it has expired, no mirror follows, and no nightly build starts"), fix)}
	case left < trust.NearEnd:
		return []diagnosis{warn(check, fix, "%s", found)}
	}
	return []diagnosis{good(check, "%s", found)}
}

// openable returns an error if a server cannot open the current snapshot.
func openable(ctx context.Context, dir snapshot.Dir) error {
	files, err := contents.Current(ctx, dir, contents.All)
	if err != nil {
		return err
	}
	return files.Close()
}

func examineAge(s *settings, m snapshot.Manifest, fresh time.Time) diagnosis {
	age := time.Since(fresh)
	found := fmt.Sprintf("%s is intact: %d files, %s, up to date %s ago", m.ID, len(m.Files), size(m.Bytes()), age.Round(time.Minute))
	if contents.Public(m) {
		found += "; public, without " + strings.ReplaceAll(m.Settings[contents.PublicSetting], " ", ", ")
	}
	if s.maxAge > 0 && age > s.maxAge {
		return fail("snapshot", fmt.Errorf("%s, and %s are allowed", found, s.maxAge), "check why the nightly build does not run or fails")
	}
	return good("snapshot", "%s", found)
}

func examineClock(fresh time.Time) diagnosis {
	now := time.Now().UTC()
	if ahead := fresh.Sub(now); ahead > time.Minute {
		return fail("clock", fmt.Errorf("it is %s, and the current snapshot was last found up to date %s later", now.Format(time.RFC3339), ahead.Round(time.Second)),
			"set the clock of this machine, or of the one that built it; \"timedatectl\" shows whether it is kept right")
	}
	return good("clock", "%s, after the current snapshot", now.Format(time.RFC3339))
}

// examineRoom checks that the disk has space for another snapshot of snapshotBytes bytes.
func examineRoom(path string, snapshotBytes int64) diagnosis {
	const check = "disk"
	room, err := system.RoomOf(path)
	if err != nil {
		return fail(check, fmt.Errorf("%s: %w", path, err), "")
	}
	found := fmt.Sprintf("%s free, a snapshot has %s", size(room.Free), size(snapshotBytes))
	const fix = "make room, such as with \"bencao prune --keep 1\""
	switch {
	case room.Free < snapshotBytes || room.Free < 1<<20:
		return fail(check, errors.New(found+": the next snapshot does not fit"), fix)
	case room.Free < 2*snapshotBytes:
		return warn(check, fix, "%s: only one more snapshot fits", found)
	case room.Files > 0 && room.FilesLeft < 1000:
		return warn(check, "remove small files", "only %d more files fit", room.FilesLeft)
	}
	return good(check, "%s", found)
}

func examineNight(s *settings) diagnosis {
	const check = "last night"
	r, err := readLastRun(s.data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return good(check, "no \"bencao index\" or \"bencao pull\" has run here")
	case err != nil:
		return fail(check, err, "let this user read it; the next run replaces it")
	case r.bad() && r.Command == "bencao pull":
		return fail(check, errors.New(r.String()), "check the publisher and the connection to it, and run \"bencao pull\" again")
	case r.bad():
		return fail(check, errors.New(r.String()), "see last-findings.csv in the data folder, and run \"bencao index\" again")
	}
	return good(check, "%s: %s at %s", r.Command, r.Outcome, r.FinishedAt.Format(time.RFC3339))
}

// examineSources checks the age of the sources that the last run of "bencao index" read.
func examineSources(s *settings) []diagnosis {
	const check = "sources"
	r, err := readLastRun(s.data)
	if err != nil || len(r.Sources) == 0 {
		return nil // examineNight reports the error
	}
	if err := overdue(s, r.Sources, time.Now()); err != nil {
		return []diagnosis{fail(check, err, "see whether the job that exports or fetches it still runs")}
	}
	var all []string
	for _, one := range r.Sources {
		all = append(all, fmt.Sprintf("%s %s", one.Key, one))
	}
	return []diagnosis{good(check, "%s", strings.Join(all, "; "))}
}

// leftovers returns the names of temporary folders that crashed runs left.
func leftovers(data string) (names []string) {
	for _, pattern := range []string{".tmp-*", ".pull-*", ".old-*"} {
		found, err := filepath.Glob(filepath.Join(data, "snapshots", pattern))
		if err != nil {
			continue // cannot fail: the patterns are valid
		}
		for _, f := range found {
			names = append(names, filepath.Base(f))
		}
	}
	return names
}

// examineInputs checks the files outside the data folder that "bencao index" reads and writes.
func examineInputs(s *settings) []diagnosis {
	var all []diagnosis
	inputs, err := s.inputs()
	if err != nil {
		all = append(all, fail("checklist", err, "write name=path"))
	}
	if s.source == sample.Source {
		all = append(all, warn("source", "name your data package as source in the configuration", "the sample data inside the program"))
	} else if s.source != "" {
		inputs = append([]indexer.Input{{Key: "source", Path: s.source}}, inputs...)
	}
	for _, in := range inputs {
		f, err := os.Open(in.Path)
		if err != nil {
			all = append(all, fail(in.Key, err, "put the file there, let this user read it, or correct the path"))
			continue
		}
		info, err := f.Stat()
		if err = errors.Join(err, f.Close()); err != nil {
			all = append(all, fail(in.Key, err, ""))
			continue
		}
		all = append(all, good(in.Key, "%s of %s", in.Path, info.ModTime().UTC().Format(time.RFC3339)))
	}
	if s.metricsFile != "" {
		folder := filepath.Dir(s.metricsFile)
		if err := system.Writable(folder); err != nil {
			all = append(all, fail("metrics file", fmt.Errorf("%s: %w", folder, err), "make the folder, and let the user of \"bencao index\" write there"))
		} else {
			all = append(all, good("metrics file", "%s", s.metricsFile))
		}
	}
	if s.trustRoot != "" {
		if root, err := readRoot(s.trustRoot); err != nil {
			all = append(all, fail("trust-root", err, ""))
		} else {
			all = append(all, good("trust-root", "root %d in %s", root.Version(), s.trustRoot))
		}
	}
	if p, err := s.publisher(); err != nil {
		all = append(all, fail("trust-keys", err, ""))
	} else if p.Nightly != nil {
		all = append(all, good("trust-keys", "%s", p.Nightly))
	} else if s.trustKeys != "" {
		all = append(all, fail("trust-keys", fmt.Errorf("%s has no nightly.key", s.trustKeys), "\"bencao trust init\" makes it"))
	}
	return all
}

// soon is a time before the expiry of a key. The doctor warns about the key within this time.
const soon = 14 * 24 * time.Hour

// examineAccess checks the access file.
func examineAccess(s *settings) []diagnosis {
	const check = "access file"
	if s.access == "" {
		return []diagnosis{warn(check, "\"bencao serve\" needs it: give --access, BENCAO_ACCESS, or access in a configuration file", "is not set")}
	}
	table, err := access.Read(s.access)
	if errors.Is(err, fs.ErrNotExist) {
		return []diagnosis{fail(check, err, "\"bencao keys create\" makes it")}
	}
	if err != nil {
		return []diagnosis{fail(check, err, "correct the file; a running server continues with the previous contents")}
	}
	info, err := os.Stat(s.access)
	if err != nil {
		return []diagnosis{fail(check, err, "")}
	}
	if system.Modes && info.Mode().Perm()&0o022 != 0 {
		return []diagnosis{fail(check, fmt.Errorf("%s may be changed by others (mode %04o)", s.access, info.Mode().Perm()), "run \"chmod go-w "+s.access+"\"")}
	}
	now := time.Now()
	active, ending := 0, []string{}
	for _, e := range table.Entries() {
		if e.State(now) != "active" {
			continue
		}
		active++
		if !e.Expires.IsZero() && e.Expires.Before(now.Add(soon)) {
			ending = append(ending, e.ID)
		}
	}
	var all []diagnosis
	if active == 0 {
		all = append(all, warn(check, "\"bencao keys create\" makes a key", "%s has no key that is active", s.access))
	} else {
		all = append(all, good(check, "%s, %d of %d keys active", s.access, active, len(table.Entries())))
	}
	if len(ending) > 0 {
		all = append(all, warn(check, "\"bencao keys edit ID --expires DATE\" gives more time", "ending within two weeks: %s", strings.Join(ending, ", ")))
	}
	for _, w := range table.Warnings() {
		all = append(all, warn(check, "change it if it is not intended", "%s", w))
	}
	return all
}

// examinePorts checks each address of the server: either a server listens there, or it could.
func examinePorts(ctx context.Context, s *settings) []diagnosis {
	running := examineRunning(ctx, s)
	all := []diagnosis{examinePort(ctx, "listen", s.listen, running)}
	if s.admin != "" && s.admin != off {
		all = append(all, examinePort(ctx, "admin", s.admin, running))
	}
	return all
}

// examineRunning reports whether a server answers at the admin address.
func examineRunning(ctx context.Context, s *settings) bool {
	if s.admin == "" || s.admin == off {
		return false
	}
	_, err := askReady(ctx, s.admin)
	return err == nil
}

func examinePort(ctx context.Context, check, address string, running bool) diagnosis {
	err := examineAddress(ctx, address)
	switch {
	case err == nil:
		return good(check, "%s is free", address)
	case running:
		return good(check, "%s is taken, and a server answers", address)
	}
	return fail(check, err, "stop the program that listens there, or choose another address with --"+check)
}
