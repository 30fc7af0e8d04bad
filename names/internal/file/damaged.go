package file

import (
	"errors"
	"fmt"
)

// ErrDamaged is the error for a file that is damaged or is not a names file.
var ErrDamaged = errors.New("names file is damaged")

// checkOffsets returns an error unless the n offsets at(0), at(1), … ascend from 0 to end.
func checkOffsets(n int, at func(int) uint32, end int) error {
	if n == 0 || at(0) != 0 || int64(at(n-1)) != int64(end) {
		return fmt.Errorf("%w: offsets do not span their section; build it again", ErrDamaged)
	}
	for i := 1; i < n; i++ {
		if at(i) < at(i-1) {
			return fmt.Errorf("%w: offsets do not rise; build it again", ErrDamaged)
		}
	}
	return nil
}
