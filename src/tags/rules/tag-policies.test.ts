import { describe, expect, it } from "vitest";
import { type Answer, ROOT, tagNames, useApi, type Api } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";

function put(api: Api, organization: string, attributes: object, token = ROOT): Promise<Answer> {
  return api.put(`/organizations/${organization}/tag-policy`, { data: { type: "tag-policies", attributes } }, token);
}

/** Faults for which a rule is refused, with their pointers. */
const REFUSED: [what: string, rule: unknown, pointer: string][] = [
  ["no name", { "naming-pattern": "a" }, "/data/attributes/rules/0"],
  ["an empty name", { name: "", "naming-pattern": "a" }, "/data/attributes/rules/0/name"],
  ["a long name", { name: "a".repeat(101), "naming-pattern": "a" }, "/data/attributes/rules/0/name"],
  ["a name with a NUL", { name: "a\0b", "naming-pattern": "a" }, "/data/attributes/rules/0/name"],
  ["nothing to ask", { name: "a" }, "/data/attributes/rules/0"],
  ["null for all", { name: "a", key: null, "required-keys": null }, "/data/attributes/rules/0"],
  ["no keys", { name: "a", "required-keys": [] }, "/data/attributes/rules/0/required-keys"],
  ["many keys", { name: "a", "required-keys": keys(21) }, "/data/attributes/rules/0/required-keys"],
  ["a key of no form", { name: "a", "required-keys": ["b", "c d"] }, "/data/attributes/rules/0/required-keys/1"],
  ["a long key", { name: "a", key: "k".repeat(129), "allowed-values": ["x"] }, "/data/attributes/rules/0/key"],
  ["a key without a bound", { name: "a", key: "k" }, "/data/attributes/rules/0"],
  ["a bound without a key", { name: "a", "allowed-values": ["x"] }, "/data/attributes/rules/0/key"],
  ["two bounds", { name: "a", key: "k", "allowed-values": ["x"], "value-pattern": "x" }, "/data/attributes/rules/0"],
  ["no values", { name: "a", key: "k", "allowed-values": [] }, "/data/attributes/rules/0/allowed-values"],
  ["many values", { name: "a", key: "k", "allowed-values": keys(101) }, "/data/attributes/rules/0/allowed-values"],
  [
    "a long value",
    { name: "a", key: "k", "allowed-values": ["x", "v".repeat(257)] },
    "/data/attributes/rules/0/allowed-values/1",
  ],
  ["a broken pattern", { name: "a", "naming-pattern": "a(" }, "/data/attributes/rules/0/naming-pattern"],
  ["parentheses of others", { name: "a", "naming-pattern": "a)|(?:b" }, "/data/attributes/rules/0/naming-pattern"],
  ["a look-ahead", { name: "a", key: "k", "value-pattern": "(?=a)" }, "/data/attributes/rules/0/value-pattern"],
  ["a long pattern", { name: "a", "naming-pattern": "a".repeat(257) }, "/data/attributes/rules/0/naming-pattern"],
  ["a large pattern", { name: "a", "naming-pattern": "(ab){300}" }, "/data/attributes/rules/0/naming-pattern"],
  ["an unknown project", { name: "a", project: "prj-none", "naming-pattern": "a" }, "/data/attributes/rules/0/project"],
];

