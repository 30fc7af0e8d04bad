package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bencao/api/access"
	"bencao/indexer"
	"bencao/indexer/sample"
	"bencao/internal/durable"
	"bencao/internal/snapshotfiles"
	"bencao/internal/system"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

func findConfig(p *examined) []diagnosis {
	if p.config == "" {
		return good("no configuration file; flags, environment and defaults")
	}
	return good("%s", p.config)
}

// findFolder checks that not everybody may change the data folder, and that somebody may.
func findFolder(p *examined) []diagnosis {
	if p.data == "" {
		return warn("give --data, BENCAO_DATA, or data in a configuration file", "is not set, so snapshots are not looked at")
	}
	if p.folderErr != nil {
		return fail(p.folderErr, "\"bencao index\" or \"bencao pull\" makes it, if this user may write to its parent folder")
	}
	info, err := os.Stat(p.data)
	if err != nil {
		return fail(err, "")
	}
	if system.Modes && info.Mode().Perm()&0o002 != 0 {
		return fail(fmt.Errorf("%s may be changed by everybody (mode %04o)", p.data, info.Mode().Perm()), "run \"chmod o-w "+p.data+"\"")
	}
	for _, folder := range []string{p.data, filepath.Join(p.data, "snapshots")} {
		info, err := os.Stat(folder)
		if err != nil {
			continue // before the first snapshot
		}
		if system.Modes && info.Mode().Perm()&0o200 == 0 {
			return fail(fmt.Errorf("%s is read-only, even for its owner (mode %04o), so no build or pull can write there", folder, info.Mode().Perm()), "run \"chmod u+w "+folder+"\"")
		}
		if errors.Is(system.Writable(folder), system.ReadOnly) {
			return warn("that is right where only \"bencao serve\" runs; otherwise look in the system's log for errors of the disk, and mount it again for writing", "%s is on a file system that is read-only", folder)
		}
	}
	if err := system.Writable(p.data); err != nil {
		return warn("that is right for \"bencao serve\"; run \"bencao index\" as the folder's owner", "%s can't be written to by this user (%d)", p.data, os.Getuid())
	}
	if !system.Modes {
		return good("%s", p.data)
	}
	return good("%s, mode %04o", p.data, info.Mode().Perm())
}

// findOwners reports files of other users in the data folder and in the folder of keys. Such a file
// mostly belongs to root. It can make commands of the data folder's owner fail.
func findOwners(p *examined) []diagnosis {
	for _, folder := range []string{p.data, p.keyFolder()} {
		foreign, err := durable.Foreign(folder, p.data)
		switch {
		case len(foreign) > 0:
			return fail(fmt.Errorf("%s does not belong to the owner of %s (%d files or folders), so the owner's commands fail", foreign[0], p.data, len(foreign)),
				fmt.Sprintf("run \"chown -R --reference=%s %s\" as root, and later commands as that user: \"runuser -u USER -- bencao …\"", p.data, folder))
		case err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist):
			return fail(err, "")
		}
	}
	return good("all files belong to the owner of %s", p.data)
}

// findLock names the process that holds the lock of the data folder.
func findLock(p *examined) []diagnosis {
	who, err := p.dir.LockOwner()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return good("only the owner of the folder can see who holds it")
	case err != nil:
		return fail(err, "")
	case who != "":
		return warn("wait, or check what that process does; the lock ends with the process", "held by %s", who)
	}
	return good("free")
}

