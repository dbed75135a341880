/** In which partition a namespace is read and written: body, query, header, token, default. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { at, makeIn, makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const UNITS = { body: "by-body", query: "by-query", header: "by-header", token: "by-token" } as const;
type Source = keyof typeof UNITS;
const SOURCES = Object.keys(UNITS) as Source[];
/** Every choice of sources, with the one that counts. */
const CHOICES = Array.from({ length: 2 ** SOURCES.length }, (_, bits) => {
  const said = SOURCES.filter((_source, bit) => bits & (1 << bit));
  return [said.join(" and ") || "nothing", said, said[0] === undefined ? "default" : UNITS[said[0]]] as const;
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  // No policy of another partition can say operator: a token that lies there has it by what is allowed by default.
  const open = useV1(makeUrl, { config: { defaultPolicy: "allow" } });
  let elsewhere = "";
  beforeAll(async () => {
    for (const unit of Object.values(UNITS)) await makePartition(open, unit);
    elsewhere = String((await makeIn(open, { partition: UNITS.token }, "token", {})).SecretID);
  });

  const requestBy = (said: readonly Source[], path: string, body: object) => ({
    url: `/v1${path}${said.includes("query") ? `?partition=${UNITS.query}` : ""}`,
    headers: {
      "x-consul-token": said.includes("token") ? elsewhere : MANAGEMENT,
      ...(said.includes("header") ? { "x-consul-partition": UNITS.header } : {}),
    },
    payload: { ...body, ...(said.includes("body") ? { Partition: UNITS.body } : {}) },
  });

  test.each(CHOICES)("by %s it is chosen for writes as the order says", async (_what, said, unit) => {
    for (const [method, named] of [
      ["PUT", false],
      ["PUT", true],
      ["PATCH", true],
    ] as const) {
      const Name = open.unique("ns");
      if (method === "PATCH") await makeNamespace(open, { namespace: Name, partition: unit });
      const request = requestBy(said, named ? `/namespace/${Name}` : "/namespace", named ? {} : { Name });
      const answer = await open.send({ method, ...request });
      expect(answer.body, answer.text).toMatchObject({ Name, Partition: unit });
      for (const partition of ["default", ...Object.values(UNITS)]) {
        const { status } = await open.get(`/namespace/${Name}?partition=${partition}`);
        expect([partition, status]).toEqual([partition, partition === unit ? 200 : 404]);
      }
    }
  });

  const bodiless = CHOICES.filter(([, said]) => !said.includes("body"));
  test.each(bodiless)("by %s it is chosen for reads, lists and deletes too", async (_what, said, unit) => {
    const Name = open.unique("ns");
    await makeNamespace(open, { namespace: Name, partition: unit });
    const asked = async (method: "GET" | "DELETE", path: string) => {
      const { url, headers } = requestBy(said, path, {});
      return open.send({ method, url, headers });
    };
    expect((await asked("GET", `/namespace/${Name}`)).body).toMatchObject({ Name, Partition: unit });
    const list = (await asked("GET", "/namespaces")).body as { Partition: string }[];
    expect(new Set(list.map(({ Partition }) => Partition))).toEqual(new Set([unit]));
    expect((await asked("DELETE", `/namespace/${Name}`)).status).toBe(200);
    expect((await open.get(`/namespace/${Name}?partition=${unit}`)).status).toBe(404);
  });

  describe("a partition that there is not", () => {
    test("has no namespaces to read, and none can be written there", async () => {
      const nowhere = { partition: "nowhere" };
      expect(await v1.get(at("/namespaces", nowhere))).toMatchObject({ status: 200, text: "[]" });
      expect((await v1.get(at("/namespace/default", nowhere))).status).toBe(404);
      const text = 'Partition "nowhere" does not exist';
      expect(await v1.put(at("/namespace/x", nowhere), {})).toMatchObject({ status: 400, text });
      expect(await v1.put("/namespace", { Name: "x", Partition: "nowhere" })).toMatchObject({ status: 400, text });
      expect(await v1.patch(at("/namespace/default", nowhere), {})).toMatchObject({ status: 400, text });
      const missing = 'Cannot find namespace "x" to delete';
      expect(await v1.delete(at("/namespace/x", nowhere))).toMatchObject({ status: 404, text: missing });
      expect((await v1.get("/partition/nowhere")).status).toBe(404);
    });

    test("is no name with a star or what else cannot be one", async () => {
      for (const name of ["*", "a.b", "a b", "x".repeat(64)]) {
        expect((await v1.get(`/namespaces?partition=${encodeURIComponent(name)}`)).status).toBe(400);
        expect((await v1.put("/namespace", { Name: "x", Partition: name })).status).toBe(400);
      }
    });
  });

  test("a namespace lies in none: ns and its like are not looked at", async () => {
    await makeNamespace(v1, { namespace: "plain" });
    for (const query of ["?ns=nobody", "?namespace=nobody", "?ns=*", "?ns=a.b"]) {
      expect((await v1.get(`/namespaces${query}`)).text).toBe((await v1.get("/namespaces")).text);
      expect((await v1.get(`/namespace/plain${query}`)).body).toMatchObject({ Name: "plain" });
      expect((await v1.put(`/namespace/plain${query}`, {})).status).toBe(200);
    }
    const headers = { "x-consul-token": MANAGEMENT, "x-consul-namespace": "nobody" };
    expect((await v1.send({ method: "GET", url: "/v1/namespace/plain", headers })).status).toBe(200);
  });
});
