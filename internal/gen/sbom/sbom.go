package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
)

// document is a bill of materials in CycloneDX 1.6, as far as we fill it.
type document struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type     string        `json:"type"`
	Ref      string        `json:"bom-ref"`
	Name     string        `json:"name"`
	Version  string        `json:"version"`
	Hashes   []hash        `json:"hashes,omitempty"`
	Licenses []licenceItem `json:"licenses,omitempty"`
	Purl     string        `json:"purl"`
	// Properties of the program say how it was built.
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licenceItem struct {
	License licence `json:"license"`
}

type licence struct {
	ID string `json:"id"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// describe is the bill of materials of the program in a file.
func describe(program string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	sum, err := sha256Of(program)
	if err != nil {
		return nil, err
	}
	self := newComponent("application", info.Main.Path, info.Main.Version)
	self.Hashes = []hash{{"SHA-256", sum}}
	self.Licenses = []licenceItem{{licence{"Apache-2.0"}}}
	for _, s := range info.Settings {
		self.Properties = append(self.Properties, property{"build:" + s.Key, s.Value})
	}
	doc := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{self}}
	add := func(c component) {
		doc.Components = append(doc.Components, c)
	}
	add(newComponent("library", "std", strings.TrimPrefix(info.GoVersion, "go")))
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		add(newComponent("library", m.Path, m.Version))
	}
	uses := dependency{Ref: self.Ref}
	for _, c := range doc.Components {
		uses.DependsOn = append(uses.DependsOn, c.Ref)
	}
	doc.Dependencies = []dependency{uses}
	text, err := json.MarshalIndent(doc, "", "  ")
	return append(text, '\n'), err
}

// newComponent is a module, with the package URL by which scanners know it.
func newComponent(kind, path, version string) component {
	purl := fmt.Sprintf("pkg:golang/%s@%s", path, url.PathEscape(version))
	return component{Type: kind, Ref: purl, Name: path, Version: version, Purl: purl}
}

func sha256Of(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
