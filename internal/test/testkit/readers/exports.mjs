// Reads the tables of a folder with DuckDB. Prints as JSON the number of rows of each, and the
// results of the queries.
//
//	exports.mjs FOLDER [QUERY ...]
import { readdirSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const [folder, ...queries] = process.argv.slice(2);
process.chdir(folder);
const db = await (await DuckDBInstance.create()).connect();
const ask = async (query) => (await db.runAndReadAll(query)).getRowObjectsJson();
const rows = {};
for (const file of readdirSync(".")) {
  if (file.endsWith(".csv")) {
    rows[file] = Number((await ask(`SELECT count(*) AS n FROM read_csv('${file}', header = true, all_varchar = true, delim = ',', quote = '"', escape = '"')`))[0].n);
  } else if (file.endsWith(".tsv") || file.endsWith(".txt")) {
    rows[file] = Number((await ask(`SELECT count(*) AS n FROM read_csv('${file}', header = true, all_varchar = true, delim = '\t', quote = '', escape = '')`))[0].n);
  }
}
const answers = [];
for (const query of queries) answers.push(await ask(query));
console.log(JSON.stringify({ rows, answers }));
