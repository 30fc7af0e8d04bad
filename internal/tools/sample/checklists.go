package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"bencao/indexer/sample"
)

// wfo writes the names that have a WFO identifier as a Darwin Core Archive.
func (s *sources) wfo(dir string, list *plants) error {
	terms := strings.Fields(`taxonID scientificNameID scientificName taxonRank scientificNameAuthorship family genus
		specificEpithet infraspecificEpithet taxonomicStatus acceptedNameUsageID`)
	var rows [][]string
	seen := map[string]bool{}
	put := func(id, ipni, name, rank, author, family, status string) {
		if id == "" || seen[id] {
			return
		}
		seen[id] = true
		if ipni != "" {
			ipni = "urn:lsid:ipni.org:names:" + ipni
		}
		r := row{"taxon_name": name}
		spell(r)
		rows = append(rows, []string{id, ipni, name, rank, author, family, r["genus"], r["species"], r["infraspecies"], status, ""})
	}
	for _, r := range s.names {
		status := "Unchecked"
		if r["taxon_status"] == "Accepted" {
			status = "Accepted"
		}
		put(r["wfo_id"], r["ipni_id"], r["taxon_name"], strings.ToLower(r["taxon_rank"]), r["taxon_authors"], r["family"], status)
	}
	for _, r := range s.nepal {
		if p, author := list.cited(r["scientific_name"]); p != nil {
			put(r["wfo_id"], "", p.name, p.rank, author, p.family, "Accepted")
		}
	}
	if err := writeTabs(filepath.Join(dir, "classification.csv"), "\t", terms, rows); err != nil {
		return err
	}
	return errors.Join(
		writeFile(filepath.Join(dir, "meta.xml"), metaXML("classification.csv", terms)),
		writeFile(filepath.Join(dir, "eml.xml"), emlXML("bencao-sample/v"+sample.Version, "World Flora Online Plant List, names of the Bencao sample",
			"2026-11-21", "CC0 1.0 (identifiers); CC BY 3.0 (WCVP); CC BY 4.0 (Plants of Nepal)")),
	)
}

// china writes a CSV file with the headers of the Catalogue of Life China, from the sample's own
// species. If China's botanists accept another name for a species, the file has that name.
func (s *sources) china(dir string, list *plants) error {
	head := strings.Split("物种拉丁名,物种中文名,界拉丁名,界中文名,科拉丁名,科中文名,属拉丁名,属中文名", ",")
	var rows [][]string
	seen := map[string]bool{}
	for _, p := range list.all {
		if p.chinese == "" {
			continue
		}
		name, genus := p.name, p.genus
		if p.nameInChina != "" {
			name, genus = p.nameInChina, strings.Fields(p.nameInChina)[0]
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		rows = append(rows, []string{name, p.chinese, "Plantae", "植物界", p.family, p.familyChinese, genus, p.genusChinese})
	}
	return writeCSV(filepath.Join(dir, "china.csv"), head, rows)
}

// vascan copies the taxa of the VASCAN archive. It leaves out the columns that repeat other
// columns.
func (s *sources) vascan(src fs.FS, dir string) error {
	terms := strings.Fields(`taxonID acceptedNameUsageID parentNameUsageID scientificName family genus specificEpithet
		infraspecificEpithet taxonRank scientificNameAuthorship taxonomicStatus`)
	archive, err := openZip(src, "dwca_small.zip")
	if err != nil {
		return err
	}
	taxa, err := readTabs(archive, "taxon.txt")
	if err != nil {
		return err
	}
	var rows [][]string
	for _, t := range taxa {
		var cells []string
		for _, term := range terms {
			cells = append(cells, t[term])
		}
		rows = append(rows, cells)
	}
	if err := writeTabs(filepath.Join(dir, "taxon.txt"), "\t", terms, rows); err != nil {
		return err
	}
	return errors.Join(
		writeFile(filepath.Join(dir, "meta.xml"), metaXML("taxon.txt", terms)),
		writeFile(filepath.Join(dir, "eml.xml"), emlXML("3f8a1297-3259-4700-91fc-acc4170b27ce/v37.15",
			"Database of Vascular Plants of Canada (VASCAN), six families", "2024-08-29", "CC0 1.0")),
	)
}

// coldp copies the ColDP archive as it is.
func (s *sources) coldp(src fs.FS, dir string) error {
	archive, err := openZip(src, "coldp_small.zip")
	if err != nil {
		return err
	}
	for _, name := range []string{"metadata.yaml", "NameUsage.tsv", "VernacularName.tsv"} {
		text, err := fs.ReadFile(archive, name)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}
