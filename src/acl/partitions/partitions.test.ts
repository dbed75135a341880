import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

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

  test.each<[what: string, body: string, text: RegExp]>([
    ["an unknown member", `{"Name":"x","Meta":{}}`, /^json: unknown field "Meta"$/],
    ["a number for a name", `{"Name":1}`, /^json: cannot unmarshal number/],
    ["a text for a boolean", `{"Name":"x","DisableGossip":"y"}`, /^json: cannot unmarshal string/],
  ])("%s is refused in the words of clients", async (_what, body, text) => {
    const put = await v1.put("/partition", body);
    expect(put.status).toBe(400);
    expect(put.text).toMatch(/^Partition decoding failed: /);
    expect(put.text.slice("Partition decoding failed: ".length)).toMatch(text);
    expect(await v1.put("/partition/x", body)).toMatchObject({ status: 400, text: put.text });
    expect(await v1.patch("/partition/x", body)).toMatchObject({ status: 400, text: put.text });
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
