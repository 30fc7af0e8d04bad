// A client as a user of the API would write it. It only has to compile: the
// types come from the OpenAPI document, the answers from a running server.
// That the answers have the types is said, and checked, in recorded.ts.
import type { components, operations, paths } from "./schema.js";
import { answers } from "./recorded.js";

export type Schemas = components["schemas"];

/** The body that an operation answers with in JSON. */
type Answer<Op extends keyof operations> = operations[Op] extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** What each operation answers, so that a missing one does not compile. */
export type Answers = { [Op in keyof operations]: Answer<Op> };

// Nulls have to be looked at before use, and numbers may come as text.
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