// findSnapshot checks the current snapshot and its age.
func findSnapshot(p *examined) []diagnosis {
	switch err := p.snapshotErr; {
	case errors.Is(err, snapshot.ErrNone):
		return fail(err, "run \"bencao index\", or \"bencao pull\" on a mirror")
	case err != nil:
		return fail(err, "run \"bencao index\" or \"bencao pull\" again, or \"bencao rollback\" to one of \"bencao snapshots\"")
	}
	m := p.manifest
	age := time.Since(p.dir.Fresh(m))
	found := fmt.Sprintf("%s is intact: %d files, %s, up to date %s ago", m.ID, len(m.Files), size(m.Bytes()), age.Round(time.Minute))
	if snapshotfiles.Public(m) {
		found += "; public, without " + strings.ReplaceAll(m.Settings[snapshotfiles.PublicSetting], " ", ", ")
	}
	if p.maxAge > 0 && age > p.maxAge {
		return fail(fmt.Errorf("%s, and %s are allowed", found, p.maxAge), "check why the nightly build does not run or fails")
	}
	return good("%s", found)
}

func findClock(p *examined) []diagnosis {
	if p.snapshotErr != nil {
		return nil
	}
	now := time.Now().UTC()
	if ahead := p.dir.Fresh(p.manifest).Sub(now); ahead > time.Minute {
		return fail(fmt.Errorf("it is %s, and the current snapshot was last found up to date %s later", now.Format(time.RFC3339), ahead.Round(time.Second)),
			"set the clock of this machine, or of the one that built it; \"timedatectl\" shows whether it is kept right")
	}
	return good("%s, after the current snapshot", now.Format(time.RFC3339))
}

// findRoom checks that the disk has space for another snapshot.
func findRoom(p *examined) []diagnosis {
	room, err := system.RoomOf(p.dir.Path())
	if err != nil {
		return fail(fmt.Errorf("%s: %w", p.dir.Path(), err), "")
	}
	one := p.manifest.Bytes()
	found := fmt.Sprintf("%s free, a snapshot has %s", size(room.Free), size(one))
	fix := p.dir.MakeRoom()
	switch {
	case room.Free < one || room.Free < 1<<20:
		return fail(errors.New(found+": the next snapshot does not fit"), fix)
	case room.Free < 2*one:
		return warn(fix, "%s: only one more snapshot fits", found)
	case room.Files > 0 && room.FilesLeft < 1000:
		return warn("remove small files", "only %d more files fit", room.FilesLeft)
	}
	return good("%s", found)
}

// findPins checks the pinned snapshots.
func findPins(p *examined) []diagnosis {
	pins, err := p.dir.Pins()
	all, listErr := p.dir.List()
	if err := errors.Join(err, listErr); err != nil {
		return fail(err, "until then \"bencao prune\" removes nothing")
	}
	var found []diagnosis
	for _, pin := range pins {
		i := slices.IndexFunc(all, func(i snapshot.Info) bool { return i.ID == pin.ID })
		switch {
		case i < 0:
			found = append(found, fail(fmt.Errorf("%s is pinned, but it is not there", pin.ID), "copy it back, or run \"bencao unpin\"")...)
		case all[i].Err != nil:
			found = append(found, fail(fmt.Errorf("%s is pinned: %w", pin.ID, all[i].Err), "copy it again, or run \"bencao unpin\"")...)
		case snapshotfiles.SameSchema(all[i].Manifest) != nil:
			found = append(found, warn("serve it with the program that built it: see docs/cite.md", "%s is pinned, but this program cannot answer from it: %v", pin.ID, snapshotfiles.SameSchema(all[i].Manifest))...)
		}
	}
	if line := pinnedLine(all); line != "" {
		found = append(found, good("%s", line)...)
	}
	return found
}

// findNight checks the last run of "bencao index" or "bencao pull".
func findNight(p *examined) []diagnosis {
	r, err := p.run, p.runErr
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return good("no \"bencao index\" or \"bencao pull\" has run here")
	case err != nil:
		return fail(err, "let this user read it; the next run replaces it")
	case r.bad() && r.Command == "bencao pull":
		return fail(errors.New(r.String()), "check the publisher and the connection to it, and run \"bencao pull\" again")
	case r.Outcome == string(indexer.Held):
		return warn("mend a source, or run \"bencao rollback --release\"", "%s", r)
	case r.bad():
		return fail(errors.New(r.String()), "see last-findings.csv in the data folder, and run \"bencao index\" again")
	}
	return good("%s: %s at %s", r.Command, r.Outcome, r.FinishedAt.Format(time.RFC3339))
}

