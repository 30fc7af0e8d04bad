package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bencao/api/access"
	"bencao/api/listen"
	"bencao/indexer"
	"bencao/internal/system"
)

// examineInputs looks at what the nightly run reads and writes elsewhere.
func examineInputs(s *settings) []diagnosis {
	var all []diagnosis
	inputs, err := s.inputs()
	if err != nil {
		all = append(all, fail("checklist", err, "write name=path"))
	}
	if s.source != "" {
		inputs = append([]indexer.Input{{Key: "source", Path: s.source}}, inputs...)
	}
	for _, in := range inputs {
		f, err := os.Open(in.Path)
		if err != nil {
			all = append(all, fail(in.Key, err, "put the file there, let this user read it, or correct the path"))
			continue
		}
		info, err := f.Stat()
		if err = errors.Join(err, f.Close()); err != nil {
			all = append(all, fail(in.Key, err, ""))
			continue
		}
		all = append(all, good(in.Key, "%s of %s", in.Path, info.ModTime().UTC().Format(time.RFC3339)))
	}
	if s.metricsFile != "" {
		folder := filepath.Dir(s.metricsFile)
		if err := system.Writable(folder); err != nil {
			all = append(all, fail("metrics file", fmt.Errorf("%s: %w", folder, err), "make the folder, and let the user of \"bencao index\" write there"))
		} else {
			all = append(all, good("metrics file", "%s", s.metricsFile))
		}
	}
	if s.trustRoot != "" {
		if root, err := readRoot(s.trustRoot); err != nil {
			all = append(all, fail("trust-root", err, ""))
		} else {
			all = append(all, good("trust-root", "root %d in %s", root.Version(), s.trustRoot))
		}
	}
	if p, err := s.publisher(); err != nil {
		all = append(all, fail("trust-keys", err, ""))
	} else if p.Nightly != nil {
		all = append(all, good("trust-keys", "%s", p.Nightly))
	} else if s.trustKeys != "" {
		all = append(all, fail("trust-keys", fmt.Errorf("%s has no nightly.key", s.trustKeys), "\"bencao trust init\" makes it"))
	}
	return all
}

// soon is when a key that ends is worth a warning.
const soon = 14 * 24 * time.Hour

// examineAccess looks at the access file.
func examineAccess(s *settings) []diagnosis {
	const check = "access file"
	if s.access == "" {
		return []diagnosis{warn(check, "\"bencao serve\" needs it: give --access, BENCAO_ACCESS, or access in a configuration file", "is not set")}
	}
	table, err := access.Read(s.access)
	if errors.Is(err, fs.ErrNotExist) {
		return []diagnosis{fail(check, err, "\"bencao keys create\" makes it")}
	}
	if err != nil {
		return []diagnosis{fail(check, err, "mend the file; a running server goes on with what it said before")}
	}
	info, err := os.Stat(s.access)
	if err != nil {
		return []diagnosis{fail(check, err, "")}
	}
	if system.Modes && info.Mode().Perm()&0o022 != 0 {
		return []diagnosis{fail(check, fmt.Errorf("%s may be changed by others (mode %04o)", s.access, info.Mode().Perm()), "run \"chmod go-w "+s.access+"\"")}
	}
	now := time.Now()
	active, ending := 0, []string{}
	for _, e := range table.Entries() {
		if e.State(now) != "active" {
			continue
		}
		active++
		if !e.Expires.IsZero() && e.Expires.Before(now.Add(soon)) {
			ending = append(ending, e.ID)
		}
	}
	var all []diagnosis
	if active == 0 {
		all = append(all, warn(check, "\"bencao keys create\" makes a key", "%s has no key that is active", s.access))
	} else {
		all = append(all, good(check, "%s, %d of %d keys active", s.access, active, len(table.Entries())))
	}
	if len(ending) > 0 {
		all = append(all, warn(check, "\"bencao keys edit ID --expires DATE\" gives more time", "ending within two weeks: %s", strings.Join(ending, ", ")))
	}
	for _, w := range table.Warnings() {
		all = append(all, warn(check, "change it if it is not meant", "%s", w))
	}
	return all
}

// examinePorts looks whether a server runs, or could.
func examinePorts(ctx context.Context, s *settings) []diagnosis {
	running := examineRunning(ctx, s)
	all := []diagnosis{examinePort(ctx, "listen", s.listen, running)}
	if s.admin != "" && s.admin != off {
		all = append(all, examinePort(ctx, "admin", s.admin, running))
	}
	return all
}

// examineRunning tells whether a server of ours answers operators.
func examineRunning(ctx context.Context, s *settings) bool {
	if s.admin == "" || s.admin == off {
		return false
	}
	_, err := askReady(ctx, s.admin)
	return err == nil
}

func examinePort(ctx context.Context, check, address string, running bool) diagnosis {
	err := examineAddress(ctx, address)
	switch {
	case err == nil:
		return good(check, "%s is free", address)
	case running:
		return good(check, "%s is taken, and a server answers", address)
	}
	return fail(check, err, "end what listens there, or choose another address with --"+check)
}

// examineAddress returns an error if nobody could listen on an address.
func examineAddress(ctx context.Context, address string) error {
	at, err := listen.Parse(address)
	if err != nil {
		return err
	}
	if at.Network == "unix" {
		taken, err := listen.Answers(ctx, at.Place)
		if err == nil && taken {
			err = fmt.Errorf("%s: %w", at.Place, system.AddressTaken)
		}
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, at.Network, at.Place)
	if err != nil {
		return err
	}
	return l.Close()
}
