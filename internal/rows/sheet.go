package rows

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"bencao/internal/messages"
)

// Limits of a workbook. Excel's own are in the standard: no sheet has more rows
// or columns.
const (
	maxBookRows    = 1 << 20
	maxBookColumns = 1 << 14
	// maxDirectory is how many bytes the list of a workbook's parts may have;
	// 10,000 parts have less than one MiB.
	maxDirectory = 2 << 20
	// maxRatio is how many times its packed size a part may have that is larger
	// than freeRatio. Honest parts rarely pass 30.
	maxRatio  = 200
	freeRatio = 16 << 20
	// textRatio is how many times the bytes that may be unpacked the texts of all
	// rows may have: many cells may have the same text.
	textRatio = 4
)

// MaxUnpacked is how many bytes the parts of a workbook that are read may have
// when they are unpacked, unless [BookOptions] say otherwise.
const MaxUnpacked = 64 << 20

// What is wrong with a workbook.
var (
	bookOld    = messages.Define("book-old", "is an old Excel workbook (xls); save it as xlsx, or as CSV in UTF-8")
	bookBroken = messages.Define("book-broken", "begins like an Excel workbook and is none: %w; save it as CSV in UTF-8")
	bookEmpty  = messages.Define("book-empty", "is a workbook without a sheet")
	bookLarge  = messages.Define("book-large", "is a workbook that unpacks to more than %v MiB; save it as CSV in UTF-8, or allow more with --max-unpacked")
	bookDense  = messages.Define("book-dense", "is a workbook with a part that unpacks to more than %d times its size; save it as CSV in UTF-8")
	bookRows   = messages.Define("book-rows", "is a workbook whose rows have more than %v MiB of text; save it as CSV in UTF-8, or allow more with --max-unpacked")
)

// BookOptions say how a workbook may be read. The zero value is ready for use.
type BookOptions struct {
	// MaxUnpacked is the most bytes that the parts which are read may have when
	// they are unpacked, and that a workbook may have which does not come from a
	// file. Zero is [MaxUnpacked].
	MaxUnpacked int64
	// TempDir is where what does not fit into memory is kept until the workbook
	// is closed, in a folder of its own. Empty is the system's folder.
	TempDir string
}

// Book reads the first sheet of an Excel workbook (xlsx) row by row. Of the
// workbook it unpacks the sheet, the texts that its cells share, and what leads
// to them, never all at once.
type Book struct {
	ctx     context.Context
	scratch *scratch
	texts   *texts
	sheet   *sheet
	part    io.Closer
	left    int64 // bytes that may still be unpacked
	most    int64
}

// Sheet opens an Excel workbook (xlsx). If r is none, it returns nil and a
// reader of all that r holds. The caller closes the book, which can't be read
// after ctx has ended.
func Sheet(ctx context.Context, r io.Reader, opt BookOptions) (*Book, io.Reader, error) {
	head := make([]byte, 8)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, nil, err
	}
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
	case bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")):
		return nil, nil, bookOld.With()
	default:
		return nil, io.MultiReader(bytes.NewReader(head), r), nil
	}
	b := &Book{ctx: ctx, scratch: &scratch{parent: opt.TempDir}, most: cmp.Or(opt.MaxUnpacked, MaxUnpacked)}
	b.left = b.most
	if err := b.open(r, head); err != nil {
		return nil, nil, errors.Join(b.wrong(err), b.Close())
	}
	return b, nil, nil
}

// Close releases what the book holds, and removes its temporary files.
func (b *Book) Close() error {
	if b.part != nil {
		b.part.Close() // its error is that of reading, which was told
	}
	return b.scratch.close()
}

// wrong says of an error what is wrong with the workbook.
func (b *Book) wrong(err error) error {
	if text := (*messages.Message)(nil); errors.As(err, &text) {
		return err
	}
	if errors.Is(err, errUnpacked) {
		return bookLarge.With(mebibytes(b.most))
	}
	if fault := (*readError)(nil); errors.As(err, &fault) {
		return fault.err
	}
	text := err.Error() // which may show bytes of the workbook
	return bookBroken.With(errors.New(strings.ToValidUTF8(text[:min(len(text), 200)], "\uFFFD")))
}

