package parse

import "bencao/names/internal/spelling"

// These words are used only by the grammar. Package wordlist has the words that also occur beside
// names on labels.
var (
	// gardenWords, at the end of a name after the genus, mean that the plant is of garden origin.
	gardenWords = spelling.WordSet("cv cultivar hort hybrid hybrids")
	// senses follow "s." or "sens.", which abbreviate sensu: s. str., s. l.
	senses = spelling.WordSet("l lat str orig")
	// shortRanks are rank words only if an epithet follows.
	shortRanks = spelling.WordSet("f v form")
	// infragenericWords precede a capitalised infrageneric name.
	infragenericWords = map[string]string{
		"subgen": "subgen.", "subg": "subgen.", "subgenus": "subgen.", "sect": "sect.", "section": "sect.", "sectio": "sect.",
		"subsect": "subsect.", "subsectio": "subsect.", "ser": "ser.", "series": "ser.", "subser": "subser.", "div": "div.",
		"nothosect": "nothosect.", "nothosubsect": "nothosubsect.", "nothoser": "nothoser.", "nothosubgen": "nothosubgen.", "nothosubg": "nothosubgen.",
		"supersect": "supersect.", "grex": "grex", "trib": "trib.", "tr": "trib.", "subtrib": "subtrib.", "subtr": "subtrib.",
		"supertrib": "supertrib.", "subfam": "subfam.", "unr": "unr.",
	}
	// notNames are first words of texts that are not names, such as the herbs of pharmacopoeias
	// (Radix Ginseng).
	notNames = spelling.WordSet("not none no unidentified unknown undetermined undescribed unnamed unamed unassigned uncultured incertae inc inc.sed gen genn genus nomen taxon plant plants null nil na n/a unplaced various mixed indet undet sp spp tba test radix rhizoma herba flos fructus semen cortex folium caulis ramulus lignum bulbus pericarpium")
)
