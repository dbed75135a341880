/** Records name who has done something with a token that a login made. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { loginIn, makeIn, makeMethodIn, makeNamespace } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

interface Shown {
  Action: string;
  Actor: { AccessorID: string; AuthMethod?: string; Identity?: string };
  Detail?: { subject?: string };
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function records(namespace: string): Promise<Shown[]> {
    return (await v1.get(`/audit?ns=${namespace}&page-size=50`)).body as Shown[];
  }

  async function loggedIn() {
    const scope = { partition: "default", namespace: v1.unique("ns") };
    await makeNamespace(v1, scope);
    await makeIn(v1, scope, "role", { Name: "r" });
    await makeMethodIn(v1, scope);
    await makeIn(v1, scope, "binding-rule", {});
    const { SecretID, AccessorID } = await loginIn(v1, scope);
    return { ...scope, secret: String(SecretID), accessor: String(AccessorID) };
  }

  test("by the auth method and by the subject as the record of the login has it, and never by the credential", async () => {
    const { namespace, secret, accessor } = await loggedIn();
    expect((await v1.get("/acl/policies", secret)).status).toBe(403);
    expect((await v1.post("/acl/logout", undefined, secret)).status).toBe(200);
    await expect
      .poll(async () => (await records(namespace)).map(({ Action }) => Action), { timeout: 20_000 })
      .toContain("read");
    const all = await records(namespace);
    const login = all.find(({ Action }) => Action === "login");
    const subject = login?.Detail?.subject ?? "";
    expect(subject).not.toBe("");
    for (const action of ["logout", "read"]) {
      const record = all.find(({ Action }) => Action === action);
      expect(record?.Actor, action).toMatchObject({ AccessorID: accessor, AuthMethod: expect.any(String) });
      expect(record?.Actor.Identity, action).toBe(subject);
    }
    expect(JSON.stringify(all)).not.toContain(secret);
  });

  test("incident 66: by a digest where the record of the login is not what was written", async () => {
    const { namespace, secret, accessor } = await loggedIn();
    await v1.past({ kind: "root" }, (tx) => {
      const detail = '{"subject":"somebody else"}';
      tx.write(tx.sql.updateTable("audit_records").set({ detail }).where("object_id", "=", accessor));
      return Promise.resolve();
    });
    expect((await v1.post("/acl/logout", undefined, secret)).status).toBe(200);
    const logout = (await records(namespace)).find(({ Action }) => Action === "logout");
    expect(logout?.Actor.Identity).toMatch(/^[\w-]{22}$/);
  });

  test("by a digest where the record of the login is not kept any more", async () => {
    const { namespace, secret, accessor } = await loggedIn();
    const last = await v1.db.sql
      .selectFrom("audit_records")
      .select(["chain", "seq", "hash", "at"])
      .where("object_id", "=", accessor)
      .executeTakeFirstOrThrow();
    // As when it was pruned with all that came before it.
    await v1.past({ kind: "root" }, (tx) => {
      tx.write(tx.sql.deleteFrom("audit_records").where("chain", "=", last.chain).where("seq", "<=", last.seq));
      tx.write(tx.sql.insertInto("audit_cuts").values({ ...last, mac: "" }));
      return Promise.resolve();
    });
    expect((await v1.post("/acl/logout", undefined, secret)).status).toBe(200);
    const logout = (await records(namespace)).find(({ Action }) => Action === "logout");
    expect(logout?.Actor.Identity).toMatch(/^[\w-]{22}$/);
  });
});
