package parse

import "bencao/names/internal/spelling"

// These words are used only by the grammar. Package wordlist has the words that also occur beside
// names on labels.
var (
	// placeWords mean near. After an author, the name of a place may follow them.
	placeWords = spelling.WordSet("nr near prox")
	// gardenWords, at the end of a name after the genus, mean that the plant is of garden origin.
	gardenWords = spelling.WordSet("cv cvs cultivar cultivars hort hybr hybrid hybrids")
	// novelties start a remark if "nov." follows: sp. nov.
	novelties = spelling.WordSet("nov gen spec sp subsp var comb stat")
	// senses follow "s." or "sens.", which abbreviate sensu: s. str., s.l. The words in
	// wideSenseShort and wideSense make the name a species aggregate.
	senses         = spelling.WordSet("l lat lato s str stricto strictiss strictissimo orig origin originali ampl")
	wideSenseShort = spelling.WordSet("l lat lato")
	wideSense      = spelling.WordSet("lato latiore amplo")
	// shortRanks are rank words only if an epithet follows.
	shortRanks = spelling.WordSet("f v form race ab mut sf sv")
	// infragenericWords precede a capitalised infrageneric name.
	infragenericWords = map[string]string{
		"subgen": "subgen.", "subg": "subgen.", "subgenus": "subgen.", "sect": "sect.", "section": "sect.", "sectio": "sect.",
		"subsect": "subsect.", "subsectio": "subsect.", "ser": "ser.", "series": "ser.", "subser": "subser.", "div": "div.",
		"nothosect": "nothosect.", "nothosubsect": "nothosubsect.", "nothoser": "nothoser.", "nothosubgen": "nothosubgen.", "nothosubg": "nothosubgen.",
		"supersect": "supersect.", "grex": "grex", "trib": "trib.", "tr": "trib.", "subtrib": "subtrib.", "subtr": "subtrib.",
		"supertrib": "supertrib.", "subfam": "subfam.", "unr": "unr.",
	}
	// neverEpithets are never epithets. They occur in the place of an epithet only in damaged
	// texts.
	neverEpithets = spelling.WordSet("ex in et and of the und with from for mihi")
	// notNames are first words of texts that are not names, such as the herbs of pharmacopoeias
	// (Radix Ginseng).
	notNames = spelling.WordSet("not none no unidentified unknown undetermined undescribed unnamed unamed unassigned uncultured incertae inc inc.sed gen genn genus nomen taxon plant plants null nil na n/a unplaced various mixed indet undet sp spp tba test radix rhizoma herba flos fructus semen cortex folium caulis ramulus lignum bulbus pericarpium")
)
