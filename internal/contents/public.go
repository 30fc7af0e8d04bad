package contents

import "bencao/store/snapshot"

// PublicSetting is the manifest setting of public snapshots. Its value names the tables
// that were left out.
const PublicSetting = "withheld"

// Public reports whether a snapshot is public. A public snapshot lacks everything that needs a
// scope, so that anyone may get it.
func Public(m snapshot.Manifest) bool { return m.Settings[PublicSetting] != "" }
