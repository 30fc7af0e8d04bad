package cell

import (
	"iter"
	"strings"

	"bencao/names/internal/author"
	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// Dictionary knows the words and the names of the checklists.
type Dictionary interface {
	parse.Dictionary
	// Name returns the name of a usage, without author.
	Name(usage uint32) string
	// AuthorsOf yields the authors of all names that are spelt as that of a
	// usage.
	AuthorsOf(usage uint32) iter.Seq[string]
}

// Cell is a text taken apart.
type Cell struct {
	// Names are the names in it, in order, as the parser can read them. There
	// are none if nothing in the text can be a name.
	Names []string
	// Family is the family that stands before the first name, a hint.
	Family string
	// Unread is what is no part of a name, nor a remark that is known: words
	// of the text, or empty.
	Unread string
	// Flags say what was set aside.
	Flags vocabulary.Flags
}

// Reader takes cells apart. It is for one goroutine.
type Reader struct {
	dict  lexicon
	words []word
}

// New returns a reader that knows the names of d.
func New(d Dictionary) *Reader {
	return &Reader{dict: lexicon{Dictionary: d, Lexicon: parse.Lexicon{Dictionary: d}}}
}

// Read takes a cell apart.
func (r *Reader) Read(text string) Cell {
	s, flags := parse.Clean(mend(text))
	c := Cell{Flags: flags}
	if parse.IsPhrase(s) {
		c.Names = []string{s}
		return c
	}
	s = r.dict.mendLetters(s)
	s, foreign := cutScripts(s)
	s, numbered := cutIdentifiers(s)
	if foreign || numbered {
		c.Flags |= vocabulary.AnnotationIgnored
	}
	if s == "" {
		return c
	}
	r.words = appendWords(r.words[:0], s)
	t := reading{dict: &r.dict, raw: s, words: r.words, cell: &c}
	t.read()
	if t.doubted && len(c.Names) > 0 {
		c.Flags |= vocabulary.Qualifier
	}
	return c
}

// reading is a cell on its way: its text, the words of it, and what they gave
// so far.
type reading struct {
	dict  *lexicon
	raw   string
	words []word
	cell  *Cell
	seen  []string // keys of the names so far
	// doubted says that a question mark stands at a name.
	doubted bool
}

// read reads what stands before the names, then each of them.
func (t *reading) read() {
	at := t.preface()
	if at >= len(t.words) {
		return
	}
	n := t.mended(t.nameAt(at, ""))
	for {
		next, end, more := t.next(n)
		// Rosa > Rosa alba: the genus is the name's.
		if !more || !n.alone || next.alone || n.genus != next.genus {
			t.name(n, end)
		}
		if !more {
			return
		}
		n = next
	}
}

// keep adds a name, unless the cell has it already; then the one that says
// more is kept.
func (t *reading) keep(name, key string) {
	name = strings.TrimSpace(name)
	if !strings.ContainsFunc(name, isLetter) {
		return
	}
	for i, k := range t.seen {
		if k == key && key != "" {
			if len(t.cell.Names[i]) < len(name) {
				t.cell.Names[i] = name
			}
			return
		}
	}
	t.seen = append(t.seen, key)
	t.cell.Names = append(t.cell.Names, name)
}

// leave adds words to those that were not read.
func (t *reading) leave(s string) {
	s = strings.Trim(s, " ,;:/|&+-=<>()[]{}.\"")
	if !strings.ContainsFunc(s, isLetter) {
		return
	}
	if t.cell.Unread != "" {
		s = t.cell.Unread + " … " + s
	}
	t.cell.Unread = s
}

// remark notes that something was set aside.
func (t *reading) remark() { t.cell.Flags |= vocabulary.AnnotationIgnored }

// lexicon asks a dictionary about words and names as they are written.
type lexicon struct {
	Dictionary
	parse.Lexicon
	key []byte
}

// find returns the first usage of a name.
func (d *lexicon) find(name string) (usage uint32, ok bool) {
	var genus int
	d.key, genus = spelling.AppendKey(d.key[:0], name)
	if genus < 2 || genus == len(d.key) {
		return 0, false
	}
	return d.FindName(name, d.key)
}

// verdict says how an author agrees with those that the checklists give, at
// best.
func (d *lexicon) verdict(cited string, usage uint32) author.Verdict {
	best := author.Differs
	for known := range d.AuthorsOf(usage) {
		if known != "" {
			best = min(best, author.Compare(cited, known))
		}
	}
	return best
}

// agrees says whether an author agrees with one that the checklists give.
func (d *lexicon) agrees(cited string, usage uint32) bool {
	return d.verdict(cited, usage).Agrees()
}
