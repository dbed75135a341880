/** A stop after each step of a deletion: it ends the same, and no step gives anybody a right. */
import { describe, expect, test } from "vitest";
import { countsIn, expireLease, finishDeletion, LEASE, NO_ROWS } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { sized } from "../../../test/support/length.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import {
  at,
  contentOf,
  KINDS,
  LISTS,
  loginIn,
  makeIn,
  makeMethodIn,
  makeNamespace,
  secretIn,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import type { Database } from "../../storage/database.ts";
import { takeLease, type Lease } from "../../storage/feed/lease.ts";
import type { Scope } from "../../rights/scope.ts";
import { removeBatch } from "./removal.ts";
import { SCOPED_TABLE_NAMES } from "./store.ts";

const DENY = 'acl = "deny" key_prefix "" { policy = "deny" } service_prefix "" { policy = "deny" }';
const GRANT = 'acl = "write" key_prefix "" { policy = "write" } service_prefix "" { policy = "write" }';
const RESOURCES = ["acl", "key", "service", "session", "node", "operator", "intention"] as const;
/** Objects of the namespace that `setUp` makes, in the order of their deletion. */
const OBJECTS = [
  ["tokens", 9],
  // The test requests none.
  ["token_revocations", 0],
  ["binding_rules", 2],
  ["auth_methods", 1],
  ["idempotency_keys", 1],
  // Only the namespace `default` has them.
  ["decision_mappings", 0],
  ["roles", 2],
  ["policies", 3],
  ["declarations", 1],
  // Uses are not written here.
  ["use_rows", 0],
  // Nothing was deleted before.
  ["trash", 0],
  // Nobody saved one.
  ["views", 0],
  ["deleted_links", 0],
] as const;
/** A step removes one, and the last step the namespace. */
const ROWS = OBJECTS.reduce((sum, [, count]) => sum + count, 0);
const EVERY = Array.from({ length: ROWS + 1 }, (_, step) => step);
/** Steps that are the first of a table, and the last. */
const FIRSTS = [...OBJECTS.map((_, table) => OBJECTS.slice(0, table).reduce((sum, [, count]) => sum + count, 0)), ROWS];
const random = randomOfRun();
const drawn = Array.from({ length: 3 }, () => Math.floor(random() * EVERY.length));
/**
 * Steps that are looked at: where another table begins, and on SQLite some that the seed of the run draws. The order of the
 * steps and the rights between them are decided by code that the engines share.
 */
const LOOKED_AT = {
  sqlite: sized(
    EVERY.filter((step) => FIRSTS.includes(step) || drawn.includes(step)),
    EVERY,
  ),
  postgres: sized([...new Set(FIRSTS)], EVERY),
};
/** Which holders of `setUp` lie there. */
const OF_GONE = /^[1-9] /;

/** The same storage, in which every transaction breaks off when its work is done. */
function breaking(db: Database): Database {
  return Object.assign(Object.create(db) as Database, {
    inTransaction: (
      counter: Parameters<Database["inTransaction"]>[0],
      work: Parameters<Database["inTransaction"]>[1],
    ) =>
      db.inTransaction(counter, async (tx) => {
        await work(tx);
        throw new Error("it broke off");
      }),
  });
}

async function leaseOf(db: Database, holder: string): Promise<Lease> {
  await expireLease(db);
  const lease = await takeLease(db, LEASE, holder);
  if (lease === undefined) throw new Error("nobody else holds it");
  return lease;
}

