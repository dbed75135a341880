import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule } from "../../../test/support/login.ts";
import { at, makeIn, makeNamespace, makePartition, secretIn, type Place } from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, told, useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const AXES = [
  { what: "namespace", parameter: "ns", header: "x-service-namespace", member: "Namespace" },
  { what: "partition", parameter: "partition", header: "x-consul-partition", member: "Partition" },
] as const;
/** Who may name a place, the strongest first. Each names one that is called as it is itself. */
const SOURCES = ["body", "query", "header", "token"] as const;
const PLACES = [...SOURCES, "default"] as const;
type Source = (typeof SOURCES)[number];
const COMBINATIONS: readonly (readonly Source[])[] = Array.from({ length: 16 }, (_, bits) =>
  SOURCES.filter((_source, i) => (bits & (1 << i)) !== 0),
);
const RULE = { AuthMethod: "jwt", BindType: "service", BindName: "web" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  describe.each(AXES)("the $what of", ({ what, parameter, header, member }) => {
    const ids = new Map<string, string>();
    let ownSecret = "";

    beforeAll(async () => {
      for (const place of SOURCES) {
        if (what === "partition") await makePartition(v1, place);
        else await makeNamespace(v1, { namespace: place });
      }
      for (const place of PLACES) {
        const query = `?${parameter}=${place}`;
        await makeMethod(v1, key, { Name: "jwt" }, query);
        ids.set(place, await makeRule(v1, { AuthMethod: "jwt", Description: `of ${place}` }, query));
      }
      if (what === "partition") {
        ownSecret = await secretIn(v1, { partition: "token" }, `acl = "write"`);
      } else {
        // A token of one namespace that may write in all: its namespace's defaults lie in `default`.
        const rules = `namespace_prefix "" { acl = "write" }`;
        const { ID } = await makeIn(v1, {}, "policy", { Name: "everywhere", Rules: rules });
        await makeNamespace(v1, { namespace: "token" }, { ACLs: { PolicyDefaults: [{ ID }] } });
        ownSecret = String((await makeIn(v1, { namespace: "token" }, "token", {})).SecretID);
      }
    });

    const cases = COMBINATIONS.map((sources) => ({ sources, title: sources.join(", ") || "nobody" }));
    test.each(cases)("a rule is the first that says it: $title", async ({ sources }) => {
      const has = (source: Source) => sources.includes(source);
      // A token of one partition has no say in others.
      const secret = has("token") && (what === "namespace" || sources.length === 1) ? ownSecret : MANAGEMENT;
      const own = secret === ownSecret ? "token" : "default";
      const ask = (method: "GET" | "PUT" | "PATCH" | "DELETE", path: string, body?: object) =>
        v1.send({
          method,
          url: `/v1${path}${has("query") ? `${path.includes("?") ? "&" : "?"}${parameter}=query` : ""}`,
          headers: { "x-service-token": secret, ...(has("header") ? { [header]: "header" } : {}) },
          ...(body && { payload: JSON.stringify({ ...body, ...(has("body") ? { [member]: "body" } : {}) }) }),
        });
      const [unsaid = own] = sources.filter((source) => source === "query" || source === "header");
      const written = has("body") ? "body" : unsaid;

      const created = await ask("PUT", "/acl/binding-rule", RULE);
      expect(created, created.text).toMatchObject({ status: 200, body: { [member]: written } });
      expect((await v1.get(`/acl/binding-rule/${created.body.ID}?${parameter}=${written}`)).body).toEqual(created.body);
      for (const place of PLACES) {
        const id = ids.get(place) ?? "";
        const seen = place === unsaid ? 200 : 404;
        const changed = place === written ? 200 : 404;
        expect((await ask("GET", `/acl/binding-rule/${id}`)).status).toBe(seen);
        expect((await ask("PUT", `/acl/binding-rule/${id}`, { ...RULE, Description: "d" })).status).toBe(changed);
        expect((await ask("PATCH", `/acl/binding-rule/${id}`, {})).status).toBe(changed);
      }
      const list = (await ask("GET", "/acl/binding-rules")).body as Record<string, string>[];
      expect(new Set(list.map(({ [member]: place }) => place))).toEqual(new Set([unsaid]));
      const fleeting = await makeRule(v1, { AuthMethod: "jwt" }, `?${parameter}=${unsaid}`);
      expect((await ask("DELETE", `/acl/binding-rule/${fleeting}`)).text).toBe("true");
    });
  });

  describe("incident 11: a rule of somewhere else", () => {
    const HOME: Place = { namespace: "home" };
    const FOREIGN: readonly [where: string, place: Place][] = [
      ["another namespace", { namespace: "far" }],
      ["the namespace default", {}],
      ["another partition", { partition: "far" }],
      ["a namespace of the same name in another partition", { namespace: "home", partition: "far" }],
    ];
    let tenant = "";
    const prey = new Map<Place, string>();
    beforeAll(async () => {
      await makePartition(v1, "far");
      for (const place of [HOME, { namespace: "far" }, { namespace: "home", partition: "far" }]) {
        await makeNamespace(v1, place);
      }
      for (const place of [HOME, ...FOREIGN.map(([, each]) => each)]) {
        await v1.delete(at("/acl/auth-method/jwt", place));
        await makeMethod(v1, key, { Name: "jwt" }, at("", place));
        await makeMethod(v1, key, { Name: `only-${place.namespace ?? ""}-${place.partition ?? ""}` }, at("", place));
        prey.set(place, await makeRule(v1, { AuthMethod: "jwt", Description: "prey" }, at("", place)));
      }
      const Policies = [{ Name: "namespace-management" }];
      tenant = (await makeIn(v1, HOME, "token", { Policies })).SecretID;
    });

    type Method = "get" | "put" | "patch" | "delete";
    const OPERATIONS: readonly [what: string, method: Method, suffix: string, body?: object][] = [
      ["read", "get", ""],
      ["replaced", "put", "", RULE],
      ["changed", "patch", "", {}],
      ["changed with a cas", "patch", "?cas=1", {}],
      ["deleted", "delete", ""],
      ["deleted with a cas", "delete", "?cas=1"],
    ];

    /** As the tenant of `home`. */
    const send = (method: Method, path: string, body: object = {}) =>
      method === "get" || method === "delete" ? v1[method](path, tenant) : v1[method](path, body, tenant);

    test.each(FOREIGN)("is missing, in every way and spelling: %s", async (_where, place) => {
      const id = prey.get(place) ?? "";
      const stored = (await v1.get(at(`/acl/binding-rule/${id}`, place))).body;
      expect(stored.Description).toBe("prey");
      /** What an answer tells, with the ID put back. */
      const plain = (answer: Answer) => {
        const { status, text, headers } = told(answer);
        const { "content-length": _length, ...rest } = headers as Record<string, unknown>;
        return { status, text: text.replaceAll(id, "ID").replaceAll(NOBODY, "ID"), rest };
      };
      for (const [, method, suffix, body] of OPERATIONS) {
        // Incident 12: the aliases of a route too.
        for (const spell of [(text: string) => text, (text: string) => text.toUpperCase()]) {
          const foreign = await send(method, `/acl/binding-rule/${spell(id)}${suffix}`, body);
          const unknown = await send(method, `/acl/binding-rule/${spell(NOBODY)}${suffix}`, body);
          expect(plain(foreign)).toEqual(plain(unknown));
          expect(foreign.status).toBe(404);
        }
        // Nor does it help who has no rights there to name the place.
        for (const which of [id, NOBODY]) {
          const answer = await send(method, at(`/acl/binding-rule/${which}${suffix}`, place), body);
          expect(answer.status).toBe(403);
        }
      }
      expect((await v1.get(at(`/acl/binding-rule/${id}`, place))).body).toEqual(stored);
      await v1.expectSameStatements(
        () => send("get", `/acl/binding-rule/${id}`),
        () => send("get", `/acl/binding-rule/${NOBODY}`),
      );
    });

    test.each(FOREIGN)(
      "is as missing to who may do all, in the namespace of the request: %s",
      async (_where, place) => {
        const id = prey.get(place) ?? "";
        const home = at(`/acl/binding-rule/${id}`, HOME);
        const before = (await v1.get(at(`/acl/binding-rule/${id}`, place))).body;
        for (const answer of [
          await v1.get(home),
          await v1.put(home, RULE),
          await v1.put(`/acl/binding-rule/${id}`, { ...RULE, Namespace: "home", Partition: "default" }),
          await v1.patch(home, { Description: "moved" }),
          await v1.delete(home),
        ]) {
          expect(answer.status).toBe(404);
        }
        expect((await v1.get(at(`/acl/binding-rule/${id}`, place))).body).toEqual(before);
      },
    );

    test.each(FOREIGN)("incident 34: nor can a rule be of a method that lies there: %s", async (_where, place) => {
      const AuthMethod = `only-${place.namespace ?? ""}-${place.partition ?? ""}`;
      const text = `cannot find auth method with name "${AuthMethod}"`;
      const answer = await v1.put("/acl/binding-rule", { ...RULE, AuthMethod }, tenant);
      expect(answer).toMatchObject({ status: 400, text });
      expect((await v1.get(`/acl/binding-rules?authmethod=${AuthMethod}`, tenant)).text).toBe("[]");
    });

    test("incident 20: what a prefix allows ends where it ends, for each verb", async () => {
      for (const namespace of ["te", "tea", "team", "team-1", "tean"]) {
        await makeNamespace(v1, { namespace });
        await makeMethod(v1, key, { Name: "jwt" }, `?ns=${namespace}`);
      }
      const rules = `namespace_prefix "team" { acl = "write" } namespace "tea" { acl = "read" }`;
      const secret = await secretIn(v1, {}, rules);
      for (const namespace of ["te", "tea", "team", "team-1", "tean", "default"]) {
        const mayWrite = namespace.startsWith("team");
        const [read, write] = [mayWrite || namespace === "tea" ? 200 : 403, mayWrite ? 200 : 403];
        const id = await makeRule(v1, { AuthMethod: "jwt" }, `?ns=${namespace}`);
        const path = `/acl/binding-rule/${id}?ns=${namespace}`;
        const statuses = [
          (await v1.get(path, secret)).status,
          (await v1.get(`/acl/binding-rules?ns=${namespace}`, secret)).status,
          (await v1.put(`/acl/binding-rule?ns=${namespace}`, RULE, secret)).status,
          (await v1.put(path, RULE, secret)).status,
          (await v1.patch(path, {}, secret)).status,
          (await v1.delete(path, secret)).status,
        ];
        expect({ namespace, statuses }).toEqual({ namespace, statuses: [read, read, write, write, write, write] });
      }
    });
  });

  test("a namespace that is being deleted takes no more rules, and gives up those that it has", async () => {
    await makeNamespace(v1, { namespace: "marked" });
    await makeMethod(v1, key, { Name: "jwt" }, "?ns=marked");
    const id = await makeRule(v1, { AuthMethod: "jwt" }, "?ns=marked");
    await v1.delete("/namespace/marked");
    const text = 'Namespace "marked" is marked for deletion';
    for (const answer of [
      await v1.put("/acl/binding-rule?ns=marked", RULE),
      await v1.put(`/acl/binding-rule/${id}?ns=marked`, RULE),
      await v1.patch(`/acl/binding-rule/${id}?ns=marked`, {}),
    ]) {
      expect(answer).toMatchObject({ status: 409, text });
    }
    expect((await v1.delete(`/acl/binding-rule/${id}?ns=marked`)).text).toBe("true");
  });

  test("a namespace or partition that is not there is said before anything else is looked up", async () => {
    for (const [query, text] of [
      ["ns=nowhere", 'Namespace "nowhere" does not exist'],
      ["partition=nowhere", 'Partition "nowhere" does not exist'],
      ["ns=nowhere&partition=nowhere", 'Partition "nowhere" does not exist'],
    ] as const) {
      for (const answer of [
        await v1.put(`/acl/binding-rule?${query}`, RULE),
        await v1.put(`/acl/binding-rule/${NOBODY}?${query}`, RULE),
        await v1.patch(`/acl/binding-rule/${NOBODY}?${query}`, {}),
        await v1.delete(`/acl/binding-rule/${NOBODY}?${query}`),
      ]) {
        expect(answer).toMatchObject({ status: 400, text });
      }
      expect((await v1.get(`/acl/binding-rule/${NOBODY}?${query}`)).status).toBe(404);
    }
  });
});
