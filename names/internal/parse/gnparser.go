package parse

import (
	"strings"

	"github.com/gnames/gnparser"

	"bencao/names/internal/answer"
	"bencao/names/internal/spelling"
	"bencao/names/ranks"
)

// fallback is gnparser, created on first use. It parses names that the grammar does not know, such
// as unusual forms from two centuries of literature. It takes 45 µs for a name.
type fallback struct{ gn gnparser.GNparser }

// read parses a cleaned name with gnparser. It returns nil if the text is not a name.
func (f *fallback) read(s string) *Name {
	if f.gn == nil {
		f.gn = gnparser.New(gnparser.NewConfig(gnparser.OptWithDetails(true), gnparser.OptJobsNum(1)))
	}
	r := f.gn.ParseName(s)
	if r.Canonical == nil {
		return nil
	}
	n := &Name{ByGnparser: true}
	if r.Authorship != nil {
		n.Author = r.Authorship.Verbatim
	}
	if r.Tail != "" {
		n.Flags |= answer.AnnotationIgnored
	}
	var rank string
	var hybrid bool
	for w := range strings.FieldsSeq(r.Canonical.Full) {
		switch {
		case spelling.IsHybridSign(w):
			if n.Genus == "" {
				n.HybridGenus = true
			} else {
				hybrid = true
			}
		case n.Genus == "":
			n.Genus = w
			if strings.HasSuffix(w, ".") {
				n.Genus = strings.TrimSuffix(w, ".")
				n.Abbreviated = true
			}
		default:
			if canon, ok := ranks.Mark(w); ok {
				rank = canon
				continue
			}
			if spelling.ShapeOf(w) == spelling.Title {
				n.Infragenus = strings.TrimSpace(rank + " " + w)
				continue
			}
			n.Epithets = append(n.Epithets, Epithet{Rank: rank, Word: w, Hybrid: hybrid})
			rank, hybrid = "", false
		}
	}
	return n
}
