package main

import "slices"

// removedSetting is a flag, variable or key that an earlier version had.
type removedSetting struct {
	// flag is the name without dashes. The name of the environment variable follows from it.
	flag string
	// key is the place in the configuration file, such as report.mail; empty if it had none.
	key string
	// instead says what to use now.
	instead string
}

const (
	sendReport = "bencao sends no mail; write the page by \"bencao report --out FILE\" and send it as docs/operations.md shows"
)

// removedSettings lists the settings of the last version that this version lacks. The next version
// removes a row.
var removedSettings = []removedSetting{
	{"mail", "report.mail", sendReport},
	{"mail-from", "report.mail_from", sendReport},
	{"sendmail", "report.sendmail", sendReport},
	{"send", "", sendReport},
	{"lang", "", "findings are in English; \"bencao report --lang\" chooses the language of the report, BENCAO_LANG that of messages"},
	{"sign-key", "sign_key", "\"bencao trust init\" makes the keys, and nightly builds then sign without a flag; --trust-keys names their folder"},
	{"timestamp-key", "timestamp_key", "put the key into the folder --trust-keys, as timestamp.key"},
	{"sign-expires", "sign_expires", "use --trust-expires"},
	{"public-key", "public_key", "give the publisher's root of trust by --trust-root; \"bencao trust init\" makes it there"},
}

// removedFlag returns the row of a flag that was removed.
func removedFlag(name string) (removedSetting, bool) {
	return findRemoved(func(r removedSetting) bool { return r.flag == name })
}

// removedKey returns the row of a configuration key that was removed.
func removedKey(key string) (removedSetting, bool) {
	return findRemoved(func(r removedSetting) bool { return r.key != "" && r.key == key })
}

// removedVariable returns the row of an environment variable that was removed.
func removedVariable(name string) (removedSetting, bool) {
	return findRemoved(func(r removedSetting) bool { return r.key != "" && setting{name: r.flag}.variable() == name })
}

func findRemoved(match func(removedSetting) bool) (removedSetting, bool) {
	i := slices.IndexFunc(removedSettings, match)
	if i < 0 {
		return removedSetting{}, false
	}
	return removedSettings[i], true
}
