package snapshot_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"bencao/store/snapshot"
)

// Example shows a nightly build and a server that opens its snapshot.
func Example() {
	root, err := os.MkdirTemp("", "data")
	if err != nil {
		log.Fatal(err)
	}
	defer func() {
		if err := errors.Join(removable(root), os.RemoveAll(root)); err != nil {
			log.Print(err)
		}
	}()
	ctx, data := context.Background(), snapshot.At(root)

	// The nightly build prepares a draft and publishes it.
	w, err := data.Lock(snapshot.WriterOptions{Purpose: "bencao index"})
	if err != nil {
		log.Fatal(err)
	}
	draft, err := w.Draft()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(draft.Path(), "names.idx"), []byte("Panax ginseng"), 0o644); err != nil {
		log.Fatal(err)
	}
	what := snapshot.Content{Program: "bencao 1.0", Tables: map[string]int{"species": 1}}
	if _, err := draft.Publish(ctx, what, func(dir string) error {
		_, err := os.Stat(filepath.Join(dir, "names.idx")) // a real check opens the file
		return err
	}); err != nil {
		log.Fatal(err)
	}
	if _, err := w.Prune(3); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	// The server opens the snapshot. Each request keeps it open until the answer is sent.
	var live *snapshot.Live[*snapshot.Snapshot]
	follower := snapshot.NewFollower(data, func(_ context.Context, s *snapshot.Snapshot) error {
		if live != nil {
			live.Swap(s)
			return nil
		}
		live = snapshot.NewLive(s, func(s *snapshot.Snapshot) {
			if err := s.Close(); err != nil {
				log.Print(err)
			}
		})
		return nil
	}, snapshot.FollowOptions{})
	if err := follower.Start(ctx); err != nil { // then go follower.Run(ctx)
		log.Fatal(err)
	}
	s, release := live.Acquire()
	b, err := os.ReadFile(s.Path("names.idx"))
	fmt.Printf("%s %v, fresh: %v, species: %d\n", b, err, follower.Status().Err == nil, s.Manifest.Tables["species"])
	release()
	if err := live.Close(ctx); err != nil {
		log.Fatal(err)
	}
	// Output: Panax ginseng <nil>, fresh: true, species: 1
}