// findSources checks the age of the sources that the last run of "bencao index" read.
func findSources(p *examined) []diagnosis {
	if p.runErr != nil || len(p.run.Sources) == 0 {
		return nil // findNight reports the error
	}
	if err := overdue(p.settings, p.run.Sources, time.Now()); err != nil {
		return fail(err, "see whether the job that exports or fetches it still runs")
	}
	var all []string
	for _, one := range p.run.Sources {
		all = append(all, fmt.Sprintf("%s %s", one.Key, one))
	}
	return good("%s", strings.Join(all, "; "))
}

// findTrust checks the roots of trust of the data folder and of the folder of public snapshots.
func findTrust(p *examined) (all []diagnosis) {
	for _, dir := range trust.Dirs(p.data, p.public) {
		all = append(all, findRoot(p, dir)...)
		all = append(all, findSignature(p, dir)...)
	}
	return all
}

// findSignature checks whether the stored metadata of a root of trust name the current snapshot.
func findSignature(p *examined, dir snapshot.Dir) []diagnosis {
	const fix = "run \"bencao pull\" without --no-trust on a mirror, or \"bencao trust renew\" on a publisher"
	at, err := dir.Current()
	if err != nil {
		return nil // findSnapshot reports the error
	}
	if p.run.NoTrust && dir == p.dir {
		return warn(fix, "%s", unsigned)
	}
	sig, err := trust.Signed(dir, at)
	switch {
	case errors.Is(err, trust.ErrNoRoot):
		return nil // findRoot reports a root that is lost
	case err != nil:
		return fail(fmt.Errorf("%s: %w", dir.Path(), err), fix)
	case sig.Latest != at:
		return warn(fix, "%s is signed under root %d, seen at %s; %s has been signed since", at.ID, sig.Root, sig.Seen.Format(time.RFC3339), sig.Latest.ID)
	}
	return good("%s is signed under root %d, seen at %s", at.ID, sig.Root, sig.Seen.Format(time.RFC3339))
}

// findRoot checks the root of trust of a data folder or of a folder of public snapshots.
func findRoot(p *examined, dir snapshot.Dir) []diagnosis {
	const fix = trust.NextRoot
	public := p.public != "" && dir == snapshot.At(p.public)
	root, err := trust.Current(dir)
	if errors.Is(err, trust.ErrNoRoot) {
		keys, err := p.publisher()
		if err == nil {
			err = indexer.CheckTrust(keys, dir)
		}
		switch {
		case err != nil:
			return fail(err, "")
		case keys.Nightly != nil && public:
			return warn(trust.CopyRoot, "%s has no root of trust, so mirrors cannot check its snapshots", dir.Path())
		}
		return nil
	}
	if err != nil {
		return fail(err, "copy the last tuf/N.root.json of the data folder to tuf/root.json")
	}
	found := fmt.Sprintf("root %d, until %s", root.Version(), root.Expires().Format(time.RFC3339))
	if public {
		found = dir.Path() + ": " + found
	}
	switch left := time.Until(root.Expires()); {
	case left <= 0:
		return fail(errors.New(found+": it has expired, no mirror follows, and no nightly build starts"), fix)
	case left < trust.NearEnd:
		return warn(fix, "%s", found)
	}
	return good("%s", found)
}

