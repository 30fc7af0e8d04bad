package contents

import "bencao/store/snapshot"

// PublicSetting is the setting in a manifest by which a public snapshot is
// known: it names the tables that the snapshot was built without.
const PublicSetting = "withheld"

// Public tells whether a snapshot lacks what keys need scopes for, so that it
// may be handed out to everybody.
func Public(m snapshot.Manifest) bool { return m.Settings[PublicSetting] != "" }
