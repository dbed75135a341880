/** Scope, parameters of reads and `cas`: what the head of a request may say. */
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openV1Shell, type V1Shell } from "../../../test/support/v1-shell.ts";
import type { QueryParameters } from "../query.ts";
import { bodyOf } from "./body.ts";
import { readCas } from "./parameters.ts";
import type { V1Routes } from "./consul-api.ts";

const THING = Type.Object({
  Name: Type.Optional(Type.String()),
  Namespace: Type.Optional(Type.String()),
  Partition: Type.Optional(Type.String()),
});
const body = { schema: THING, prefix: "Thing decoding failed: " };

const knowing = (name: string) => ({ querystring: Type.Object({ [name]: Type.Optional(Type.String()) }) });

const routes: V1Routes = (app, _options, done) => {
  app.get("/scope", { config: { public: true }, schema: knowing("authmethod-ns") }, async ({ scope }) => scope);
  app.get("/scopes", { config: { anyNamespace: true } }, async ({ scope }) => scope);
  app.put("/thing", { config: { body } }, async (request) => ({ ...request.scope, ...bodyOf(request, THING) }));
  app.patch("/thing", { config: { body: { ...body, patch: true } } }, async ({ scope }) => scope);
  app.get("/read", { config: { read: true } }, async (request) => request.readOptions);
  app.get("/cas", { schema: knowing("cas") }, async (request) => ({ cas: readCas(request.query as QueryParameters) }));
  done();
};

let enterprise: V1Shell;
let community: V1Shell;
beforeAll(async () => {
  enterprise = await openV1Shell({ routes: [routes] });
  community = await openV1Shell({ routes: [routes], edition: "community" });
});
afterAll(async () => Promise.all([enterprise.close(), community.close()]));

async function ask(shell: V1Shell, url: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const { status, text } = await shell.get(url, headers);
  return [status, text];
}

const DEFAULT = '{"partition":"default","namespace":"default"}';

describe("the scope", () => {
  it("is the default one, also when it is named in any case or empty", async () => {
    for (const query of ["", "?ns=", "?ns=default", "?ns=Default&partition=DEFAULT", "?namespace=default&ap=default"]) {
      const [status, text] = await ask(enterprise, `/v1/scope${query}`, { "x-consul-namespace": "" });
      expect([query, status, JSON.parse(text)]).toEqual([query, 200, JSON.parse(DEFAULT)]);
    }
  });

  it("is the one that is named, query before header, whether it exists or not", async () => {
    const cases: [string, Record<string, string>, string, string][] = [
      ["?ns=x", {}, "default", "x"],
      ["?namespace=Team-A", {}, "default", "team-a"],
      ["?partition=x", {}, "x", "default"],
      ["?ap=x&ns=y", {}, "x", "y"],
      ["", { "x-service-namespace": "a" }, "default", "a"],
      ["", { "x-consul-namespace": "a" }, "default", "a"],
      ["", { "x-service-namespace": "a", "x-consul-namespace": "b" }, "default", "a"],
      ["", { "x-consul-partition": "a" }, "a", "default"],
      ["", { "x-service-partition": "a", "x-consul-partition": "default" }, "a", "default"],
      ["?ns=x", { "x-consul-namespace": "y" }, "default", "x"],
      ["?ns=default", { "x-consul-namespace": "y" }, "default", "default"],
    ];
    for (const [query, headers, partition, namespace] of cases) {
      const [status, text] = await ask(enterprise, `/v1/scope${query}`, headers);
      expect([query, headers, status, JSON.parse(text)]).toEqual([query, headers, 200, { partition, namespace }]);
    }
  });

  it("that can be no name is refused and never ignored", async () => {
    const cases: [string, Record<string, string>, string][] = [
      ["?ns=*", {}, 'Namespace "*" is not a name; only lists accept * for all namespaces'],
      ["?ns=%22%0A%C2%A0", {}, 'Namespace "\\"\\n\\u00a0" is not a name'],
      ["?ns=def%C4%B0ult", {}, 'Namespace "defİult" is not a name'],
      ["?ns=default%20", {}, 'Namespace "default " is not a name'],
      ["?ns=a/b", {}, 'Namespace "a/b" is not a name'],
      ["?partition=-a", {}, 'Partition "-a" is not a name'],
      ["", { "x-consul-partition": "a.b" }, 'Partition "a.b" is not a name'],
    ];
    for (const [query, headers, text] of cases) {
      expect([query, headers, ...(await ask(enterprise, `/v1/scope${query}`, headers))]).toEqual([
        query,
        headers,
        400,
        text,
      ]);
    }
  });

  it("may be every namespace where a route says so", async () => {
    expect(JSON.parse((await ask(enterprise, "/v1/scopes?ns=*"))[1])).toMatchObject({ namespace: "*" });
    expect(await ask(enterprise, "/v1/scopes?ns=*&partition=*")).toEqual([
      400,
      'Partition "*" is not a name; only lists accept * for all namespaces',
    ]);
    expect(await ask(enterprise, "/v1/scopes?ns=x*")).toEqual([400, 'Namespace "x*" is not a name']);
  });

  it("of a body wins over query and header", async () => {
    const put = async (query: string, value: object) => {
      const { status, text } = await enterprise.put(`/v1/thing${query}`, JSON.stringify(value), {
        "x-consul-namespace": "header",
      });
      return [status, status === 200 ? JSON.parse(text) : text] as const;
    };
    const scope = JSON.parse(DEFAULT) as object;
    expect(await put("?ns=query", { Namespace: "default" })).toEqual([200, { ...scope, Namespace: "default" }]);
    expect(await put("?ns=default", { namespace: "Body" })).toEqual([
      200,
      { ...scope, namespace: "body", Namespace: "Body" },
    ]);
    expect(await put("?ns=query", { Namespace: "" })).toEqual([200, { ...scope, namespace: "query", Namespace: "" }]);
    expect(await put("", { Partition: "default" })).toEqual([
      200,
      { ...scope, namespace: "header", Partition: "default" },
    ]);
    expect(await put("?ns=default", { Partition: "body" })).toEqual([
      200,
      { ...scope, partition: "body", Partition: "body" },
    ]);
    const patched = await enterprise.send({
      method: "PATCH",
      url: "/v1/thing",
      payload: '{"Namespace":null,"Partition":null}',
    });
    expect([patched.status, JSON.parse(patched.text)]).toEqual([200, scope]);
  });
});

