package names

// wideFamilies are families that WCVP sees as parts of others (Christenhusz &
// Chase 2014, for ferns): each with the one that it is a part of there.
var wideFamilies = map[string]string{
	"arthropteridaceae": "polypodiaceae", "davalliaceae": "polypodiaceae", "didymochlaenaceae": "polypodiaceae", "dryopteridaceae": "polypodiaceae",
	"hypodematiaceae": "polypodiaceae", "lomariopsidaceae": "polypodiaceae", "nephrolepidaceae": "polypodiaceae", "oleandraceae": "polypodiaceae",
	"pteridryaceae": "polypodiaceae", "tectariaceae": "polypodiaceae",
	"athyriaceae": "aspleniaceae", "blechnaceae": "aspleniaceae", "cystopteridaceae": "aspleniaceae", "diplaziopsidaceae": "aspleniaceae",
	"onocleaceae": "aspleniaceae", "rhachidosoraceae": "aspleniaceae", "thelypteridaceae": "aspleniaceae", "woodsiaceae": "aspleniaceae",
	"cibotiaceae": "cyatheaceae", "dicksoniaceae": "cyatheaceae", "plagiogyriaceae": "cyatheaceae", "lygodiaceae": "schizaeaceae",
}

// wideFamily is the family that a folded one is a part of, or itself.
func wideFamily(f string) string {
	if w := wideFamilies[f]; w != "" {
		return w
	}
	return f
}
