/** Objects that a request deletes: their rights end at once, and the trash gives them back. */
import { describe, expect, test } from "vitest";
import { recordsOfObject } from "../../../test/support/audit.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { bearer, login } from "../../../test/support/login.ts";
import { KEY, makeIn, makeMethodIn, METHOD } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

interface Entry {
  ID: string;
  Kind: string;
  ObjectID?: string;
  Name: string;
  DeletedBy: string;
  LeftOut?: { Kind: string; ID: string; Name: string }[];
  NameTaken?: boolean;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  const entries = async () => (await v1.get("/acl/trash")).body as Entry[];
  const entryOf = async (name: string) =>
    (await entries()).find(({ Name }) => Name === name) ?? expect.fail(`${name} is not in the trash`);
  const preview = async (id: string) => ((await v1.get(`/acl/trash?id=${id}`)).body as Entry[])[0];
  const restore = (id: string, body?: object, token?: string) => v1.post(`/acl/trash/${id}/restore`, body, token);
  /** Deletes an object; gives its entry. */
  const discard = async (path: string, name: string) => {
    expect((await v1.delete(path)).text).toBe("true");
    return entryOf(name);
  };
  const without = ({ CreateIndex: _made, ModifyIndex: _changed, ...rest }: Record<string, unknown>) => rest;

  test("a deleted policy gives no right at once, its name is free, and restored it gives its rights again", async () => {
    const name = v1.unique("p");
    const id = await v1.policy('acl = "read"', name);
    const { secret } = await v1.token({ Policies: [{ ID: id }] });
    const { secret: byRole } = await v1.token({ Roles: [{ ID: await v1.role({ Policies: [{ ID: id }] }) }] });
    const statuses = async () =>
      Promise.all([secret, byRole].map(async (each) => (await v1.get("/acl/policies", each)).status));
    const before = (await v1.get(`/acl/policy/${id}`)).body;
    expect(await statuses()).toEqual([200, 200]);
    const entry = await discard(`/acl/policy/${id}`, name);
    expect(await statuses()).toEqual([403, 403]);
    const self = (await v1.get("/acl/token/self")).body.AccessorID as string;
    expect(entry).toMatchObject({ Kind: "policy", ObjectID: id, DeletedBy: self });
    const { body: other } = await v1.put("/acl/policy", { Name: name, Rules: "" });
    expect(await preview(entry.ID)).toMatchObject({ LeftOut: [], NameTaken: true });
    expect((await restore(entry.ID)).text).toContain(`"${name}" already exists`);
    await v1.delete(`/acl/policy/${other.ID}`);
    const restored = await restore(entry.ID);
    expect(restored.body).toEqual({
      Kind: "policy",
      ID: id,
      Name: name,
      LeftOut: [],
      Namespace: "default",
      Partition: "default",
    });
    expect(without((await v1.get(`/acl/policy/${id}`)).body)).toEqual(without(before));
    expect(await statuses()).toEqual([200, 200]);
    expect((await entries()).some(({ ID }) => ID === entry.ID)).toBe(false);
    expect((await restore(entry.ID)).status).toBe(404);
    const records = await recordsOfObject(v1.db, id);
    expect(records.map(({ action }) => action)).toEqual(["create", "delete", "restore"]);
    expect(JSON.parse(records[2]?.detail ?? "")).toMatchObject({ trash: entry.ID });
    // A restored policy whose row is lost is damage, and no deleted one.
    const notes = v1.db.sql.selectFrom("deleted_links").select("id").where("id", "=", id);
    expect(await notes.execute()).toEqual([]);
    // Its deletion is noted again: links to it are no damage.
    await v1.delete(`/acl/policy/${id}`);
    expect(await statuses()).toEqual([403, 403]);
    expect((await v1.get(`/acl/tokens`)).status).toBe(200);
  });

