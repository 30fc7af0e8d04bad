package access

import (
	"bytes"
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
# "bencao keys" rewrites this file and keeps this comment alone: put a remark on a key
# into its note. You may edit the file too. The server reads it again within seconds;
# if something is wrong, it says so and keeps the rights that were in force.
# A file without its last line counts as cut off, so leave that line where it is.
`

// headOf returns the comments at the head of an access file. Comments directly above the first
// block belong to that block. They are left out unless they are the only comments at the head.
func headOf(data []byte) string {
	var comments strings.Builder
	for line := range strings.Lines(string(data)) {
		text := strings.TrimSpace(line)
		if text != "" && text[0] != '#' || text == endLine {
			break
		}
		comments.WriteString(text + "\n")
	}
	head := strings.TrimLeft(comments.String(), "\n")
	if i := strings.LastIndex(head, "\n\n"); i >= 0 {
		head = head[:i+1]
	}
	return head
}

// render returns the text of an access file. If anonymousRate is 0, the text has no [anonymous]
// block.
func render(head string, entries []Entry, anonymousRate int) ([]byte, error) {
	var doc document
	if anonymousRate > 0 {
		doc.Anonymous = &anonymousBlock{anonymousRate}
	}
	for _, e := range entries {
		doc.Keys = append(doc.Keys, keyBlock{
			ID: e.ID, Name: e.Name, Hash: e.Hash.String(), Networks: networkTexts(e.Networks), AllowAny: e.AllowAny,
			Scopes: e.Scopes.Names(), Rate: e.Rate, Expires: expiryValue(e.Expires), Disabled: e.Disabled, Note: e.Note,
		})
	}
	blocks, err := toml.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("write access file: %w", err)
	}
	var b bytes.Buffer
	for _, part := range []string{head, string(blocks), endLine + "\n"} {
		if b.Len() > 0 && part != "" {
			b.WriteByte('\n')
		}
		b.WriteString(part)
	}
	return b.Bytes(), nil
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
// owner of the old one. If there was no file, the new one is readable for its owner only. Its
// modification time is [settleTime] ago, so nobody waits for a text that is complete. replace also
// removes the temporary files of edits that were killed. No running edit uses them, because the
// caller holds the lock.
func replace(path string, data []byte) error {
	if err := durable.ClearBeside(path); err != nil {
		return fmt.Errorf("remove the temporary files of an edit that was killed: %w", err)
	}
	if err := durable.WriteFile(path, data, durable.Options{Mode: 0o600, Keep: true, ModTime: time.Now().Add(-settleTime)}); err != nil {
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
