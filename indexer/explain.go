package indexer

import (
	"errors"
	"fmt"
	"strings"

	"bencao/internal/system"
	"bencao/store/snapshot"
)

// explainError adds the cause and the remedy to an error that ended a build. It knows two causes: a
// source changed while it was read, or the disk is full.
func explainError(err error, s *sources, data string, before *snapshot.Manifest) error {
	if err == nil {
		return nil
	}
	err = s.preferChanged(err)
	if isDiskFull(err) {
		return fmt.Errorf("%w; %s; %s", err, spaceNeeded(data, before), snapshot.At(data).MakeRoom())
	}
	return err
}

// checkRoom returns an error for a full disk if a snapshot like the previous one does not fit on it,
// so that the build would fail after it has done most of its work.
func (r *run) checkRoom() error {
	room, err := system.RoomOf(r.cfg.Data)
	if err != nil || r.before == nil || room.Free >= r.before.Bytes() {
		return nil // a disk that does not say how much is free may have room
	}
	return fmt.Errorf("the build does not begin: %w", system.Full[0])
}

// isDiskFull reports whether err means that the disk is full. Bleve keeps only the text of the
// underlying error, so isDiskFull also compares texts.
func isDiskFull(err error) bool {
	for _, no := range system.Full {
		if errors.Is(err, no) || strings.Contains(err.Error(), no.Error()) {
			return true
		}
	}
	return false
}

// spaceNeeded returns a text that says how much disk space would be free without the draft, and how
// much a build needs.
func spaceNeeded(data string, before *snapshot.Manifest) string {
	have := data + " has too little free space"
	if room, err := system.RoomOf(data); err == nil {
		have = fmt.Sprintf("%s has %.1f MiB of free space", data, float64(room.Free)/(1<<20))
		if room.Files > 0 {
			have += fmt.Sprintf(" and %d free inodes", room.FilesLeft)
		}
	}
	if before == nil {
		return have
	}
	return fmt.Sprintf("%s, and a snapshot like the previous one of %.1f MiB needs up to twice its size during the build", have, float64(before.Bytes())/(1<<20))
}
