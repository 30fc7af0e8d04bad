package snapshotfiles

import "bencao/store/snapshot"

// PublicSetting is the setting in the manifest that only public snapshots have. Its value names the
// tables that were left out.
const PublicSetting = "withheld"

// Public reports whether a snapshot is public. A public snapshot lacks all data that needs a scope,
// so that anyone may get the snapshot.
func Public(m snapshot.Manifest) bool { return m.Settings[PublicSetting] != "" }
