package file_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
	"bencao/names/internal/spelling"
)

// must ends the test if there is an error.
var must = testkit.Must

// list returns the data of a file with the given accepted names, all in one list. Each name is
// given with its author. The names need not be sorted.
func list(names ...[2]string) *file.Data {
	d := &file.Data{Checklists: []checklist.Checklist{{Source: "list", Name: "A list", Version: "7"}}, Members: file.AppendMembers(nil, 0, nil)}
	d.Shared = file.AppendShared(d.Shared, "")
	d.Words = []uint32{0, uint32(len(d.Shared))}
	d.Shared = file.AppendShared(d.Shared, "species")
	var tables [file.NumTables]file.TableBuilder
	for i, n := range names {
		key, genus := spelling.AppendKey(nil, n[0])
		texts := uint32(len(d.Names))
		d.Names = file.AppendTexts(d.Names, file.Texts{Name: n[0], Author: n[1]}, nil)
		d.Genera = append(d.Genera, file.Genus{Name: uint32(len(d.GenusNames)), Key: uint32(i)})
		d.GenusNames = append(d.GenusNames, key[:genus]...)
		d.Keys = append(d.Keys, file.Key{Rest: uint32(len(d.Rests))})
		d.Rests = append(d.Rests, bytes.TrimPrefix(key[genus:], []byte(" "))...)
		d.Usages = append(d.Usages, file.Usage{Texts: texts, Rank: 1, Concept: uint32(i), Bits: file.First})
		tables[file.ByGenus].Add(file.Hash(key[:genus]), uint32(i))
		tables[file.ByGenusOrtho].Add(file.Hash(spelling.AppendOrthoWord(nil, key[:genus], true)), uint32(i))
		tables[file.ByRestOrtho].Add(file.Hash(spelling.AppendOrthoRest(nil, key[genus+1:])), uint32(i))
		tables[file.Epithets].Add(file.Hash(key[genus+1:]), 0)
	}
	n := uint32(len(names))
	d.Genera = append(d.Genera, file.Genus{Name: uint32(len(d.GenusNames)), Key: n})
	d.Keys = append(d.Keys, file.Key{Rest: uint32(len(d.Rests))})
	d.Usages = append(d.Usages, file.Usage{Texts: uint32(len(d.Names)), Bits: file.First})
	d.Exact = file.MakeSlots(len(names), len(names), len(d.Names))
	for i, n := range names {
		key, _ := spelling.AppendKey(nil, n[0])
		d.Exact.Add(file.Hash(key), uint32(i), d.Usages[i].Texts)
	}
	d.Build(&tables)
	return d
}

// written writes a names file for a test and returns its path and contents.
func written(t *testing.T) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "names.idx")
	must(t, file.Write(path, list([2]string{"Panax ginseng", "C.A.Mey."}, [2]string{"Rosa × alba", "L."}, [2]string{"Zea mays", ""})))
	content, err := os.ReadFile(path)
	must(t, err)
	return path, content
}

