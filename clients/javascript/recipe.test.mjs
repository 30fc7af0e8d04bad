// Runs the function for Google Sheets of ../../docs/clients.md, with curl in place
// of the functions that Google offers, and the recipe of ../../docs/api.md.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const page = readFileSync("../../docs/clients.md", "utf8");
const recipe = /```\n(function BENCAO[\s\S]*?)```/.exec(page)[1];

const PropertiesService = { getScriptProperties: () => ({ getProperty: (name) => process.env[name] }) };
const Utilities = {
  parseCsv: (text) => text.trimEnd().split(/\r?\n/).map((line) => line.split(",")),
};
const asked = [];
const UrlFetchApp = {
  fetch(address, { headers }) {
    asked.push(address);
    const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const answer = execFileSync("curl", ["-sS", "--fail-with-body", "-D-", ...given, address], { encoding: "utf8" });
    const [head, ...body] = answer.split("\r\n\r\n");
    const links = /^link: (.*)$/im.exec(head);
    return { getContentText: () => body.join("\r\n\r\n"), getHeaders: () => (links ? { Link: links[1] } : {}) };
  },
};

test("the recipe for Google Sheets reads all pages", () => {
  const here = recipe.replace("https://plants.example", process.env.BENCAO_SERVER);
  assert.notEqual(here, recipe);
  const BENCAO = new Function("PropertiesService", "UrlFetchApp", "Utilities", `${here}; return BENCAO`)(PropertiesService, UrlFetchApp, Utilities);
  const rows = BENCAO("species");
  assert.equal(rows.length, 1 + 296);
  assert.deepEqual(rows[0].slice(0, 3), ["entryId", "guid", "chineseName"]);
  assert.equal(asked.length, 3);
  assert.equal(BENCAO("species?family=五加科")[1][5], "Araliaceae");
});

test("the recipe for openapi-fetch compiles and answers", () => {
  const said = execFileSync(process.execPath, ["built/recipe.js"], { encoding: "utf8" });
  assert.match(said, /人参 Panax ginseng/);
  assert.match(said, /^[0-9]+ species$/m);
});
