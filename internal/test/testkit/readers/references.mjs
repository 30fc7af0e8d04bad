// Reads references in each format with Citation.js and prints them as CSL-JSON.
//
//	references.mjs FILE ...
import { readFileSync } from "node:fs";
import { Cite } from "@citation-js/core";
import "@citation-js/plugin-bibtex";
import "@citation-js/plugin-ris";

const all = {};
for (const file of process.argv.slice(2)) {
  all[file.split("/").pop()] = new Cite(readFileSync(file, "utf8")).get({ format: "real", type: "json", style: "csl" });
}
console.log(JSON.stringify(all));
