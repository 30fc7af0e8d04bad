// Sends the questions of ../questions.json through Prism, a proxy that
// compares each request and each answer with the document.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { createInterface } from "node:readline";
import { document, keys, server } from "./server.mjs";

const questions = JSON.parse(readFileSync("../questions.json", "utf8"));
const pathOf = new Map(Object.entries(document.paths).map(([path, item]) => [item.get.operationId, path]));
let prism, proxy;

before(async () => {
  prism = spawn("node_modules/.bin/prism", ["proxy", "openapi.json", server, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: prism.stdout })) {
    proxy = /Prism is listening on (\S+)/.exec(line)?.[1];
    if (proxy) break;
  }
  prism.stdout.resume();
  assert.ok(proxy, "Prism ended");
});

after(async () => {
  prism.kill();
  await once(prism, "exit");
});

/** Sends a question through Prism. Returns the answer and the errors that Prism found. */
async function ask(q) {
  const path = pathOf.get(q.op).replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(q.path[name]));
  const query = Object.entries(q.query ?? {}).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const headers = q.key === "none" ? {} : { "X-Api-Key": keys[q.key ?? "all"] };
  const answer = await fetch(`${proxy}${path}?${new URLSearchParams(query)}`, { headers });
  return { status: answer.status, body: await answer.text(), violations: JSON.parse(answer.headers.get("sl-violations") ?? "[]") };
}

test("Prism finds nothing in any question", async () => {
  assert.ok(questions.length >= 30);
  for (const q of questions) {
    const what = `${q.op} ${JSON.stringify(q.path ?? q.query)}`;
    const { status, body, violations } = await ask(q);
    assert.equal(status, q.status, `${what}: ${body}`);
    // If the server refuses a request as malformed, the document must refuse it too.
    const ours = status !== 400 && status !== 401;
    const wrong = violations.filter(({ location }) => ours || location[0] !== "request");
    assert.deepEqual(wrong, [], what);
    if (!ours) assert.notEqual(violations.length, 0, `${what}: the document allows what is refused with ${status}`);
  }
});
