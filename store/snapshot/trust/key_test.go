package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/system"
	"bencao/internal/test/testkit"
)

// must ends the test if there is an error.
var must = testkit.Must

func TestSigningKeyKeepsItsSecret(t *testing.T) {
	key, file := newKey(t), filepath.Join(t.TempDir(), "sign.key")
	must(t, key.WriteFile(file))
	if err := key.WriteFile(file); !errors.Is(err, os.ErrExist) {
		t.Errorf("a key was replaced: %v", err)
	}
	text, err := os.ReadFile(file)
	must(t, err)
	_, secret, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		if got := fmt.Sprintf(form, key); strings.Contains(got, secret) || got != "signing key "+key.Public().id() {
			t.Errorf("%s prints %s, want only the key's id", form, got)
		}
	}
	again, err := ReadSigningKey(file)
	if err != nil || again.Public().id() != key.Public().id() {
		t.Errorf("read back %v, %v", again, err)
	}
	must(t, os.Chmod(file, 0o640))
	if _, err := ReadSigningKey(file); system.Modes && (err == nil || !strings.Contains(err.Error(), "may be read by others")) {
		t.Errorf("a key that the group may read: %v", err)
	}
	must(t, os.WriteFile(file, append(text, text...), 0o600))
	if _, err := ReadSigningKey(file); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a file with two keys: %v, want an error without the secret", err)
	}
}

// TestKeysBehindLinks reads a key through a symbolic link, since secrets that are mounted into a
// container are links. The file mode must be that of the target.
func TestKeysBehindLinks(t *testing.T) {
	key, dir := newKey(t), t.TempDir()
	secret := filepath.Join(dir, "..data", "sign.key")
	must(t, os.Mkdir(filepath.Dir(secret), 0o700))
	must(t, key.WriteFile(secret))
	link := filepath.Join(dir, "sign.key")
	must(t, os.Symlink(secret, link))
	got, err := ReadSigningKey(link)
	if err != nil || got.Public().id() != key.Public().id() {
		t.Errorf("a signing key read through a link: %v, %v", got, err)
	}
	must(t, os.Chmod(secret, 0o640))
	if _, err := ReadSigningKey(link); err == nil || !strings.Contains(err.Error(), "may be read by others") {
		t.Errorf("a link to a key that the group may read: %v", err)
	}
	must(t, errors.Join(os.Remove(secret), os.Mkdir(secret, 0o700)))
	if _, err := ReadSigningKey(link); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a link to a folder: %v", err)
	}
}
