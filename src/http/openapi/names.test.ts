/** Schemas that are in the document once, so that the code generated from it is small. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Document, readOperations } from "../../../test/support/openapi-document.ts";
import { openShell, type TestShell } from "../../../test/support/shell.ts";
import { nameSchemas } from "./names.ts";
import type { OpenApi, Schema } from "./model.ts";

let shell: TestShell;
let text: string;
let document: Document;

beforeAll(async () => {
  shell = await openShell();
  text = (await shell.app.inject({ url: "/openapi.json" })).body;
  document = JSON.parse(text) as Document;
});
afterAll(async () => shell.close());

/** Schemas of objects that stand somewhere without a name, each with how often. */
function unnamed(value: unknown, counts = new Map<string, number>()): Map<string, number> {
  if (typeof value !== "object" || value === null) return counts;
  for (const [key, each] of Object.entries(value)) {
    if (key === "example" || key === "examples" || key === "required") continue;
    unnamed(each, counts);
  }
  if ("type" in value && value.type === "object" && "properties" in value) {
    const shape = JSON.stringify({ ...value, description: undefined });
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return counts;
}

/** First words of summaries: verbs alone. A new one is added here if it is a verb. */
const VERBS =
  /^(?:Add|Check|Clone|Complete|Count|Create|Delete|Disable|Discover|Enable|Evaluate|Explain|Export|Find|Force-unlock|Import|List|Lock|Log|Move|Preview|Propose|Read|Remove|Rename|Replace|Replay|Report|Restore|Return|Revoke|Rotate|Save|Search|Send|Set|Show|Start|Stream|Test|Undo|Unlock|Update|Pause|Resume|Cancel) [a-z0-9]/;

it("every operation of the OpenAPI document has a summary of a verb and a noun, of at most eight words", () => {
  const summaries = readOperations(document).map(({ name, operation }) => `${name}: ${operation.summary ?? "none"}`);
  expect(summaries.length).toBeGreaterThan(100);
  const isSummary = (summary: string) =>
    VERBS.test(summary) && summary.split(" ").length <= 8 && !/[.:;]/.test(summary);
  expect(summaries.filter((each) => !isSummary(each.slice(each.indexOf(": ") + 2)))).toEqual([]);
});

describe("the schemas of the OpenAPI document", () => {
  it("name what every body and answer of several members is", () => {
    const inline = readOperations(document).flatMap(({ name, operation }) => {
      const answers = Object.values(operation.responses).map(({ content = {} }) => content);
      const medias = [operation.requestBody?.content ?? {}, ...answers].flatMap((content) => Object.values(content));
      return medias.filter(({ schema }) => typeof schema === "object" && "properties" in schema).map(() => name);
    });
    expect(inline).toEqual([]);
  });

  it("stand once: no two that are called differently are equal, and no large one is repeated without a name", () => {
    const named = Object.values(document.components.schemas).map((schema) =>
      JSON.stringify({ ...(schema as object), description: undefined }),
    );
    expect(named.filter((shape, index) => named.indexOf(shape) !== index)).toEqual([]);
    expect(named.length).toBeGreaterThan(100);
    const repeated = [...unnamed([document.paths, document.components])].filter(
      ([shape, count]) => count > 1 && shape.length > 320,
    );
    expect(repeated).toEqual([]);
  });

  it("are called after what they describe, in both families", () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        "Tag",
        "TagDocument",
        "TagPage",
        "Workspace",
        "Policy",
        "PolicyBody",
        "Token",
        "AuthMethod",
      ]),
    );
  });

  it("are all referred to, and every reference leads somewhere", () => {
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(references)).toEqual(new Set(Object.keys(document.components.schemas)));
  });
});

describe("naming of schemas", () => {
  const answering = (operationId: string, schema: Schema) => ({
    operationId,
    summary: "",
    tags: [],
    responses: { 200: { description: "", content: { "application/json": { schema } } } },
  });
  const documentOf = (...schemas: Schema[]) =>
    ({
      paths: {
        "/": Object.fromEntries(schemas.map((schema, index) => [String(index), answering(`op${index}`, schema)])),
      },
      components: { schemas: {}, responses: {} },
    }) as unknown as OpenApi;
  const object = (title: string, ...members: string[]): Schema => ({
    type: "object",
    title,
    properties: Object.fromEntries(members.map((name) => [name, { type: "string" }])),
  });

  it("refuses one name for two schemas", () => {
    expect(() => nameSchemas(documentOf(object("Pet", "a"), object("Pet", "b")))).toThrow("called Pet");
  });

  it("finds an equal schema that has no name, wherever it stands, and keeps what is said of it there", () => {
    const { title: _title, ...plain } = object("Pet", "a");
    const holder: Schema = { type: "object", properties: { pet: { ...plain, description: "Its pet." } } };
    const named = documentOf(holder, object("Pet", "a"));
    nameSchemas(named);
    expect(named.components.schemas).toEqual({
      Op0Answer: { type: "object", properties: { pet: { $ref: "#/components/schemas/Pet", description: "Its pet." } } },
      Pet: plain,
    });
  });
});
