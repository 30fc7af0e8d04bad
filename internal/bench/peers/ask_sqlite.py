"""SQLite with FTS5, in the process that asks, by Python's sqlite3.

B-trees for keys; FTS5 with unicode61 for words of titles and for grams of
Chinese names, with trigram for pinyin inside. It has no likeness of words, for
spellfix1 is not in Debian's build: of the twenty names that share most trigrams
with one that is misspelt, the program that asks takes the nearest.
"""

import os
import re
import sqlite3
import time

import peer

SCHEMA = """
PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
PRAGMA cache_size = -1000000; PRAGMA mmap_size = 68719476736; PRAGMA temp_store = MEMORY;
CREATE TABLE names (id INTEGER PRIMARY KEY, key TEXT, grade INT, body TEXT);
CREATE TABLE papers (id INTEGER PRIMARY KEY, doi TEXT, pubmed TEXT, title TEXT, body TEXT);
CREATE TABLE species (id INTEGER PRIMARY KEY, name TEXT, key TEXT, pinyin TEXT, grams TEXT, family TEXT, body TEXT);
CREATE TABLE formulas (id INTEGER PRIMARY KEY, name TEXT, grams TEXT, body TEXT);
CREATE TABLE details (guid TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID;
CREATE TABLE suggestions (id INTEGER PRIMARY KEY, text TEXT, body TEXT);
"""
INDEXES = """
CREATE INDEX names_key ON names (key, grade);
CREATE INDEX papers_doi ON papers (doi);
CREATE INDEX papers_pubmed ON papers (pubmed);
CREATE INDEX species_key ON species (key);
CREATE INDEX suggestions_text ON suggestions (text);
CREATE VIRTUAL TABLE titles USING fts5 (title, content='', detail=none, tokenize='unicode61 remove_diacritics 2');
INSERT INTO titles (rowid, title) SELECT id, title FROM papers;
CREATE VIRTUAL TABLE species_grams USING fts5 (grams, content='', detail=none, tokenize='unicode61');
INSERT INTO species_grams (rowid, grams) SELECT id, grams FROM species;
CREATE VIRTUAL TABLE formulas_grams USING fts5 (grams, content='', detail=none, tokenize='unicode61');
INSERT INTO formulas_grams (rowid, grams) SELECT id, grams FROM formulas;
CREATE VIRTUAL TABLE sounds USING fts5 (pinyin, content='', tokenize='trigram');
INSERT INTO sounds (rowid, pinyin) SELECT id, replace(pinyin, ' ', '') FROM species;
CREATE VIRTUAL TABLE near USING fts5 (key, content='', tokenize='trigram');
INSERT INTO near (rowid, key) SELECT id, key FROM names;
INSERT INTO near (near) VALUES ('optimize');
INSERT INTO titles (titles) VALUES ('optimize');
INSERT INTO species_grams (species_grams) VALUES ('optimize');
INSERT INTO formulas_grams (formulas_grams) VALUES ('optimize');
INSERT INTO sounds (sounds) VALUES ('optimize');
ANALYZE;
"""
LAST = "\U0010ffff"  # stands behind all that a text can begin with


def load(task, db):
    db.executescript(SCHEMA)
    for table, columns in (
        ("names", "key, grade, body"),
        ("papers", "doi, pubmed, title, body"),
        ("species", "name, key, pinyin, grams, family, body"),
        ("formulas", "name, grams, body"),
        ("details", "guid, body"),
        ("suggestions", "text, body"),
    ):
        marks = ", ".join("?" * len(columns.split(",")))
        db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", peer.rows(task, table))
    db.executescript(INDEXES)
    db.commit()


def phrase(text):
    return '"' + text.replace('"', '""') + '"'


