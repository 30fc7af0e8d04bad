package index

import (
	"bytes"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/registry"
)

// atSpaces is the name of the tokenizer of all rows. What it reads are terms of
// ours with spaces between them. Bleve's own makes room for 1,024 tokens each
// time, of which there are mostly two or three: half of a night's memory was that.
const atSpaces = "spaces"

func init() {
	err := registry.RegisterTokenizer(atSpaces, func(map[string]any, *registry.Cache) (analysis.Tokenizer, error) { return spaces{}, nil })
	if err != nil {
		panic(err)
	}
}

type spaces struct{}

func (spaces) Tokenize(input []byte) analysis.TokenStream {
	n := 0
	for range bytes.FieldsSeq(input) {
		n++
	}
	tokens, stream := make([]analysis.Token, n), make(analysis.TokenStream, 0, n)
	for term := range bytes.FieldsSeq(input) {
		t := &tokens[len(stream)]
		t.Term, t.Position, t.Type = term, len(stream)+1, analysis.AlphaNumeric
		stream = append(stream, t)
	}
	return stream
}