// findInputs checks the files that "bencao index" reads: the data package and the checklists.
func findInputs(p *examined) (all []diagnosis) {
	inputs, err := p.inputs()
	if err != nil {
		all = append(all, fail(err, "write name=path")...)
	}
	if p.source == sample.Source {
		all = append(all, warn("name your data package as source in the configuration", "source is the sample data inside the program")...)
	} else if p.source != "" {
		inputs = append([]indexer.Input{{Key: "source", Path: p.source}}, inputs...)
	}
	for _, in := range inputs {
		f, err := os.Open(in.Path)
		if err != nil {
			all = append(all, fail(fmt.Errorf("%s: %w", in.Key, err), "put the file there, let this user read it, or correct the path")...)
			continue
		}
		info, err := f.Stat()
		if err = errors.Join(err, f.Close()); err != nil {
			all = append(all, fail(fmt.Errorf("%s: %w", in.Key, err), "")...)
			continue
		}
		all = append(all, good("%s: %s of %s", in.Key, in.Path, info.ModTime().UTC().Format(time.RFC3339))...)
	}
	return all
}

func findMetricsFile(p *examined) []diagnosis {
	if p.metricsFile == "" {
		return nil
	}
	folder := filepath.Dir(p.metricsFile)
	if err := system.Writable(folder); err != nil {
		return fail(fmt.Errorf("%s: %w", folder, err), "make the folder, and let the user of \"bencao index\" write there")
	}
	return good("%s", p.metricsFile)
}

func findTrustRoot(p *examined) []diagnosis {
	if p.trustRoot == "" {
		return nil
	}
	root, err := readRoot(p.trustRoot)
	if err != nil {
		return fail(err, "")
	}
	return good("root %d in %s", root.Version(), p.trustRoot)
}

func findTrustKeys(p *examined) []diagnosis {
	keys, err := p.publisher()
	switch {
	case err != nil:
		return fail(err, "")
	case keys.Nightly != nil:
		return good("%s", keys.Nightly)
	case p.trustKeys != "":
		return fail(fmt.Errorf("%s has no nightly.key", p.trustKeys), "\"bencao trust init\" makes it")
	}
	return nil
}

// soon is a time before the expiry of a key. The doctor warns about the key within this time.
const soon = 14 * 24 * time.Hour

// findAccess checks the access file and its keys.
func findAccess(p *examined) []diagnosis {
	if p.access == "" {
		return warn("\"bencao serve\" needs it: give --access, BENCAO_ACCESS, or access in a configuration file", "is not set")
	}
	table, err := access.Read(p.access)
	if errors.Is(err, fs.ErrNotExist) {
		return fail(err, "\"bencao keys create\" makes it")
	}
	if err != nil {
		return fail(err, "correct the file; a running server continues with the previous contents")
	}
	info, err := os.Stat(p.access)
	if err != nil {
		return fail(err, "")
	}
	if system.Modes && info.Mode().Perm()&0o022 != 0 {
		return fail(fmt.Errorf("%s may be changed by others (mode %04o)", p.access, info.Mode().Perm()), "run \"chmod go-w "+p.access+"\"")
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
	all := good("%s, %d of %d keys active", p.access, active, len(table.Entries()))
	if active == 0 {
		all = warn("\"bencao keys create\" makes a key", "%s has no key that is active", p.access)
	}
	if len(ending) > 0 {
		all = append(all, warn("\"bencao keys edit ID --expires DATE\" gives more time", "ending within two weeks: %s", strings.Join(ending, ", "))...)
	}
	for _, w := range table.Warnings() {
		all = append(all, warn("change it if it is not intended", "%s", w)...)
	}
	return all
}

// findPort checks an address of the server: either a server of the data folder listens there, or it
// could. flag is the name of the setting.
func findPort(p *examined, flag, address string) []diagnosis {
	err, asked := p.taken[address]
	switch {
	case !asked:
		return nil
	case err == nil:
		return good("%s is free", address)
	case p.served[address] != "" && p.folderErr == nil:
		kept, failed := p.dir.List()
		if slices.ContainsFunc(kept, func(i snapshot.Info) bool { return i.ID == p.served[address] }) {
			return good("%s is taken by a server of this data folder", address)
		}
		err = errors.Join(err, failed)
	}
	return fail(err, "stop the program that listens there, or choose another address with --"+flag)
}