describe("the community edition", () => {
  it("refuses to hear of namespaces and partitions, in its order", async () => {
    const feature = (what: string) => `${what}s are a Consul Enterprise feature`;
    const cases: [string, Record<string, string>, string][] = [
      ["?ns=x", {}, `Invalid query parameter: "ns" - ${feature("Namespace")}`],
      ["?ns=default", {}, `Invalid query parameter: "ns" - ${feature("Namespace")}`],
      ["?partition=x", {}, `Invalid query parameter: "partition" - ${feature("Partition")}`],
      ["?authmethod-ns=x", {}, `Invalid query parameter: "authmethod-ns" - ${feature("Namespace")}`],
      ["", { "x-consul-namespace": "x" }, `Invalid header: "X-Consul-Namespace" - ${feature("Namespace")}`],
      ["", { "x-service-namespace": "x" }, `Invalid header: "X-Service-Namespace" - ${feature("Namespace")}`],
      ["", { "x-consul-partition": "x" }, `Invalid header: "X-Consul-Partition" - ${feature("Partition")}`],
      [
        "?ns=x&partition=x",
        { "x-consul-namespace": "x", "x-consul-partition": "x" },
        `Invalid header: "X-Consul-Namespace" - ${feature("Namespace")}`,
      ],
      ["?ns=x&partition=x", { "x-consul-partition": "x" }, `Invalid query parameter: "ns" - ${feature("Namespace")}`],
      ["?partition=x", { "x-consul-partition": "x" }, `Invalid header: "X-Consul-Partition" - ${feature("Partition")}`],
    ];
    for (const [query, headers, text] of cases) {
      expect([query, ...(await ask(community, `/v1/scope${query}`, headers))]).toEqual([query, 400, text]);
    }
    for (const query of ["?ns=", "?partition=&authmethod-ns=", "?namespace=x", "?ap=x"]) {
      expect([query, (await ask(community, `/v1/scope${query}`, { "x-consul-namespace": "" }))[0]]).toEqual([
        query,
        200,
      ]);
    }
  });

  it("refuses a bad parameter of a read first", async () => {
    expect(await ask(community, "/v1/read?ns=x&wait=x")).toEqual([400, "Invalid wait time"]);
    expect(await ask(community, "/v1/read?ns=x&index=x")).toEqual([400, "Invalid index"]);
  });

  it("does not know their names in bodies", async () => {
    const put = async (text: string) => (await community.put("/v1/thing", text)).text;
    expect(await put('{"Namespace":"x"}')).toBe(
      'Thing decoding failed: json: unknown field "Namespace" - Namespaces are a Consul Enterprise feature',
    );
    expect(await put('{"namespace":"x"}')).toBe('Thing decoding failed: json: unknown field "namespace"');
    expect(await put('{"Partition":""}')).toBe('Thing decoding failed: json: unknown field "Partition"');
    expect(JSON.parse(await put('{"Name":"x"}'))).toMatchObject({ Name: "x" });
  });
});

