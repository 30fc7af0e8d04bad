package parse

import (
	"strings"

	"bencao/names/internal/spelling"
)

var (
	// openWords end a name whose species nobody named.
	openWords = spelling.WordSet("sp spp spec specs species indet undet ined sp1 sp2 unidentified")
	// qualifierWords say that the identification is in doubt.
	qualifierWords = spelling.WordSet("cf aff nr near ? cfr conf affin prox")
	// nearWords say that the species is another one than the one they name, as
	// far as nothing stands between them and the genus.
	nearWords = spelling.WordSet("aff affin nr near prox")
	// placeWords are those of them that may tell, behind an author, where it
	// grew.
	placeWords = spelling.WordSet("nr near prox")
	// aggregateWords say that a group of species is meant.
	aggregateWords = spelling.WordSet("agg aggr aggreg coll complex s.l s.lat sens.lat agg.")
	// noteWords begin what is said about a name: what follows is no part of it.
	noteWords = spelling.WordSet("- or vel oder sensu sec auct auctt auctor auctorum non nec not nom nomen emend em orth sphalm comb stat pro ms mss in.ed ined incertae s.l s.lat s.str s.s s.ampl p.p sic corrig hort.non err typ vide fide basionym synonym syn excl incl pl partim quoad")
	// novelties begin a remark before "nov.": sp. nov.
	novelties = spelling.WordSet("nov gen spec sp subsp var comb stat")
	// senses stand behind "s." for sensu: s. str., s.l.; the wide ones make an
	// aggregate of the name.
	senses         = spelling.WordSet("l lat lato s str stricto ampl")
	wideSenseShort = spelling.WordSet("l lat lato")
	wideSense      = spelling.WordSet("lato latiore amplo")
	// shortRanks are rank words only before an epithet.
	shortRanks = spelling.WordSet("f v form race ab mut sf sv")
	// infragenericWords stand between the genus and a capitalised name.
	infragenericWords = map[string]string{
		"subgen": "subgen.", "subg": "subgen.", "subgenus": "subgen.", "sect": "sect.", "section": "sect.", "sectio": "sect.",
		"subsect": "subsect.", "subsectio": "subsect.", "ser": "ser.", "series": "ser.", "subser": "subser.", "div": "div.",
		"nothosect": "nothosect.", "nothosubsect": "nothosubsect.", "nothoser": "nothoser.", "nothosubgen": "nothosubgen.", "nothosubg": "nothosubgen.",
		"supersect": "supersect.", "grex": "grex", "trib": "trib.", "tr": "trib.", "subtrib": "subtrib.", "subtr": "subtrib.",
		"supertrib": "supertrib.", "subfam": "subfam.", "unr": "unr.",
	}
	// authorParticles are lower-case words that belong to authors.
	authorParticles = spelling.WordSet("ex in et and und y e de den der des del della degli di do dos da das du d' la las le les el los van von vom v zu zur zum ter ten af av bis f fil filius jun junior jr sen senior hort ap apud al alii bin ibn i o van't 't s'")
	// neverEpithets are words that only a broken text has where an epithet
	// should be.
	neverEpithets = spelling.WordSet("ex in et and of the und with from for mihi")
	// notNames begin texts that are no names; the drugs of pharmacopoeias
	// (Radix Ginseng) are among them.
	notNames = spelling.WordSet("not none no unidentified unknown undetermined undescribed unnamed unamed unassigned uncultured incertae inc inc.sed gen genn genus nomen taxon plant plants null nil na n/a unplaced various mixed indet undet sp spp tba test radix rhizoma herba flos fructus semen cortex folium caulis ramulus lignum bulbus pericarpium")
	kingdoms = spelling.WordSet("plantae viridiplantae chlorobionta fungi animalia bacteria chromista protista protozoa archaea")
)

// isAboveGenus says whether w ends like the name of a family, an order or a
// higher taxon.
func isAboveGenus(w string) bool {
	l := strings.ToLower(w)
	if spelling.IsFamily(l) || kingdoms[l] {
		return true
	}
	for _, e := range []string{"ales", "opsida", "phyta", "phytina", "oideae", "mycota"} {
		if len(l) > len(e)+2 && strings.HasSuffix(l, e) {
			return true
		}
	}
	return false
}
