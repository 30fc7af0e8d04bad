package index

import (
	"errors"
	"strings"
	"unicode"
)

// legible returns an error with a readable message. Bleve's errors may quote the bytes of damaged
// files. If a message does, legible keeps the readable text of its first line, at most 300 bytes.
func legible(err error) error {
	const most = 300
	text := strings.ToValidUTF8(err.Error(), "")
	if len(text) <= most && text == err.Error() && !strings.ContainsFunc(text, unicode.IsControl) {
		return err
	}
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return errors.New(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text))
}
