package wire

import "bytes"

// Expect is the name under which a handler finds the header Expect. For any
// expectation but 100-continue net/http would answer 417 by itself, past all
// handlers: past limits, log and metrics. So it must not see the name.
const Expect = "Expec!"

// expect is how the header's name is written at the beginning of a line, in
// any case.
const expect = "expect"

// head follows where in the head of a request the bytes are that are read.
// What it takes for a head behind a body is none, and nobody reads it: the
// connection of a request with a body is closed.
type head struct {
	name   bool // this line may begin with expect: it does so far, and is no request line
	column int  // as far as it does
	text   bool // this line is not empty
}

// hide changes the name Expect of headers into [Expect]. It is a byte of the
// name that it changes, also of names that begin alike, which nobody here asks
// for: so it is no matter in which pieces the bytes come.
func (h *head) hide(b []byte) {
	for len(b) > 0 {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		for i := 0; i < len(line) && h.name; i++ {
			if h.name = line[i]|0x20 == expect[h.column]; !h.name {
				break
			}
			if h.column++; h.column == len(expect) {
				line[i], h.name = Expect[len(expect)-1], false
			}
		}
		h.text = h.text || len(bytes.Trim(line, "\r")) > 0
		if !ended {
			return
		}
		// Behind an empty line the next request begins.
		*h = head{name: h.text}
		b = rest
	}
}
