package rows

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"bencao/internal/messages"
)

// Limits of a workbook. The limits of rows and columns are those of Excel.
const (
	maxBookRows    = 1 << 20
	maxBookColumns = 1 << 14
	// maxDirectory is the maximum size in bytes of the zip's central directory. A directory of
	// 10,000 parts takes less than one MiB.
	maxDirectory = 2 << 20
	// maxRatio is the maximum compression ratio of a part larger than freeRatio. Real parts rarely
	// have a ratio above 30.
	maxRatio  = 200
	freeRatio = 16 << 20
	// textRatio limits the total text of all rows to a multiple of the unpacked bytes, because many
	// cells may refer to the same string.
	textRatio = 4
)

// MaxUnpacked is the default of [ListOptions.MaxUnpacked].
const MaxUnpacked = 64 << 20

// The errors of a workbook.
var (
	bookOld    = messages.Define("book-old", "is an old Excel workbook (xls); save it as xlsx, or as CSV in UTF-8")
	bookBroken = messages.Define("book-broken", "starts like an Excel workbook but is not one: %w; save it as CSV in UTF-8")
	notText    = messages.Define("not-text", "is a %s, not a list; save the names as CSV or xlsx")
	bookEmpty  = messages.Define("book-empty", "is a workbook without a sheet")
	bookLarge  = messages.Define("book-large", "is a workbook that unpacks to more than %v MiB; save it as CSV in UTF-8, or allow more with --max-unpacked")
	bookDense  = messages.Define("book-dense", "is a workbook with a part that unpacks to more than %d times its size; save it as CSV in UTF-8")
	bookRows   = messages.Define("book-rows", "is a workbook whose rows have more than %v MiB of text; save it as CSV in UTF-8, or allow more with --max-unpacked")
)

// ListOptions tunes the reading of a list. The zero value is ready for use.
type ListOptions struct {
	// Encoding is the encoding of a text, one of [Encodings]. If it is empty, UTF-8, UTF-16, GB18030,
	// Big5 and Windows-1252 are told apart.
	Encoding string
	// MaxUnpacked is the maximum total size in bytes of the unpacked parts, and of a workbook that
	// is not read from a file. Zero means [MaxUnpacked].
	MaxUnpacked int64
	// TempDir is the folder in which a workbook creates a folder for data that are too large to
	// keep in memory. The created folder exists until the workbook is closed. Empty means the
	// system's temporary folder.
	TempDir string
}

// Book reads the sheets of an Excel workbook (xlsx) row by row, starting with the first. It unpacks
// only the sheets that are read, the shared strings and the parts that refer to these. It unpacks
// them as streams.
type Book struct {
	ctx     context.Context
	scratch *scratch
	texts   *texts
	zip     *zip.Reader
	sheets  []sheetPart
	sheet   *sheet
	before  int64 // bytes of the rows of earlier sheets
	part    io.Closer
	left    int64 // number of bytes that may still be unpacked
	most    int64
}

// sheetPart has the name of a sheet, and the name of the part that contains the sheet.
type sheetPart struct{ name, part string }

// Sheets returns the names of the sheets, at least one.
func (b *Book) Sheets() []string {
	var all []string
	for _, s := range b.sheets {
		all = append(all, s.name)
	}
	return all
}

// Open continues with the first row of sheet i.
func (b *Book) Open(i int) error {
	if b.sheet != nil {
		b.before = b.Bytes()
	}
	return b.open(i)
}

// maxPeeked is the number of cells after which [Book.Peek] ends.
const maxPeeked = 500_000

// Peek returns up to n of the first rows of sheet i, without empty rows, and fewer if they are long. It
// leaves out what follows an invalid row. After Peek, [Book.Open] must be called before the next row can be read.
func (b *Book) Peek(i, n int) (all [][]string, wrong, err error) {
	before := b.Bytes()
	defer func() { b.sheet, b.before = nil, before }()
	if err := b.open(i); err != nil {
		return nil, nil, err
	}
	for size := 0; len(all) < n && b.sheet.bytes < maxLenientBytes && size < maxPeeked; {
		cells, wrong, err := b.Row()
		size += len(cells)
		if err == io.EOF {
			break
		}
		if wrong != nil || err != nil {
			return all, wrong, err
		}
		all = append(all, cells)
	}
	return all, nil, nil
}

// open opens sheet i.
func (b *Book) open(i int) error {
	if b.part != nil {
		b.part.Close() // reading has reported any error
	}
	b.part = nil
	in, err := b.unpack(b.zip, b.sheets[i].part)
	if err != nil {
		return b.wrong(err)
	}
	b.part = in
	b.sheet = &sheet{in: newElements(in), texts: b.texts}
	return nil
}

// maxSheets is the maximum number of sheets that are examined.
const maxSheets = 100

