package parse

import "bencao/names/internal/spelling"

// Words that the grammar alone has a use for; wordlist has those that stand
// beside names on labels too.
var (
	// placeWords are those for near that may tell, behind an author, where it
	// grew.
	placeWords = spelling.WordSet("nr near prox")
	// gardenWords say, alone behind a genus, that gardens made the plant.
	gardenWords = spelling.WordSet("cv cvs cultivar cultivars hort hybr hybrid hybrids")
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
	// neverEpithets are words that only a broken text has where an epithet
	// should be.
	neverEpithets = spelling.WordSet("ex in et and of the und with from for mihi")
	// notNames begin texts that are no names; the drugs of pharmacopoeias
	// (Radix Ginseng) are among them.
	notNames = spelling.WordSet("not none no unidentified unknown undetermined undescribed unnamed unamed unassigned uncultured incertae inc inc.sed gen genn genus nomen taxon plant plants null nil na n/a unplaced various mixed indet undet sp spp tba test radix rhizoma herba flos fructus semen cortex folium caulis ramulus lignum bulbus pericarpium")
)