def distance(a, b):
    """How many letters are to be exchanged, put in or left out."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a):
        corner, row[0] = row[0], i + 1
        for k, other in enumerate(b):
            corner, row[k + 1] = row[k + 1], min(row[k] + 1, row[k + 1] + 1, corner + (letter != other))
    return row[-1]


def needs():
    sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE t USING fts5 (text, tokenize='trigram')")


def ask(task):
    file = f"{task['work']}/all.sqlite"
    db = sqlite3.connect(file)
    wall, cpu = time.monotonic(), time.process_time()
    load(task, db)
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu

    def every(statement, *values):
        return db.execute(statement, values).fetchall()

    def rows(statement):
        return lambda text: len(every(statement, text))

    def words(text):
        asked = " ".join(map(phrase, re.findall(r"[^\W_]+", text)))
        every("SELECT body FROM papers WHERE id IN (SELECT rowid FROM titles WHERE titles MATCH ? ORDER BY rowid LIMIT 20) ORDER BY id", asked)
        return every("SELECT count(*) FROM titles WHERE titles MATCH ?", asked)[0][0]

    def pinyin(text):
        own = "replace(substr(species.pinyin, 1, instr(species.pinyin || '|', '|') - 1), ' ', '')"
        return page("species", "sounds", f"{own} <> ?2, substr({own}, 1, length(?2)) <> ?2", phrase(text), text)

    def hanzi(table):
        def ask(text):
            asked = " ".join(map(phrase, peer.grams(text)))
            return page(table, table + "_grams", "name <> ?2, substr(name, 1, length(?2)) <> ?2", asked, text)

        return ask

    def page(table, index, order, asked, text):
        """Twenty of the hits, and how many there are. Three characters that are
        all there may stand apart."""
        inside = "instr(name, ?2) > 0" if index == "formulas_grams" else "true"
        found = f"FROM {index} JOIN {table} ON id = {index}.rowid WHERE {index} MATCH ?1 AND {inside}"
        every(f"SELECT body {found} ORDER BY {order}, id LIMIT 20", asked, text)
        if inside != "true":
            return every(f"SELECT count(*) {found}", asked, text)[0][0]
        return every(f"SELECT count(*) FROM {index} WHERE {index} MATCH ?", asked)[0][0]

    def near(most):
        def ask(text):
            trigrams = dict.fromkeys(text[i : i + 3] for i in range(len(text) - 2))
            found = every("SELECT key, body FROM names WHERE id IN (SELECT rowid FROM near WHERE near MATCH ? ORDER BY rank LIMIT 20)", " OR ".join(map(phrase, trigrams)))
            return int(any(distance(text, key) <= most for key, _ in found))

        return ask

    def facets(text):
        found = every("SELECT family, count(*) FROM species JOIN species_grams ON id = species_grams.rowid WHERE species_grams MATCH ? GROUP BY family", phrase(text))
        return sum(count for _, count in found)

    def begins(statement):
        return lambda text: len(every(statement, text, text + LAST))

    detail = rows("SELECT body FROM details WHERE guid = ?")
    exact = rows("SELECT body FROM names WHERE key = ? ORDER BY grade")
    kinds = {
        "detail": detail,
        "formula detail": detail,
        "stats": detail,
        "exact name": lambda text: min(exact(text), 1),
        "PubMed id": rows("SELECT body FROM papers WHERE pubmed = ?"),
        "DOI": begins("SELECT body FROM papers WHERE doi >= ? AND doi < ? ORDER BY doi LIMIT 20"),
        "one typo": near(1),
        "two typos": near(2),
        "whole pinyin": pinyin,
        "pinyin prefix": pinyin,
        "three title words": words,
        "two title words": words,
        "two title words, many hits": words,
        "one title word": words,
        "hanzi inside": hanzi("species"),
        "two hanzi": hanzi("species"),
        "formula name": hanzi("formulas"),
        "Latin beginning of nothing": begins("SELECT body FROM species WHERE key >= ? AND key < ? ORDER BY key LIMIT 20"),
        "suggest": begins("SELECT body FROM suggestions WHERE text >= ? AND text < ? ORDER BY id LIMIT 10"),
        "facets": facets,
    }
    peer.answer(
        task,
        kinds,
        rows("SELECT ?"),
        time.process_time_ns,
        version="SQLite " + sqlite3.sqlite_version,
        loadWallSeconds=wall,
        loadCPUSeconds=cpu,
        bytes=os.path.getsize(file),
    )


peer.run(needs, ask)
