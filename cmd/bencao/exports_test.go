package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// exceptions lists exported names that no other package uses, with the reason why they stay
// exported. The names are patterns of path.Match.
var exceptions = map[string]string{
	"bencao/api.*":                          "the description of the API is made from these types and calls them by their names; the tests look at the document and at Admin",
	"bencao/api.Server.Admin":               "tests call it without a second socket",
	"bencao/names/dose.Err*":                "callers may need it for errors.Is",
	"bencao/names.ErrDamaged":               "likewise",
	"bencao/store.ErrDamaged":               "likewise",
	"bencao/store/*.ErrNewer":               "likewise",
	"bencao/store/*/*.ErrStale":             "likewise",
	"bencao/api/access.AddressSubject":      "a part of who may ask what, tested by itself",
	"bencao/api/access.Clients.Client":      "a part of who may ask what, tested by itself",
	"bencao/api/access.ErrNotKey":           "a part of who may ask what, tested by itself",
	"bencao/api/access.Memory":              "a part of who may ask what, tested by itself",
	"bencao/api/access.NewKey":              "a part of who may ask what, tested by itself",
	"bencao/api/access.NewMemory":           "a part of who may ask what, tested by itself",
	"bencao/api/access.Parse":               "a part of who may ask what, tested by itself",
	"bencao/api/access.ParseHash":           "a part of who may ask what, tested by itself",
	"bencao/api/access.ParseKey":            "a part of who may ask what, tested by itself",
	"bencao/api/access.Principal.Allows":    "a part of who may ask what, tested by itself",
	"bencao/api/access.Principal.Anonymous": "a part of who may ask what, tested by itself",
	"bencao/api/access.Problem":             "a part of who may ask what, tested by itself",
	"bencao/api/access.Secret.Hash":         "a part of who may ask what, tested by itself",
	"bencao/api/access.Table.AnonymousRate": "a part of who may ask what, tested by itself",
	"bencao/api/access.Table.Authenticate":  "a part of who may ask what, tested by itself",
	"bencao/api/access.Window":              "a part of who may ask what, tested by itself",
	"bencao/store/snapshot.Manifest.Encode": "a part of what is written and signed, tested by itself",
	"bencao/store/snapshot.ParseManifest":   "a part of what is written and signed, tested by itself",
	"bencao/names.*Builder":                 "what a method of NewBuilder's returns",
	"bencao/names/bulk.*":                   "the kinds of rows, by which a Tally is read",
	"bencao/names/drug.*":                   "a leaf that holds knowledge for whoever wants it",
	"bencao/names/drug.*.*":                 "likewise",
	"bencao/names/*/parse.Clean":            "the first stage of the parser, tested by itself",
	"bencao/names/pinyin.*":                 "how pinyin is spelled, tested piece by piece",
	"bencao/mappings/search.*":              "what an answer may say of itself",

	"bencao/api/explorer.*.*":          "what templates call",
	"bencao/api/explorer/texts.*.Keys": "by which the languages are compared",

	"bencao/indexer/datapackage.Package.Entries": "the tables as they are written, which a test reads one by one",
	"bencao/indexer/finding.MaxKept*":            "limits that a test reaches",
	"bencao/indexer/profile.Profile.Kept":        "how much of a table a profile holds, which a test measures",
	"bencao/indexer/herb.*.*":                    "what the names of herbs are tested by",
	"bencao/internal/rows.Max*":                  "limits that a test reaches",
	"bencao/mappings/internal/hits.*.*":          "what a collector is told",
}

// TestExportsAreUsed checks that another package uses each exported name. Otherwise the name should
// not be exported. The tests of a package do not count as another package.
//
// A method counts as used if its type needs it for an interface. A type counts as used if a used
// declaration mentions it. A constant counts as used if its type or another constant of its block
// is used.
func TestExportsAreUsed(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT TESTED with -short: it reads the whole program with its tests")
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Tests: true}, "bencao/...")
	if err != nil {
		t.Fatal(err)
	}
	e := exports{declared: map[string]declaration{}, used: map[string]bool{}, blocks: map[token.Position][]string{}}
	for _, p := range loaded {
		e.declare(p)
	}
	for _, p := range loaded {
		e.uses(p)
	}
	e.spread()
	interfaces := interfacesOf(loaded)
	if len(e.declared) < 500 || len(interfaces) < 50 {
		t.Fatalf("the test finds only %d exported names and %d interfaces", len(e.declared), len(interfaces))
	}
	for _, name := range slices.Sorted(maps.Keys(e.declared)) {
		d := e.declared[name]
		if !e.used[name] && !needed(d.object, interfaces) && !excepted(t, name) {
			t.Errorf("%s: %s is exported, and no other package uses it; start its name with a small letter, or remove it", d.at, name)
		}
	}
}

// excepted reports whether name matches a pattern in [exceptions].
func excepted(t *testing.T, name string) bool {
	for pattern := range exceptions {
		ok, err := path.Match(pattern, name)
		if err != nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		if ok {
			return true
		}
	}
	return false
}

// declaration is an exported name and its place in the source.
type declaration struct {
	object types.Object
	at     token.Position
}

// exports holds the exported names of all packages. A name starts with the path of its package,
// such as bencao/names.Index.Match.
type exports struct {
	declared map[string]declaration
	used     map[string]bool
	// blocks maps the place of each const block to the names of its constants.
	blocks map[token.Position][]string
}

