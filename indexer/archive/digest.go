package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// Digest identifies a version of a source.
type Digest struct {
	// SHA256 is the hexadecimal digest of the zip or the single file. For a folder, it is the
	// digest of a list: a line "sha256  name" for each file, as sha256sum prints it, in the order
	// of names.
	SHA256 string
	// Bytes is the size of the zip or the file, or the total size of the folder's files.
	Bytes int64
}

// Digest reads the whole source.
func (a *Archive) Digest(ctx context.Context) (Digest, error) {
	if a.path != "" {
		f, err := os.Open(a.path)
		if err != nil {
			return Digest{}, fmt.Errorf("digest source: %w", err)
		}
		defer f.Close()
		return sum(ctx, f, a.name)
	}
	list := sha256.New()
	var all Digest
	for _, n := range a.names {
		one, err := a.sumFile(ctx, n)
		if err != nil {
			return Digest{}, err
		}
		all.Bytes += one.Bytes
		fmt.Fprintf(list, "%s  %s\n", one.SHA256, n)
	}
	all.SHA256 = hex.EncodeToString(list.Sum(nil))
	return all, nil
}

func (a *Archive) sumFile(ctx context.Context, name string) (Digest, error) {
	f, err := a.Open(name)
	if err != nil {
		return Digest{}, err
	}
	defer f.Close()
	return sum(ctx, f, name)
}

func sum(ctx context.Context, r io.Reader, name string) (Digest, error) {
	h := sha256.New()
	var n int64
	for {
		if err := ctx.Err(); err != nil {
			return Digest{}, err
		}
		m, err := io.CopyN(h, r, 1<<20)
		n += m
		if err == io.EOF {
			return Digest{hex.EncodeToString(h.Sum(nil)), n}, nil
		}
		if err != nil {
			return Digest{}, fmt.Errorf("digest %s: %w", name, err)
		}
	}
}
