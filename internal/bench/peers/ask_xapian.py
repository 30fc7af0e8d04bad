"""Xapian, in the process that asks, by its Python binding.

Terms with prefixes for keys, words and grams; wildcards for beginnings; its
spelling dictionary for typos. Documents are in the order of answers, so that
nothing need be sorted, and each database is compacted.
"""

import os
import time
import unicodedata

import peer

try:
    import xapian
    from xapian import Query
except ImportError:
    xapian = None

EVERYTHING = 1 << 31  # hits that are counted, so that totals are exact


def folded(text):
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def ends(pinyin):
    """The ends of each name's pinyin, from each of its syllables on."""
    for name in pinyin.split("|"):
        syllables = name.split()
        yield from ("".join(syllables[i:]) for i in range(len(syllables)))


def needs():
    if not xapian:
        raise ImportError("Xapian is not installed; apt install python3-xapian")


def ask(task):
    folder = task["work"]
    words = xapian.TermGenerator()

    def names(document, key, _grade, _body):
        document.add_boolean_term("K" + key)
        for word in key.split():
            document.add_boolean_term(word)

    def papers(document, doi, pubmed, title, _body):
        document.add_boolean_term("D" + doi)
        document.add_boolean_term("M" + pubmed)
        words.set_document(document)
        words.index_text_without_positions(folded(title))

    def species(document, _name, key, pinyin, grams, family, _body):
        document.add_boolean_term("K" + key)
        for end in ends(pinyin):
            document.add_boolean_term("P" + end)
        for gram in grams.split():
            document.add_boolean_term("G" + gram)
        document.add_value(0, family)

    def formulas(document, _name, grams, _body):
        for gram in grams.split():
            document.add_boolean_term("G" + gram)

    def keyed(document, key, _body):
        document.add_boolean_term("K" + key)

    def load(table, fill):
        made = xapian.WritableDatabase(f"{folder}/{table}.made", xapian.DB_CREATE)
        known = set()
        for cells in peer.rows(task, table):
            document = xapian.Document()
            document.set_data(cells[-1])
            fill(document, *cells)
            made.add_document(document)
            if table == "names":
                for word in set(cells[0].split()) - known:
                    known.add(word)
                    made.add_spelling(word)
        made.commit()
        made.compact(f"{folder}/{table}")
        made.close()
        return xapian.Database(f"{folder}/{table}")

    fills = {"names": names, "papers": papers, "species": species, "formulas": formulas, "details": keyed, "suggestions": keyed}
    wall, cpu = time.monotonic(), time.process_time()
    bases = {table: load(table, fill) for table, fill in fills.items()}
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu

    def page(table, query, count=20):
        enquire = xapian.Enquire(bases[table])
        enquire.set_weighting_scheme(xapian.BoolWeight())
        enquire.set_query(query)
        found = enquire.get_mset(0, count, EVERYTHING)
        for hit in found:
            hit.document.get_data()
        return found.get_matches_estimated()

    def all_of(*terms):
        return Query(Query.OP_AND, terms)

    def key(table, prefix):
        """What has a key, without a search."""

        def ask(text):
            base = bases[table]
            found = [base.get_document(hit.docid).get_data() for hit in base.postlist(prefix + text)]
            return len(found)

        return ask

    def begins(table, prefix, count=20):
        return lambda text: page(table, Query(Query.OP_WILDCARD, prefix + text, 0, Query.WILDCARD_LIMIT_ERROR, Query.OP_OR), count)

    def near(distance):
        def ask(text):
            base = bases["names"]
            right = [word if base.term_exists(word) else base.get_spelling_suggestion(word, distance).decode() for word in text.split()]
            return min(page("names", all_of(*right), 1), 1) if all(right) else 0

        return ask

    parser = xapian.QueryParser()
    parser.set_default_op(Query.OP_AND)

    def titles(text):
        return page("papers", parser.parse_query(folded(text), 0))

    def hanzi(table):
        return lambda text: page(table, all_of(*("G" + gram for gram in peer.grams(text))))

    def facets(text):
        enquire = xapian.Enquire(bases["species"])
        enquire.set_weighting_scheme(xapian.BoolWeight())
        enquire.set_query(Query("G" + text))
        spy = xapian.ValueCountMatchSpy(0)
        enquire.add_matchspy(spy)
        enquire.get_mset(0, 0, EVERYTHING)
        return sum(family.termfreq for family in spy.values())

    detail, exact = key("details", "K"), key("names", "K")
    kinds = {
        "detail": detail,
        "formula detail": detail,
        "stats": detail,
        "exact name": lambda text: min(exact(text), 1),
        "PubMed id": key("papers", "M"),
        "DOI": begins("papers", "D"),
        "one typo": near(1),
        "two typos": near(2),
        "whole pinyin": begins("species", "P"),
        "pinyin prefix": begins("species", "P"),
        "three title words": titles,
        "two title words": titles,
        "two title words, many hits": titles,
        "one title word": titles,
        "hanzi inside": hanzi("species"),
        "two hanzi": hanzi("species"),
        "formula name": hanzi("formulas"),
        "Latin beginning of nothing": begins("species", "K"),
        "suggest": lambda text: min(begins("suggestions", "K", 10)(text), 10),
        "facets": facets,
    }
    peer.answer(
        task,
        kinds,
        lambda _: page("names", Query()),
        time.process_time_ns,
        version="Xapian " + xapian.version_string(),
        loadWallSeconds=wall,
        loadCPUSeconds=cpu,
        bytes=sum(os.path.getsize(f"{folder}/{table}/{file}") for table in fills for file in os.listdir(f"{folder}/{table}")),
    )


peer.run(needs, ask)
