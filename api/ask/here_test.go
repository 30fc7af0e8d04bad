package ask_test

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/url"
	"slices"
	"testing"

	"bencao/api"
	"bencao/api/access"
	"bencao/api/ask"
	"bencao/internal/snapshotfiles"
	"bencao/internal/test/indextest"
)

// TestHere asks for paths of several tables. Each request opens only the parts that it needs beside
// those that are open already.
func TestHere(t *testing.T) {
	n, err := indextest.WithChecklists(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var opened []snapshotfiles.Part
	c := ask.Here(func(parts snapshotfiles.Part) (*api.Backend, error) {
		opened = append(opened, parts)
		return api.OpenBackend(n.Dir, api.Meta{ID: "test", SiteURL: "https://plants.example", Parts: parts})
	}, access.Prescriptions, slog.New(slog.DiscardHandler), "test")
	for _, tt := range []struct {
		path  string
		query url.Values
		total int
	}{
		{"/species", url.Values{"q": {"人参"}}, 2},
		{"/species", url.Values{"q": {"renshen"}}, 2},
		{"/papers", url.Values{"q": {"10.1038/nm.2471"}}, 1},
		{"/formulas", url.Values{"q": {"桂枝汤"}, "dynasty": {"唐"}}, 1},
	} {
		var page struct{ Total int }
		if err := c.Get(t.Context(), tt.path, tt.query, &page); err != nil || page.Total != tt.total {
			t.Errorf("%s?%s finds %d records, %v, want %d", tt.path, tt.query.Encode(), page.Total, err, tt.total)
		}
	}
	species := snapshotfiles.Store | snapshotfiles.Species | snapshotfiles.Names | snapshotfiles.Taxa
	if want := []snapshotfiles.Part{species, species | snapshotfiles.Papers, species | snapshotfiles.Papers | snapshotfiles.Formulas | snapshotfiles.Herbs}; !slices.Equal(opened, want) {
		t.Errorf("opened %b, want %b", opened, want)
	}
	for path, refused := range map[string]bool{"/formulas?herbs=x": false, "/species?page=x": true, "/nothing": false} {
		at, err := url.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Get(t.Context(), at.Path, at.Query(), &struct{}{})
		if ask.Refused(err) != refused || ask.Missing(err) != (path == "/nothing") || err == nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	gone := ask.Here(func(snapshotfiles.Part) (*api.Backend, error) { return nil, fs.ErrNotExist }, access.Open, slog.New(slog.DiscardHandler), "test")
	if err := gone.Get(t.Context(), "/stats", nil, &struct{}{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a snapshot that cannot be opened: %v", err)
	}
	if err := gone.Close(); err != nil {
		t.Error(err)
	}
}
