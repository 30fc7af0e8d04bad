"""PostgreSQL in a cluster of its own, over one connection through a Unix socket.

Statements are prepared and have generic plans, the quickest here; libpq is asked
directly. What counts is the processor time of the backend alone. B-trees for
keys, GIN with pg_trgm for names and pinyin, tsvector for titles, GIN over
arrays for grams of Chinese names: pg_trgm finds nothing by two characters.
"""

import ctypes
import glob
import os
import pwd
import shutil
import signal
import subprocess
import time

import peer

SCHEMA = """
CREATE EXTENSION pg_trgm; CREATE EXTENSION fuzzystrmatch; CREATE EXTENSION unaccent;
CREATE TEXT SEARCH CONFIGURATION titles (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION titles ALTER MAPPING FOR hword, hword_part, word WITH unaccent, simple;
CREATE TABLE names (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text COLLATE "C", grade int, body text);
CREATE TABLE papers (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, doi text COLLATE "C", pubmed text COLLATE "C", title text, body text);
CREATE TABLE species (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C", key text COLLATE "C", pinyin text COLLATE "C",
    grams text, family text COLLATE "C", body text,
    sounds text COLLATE "C" GENERATED ALWAYS AS (replace(pinyin, ' ', '')) STORED,
    sound text COLLATE "C" GENERATED ALWAYS AS (split_part(replace(pinyin, ' ', ''), '|', 1)) STORED);
CREATE TABLE formulas (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C", grams text, body text);
CREATE TABLE details (guid text COLLATE "C", body text COMPRESSION lz4);
CREATE TABLE suggestions (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text COLLATE "C", body text);
"""
INDEXES = """
CREATE INDEX ON names (key, grade);
CREATE INDEX ON names USING gin (key gin_trgm_ops);
CREATE INDEX ON papers (doi);
CREATE INDEX ON papers (pubmed);
CREATE INDEX ON papers USING gin (to_tsvector('titles', title));
CREATE INDEX ON species (key);
CREATE INDEX ON species USING gin (sounds gin_trgm_ops);
CREATE INDEX ON species USING gin (string_to_array(grams, ' '));
CREATE INDEX ON formulas USING gin (string_to_array(grams, ' '));
CREATE UNIQUE INDEX ON details (guid);
CREATE INDEX ON suggestions (text, id);
"""
COLUMNS = {
    "names": "key, grade, body",
    "papers": "doi, pubmed, title, body",
    "species": "name, key, pinyin, grams, family, body",
    "formulas": "name, grams, body",
    "details": "guid, body",
    "suggestions": "text, body",
}
LAST = "\U0010ffff"  # stands behind all that a text can begin with


def page(table, where, order="0"):
    """A statement for twenty of the hits, each with how many there are."""
    return f"""WITH hit AS MATERIALIZED (SELECT id, {order} AS tier FROM {table} WHERE {where})
        SELECT body, (SELECT count(*) FROM hit) FROM (SELECT id, tier FROM hit ORDER BY tier, id LIMIT 20) AS h JOIN {table} USING (id) ORDER BY tier, id"""


def grade(column):
    return f"CASE WHEN {column} = $1 THEN 0 WHEN starts_with({column}, $1) THEN 1 ELSE 2 END"


