import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("is made, read by its name, changed with compare-and-set and deleted; what it names stays", async () => {
    const policy = await v1.put("/acl/policy", { Name: "owned" });
    const Objects = ["policy default/default/owned"];
    const { body } = await v1.put("/acl/declaration?cas=0", { Name: "platform", Objects });
    expect((await v1.get("/acl/declaration/name/PLATFORM")).body).toEqual(body);
    expect(body.Objects).toEqual(Objects);
    const path = `/acl/declaration/${body.ID}`;
    expect((await v1.put("/acl/declaration", { Name: "Platform" })).status).toBe(400);
    expect((await v1.patch(`${path}?cas=${Number(body.ModifyIndex) + 1}`, { Objects: [] })).status).toBe(409);
    const changed = await v1.patch(`${path}?cas=${body.ModifyIndex}`, { Objects: [] });
    expect(changed.body).toMatchObject({ Name: "platform", Objects: [] });
    expect((await v1.delete(path)).body).toBe(true);
    expect((await v1.get(path)).status).toBe(404);
    expect((await v1.get(`/acl/policy/${policy.body.ID}`)).status).toBe(200);
  });

  test("needs acl:read to be seen and acl:write to be changed", async () => {
    const { body } = await v1.put("/acl/declaration", { Name: "guarded" });
    const reader = await v1.tokenWith('acl = "read"');
    const nobody = await v1.tokenWith('key "x" { policy = "read" }');
    expect((await v1.get(`/acl/declaration/${body.ID}`, reader)).status).toBe(200);
    expect((await v1.patch(`/acl/declaration/${body.ID}`, { Objects: ["x"] }, reader)).status).toBe(403);
    expect((await v1.put("/acl/declaration", { Name: "other" }, reader)).status).toBe(403);
    expect((await v1.delete(`/acl/declaration/${body.ID}`, reader)).status).toBe(403);
    expect((await v1.get("/acl/declarations", nobody)).status).toBe(403);
  });

  test("names and entries have bounds", async () => {
    for (const Name of ["", "with space", "a/b", "x".repeat(129)]) {
      expect((await v1.put("/acl/declaration", { Name })).status, Name).toBe(400);
    }
    for (const entry of ["", "x".repeat(513)]) {
      expect((await v1.put("/acl/declaration", { Name: "bounded", Objects: [entry] })).status).toBe(400);
    }
    const many = Array.from({ length: 12_000 }, (_, n) => `policy default/default/a-name-of-some-length-${n}`);
    const { body } = await v1.put("/acl/declaration", { Name: "many", Objects: many });
    expect((await v1.get(`/acl/declaration/${body.ID}`)).body.Objects).toEqual(many);
    const more = Array.from({ length: 25_000 }, (_, n) => `policy default/default/a-name-of-length-${n}`);
    expect((await v1.put("/acl/declaration", { Name: "more", Objects: more })).status).toBeGreaterThanOrEqual(400);
  });

  test("a record of a change says what came and what went, and not all that is owned", async () => {
    const { body } = await v1.put("/acl/declaration", { Name: "told", Objects: ["a", "b"] });
    await v1.patch(`/acl/declaration/${body.ID}`, { Objects: ["b", "c"] });
    const { body: records } = await v1.get("/audit?kind=declaration");
    const text = JSON.stringify(records);
    expect(text).toContain('"added":["c"]');
    expect(text).toContain('"released":["a"]');
    expect(text).not.toContain('"added":["b","c"]');
  });

  test("goes with its namespace", async () => {
    await v1.put("/namespace", { Name: "team" });
    const { body } = await v1.put("/acl/declaration?ns=team", { Name: "of-team" });
    expect((await v1.get(`/acl/declaration/${body.ID}`)).status).toBe(404);
    expect((await v1.get(`/acl/declaration/${body.ID}?ns=team`)).status).toBe(200);
  });
});
