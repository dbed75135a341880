import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

const RESERVED_NAMES = ["operator", "root", "system", "universal"];
const GOOD = ["a", "0", "a--b", "x".repeat(63)];
const BAD = ["x".repeat(64), "-a", "a-", "a.b", "a b", " a", "a ", "a/b", "a_b", "*", "ünï", "ａｂ", "\u212aey", "😀"];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const partition = async (content: object = {}) => {
    const answer = await v1.put("/partition", { Name: v1.unique("unit"), ...content });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Record<string, unknown> & { Name: string; ModifyIndex: number };
  };
  const read = async (name: string) => (await v1.get(`/partition/${name}`)).body;
  const names = async () => ((await v1.get("/partitions")).body as { Name: string }[]).map(({ Name }) => Name);

  test("a partition of which only the name is given answers with its name and its indexes", async () => {
    const made = await v1.put("/partition", { Name: "plain" });
    expect(made).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    const { CreateIndex, ModifyIndex } = made.body;
    expect(made.body).toEqual({ Name: "plain", CreateIndex, ModifyIndex });
    expect((await v1.get("/partition/plain")).text).toBe(made.text);
  });

  test("every member comes back as it was given, from the write, the read and the list", async () => {
    const content = { Name: "whole", Description: "What é does", DisableGossip: true };
    const made = await v1.put("/partition", content);
    const { CreateIndex, ModifyIndex } = made.body;
    expect(made.body).toEqual({ ...content, CreateIndex, ModifyIndex });
    expect((await v1.get("/partition/whole")).text).toBe(made.text);
    const list = (await v1.get("/partitions")).body as { Name: string }[];
    expect(list.find((each) => each.Name === "whole")).toEqual(made.body);
    expect(await names()).toEqual((await names()).toSorted());
  });

  test("an update replaces the whole object, makes what is missing, and raises the ModifyIndex", async () => {
    const first = await partition({ Description: "d", DisableGossip: true });
    const { Name, CreateIndex } = first;
    const again = (await v1.put(`/partition/${Name}`, { Description: "d", DisableGossip: true })).body;
    expect(again).toEqual({ ...first, ModifyIndex: again.ModifyIndex });
    expect(again.ModifyIndex).toBeGreaterThan(first.ModifyIndex);
    const bare = (await v1.put("/partition", { Name })).body;
    expect(bare).toEqual({ Name, CreateIndex, ModifyIndex: bare.ModifyIndex });
    expect(bare.ModifyIndex).toBeGreaterThan(again.ModifyIndex);
    const made = await v1.put(`/partition/${v1.unique("unit")}`, { DisableGossip: true });
    expect(made).toMatchObject({ status: 200, body: { DisableGossip: true } });
    expect((await v1.put("/partition/", { Name: v1.unique("slash") })).status).toBe(200);
  });

  test("what was read is taken back whole", async () => {
    const made = await partition({ Description: "d", DisableGossip: true });
    for (const time of [{}, { DeletedAt: "2024-05-06T07:08:09Z" }, { deleted_at: null }]) {
      const answer = await v1.put(`/partition/${made.Name}`, { ...made, ...time });
      expect(answer.body, answer.text).toEqual({ ...made, ModifyIndex: answer.body.ModifyIndex });
    }
  });

  describe("PATCH", () => {
    test.each<[what: string, patch: object, changed: object]>([
      ["nothing", {}, {}],
      ["a description", { Description: "e" }, { Description: "e" }],
      ["no description", { Description: null }, { Description: undefined }],
      ["gossip", { DisableGossip: false }, { DisableGossip: undefined }],
      ["null for a boolean", { DisableGossip: null }, { DisableGossip: undefined }],
      ["read-only members", { CreateIndex: 1, ModifyIndex: 2, DeletedAt: null }, {}],
    ])("with %s changes just that", async (_what, patch, changed) => {
      const made = await partition({ Description: "d", DisableGossip: true });
      const { status, body, text } = await v1.patch(`/partition/${made.Name}`, patch);
      expect(status, text).toBe(200);
      expect(body).toEqual(JSON.parse(JSON.stringify({ ...made, ...changed, ModifyIndex: body.ModifyIndex })));
      expect(body.ModifyIndex).toBeGreaterThan(made.ModifyIndex);
      expect(await read(made.Name)).toEqual(body);
    });

    test("makes nothing that is missing", async () => {
      const text = 'Partition "nobody" does not exist';
      expect(await v1.patch("/partition/nobody", { Description: "x" })).toMatchObject({ status: 404, text });
      expect(await v1.get("/partition/nobody")).toMatchObject({ status: 404, text });
    });
  });

  describe("cas", () => {
    const changes = {
      create: (Name: string, cas: number) => v1.put(`/partition?cas=${cas}`, { Name, Description: "changed" }),
      replace: (name: string, cas: number) => v1.put(`/partition/${name}?cas=${cas}`, { Description: "changed" }),
      patch: (name: string, cas: number) => v1.patch(`/partition/${name}?cas=${cas}`, { Description: "changed" }),
      delete: (name: string, cas: number) => v1.delete(`/partition/${name}?cas=${cas}`),
    };
    test.each(Object.keys(changes) as (keyof typeof changes)[])("%s goes on only from what was seen", async (verb) => {
      const made = await partition();
      for (const cas of [0, made.ModifyIndex - 1, made.ModifyIndex + 1]) {
        expect((await changes[verb](made.Name, cas)).status).toBe(409);
        expect(await read(made.Name)).toEqual(made);
      }
      expect((await changes[verb](made.Name, made.ModifyIndex)).status).toBe(200);
      expect(await read(made.Name)).not.toEqual(made);
    });

    test("0 makes only what is not there yet", async () => {
      const [one, other] = [v1.unique("unit"), v1.unique("unit")];
      expect((await changes.create(one, 0)).status).toBe(200);
      expect((await changes.create(one, 0)).status).toBe(409);
      expect((await changes.replace(other, 7)).status).toBe(409);
      expect((await v1.get(`/partition/${other}`)).status).toBe(404);
      expect((await v1.get(`/namespaces?partition=${other}`)).text).toBe("[]");
      expect((await changes.replace(other, 0)).status).toBe(200);
    });
  });

  test("the partition default is there from the start, can be changed and cannot be deleted", async () => {
    const [CreateIndex, ModifyIndex] = [expect.any(Number), expect.any(Number)];
    const Description = "Builtin Default Partition";
    expect(await read("default")).toEqual({ Name: "default", Description, CreateIndex, ModifyIndex });
    expect((await v1.put("/partition/default", { Description: "ours" })).body).toMatchObject({ Description: "ours" });
    await v1.patch("/partition/default", { Description });
    for (const name of ["default", "DEFAULT"]) {
      expect(await v1.delete(`/partition/${name}`)).toMatchObject({
        status: 400,
        text: expect.stringContaining("builtin"),
      });
    }
    expect(await read("default")).not.toHaveProperty("DeletedAt");
  });

  describe("names", () => {
    test.each(GOOD)("%s is one", async (name) => {
      expect((await v1.put("/partition", { Name: name })).body).toMatchObject({ Name: name });
      expect((await v1.get(`/partition/${name}`)).body).toMatchObject({ Name: name });
    });

    test.each(BAD)("%j is none", async (name) => {
      const before = await names();
      const text = /^Invalid Partition: .*valid DNS hostname label/;
      expect(await v1.put("/partition", { Name: name })).toMatchObject({
        status: 400,
        text: expect.stringMatching(text),
      });
      const path = `/partition/${encodeURIComponent(name)}`;
      expect((await v1.put(path)).status).toBe(400);
      expect((await v1.get(path)).status).toBe(404);
      expect((await v1.patch(path)).status).toBe(400);
      expect((await v1.delete(path)).status).toBe(404);
      expect(await names()).toEqual(before);
    });

    test("no name is refused", async () => {
      for (const body of [{}, { Name: "" }, { Name: null }]) {
        expect(await v1.put("/partition", body)).toMatchObject({
          status: 400,
          text: "Invalid Partition: no Name is set",
        });
      }
    });

    test.each(RESERVED_NAMES)("incidents 10 and 14: %s is reserved, however it is written", async (name) => {
      const text = `Partition "${name}" is reserved for future internal use`;
      const disguises = [
        name.toUpperCase(),
        `${name} `,
        `${name}.`,
        `${name}\u200b`,
        name.replace("s", "\u017f") + "\u0000",
      ];
      expect(await v1.put("/partition", { Name: name })).toMatchObject({ status: 400, text });
      expect(await v1.put(`/partition/${name}`)).toMatchObject({ status: 400, text });
      const before = await names();
      for (const disguise of disguises) {
        expect((await v1.put("/partition", { Name: disguise })).status).toBe(400);
        expect((await v1.put(`/partition/${encodeURIComponent(disguise)}`)).status).toBe(400);
        // As a scope it is none that is there.
        const list = await v1.get(`/acl/policies?partition=${encodeURIComponent(disguise)}`);
        if (list.status !== 400) expect(list).toMatchObject({ status: 200, text: "[]" });
        const write = await v1.put(`/acl/policy?partition=${encodeURIComponent(disguise)}`, { Name: "x" });
        expect(write.status).toBe(400);
      }
      expect(await names()).toEqual(before);
    });

    test("upper case means lower case, and the name in the path is the one in the body", async () => {
      const made = await v1.put("/partition", { Name: "Unit-A" });
      expect(made.body).toMatchObject({ Name: "unit-a" });
      expect((await v1.get("/partition/UNIT-A")).text).toBe(made.text);
      expect((await v1.put("/partition/uNIT-a", { Name: "UNIT-a" })).body).toMatchObject({ Name: "unit-a" });
      for (const write of [v1.put, v1.patch]) {
        const answer = await write("/partition/unit-a", { Name: "unit-b" });
        expect(answer).toMatchObject({ status: 400, text: "Partition name in URL and payload do not match" });
      }
      expect((await v1.get("/partition/unit-b")).status).toBe(404);
      const policy = await v1.put("/acl/policy?partition=UNIT-A", { Name: "p" });
      expect(policy.body).toMatchObject({ Partition: "unit-a", Namespace: "default" });
    });
  });

  test.each<[what: string, body: string, text: RegExp]>([
    ["an unknown member", `{"Name":"x","Meta":{}}`, /^json: unknown field "Meta"$/],
    ["a number for a name", `{"Name":1}`, /^json: cannot unmarshal number/],
    ["a text for a boolean", `{"Name":"x","DisableGossip":"y"}`, /^json: cannot unmarshal string/],
    ["no body", "", /^EOF$/],
    ["half a body", `{"Name":`, /^unexpected EOF$/],
  ])("%s is refused in the words of clients", async (_what, body, text) => {
    const put = await v1.put("/partition", body);
    expect(put.status).toBe(400);
    expect(put.text).toMatch(/^Partition decoding failed: /);
    expect(put.text.slice("Partition decoding failed: ".length)).toMatch(text);
    expect(await v1.put("/partition/x", body)).toMatchObject({ status: 400, text: put.text });
    expect(await v1.patch("/partition/x", body)).toMatchObject({ status: 400, text: put.text });
  });

  test("the list comes in pages and is searched by name in any case", async () => {
    for (const name of ["page-b", "page-a", "page-c"]) await partition({ Name: name });
    const first = await v1.get("/partitions?search=PAGE-&page-size=2");
    expect((first.body as { Name: string }[]).map(({ Name }) => Name)).toEqual(["page-a", "page-b"]);
    const after = encodeURIComponent(String(first.headers["x-service-next"]));
    const rest = await v1.get(`/partitions?search=page-&page-size=2&after=${after}`);
    expect((rest.body as { Name: string }[]).map(({ Name }) => Name)).toEqual(["page-c"]);
    expect(rest.headers).not.toHaveProperty("x-service-next");
  });

  test("what a request names as its namespace or partition means nothing, and dc is taken", async () => {
    const made = await partition();
    const plain = await v1.get("/partitions");
    for (const query of ["?ns=default", "?ns=nobody", "?partition=nobody", `?partition=${made.Name}`, "?dc=dc1"]) {
      expect((await v1.get(`/partitions${query}`)).text).toBe(plain.text);
      expect((await v1.get(`/partition/${made.Name}${query}`)).body).toEqual(made);
    }
    expect((await v1.put(`/partition/${made.Name}?ns=nobody`, {})).status).toBe(200);
    expect((await v1.get("/partitions?dc=elsewhere")).status).toBe(400);
  });

  test("reads answer at once, whatever index and wait they name", async () => {
    const made = await partition();
    for (const path of ["/partitions", `/partition/${made.Name}`]) {
      const { headers, text } = await v1.get(path);
      const index = String(headers["x-service-index"]);
      expect(Number(index)).toBeGreaterThan(0);
      // The time of a test is shorter than this wait.
      for (const since of [index, "18446744073709551615"]) {
        expect((await v1.get(`${path}?index=${since}&wait=10m`)).text).toBe(text);
      }
      expect(await v1.get(`${path}?index=x`)).toMatchObject({ status: 400, text: "Invalid index" });
      expect((await v1.get(`${path}?consistent`)).text).toBe(text);
    }
    expect((await v1.get("/partition/nobody?index=99&wait=10m")).status).toBe(404);
  });
});
