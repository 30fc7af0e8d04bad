package patterns

import "bencao/internal/messages"

// The messages for questions that are refused.
var (
	unknownMessage = messages.Define("pattern-drug-unknown", "%v names %v, which no formula has by names=%v; give the id or the name of a drug")
	rareMessage    = messages.Define("pattern-drug-rare", "%v is in %v formulas of the population and minFormulas is %v; lower minFormulas or widen the filters")
	absentMessage  = messages.Define("pattern-drug-absent", "%v is in no formula of the population; widen the filters")
	sameMessage    = messages.Define("pattern-drug-same", "herb and with are both %v; give two different drugs")
	pairsMessage   = messages.Define("pattern-pairs-many", "more than %v pairs of drugs occur together; raise minFormulas to %v or narrow the filters")
	setsMessage    = messages.Define("pattern-sets-many", "the sets of drugs in %v or more formulas take too long to find; raise minFormulas to %v or narrow the filters")
)
