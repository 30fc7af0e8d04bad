// Sends the questions of ../questions.json through three clients that are
// generated from the document, and runs the example.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import createClient from "openapi-fetch";
// @ts-expect-error it has no types
import SwaggerClient from "swagger-client";
import * as example from "./example.js";
import { createClient as createSdkClient } from "./sdk/client/index.js";
import * as sdk from "./sdk/sdk.gen.js";

interface Question {
  op: string;
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | string[]>;
  key?: "all" | "open" | "none";
  status: number;
  is: Record<string, unknown>;
}

interface Answer {
  status: number;
  body: unknown;
}

const server = process.env["BENCAO_SERVER"] ?? "";
const keys = { all: process.env["BENCAO_API_KEY"] ?? "", open: process.env["OPEN_KEY"] ?? "", none: "" };
const questions = JSON.parse(readFileSync("../questions.json", "utf8")) as Question[];
const document = await (await fetch(`${server}/openapi/v1.json`)).json();

const pathOf = new Map<string, string>();
for (const [path, item] of Object.entries<{ get: { operationId: string } }>(document.paths)) {
  pathOf.set(item.get.operationId, path);
}

/** Returns the value at a place such as items.0.name. */
function at(body: unknown, place: string): unknown {
  return place.split(".").reduce<any>((value, part) => value?.[part], body);
}

function asked(name: string, ask: (q: Question, key: string) => Promise<Answer>) {
  test(name, async () => {
    assert.ok(questions.length >= 30);
    for (const q of questions) {
      const { status, body } = await ask(q, keys[q.key ?? "all"]);
      const what = `${q.op} ${JSON.stringify(q.path ?? q.query)}`;
      assert.equal(status, q.status, `${what}: ${JSON.stringify(body)}`);
      for (const [place, value] of Object.entries(q.is)) {
        assert.deepEqual(at(body, place), value, `${what}: ${place}`);
      }
    }
  });
}

asked("openapi-fetch", async (q, key) => {
  const client = createClient<any>({ baseUrl: server, headers: key ? { "X-Api-Key": key } : {} });
  const { data, error, response } = await (client as any).GET(pathOf.get(q.op), {
    params: { path: q.path ?? {}, query: q.query ?? {} },
  });
  return { status: response.status, body: data ?? error };
});

asked("hey-api", async (q, key) => {
  const client = createSdkClient({ baseUrl: server, auth: () => key || undefined });
  const name = q.op.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
  const call = (sdk as Record<string, unknown>)[name] as (options: object) => Promise<any>;
  const { data, error, response } = await call({ client, path: q.path, query: q.query });
  return { status: response.status, body: data ?? error };
});

const swagger = await SwaggerClient({ url: `${server}/openapi/v1.json` });
asked("swagger-client", async (q, key) => {
  const call = swagger.apis[q.op.split(".")[0] ?? ""][q.op.replaceAll(".", "_")];
  const options = { securities: { authorized: key ? { ApiKey: key } : {} } };
  try {
    const { status, body } = await call({ ...q.path, ...q.query }, options);
    return { status, body };
  } catch (refused: any) {
    if (!refused.response) throw refused;
    return { status: refused.status, body: JSON.parse(refused.response.text) };
  }
});

test("the example goes through everything and matches a list", async () => {
  const bencao = example.client(server, keys.all);
  const names: string[] = [];
  for await (const one of example.species(bencao, { pageSize: 50 })) names.push(one.scientificName ?? "");
  assert.equal(names.length, 296);
  const found = await example.match(bencao, names);
  assert.equal(found.length, names.length);
  assert.ok(found.every((one) => one.results.length === 1));
});
