package parse

import "bencao/names/internal/spelling"

// These words are used only by the grammar. Package wordlist has the words that also occur beside
// names on labels.
var (
	// gardenWords, at the end of a name after the genus, mean that the plant is of garden origin.
	gardenWords = spelling.WordSet("cv hort hybrid hybrids")
	// senses follow "s." or "sens.", which abbreviate sensu: s. str., s. l.
	senses = spelling.WordSet("l lat str orig")
	// shortRanks are rank words only if an epithet follows.
	shortRanks = spelling.WordSet("f v form")
	// infragenericWords precede a capitalised infrageneric name.
	infragenericWords = map[string]string{
		"subgen": "subgen.", "subg": "subgen.", "subgenus": "subgen.", "sect": "sect.", "section": "sect.", "subsect": "subsect.",
		"ser": "ser.", "series": "ser.", "subser": "subser.", "div": "div.", "grex": "grex",
		"tr": "trib.", "subtrib": "subtrib.", "subtr": "subtrib.", "supertrib": "supertrib.", "subfam": "subfam.", "unr": "unr.",
		"nothosect": "nothosect.", "nothosubsect": "nothosubsect.", "nothoser": "nothoser.", "nothosubgen": "nothosubgen.", "nothosubg": "nothosubgen.",
	}
	// notNames are first words of texts that are not names, such as the herbs of pharmacopoeias
	// (Radix Ginseng).
	notNames = spelling.WordSet("not none no unidentified unknown unnamed unamed unassigned gen genus taxon plant plants na various mixed indet sp spp radix rhizoma herba folium lignum")
)
