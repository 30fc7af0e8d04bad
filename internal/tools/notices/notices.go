package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// systems lists the supported systems, since the program links different modules on each.
var systems = []string{"linux", "darwin", "windows"}

const heading = `Bencao is made with the works of others, which are linked into the program. This file lists
them with their licences: first the modules, then the texts, each once, with the modules that
it is the licence of. "make notices" writes it from the module graph.

Data that the program carries: the sample, whose sources and licences indexer/sample/LICENSES.md
tells, and names/han/simplified.txt, a table made from OpenCC (Apache License 2.0; see
names/han/README.md). Where this file says "the Apache License 2.0", the text is that of the file
LICENSE.

`

// A module is a Go module that the program links.
type module struct {
	Path, Version, Dir string
}

// A file is a licence or a notice of a module.
type file struct{ name, text string }

// notices returns the text of THIRD_PARTY_NOTICES.txt for the module at root.
func notices(root string) (string, error) {
	apache, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return "", err
	}
	modules, err := linked(root)
	if err != nil {
		return "", err
	}
	var list strings.Builder
	var texts []string               // in the order of the first module that has each text
	holders := map[string][]string{} // by text: the modules that have it
	original := map[string]file{}    // by text: the first file with it
	for _, m := range modules {
		files, err := m.files()
		if err != nil {
			return "", err
		}
		var kinds []string
		for _, f := range files {
			of, text := f.shorten(string(apache))
			if len(of) == 0 && !f.accompanies() {
				return "", fmt.Errorf("%s: nobody has said what licence %s is; add it to known if the program may link it", m.Path, f.name)
			}
			kinds = append(kinds, of...)
			key := strings.Join(strings.Fields(text), " ")
			if _, known := holders[key]; !known {
				texts = append(texts, key)
				original[key] = file{f.name, text}
			}
			holders[key] = append(holders[key], m.Path)
		}
		fmt.Fprintf(&list, "%s %s: %s\n", m.Path, m.Version, strings.Join(unique(kinds), ", "))
	}
	var out strings.Builder
	out.WriteString(heading)
	out.WriteString(list.String())
	for _, key := range texts {
		fmt.Fprintf(&out, "\n%s\n%s of %s\n\n%s\n", strings.Repeat("=", 98),
			original[key].name, strings.Join(unique(holders[key]), ",\n  "), strings.Trim(original[key].text, "\n"))
	}
	return out.String(), nil
}

// linked lists the modules that the program links on any system, by path. The standard library of
// Go has the licence of golang.org/x/sys.
func linked(root string) ([]module, error) {
	byPath := map[string]module{}
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-json=Module,Standard", "./cmd/bencao")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for packages := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct{ Module *module }
			if err := packages.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module != nil && p.Module.Version != "" {
				byPath[p.Module.Path] = *p.Module
			}
		}
	}
	sys, found := byPath["golang.org/x/sys"]
	if !found {
		return nil, errors.New("golang.org/x/sys is not linked; take the licence of the Go standard library from elsewhere")
	}
	byPath["std"] = module{Path: "the Go standard library", Version: "and runtime", Dir: sys.Dir}
	modules := make([]module, 0, len(byPath))
	for _, m := range byPath {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return modules, nil
}

// licence matches the names of licences and of files that accompany them.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|third)`)

// files reads the licences and notices of a module.
func (m module) files() ([]file, error) {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		if e.IsDir() || !licence.MatchString(e.Name()) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{e.Name(), strings.ReplaceAll(string(b), "\r\n", "\n")})
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no licence in %s", m.Path, m.Dir)
	}
	return files, nil
}

// accompanies reports whether a file is not a licence itself but accompanies one: a notice, or the
// source of a module's logo.
func (f file) accompanies() bool {
	name := strings.ToUpper(f.name)
	return strings.HasPrefix(name, "NOTICE") || strings.HasPrefix(name, "THIRD") || strings.HasSuffix(name, "-LOGO")
}

// known lists the licences that the program may link. words is a text that occurs in no other
// licence.
var known = []struct{ name, words string }{
	{"Apache-2.0", "www.apache.org/licenses/"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"BSD-2-Clause", "materials provided with the distribution. this software is provided"},
	{"BSD-3-Clause", "used to endorse or promote products"},
	{"CC-BY-SA-4.0, of its documentation alone", "attribution-sharealike 4.0 international"},
	{"Go patent grant", "additional ip rights grant (patents)"},
}

// shorten returns the kinds of the licences in a file and the text to be printed. The text of the
// Apache License 2.0 is printed only once. For a file with that text, shorten returns only the
// lines that name the holders of rights.
func (f file) shorten(apache string) (kinds []string, text string) {
	if f.accompanies() {
		return nil, f.text
	}
	words := strings.ToLower(strings.Join(strings.Fields(f.text), " "))
	for _, k := range known {
		if strings.Contains(words, k.words) {
			kinds = append(kinds, k.name)
		}
	}
	if body, rest := terms(f.text); body != "" && len(kinds) == 1 {
		if ours, _ := terms(apache); body == ours {
			return kinds, strings.Join(append([]string{"The Apache License 2.0."}, holder.FindAllString(rest, -1)...), "\n")
		}
	}
	return kinds, f.text
}

// holder matches a line that names a holder of rights. It does not match a template of such a line.
var holder = regexp.MustCompile(`(?m)^[ \t]*Copyright [^\[{\n]*$`)

// terms splits the text of an Apache License 2.0 into its terms and the rest. If the terms do not
// end as expected, body is "" and rest is the whole text.
func terms(text string) (body, rest string) {
	const begin, end = "1. Definitions.", "END OF TERMS AND CONDITIONS"
	before, from, found := strings.Cut(text, begin)
	body, after, ends := strings.Cut(from, end)
	if !found || !ends {
		return "", text
	}
	return strings.Join(strings.Fields(body), " "), before + after
}

// unique removes duplicates from a list and keeps its order.
func unique(list []string) []string {
	var once []string
	for _, s := range list {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}
