// Reads all pages of a search, matches a list, and waits for the limit of the key.
// openapi-typescript generates the types from the server's own document.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Species = components["schemas"]["SpeciesSummary"];
type Match = components["schemas"]["NameMatchResponse"];

/** Repeats a request when the limit is used up, after the wait that the server asks for. */
const patience: Middleware = {
  async onResponse({ request, response }) {
    for (let tries = 0; (response.status === 429 || response.status === 503) && tries < 5; tries++) {
      const seconds = Number(response.headers.get("Retry-After") ?? 1);
      console.error(`waiting ${seconds} s`);
      await new Promise((done) => setTimeout(done, seconds * 1000));
      response = await fetch(request.clone());
    }
    return response;
  },
};

export function client(server: string, key: string) {
  const made = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: server, headers: { "X-Api-Key": key }, redirect: "error" });
  made.use(patience);
  return made;
}

type Client = ReturnType<typeof client>;
type SpeciesQuery = NonNullable<paths["/api/v1/species"]["get"]["parameters"]["query"]>;

/** Returns all species of a search, page by page. */
export async function* species(bencao: Client, query: SpeciesQuery): AsyncGenerator<Species> {
  for (let page = 1; ; page++) {
    const { data, error, response } = await bencao.GET("/api/v1/species", {
      params: { query: { pageSize: 100, ...query, page } },
    });
    if (error) throw new Error(`${error.status}: ${error.detail}`);
    yield* data.items;
    if (!response.headers.get("Link")?.includes('rel="next"')) return;
  }
}

/** Returns the matches of names, in order. Sends a hundred names at a time. */
export async function match(bencao: Client, names: string[]): Promise<Match[]> {
  const found: Match[] = [];
  for (let i = 0; i < names.length; i += 100) {
    const { data, error } = await bencao.GET("/api/v1/names/matches", {
      params: { query: { name: names.slice(i, i + 100), limit: 1 } },
    });
    if (error) throw new Error(`${error.status}: ${error.detail}`);
    found.push(...data);
  }
  return found;
}

async function main() {
  const bencao = client(process.env["BENCAO_SERVER"] ?? "", process.env["BENCAO_API_KEY"] ?? "");
  const names: string[] = [];
  for await (const one of species(bencao, { family: "五加科" })) {
    console.log(one.chineseName ?? "", one.scientificName ?? "");
    if (one.scientificName) names.push(one.scientificName);
  }
  for (const answer of await match(bencao, [...names, "Panax ginsen"])) {
    const best = answer.results[0];
    console.log(answer.canonicalName, best?.acceptedName ?? "?", best?.score ?? "");
  }
}

if (import.meta.url === `file://${process.argv[1]}`) await main();
