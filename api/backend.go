package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"time"

	"bencao/api/cache"
	"bencao/internal/snapshotfiles"
	"bencao/mappings/patterns"
	"bencao/mappings/prescriptions"
	"bencao/store"
	"bencao/store/snapshot"
)

// prefix begins the path of every route.
const prefix = "/api/v1"

// Changes counts the differences between a table and the same table in the previous snapshot.
type Changes struct {
	// Before is the number of records in the previous snapshot; 0 if there was none.
	Before  int
	Added   int
	Removed int
	Changed int
	// AddedFirst and ChangedFirst are the ids of the first added and changed records.
	AddedFirst, ChangedFirst []string
}

// Meta describes the snapshot of a [Backend].
type Meta struct {
	// ID is the snapshot's id. It is sent as X-Data-Version and is part of every ETag.
	ID string
	// Built is the time when the snapshot was built. The metrics show its age.
	Built time.Time
	// SiteURL is the address of the web pages. The url of every record starts with it.
	SiteURL string
	// Sources lists the data package and the checklists that the snapshot was built from.
	Sources []snapshot.Source
	// Dataset describes the snapshot as a Dataset of schema.org (JSON-LD), without its address. Nil
	// if the snapshot has no description.
	Dataset json.RawMessage
	// Changes has the differences from the previous snapshot, by the name of the table. A table may
	// be missing.
	Changes map[string]Changes
	// Public reports that the snapshot was built without the data that need a scope in [withheld].
	// No key has these scopes while such a snapshot is served.
	Public bool
	// Held keeps the snapshot's directory from being removed until Held is closed. The backend
	// closes Held after the snapshot's files. Held may be nil.
	Held io.Closer
	// Parts are the parts of the snapshot to open. Zero means all of them. A backend with some of the
	// parts answers the requests that need no other, as [Needs] tells, and does not warm up.
	Parts snapshotfiles.Part
	// Searches limits how many requests search or match at the same time. Zero means four for each
	// processor. Further requests wait up to a second and are then refused.
	Searches int
}

// site returns SiteURL without a slash at the end.
func (m *Meta) site() string { return strings.TrimRight(m.SiteURL, "/") }

// keptPatterns is the number of answers that a [Backend] caches, so that the pages of one list are
// computed only once.
const keptPatterns = 8

// Backend is an open snapshot. Its methods may be called from many goroutines until Close.
type Backend struct {
	meta    Meta
	site    string // address of the web pages, escaped for JSON, without a trailing slash
	etag    string // identifies the snapshot in every ETag
	terms   terms  // addresses of the licence and of how to cite, on the snapshot's site; the operator may configure others
	files   *snapshotfiles.Files
	entries entries

	patterns  *patterns.Engine
	patterned *cache.Cache[any] // caches the last answers of the patterns operations

	// prescriptions is what prescriptions are read by. The first call makes it.
	prescriptions func() (*prescriptions.Base, error)

	turns   *turns
	buffers sync.Pool // of *buffer
}

// terms are the addresses of the licence and of the page on how to cite. links is the value of the
// header Link for both.
type terms struct{ license, citeAs, links string }

func newTerms(license, citeAs string) terms {
	return terms{license, citeAs, "<" + license + `>; rel="license", <` + citeAs + `>; rel="cite-as"`}
}

// OpenBackend opens the snapshot in dir. The caller must have verified the snapshot. If OpenBackend
// returns an error, meta.Held is still open.
func OpenBackend(dir string, meta Meta) (*Backend, error) {
	if err := CheckAddress(meta.SiteURL); meta.SiteURL != "" && err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	if meta.Parts == 0 {
		meta.Parts = snapshotfiles.All
	}
	if meta.Searches <= 0 {
		meta.Searches = turnFactor * runtime.GOMAXPROCS(0)
	}
	b := &Backend{
		meta:  meta,
		site:  store.EscapeSite(meta.SiteURL),
		etag:  meta.ID + "\x00" + meta.SiteURL,
		turns: newTurns(meta.Searches),
	}
	about := meta.site() + "/about"
	b.terms = newTerms(about, about+"?"+VersionParam+"="+meta.ID)
	files, err := snapshotfiles.Open(dir, meta.Parts)
	if err != nil {
		return nil, err
	}
	b.files, b.entries = files, entriesOf(files.Store)
	b.patterned = cache.New[any](keptPatterns, nil)
	if meta.Parts == snapshotfiles.All {
		err = files.Warm(context.Background()) // needs no deadline, because no request uses the snapshot yet
	}
	if err == nil && meta.Parts&snapshotfiles.Formulas != 0 {
		err = b.openPatterns()
	}
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	return b, nil
}

func (b *Backend) openPatterns() error {
	tx, err := b.files.Store.Begin()
	if err != nil {
		return err
	}
	defer tx.Close()
	b.patterns, err = patterns.Open(tx.Pattern)
	b.prescriptions = sync.OnceValues(b.openPrescriptions)
	return err
}

// needs maps the first word of a path of the API to the parts of a snapshot that answer it.
var needs = map[string]snapshotfiles.Part{
	"species":  snapshotfiles.Species | snapshotfiles.Names | snapshotfiles.Taxa,
	"formulas": snapshotfiles.Formulas | snapshotfiles.Herbs, // the index of herbs knows the meanings of an ambiguous name
	"patterns": snapshotfiles.Formulas | snapshotfiles.Herbs,
	"herbs":    snapshotfiles.Herbs,
	"papers":   snapshotfiles.Papers,
	"names":    snapshotfiles.Names | snapshotfiles.Taxa,
	"suggest":  snapshotfiles.Species | snapshotfiles.Formulas | snapshotfiles.Herbs,
	"changes":  snapshotfiles.Changes,
	"version":  snapshotfiles.Changes,
	"stats":    0,
	"key":      0,
}

// Needs returns the parts of a snapshot that the answer to a request needs.
func Needs(path string, query url.Values) snapshotfiles.Part {
	word, _, _ := strings.Cut(strings.TrimPrefix(path, prefix+"/"), "/")
	parts, known := needs[word]
	if !known {
		return snapshotfiles.All
	}
	if query.Has("species") { // a filter, whose value may be a name
		parts |= snapshotfiles.Species | snapshotfiles.Names
	}
	return parts | snapshotfiles.Store
}

// Close closes the snapshot's files and meta.Held. Other methods must not be called during or after
// it.
func (b *Backend) Close() error {
	err := b.files.Close()
	if b.meta.Held != nil {
		err = errors.Join(err, b.meta.Held.Close())
	}
	return err
}

// ID returns the snapshot's id.
func (b *Backend) ID() string { return b.meta.ID }

// body returns an empty body with a buffer from the pool.
func (b *Backend) body() body { return body{newBuffer(&b.buffers), &b.buffers} }

// errNoAnswer means that the store is damaged: a record lacks its rendered answer.
var errNoAnswer = errors.New("the store has a record without its answer")

// answer renders a record from its template, with the parts in show.
func (b *Backend) answer(t store.Template, show store.Parts) (body, error) {
	if t == nil {
		return body{}, errNoAnswer
	}
	out := b.body()
	out.b = t.Append(out.b, b.site, show)
	return out, nil
}

// NoInput is the input of handlers without parameters.
type NoInput struct{}