describe("parameters of reads", () => {
  const readOptions = async (query: string, headers: Record<string, string> = {}) => {
    const [status, text] = await ask(enterprise, `/v1/read${query}`, headers);
    return status === 200 ? (JSON.parse(text) as object) : text;
  };
  const DEFAULTS = { index: 0, waitMilliseconds: 300_000, consistency: "default" };

  it.each<[string, object]>([
    ["", {}],
    ["?index=", {}],
    ["?index=0", {}],
    ["?index=42&wait=10s", { index: 42, waitMilliseconds: 10_000 }],
    ["?index=18446744073709551615", { index: 2 ** 64 }],
    ["?wait=", {}],
    ["?wait=1.5ms", { waitMilliseconds: 1.5 }],
    ["?wait=0", {}],
    ["?wait=-5s", {}],
    ["?wait=10m", { waitMilliseconds: 600_000 }],
    ["?wait=2562047h", { waitMilliseconds: 600_000 }],
    ["?stale", { consistency: "stale" }],
    ["?stale=false", { consistency: "stale" }],
    ["?consistent", { consistency: "consistent" }],
    ["?leader", { consistency: "leader" }],
    ["?max_stale=10s", { consistency: "stale", maxStaleMilliseconds: 10_000 }],
    ["?max_stale=0", {}],
    ["?max_stale=", {}],
    ["?cached", {}],
    ["?cached&stale", { consistency: "stale" }],
    ["?hash=x&filter=", {}],
    ["?hash=x&hash=y&stale&stale", { consistency: "stale" }],
  ])("%s is read", async (query, options) => {
    expect(await readOptions(query)).toEqual({ ...DEFAULTS, ...options });
  });

  it.each([
    ["?filter=((", "Filter expressions are not supported; this route supports no parameters"],
    ["?index=x", "Invalid index"],
    ["?index=-1", "Invalid index"],
    ["?index=%2B1", "Invalid index"],
    ["?index=1.5", "Invalid index"],
    ["?index=18446744073709551616", "Invalid index"],
    [`?index=${"1".repeat(5000)}`, "Invalid index"],
    ["?wait=10", "Invalid wait time"],
    ["?wait=x", "Invalid wait time"],
    ["?wait=1d", "Invalid wait time"],
    ["?max_stale=x", 'Invalid max_stale value "x"'],
    ["?stale&consistent", "Cannot specify ?stale with ?consistent, conflicting semantics."],
    ["?max_stale=1s&consistent", "Cannot specify ?stale with ?consistent, conflicting semantics."],
    ["?cached&consistent", "Cannot specify ?cached with ?consistent, conflicting semantics."],
  ])("%s is refused", async (query, text) => {
    expect(await readOptions(query)).toBe(text);
  });

  it("include Cache-Control, whose seconds must be numbers", async () => {
    for (const value of ["no-cache", "max-age=0", "must-revalidate, MAX-AGE=10 , stale-if-error=5", "", "x=y"]) {
      expect([value, await readOptions("", { "cache-control": value })]).toEqual([value, DEFAULTS]);
    }
    for (const value of ["max-age=x", "max-age", "no-cache, stale-if-error=-1", "max-age=1s"]) {
      const options = await readOptions("", { "cache-control": value });
      expect([value, options]).toEqual([value, "Invalid Cache-Control header."]);
    }
  });

  it("mean nothing to what is no such read", async () => {
    expect(
      (await ask(enterprise, "/v1/scope?index=x&wait=x&stale&consistent", { "cache-control": "max-age=x" }))[0],
    ).toBe(200);
  });
});

describe("parameters that a route does not know", () => {
  it.each([
    ["/v1/cas?csa=1", 'Unknown query parameter "csa"; this route supports cas'],
    ["/v1/cas?cas=1&&x", 'Unknown query parameter "x"; this route supports cas'],
    ["/v1/scopes?Index=1", 'Unknown query parameter "Index"'],
    ["/v1/read?index=x&__proto__=1", 'Unknown query parameter "__proto__"'],
    ["/v1/read?%22%0A=1", 'Unknown query parameter "\\"\\n"'],
  ])("%s is refused", async (url, text) => {
    expect(await ask(enterprise, url)).toEqual([400, text]);
  });
});

describe("cas", () => {
  it.each([
    ["", "{}"],
    ["?cas=0", '{"cas":0}'],
    ["?cas=007", '{"cas":7}'],
    ["?cas=4711", '{"cas":4711}'],
    ["?cas=", "Invalid cas value"],
    ["?cas", "Invalid cas value"],
    ["?cas=-1", "Invalid cas value"],
    ["?cas=1.0", "Invalid cas value"],
    ["?cas=0x1", "Invalid cas value"],
    ["?cas=18446744073709551616", "Invalid cas value"],
  ])("%s is %s", async (query, text) => {
    expect((await ask(enterprise, `/v1/cas${query}`))[1]).toBe(text);
  });
});
