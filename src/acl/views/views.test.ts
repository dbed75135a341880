/** Saved views: who sees and writes them, their bounds, and their end. */
import { expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { loginIn, makeIn, makeMethodIn, makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";
import { VIEW_BYTES } from "./check.ts";
import { MOST_VIEWS } from "./service.ts";

interface Shown {
  ID: string;
  Name: string;
  Shared: boolean;
  ModifyIndex: number;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });

  const save = (body: object, token?: string, query = "") =>
    v1.put(`/acl/view${query}`, { List: "roles", ...body }, token);
  async function saved(body: object, token?: string, query = ""): Promise<Shown> {
    const answer = await save(body, token, query);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Shown;
  }
  const names = async (token?: string, query = ""): Promise<string[]> =>
    ((await v1.get(`/acl/views${query}`, token)).body as Shown[]).map(({ Name }) => Name);
  const count = async () => (await v1.db.sql.selectFrom("views").select("id").execute()).length;
  async function fresh(): Promise<{ namespace: string; query: string }> {
    const namespace = v1.unique("ns");
    await makeNamespace(v1, { namespace });
    return { namespace, query: `?ns=${namespace}` };
  }

  test("a view keeps the state of a list under a name, for the token that saved it alone", async () => {
    const [own, other] = [await v1.token(), await v1.token({ Policies: [{ Name: "global-management" }] })];
    const content = { Query: { q: "web", policy: NOBODY }, Sort: "-Name", Columns: ["name", "id"], Density: "compact" };
    const view = await saved({ Name: " Web roles ", ...content }, own.secret);
    expect(view).toEqual({
      ID: expect.any(String),
      Name: "Web roles",
      List: "roles",
      Shared: false,
      ...content,
      Namespace: "default",
      Partition: "default",
      CreateIndex: expect.any(Number),
      ModifyIndex: view.ModifyIndex,
    });
    await saved({ Name: "a", List: "tokens" }, own.secret);
    expect(await names(own.secret)).toEqual(["a", "Web roles"]);
    expect((await v1.get("/acl/views?list=roles", own.secret)).body).toEqual([view]);
    expect(await names(own.secret, "?list=tokens")).toEqual(["a"]);
    expect(await names(other.secret)).toEqual([]);
    const path = `/acl/view/${view.ID}`;
    // An administrator of the namespace finds nothing either.
    expect((await v1.put(path, { Name: "x", List: "roles" }, other.secret)).status).toBe(404);
    expect((await v1.delete(path, other.secret)).status).toBe(404);
    const renamed = await v1.put(path, { Name: "Renamed", List: "roles", ...content }, own.secret);
    expect(renamed.body).toMatchObject({ ID: view.ID, Name: "Renamed", Query: content.Query });
    expect((await v1.delete(path, own.secret)).text).toBe("true");
    expect((await v1.delete(path, own.secret)).status).toBe(403);
    expect(await names(own.secret)).toEqual(["a"]);
  });

  test("a shared view is seen with acl:read of its namespace, and written with acl:write", async () => {
    const { namespace, query } = await fresh();
    const [reader, writer] = [
      await secretIn(v1, { namespace }, 'acl = "read"'),
      await secretIn(v1, { namespace }, 'acl = "write"'),
    ];
    const nobody = await v1.tokenWith("");
    expect((await save({ Name: "team", Shared: true }, reader, query)).status).toBe(403);
    const view = await saved({ Name: "team", Shared: true }, writer, query);
    expect(view).toMatchObject({ Shared: true, Namespace: namespace });
    expect([await names(reader, query), await names(nobody, query), await names(writer)]).toEqual([
      ["team"],
      [],
      ["team"],
    ]);
    expect(await names()).not.toContain("team");
    const path = `/acl/view/${view.ID}`;
    for (const token of [reader, nobody]) {
      expect((await v1.put(`${path}${query}`, { Name: "x", List: "roles", Shared: true }, token)).status).toBe(403);
      expect((await v1.delete(`${path}${query}`, token)).status).toBe(403);
    }
    // It lies in that namespace, and in no other.
    expect((await v1.delete(path)).status).toBe(404);
    const content = { Name: "crew", List: "roles", Shared: true };
    expect((await v1.put(`${path}${query}`, content, writer)).body).toMatchObject({ Name: "crew" });
    expect((await v1.put(`${path}${query}&cas=${view.ModifyIndex}`, content, writer)).status).toBe(409);
    expect((await v1.delete(`${path}${query}`, writer)).text).toBe("true");
  });

  test("names are unique per list, and neither list nor sharing changes", async () => {
    const { secret } = await v1.token();
    const view = await saved({ Name: "One" }, secret);
    await saved({ Name: "one", List: "tokens" }, secret);
    expect(await save({ Name: "oNE" }, secret)).toMatchObject({
      status: 400,
      text: 'A view "One" of the list "roles" already exists',
    });
    const change = async (body: object) =>
      (await v1.put(`/acl/view/${view.ID}`, { Name: "One", List: "roles", ...body }, secret)).status;
    expect([await change({ List: "tokens" }), await change({ Shared: true }), await change({ ID: NOBODY })]).toEqual([
      400, 400, 400,
    ]);
    expect(await change({ ID: view.ID })).toBe(200);
  });

  test("what is too long or has no name changes nothing", async () => {
    const { secret } = await v1.token();
    const before = await count();
    const long = { q: "x".repeat(VIEW_BYTES) };
    const wrong = [
      {},
      { Name: " " },
      { Name: "a\u0007" },
      { Name: "x".repeat(101) },
      { Name: "a", List: "Roles!" },
      { Name: "a", Density: "tiny" },
      { Name: "a", Query: long },
      { Name: "a", Columns: ["x".repeat(VIEW_BYTES)] },
      { Name: "a", Query: { q: 1 } },
    ];
    for (const body of wrong) expect([body, (await save(body, secret)).status]).toEqual([body, 400]);
    expect(await count()).toBe(before);
    expect((await save({ Name: "a" }, "")).status).toBe(403);
  });

  test("a holder has 100 views, and so has a namespace, at the same time", async () => {
    const { secret } = await v1.token();
    const { query } = await fresh();
    for (const more of [{}, { Shared: true }]) {
      const token = "Shared" in more ? undefined : secret;
      const answers = await Promise.all(
        Array.from({ length: MOST_VIEWS + 3 }, (_, n) => save({ Name: `v${n}`, ...more }, token, query)),
      );
      const statuses = answers.map(({ status }) => status);
      expect([statuses.filter((status) => status === 200).length, new Set(statuses)]).toEqual([
        MOST_VIEWS,
        new Set([200, 400]),
      ]);
    }
    await saved({ Name: "another's" }, (await v1.token()).secret);
  });

  test("the views of an identity are there at its next login, and end with the auth method", async () => {
    const { namespace, query } = await fresh();
    await makeMethodIn(v1, { namespace });
    await makeIn(v1, { namespace }, "binding-rule", {});
    const log = async (sub: string) => String((await loginIn(v1, { namespace }, { sub })).SecretID);
    const [first, again, other] = [await log("ann"), await log("ann"), await log("bob")];
    await saved({ Name: "mine" }, first);
    expect([await names(again), await names(other)]).toEqual([["mine"], []]);
    expect((await v1.post("/acl/logout", undefined, first)).status).toBe(200);
    expect(await names(await log("ann"))).toEqual(["mine"]);
    const before = await count();
    expect((await v1.delete(`/acl/auth-method/ruled${query}`)).status).toBe(200);
    await finishDeletion(v1.db);
    expect(await count()).toBe(before - 1);
  });

  test("views go with their token, and shared ones stay until their namespace goes", async () => {
    const { namespace, query } = await fresh();
    const { accessor, secret } = await v1.token({ Policies: [{ Name: "global-management" }] });
    await saved({ Name: "own" }, secret);
    await saved({ Name: "everybody's", Shared: true }, secret, query);
    const before = await count();
    expect((await v1.delete(`/acl/token/${accessor}`)).status).toBe(200);
    expect([await count(), await names(undefined, query)]).toEqual([before - 1, ["everybody's"]]);
    expect((await v1.delete(`/namespace/${namespace}`)).status).toBe(200);
    await finishDeletion(v1.db);
    expect(await count()).toBe(before - 2);
  });

  test("each change is on record", async () => {
    const { accessor, secret } = await v1.token();
    const { ID } = await saved({ Name: "recorded" }, secret);
    await v1.put(`/acl/view/${ID}`, { Name: "renamed", List: "roles" }, secret);
    await v1.delete(`/acl/view/${ID}`, secret);
    const rows = await v1.db.sql
      .selectFrom("audit_records")
      .select(["action", "name", "accessor_id"])
      .where("kind", "=", "view")
      .where("object_id", "=", ID)
      .orderBy("seq")
      .execute();
    expect(rows).toEqual([
      { action: "create", name: "recorded", accessor_id: accessor },
      { action: "update", name: "renamed", accessor_id: accessor },
      { action: "delete", name: "renamed", accessor_id: accessor },
    ]);
  });
});
