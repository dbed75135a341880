/** Bodies of the decision point, of mappings, and of what recorded use teaches, with any part replaced: none is answered 500. */
import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { MANAGEMENT, useV1 } from "../support/v1.ts";

const BODIES = sized(40, 1000);
const random = randomOfRun();
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Texts of JSON, since some cannot be spelled otherwise: halves of characters, numbers beyond any, members twice. */
const PARTS = [
  ["null", "true", "0", "-1", "1.5", "1e999", "9007199254740993", '""', '"x"', '"\\u0000"', '"\\ud800"', "[]", "{}"],
  ['"${id}"', '"${properties.__proto__}"', '"__proto__"', '"constructor"', '{"__proto__": {}}', '{"a": 1, "a": 2}'],
  ['"00000000-0000-0000-0000-000000000000"', '"key"', '"identity"', '"a/b/c"', '"/"', "[[]]", "[null]", "[{}]"],
  [JSON.stringify("x".repeat(5000)), "[".repeat(200) + "]".repeat(200)],
].flat();

const QUESTION = {
  subject: { type: "person", id: "a", properties: { team: "x" } },
  action: { name: "read", properties: { soft: true } },
  resource: { type: "doc", id: "a", properties: { status: "archived" } },
  context: {},
};
const entry = { Action: "read", Properties: { a: "b" }, Kind: "key", Segment: "x/${id}", Access: "read" };
const MAPPING = {
  Name: "fuzzed",
  SubjectTypes: [{ Type: "someone", As: "role", Template: "r-${id}" }],
  ResourceTypes: [{ Type: "thing", Actions: [entry, { ...entry, ActionProperties: { soft: true } }] }],
};
const DRAFT = {
  Policies: [{ ID: "{policy}", Name: "p", Rules: 'key "a" { policy = "read" }' }],
  Roles: [{ ID: "{role}", Policies: [{ ID: "{policy}" }] }],
  Tokens: [{ AccessorID: "{token}", Policies: [], Roles: [] }],
  Namespaces: [{ Name: "default", ACLs: { PolicyDefaults: [{ ID: "{policy}" }] } }],
  BindingRules: [{ AuthMethod: "none", BindType: "role", BindName: "x", Selector: "" }],
  DeletedPolicies: [{ ID: "{policy}" }],
};
const REQUESTS: readonly (readonly ["POST" | "PUT" | "PATCH", string, object])[] = [
  ["POST", "/access/v1/evaluation?explain=true", QUESTION],
  [
    "POST",
    "/access/v1/evaluations",
    { ...QUESTION, evaluations: [{}, QUESTION], options: { evaluations_semantic: "execute_all" } },
  ],
  ["POST", "/access/v1/search/subject", { ...QUESTION, page: { limit: 1, token: "" } }],
  ["POST", "/access/v1/search/resource", { ...QUESTION, page: { limit: 1, token: "" } }],
  ["POST", "/access/v1/search/action", { ...QUESTION, page: { limit: 1, token: "" } }],
  ["PUT", "/v1/acl/decision-mapping", MAPPING],
  ["PATCH", "/v1/acl/decision-mapping/kept", MAPPING],
  [
    "POST",
    "/v1/acl/policy/{policy}/tighten",
    { Days: 30, Keep: [{ Resource: "key", Segment: "a" }], DecisionPoints: ["x"] },
  ],
  ["POST", "/v1/acl/role/{role}/tighten", { Days: 30, Keep: ["{policy}"], DecisionPoints: ["x"] }],
  ["POST", "/v1/acl/replay", DRAFT],
];
const QUERIES = ["by", "policy", "id", "unused-for", "ns", "partition"];

/** The text of a value, in which some parts are another one's. */
function withParts(value: unknown): string {
  if (random() < 0.08) return one(PARTS);
  if (Array.isArray(value)) return `[${value.map(withParts).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(() => random() > 0.05);
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}: ${withParts(each)}`).join()}}`;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const ids = new Map<string, string>();
  const filled = (text: string): string =>
    text.replaceAll(/\{(policy|role|token)\}/g, (_all, kind: string) => ids.get(kind) ?? "");

  beforeAll(async () => {
    const policy = await v1.policy('key "docs/a" { policy = "read" } key_prefix "b" { policy = "write" }');
    ids.set("policy", policy);
    ids.set("role", await v1.role({ Name: "person-a", Policies: [{ ID: policy }] }));
    ids.set("token", (await v1.token({ Policies: [{ ID: policy }] })).accessor);
    const types = {
      SubjectTypes: [{ Type: "person", As: "role", Template: "person-${id}" }],
      ResourceTypes: [
        { Type: "doc", Actions: [{ ...entry, Properties: { status: "archived" }, Segment: "docs/${id}" }] },
      ],
    };
    expect((await v1.put("/acl/decision-mapping/own", types)).status).toBe(200);
    expect((await v1.put("/acl/decision-mapping/kept", {})).status).toBe(200);
  });

  test.each(REQUESTS)("%s %s", async (method, path, body) => {
    const statuses = new Set<number>();
    for (let count = 0; count < BODIES; count++) {
      const payload = count === 0 ? JSON.stringify(body) : withParts(body);
      const headers = { authorization: `Bearer ${MANAGEMENT}`, "content-type": "application/json" };
      const answer = await v1.send({ method, url: filled(path), headers, payload: filled(payload) });
      expect([payload, answer.status < 500 || answer.status === 503, answer.text]).toEqual([
        payload,
        true,
        answer.text,
      ]);
      statuses.add(answer.status);
    }
    // Some are refused, and not all for the same reason as the first one.
    expect(statuses.has(400)).toBe(true);
  });

  test("GET /v1/acl/use", async () => {
    for (let count = 0; count < BODIES; count++) {
      const query = QUERIES.filter(() => random() < 0.4).map(
        (name) => `${name}=${encodeURIComponent(one(PARTS).slice(0, 300))}`,
      );
      const { status, text } = await v1.get(`/acl/use?${query.join("&")}`);
      expect([query, status < 500, text]).toEqual([query, true, text]);
    }
  });
});
