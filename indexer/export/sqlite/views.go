package sqlite

// views answer the most frequent questions. Each can be filtered by its columns.
var views = []struct{ name, about, query string }{
	{"accepted_names", "The accepted name of each species in the checklists, with identifiers and score", `
SELECT s.entry_id AS species_id, s.guid, s.chinese_name, s.scientific_name, s.author, s.family, s.genus,
  m.accepted_name, m.accepted_author, m.accepted_family, m.match_type, m.score, m.taxon_status,
  m.wcvp_id, m.ipni_id, m.wfo_id, m.match_source, m.checklist_version
FROM species s LEFT JOIN name_matches m ON m.species_id = s.entry_id`},
	{"changed_names", "Species whose name is not the accepted one", `
SELECT * FROM accepted_names WHERE accepted_name <> scientific_name`},
	{"unmatched_names", "Species without an accepted name", `
SELECT * FROM accepted_names WHERE accepted_name IS NULL`},
	{"formula_species", "The species of each formula, with the ingredient that stands for it", `
SELECT f.entry_id AS formula_id, f.name AS formula, f.dynasty, f.year, f.original_source, i.seq, i.herb, i.dose,
  s.entry_id AS species_id, s.chinese_name, s.scientific_name, s.family
FROM ingredient_species x
JOIN formulas f ON f.entry_id = x.formula_id
JOIN formula_ingredients i ON i.formula_id = x.formula_id AND i.seq = x.seq
JOIN species s ON s.entry_id = x.species_id`},
	{"species_by_formulas", "Species by the number of formulas that use them", `
SELECT s.entry_id AS species_id, s.chinese_name, s.scientific_name, s.family, s.genus, count(*) AS formulas
FROM species_formulas l JOIN species s ON s.entry_id = l.species_id
GROUP BY s.entry_id ORDER BY formulas DESC, s.entry_id`},
	{"herb_plants", "The source species of each herb, with their accepted names", `
SELECT h.id AS herb_id, h.name AS herb, h.name_pinyin, h.formulas, o.part, o.authority, o.preferred, o.from_year, o.to_year,
  s.entry_id AS species_id, s.chinese_name, s.scientific_name, s.family, m.accepted_name, m.ipni_id, m.wfo_id
FROM herb_sources o JOIN herbs h ON h.id = o.herb_id JOIN species s ON s.entry_id = o.species_id
LEFT JOIN name_matches m ON m.species_id = o.species_id`},
	{"similar_formulas", "Similar formulas by name: jaccard is a similarity from 0 to 1, euclidean a distance from 0", `
SELECT f.entry_id AS formula_id, f.name AS formula, f.dynasty, o.entry_id AS other_id, o.name AS other, o.dynasty AS other_dynasty, x.method, x.value
FROM formula_similarity x JOIN formulas f ON f.entry_id = x.formula_id JOIN formulas o ON o.entry_id = x.other_id`},
	{"families", "Families with the number of their species, and of those used by formulas", `
SELECT family, max(family_chinese) AS family_chinese, count(*) AS species, count(DISTINCT genus) AS genera,
  sum(entry_id IN (SELECT species_id FROM species_formulas)) AS in_formulas
FROM species GROUP BY family ORDER BY species DESC, family`},
	{"dynasties", "Dynasties with the number of their formulas and the years of their sources", `
SELECT dynasty, count(*) AS formulas, min(year) AS from_year, max(year) AS to_year, count(DISTINCT original_source) AS sources
FROM formulas GROUP BY dynasty ORDER BY from_year, dynasty`},
	{"species_literature", "The papers about each species", `
SELECT s.entry_id AS species_id, s.chinese_name, s.scientific_name, p.id AS paper_id, p.title, p.authors, p.source, p.year, p.doi, p.pubmed_id
FROM species_papers x JOIN species s ON s.entry_id = x.species_id JOIN papers p ON p.id = x.paper_id`},
}
