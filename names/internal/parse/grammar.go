package parse

import (
	"strings"

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
// the lists of package wordlist.
var productions = []production{
	{Sign, "Rosa |× alba", sign},
	{Infrageneric, "Rosa |(Eurosa) alba", subgenus},
	{Open, "Rosa |?", doubtful},
	{Open, "Rosa canina |spp.", severalSpecies},
	{Unread, "Rosa canina |Rosa", genusAgain},
	{Open, "Rosa |aff. canina", near},
	{Qualifier, "Rosa |cf. canina", qualifier},
	{Aggregate, "Rosa canina |agg.", aggregate},
	{Open, "Rosa |sp.", unnamed},
	{Infrageneric, "Rosa |sect. Caninae", infrageneric},
	{Remark, "Rosa canina L. |sensu Mill.", remark},
	{Family, "Rosa canina |Rosaceae", familyBehind},
	{CultivarWord, "Rosa canina |cv. Nana", cultivar},
	{Rank, "Rosa canina |var. alba", rankWord},
	{Aggregate, "Rosa canina |species", group},
	{Numbering, "Rosa canina |α alba", numbering},
	{EpithetWord, "Rosa |canina", epithet},
	{Unread, "Rosa canina var. |2", missingEpithet},
	{AuthorWord, "Rosa canina |Mill.", authorWord},
	{Unread, "Rosa canina Mill. |12~3", oddWord},
}

// readWords takes the words of a name apart. The genus is that of a formula's first
// parent, which the second may leave out; else it is empty. It reports false if
// a word is nothing that the grammar knows, so that gnparser should read the
// name.
func readWords(dict *Lexicon, n *Name, words []Token, genus string) (known bool) {
	if len(words) == 0 || saysNothing(words) {
		return true
	}
	s := &sentence{dict: dict, words: words, writing: writingOf(words), n: n}
	s.familyBefore()
	n.Tokens = s.words
	if s.at == len(s.words) || notNames[s.words[s.at].bare] && !dict.IsGenus(s.words[s.at].bare) {
		return true
	}
	if !s.genus(genus) {
		return n.Genus == "" && !s.likeName()
	}
	return readRest(s)
}

// readRest reads what follows the genus.
func readRest(s *sentence) bool {
	for s.at < len(s.words) {
		switch produce(s) {
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
func produce(s *sentence) outcome {
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