// Why a workbook is given up.
var (
	errUnpacked  = errors.New("more bytes than may be unpacked")
	errNoPart    = errors.New("a part is missing")
	errBook      = errors.New("it has no workbook")
	errParts     = errors.New("it has too many parts")
	errEncrypted = errors.New("it is encrypted")
)

// readError is an error of reading the list, which is not the workbook's fault.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }

// open finds the first sheet of a workbook that begins with head.
func (b *Book) open(r io.Reader, head []byte) error {
	at, size, err := b.scratch.seekable(r, head, b.most)
	if err != nil {
		return err
	}
	source := &countedAt{ReaderAt: at, left: maxDirectory + 1<<17} // the end of the zip is looked for in its last 64 KiB
	zipped, err := zip.NewReader(source, size)
	if err != nil {
		return err
	}
	source.free = true

	main := ""
	err = b.elements(zipped, "_rels/.rels", func(e element) error {
		if e.name == "Relationship" && strings.HasSuffix(e.attr("Type"), "/officeDocument") {
			main = resolve("", e.attr("Target"))
			return io.EOF
		}
		return nil
	})
	if main == "" {
		return cmp.Or(err, errBook)
	}
	id, found := "", false
	err = b.elements(zipped, main, func(e element) error {
		if e.name == "sheet" {
			id, found = e.attr("id"), true
			return io.EOF
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !found {
		return bookEmpty.With()
	}
	dir, file := path.Split(main)
	first, shared := "", ""
	err = b.elements(zipped, dir+"_rels/"+file+".rels", func(e element) error {
		switch {
		case e.name != "Relationship":
		case e.attr("Id") == id:
			first = resolve(dir, e.attr("Target"))
		case strings.HasSuffix(e.attr("Type"), "/sharedStrings"):
			shared = resolve(dir, e.attr("Target"))
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.texts = &texts{spill: b.scratch}
	if shared != "" {
		if err := b.readTexts(zipped, shared); err != nil && err != errNoPart { // some programs promise it for nothing
			return err
		}
	}
	in, err := b.unpack(zipped, first)
	if err != nil {
		return err
	}
	b.part = in
	b.sheet = &sheet{in: newElements(in), texts: b.texts}
	return nil
}

// resolve returns the part that a relation of a folder leads to. None leads out
// of the workbook.
func resolve(dir, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if !strings.HasPrefix(target, "/") {
		target = "/" + dir + target
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}

// unpack opens a part.
func (b *Book) unpack(zipped *zip.Reader, name string) (io.ReadCloser, error) {
	var file *zip.File
	for _, f := range zipped.File {
		if is := strings.ReplaceAll(f.Name, `\`, "/"); is == name || file == nil && strings.EqualFold(is, name) {
			file = f
		}
	}
	switch {
	case file == nil || name == "":
		return nil, errNoPart
	case file.Flags&1 != 0:
		return nil, errEncrypted
	case file.UncompressedSize64 > uint64(b.left):
		return nil, errUnpacked
	case file.UncompressedSize64 > freeRatio && file.UncompressedSize64/maxRatio > file.CompressedSize64:
		return nil, bookDense.With(maxRatio)
	}
	in, err := file.Open()
	if err != nil {
		return nil, err
	}
	return &unpacked{in, b}, nil
}

// unpacked counts what is unpacked.
type unpacked struct {
	io.ReadCloser
	book *Book
}

func (u *unpacked) Read(p []byte) (int, error) {
	if err := u.book.ctx.Err(); err != nil {
		return 0, &readError{err}
	}
	n, err := u.ReadCloser.Read(p)
	if u.book.left -= int64(n); u.book.left < 0 {
		return 0, errUnpacked
	}
	return n, err
}

// countedAt gives out so many bytes until it is free.
type countedAt struct {
	io.ReaderAt
	left int64
	free bool
}

func (c *countedAt) ReadAt(p []byte, off int64) (int, error) {
	if c.left -= int64(len(p)); c.left < 0 && !c.free {
		return 0, errParts
	}
	return c.ReaderAt.ReadAt(p, off)
}

// mebibytes writes a number of bytes, rounded down.
func mebibytes(n int64) int64 { return n >> 20 }