SPECIES = page("species", "string_to_array(grams, ' ') @> string_to_array($2, ' ')", grade("name"))
STATEMENTS = {
    "nothing": "SELECT $1::text",
    "detail": "SELECT body FROM details WHERE guid = $1",
    "exact": "SELECT body FROM names WHERE key = $1 ORDER BY grade",
    "near": """SELECT body FROM names WHERE key % $1 AND levenshtein_less_equal(key, $1, $2::int) <= $2::int
        ORDER BY levenshtein_less_equal(key, $1, $2::int), grade LIMIT 1""",
    "pubmed": "SELECT body FROM papers WHERE pubmed = $1",
    "doi": "SELECT body FROM papers WHERE doi >= $1 AND doi < $2 ORDER BY doi LIMIT 20",
    "words": page("papers", "to_tsvector('titles', title) @@ plainto_tsquery('titles', $1)"),
    "pinyin": page("species", "sounds LIKE '%' || $1 || '%'", grade("sound")),
    "species": SPECIES,
    "formulas": page("formulas", "string_to_array(grams, ' ') @> string_to_array($2, ' ') AND strpos(name, $1) > 0", grade("name")),
    "latin": "SELECT body FROM species WHERE key >= $1 AND key < $2 ORDER BY key LIMIT 20",
    "suggest": "SELECT body FROM suggestions WHERE text >= $1 AND text < $2 ORDER BY id LIMIT 10",
    "facets": "SELECT family, count(*), sum(count(*)) OVER () FROM species WHERE string_to_array(grams, ' ') @> ARRAY[$1::text] GROUP BY family",
}


class Connection:
    """A connection of libpq."""

    def __init__(self, folder):
        self.pq = ctypes.CDLL("libpq.so.5")
        for name in ("PQconnectdb", "PQexec", "PQprepare", "PQexecPrepared"):
            getattr(self.pq, name).restype = ctypes.c_void_p
        for name in ("PQgetvalue", "PQerrorMessage", "PQparameterStatus"):
            getattr(self.pq, name).restype = ctypes.c_char_p
        self.conn = ctypes.c_void_p(self.pq.PQconnectdb(f"host={folder} user=postgres dbname=postgres".encode()))

    def said(self, result):
        """What a statement gave, or its error."""
        result = ctypes.c_void_p(result)
        if self.pq.PQresultStatus(result) not in (1, 2):
            raise RuntimeError(self.pq.PQerrorMessage(self.conn).decode())
        return result

    def execute(self, text):
        self.pq.PQclear(self.said(self.pq.PQexec(self.conn, text.encode())))

    def prepare(self, name, text):
        self.pq.PQclear(self.said(self.pq.PQprepare(self.conn, name.encode(), text.encode(), 0, None)))

    def rows(self, name, *values):
        """How many rows a prepared statement gives, and the last row's last cell."""
        texts = (ctypes.c_char_p * len(values))(*(v.encode() for v in values))
        result = self.said(self.pq.PQexecPrepared(self.conn, name.encode(), len(values), texts, None, None, 0))
        count, columns = self.pq.PQntuples(result), self.pq.PQnfields(result)
        last = self.pq.PQgetvalue(result, count - 1, columns - 1) if count else b"0"
        self.pq.PQclear(result)
        return count, last


def programs():
    """The folder of PostgreSQL's programs, of Debian's 15 or of those in the path."""
    for folder in [*glob.glob("/usr/lib/postgresql/15/bin"), os.path.dirname(shutil.which("initdb") or "")]:
        if folder and os.path.exists(folder + "/initdb") and shutil.which("psql"):
            return folder
    raise FileNotFoundError("PostgreSQL 15 is not installed; apt install postgresql-15")


