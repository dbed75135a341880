/** Writes that meet at an entry of the trash: each has one winner, and the loser changes nothing. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  const trashed = async (path: string, body: object) => {
    const made = await v1.put(path, body);
    expect(made.status, made.text).toBe(200);
    const id = String(made.body.ID ?? made.body.AccessorID);
    await v1.delete(`${path}/${id}`);
    const [entry] = (await v1.get("/acl/trash")).body as { ID: string; ObjectID: string }[];
    expect(entry?.ObjectID).toBe(id);
    return { id, restore: () => v1.post(`/acl/trash/${entry?.ID}/restore`) };
  };
  const statusesOf = async (answers: Promise<{ status: number }>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).toSorted((one, other) => one - other);

  test("of restores at the same time one finds the entry, and one secret counts", async () => {
    const policy = await trashed("/acl/policy", { Name: v1.unique("p") });
    expect(await statusesOf([policy.restore(), policy.restore(), policy.restore()])).toEqual([200, 404, 404]);
    const token = await trashed("/acl/token", { Description: v1.unique("t") });
    const answers = await Promise.all([token.restore(), token.restore()]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404]);
    const secret = answers.find(({ status }) => status === 200)?.body.SecretID as string;
    expect((await v1.get("/acl/token/self", secret)).body).toMatchObject({ AccessorID: token.id });
  });

  test("a restore and a creation of the same name do not both succeed, and a lost restore keeps the entry", async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 6; round++) {
      const Name = v1.unique("p");
      const { id, restore } = await trashed("/acl/policy", { Name, Description: "first" });
      const make = () => v1.put("/acl/policy", { Name, Description: "second" });
      const [one, other] = round % 2 === 0 ? [restore(), make()] : [make(), restore()];
      const [restored, made] = round % 2 === 0 ? [await one, await other] : [await other, await one];
      expect([restored.status === 200, made.status === 200].filter(Boolean).length).toBe(1);
      const { Description } = (await v1.get(`/acl/policy/name/${Name}`)).body;
      expect(Description).toBe(restored.status === 200 ? "first" : "second");
      outcomes.add(String(Description));
      if (restored.status === 200) continue;
      await v1.delete(`/acl/policy/${made.body.ID}`);
      expect((await restore()).body).toMatchObject({ ID: id });
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test("a policy that is deleted during the restore of its role is left out or linked, and never a dead link", async () => {
    for (let round = 0; round < 4; round++) {
      const { body: policy } = await v1.put("/acl/policy", { Name: v1.unique("p") });
      const role = await trashed("/acl/role", { Name: v1.unique("r"), Policies: [{ ID: policy.ID }] });
      const [restored] = await Promise.all([role.restore(), v1.delete(`/acl/policy/${policy.ID}`)]);
      expect(restored.status, restored.text).toBe(200);
      expect((await v1.get(`/acl/role/${role.id}`)).body.Policies ?? []).toEqual([]);
      const stored = v1.db.sql.selectFrom("roles").select("policies").where("id", "=", role.id);
      const { policies } = await stored.executeTakeFirstOrThrow();
      expect(policies === "[]").toBe((restored.body.LeftOut as object[]).length === 1);
    }
  });

  test("a delete that fails leaves no entry", async () => {
    const { body } = await v1.put("/acl/policy", { Name: v1.unique("p") });
    const before = (await v1.get("/acl/trash")).body as object[];
    expect((await v1.delete(`/acl/policy/${body.ID}?cas=1`)).status).toBe(409);
    expect((await v1.get("/acl/trash")).body).toEqual(before);
  });
});
