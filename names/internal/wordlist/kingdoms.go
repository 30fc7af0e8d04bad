package wordlist

import "strings"

// kingdoms maps the names of kingdoms, in lower case, to whether they are of plants: those of Darwin Core
// data, and the Chinese ones.
var kingdoms = map[string]bool{
	"plantae": true, "viridiplantae": true, "archaeplastida": true, "plants": true, "植物界": true,
	"animalia": false, "metazoa": false, "fungi": false, "chromista": false, "protozoa": false, "protista": false, "bacteria": false, "archaea": false,
	"viruses": false, "animals": false, "动物界": false, "真菌界": false, "菌物界": false, "细菌界": false, "原生动物界": false, "色素界": false, "病毒": false,
}

// Kingdom reports whether a text is the name of a kingdom, and whether it is of plants.
func Kingdom(text string) (plant, known bool) {
	plant, known = kingdoms[strings.ToLower(text)]
	return plant, known
}
