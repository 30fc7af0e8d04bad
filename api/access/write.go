package access

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"bencao/internal/durable"
	"bencao/internal/system"
)

// newHead is the comment at the head of a new access file.
const newHead = `# Who may ask this server: one [[key]] block for each key.
#
` + rewriteAdvice

// rewriteAdvice tells users that edits drop comments.
const rewriteAdvice = `# "bencao keys" rewrites this file and keeps this comment alone: put a remark on a key
# into its note. You may edit the file too. The server reads it again within seconds;
# if something is wrong, it says so and keeps the rights that were in force.
`

// oldAdvice is the advice that earlier versions wrote. It is replaced by rewriteAdvice.
const oldAdvice = `# "bencao keys" edits this file and keeps your comments, and you may edit it
# too: the server reads it again within seconds, and if something is wrong it
# says so and stays with what it had.
`

// headOf returns the comments at the head of an access file, without the first line that "bencao
// keys" writes. Comments directly above the first block belong to that block. They are left out
// unless they are the only comments at the head.
func headOf(data []byte) string {
	var comments strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(string(withoutTrailer(data)), "\r\n", "\n")) {
		text := strings.TrimSpace(line)
		if text != "" && text[0] != '#' {
			break
		}
		if !strings.HasPrefix(line, headStart) {
			comments.WriteString(text + "\n")
		}
	}
	head := strings.TrimLeft(comments.String(), "\n")
	if i := strings.LastIndex(head, "\n\n"); i >= 0 {
		head = head[:i+1]
	}
	return strings.Replace(head, oldAdvice, rewriteAdvice, 1)
}

// keyBlock is a [[key]] block as the TOML library writes it.
type keyBlock struct {
	ID       string   `toml:"id"`
	Name     string   `toml:"name,omitempty"`
	Hash     string   `toml:"hash"`
	Networks []string `toml:"networks"`
	AllowAny bool     `toml:"allow_any,omitempty"`
	Scopes   []string `toml:"scopes"`
	Rate     int      `toml:"rate"`
	Expires  any      `toml:"expires,omitempty"` // toml.LocalDate or time.Time
	Disabled bool     `toml:"disabled,omitempty"`
	Note     string   `toml:"note,omitempty"`
}

type anonymousBlock struct {
	Rate int `toml:"rate"`
}

// render returns the text of an access file, without its first and last line. If anonymousRate is
// 0, the text has no [anonymous] block.
func render(head string, entries []Entry, anonymousRate int) ([]byte, error) {
	var file struct {
		Anonymous *anonymousBlock `toml:"anonymous,omitempty"`
		Keys      []keyBlock      `toml:"key,omitempty"`
	}
	if anonymousRate > 0 {
		file.Anonymous = &anonymousBlock{anonymousRate}
	}
	for _, e := range entries {
		file.Keys = append(file.Keys, keyBlock{
			ID: e.ID, Name: e.Name, Hash: e.Hash.String(), Networks: networkTexts(e.Networks), AllowAny: e.AllowAny,
			Scopes: e.Scopes.Names(), Rate: e.Rate, Expires: expiryValue(e.Expires), Disabled: e.Disabled, Note: e.Note,
		})
	}
	blocks, err := toml.Marshal(file)
	if err != nil {
		return nil, fmt.Errorf("write access file: %w", err)
	}
	if head != "" && len(blocks) > 0 {
		head += "\n"
	}
	return append([]byte(head), blocks...), nil
}

// expiryValue returns t as TOML writes it: a date if t is the first moment of a day in UTC, and a
// date with time otherwise. It returns nil for the zero time.
func expiryValue(t time.Time) any {
	if t = t.UTC(); t.IsZero() {
		return nil
	} else if t.Equal(t.Truncate(24 * time.Hour)) {
		return toml.LocalDate{Year: t.Year(), Month: int(t.Month()), Day: t.Day()}
	}
	return t
}

// replace replaces the content of the file at path by data in one step. Any other process therefore
// sees either the old or the new file, even after a power cut. The new file keeps the mode and the
// owner of the old one. If there was no file, the new one is readable for its owner only. replace
// also removes the temporary files of edits that were killed. No running edit uses them, because
// the caller holds the lock.
func replace(path string, data []byte) error {
	if err := durable.ClearBeside(path); err != nil {
		return fmt.Errorf("remove the temporary files of an edit that was killed: %w", err)
	}
	if err := durable.WriteFile(path, data, durable.Options{Mode: 0o600, Keep: true}); err != nil {
		return fmt.Errorf("write access file: %w", err)
	}
	return nil
}

// lock waits until no other process edits the file at path. It locks another file in the same
// folder, because the access file itself is replaced. The lock file is never removed: otherwise two
// edits could lock two different files at once.
func lock(path string) (unlock func() error, err error) {
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	mode := os.FileMode(0o600)
	if stat, err := os.Stat(path); err == nil && system.Modes && stat.Mode().Perm()&0o020 != 0 {
		mode = 0o660 // users who may write the access file may also lock it; users who may only read it may not
	}
	f, err := os.OpenFile(name, os.O_RDONLY|os.O_CREATE, mode)
	if err != nil {
		return nil, fmt.Errorf("lock access file: %w", err)
	}
	if err := f.Chmod(mode); err != nil && !errors.Is(err, os.ErrPermission) { // fails if another user owns the lock file; that user has set the mode
		return nil, errors.Join(fmt.Errorf("lock access file: %w", err), f.Close())
	}
	if err := system.Lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("lock access file: %s: %w", name, err), f.Close())
	}
	return f.Close, nil // closing the file releases the lock
}
