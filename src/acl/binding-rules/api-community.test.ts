/** The community edition knows neither namespaces nor partitions. */
import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule } from "../../../test/support/login.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const FEATURE = "are a Consul Enterprise feature";
const RULE = { AuthMethod: "jwt", BindType: "service", BindName: "web" };
const QUERIES: readonly [query: string, text: string][] = [
  ["ns=x", `Invalid query parameter: "ns" - Namespaces ${FEATURE}`],
  ["ns=default", `Invalid query parameter: "ns" - Namespaces ${FEATURE}`],
  ["ns=*", `Invalid query parameter: "ns" - Namespaces ${FEATURE}`],
  ["partition=default", `Invalid query parameter: "partition" - Partitions ${FEATURE}`],
  ["authmethod-ns=x", `Invalid query parameter: "authmethod-ns" - Namespaces ${FEATURE}`],
  ["partition=x&ns=x", `Invalid query parameter: "ns" - Namespaces ${FEATURE}`],
];
const MEMBERS: readonly [body: object, text: string][] = [
  [{ Namespace: "default" }, `json: unknown field "Namespace" - Namespaces ${FEATURE}`],
  [{ Namespace: "" }, `json: unknown field "Namespace" - Namespaces ${FEATURE}`],
  [{ namespace: "default" }, 'json: unknown field "namespace"'],
  [{ Partition: "default" }, `json: unknown field "Partition"`],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { edition: "community" } });
  let id = "";
  beforeAll(async () => {
    await makeMethod(v1, key, { Name: "jwt" });
    id = await makeRule(v1, { AuthMethod: "jwt", Description: "kept" });
  });

  test("no rule says where it lies", async () => {
    const created = (await v1.put("/acl/binding-rule", RULE)).body;
    const list = (await v1.get("/acl/binding-rules")).body as object[];
    const changed = (await v1.patch(`/acl/binding-rule/${created.ID}`, {})).body;
    for (const rule of [created, changed, (await v1.get(`/acl/binding-rule/${id}`)).body, ...list]) {
      expect(rule).not.toHaveProperty("Namespace");
      expect(rule).not.toHaveProperty("Partition");
    }
    expect((await v1.delete(`/acl/binding-rule/${created.ID}`)).text).toBe("true");
  });

  test("what is missing is not missing in a namespace", async () => {
    const text = "Requested binding rule does not exist: ACL not found";
    expect(await v1.get(`/acl/binding-rule/${NOBODY}`)).toMatchObject({ status: 404, text });
  });

  test.each(QUERIES)("%s is refused on every route", async (query, text) => {
    for (const answer of [
      await v1.get(`/acl/binding-rules?${query}`),
      await v1.get(`/acl/binding-rule/${id}?${query}`),
      await v1.put(`/acl/binding-rule?${query}`, RULE),
      await v1.put(`/acl/binding-rule?${query}`, "{"),
      await v1.put(`/acl/binding-rule/${id}?${query}`, RULE),
      await v1.patch(`/acl/binding-rule/${id}?${query}`, {}),
      await v1.delete(`/acl/binding-rule/${id}?${query}`),
    ]) {
      expect(answer).toMatchObject({ status: 400, text });
    }
    expect((await v1.get(`/acl/binding-rule/${id}`)).body.Description).toBe("kept");
  });

  test.each(["Namespace", "Partition"])(
    "a header that names a %s is refused, one that names none is not",
    async (what) => {
      for (const name of [`X-Consul-${what}`, `X-Service-${what}`]) {
        const send = (value: string) =>
          v1.send({
            method: "GET",
            url: `/v1/acl/binding-rule/${id}`,
            headers: { "x-service-token": MANAGEMENT, [name]: value },
          });
        expect(await send("default")).toMatchObject({
          status: 400,
          text: `Invalid header: "${name}" - ${what}s ${FEATURE}`,
        });
        expect((await send("")).status).toBe(200);
      }
    },
  );

  test.each(MEMBERS)("a body with %j is refused", async (member, text) => {
    for (const answer of [
      await v1.put("/acl/binding-rule", { ...RULE, ...member }),
      await v1.put(`/acl/binding-rule/${id}`, { ...RULE, ...member }),
      await v1.patch(`/acl/binding-rule/${id}`, member),
    ]) {
      expect(answer).toMatchObject({ status: 400, text: `BindingRule decoding failed: ${text}` });
    }
  });

  test("empty parameters and those that it does not know are ignored", async () => {
    for (const query of ["ns=", "partition=", "namespace=x", "ap=x"]) {
      expect((await v1.get(`/acl/binding-rule/${id}?${query}`)).status).toBe(200);
    }
  });
});
