/** Rows that decide about rights are changed past the program, as a fault of the disk does: they decide nothing any more. */
import type { Updateable } from "kysely";
import { describe, expect, test } from "vitest";
import { findBootstrapIndex } from "../../src/acl/tokens/store.ts";
import type { Tables } from "../../src/storage/tables/tables.ts";
import { afterNextTurn } from "../../src/turns.ts";
import type { Answer } from "../support/api.ts";
import { forEachEngine } from "../support/engines.ts";
import { bearer, login } from "../support/login.ts";
import { at, KEY, makeIn, makeMethodIn, makeNamespace, makePartition, METHOD } from "../support/scopes.ts";
import { useV1 } from "../support/v1.ts";

const MANAGEMENT_POLICY = "00000000-0000-0000-0000-000000000001";
const READ = `key_prefix "" { policy = "read" }`;
const WRITE = `key_prefix "" { policy = "write" }`;
const DENIED = `key "secret" { policy = "deny" }`;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** Changes rows and nothing else; whatever is asked here was not asked before, so no cache has it. */
  async function damage<T extends keyof Tables>(
    table: T,
    change: Updateable<Tables[T]>,
    column: string,
    value: string,
  ): Promise<void> {
    await v1.past({ kind: "partition", name: "default" }, async (tx) =>
      tx.write(
        tx.sql
          .updateTable(table as "meta")
          .set(change as object)
          .where(column as "name", "=", value),
      ),
    );
    // No index moved: who asks in the turn in which an answer was made is given that one.
    await afterNextTurn();
  }

  async function lose(table: "policies" | "roles", id: string): Promise<void> {
    await v1.past({ kind: "partition", name: "default" }, async (tx) =>
      tx.write(tx.sql.deleteFrom(table).where("id", "=", id)),
    );
    await afterNextTurn();
  }

  /** May this token write a key? */
  const ask = (secret: string, key = "any", access = "write"): Promise<Answer> =>
    v1.post("/internal/acl/authorize", [{ Resource: "key", Segment: key, Access: access }], secret);
  const expectDamaged = ({ status, text }: Answer) => expect([status, text]).toEqual([503, "storage is corrupted"]);
  const allows = async (answer: Promise<Answer>) => (await answer).body[0].Allow as boolean;

  describe("incident 53: a token whose row is not what was written has no rights, and not others", () => {
    const cases: [string, Updateable<Tables["tokens"]>][] = [
      ["its policies", { policies: JSON.stringify([MANAGEMENT_POLICY]) }],
      ["its roles", { roles: JSON.stringify([MANAGEMENT_POLICY]) }],
      ["what they were made of", { policies: '["' }],
      ["its identities", { service_identities: '[{"serviceName":"web","datacenters":[]}]' }],
      ["when it ends", { expires_at: 4_000_000_000_000 }],
      ["its namespace", { namespace: "elsewhere" }],
      ["its proof", { proof: "" }],
    ];
    test.each(cases)("%s", async (_what, change) => {
      const { accessor, secret } = await v1.token({ Policies: [{ ID: await v1.policy(READ) }], ExpirationTTL: "1h" });
      await damage("tokens", change, "accessor_id", accessor);
      expectDamaged(await ask(secret));
      expectDamaged(await v1.get(`/acl/token/${accessor}`));
      // A list finds its rows by their namespace.
      if (change.namespace === undefined) expectDamaged(await v1.get("/acl/tokens"));
      expectDamaged(await v1.put(`/acl/token/${accessor}`, { Description: "over it" }));
      const api = await v1.api("GET", "/account/details", undefined, secret);
      expect([api.status, api.body.errors[0].detail]).toEqual([503, "storage is corrupted"]);
      // Others are served as before, and who clears up may.
      expect((await ask(await v1.tokenWith(READ))).status).toBe(200);
      await v1.past({ kind: "partition", name: "default" }, async (tx) =>
        tx.write(tx.sql.deleteFrom("tokens").where("accessor_id", "=", accessor)),
      );
      expect((await v1.get("/acl/tokens")).status).toBe(200);
    });
  });

  describe("incident 53: a policy that is not what was written gives nothing, and denies nothing less", () => {
    const cases: [string, Updateable<Tables["policies"]>][] = [
      ["its rules", { rules: WRITE }],
      ["its rules and their digest", { rules: WRITE, rules_digest: "" }],
      ["where it counts", { datacenters: '["dc2"]' }],
      ["where it lies", { namespace: "elsewhere" }],
      ["what it is called", { name: "another", name_key: "another" }],
    ];
    test.each(cases)("%s", async (_what, change) => {
      const ID = await v1.policy(READ);
      const { secret } = await v1.token({ Policies: [{ ID }] });
      await damage("policies", change, "id", ID);
      expectDamaged(await ask(secret));
      expectDamaged(await v1.get(`/acl/policy/${ID}`));
      await lose("policies", ID);
    });
  });

  test("incident 53: a role, with what it links to", async () => {
    const Policies = [{ ID: await v1.policy(READ) }];
    const ID = await v1.role({ Policies });
    const { secret } = await v1.token({ Roles: [{ ID }] });
    await damage("roles", { policies: JSON.stringify([MANAGEMENT_POLICY]) }, "id", ID);
    expectDamaged(await ask(secret));
    expectDamaged(await v1.get(`/acl/role/${ID}`));
  });

  test("incident 53: a policy or a role that was lost is not taken for one that was deleted", async () => {
    const policies = [await v1.policy(WRITE), await v1.policy(DENIED)];
    const Policies = policies.map((ID) => ({ ID }));
    const role = await v1.role({ Policies });
    const direct = await v1.token({ Policies });
    const byRole = await v1.token({ Roles: [{ ID: role }] });
    await lose("policies", policies[1] ?? "");
    for (const { accessor, secret } of [direct, byRole]) {
      expectDamaged(await ask(secret, "secret"));
      // A write would leave the link out, and for good.
      expectDamaged(await v1.patch(`/acl/token/${accessor}`, { Description: "changed" }).then(byExpanded(accessor)));
    }
    expectDamaged(await v1.get(`/acl/role/${role}`));
    const alone = await v1.token({ Roles: [{ ID: await v1.role() }, { ID: await v1.role() }] });
    const [lost] = (await v1.get(`/acl/token/${alone.accessor}`)).body.Roles;
    await lose("roles", lost.ID);
    expectDamaged(await ask(alone.secret));
    expectDamaged(await v1.get(`/acl/token/${alone.accessor}`));
  });

  /** The token's own links are whole where its role's are not. */
  function byExpanded(accessor: string): (answer: Answer) => Promise<Answer> {
    return async (answer) => (answer.status === 200 ? v1.get(`/acl/token/${accessor}?expanded=true`) : answer);
  }

  test("incident 53: a link to what was deleted counts for nothing, as before", async () => {
    const [kept, gone] = [await v1.policy(READ), await v1.policy(WRITE)];
    const role = await v1.role({ Policies: [{ ID: gone }] });
    const { accessor, secret } = await v1.token({ Policies: [{ ID: kept }, { ID: gone }], Roles: [{ ID: role }] });
    await v1.delete(`/acl/policy/${gone}`);
    expect([await allows(ask(secret)), await allows(ask(secret, "any", "read"))]).toEqual([false, true]);
    await v1.delete(`/acl/role/${role}`);
    expect(await allows(ask(secret, "any", "read"))).toBe(true);
    const { Policies, Roles } = (await v1.get(`/acl/token/${accessor}`)).body;
    expect([Policies.map(({ ID }: { ID: string }) => ID), Roles ?? []]).toEqual([[kept], []]);
  });

  test("incident 53: a namespace, with its defaults and whether it is being deleted", async () => {
    for (const change of [{ default_policies: JSON.stringify([MANAGEMENT_POLICY]) }, { deleted_at: "2026" }]) {
      const namespace = v1.unique("damaged");
      await makeNamespace(v1, { namespace });
      const { SecretID } = await makeIn(v1, { namespace }, "token", {});
      await damage("namespaces", change, "name", namespace);
      expectDamaged(await ask(String(SecretID)));
      expectDamaged(await v1.get(`/namespace/${namespace}`));
      expectDamaged(await v1.put(at("/acl/role", { namespace }), { Name: "r" }));
      await v1.past({ kind: "partition", name: "default" }, async (tx) =>
        tx.write(tx.sql.deleteFrom("namespaces").where("name", "=", namespace)),
      );
    }
  });

  test("incident 53: a partition", async () => {
    await makePartition(v1, "damaged");
    const { SecretID } = await makeIn(v1, { partition: "damaged" }, "token", {});
    await damage("partitions", { deleted_at: "2026" }, "name", "damaged");
    expectDamaged(await ask(String(SecretID)));
    expectDamaged(await v1.get("/partition/damaged"));
    await damage("partitions", { deleted_at: "" }, "name", "damaged");
    expect((await ask(String(SecretID))).status).toBe(200);
  });

  describe("incident 53: a login by what is not what was written makes no token", () => {
    const methods: [string, Updateable<Tables["auth_methods"]>][] = [
      ["the method's lifetime of tokens", { max_token_ttl: "1000000000" }],
      ["where it leads", { namespace_rules: "[{}]" }],
      ["its type", { type: "kubernetes" }],
    ];
    test.each(methods)("%s", async (_what, change) => {
      const place = { namespace: v1.unique("login") };
      await makeNamespace(v1, place);
      await makeMethodIn(v1, place);
      await makeIn(v1, place, "binding-rule", {});
      await damage("auth_methods", change, "namespace", place.namespace);
      expectDamaged(await login(v1, METHOD, bearer(KEY), { Namespace: place.namespace }));
      expectDamaged(await v1.get(at(`/acl/auth-method/${METHOD}`, place)));
    });

    test("its configuration, sealed", async () => {
      const place = { namespace: v1.unique("login") };
      await makeNamespace(v1, place);
      await makeMethodIn(v1, place);
      await makeIn(v1, place, "binding-rule", {});
      const [row] = await v1.db.sql
        .selectFrom("auth_methods")
        .selectAll()
        .where("namespace", "=", place.namespace)
        .execute();
      const sealed = `${row?.config_sealed.slice(0, -4)}AAAA`;
      // As if the proof had been made of it.
      await v1.write((sql) =>
        sql
          .updateTable("auth_methods")
          .set({ config_sealed: sealed })
          .where("id", "=", row?.id ?? ""),
      );
      expectDamaged(await login(v1, METHOD, bearer(KEY), { Namespace: place.namespace }));
      expectDamaged(await v1.get(at(`/acl/auth-method/${METHOD}`, place)));
    });

    const rules: [string, Updateable<Tables["binding_rules"]>][] = [
      ["what a rule binds", { bind_name: "admin" }],
      ["whom it is for", { selector: "" }],
    ];
    test.each(rules)("%s", async (_what, change) => {
      const place = { namespace: v1.unique("login") };
      await makeNamespace(v1, place);
      await makeMethodIn(v1, place);
      const { ID } = await makeIn(v1, place, "binding-rule", { Selector: 'value.team == "a"' });
      await damage("binding_rules", change, "id", ID);
      expectDamaged(await login(v1, METHOD, bearer(KEY, { team: "a" }), { Namespace: place.namespace }));
      expectDamaged(await v1.get(at(`/acl/binding-rule/${ID}`, place)));
    });
  });

  test("incident 53: whether the server was bootstrapped", async () => {
    await damage("meta", { value: "reset" }, "name", "bootstrapped");
    await expect(findBootstrapIndex(v1.db)).rejects.toThrow("storage is corrupted");
    expect(v1.db.damagedRows()).toMatchObject({ meta: 1 });
  });

  test("incident 53: a secret that does not open is damage, not a fault of the program", async () => {
    const { accessor } = await v1.token();
    const sealed = await v1.db.keyring.seal("another", "tokens/secret/another");
    await v1.write((sql) =>
      sql.updateTable("tokens").set({ secret_sealed: sealed }).where("accessor_id", "=", accessor),
    );
    expectDamaged(await v1.get(`/acl/token/${accessor}`));
  });

  test("incident 53: a token of which nobody knows when it ends is not removed as expired", async () => {
    const { listExpiredTokens } = await import("../../src/acl/tokens/store.ts");
    const { accessor } = await v1.token();
    await damage("tokens", { expires_at: 1 }, "accessor_id", accessor);
    expect(await listExpiredTokens(v1.db, Date.now(), 10)).toEqual([]);
  });
});