function keys(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `k${index}`);
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const path = (organization: string) => `/organizations/${organization}/tag-policy`;

  it("rules are put, read, replaced as a whole and removed", async () => {
    const org = await api.organization();
    const project = String((await api.get(`/organizations/${org}/projects`)).body.data[0].id);
    expect((await api.get(path(org))).status).toBe(404);
    const rules = [
      { name: "owners", project, "required-keys": ["owner", "Cost.Center"] },
      { name: "stages", key: "env", "allowed-values": ["dev", ""] },
      { name: "costs", key: "cost", "value-pattern": "[0-9]+" },
      { name: "names", "naming-pattern": "[a-z]+" },
    ];
    api.setNow(Date.parse("2026-04-01T00:00:00.000Z"));
    const made = await put(api, org, { enforce: "advise", rules });
    const data = {
      id: expect.stringMatching(/^tpol-/),
      type: "tag-policies",
      attributes: {
        enforce: "advise",
        rules,
        "created-at": "2026-04-01T00:00:00.000Z",
        "updated-at": "2026-04-01T00:00:00.000Z",
      },
      relationships: { organization: { data: { id: org, type: "organizations" } } },
    };
    expect([made.status, made.body]).toEqual([200, { data }]);
    expect((await api.get(path(org))).body).toEqual(made.body);
    api.setNow(Date.parse("2026-04-02T00:00:00.000Z"));
    const replaced = await put(api, org, { enforce: "refuse", rules: [{ ...rules[3], key: null, project: null }] });
    api.setNow(undefined);
    expect(replaced.body.data).toMatchObject({
      id: made.body.data.id,
      attributes: { enforce: "refuse", rules: [rules[3]], "updated-at": "2026-04-02T00:00:00.000Z" },
    });
    expect((await api.get(path(org))).body).toEqual(replaced.body);
    expect((await api.delete(path(org))).status).toBe(204);
    expect([(await api.get(path(org))).status, (await api.delete(path(org))).status]).toEqual([404, 404]);
  });

  it("rules need organization read to be read, and organization write to be changed", async () => {
    const org = await api.organization();
    const attributes = { enforce: "advise", rules: [] };
    expect((await put(api, org, attributes)).status).toBe(200);
    const reader = api.tokenWith({ kind: "organization", segment: org, policy: "read" });
    const stranger = api.tokenWith({ kind: "workspace_prefix", segment: `${org}/`, policy: "write" });
    expect((await api.get(path(org), reader)).status).toBe(200);
    expect((await put(api, org, { enforce: "refuse", rules: [] }, reader)).status).toBe(404);
    expect((await api.delete(path(org), undefined, reader)).status).toBe(404);
    for (const ask of [
      (name: string) => api.get(path(name), stranger),
      (name: string) => api.get(`${path(name)}/report`, stranger),
      (name: string) => put(api, name, attributes, stranger),
      (name: string) => api.delete(path(name), undefined, stranger),
    ]) {
      const [unseen, missing] = [await ask(org), await ask("none")];
      expect([unseen.status, unseen.text]).toEqual([404, missing.text]);
      await api.expectSameStatements(
        () => ask(org),
        () => ask("none"),
      );
    }
    expect((await api.get(path(org))).body.data.attributes.enforce).toBe("advise");
  });

  describe("refuses", () => {
    it.each(REFUSED)("a rule with %s, and changes nothing", async (_what, rule, pointer) => {
      const org = await api.organization();
      const { status, body } = await put(api, org, { enforce: "advise", rules: [rule] });
      expect(status, JSON.stringify(body)).toBe(422);
      expect(body.errors[0].source?.pointer).toContain(pointer);
      expect((await api.get(path(org))).status).toBe(404);
    });

    it("policies that are too large as a whole, or of no kind", async () => {
      const org = await api.organization();
      const named = (index: number) => ({ name: `rule ${index}`, "naming-pattern": `(a|b){20}${index}` });
      const valued = (index: number) => ({
        name: `values ${index}`,
        key: `k${index}`,
        "allowed-values": keys(100).map((key) => key.padEnd(200, "x")),
      });
      const rules = (count: number, make: (index: number) => object) =>
        Array.from({ length: count }, (_, index) => make(index));
      for (const attributes of [
        { enforce: "advise", rules: rules(51, (index) => ({ name: `rule ${index}`, "required-keys": ["a"] })) },
        { enforce: "advise", rules: rules(50, named) },
        { enforce: "advise", rules: rules(3, valued) },
        { enforce: "advise", rules: rules(2, () => ({ name: "same", "required-keys": ["a"] })) },
        { enforce: "ask", rules: [] },
        { rules: [] },
        { enforce: "advise" },
        { enforce: "advise", rules: "all" },
        { enforce: "advise", rules: [null] },
        { enforce: "advise", rules: [{ name: "a", "required-keys": "owner" }] },
      ]) {
        const { status, body } = await put(api, org, attributes);
        expect([JSON.stringify(attributes).slice(0, 80), status]).toEqual([
          JSON.stringify(attributes).slice(0, 80),
          422,
        ]);
        expect(body.errors.length).toBeGreaterThan(0);
      }
      expect(
        (await put(api, org, { enforce: "advise", rules: rules(50, (n) => ({ ...named(0), name: `r${n}` })) })).status,
      ).toBe(200);
    });

    it("a project of another organization", async () => {
      const [org, other] = [await api.organization(), await api.organization()];
      const project = String((await api.get(`/organizations/${other}/projects`)).body.data[0].id);
      const rule = { name: "a", project, "naming-pattern": "a" };
      expect((await put(api, org, { enforce: "advise", rules: [rule] })).status).toBe(422);
      expect((await put(api, other, { enforce: "advise", rules: [rule] })).status).toBe(200);
    });
  });

  it("names of the pool are warned of or refused, and only those that are new", async () => {
    const org = await api.organization();
    const tags = `/organizations/${org}/tags`;
    const rules = [{ name: "names", "naming-pattern": "[a-z]+" }];
    const old = await api.post(tags, tagNames("old1"));
    expect((await put(api, org, { enforce: "advise", rules })).status).toBe(200);
    const detail = "The name new1 must match [a-z]+";
    const advised = await api.post(tags, tagNames("new1", "old1", "fine"));
    expect([advised.status, advised.body.data.length]).toEqual([201, 3]);
    expect(advised.body.meta).toEqual({ warnings: [{ rule: "names", detail }] });
    expect((await api.post(tags, tagNames("fine"))).body).not.toHaveProperty("meta");
    await put(api, org, { enforce: "refuse", rules });
    const refused = await api.post(tags, tagNames("better", "new2"));
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      422,
      'Tag policy rule "names": The name new2 must match [a-z]+',
    ]);
    const rename = (name: string) =>
      api.patch(`/tags/${old.body.data[0].id}`, { data: { type: "tags", attributes: { name } } });
    expect([(await rename("old2")).status, (await rename("old1")).status]).toEqual([422, 200]);
    expect((await rename("older")).status).toBe(200);
    await put(api, org, { enforce: "advise", rules });
    expect((await rename("old3")).body.meta).toEqual({
      warnings: [{ rule: "names", detail: "The name old3 must match [a-z]+" }],
    });
    const { body } = await api.get(tags);
    expect(body.data.map((tag: { attributes: { name: string } }) => tag.attributes.name)).toEqual([
      "fine",
      "new1",
      "old3",
    ]);
  });

  it("an organization of the same name that is made later has no rules", async () => {
    const org = await api.organization();
    await put(api, org, { enforce: "refuse", rules: [{ name: "names", "naming-pattern": "[a-z]+" }] });
    expect((await api.delete(`/organizations/${org}`)).status).toBe(204);
    const attributes = { name: org, email: "a@example.com" };
    expect((await api.post("/organizations", { data: { type: "organizations", attributes } })).status).toBe(201);
    expect((await api.get(path(org))).status).toBe(404);
    expect((await api.post(`/organizations/${org}/tags`, tagNames("n1"))).status).toBe(201);
  });
});
