package names

import (
	"strings"

	"github.com/gnames/gnparser"
	"github.com/gnames/gnparser/ent/parsed"
)

// fallback is gnparser, made when it is first needed. It reads what the
// walker does not: it knows the oddities of two centuries of literature, but
// takes 45 µs for a name.
type fallback struct{ gn gnparser.GNparser }

// fallBack reads a cleaned name with gnparser; nil is no name.
func (p *parser) fallBack(s string) *parsedName {
	if p.gn.gn == nil {
		p.gn.gn = gnparser.New(gnparser.NewConfig(gnparser.OptWithDetails(true), gnparser.OptJobsNum(1)))
	}
	r := p.gn.gn.ParseName(s)
	if !r.Parsed || r.Canonical == nil || r.Virus {
		return nil
	}
	n := &parsedName{byParser: true}
	if r.Authorship != nil {
		n.author = r.Authorship.Verbatim
	}
	if r.Tail != "" || len(r.QualityWarnings) > 0 && r.ParseQuality > 2 {
		n.flags |= fAnnotationIgnored
	}
	full := r.Canonical.Full
	if i := strings.IndexAny(full, "'‘"); i > 0 && r.Cultivar {
		n.cultivar = strings.Trim(full[i:], "'‘’ ")
		full = strings.TrimSpace(full[:i])
	}
	if r.Surrogate != nil && *r.Surrogate == parsed.ComparisonAnnot {
		n.flags |= fQualifier
	}
	if r.Surrogate != nil && *r.Surrogate == parsed.ApproximationAnnot {
		n.flags |= fOpenNomenclature
		n.openGenus = true
	}
	var rank string
	var hybrid bool
	for i, w := range strings.Fields(full) {
		switch {
		case isHybridSign(w):
			if n.genus == "" {
				n.hybridGenus = true
			} else {
				hybrid = true
			}
		case n.genus == "":
			n.genus = w
			if strings.HasSuffix(w, ".") {
				n.genus = strings.TrimSuffix(w, ".")
				n.expanded = true
			}
		default:
			if canon, ok := rankWord(w); ok && i > 1 && strings.HasSuffix(w, ".") {
				rank = canon
				continue
			}
			if shapeOf(w) == title {
				n.infragenus = strings.TrimSpace(rank + " " + w)
				continue
			}
			n.epithets = append(n.epithets, epithet{rank, w, hybrid})
			rank, hybrid = "", false
		}
	}
	return n
}