// TestThereAndBack checks that a file that is written and read again has the same data.
func TestThereAndBack(t *testing.T) {
	path, _ := written(t)
	f, err := file.Open(path)
	must(t, err)
	if f.Len() != 3 || f.Database != -1 || !slices.Equal(f.Checklists, []checklist.Checklist{{Source: "list", Name: "A list", Version: "7"}}) || f.Versions[0] != "A list 7" {
		t.Errorf("%d usages, database %d, lists %v, versions %q; want 3, none, A list 7", f.Len(), f.Database, f.Checklists, f.Versions)
	}
	for key, want := range map[string]string{"panax ginseng": "Panax ginseng C.A.Mey. species", "rosa alba": "Rosa × alba L. species", "zea mays": "Zea mays  species"} {
		u, ok := f.FindKey([]byte(key))
		if !ok {
			t.Errorf("%s is not found", key)
			continue
		}
		if got := f.Name(u) + " " + f.Text(u, file.Author) + " " + f.Word(f.Usages[u].Rank); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
		if got := string(f.AppendKey(nil, f.KeyOf(u))); got != key {
			t.Errorf("the key of %s is %q", key, got)
		}
	}
	for _, key := range []string{"", "panax", "panax ginsen", "panax ginseng ", "rosa × alba"} {
		if u, ok := f.FindKey([]byte(key)); ok {
			t.Errorf("%q finds %s, want nothing", key, f.Name(u))
		}
	}
	for word, want := range map[string][2]bool{"panax": {true, false}, "alba": {false, true}, "x": {}, "": {}} {
		if got := [2]bool{f.HasGenus([]byte(word)), f.HasEpithet([]byte(word))}; got != want {
			t.Errorf("%q is a genus, an epithet: %v, want %v", word, got, want)
		}
	}
	if f.HasVariant([]byte("panax jinseng")) || !f.HasVariant([]byte("zea maijs")) {
		t.Error("of panax jinseng no key is a variant, and of zea maijs is one")
	}
	for range 2 { // the second Close does nothing
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestWhatIsWrongIsSaid checks that Open refuses each kind of unusable file, with an error that
// says what is wrong with the file.
func TestWhatIsWrongIsSaid(t *testing.T) {
	path, good := written(t)
	for _, tt := range []struct {
		why     string
		spoil   func(b []byte) []byte
		want    string
		damaged bool
	}{
		{"empty", func([]byte) []byte { return nil }, "has 0 bytes only", true},
		{"cut short", func(b []byte) []byte { return b[:len(b)-1] }, "copy or build it again", true},
		{"longer", func(b []byte) []byte { return append(b, 0) }, "copy or build it again", true},
		{"another file", func(b []byte) []byte { b[0]++; return b }, "does not begin like one", true},
		{"another format", func(b []byte) []byte { binary.LittleEndian.PutUint32(b[8:], file.Format+1); return b }, `run "bencao index" with this program`, false},
		{"other sections", func(b []byte) []byte { b[12]++; return b }, "sections", true},
	} {
		bad := filepath.Join(t.TempDir(), "names.idx")
		must(t, os.WriteFile(bad, tt.spoil(bytes.Clone(good)), 0o644))
		_, err := file.Open(bad)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), bad) || errors.Is(err, file.ErrDamaged) != tt.damaged {
			t.Errorf("%s: %v; want an error that names the file and says %q, of damage: %v", tt.why, err, tt.want, tt.damaged)
		}
	}
	if _, err := file.Open(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// tell makes a usage Listed, with its entry in Members at the position at.
func tell(d *file.Data, usage, at uint32) {
	end := d.Usages[usage+1].Texts
	d.Names = slices.Insert(d.Names, int(end), binary.LittleEndian.AppendUint32(nil, at)...)
	for i := int(usage) + 1; i < len(d.Usages); i++ {
		d.Usages[i].Texts += 4
	}
	d.Usages[usage].Bits |= file.Listed
}

// TestNumbersLeadNowhere checks that Open detects a number that points outside its section.
func TestNumbersLeadNowhere(t *testing.T) {
	for why, spoil := range map[string]func(d *file.Data){
		"texts of a usage":      func(d *file.Data) { d.Usages[1].Texts++ },
		"rank of a usage":       func(d *file.Data) { d.Usages[1].Rank = 2 },
		"shared text of a word": func(d *file.Data) { d.Words[1] = 1 << 20 },
		"a usage of no key":     func(d *file.Data) { d.Usages[1].Bits &^= file.First },
		"a first of no key":     func(d *file.Data) { d.Usages[0].Bits &^= file.First },
		"the same as nothing":   func(d *file.Data) { d.Names[d.Usages[1].Texts+1] = 127 },
		"concept of a usage":    func(d *file.Data) { d.Usages[1].Concept = 3 },
		"members of a concept":  func(d *file.Data) { tell(d, 1, 1) },
		"checklist of a usage":  func(d *file.Data) { d.Usages[1].Checklist = 1 },
		"status of a usage":     func(d *file.Data) { d.Usages[1].Status = 200 },
		"record of a usage":     func(d *file.Data) { d.Members = append(d.Members, 2, 0); tell(d, 1, 2) },
		"rest of a key":         func(d *file.Data) { d.Keys[1].Rest = 1 << 20 },
		"key of a genus":        func(d *file.Data) { d.Genera[1].Key = 4 },
		"a label without usage": func(d *file.Data) { d.Labels = []file.Label{{Usage: 3}} },
		"a label of no kind":    func(d *file.Data) { d.Labels = []file.Label{{Kind: 99}} },
		"a record elsewhere":    func(d *file.Data) { d.Records = []file.Record{{Usage: 1}} },
		"a full table of keys": func(d *file.Data) {
			d.Exact = file.MakeSlots(1, 3, 0)
			d.Exact.Add(0, 0, 0)
			d.Exact.Add(1, 1, 0)
			d.Exact.Add(2, 2, 0)
		},
		"a table's value": func(d *file.Data) {
			var t [file.NumTables]file.TableBuilder
			t[file.ByRestOrtho].Add(1, 3)
			d.Build(&t)
		},
		"no last row": func(d *file.Data) { d.Usages = d.Usages[:3] },
	} {
		d := list([2]string{"Panax ginseng", "C.A.Mey."}, [2]string{"Rosa × alba", "L."}, [2]string{"Zea mays", ""})
		spoil(d)
		path := filepath.Join(t.TempDir(), "names.idx")
		must(t, file.Write(path, d))
		if _, err := file.Open(path); !errors.Is(err, file.ErrDamaged) {
			t.Errorf("%s: %v, want that the file is damaged", why, err)
		}
	}
}

// TestTablesHoldSeveral checks that a table returns all values with the same hash, in their order.
func TestTablesHoldSeveral(t *testing.T) {
	var d file.Data
	d.Keys = make([]file.Key, 101)
	var tables [file.NumTables]file.TableBuilder
	b := &tables[file.ByRestOrtho]
	for v := range uint32(100) {
		b.Add(file.Hash("a"), v)
		b.Add(file.Hash(strings.Repeat("b", int(v))), v)
	}
	d.Build(&tables)
	if got := slices.Collect(d.Values(file.ByRestOrtho, []byte("a"))); len(got) != 100 || !slices.IsSorted(got) {
		t.Errorf("values of a are %v, want 0 to 99", got)
	}
	if got := slices.Collect(d.Values(file.ByRestOrtho, []byte("bbb"))); !slices.Equal(got, []uint32{3}) {
		t.Errorf("values of bbb are %v, want 3", got)
	}
	if got := slices.Collect(d.Values(file.ByRestOrtho, []byte("c"))); len(got) != 0 {
		t.Errorf("values of c are %v, want none", got)
	}
}

// TestHash checks that the hashes of a few texts never change. Files contain hashes, so another
// hash function means another file format.
func TestHash(t *testing.T) {
	for text, want := range map[string]uint64{"": 0x5436ddaf99dc8296, "panax": 0xb3fa567c90d9a660, "panax ginseng": 0xe1c2c92a915c34d0, "人参": 0x1b10b38116475e8a} {
		if got := file.Hash(text); got != want || file.Hash([]byte(text)) != got {
			t.Errorf("Hash(%q) = %#x, want %#x, of bytes too", text, got, want)
		}
	}
}

// TestTextsOfAUsage checks that AppendTexts stores texts up to the maximum length unchanged, and
// that it does not repeat a text of the previous usage.
func TestTextsOfAUsage(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	panax := file.Texts{Name: "Panax ginseng", Author: "C.A.Mey.", Chinese: "人参", ID: "2741", IPNI: "77000014-1", WFO: "wfo-0000390578"}
	for _, tt := range []struct {
		why           string
		before, texts file.Texts
		most          int // maximum size of the head and the texts in bytes
	}{
		{"nothing", panax, file.Texts{}, 6},
		{"identifiers are packed", file.Texts{}, panax, 6 + 13 + 8 + 6 + 2 + 5 + 4},
		{"the same is there", panax, panax, 6},
		{"another name", panax, file.Texts{Name: "Panax", Author: "C.A.Mey.", ID: "11-1"}, 4 + 5 + 2},
		{"other letters", panax, file.Texts{Name: "Panax ginseng", ID: "a:1", IPNI: "1-3", WFO: "wfo-1"}, 6 + 3 + 2 + 1},
		{"126 bytes", panax, file.Texts{Name: long[:126], ID: long[:126]}, 4 + 252},
		{"127 bytes", panax, file.Texts{Name: "Panax ginseng", Author: long[:127], WFO: "wfo-0000390578"}, 13 + 13 + 127 + 14},
		{"long", panax, file.Texts{Name: "Panax ginseng", Author: long, Chinese: long, ID: long, IPNI: long, WFO: long}, 13 + 13 + 5*10_000},
	} {
		var d file.Data
		d.Names = file.AppendTexts(nil, tt.before, nil)
		first := uint32(len(d.Names))
		d.Names = file.AppendTexts(d.Names, tt.texts, &tt.before)
		d.Usages = []file.Usage{{Bits: file.First}, {Texts: first}}
		id := func(which file.IDName) string { return string(d.AppendID(nil, 1, which)) }
		got := file.Texts{Name: d.Name(1), Author: d.Text(1, file.Author), Chinese: d.Text(1, file.Chinese), ID: id(file.ID), IPNI: id(file.IPNI), WFO: id(file.WFO)}
		if got != tt.texts {
			t.Errorf("%s: %.200q, want %.200q", tt.why, got, tt.texts)
		}
		if got, want := d.HasID(1, file.WFO), tt.texts.WFO != ""; got != want {
			t.Errorf("%s: has an identifier of WFO: %v, want %v", tt.why, got, want)
		}
		if size := len(d.Names) - int(first); size > tt.most {
			t.Errorf("%s: %d bytes, want %d at most", tt.why, size, tt.most)
		}
	}
	if err := file.CheckTextSizes("a", long); err != nil {
		t.Error(err)
	}
	if err := file.CheckTextSizes("a", long+long); err == nil || !strings.Contains(err.Error(), "20000 bytes") {
		t.Errorf("a text of 20,000 bytes: %v, want an error that says its size", err)
	}
}

// FuzzIdentifier checks that any identifier is read as it was written.
func FuzzIdentifier(f *testing.F) {
	for _, id := range []string{"", "0", "77000014-1", "30001-2", "wfo-0000390578", "wfo-1", "wfo", "-", "--1", "urn:lsid:ipni.org:names:1-1", "人参"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if file.CheckTextSizes(id) != nil {
			t.Skip()
		}
		var d file.Data
		d.Names, d.Usages = file.AppendTexts(nil, file.Texts{ID: "7", IPNI: id, WFO: "8"}, nil), []file.Usage{{Bits: file.First}}
		for which, want := range map[file.IDName]string{file.ID: "7", file.IPNI: id, file.WFO: "8"} {
			if got := string(d.AppendID(nil, 0, which)); got != want {
				t.Errorf("%q beside %q comes back as %q", want, id, got)
			}
		}
	})
}

// TestLabelKey checks that pinyin with and without tones has the same key and that Chinese names
// keep their characters.
func TestLabelKey(t *testing.T) {
	if a, b := file.LabelKey(file.LabelPinyin, "rén shēn"), file.LabelKey(file.LabelPinyin2, "ren shen"); a != b {
		t.Errorf("keys of rén shēn and ren shen are %q and %q, want the same", a, b)
	}
	if got := file.LabelKey(file.LabelName, "人参"); got != "人参" {
		t.Errorf("the key of 人参 is %q", got)
	}
}
