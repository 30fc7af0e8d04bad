// Reads every Parquet file of a folder with DuckDB and with parquet-wasm (Arrow for Rust), and CSV
// files with DuckDB. Prints as JSON the number of rows of each, and the results of the queries.
//
//	exports.mjs FOLDER [QUERY ...]
import { readFileSync, readdirSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { readParquet } from "parquet-wasm";

const [folder, ...queries] = process.argv.slice(2);
process.chdir(folder);
const db = await (await DuckDBInstance.create()).connect();
const ask = async (query) => (await db.runAndReadAll(query)).getRowObjectsJson();
const rows = {};
for (const file of readdirSync(".")) {
  if (file.endsWith(".parquet")) {
    rows[file] = Number((await ask(`SELECT count(*) AS n FROM '${file}'`))[0].n);
    const table = readParquet(readFileSync(file));
    const arrow = table.recordBatches().reduce((n, batch) => n + batch.numRows, 0);
    if (arrow !== rows[file]) throw new Error(`${file}: DuckDB reads ${rows[file]} rows, Arrow ${arrow}`);
  } else if (file.endsWith(".csv")) {
    rows[file] = Number((await ask(`SELECT count(*) AS n FROM read_csv('${file}', header = true, all_varchar = true, delim = ',', quote = '"', escape = '"')`))[0].n);
  } else if (file.endsWith(".tsv") || file.endsWith(".txt")) {
    rows[file] = Number((await ask(`SELECT count(*) AS n FROM read_csv('${file}', header = true, all_varchar = true, delim = '\t', quote = '', escape = '')`))[0].n);
  }
}
const answers = [];
for (const query of queries) answers.push(await ask(query));
console.log(JSON.stringify({ rows, answers }));
