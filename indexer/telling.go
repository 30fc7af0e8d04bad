package indexer

import (
	"fmt"
	"time"

	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// keys reads those that the night signs by.
func (c *Config) keys() error {
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
