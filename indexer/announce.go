package indexer

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// readKeys reads the keys with which the publisher signs snapshots for mirrors. A folder of snapshots
// is signed if it has a root of trust.
func (c *Config) readKeys() (err error) {
	if c.signer, err = trust.ReadPublisher(c.TrustKeys, c.Data, c.Public); err != nil {
		return fmt.Errorf("trust-keys: %w", err)
	}
	return nil
}

// rootExpires returns the expiry date of the root of trust, or nil if there is no readable root. For
// a lost root it returns the date that the last report has, so that each build notices the loss.
// [trust.Publisher.Check] reports a root that cannot be read.
func rootExpires(dir snapshot.Dir) *time.Time {
	root, err := trust.Current(dir)
	if errors.Is(err, trust.ErrNoRoot) {
		var last Report
		if b, err := os.ReadFile(filepath.Join(dir.Path(), LastReport)); err == nil && json.Unmarshal(b, &last) == nil {
			return last.RootExpiresAt
		}
	}
	if err != nil {
		return nil
	}
	ends := root.Expires()
	return &ends
}

// publisher returns the publisher that announces the current snapshots to mirrors.
func (c *Config) publisher(now func() time.Time) trust.Publisher {
	p := c.signer
	p.Expires, p.Now = c.TrustExpires, now
	return p
}

// checkAnnounce returns an error if it would be impossible to announce a new snapshot to mirrors.
// So the run fails before it builds anything.
func (c *Config) checkAnnounce(dir snapshot.Dir, now func() time.Time) error {
	if c.DryRun {
		return nil
	}
	return CheckTrust(c.publisher(now), dir)
}

// CheckTrust returns an error if a publisher could not sign a new snapshot of a data directory for
// the mirrors that follow it.
func CheckTrust(p trust.Publisher, dir snapshot.Dir) error {
	if err := p.Check(dir); err != nil || p.Nightly == nil {
		return err
	}
	if _, err := trust.Current(dir); errors.Is(err, trust.ErrNoRoot) && rootExpires(dir) != nil {
		return fmt.Errorf("%s: %w, but earlier builds signed under one that mirrors follow; restore tuf of that folder from a backup, or %s", dir.Path(), trust.ErrNoRoot, trust.CopyRoot)
	}
	return nil
}

// warnAnnounce logs a warning if the root of trust expires soon, or if the public snapshots are not
// signed although the complete ones are.
func (c *Config) warnAnnounce(dir snapshot.Dir, ends *time.Time, opt Options) {
	switch {
	case c.DryRun || c.signer.Nightly == nil:
	case ends == nil && c.Public == "":
		opt.Log.Warn("the snapshots in this folder are not signed, since it has no root of trust", "folder", dir.Path(), "fix", trust.CopyRoot)
	case ends != nil && ends.Sub(opt.Now()) < trust.NearEnd:
		opt.Log.Warn("the root of trust expires soon; after that no nightly build starts and no mirror updates", "until", ends, "fix", trust.NextRoot)
	}
}

// makeCurrent makes a sealed draft current, stores the id of the new snapshot in current, and
// announces the snapshot to mirrors. If only the announcement fails, the error says that the
// snapshot is current.
func makeCurrent(dir snapshot.Dir, draft *snapshot.Draft, m snapshot.Manifest, current *string) error {
	err := draft.Switch(m)
	if now, currentErr := dir.Current(); currentErr == nil && now.ID == m.ID {
		*current = m.ID
		if err != nil {
			err = fmt.Errorf("snapshot %s is current, but mirrors can't follow it yet: %w", m.ID, err)
		}
	}
	return err
}
