/** The community edition knows neither namespaces nor partitions, of no kind that lies in one elsewhere. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeKind, prepareKinds, SCOPED_KINDS } from "../../../test/support/kinds.ts";
import { idOf } from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

const FEATURE = "are a Consul Enterprise feature";
const QUERIES: readonly [query: string, text: string][] = [
  ["ns=x", `Invalid query parameter: "ns" - Namespaces ${FEATURE}`],
  ["ns=default", `Invalid query parameter: "ns" - Namespaces ${FEATURE}`],
  ["ns=*", `Invalid query parameter: "ns" - Namespaces ${FEATURE}`],
  ["partition=default", `Invalid query parameter: "partition" - Partitions ${FEATURE}`],
  ["authmethod-ns=x", `Invalid query parameter: "authmethod-ns" - Namespaces ${FEATURE}`],
  ["partition=x&ns=x", `Invalid query parameter: "ns" - Namespaces ${FEATURE}`],
];
const HEADERS: readonly [name: string, what: string][] = ["Namespace", "Partition"].flatMap((what) =>
  ["Consul", "Service"].map((who): [string, string] => [`X-${who}-${what}`, `${what}s`]),
);
const MEMBERS: readonly [body: object, text: string][] = [
  [{ Namespace: "default" }, `json: unknown field "Namespace" - Namespaces ${FEATURE}`],
  [{ Namespace: "" }, `json: unknown field "Namespace" - Namespaces ${FEATURE}`],
  [{ namespace: "default" }, 'json: unknown field "namespace"'],
  [{ Partition: "default" }, `json: unknown field "Partition"`],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { edition: "community" } });
  beforeAll(() => prepareKinds(v1));

  describe.each(SCOPED_KINDS)("one $kind", (of) => {
    let there: { path: string; text: string };
    beforeAll(async () => {
      const { path, answer } = await makeKind(v1, of);
      there = { path, text: answer.text };
    });
    const all = async (ask: (method: "GET" | "PUT" | "PATCH" | "DELETE", path: string) => Promise<unknown>) => [
      await ask("GET", of.list),
      await ask("GET", there.path),
      await ask("PUT", of.path),
      await ask("PUT", there.path),
      await ask("PATCH", there.path),
      await ask("DELETE", there.path),
    ];

    test("does not say where it lies, and is not missing in a namespace", async () => {
      const { path, body } = await makeKind(v1, of);
      const changed = (await v1.patch(path, {})).body;
      const list = (await v1.get(of.list)).body as object[];
      expect(list.map(idOf)).toContain(idOf(body));
      for (const object of [body, changed, (await v1.get(path)).body, ...list]) {
        expect(object).not.toHaveProperty("Namespace");
        expect(object).not.toHaveProperty("Partition");
      }
      expect((await v1.delete(path)).text).toBe("true");
      expect(await v1.get(`${of.path}/${NOBODY}`)).toMatchObject({ status: 404, text: of.texts.read });
    });

    test("is refused to whoever names a namespace or partition, by each way and before its body is read", async () => {
      const headers = { "x-service-token": MANAGEMENT };
      for (const [query, text] of QUERIES) {
        const answers = await all((method, path) =>
          v1.send({ method, url: `/v1${path}?${query}`, headers, ...(method.startsWith("P") ? { payload: "{" } : {}) }),
        );
        for (const answer of answers) expect(answer).toMatchObject({ status: 400, text });
      }
      for (const [name, what] of HEADERS) {
        const answers = await all((method, path) =>
          v1.send({ method, url: `/v1${path}`, headers: { ...headers, [name]: "default" } }),
        );
        const text = `Invalid header: "${name}" - ${what} ${FEATURE}`;
        for (const answer of answers) expect(answer).toMatchObject({ status: 400, text });
        const empty = { method: "GET", url: `/v1${there.path}`, headers: { ...headers, [name]: "" } } as const;
        expect((await v1.send(empty)).text).toBe(there.text);
      }
      for (const query of ["ns=", "partition=", "namespace=x", "ap=x"]) {
        expect((await v1.get(`${there.path}?${query}`)).text).toBe(there.text);
      }
      expect((await v1.get(there.path)).text).toBe(there.text);
    });

    test.each(MEMBERS)("takes no body with %j", async (member, text) => {
      const content = of.contentOf({ Name: v1.unique("n"), ...member });
      for (const answer of [
        await v1.put(of.path, content),
        await v1.put(there.path, content),
        await v1.patch(there.path, member),
      ]) {
        expect(answer).toMatchObject({ status: 400, text: of.texts.decoding + text });
      }
    });
  });

  test("blocks of namespaces and partitions in a policy mean nothing, whatever they hold", async () => {
    const rules = `namespace "x" { policy = "zz" }\npartition "x" { policy = 5 }\nacl = "read"`;
    const secret = await v1.tokenWith(rules);
    expect((await v1.get("/acl/policies", secret)).status).toBe(200);
    expect((await v1.put("/acl/policy", { Name: "refused" }, secret)).status).toBe(403);
  });
});