  test("a role comes back without links to what is gone, which the answer names, also under another name", async () => {
    const [kept, goneName] = [await v1.policy(""), v1.unique("gone")];
    const gone = await v1.policy("", goneName);
    const name = v1.unique("r");
    const role = await v1.role({
      Name: name,
      Policies: [{ ID: kept }, { ID: gone }],
      ServiceIdentities: [{ ServiceName: "web" }],
    });
    const entry = await discard(`/acl/role/${role}`, name);
    await v1.delete(`/acl/policy/${gone}`);
    const LeftOut = [{ Kind: "policy", ID: gone, Name: goneName }];
    expect(await preview(entry.ID)).toMatchObject({ LeftOut, NameTaken: false });
    const other = v1.unique("other");
    expect((await restore(entry.ID, { Name: "not a name" })).status).toBe(400);
    expect((await restore(entry.ID, { Name: other })).body).toMatchObject({ ID: role, Name: other, LeftOut });
    expect((await v1.get(`/acl/role/${role}`)).body).toMatchObject({
      Name: other,
      Policies: [{ ID: kept }],
      ServiceIdentities: [{ ServiceName: "web" }],
    });
  });

  test("a restored token has its AccessorID and a new secret; no secret of before counts again", async () => {
    const policy = await v1.policy('acl = "read"');
    const Description = v1.unique("ci");
    const { accessor, secret: first } = await v1.token({
      Description,
      Policies: [{ ID: policy }],
      ExpirationTTL: "24h",
    });
    const second = (await v1.post(`/acl/token/${accessor}/rotate`, { Overlap: "1h" })).body.SecretID as string;
    const before = (await v1.get(`/acl/token/${accessor}`)).body;
    const entry = await discard(`/acl/token/${accessor}`, Description);
    const { rows, text } = await rowsOfTrash();
    expect(rows).toBeGreaterThan(0);
    for (const secret of [first, second]) expect(text).not.toContain(secret);
    expect((await restore(entry.ID, { Name: "x" })).text).toBe("Name is not allowed: a token has no name");
    const { body, status } = await restore(entry.ID);
    expect(status).toBe(200);
    const { Hash: _hash, SecretID: _secret, LastUsed: _used, ...rest } = without(before);
    expect(without((await v1.get(`/acl/token/${accessor}`)).body)).toMatchObject(rest);
    expect(body).toMatchObject({ Kind: "token", ID: accessor, Name: Description });
    const statuses = [first, second, String(body.SecretID)].map((each) => v1.get("/acl/token/self", each));
    expect((await Promise.all(statuses)).map(({ status: each }) => each)).toEqual([403, 403, 200]);
  });

  test("a disabled token stays disabled, and one whose AccessorID is used again does not come back", async () => {
    const Description = v1.unique("off");
    const { accessor } = await v1.token({ Description });
    await v1.put(`/acl/token/${accessor}/disable`);
    const entry = await discard(`/acl/token/${accessor}`, Description);
    expect((await v1.put("/acl/token", { AccessorID: accessor })).status).toBe(200);
    expect((await restore(entry.ID)).text).toBe("Invalid Token: AccessorID is already in use");
    await v1.delete(`/acl/token/${accessor}`);
    const { SecretID } = (await restore(entry.ID)).body;
    expect((await v1.get("/acl/token/self", SecretID as string)).text).toContain("is disabled");
  });

  test("tokens of logins, of revocations and of ended time are not in the trash", async () => {
    await makeMethodIn(v1, {});
    await makeIn(v1, {}, "binding-rule", {});
    const made = await login(v1, METHOD, bearer(KEY, {}));
    expect(made.status, made.text).toBe(200);
    const before = (await entries()).length;
    await v1.delete(`/acl/token/${made.body.AccessorID}`);
    const out = await login(v1, METHOD, bearer(KEY, {}));
    await v1.post("/acl/logout", "", String(out.body.SecretID));
    const { accessor } = await v1.token({ ExpirationTTL: "60s" });
    v1.setNow(v1.now() + 120_000);
    expect((await v1.delete(`/acl/token/${accessor}`)).status).toBe(404);
    v1.setNow(undefined);
    expect((await entries()).length).toBe(before);
  });

