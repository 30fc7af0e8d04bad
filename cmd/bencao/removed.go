package main

import "slices"

// removedSetting is a flag, variable or key that an earlier version had.
type removedSetting struct {
	// flag is the name of the flag without dashes. The name of the environment variable follows
	// from it.
	flag string
	// key is the key in the configuration file, such as report.mail. It is "-" if there was a
	// variable but no key, and empty if there was neither.
	key string
	// command is the command that had the flag. It is empty if several commands had the flag, or if
	// it was a setting.
	command string
	// instead names the setting to use in place of the removed one, or explains what to do.
	instead string
}

const (
	noSuchLimit = "allow the table in the run that needs it, such as --allow "
	sendReport  = "bencao sends no mail; write the page by \"bencao report --out FILE\" and send it as docs/nights.md shows"
)

// removedSettings lists the settings that the previous version had and this version lacks. The next
// version lists them no longer.
var removedSettings = []removedSetting{
	{"mail", "report.mail", "", sendReport},
	{"mail-from", "report.mail_from", "", sendReport},
	{"sendmail", "report.sendmail", "", sendReport},
	{"send", "", "report", sendReport},
	{"sign-expires", "sign_expires", "", "use --trust-expires"},
	{"public-key", "public_key", "", "give the publisher's root of trust by --trust-root; \"bencao trust init\" makes it there"},
	{"allow-rejects", "-", "", "use --allow rejects=TABLE"},
	{"allow-shrink", "-", "", "use --allow shrink=TABLE"},
	{"allow-growth", "-", "", "use --allow growth=TABLE"},
	{"allow-changes", "-", "", "use --allow changes=TABLE"},
	{"allow-empty", "-", "", "use --allow empty=TABLE"},
	{"allow-missing", "-", "", "use --allow missing=TABLE"},
	{"allow-older", "-", "", "use --allow older=SOURCE"},
	{"allow-moved-guids", "-", "", "use --allow moved-guids=TABLE"},
	{"allow-unfinished", "allow_unfinished", "", "use --allow unfinished=TABLE, or allow = [\"unfinished=TABLE\"] in the configuration file"},
	{"max-growth", "max_growth", "", noSuchLimit + "growth=uses"},
	{"max-emptied", "max_emptied", "", noSuchLimit + "empty=species.author"},
	{"max-unmatched", "max_unmatched", "", noSuchLimit + "empty=matches"},
	{"trust-any-proxy", "trust_any_proxy", "", "name the networks of your proxies with --trusted-proxy"},
	{"names-per-request", "names_per_request", "", "ten names count as one request; raise the limit of a key with \"bencao keys edit --rate\""},
	{"redis-password-file", "limits.redis_password_file", "", "set BENCAO_REDIS_PASSWORD, such as by EnvironmentFile= in the unit"},
	{"endpoint", "bucket.endpoint", "", "set AWS_ENDPOINT_URL beside the credentials"},
	{"region", "bucket.region", "", "set AWS_REGION beside the credentials"},
	{"max-size", "", "pull", "a snapshot may have 64 GiB"},
	{"stall", "", "", "a connection that is silent for 30 s is closed"},
	{"sample", "", "init", "the test request uses the sample data if there is no snapshot yet"},
	{"log", "", "init", "the log is a matter of \"bencao serve --log\""},
	{"format", "", "report", "the report is HTML; where plain text is needed, convert it, such as by \"w3m -dump FILE.html\""},
	{"excel", "", "match", "use --format excel"},
	{"strict", "", "match", "\"unreadable\" in the file of --summary is the number of rows that cannot be read"},
}

// removedFlag returns the row for a flag that was removed from a command.
func removedFlag(command, name string) (removedSetting, bool) {
	return findRemoved(func(r removedSetting) bool { return r.flag == name && (r.command == "" || r.command == command) })
}

// removedKey returns the row for a key that was removed from the configuration file.
func removedKey(key string) (removedSetting, bool) {
	return findRemoved(func(r removedSetting) bool { return r.key != "" && r.key == key })
}

// removedVariable returns the row for an environment variable that was removed.
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
