package rows

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of the XML in a workbook. Each is many times the size in real workbooks.
const (
	// maxToken is the maximum size in bytes of a tag, or of a text between two tags. A cell has at
	// most 32,767 characters.
	maxToken = 512 << 10
	maxDepth = 64
)

// element is a start tag. The namespace of its name is dropped, because programs write different
// namespaces.
type element struct {
	name  string
	attrs []xml.Attr
}

// attr returns the value of an attribute, or "".
func (e element) attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// elements reads the tags and texts of a part in bounded memory.
type elements struct {
	in    *xml.Decoder
	bytes *tokenBytes
	depth int
}

func newElements(r io.Reader) *elements {
	text, _ := wide(r, "")
	in, ok := text.(*bufio.Reader)
	if !ok {
		in = bufio.NewReaderSize(text, 4<<10)
	}
	e := &elements{bytes: &tokenBytes{in: in}}
	e.in = xml.NewDecoder(e.bytes)
	e.in.CharsetReader = func(name string, in io.Reader) (io.Reader, error) {
		if name = strings.ToLower(name); strings.HasPrefix(name, "utf-16") || name == "us-ascii" {
			return in, nil // the text has been converted from UTF-16 already
		}
		return nil, fmt.Errorf("a part is in %s", name)
	}
	return e
}

// next returns the next token, which is valid until the next call.
func (e *elements) next() (xml.Token, error) {
	e.bytes.since = 0
	token, err := e.in.RawToken()
	if err == io.EOF && e.depth > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	switch token.(type) {
	case xml.StartElement:
		if e.depth++; e.depth > maxDepth {
			return nil, errDeep
		}
	case xml.EndElement:
		e.depth--
	}
	return token, nil
}

// tokenBytes passes bytes to a decoder. It returns an error if a token has more than maxToken
// bytes.
type tokenBytes struct {
	in    *bufio.Reader
	since int
}

func (t *tokenBytes) ReadByte() (byte, error) {
	if t.since++; t.since > maxToken {
		return 0, errToken
	}
	return t.in.ReadByte()
}

func (t *tokenBytes) Read(p []byte) (int, error) { return t.in.Read(p) }

var (
	errDeep  = errors.New("its elements are nested too deep")
	errToken = errors.New("a tag or a text in it is too long")
)

// elements calls yield for each element of a part until yield returns an error. If yield returns
// [io.EOF], elements returns nil.
func (b *Book) elements(zipped *zip.Reader, name string, yield func(element) error) error {
	part, err := b.unpack(zipped, name)
	if err != nil {
		return err
	}
	defer part.Close() // an error of closing does not matter: everything needed has been read
	in := newElements(part)
	for {
		token, err := in.next()
		if start, ok := token.(xml.StartElement); ok {
			err = yield(element{start.Name.Local, start.Attr})
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readTexts reads the shared strings.
func (b *Book) readTexts(zipped *zip.Reader, name string) error {
	part, err := b.unpack(zipped, name)
	if err != nil {
		return err
	}
	defer part.Close() // all that is needed has been read
	in := newElements(part)
	var text richText
	for {
		token, err := in.next()
		if err == io.EOF {
			return b.texts.done()
		}
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); !ok || start.Name.Local != "si" {
			continue
		}
		if err := text.read(in); err != nil {
			return err
		}
		if int64(b.texts.n)*textCost >= b.most {
			return errUnpacked
		}
		if err := b.texts.add(text.plain()); err != nil {
			return err
		}
	}
}

// richText is a text that may consist of runs with different formats.
type richText struct{ b []byte }

// read reads the text of the current element. The text consists of the element's runs, without
// phonetic guides. read drops text beyond the limit of a row.
func (t *richText) read(in *elements) error {
	t.b = t.b[:0]
	inside, text, aloud := in.depth, 0, 0 // the depths of the current element, of a t element and of an rPh element (phonetic guide) in it; 0 if outside
	for {
		token, err := in.next()
		if err != nil {
			return unexpected(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch {
			case token.Name.Local == "rPh" && aloud == 0:
				aloud = in.depth
			case token.Name.Local == "t" && aloud == 0 && text == 0:
				text = in.depth
			}
		case xml.EndElement:
			if in.depth < inside {
				return nil
			}
			if in.depth < text {
				text = 0
			}
			if in.depth < aloud {
				aloud = 0
			}
		case xml.CharData:
			if text == in.depth {
				t.add(token)
			}
		}
	}
}

func (t *richText) add(more []byte) {
	if len(t.b) <= maxLenientBytes {
		t.b = append(t.b, more...)
	}
}

// plain returns the text with escaped characters such as _x000D_ decoded.
func (t *richText) plain() []byte {
	if !bytes.Contains(t.b, []byte("_x")) {
		return t.b
	}
	return escaped.ReplaceAllFunc(t.b, func(code []byte) []byte {
		c, err := strconv.ParseUint(string(code[2:6]), 16, 16)
		if err != nil || utf16.IsSurrogate(rune(c)) {
			return nil // one half of a surrogate pair
		}
		return utf8.AppendRune(nil, rune(c))
	})
}

// unexpected returns the error for a part that ends too early.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