  describe("an auth method and its binding rules", () => {
    const make = async (Name: string) => {
      const secret = v1.unique("client-secret");
      const Config = {
        OIDCDiscoveryURL: "",
        JWTValidationPubKeys: [KEY.publicKey],
        ClaimMappings: { team: "team" },
        BoundAudiences: [secret],
      };
      const { OIDCDiscoveryURL: _url, ...jwt } = Config;
      const answer = await v1.put("/acl/auth-method", { Name, Type: "jwt", Config: jwt, Description: "CI" });
      expect(answer.status, answer.text).toBe(200);
      return secret;
    };

    test("a restored method has its whole configuration and none of its tokens, and is nowhere in the clear", async () => {
      const name = v1.unique("method");
      const secret = await make(name);
      await v1.put("/acl/binding-rule", { AuthMethod: name, BindType: "service", BindName: "web" });
      const made = await login(v1, name, bearer(KEY, { aud: secret }));
      expect(made.status, made.text).toBe(200);
      const before = (await v1.get(`/acl/auth-method/${name}`)).body;
      const entry = await discard(`/acl/auth-method/${name}`, name);
      expect(entry.ObjectID).toBeUndefined();
      expect((await rowsOfTrash()).text).not.toContain(secret);
      expect((await v1.get("/acl/token/self", String(made.body.SecretID))).status).toBe(403);
      expect((await restore(entry.ID)).body).toMatchObject({ Kind: "auth-method", Name: name });
      expect(without((await v1.get(`/acl/auth-method/${name}`)).body)).toEqual(without(before));
      expect((await v1.get("/acl/token/self", String(made.body.SecretID))).status).toBe(403);
      expect((await v1.get(`/acl/binding-rules?authmethod=${name}`)).body).toEqual([]);
    });

    test("a method whose name is taken comes back only under another", async () => {
      const name = v1.unique("method");
      await make(name);
      const entry = await discard(`/acl/auth-method/${name}`, name);
      await make(name);
      expect((await restore(entry.ID)).status).toBe(409);
      expect((await restore(entry.ID, { Name: `${name}-2` })).status).toBe(200);
      expect((await v1.get(`/acl/auth-method/${name}-2`)).body).toMatchObject({ Description: "CI" });
    });

    test("a rule comes back under its ID, and not without its method", async () => {
      const name = v1.unique("method");
      await make(name);
      const Description = v1.unique("rule");
      const content = { AuthMethod: name, BindType: "service", BindName: "web", Selector: "value.team == a" };
      const { body } = await v1.put("/acl/binding-rule", { ...content, Description });
      const entry = await discard(`/acl/binding-rule/${body.ID}`, Description);
      const method = await discard(`/acl/auth-method/${name}`, name);
      expect((await restore(entry.ID)).status).toBe(400);
      await restore(method.ID);
      expect((await restore(entry.ID)).body).toMatchObject({ Kind: "binding-rule", ID: body.ID });
      expect((await v1.get(`/acl/binding-rule/${body.ID}`)).body).toMatchObject({ ...content, Description });
    });

    test("a method whose configuration is damaged is deleted, and leaves nothing to restore", async () => {
      const name = v1.unique("method");
      await make(name);
      await v1.write((sql) =>
        sql.updateTable("auth_methods").set({ config_sealed: "none.AAAA" }).where("name", "=", name),
      );
      expect((await v1.delete(`/acl/auth-method/${name}`)).text).toBe("true");
      expect((await entries()).some(({ Name }) => Name === name)).toBe(false);
    });
  });

  test("warnings of a restored object are those of its creation", async () => {
    const name = v1.unique("p");
    const rules = 'key_prefix "a" { policy = "read" } key_prefix "a" { policy = "write" }';
    const made = await v1.put("/acl/policy", { Name: name, Rules: rules });
    const warning = made.headers["x-service-warnings"];
    expect(warning).toBeDefined();
    const entry = await discard(`/acl/policy/${made.body.ID}`, name);
    expect((await restore(entry.ID)).headers["x-service-warnings"]).toBe(warning);
  });

  test("an entry that was never there is answered as one that is gone", async () => {
    for (const id of [NOBODY, "x".repeat(5000), "%2e%2e"]) {
      expect((await restore(id)).status, id.slice(0, 10)).toBe(404);
      expect((await v1.get(`/acl/trash?id=${id}`)).status).toBe(404);
    }
  });

  async function rowsOfTrash(): Promise<{ rows: number; text: string }> {
    const rows = await v1.db.sql.selectFrom("trash").selectAll().execute();
    return { rows: rows.length, text: JSON.stringify(rows) };
  }
});
