package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bencao/internal/system"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

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
	if err != nil || again.Public().String() != key.Public().String() {
		t.Errorf("read back %v, %v", again, err)
	}
	must(t, os.Chmod(file, 0o640))
	if _, err := ReadSigningKey(file); system.Modes && (err == nil || !strings.Contains(err.Error(), "may be read by others")) {
		t.Errorf("a key that the group may read: %v", err)
	}
	if _, err := ReadPublicKeys(file); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a signing key as a public key: %v, want an error without the secret", err)
	}
}

// TestKeysBehindLinks reads keys through symbolic links, since secrets that are mounted into a
// container are links. The file modes must be those of the target.
func TestKeysBehindLinks(t *testing.T) {
	key, dir := newKey(t), t.TempDir()
	secret, public := filepath.Join(dir, "..data", "sign.key"), filepath.Join(dir, "..data", "publisher.pub")
	must(t, os.Mkdir(filepath.Dir(secret), 0o700))
	must(t, key.WriteFile(secret))
	must(t, os.WriteFile(public, []byte(key.Public().String()+"\n"), 0o644))
	for _, file := range []string{secret, public} {
		must(t, os.Symlink(file, filepath.Join(dir, filepath.Base(file))))
	}
	link := filepath.Join(dir, "sign.key")
	got, err := ReadSigningKey(link)
	if err != nil || got.Public().id() != key.Public().id() {
		t.Errorf("a signing key read through a link: %v, %v", got, err)
	}
	keys, err := ReadPublicKeys(filepath.Join(dir, "publisher.pub"))
	if err != nil || len(keys) != 1 || keys[0].id() != key.Public().id() {
		t.Errorf("a public key read through a link: %v, %v", keys, err)
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
