import { describe, expect, test } from "vitest";
import { countsIn, expireLease, finishDeletion, LEASE, NO_ROWS } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import {
  at,
  contentOf,
  loginIn,
  makeIn,
  makeMethodIn,
  makeNamespace,
  makePartition,
  METHOD,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { AppError } from "../../errors.ts";
import { takeLease, type Lease } from "../../storage/feed/lease.ts";
import type { Scope } from "../../rights/scope.ts";
import { NO_PROGRESS, removeBatch, startDeletion } from "./removal.ts";

const GIVEN = { AccessorID: "5f7c4b9e-2d3a-4c1b-8e6f-0a9b8c7d6e5f", SecretID: "1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809" };

/** Objects that `marked` makes. */
const OBJECTS = { tokens: 2, binding_rules: 1, auth_methods: 1, idempotency_keys: 1, roles: 1, policies: 1 };
const ROWS = Object.values(OBJECTS).reduce((sum, count) => sum + count);
const TABLES = Object.keys(OBJECTS).length;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** A namespace with an object of each kind, marked. */
  async function marked(partition = "default"): Promise<Scope & { secret: string }> {
    const namespace = v1.unique("ns");
    const scope = { partition, namespace };
    await makeNamespace(v1, scope);
    await makeIn(v1, scope, "role", { Name: "r" });
    const { SecretID } = await makeIn(v1, scope, "token", { Policies: [{ Name: "namespace-management" }] });
    await makeMethodIn(v1, scope);
    const headers = { "x-service-token": MANAGEMENT, "idempotency-key": "once" };
    const url = at("/v1/acl/binding-rule", scope);
    await v1.send({ method: "PUT", url, headers, payload: JSON.stringify(contentOf("binding-rule")) });
    await loginIn(v1, scope);
    expect(await countsIn(v1.db, scope)).toMatchObject(OBJECTS);
    await v1.delete(`/namespace/${namespace}?partition=${partition}`);
    return { ...scope, secret: String(SecretID) };
  }
  const partitionOf = ({ details }: { details: object }) => ("partition" in details ? String(details.partition) : "");
  async function leaseOf(holder: string): Promise<Lease> {
    await expireLease(v1.db);
    const lease = await takeLease(v1.db, LEASE, holder);
    if (lease === undefined) throw new Error("nobody else holds it");
    return lease;
  }

  describe("what is told of the work", () => {
    test("nothing while nothing is marked", async () => {
      await v1.put("/namespace", { Name: "stays" });
      const { progress, told } = await finishDeletion(v1.db);
      expect([progress, told]).toEqual([NO_PROGRESS, []]);
    });

    test("a line when a namespace is begun and one when it is gone, and the sums of all", async () => {
      await makePartition(v1, "told");
      const scopes = [await marked(), await marked("told")];
      const { progress, told } = await finishDeletion(v1.db);
      const lines = scopes.flatMap(({ partition, namespace }) => [
        { message: "a namespace is being deleted", details: { partition, namespace } },
        {
          message: "a namespace was deleted",
          details: { partition, namespace, rows: ROWS, seconds: expect.any(Number) },
        },
      ]);
      expect(told.slice(0, lines.length)).toEqual(lines);
      // Then what their auth methods made elsewhere, which is nothing.
      const ofMethods = told.slice(lines.length).toSorted((a, b) => (partitionOf(a) < partitionOf(b) ? -1 : 1));
      const methodLines = scopes.flatMap(({ partition }) => {
        const place = { partition, authMethod: METHOD };
        return [
          { message: "an auth method is being deleted", details: place },
          { message: "an auth method was deleted", details: { ...place, rows: 0, seconds: expect.any(Number) } },
        ];
      });
      expect(ofMethods).toEqual(methodLines);
      expect(progress).toEqual({ pending: 0, removedRows: 2 * ROWS, finished: 4 });
      expect(JSON.stringify(told)).not.toContain(scopes[0]?.secret);
    });
  });

  test("work that was begun before anything is marked finds it by itself", async () => {
    await expireLease(v1.db);
    const deletion = startDeletion(v1.db, {
      onProgress: () => undefined,
      onError: (error) => expect(error).toBeUndefined(),
    });
    try {
      const scope = await marked();
      const path = `/namespace/${scope.namespace}`;
      await expect.poll(async () => (await v1.get(path)).status, { timeout: 60_000 }).toBe(404);
      await expect.poll(() => deletion.progress()).toEqual({ pending: 0, removedRows: ROWS, finished: 2 });
    } finally {
      await deletion.stop();
    }
  });

  describe("the lease", () => {
    test("that has moved to another holder makes a batch of the old one fail and remove nothing", async () => {
      const scope = await marked();
      const old = await leaseOf("old");
      await removeBatch(v1.db, old, scope, 1);
      const next = await leaseOf("new");
      const before = await countsIn(v1.db, scope);
      const failure = await removeBatch(v1.db, old, scope, 10).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(AppError);
      expect(failure).toMatchObject({ code: "conflict" });
      expect(await countsIn(v1.db, scope)).toEqual(before);
      expect(await removeBatch(v1.db, next, scope, 10)).toMatchObject({ removed: 1 });
      // Also when it comes back to who had it before: its fence is another.
      const again = await leaseOf("old");
      expect(again.fence).toBeGreaterThan(next.fence);
      await expect(removeBatch(v1.db, old, scope, 10)).rejects.toMatchObject({ code: "conflict" });
      for (let table = 1; table < TABLES; table++) await removeBatch(v1.db, again, scope, 10);
      expect(await removeBatch(v1.db, again, scope, 10)).toMatchObject({ removed: 0, isLast: true });
      expect((await v1.get(`/namespace/${scope.namespace}`)).status).toBe(404);
    });

    test("does not let the end of a namespace through when it has moved either", async () => {
      const scope = await marked();
      const old = await leaseOf("old");
      for (let batch = 0; batch < TABLES; batch++) await removeBatch(v1.db, old, scope, 10);
      await leaseOf("new");
      await expect(removeBatch(v1.db, old, scope, 10)).rejects.toMatchObject({ code: "conflict" });
      expect((await v1.get(`/namespace/${scope.namespace}`)).status).toBe(200);
      await finishDeletion(v1.db);
    });
  });

  describe("what is not marked", () => {
    test("loses nothing to a batch: a namespace that is alive, one that was made anew, one that never was", async () => {
      const scope = await marked();
      await finishDeletion(v1.db);
      await makeNamespace(v1, scope);
      await makeIn(v1, scope, "token", {});
      const lease = await leaseOf("late");
      for (const namespace of [scope.namespace, "default", "never"]) {
        const before = await countsIn(v1.db, { partition: "default", namespace });
        expect(await removeBatch(v1.db, lease, { partition: "default", namespace }, 10)).toMatchObject({ removed: 0 });
        expect(await countsIn(v1.db, { partition: "default", namespace })).toEqual(before);
      }
      expect((await v1.get(`/namespace/${scope.namespace}`)).status).toBe(200);
      expect((await v1.get("/namespace/default")).status).toBe(200);
    });

    test("with the same name in another partition, or with a name that begins alike, is left alone", async () => {
      const scope = await marked();
      await makePartition(v1, "twin");
      const near = [
        { partition: "twin", namespace: scope.namespace },
        { partition: "default", namespace: `${scope.namespace}0` },
        { partition: "default", namespace: `0${scope.namespace}` },
      ];
      for (const each of near) {
        await makeNamespace(v1, each);
        await makeIn(v1, each, "token", {});
      }
      const counts = async () => Promise.all(near.map((each) => countsIn(v1.db, each)));
      const before = await counts();
      await finishDeletion(v1.db);
      expect(await counts()).toEqual(before);
      expect(await countsIn(v1.db, scope)).toEqual(NO_ROWS);
    });
  });

  describe("incident 13: a name that is deleted and made again", () => {
    test("takes no old credential, and no old ID leads to anything", async () => {
      const Name = v1.unique("ns");
      const scope = { namespace: Name };
      await makeNamespace(v1, scope, { ACLs: { PolicyDefaults: [{ Name: "global-management" }] } });
      const policy = await makeIn(v1, scope, "policy", { Name: "p", Rules: 'acl = "write"' });
      const role = await makeIn(v1, scope, "role", { Name: "r", Policies: [{ ID: policy.ID }] });
      const tokens = await Promise.all(
        [{ Policies: [{ ID: policy.ID }] }, { Roles: [{ ID: role.ID }] }, {}].map((each) =>
          makeIn(v1, scope, "token", each),
        ),
      );
      const use = async (secret: string) => (await v1.get("/acl/token/self", secret)).status;
      for (const { SecretID } of tokens) expect(await use(SecretID)).toBe(200);
      await v1.delete(`/namespace/${Name}`);
      await finishDeletion(v1.db);
      await makeNamespace(v1, scope);
      for (const { SecretID, AccessorID } of tokens) {
        expect(await use(SecretID)).toBe(403);
        expect((await v1.get(at(`/acl/token/${AccessorID}`, scope))).status).toBe(404);
        expect((await v1.get("/acl/policies", SecretID)).text).toBe("ACL not found");
      }
      // The same names lead to what is new.
      const next = await makeIn(v1, scope, "policy", { Name: "p", Rules: "" });
      expect(next.ID).not.toBe(policy.ID);
      const token = await makeIn(v1, scope, "token", { Policies: [{ Name: "p" }] });
      expect(token.Policies).toEqual([{ ID: next.ID, Name: "p" }]);
      expect((await v1.get("/acl/policies", token.SecretID)).status).toBe(403);
      const unknown = await v1.put(at("/acl/token", scope), { Policies: [{ ID: policy.ID }] });
      expect(unknown).toMatchObject({ status: 400, text: `No such ACL policy with ID "${policy.ID}"` });
    });

    test("repeats no creation that was made under its name before", async () => {
      const scope = { namespace: v1.unique("ns") };
      const create = (payload: object = contentOf("binding-rule")) => {
        const headers = { "x-service-token": MANAGEMENT, "idempotency-key": "again" };
        const url = at("/v1/acl/binding-rule", scope);
        return v1.send({ method: "PUT", url, headers, payload: JSON.stringify(payload) });
      };
      const make = async () => {
        await makeNamespace(v1, scope);
        await makeMethodIn(v1, scope);
      };
      await make();
      const first = await create();
      expect((await create()).body.ID).toBe(first.body.ID);
      await v1.delete(`/namespace/${scope.namespace}`);
      // Until it is gone it may be shown; nothing is made.
      const meanwhile = await create();
      expect([first.body.ID, undefined]).toContain(meanwhile.body?.ID);
      expect(await countsIn(v1.db, { partition: "default", ...scope })).toMatchObject({ binding_rules: 1 });
      await finishDeletion(v1.db);
      await make();
      const other = await create(contentOf("binding-rule", { BindName: "other" }));
      expect(other.status, other.text).toBe(200);
      expect(other.body.ID).not.toBe(first.body.ID);
    });

    test("may give an AccessorID and a SecretID again, and these lead to the new token alone", async () => {
      const Name = v1.unique("ns");
      const scope = { namespace: Name };
      await makeNamespace(v1, scope);
      const rights = { Policies: [{ Name: "namespace-management" }] };
      await makeIn(v1, scope, "token", { ...GIVEN, ...rights });
      expect((await v1.get("/acl/policies", GIVEN.SecretID)).status).toBe(200);
      await v1.delete(`/namespace/${Name}`);
      // While the old one is not gone, they are taken, though nobody can use them.
      const other = { AccessorID: GIVEN.AccessorID };
      expect((await v1.put("/acl/token", other)).status).not.toBe(200);
      expect((await v1.put("/acl/token", { SecretID: GIVEN.SecretID })).status).not.toBe(200);
      await finishDeletion(v1.db);
      expect((await v1.get("/acl/policies", GIVEN.SecretID)).status).toBe(403);
      await makeNamespace(v1, scope);
      const again = await makeIn(v1, scope, "token", { ...other, Description: "new" });
      expect(again.SecretID).not.toBe(GIVEN.SecretID);
      expect((await v1.get("/acl/token/self", GIVEN.SecretID)).text).toBe("ACL not found");
      expect((await v1.get("/acl/token/self", again.SecretID)).body).toMatchObject({ Description: "new", ...other });
      expect((await v1.get("/acl/policies", again.SecretID)).status).toBe(403);
      expect((await v1.delete(at(`/acl/token/${other.AccessorID}`, scope))).text).toBe("true");
      const secret = await makeIn(v1, { namespace: "default" }, "token", { ...GIVEN });
      expect((await v1.get("/acl/token/self", GIVEN.SecretID)).body).toMatchObject({ Namespace: "default" });
      expect((await v1.get("/acl/policies", secret.SecretID)).status).toBe(403);
    });
  });
});
