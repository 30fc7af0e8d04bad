package parse

import (
	"strings"
)

// The grammar of a name is a [parsing expression grammar]: of several alternatives, the first that
// applies is used.
//
//	text     ← formula / name
//	formula  ← name ( × name )+                   formula.go
//	name     ← genus rest                         genus.go
//	rest     ← ( production )*                    the table below
//
// A production sees the next word, the words after it and the state of the sentence. It does not
// know which productions have read the words before.
//
// [parsing expression grammar]: https://en.wikipedia.org/wiki/Parsing_expression_grammar

// production is one of the alternatives for the words after a genus.
type production struct {
	kind    Kind
	example string // a name with a bar; the production reads the word after the bar
	read    func(*sentence, Token) outcome
}

// outcome is the result of a production.
type outcome uint8

const (
	other    outcome = iota // the production does not apply
	consumed                // the production read the word and the words that belong to it
	end                     // the name ends here
	foreign                 // the grammar does not know the word; gnparser parses the name
)

// productions lists the productions in the order in which they are tried for each word after the
// genus. To support another kind of word, add a row here and cases to names/testdata/parse.txt. To
// support another word of a known kind, add the word to the lists of package wordlist.
var productions = []production{
	{Sign, "Rosa |× alba", sign},
	{Infrageneric, "Rosa |(Eurosa) alba", subgenus},
	{Open, "Rosa |?", doubtful},
	{Open, "Rosa canina |spp.", severalSpecies},
	{Unread, "Rosa canina |Rosa", genusAgain},
	{Qualifier, "Rosa |cf. canina", qualifier},
	{Aggregate, "Rosa canina |agg.", aggregate},
	{Open, "Rosa |sp.", unnamed},
	{Infrageneric, "Rosa |sect. Caninae", infrageneric},
	{Remark, "Rosa canina L. |sensu Mill.", remark},
	{Family, "Rosa canina |Rosaceae", familyAfter},
	{CultivarWord, "Rosa canina |cv. Nana", cultivar},
	{Rank, "Rosa canina |var. alba", rankWord},
	{Aggregate, "Rosa canina |species", group},
	{Numbering, "Rosa canina |α alba", numbering},
	{EpithetWord, "Rosa |canina", epithet},
	{Unread, "Rosa canina var. |L.", missingEpithet},
	{AuthorWord, "Rosa canina |Mill.", authorWord},
	{Unread, "Rosa canina Mill. |12~3", oddWord},
}

// readWords parses the words of a name into n. For the second parent of a formula, genus is the
// genus of the first parent, because the second parent may omit it. Otherwise genus is "".
// readWords returns false if gnparser must parse the name.
func readWords(dict *Lexicon, n *Name, words []Token, genus string) (known bool) {
	if len(words) == 0 || saysNothing(words) {
		return true
	}
	s := &sentence{dict: dict, words: words, writing: writingOf(words), n: n}
	n.Tokens = s.words
	if notNames[words[0].bare] {
		return true
	}
	if !s.genus(genus) {
		return !startsUpper(s.words[s.at].Text)
	}
	return readRest(s)
}

// readRest reads the words after the genus.
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
	missingEpithet(s, Token{}) // the name may end with a rank word or cf.
	s.close()
	return true
}

// produce reads the next word with the first production that applies, and records the kind of the
// word.
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

// close stores the author in the name.
func (s *sentence) close() { s.n.Author = strings.Trim(strings.Join(s.author, " "), " ,;:") }

// saysNothing reports whether a text only states that there is no name: incertae sedis.
func saysNothing(words []Token) bool {
	for i, w := range words {
		if strings.Contains(w.bare, "incertaesedis") || i+1 < len(words) && (w.bare == "incertae" || w.bare == "inc") && strings.HasPrefix(words[i+1].bare, "sed") {
			return true
		}
	}
	return false
}
