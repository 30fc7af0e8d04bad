package parse_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"bencao/internal/fullsize"
	"bencao/names/internal/author"
	"bencao/names/internal/file"
	"bencao/names/internal/parse"
)

// TestDumpParsed parses every text that pinned passes to it and writes the parsed names to a file,
// one on each line. The files of two versions of the parser can then be compared byte for byte; see
// CONTRIBUTING.md. BENCAO_PARSED is the file to write, BENCAO_NAMES the names file of a snapshot.
func TestDumpParsed(t *testing.T) {
	out := os.Getenv("BENCAO_PARSED")
	if out == "" {
		t.Skip("SKIPPED, NOT PASSED: BENCAO_PARSED does not say where to write")
	}
	ix, err := file.Open(os.Getenv("BENCAO_NAMES"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	with, without := parse.New(ix), parse.New(nil)
	every := 1
	if s := os.Getenv("BENCAO_EVERY"); s != "" {
		if every, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	lastText, lastAuthor := "", ""
	pinned(t, fullsize.Path(t, "."), cmp.Or(os.Getenv("BENCAO_TESTDATA"), filepath.Join("..", "..", "testdata")), every, func(text string, odd bool) {
		n++
		p := dump(with.Parse(text))
		if err := enc.Encode([]any{text, p, author.Compare(p.Author, lastAuthor).String(), author.Compare(text, lastText).String()}); err != nil {
			t.Fatal(err)
		}
		lastText = text
		if p.Author != "" {
			lastAuthor = p.Author
		}
		if odd || n%10 == 0 {
			if err := enc.Encode([]any{"without a dictionary", dump(without.Parse(text))}); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, end := range []func() error{w.Flush, f.Close, ix.Close} {
		if err := end(); err != nil {
			t.Fatal(err)
		}
	}
	t.Log(n, "texts")
}

// dumpedName is a parsed name in the form that is written to the file. Its fields keep their names
// even if the fields of [parse.Name] are renamed.
type dumpedName struct {
	Cleaned, Canonical, Genus, Infragenus, Author, Cultivar, Phrase, Family, Rank string

	Epithets                                                              []dumpedEpithet
	Hybrid, HybridGenus, OpenGenus, Expanded, Misapplied, OneOf, ByParser bool
	Flags                                                                 []string
	Keys                                                                  []dumpedKey
	Parents                                                               []dumpedName
}

type dumpedEpithet struct {
	Rank, Word string
	Hybrid     bool
}

type dumpedKey struct {
	Key      string
	Genus    int
	Flags    []string
	Usage    uint32
	Known    bool
	Cultivar bool
}

func dump(n *parse.Name) dumpedName {
	d := dumpedName{
		Cleaned: n.Cleaned, Canonical: n.Canonical, Genus: n.Genus, Infragenus: n.Infragenus, Author: n.Author, Cultivar: n.Cultivar,
		Phrase: n.Phrase, Family: n.Family, Rank: n.Rank, Hybrid: n.Hybrid, HybridGenus: n.HybridGenus, OpenGenus: n.OpenGenus,
		Expanded: n.Abbreviated, Misapplied: n.Misapplied, OneOf: n.OneOf, ByParser: n.ByGnparser, Flags: n.Flags.Words(),
	}
	for _, e := range n.Epithets {
		d.Epithets = append(d.Epithets, dumpedEpithet{e.Rank, e.Word, e.Hybrid})
	}
	for _, k := range n.Keys {
		d.Keys = append(d.Keys, dumpedKey{string(k.Text), k.Genus, k.Flags.Words(), k.Usage, k.Known, k.Cultivar})
	}
	for _, q := range n.Parents {
		d.Parents = append(d.Parents, dump(q))
	}
	return d
}
