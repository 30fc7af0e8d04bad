package indexer

import (
	"fmt"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// readKeys reads the keys with which the publisher signs snapshots for mirrors. A folder of snapshots
// is signed if it has a root of trust.
func (c *Config) readKeys() (err error) {
	if c.signer, err = trust.ReadPublisher(c.TrustKeys, c.Data); err != nil {
		return fmt.Errorf("trust-keys: %w", err)
	}
	c.signer.Dirs = []snapshot.Dir{snapshot.At(c.Data)}
	if c.Public != "" {
		c.signer.Dirs = append(c.signer.Dirs, snapshot.At(c.Public))
	}
	return nil
}

// rootExpires returns the expiry date of the root of trust, or nil if there is no readable root.
// [trust.Publisher.Check] reports a root that cannot be read.
func rootExpires(dir snapshot.Dir) *time.Time {
	root, err := trust.Current(dir)
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
// So the run fails before it builds anything. checkAnnounce also logs a warning if the root of trust
// expires soon, or if the publisher signs only the other folder.
func (c *Config) checkAnnounce(dir snapshot.Dir, ends *time.Time, opt Options) error {
	if c.DryRun {
		return nil
	}
	if err := c.publisher(opt.Now).Check(dir); err != nil {
		return err
	}
	if ends == nil && c.signer.Nightly != nil {
		opt.Log.Warn("the snapshots in this folder are not signed, since it has no root of trust", "folder", dir.Path(), "fix", "run \"bencao trust init\" with --data and --public")
	}
	if ends != nil && ends.Sub(opt.Now()) < trust.NearEnd {
		opt.Log.Warn("the root of trust expires soon; after that no nightly build starts and no mirror updates", "until", ends, "fix", trust.NextRoot)
	}
	return nil
}

// checkPublicAnnounce does the same as checkAnnounce for the public snapshot.
func (c *Config) checkPublicAnnounce(now func() time.Time) error {
	if c.Public == "" || c.DryRun {
		return nil
	}
	if err := c.publisher(now).Check(snapshot.At(c.Public)); err != nil {
		return fmt.Errorf("public snapshot: %w", err)
	}
	return nil
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
