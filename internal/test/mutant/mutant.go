// Package mutant damages the sources of a build as a defective export job would, one defect at a
// time. It also edits the sources as a curator does. A build of damaged sources must be refused,
// and a build of edited sources must be published:
//
//	Sources ─▶ All(Sources)          ─▶ []Mutant   each must be refused
//	Sources ─▶ NewCurator(Sources)   ─▶ Next()     each must be published
//
// The package must not know the checks that distinguish damage from edits. Begin with [All].
package mutant

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing/fstest"

	"bencao/indexer/datapackage"
)

// Sources are the sources of a build.
type Sources struct {
	Package    Folder
	Checklists []Checklist // in the order of the configuration
}

// Checklist is a checklist with its key in the configuration.
type Checklist struct {
	Key    string
	Folder Folder
}

// Folder is a source: its tables and its other files.
type Folder struct {
	Tables map[string]*Table // by path
	Other  map[string][]byte // by path
}

// dialects gives the format of the tables of checklists. Other files with a name ending in .csv are
// comma-separated.
var dialects = map[string]Dialect{
	"wcvp_names.csv":        {Comma: '|'},
	"wcvp_distribution.csv": {Comma: '|'},
	"taxon.txt":             {Comma: '\t'},
	"classification.csv":    {Comma: '\t'},
	"NameUsage.tsv":         {Comma: '\t'},
	"VernacularName.tsv":    {Comma: '\t'},
}

// Load reads a source from a folder.
func Load(src fs.FS) (Folder, error) {
	f := Folder{Tables: map[string]*Table{}, Other: map[string][]byte{}}
	err := fs.WalkDir(src, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(src, path)
		if err != nil {
			return err
		}
		dialect, named := dialects[e.Name()]
		if !named {
			if len(path) < 4 || path[len(path)-4:] != ".csv" {
				f.Other[path] = b
				return nil
			}
			dialect = Dialect{Comma: ',', Quoted: true}
		}
		t, err := parse(b, dialect)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		t.schema = schemaOf(path)
		f.Tables[path] = t
		return nil
	})
	if err != nil {
		return Folder{}, err
	}
	return f, f.edit(func(r map[string]any) bool {
		// A defective export job writes a checksum that matches its wrong rows.
		delete(r, "bytes")
		delete(r, "hash")
		return true
	})
}

// schemaOf returns the schema of a file of a data package.
func schemaOf(path string) datapackage.TableSchema {
	for _, s := range datapackage.Schema() {
		if s.Name+".csv" == path {
			return s
		}
	}
	return datapackage.TableSchema{}
}

// FS returns the source as a file system.
func (f Folder) FS() fstest.MapFS {
	out := fstest.MapFS{}
	for path, b := range f.Other {
		out[path] = &fstest.MapFile{Data: b, Mode: 0o644}
	}
	for path, t := range f.Tables {
		out[path] = &fstest.MapFile{Data: t.bytes(), Mode: 0o644}
	}
	return out
}

// names returns the paths of the tables, sorted.
func (f Folder) names() []string { return slices.Sorted(maps.Keys(f.Tables)) }

// with returns the folder with another table at path. A nil table removes the table at path.
func (f Folder) with(path string, t *Table) Folder {
	f.Tables = maps.Clone(f.Tables)
	f.Tables[path] = t
	if t == nil {
		delete(f.Tables, path)
	}
	return f
}

const descriptor = "datapackage.json"

// edit passes each resource of the folder's datapackage.json to the function keep, which may change
// the resource. If keep returns false, edit removes the resource. Without a datapackage.json, edit
// does nothing.
func (f Folder) edit(keep func(resource map[string]any) bool) error {
	b, there := f.Other[descriptor]
	if !there {
		return nil
	}
	var d map[string]any
	if err := json.Unmarshal(b, &d); err != nil {
		return fmt.Errorf("%s: %w", descriptor, err)
	}
	list, ok := d["resources"].([]any)
	if !ok {
		return errors.New(descriptor + " has no resources")
	}
	kept := []any{}
	for _, r := range list {
		if resource, ok := r.(map[string]any); ok && keep(resource) {
			kept = append(kept, resource)
		}
	}
	d["resources"] = kept
	b, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	f.Other[descriptor] = b
	return nil
}

// described does the same as edit, but changes only a copy of the folder, which it returns.
func (f Folder) described(keep func(resource map[string]any) bool) Folder {
	f.Other = maps.Clone(f.Other)
	if err := f.edit(keep); err != nil {
		panic(err) // cannot fail: Load has read the same bytes
	}
	return f
}
