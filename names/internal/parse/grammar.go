package parse

import (
	"strings"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// The grammar of a name, a [parsing expression grammar]: of the alternatives
// that / parts, the first that fits is taken.
//
//	text     ← formula / name
//	formula  ← name ( × name )+                   formula.go
//	name     ← family? genus rest                 genus.go
//	rest     ← ( production )*                    the table below
//
// A production looks at the word that comes next, and behind it as far as it
// needs; it knows what was read before (sentence) but not how.
//
// [parsing expression grammar]: https://en.wikipedia.org/wiki/Parsing_expression_grammar

// production is one alternative of what may follow a genus.
type production struct {
	kind    Kind
	example string // a name in which the word behind the bar is one
	read    func(*sentence, Token) outcome
}

// outcome is what became of a production.
type outcome uint8

const (
	other   outcome = iota // the word is something else
	onward                 // the word was read, and those that go with it
	end                    // the name ends here: what follows is no part of it
	foreign                // nothing that the grammar knows: it is for gnparser
)

// productions are tried in this order at each word behind the genus. To teach
// the parser another kind of word, add a row here and its cases to
// names/testdata/parse.txt; a word of a kind that is here already goes into
// the lists of words.go.
var productions = []production{
	{Sign, "Rosa |× alba", (*sentence).sign},
	{Infrageneric, "Rosa |(Eurosa) alba", (*sentence).subgenus},
	{Open, "Rosa |?", (*sentence).doubtful},
	{Open, "Rosa canina |spp.", (*sentence).severalSpecies},
	{Unread, "Rosa canina |Rosa", (*sentence).genusAgain},
	{Open, "Rosa |aff. canina", (*sentence).near},
	{Qualifier, "Rosa |cf. canina", (*sentence).qualifier},
	{Aggregate, "Rosa canina |agg.", (*sentence).aggregate},
	{Open, "Rosa |sp.", (*sentence).unnamed},
	{Infrageneric, "Rosa |sect. Caninae", (*sentence).infrageneric},
	{Remark, "Rosa canina L. |sensu Mill.", (*sentence).remark},
	{Family, "Rosa canina |Rosaceae", (*sentence).familyBehind},
	{CultivarWord, "Rosa canina |cv. Nana", (*sentence).cultivar},
	{Rank, "Rosa canina |var. alba", (*sentence).rankWord},
	{Aggregate, "Rosa canina |species", (*sentence).group},
	{Numbering, "Rosa canina |α alba", (*sentence).numbering},
	{EpithetWord, "Rosa |canina", (*sentence).epithet},
	{Unread, "Rosa canina var. |2", (*sentence).missingEpithet},
	{AuthorWord, "Rosa canina |Mill.", (*sentence).authorWord},
	{Unread, "Rosa canina Mill. |12#3", (*sentence).oddWord},
}

// sentence is a name on its way through the grammar: its words, what they
// gave so far, and what those since the last epithet say of the next one.
type sentence struct {
	p       *Parser
	words   []Token
	writing writing
	n       *Name

	at     int      // the next word
	author []string // words of the author behind the last epithet
	marks  marks    // of the next epithet
}

// marks are what stands before an epithet and belongs to it.
type marks struct {
	rank   string // canonical
	hybrid bool
	doubt  bool // cf.
}

// writing is the case in which a whole name is written.
type writing uint8

const (
	usual writing = iota
	capitals
	smallLetters
)

// readWords takes the words of a name apart. The genus is that of a formula's first
// parent, which the second may leave out; else it is empty. It reports false if
// a word is nothing that the grammar knows, so that gnparser should read the
// name.
func (p *Parser) readWords(n *Name, words []Token, genus string) (known bool) {
	if len(words) == 0 || saysNothing(words) {
		return true
	}
	s := &sentence{p: p, words: words, writing: writingOf(words), n: n}
	s.familyBefore()
	n.Tokens = s.words
	if s.at == len(s.words) || notNames[s.words[s.at].bare] && !p.isGenus(s.words[s.at].bare) {
		return true
	}
	if !s.genus(genus) {
		return n.Genus == "" && !s.likeName()
	}
	return s.rest()
}

// rest reads what follows the genus.
func (s *sentence) rest() bool {
	for s.at < len(s.words) {
		switch s.produce() {
		case end:
			s.close()
			return true
		case foreign:
			return false
		}
	}
	// A rank word or cf. with nothing behind it.
	if s.marks.rank != "" {
		s.n.Flags |= vocabulary.OpenNomenclature
	}
	if s.marks.doubt && len(s.n.Epithets) == 0 {
		s.n.OpenGenus = true
	}
	s.close()
	return true
}

// produce reads the next word by the first production that fits, and notes
// what it was read as.
func (s *sentence) produce() outcome {
	from := s.at
	for i := range productions {
		p := &productions[i]
		o := p.read(s, s.words[from])
		if o == other {
			continue
		}
		to := s.at
		if o == end {
			to = max(to, from+1)
		}
		for j := from; j < to; j++ {
			s.words[j].Kind = p.kind
		}
		return o
	}
	return foreign
}

// close keeps the author.
func (s *sentence) close() { s.n.Author = strings.Trim(strings.Join(s.author, " "), " ,;:") }

// behindGenus says that neither an epithet nor an author was read yet.
func (s *sentence) behindGenus() bool { return len(s.n.Epithets) == 0 && len(s.author) == 0 }

// bareAt is the bare form of word i, or "" behind the last.
func (s *sentence) bareAt(i int) string {
	if i < len(s.words) {
		return s.words[i].bare
	}
	return ""
}

// joins says whether the name so far, with one more epithet, is in the
// dictionary.
func (s *sentence) joins(epithet string) bool { return s.p.isName(s.with(epithet)) }

// joinsNearly says whether it is there in another orthography.
func (s *sentence) joinsNearly(epithet string) bool {
	key, _ := spelling.AppendKey(nil, s.with(epithet))
	return s.p.dict.HasVariant(key)
}

// with is the name so far, with one more epithet.
func (s *sentence) with(epithet string) string {
	var b strings.Builder
	b.WriteString(s.n.Genus)
	for _, e := range s.n.Epithets {
		b.WriteString(" " + e.Word)
	}
	b.WriteString(" " + epithet)
	return b.String()
}

// saysNothing says whether a text says itself that it names nothing: incertae
// sedis.
func saysNothing(words []Token) bool {
	for i, w := range words {
		if strings.Contains(w.bare, "incertaesedis") || strings.Contains(w.bare, "inc.sed") ||
			i+1 < len(words) && (w.bare == "incertae" || w.bare == "inc") && strings.HasPrefix(words[i+1].bare, "sed") {
			return true
		}
	}
	return false
}