// home returns the path of a package. For a package of external tests, it returns the path of the
// tested package.
func home(p *types.Package) string { return strings.TrimSuffix(p.Path(), "_test") }

// nameOf returns the name of an exported object of a package, or of an exported method. It returns
// "" for all other objects.
func nameOf(o types.Object) string {
	if o == nil || o.Pkg() == nil || !strings.HasPrefix(o.Pkg().Path(), "bencao/") || !o.Exported() {
		return ""
	}
	if f, ok := o.(*types.Func); ok {
		f = f.Origin()
		if r := f.Signature().Recv(); r != nil {
			receiver, named := types.Unalias(deref(r.Type())).(*types.Named)
			if !named || !receiver.Obj().Exported() || types.IsInterface(receiver) {
				return ""
			}
			return home(o.Pkg()) + "." + receiver.Obj().Name() + "." + o.Name()
		}
	}
	if o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return home(o.Pkg()) + "." + o.Name()
}

func deref(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// declare adds the exported names that a package declares outside its tests.
func (e *exports) declare(p *packages.Package) {
	for id, o := range p.TypesInfo.Defs {
		at := p.Fset.Position(id.Pos())
		if name := nameOf(o); name != "" && !strings.HasSuffix(at.Filename, "_test.go") {
			e.declared[name] = declaration{o, at}
		}
	}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if block, ok := d.(*ast.GenDecl); ok && block.Tok == token.CONST && block.Lparen.IsValid() {
				at := p.Fset.Position(block.Pos())
				for _, spec := range block.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						if name := nameOf(p.TypesInfo.Defs[id]); name != "" {
							e.blocks[at] = append(e.blocks[at], name)
						}
					}
				}
			}
		}
	}
}

// uses adds the names of other packages that a package uses.
func (e *exports) uses(p *packages.Package) {
	for _, o := range p.TypesInfo.Uses {
		if name := nameOf(o); name != "" && home(o.Pkg()) != home(p.Types) {
			e.used[name] = true
		}
	}
}

// spread marks as used the types that used names mention, and the constants whose type or block is
// used. It repeats this until it finds nothing new.
func (e *exports) spread() {
	for before := -1; before != len(e.used); {
		before = len(e.used)
		for name := range maps.Clone(e.used) {
			if d, ok := e.declared[name]; ok {
				e.mention(d.object)
			}
		}
		for name, d := range e.declared {
			if _, isConst := d.object.(*types.Const); !isConst {
				continue
			}
			if of, isNamed := d.object.Type().(*types.Named); isNamed && e.used[nameOf(of.Obj())] {
				e.used[name] = true
			}
		}
		for _, block := range e.blocks {
			if slices.ContainsFunc(block, func(name string) bool { return e.used[name] }) {
				for _, name := range block {
					e.used[name] = true
				}
			}
		}
	}
}

// mention marks the types in an object's declaration as used.
func (e *exports) mention(o types.Object) {
	seen := map[types.Type]bool{}
	var walk func(types.Type)
	walk = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			if name := nameOf(t.Obj()); name != "" {
				e.used[name] = true
			}
			for a := range t.TypeArgs().Types() {
				walk(a)
			}
		case *types.Alias:
			if name := nameOf(t.Obj()); name != "" {
				e.used[name] = true
			}
			walk(t.Rhs())
		case *types.Signature:
			walk(t.Params())
			walk(t.Results())
		case *types.Tuple:
			for v := range t.Variables() {
				walk(v.Type())
			}
		case *types.Struct:
			for f := range t.Fields() {
				if f.Exported() {
					walk(f.Type())
				}
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				walk(m.Type())
			}
		case *types.Map:
			walk(t.Key())
			walk(t.Elem())
		case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
			walk(t.Elem())
		}
	}
	walk(o.Type())
	if _, isType := o.(*types.TypeName); isType {
		walk(o.Type().Underlying())
	}
}

// interfacesOf returns all interfaces that the packages of this module declare or use, and those
// that their imported packages declare.
func interfacesOf(loaded []*packages.Package) []*types.Interface {
	found, seen := map[*types.Interface]bool{}, map[*types.Package]bool{}
	add := func(t types.Type) {
		if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
			found[i] = true
		}
	}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, name := range p.Scope().Names() {
			if tn, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
				add(tn.Type())
			}
		}
		for _, i := range p.Imports() {
			visit(i)
		}
	}
	for _, p := range loaded {
		visit(p.Types)
		for _, tv := range p.TypesInfo.Types {
			if tv.IsType() {
				add(tv.Type)
			}
		}
	}
	add(types.Universe.Lookup("error").Type())
	return slices.Collect(maps.Keys(found))
}

// asked lists methods that package errors calls through interfaces without a name.
var asked = []string{"Unwrap", "Is", "As"}

// needed reports whether an object is a method that its type needs for one of the interfaces.
func needed(o types.Object, interfaces []*types.Interface) bool {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return false
	}
	receiver := deref(f.Signature().Recv().Type())
	return slices.Contains(asked, f.Name()) || slices.ContainsFunc(interfaces, func(i *types.Interface) bool {
		for m := range i.Methods() {
			if m.Name() == f.Name() {
				return types.Implements(types.NewPointer(receiver), i)
			}
		}
		return false
	})
}
