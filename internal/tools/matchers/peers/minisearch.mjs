#!/usr/bin/env node
// The search library MiniSearch with usual settings: all words must match, with errors in up to a
// fifth of their letters. The first hit is the answer. It is safe if its words are spelt as given.
import { readFileSync } from "node:fs";
import MiniSearch from "minisearch";

const index = new MiniSearch({ fields: ["name"], idField: "id" });
const names = readFileSync(process.argv[2], "utf8").trimEnd().split("\n");
index.addAll(names.map((name, id) => ({ id, name })));
const inputs = readFileSync(0, "utf8");
const lines = [];
for (const name of inputs === "" ? [] : inputs.trimEnd().split("\n")) {
  const [hit] = index.search(name, { fuzzy: 0.2, combineWith: "AND" });
  const found = hit ? names[hit.id] : "";
  lines.push(hit ? `${found}\t${found.toLowerCase() === name.toLowerCase() ? 1 : 0}` : "");
}
process.stdout.write(lines.map((line) => line + "\n").join(""));
