package indexer

import (
	"errors"
	"fmt"
	"strings"

	"bencao/internal/durable"
	"bencao/internal/system"
	"bencao/store/snapshot"
)

// explained says of an error that ends a build what is behind it, and what to
// do: a source that changed while it was read, or a full disk.
func explainError(err error, s *sources, data string, before *snapshot.Manifest) error {
	if err == nil {
		return nil
	}
	err = s.preferChanged(err)
	if isDiskFull(err) {
		err = durable.Explain(data, err)
		return fmt.Errorf("%w; %s; make room, such as with \"bencao prune --keep 1\"", err, spaceNeeded(data, before))
	}
	return err
}

// full tells that there is no room. Bleve passes on no more than the message.
func isDiskFull(err error) bool {
	for _, no := range system.Full {
		if errors.Is(err, no) || strings.Contains(err.Error(), no.Error()) {
			return true
		}
	}
	return false
}

// need says how much room there is without the draft, and how much it takes.
func spaceNeeded(data string, before *snapshot.Manifest) string {
	have := data + " has too little room"
	if room, err := system.RoomOf(data); err == nil {
		have = fmt.Sprintf("%s has room for %.1f MiB", data, float64(room.Free)/(1<<20))
	}
	if before == nil {
		return have
	}
	return fmt.Sprintf("%s, and a snapshot of %.1f MiB as the one before needs up to twice as much while it is built", have, float64(before.Bytes())/(1<<20))
}