// binaries lists the first bytes of files that people give by mistake.
var binaries = []struct{ begins, what string }{
	{"%PDF-", "PDF"}, {"\x89PNG", "PNG image"}, {"\xFF\xD8\xFF", "JPEG image"}, {"GIF8", "GIF image"}, {"\x1F\x8B", "gzip file"}, {"Rar!", "RAR archive"},
	{"7z\xBC\xAF", "7z archive"}, {"\x7FELF", "program"}, {"SQLite f", "SQLite database"}, {"{\\rtf", "RTF document"},
}

// isBinary reports whether the first bytes of a file are no text in any encoding: one in twenty is
// a control character that no text has, and it is not UTF-16.
func isBinary(begin []byte) bool {
	control := 0
	for _, c := range begin {
		if c < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r\x1a\x1b"), rune(c)) {
			control++
		}
	}
	return len(begin) >= 64 && 20*control >= len(begin) && unmarked(begin) == "" &&
		!bytes.HasPrefix(begin, []byte("\xFF\xFE")) && !bytes.HasPrefix(begin, []byte("\xFE\xFF"))
}

// Open opens a list: an Excel workbook (xlsx), which the caller must close, or else a text. One of
// the two results is nil. Reading fails after ctx has ended.
func Open(ctx context.Context, r io.Reader, opt ListOptions) (*Book, *Lenient, error) {
	in := &input{ctx: ctx, r: r}
	head := make([]byte, 8)
	n, err := io.ReadFull(in, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, nil, err
	}
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
	case bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")):
		return nil, nil, bookOld.With()
	default:
		for _, b := range binaries {
			if bytes.HasPrefix(head, []byte(b.begins)) {
				return nil, nil, notText.With(b.what)
			}
		}
		text := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(head), in), chunk)
		if begin, _ := text.Peek(chunk); opt.Encoding == "" && isBinary(begin) { // the next read returns any error
			return nil, nil, notText.With("binary file")
		}
		return nil, newLenient(text, opt.Encoding), nil
	}
	b := &Book{ctx: ctx, scratch: &scratch{parent: opt.TempDir}, most: cmp.Or(opt.MaxUnpacked, MaxUnpacked)}
	b.left = b.most
	if err := b.find(in, head); err != nil {
		return nil, nil, errors.Join(b.wrong(err), b.Close())
	}
	return b, nil, nil
}

// Close closes the workbook and removes its temporary files.
func (b *Book) Close() error {
	if b.part != nil {
		b.part.Close() // reading has reported any error
	}
	return b.scratch.close()
}

// wrong converts an error of the zip or XML library into the error that the user sees.
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
	text := err.Error() // the error's text may contain bytes of the workbook
	return bookBroken.With(errors.New(strings.ToValidUTF8(text[:min(len(text), 200)], "\uFFFD")))
}

// The reasons for rejecting a workbook.
var (
	errUnpacked  = errors.New("more bytes than may be unpacked")
	errNoPart    = errors.New("a part is missing")
	errParts     = errors.New("it has too many parts")
	errEncrypted = errors.New("it is encrypted")
)

// find finds the sheets of a workbook. head has its first bytes.
func (b *Book) find(in *input, head []byte) error {
	at, size, err := b.scratch.seekable(in, head, b.most)
	if err != nil {
		return err
	}
	source := &countedAt{ReaderAt: at, left: maxDirectory + 1<<17} // the end of a zip is within its last 64 KiB
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
	if main == "" && (err == nil || err == errNoPart) {
		return notText.With("zip archive without a workbook")
	} else if main == "" {
		return err
	}
	var ids []string
	err = b.elements(zipped, main, func(e element) error {
		if e.name == "sheet" {
			ids, b.sheets = append(ids, e.attr("id")), append(b.sheets, sheetPart{name: e.attr("name")})
			if len(ids) == maxSheets {
				return io.EOF
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return bookEmpty.With()
	}
	dir, file := path.Split(main)
	shared := ""
	err = b.elements(zipped, dir+"_rels/"+file+".rels", func(e element) error {
		switch {
		case e.name != "Relationship":
		case strings.HasSuffix(e.attr("Type"), "/sharedStrings"):
			shared = resolve(dir, e.attr("Target"))
		case strings.HasSuffix(e.attr("Type"), "/chartsheet"):
		default:
			for i, id := range ids {
				if id == e.attr("Id") {
					b.sheets[i].part = resolve(dir, e.attr("Target"))
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.texts = &texts{spill: b.scratch}
	if shared != "" {
		if err := b.readTexts(zipped, shared); err != nil && err != errNoPart { // some programs declare shared strings although they write none
			return err
		}
	}
	b.zip = zipped
	b.sheets = slices.DeleteFunc(b.sheets, func(s sheetPart) bool { return s.part == "" }) // a sheet without a part is a chart
	if len(b.sheets) == 0 {
		return errNoPart
	}
	return b.open(0)
}

// resolve returns the part to which target refers. target comes from a relationship of a part in
// the folder dir. The result is always within the workbook.
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

// unpacked counts the bytes that are unpacked.
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

// countedAt limits the number of bytes that may be read until free is set.
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

// mebibytes converts bytes to MiB, rounded down.
func mebibytes(n int64) int64 { return n >> 20 }
