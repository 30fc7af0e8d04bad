// A client as a user of the API would write it. It only has to compile: the
// types come from the OpenAPI document, the answers from a running server.
// recorded.ts declares the types of the answers, so the compiler checks them.
import type { components, operations, paths } from "./schema.js";
import { answers } from "./recorded.js";

export type Schemas = components["schemas"];

/** The JSON body of an operation's answer. */
type Answer<Op extends keyof operations> = operations[Op] extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The answer of each operation. A missing operation does not compile. */
export type Answers = { [Op in keyof operations]: Answer<Op> };

// A value that may be null must be checked before use. Numbers may be text.
const detail: Schemas["FormulaDetail"] = answers["formulas.detail"];
export const herbs: string[] = (detail.ingredients ?? []).map((i) => i.herb);
export const year: number | undefined = detail.year === null ? undefined : Number(detail.year);

// @ts-expect-error a name may be null
export const name: string = detail.name;

// @ts-expect-error a match type that is not in the vocabulary
export const kind: Schemas["NameMatchEntry"]["matchType"] = "perhaps";

// The parameters are typed too.
type SpeciesQuery = NonNullable<paths["/api/v1/species"]["get"]["parameters"]["query"]>;
export const query: SpeciesQuery = { q: "人参", page: 1, pageSize: 100 };
export const match: paths["/api/v1/names/match"]["get"]["parameters"]["query"] = { name: "Panax ginseng", fuzzy: false };

// @ts-expect-error name is required
export const nameless: paths["/api/v1/names/match"]["get"]["parameters"]["query"] = {};
