package match

import (
	"fmt"
	"strings"

	"bencao/names/internal/parse"
)

// steps records the steps of a match in order, for the explanation. A nil *steps records nothing.
type steps struct{ list []string }

func newSteps(explain bool) *steps {
	if explain {
		return &steps{}
	}
	return nil
}

// note records a step.
func (s *steps) note(words ...string) {
	if s != nil {
		s.list = append(s.list, strings.Join(words, ""))
	}
}

// found records that a key was found. For example, it records exact: "panax ginseng" is in the
// index.
func (s *steps) found(how string, key []byte, what string) {
	if s != nil {
		s.list = append(s.list, fmt.Sprintf("%s %q%s", how, key, what))
	}
}

// read records how a name was read.
func (s *steps) read(n *parse.Name) {
	if s == nil {
		return
	}
	s.note("cleaned: ", n.Cleaned)
	for _, part := range [][2]string{
		{"canonical name: ", n.Canonical}, {"author: ", n.Author},
		{"family as a hint: ", n.Family}, {"cultivar set aside: ", n.Cultivar},
	} {
		if part[1] != "" {
			s.note(part[0], part[1])
		}
	}
	for _, k := range n.Keys {
		s.note("key: ", string(k.Text))
	}
}

// all returns a copy of the steps so far.
func (s *steps) all() []string {
	if s == nil {
		return nil
	}
	return append([]string(nil), s.list...)
}

// truncate drops all steps after the first n. The dropped steps concern a name that is not part of
// the answer.
func (s *steps) truncate(n int) {
	if s != nil {
		s.list = s.list[:n]
	}
}

// count returns the number of steps so far.
func (s *steps) count() int {
	if s == nil {
		return 0
	}
	return len(s.list)
}
