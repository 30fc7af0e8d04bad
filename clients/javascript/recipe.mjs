// Writes the recipe of ../../docs/api.md to recipe.ts. The test compiles and runs it.
import { readFileSync, writeFileSync } from "node:fs";

const page = readFileSync("../../docs/api.md", "utf8");
const recipe = /```ts\n([\s\S]*?)```/.exec(page)[1];
const here = recipe.replace('"https://plants.example"', 'process.env["BENCAO_SERVER"]!').replace('"bencao_…"', 'process.env["BENCAO_API_KEY"]!');
if (here.match(/process\.env/g)?.length !== 2) throw new Error("the recipe of docs/api.md names no server or key");
writeFileSync("recipe.ts", here);
