package datapackage

import (
	"cmp"
	"strings"
)

// License names the package's licences, and gives the address of the first.
func (p *Package) License() (names, address string) {
	var all []string
	for _, l := range p.Licenses {
		all = append(all, joined(": ", l.Name, l.Title))
		address = cmp.Or(address, l.Path)
	}
	return joined("; ", all...), address
}

// Citation is the package as it is cited.
func (p *Package) Citation() string {
	version := ""
	if p.Version != "" {
		version = "version " + p.Version
	}
	day, _, _ := strings.Cut(p.Created, "T")
	return joined(". ", cmp.Or(p.Title, p.Name, "untitled"), joined(", ", version, day), "Data set, by way of Bencao 本草")
}

// joined joins what is not empty.
func joined(sep string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, sep)
}
