package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bencao/internal/contents"
	"bencao/internal/system"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// examineData looks at the data folder and what is in it.
func examineData(ctx context.Context, s *settings) []diagnosis {
	if s.data == "" {
		return []diagnosis{warn("data folder", "give --data, BENCAO_DATA, or data in a configuration file", "is not set, so snapshots are not looked at")}
	}
	dir, err := s.dataFolder()
	if err != nil {
		return []diagnosis{fail("data folder", err, "\"bencao index\" or \"bencao pull\" makes it, if its parent may be written to")}
	}
	all := append([]diagnosis{examineFolder(s), examineLock(dir)}, examineSnapshot(ctx, s, dir)...)
	return append(all, examineTrust(dir)...)
}

// examineFolder looks at the rights on the data folder.
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

// examineLock says who is writing.
func examineLock(dir snapshot.Dir) diagnosis {
	who, err := dir.LockOwner()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return good("lock", "only its owner may ask who holds it")
	case err != nil:
		return fail("lock", err, "")
	case who != "":
		return warn("lock", "wait, or see what that process does; a lock never outlives its process", "held by %s", who)
	}
	return good("lock", "free")
}

// examineSnapshot looks at the current snapshot, its age, the room for another
// one, and how the last night ended.
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

// examineTrust looks at the root from which mirrors trust this publisher, if
// there is one.
func examineTrust(dir snapshot.Dir) []diagnosis {
	const check, mend = "root of trust", trust.NextRoot
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
		return []diagnosis{fail(check, errors.New(found+": it has expired, no mirror follows, and no night begins"), mend)}
	case left < trust.NearEnd:
		return []diagnosis{warn(check, mend, "%s", found)}
	}
	return []diagnosis{good(check, "%s", found)}
}

// openable tells whether a server could open the current snapshot.
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
		return fail("snapshot", fmt.Errorf("%s, and %s are allowed", found, s.maxAge), "see why the nightly run does not run or does not succeed")
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

// examineRoom compares what the disk has left with what a night needs.
func examineRoom(path string, snapshotBytes int64) diagnosis {
	const check = "disk"
	room, err := system.RoomOf(path)
	if err != nil {
		return fail(check, fmt.Errorf("%s: %w", path, err), "")
	}
	found := fmt.Sprintf("%s free, a snapshot has %s", size(room.Free), size(snapshotBytes))
	const mend = "make room, such as with \"bencao prune --keep 1\""
	switch {
	case room.Free < snapshotBytes || room.Free < 1<<20:
		return fail(check, errors.New(found+": the next one does not fit"), mend)
	case room.Free < 2*snapshotBytes:
		return warn(check, mend, "%s: soon the next one does not fit", found)
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
		return fail(check, err, "let this user read it; the next night writes it anew")
	case r.bad() && r.Command == "bencao pull":
		return fail(check, errors.New(r.String()), "see to the publisher, or to the way there, and run \"bencao pull\" again")
	case r.bad():
		return fail(check, errors.New(r.String()), "see last-findings.csv in the data folder, and run \"bencao index\" again")
	}
	return good(check, "%s: %s at %s", r.Command, r.Outcome, r.FinishedAt.Format(time.RFC3339))
}

// examineSources says how old the sources of the last run were.
func examineSources(s *settings) []diagnosis {
	const check = "sources"
	r, err := readLastRun(s.data)
	if err != nil || len(r.Sources) == 0 {
		return nil // the last night says why
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

// leftovers are what crashed runs left behind.
func leftovers(data string) (names []string) {
	for _, pattern := range []string{".tmp-*", ".pull-*", ".old-*"} {
		found, err := filepath.Glob(filepath.Join(data, "snapshots", pattern))
		if err != nil {
			continue // the patterns are right
		}
		for _, f := range found {
			names = append(names, filepath.Base(f))
		}
	}
	return names
}
