package main

import (
	"os/user"
	"strconv"
)

// readerIDs are the users of the setting reader, by number.
func (s *settings) readerIDs() ([]int, error) {
	var ids []int
	for _, name := range s.readers {
		id, err := strconv.Atoi(name)
		if err != nil {
			u, lookupErr := user.Lookup(name)
			if lookupErr != nil {
				return nil, usagef("reader is %q (%s), and there is no such user; give a name or a number of \"getent passwd\"", name, s.origin["reader"])
			}
			if id, err = strconv.Atoi(u.Uid); err != nil {
				return nil, usagef("reader is %q, whose number is %q; this system has no users that can be told apart", name, u.Uid)
			}
		}
		ids = append(ids, id)
	}
	return ids, nil
}
