package rows

import "fmt"

// Kind is what is wrong in a text.
type Kind int

// The kinds of errors.
const (
	Encoding Kind = iota // bytes that are not UTF-8
	Quoting              // a stray or unclosed quotation mark
	Size                 // a cell or a row over its limit
)

// Error says what is wrong in a text, and where. No row follows it.
type Error struct {
	Kind    Kind
	File    string
	Line    int    // physical line from 1
	Value   string // what stands there; may be long, and no UTF-8
	Message string // what is wrong
	Hint    string // how to mend it
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: %s; %s", e.File, e.Line, e.Message, e.Hint)
}