class Cluster:
    """A server with its files in a folder; root lets the user postgres run it."""

    def __init__(self, folder):
        bin = programs()
        self.who = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
            self.who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": folder}
        self.folder, data = folder, folder + "/data"
        quiet = {"stdout": subprocess.DEVNULL, **self.who}
        subprocess.run([bin + "/initdb", "-D", data, "-U", "postgres", "-A", "trust", "--locale=C.UTF-8", "-E", "UTF8", "-N"], check=True, **quiet)
        quarter = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (4 << 20)
        settings = {
            "listen_addresses": "", "unix_socket_directories": folder, "shared_buffers": f"{quarter}MB", "fsync": "off", "full_page_writes": "off",
            "wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "8GB", "maintenance_work_mem": "512MB", "work_mem": "64MB",
            "jit": "off", "random_page_cost": "1.1", "max_parallel_workers_per_gather": "0", "plan_cache_mode": "force_generic_plan",
            "autovacuum": "off",
        }  # fmt: skip
        with open(folder + "/log", "w") as log:
            more = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
            self.server = subprocess.Popen([bin + "/postgres", "-D", data, *more], stdout=log, stderr=log, **self.who)
        while subprocess.run([bin + "/pg_isready", "-q", "-h", folder]).returncode:
            if self.server.poll() is not None:
                raise RuntimeError(open(folder + "/log").read())
            time.sleep(0.05)

    def sql(self, text):
        return subprocess.run(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "postgres"], input=text, text=True, check=True, stdout=subprocess.PIPE).stdout

    def cpu(self):
        """Seconds of the processor that the server took, with those of its processes that have ended."""
        with open(f"/proc/{self.server.pid}/stat") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.server.send_signal(signal.SIGINT)
        self.server.wait()


def needs():
    programs()
    ctypes.CDLL("libpq.so.5")
    if os.geteuid() == 0:
        pwd.getpwnam("postgres")


def ask(task):
    signal.signal(signal.SIGTERM, lambda *_: exit(1))
    cluster = Cluster(task["work"])
    try:
        wall, cpu = time.monotonic(), cluster.cpu()
        cluster.sql(SCHEMA)
        for table, columns in COLUMNS.items():
            cluster.sql(f"\\copy {table} ({columns}) FROM '{task['tables']}/{table}.tsv'\n")
        cluster.sql(INDEXES)
        cluster.sql("VACUUM ANALYZE")
        cluster.sql("CHECKPOINT")
        wall, cpu = time.monotonic() - wall, cluster.cpu() - cpu
        questions(task, cluster, wall, cpu)
    finally:
        cluster.stop()


def questions(task, cluster, wall, cpu):
    db = Connection(cluster.folder)
    db.execute("LOAD 'pg_trgm'")
    db.execute("SET pg_trgm.similarity_threshold = 0.4")
    for name, text in STATEMENTS.items():
        db.prepare(name, text)
    clock_of_backend = ~db.pq.PQbackendPID(db.conn) << 3 | 2

    def rows(statement):
        return lambda text: db.rows(statement, text)[0]

    def total(statement):
        return lambda text: int(db.rows(statement, text)[1])

    def hanzi(statement):
        return lambda text: int(db.rows(statement, text, " ".join(peer.grams(text)))[1])

    def begins(statement):
        return lambda text: db.rows(statement, text, text + LAST)[0]

    kinds = {
        "detail": rows("detail"),
        "formula detail": rows("detail"),
        "stats": rows("detail"),
        "exact name": lambda text: min(db.rows("exact", text)[0], 1),
        "PubMed id": rows("pubmed"),
        "DOI": begins("doi"),
        "one typo": lambda text: db.rows("near", text, "1")[0],
        "two typos": lambda text: db.rows("near", text, "2")[0],
        "whole pinyin": total("pinyin"),
        "pinyin prefix": total("pinyin"),
        "three title words": total("words"),
        "two title words": total("words"),
        "two title words, many hits": total("words"),
        "one title word": total("words"),
        "hanzi inside": hanzi("species"),
        "two hanzi": hanzi("species"),
        "formula name": hanzi("formulas"),
        "Latin beginning of nothing": begins("latin"),
        "suggest": begins("suggest"),
        "facets": total("facets"),
    }
    peer.answer(
        task,
        kinds,
        rows("nothing"),
        lambda: time.clock_gettime_ns(clock_of_backend),
        version="PostgreSQL " + db.pq.PQparameterStatus(db.conn, b"server_version").decode().split()[0],
        loadWallSeconds=wall,
        loadCPUSeconds=cpu,
        bytes=int(cluster.sql("SELECT pg_database_size('postgres')")),
    )


peer.run(needs, ask)
