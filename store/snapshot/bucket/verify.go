package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"

	"bencao/store/snapshot"

	"github.com/minio/minio-go/v7"
)

const (
	// wholeBelow is the size in bytes below which a file is read back in full.
	wholeBelow = 1 << 20
	// Of a larger file, only the first block, the last block and randomBlocks blocks at random
	// places are read back: together a quarter of a MiB.
	blockSize    = 64 << 10
	randomBlocks = 2
)

// errNotKept is the error for an object that the store confirmed as written but does not have, or
// has with other content.
var errNotKept = errors.New("the store confirmed the write")

// notKept returns an errNotKept. Its message has the name of the object, the difference, and
// advice. why describes the difference.
func (b *Bucket) notKept(name, why string) error {
	return fmt.Errorf("read %s%s/%s back: %w, but %s; run push again; if that fails too, ask the operator of the store or use another store",
		scheme, b.name, b.key(name), errNotKept, why)
}

// verify reads back a file that was written or copied. It checks the size, the SHA-256 in the
// metadata, and all or parts of the content. If one of them is wrong, verify removes the object, so
// that no later push takes it for the file.
func (p *push) verify(ctx context.Context, name string, from io.ReaderAt, f snapshot.File) error {
	err := p.readBack(ctx, name, from, f)
	if errors.Is(err, errNotKept) {
		b := p.bucket
		if gone := b.client.RemoveObject(ctx, b.name, b.key(name), minio.RemoveObjectOptions{}); gone != nil {
			err = fmt.Errorf("%w (%w, so run push with --again)", err, b.wrap("remove", name, gone))
		}
	}
	return err
}

// readBack does the checks of verify.
func (p *push) readBack(ctx context.Context, name string, from io.ReaderAt, f snapshot.File) error {
	b := p.bucket
	info, err := b.client.StatObject(ctx, b.name, b.key(name), minio.StatObjectOptions{})
	err = b.wrap("read back", name, err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return b.notKept(name, "the object is missing")
	case err != nil:
		return err
	case info.Size != f.Bytes:
		return b.notKept(name, fmt.Sprintf("the object has %d bytes instead of %d", info.Size, f.Bytes))
	case info.UserMetadata[sumName] != f.SHA256:
		return b.notKept(name, "the object lacks the SHA-256 that was sent with it")
	}
	blocks := [][2]int64{{0, f.Bytes}}
	if f.Bytes >= wholeBelow {
		blocks = [][2]int64{{0, blockSize}, {f.Bytes - blockSize, blockSize}}
		for range randomBlocks {
			blocks = append(blocks, [2]int64{rand.Int64N(f.Bytes - blockSize), blockSize})
		}
	}
	for _, at := range blocks {
		want := make([]byte, at[1])
		if _, err := from.ReadAt(want, at[0]); err != nil {
			return err
		}
		got, err := b.readRange(ctx, name, at[0], at[1])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !bytes.Equal(got, want) {
			return b.notKept(name, fmt.Sprintf("its %d bytes from byte %d differ", at[1], at[0]))
		}
	}
	return nil
}

// readRange reads n bytes of an object, or fewer if the object ends earlier.
func (b *Bucket) readRange(ctx context.Context, name string, from, n int64) (_ []byte, err error) {
	var opt minio.GetObjectOptions
	if n > 0 {
		if err := opt.SetRange(from, from+n-1); err != nil {
			return nil, err
		}
	}
	r, _, _, err := minio.Core{Client: b.client}.GetObject(ctx, b.name, b.key(name), opt)
	if err != nil {
		return nil, b.wrap("read back", name, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	got, err := io.ReadAll(io.LimitReader(r, n+1))
	return got, b.wrap("read back", name, err)
}

// verifySmall reads back a small file after writing it.
func (p *push) verifySmall(ctx context.Context, name string, content []byte) error {
	there, err := p.bucket.read(ctx, name, int64(len(content))+1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.bucket.notKept(name, "the object is missing")
	case err == nil && !bytes.Equal(there.content, content):
		return p.bucket.notKept(name, "its content differs, unless another push changed it at the same time")
	}
	return err
}