forEachEngine((engine, makeUrl) => {
  // The default that is most dangerous when a rule that denies goes before what it denies.
  const v1 = useV1(makeUrl, { config: { defaultPolicy: "allow" } });

  /** A namespace with tokens that are denied and granted in every way, and tokens outside that reach into it. */
  async function setUp() {
    const [gone, other] = [v1.unique("gone"), v1.unique("other")];
    const deny = await v1.policy(`namespace "${gone}" { ${DENY} }`);
    const role = await v1.role({ Policies: [{ ID: deny }] });
    const ACLs = { PolicyDefaults: [{ ID: deny }], RoleDefaults: [{ ID: role }] };
    await makeNamespace(v1, { namespace: gone }, { ACLs });
    await makeNamespace(v1, { namespace: other });
    const inGone = { namespace: gone };
    await makeIn(v1, inGone, "policy", { Name: "deny", Rules: DENY });
    await makeIn(v1, inGone, "policy", { Name: "grant", Rules: GRANT });
    expect((await v1.put(at("/acl/declaration", inGone), { Name: "files", Objects: ["policy grant"] })).status).toBe(
      200,
    );
    await makeIn(v1, inGone, "role", { Name: "denied", Policies: [{ Name: "deny" }] });
    await makeIn(v1, inGone, "role", { Name: "granted", Policies: [{ Name: "grant" }] });
    const tokens: object[] = [
      { Policies: [{ Name: "deny" }] },
      { Policies: [{ Name: "grant" }], Roles: [{ Name: "denied" }] },
      { Roles: [{ Name: "granted" }, { Name: "denied" }] },
      { Roles: [{ Name: "granted" }] },
      { ServiceIdentities: [{ ServiceName: "web" }] },
      {},
      { Policies: [{ Name: "namespace-management" }] },
    ];
    const secrets: string[] = [""];
    for (const token of tokens) secrets.push(String((await makeIn(v1, inGone, "token", token)).SecretID));
    // Logins make tokens there: with a method of its own, and with one of the namespace default.
    await makeMethodIn(v1, inGone);
    await makeIn(v1, inGone, "binding-rule", { BindType: "role", BindName: "denied" });
    const headers = { "x-service-token": MANAGEMENT, "idempotency-key": gone };
    const granted = JSON.stringify(contentOf("binding-rule", { BindType: "role", BindName: "granted" }));
    const url = at("/v1/acl/binding-rule", inGone);
    expect((await v1.send({ method: "PUT", url, headers, payload: granted })).status).toBe(200);
    secrets.push((await loginIn(v1, inGone)).SecretID);
    const NamespaceRules = [{ BindNamespace: gone }];
    await makeIn(v1, {}, "auth-method", { Name: `into-${gone}`, NamespaceRules });
    await makeIn(v1, {}, "binding-rule", { AuthMethod: `into-${gone}`, BindType: "policy", BindName: "grant" });
    secrets.push((await loginIn(v1, {}, {}, `into-${gone}`)).SecretID);
    secrets.push(
      await secretIn(v1, { namespace: other }, DENY),
      await secretIn(v1, { namespace: other }, GRANT),
      await v1.tokenWith(`namespace "${gone}" { ${DENY} } ${DENY}`),
      await v1.tokenWith(`namespace "${gone}" { policy = "deny" acl = "write" }`),
      await v1.tokenWith(`namespace_prefix "" { acl = "read" policy = "deny" }`),
      await v1.tokenWith('operator = "deny" acl = "deny"'),
      await v1.tokenWith('operator = "read"'),
    );
    return { scope: { partition: "default", namespace: gone }, other, secrets };
  }

  /** Everything that these tokens may do and see, each as a text. */
  async function rightsOf(secrets: readonly string[], namespaces: readonly string[]): Promise<Set<string>> {
    const rights = new Set<string>();
    const questions = namespaces.flatMap((Namespace) => [
      ...RESOURCES.flatMap((Resource) =>
        ["read", "write"].map((Access) => ({ Resource, Access, Segment: "web", Namespace })),
      ),
      { Resource: "namespace", Access: "read", Namespace },
    ]);
    const paths = namespaces.flatMap((namespace) => [
      `/namespace/${namespace}`,
      ...[...Object.values(LISTS), "policy/name/grant"].map((path) => at(`/acl/${path}`, { namespace })),
    ]);
    for (const [holder, secret] of secrets.entries()) {
      const answers = await v1.post("/internal/acl/authorize", questions, secret);
      if (answers.status === 200) {
        for (const [n, { Allow }] of (answers.body as { Allow: boolean }[]).entries()) {
          if (Allow) rights.add(`${holder} ${JSON.stringify(questions[n])}`);
        }
      }
      for (const path of ["/acl/token/self", "/namespaces", ...paths]) {
        const { status, body } = await v1.get(path, secret);
        if (status !== 200) continue;
        rights.add(`${holder} reads ${path}`);
        for (const each of Array.isArray(body) ? body : []) {
          rights.add(`${holder} finds ${each.ID ?? each.AccessorID ?? each.Name} ${each.SecretID ?? ""} in ${path}`);
        }
      }
    }
    return rights;
  }

  const gained = (before: Set<string>, after: Set<string>) => [...after].filter((right) => !before.has(right));
  const leftIn = async (scope: Scope) => {
    const counts = await countsIn(v1.db, scope);
    return SCOPED_TABLE_NAMES.map((table) => counts[table]);
  };

  test("no step gives any token a right: not of the namespace, not of default, not of another one", async () => {
    const { scope, other, secrets } = await setUp();
    const namespaces = [scope.namespace, "default", other];
    let before = await rightsOf(secrets, namespaces);
    expect([...before].filter((right) => right.startsWith("1 ")).length).toBeGreaterThan(5);
    for (const holder of ["8 ", "9 "]) expect([...before].some((right) => right.startsWith(holder))).toBe(true);
    await v1.delete(`/namespace/${scope.namespace}`);
    const lease = await leaseOf(v1.db, "steps");
    for (let step = 0; step <= ROWS; step++) {
      if (LOOKED_AT[engine].includes(step)) {
        const after = await rightsOf(secrets, namespaces);
        expect({ step, gained: gained(before, after) }).toEqual({ step, gained: [] });
        before = after;
      }
      const { isLast, removed } = await removeBatch(v1.db, lease, scope, 1);
      expect({ step, isLast, removed }).toEqual({ step, isLast: step === ROWS, removed: step === ROWS ? 0 : 1 });
    }
    const after = await rightsOf(secrets, namespaces);
    expect(gained(before, after)).toEqual([]);
    // Its tokens had none of these from the mark on, so that nothing could be gained is no accident of the test.
    expect([...after].filter((right) => OF_GONE.test(right))).toEqual([]);
    await finishDeletion(v1.db);
  });

  test("tokens go first, then rules and methods, then roles, then policies, then the namespace", async () => {
    const { scope } = await setUp();
    await v1.delete(`/namespace/${scope.namespace}`);
    const lease = await leaseOf(v1.db, "order");
    const seen = [await leftIn(scope)];
    for (let step = 0; step < ROWS; step++) {
      await removeBatch(v1.db, lease, scope, 1);
      seen.push(await leftIn(scope));
    }
    const wanted = OBJECTS.flatMap(([, count], now) =>
      Array.from({ length: count }, (_, gone) =>
        OBJECTS.map(([, all], table) => (table < now ? 0 : table === now ? all - gone : all)),
      ),
    );
    expect(seen).toEqual([...wanted, OBJECTS.map(() => 0)]);
    expect((await v1.get(`/namespace/${scope.namespace}`)).status).toBe(200);
    await removeBatch(v1.db, lease, scope, 1);
    expect((await v1.get(`/namespace/${scope.namespace}`)).status).toBe(404);
    await finishDeletion(v1.db);
  });

  test("a batch is no larger than it may be, and never of two tables", async () => {
    const { scope } = await setUp();
    await v1.delete(`/namespace/${scope.namespace}`);
    const lease = await leaseOf(v1.db, "batches");
    for (const removed of [4, 4, 1, 2, 1, 1, 2, 3, 1]) {
      expect(await removeBatch(v1.db, lease, scope, 4)).toMatchObject({ removed, isLast: false });
    }
    expect(await removeBatch(v1.db, lease, scope, 4)).toMatchObject({ removed: 0, isLast: true });
    await finishDeletion(v1.db);
  });

  describe("a stop after step", () => {
    test.each(LOOKED_AT[engine])(
      "%i, and one in the middle of the next: another process goes on and it ends the same",
      async (steps) => {
        const { scope } = await setUp();
        const others = async () => {
          const lists = KINDS.map(async (kind) => {
            const rows = (await v1.get(`/acl/${LISTS[kind]}?ns=*`)).body as { Namespace: string }[];
            return rows.filter(({ Namespace }) => Namespace !== scope.namespace);
          });
          return JSON.stringify(await Promise.all(lists));
        };
        const before = await others();
        await v1.delete(`/namespace/${scope.namespace}`);
        const lease = await leaseOf(v1.db, `stopped-${steps}`);
        for (let step = 0; step < steps; step++) await removeBatch(v1.db, lease, scope, 1);
        const left = await countsIn(v1.db, scope);
        await expect(removeBatch(breaking(v1.db), lease, scope, 1)).rejects.toThrow("it broke off");
        expect(await countsIn(v1.db, scope)).toEqual(left);
        const shown = await v1.get(`/namespace/${scope.namespace}`);
        expect(shown).toMatchObject({ status: 200, body: { DeletedAt: expect.any(String) } });
        expect((await v1.put(at("/acl/token", scope), {})).status).toBe(409);
        const { progress } = await finishDeletion(v1.db);
        expect(progress).toEqual({ pending: 0, removedRows: ROWS - steps, finished: 2 });
        expect(await countsIn(v1.db, scope)).toEqual(NO_ROWS);
        expect((await v1.get(`/namespace/${scope.namespace}`, MANAGEMENT)).status).toBe(404);
        expect(await others()).toBe(before);
      },
    );
  });
});
