package indexer

import (
	"fmt"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// keys reads those that the night signs by.
func (c *Config) readKeys() error {
	for _, of := range []struct {
		name, file string
		key        **snapshot.SigningKey
	}{{"sign-key", c.SignKeyFile, &c.SignKey}, {"timestamp-key", c.TimestampKeyFile, &c.timestampKey}} {
		if of.file == "" {
			continue
		}
		key, err := snapshot.ReadSigningKey(of.file)
		if err != nil {
			return fmt.Errorf("%s: %w", of.name, err)
		}
		*of.key = &key
	}
	return nil
}

// rootExpires is until when the root of trust holds, nil if there is none. One that
// can't be read is [trust.Publisher.Check]'s to say.
func rootExpires(dir snapshot.Dir) *time.Time {
	root, err := trust.Current(dir)
	if err != nil {
		return nil
	}
	ends := root.Expires()
	return &ends
}

// publisher tells mirrors what is current by the root of trust, if there is one.
func (c *Config) publisher(now func() time.Time) trust.Publisher {
	return trust.Publisher{Night: c.SignKey, Timestamp: c.timestampKey, Expires: c.SignExpires, Now: now}
}

// mayTell tells, before anything is built, why mirrors could not be told of it, and
// warns while there is time until the root of trust ends, if there is one.
func (c *Config) checkAnnounce(dir snapshot.Dir, ends *time.Time, opt Options) error {
	if c.DryRun {
		return nil
	}
	if err := c.publisher(opt.Now).Check(dir); err != nil {
		return err
	}
	if ends != nil && ends.Sub(opt.Now()) < trust.NearEnd {
		opt.Log.Warn("the root of trust expires soon, and then no night begins and no mirror follows", "until", ends, "mend", trust.NextRoot)
	}
	return nil
}

// publicMayTell is mayTell of the public snapshot that is to be beside this one.
func (c *Config) checkPublicAnnounce(now func() time.Time) error {
	if c.Public == "" || c.DryRun {
		return nil
	}
	if err := c.publisher(now).Check(snapshot.At(c.Public)); err != nil {
		return fmt.Errorf("public snapshot: %w", err)
	}
	return nil
}

// tell makes a sealed draft current, writes that down, and tells mirrors of it. An
// error says so if it is current all the same.
func makeCurrent(dir snapshot.Dir, draft *snapshot.Draft, m snapshot.Manifest, current *string) error {
	err := draft.Switch(m)
	if now, currentErr := dir.Current(); currentErr == nil && now.ID == m.ID {
		*current = m.ID
		if err != nil {
			err = fmt.Errorf("snapshot %s is current, and not all mirrors are told of it: %w", m.ID, err)
		}
	}
	return err
}
