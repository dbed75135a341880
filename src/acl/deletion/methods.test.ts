/** Tests the remains of deleted auth methods: no caller can use them, and they are removed, in every namespace. */
import { beforeAll, describe, expect, test } from "vitest";
import { countsIn, expireLease, finishDeletion, LEASE, NO_ROWS } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { bearer, login } from "../../../test/support/login.ts";
import {
  allRows,
  at,
  idOf,
  KEY,
  loginIn,
  makeIn,
  makeMethodIn,
  makeNamespace,
  makePartition,
  METHOD,
  type Place,
} from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { createWaits } from "../../../test/support/waits.ts";
import { takeLease, type Lease } from "../../storage/feed/lease.ts";
import { removeMethodBatch } from "./removal.ts";
import { listDeletedMethods, type DeletedMethod } from "./store.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { wait } = createWaits(v1);
  beforeAll(() => makePartition(v1, "unit"));

  async function leaseOf(holder: string): Promise<Lease> {
    await expireLease(v1.db);
    const lease = await takeLease(v1.db, LEASE, holder);
    if (lease === undefined) throw new Error("nobody else holds it");
    return lease;
  }

  /** A method of a namespace `default` that puts the tokens of team a into one namespace, of team b into another. */
  async function makeSpread(partition: string, Name = v1.unique("method")) {
    const [a, b] = [v1.unique("a"), v1.unique("b")];
    for (const namespace of [a, b]) await makeNamespace(v1, { partition, namespace });
    const NamespaceRules = [
      { Selector: "value.team == a", BindNamespace: a },
      { Selector: "value.team == b", BindNamespace: b },
    ];
    await makeIn(v1, { partition }, "auth-method", { Name, NamespaceRules });
    const rule = idOf(await makeIn(v1, { partition }, "binding-rule", { AuthMethod: Name }));
    const made: { place: Place; accessor: string; secret: string }[] = [];
    for (const [team, namespace] of Object.entries({ a, b, c: "default" })) {
      const place = { partition, namespace };
      const { AccessorID, SecretID, ...token } = await loginIn(v1, { partition }, { team }, Name);
      expect(token).toMatchObject({ Namespace: namespace, Partition: partition, AuthMethodNamespace: "default" });
      made.push({ place, accessor: AccessorID, secret: SecretID });
    }
    return { Name, a, b, rule, made, path: at(`/acl/auth-method/${Name}`, { partition }) };
  }
  const noteOf = async (name: string): Promise<DeletedMethod> => {
    const found = (await listDeletedMethods(v1.db)).find((each) => each.name === name);
    return found ?? expect.fail(`${name} left nothing`);
  };
  const rowsOf = async (id: string) => {
    const tokens = v1.db.sql.selectFrom("tokens").select("accessor_id").where("method_id", "=", id);
    const rules = v1.db.sql.selectFrom("binding_rules").select("id").where("method_id", "=", id);
    return [(await tokens.execute()).length, (await rules.execute()).length];
  };

  describe.each(["default", "unit"])("a method in the partition %s that is deleted", (partition) => {
    test("takes its tokens along in every namespace, for every way to ask, before any row is removed", async () => {
      const { Name, rule, made, path } = await makeSpread(partition);
      const every = [
        ...made.map(({ place }) => at("/acl/tokens", place)),
        at("/acl/tokens", { partition, namespace: "*" }),
      ];
      for (const { secret } of made) expect((await v1.get("/acl/token/self", secret)).status).toBe(200);
      // Twice, so that answers are kept where any are.
      for (const list of [...every, ...every]) expect((await v1.get(list)).text).toContain(Name);
      expect((await v1.delete(path)).text).toBe("true");
      expect(await rowsOf((await noteOf(Name)).id)).toEqual([3, 1]);
      for (const list of every) {
        expect((await v1.get(list)).text).not.toContain(Name);
        expect((await v1.get(`${list}&authmethod=${Name}`)).body).toEqual([]);
      }
      expect((await v1.get(at(`/acl/binding-rule/${rule}`, { partition }))).status).toBe(404);
      expect((await v1.get(at("/acl/binding-rules", { partition }))).text).not.toContain(rule);
      for (const { place, accessor, secret } of made) {
        const own = at(`/acl/token/${accessor}`, place);
        expect(await v1.get("/acl/token/self", secret)).toMatchObject({ status: 403, text: "ACL not found" });
        expect((await v1.api("GET", "/organizations", undefined, secret)).status).toBe(401);
        expect(await v1.post("/acl/logout", "", secret)).toMatchObject({ status: 403, text: "ACL not found" });
        for (const answer of [
          await v1.get(own),
          await v1.put(own, { Description: "x" }),
          await v1.patch(own, { Description: "x" }),
          await v1.put(at(`/acl/token/${accessor}/clone`, place)),
          await v1.delete(own),
        ]) {
          expect(answer.status, answer.text).toBe(404);
        }
      }
      // An ID that is not free yet is refused like any that is taken.
      const [first] = made;
      for (const field of ["AccessorID", "SecretID"] as const) {
        for (const id of [first?.accessor, first?.secret]) {
          const answer = await v1.put("/acl/token", { [field]: id });
          expect(answer).toMatchObject({ status: 400, text: `Invalid Token: ${field} is already in use` });
        }
      }
      await finishDeletion(v1.db);
      expect((await v1.put("/acl/token", { AccessorID: first?.accessor, SecretID: first?.secret })).status).toBe(200);
    });

    test("incident 13: and made again under its name takes no token, no rule and no row of the old one", async () => {
      const { Name, made, path, a } = await makeSpread(partition);
      await v1.delete(path);
      const NamespaceRules = [{ BindNamespace: a }];
      const again = { Name: Name.toUpperCase(), NamespaceRules };
      await makeIn(v1, { partition }, "auth-method", again);
      const place = { partition, namespace: "default" };
      expect(await login(v1, Name, bearer(KEY), { Partition: partition })).toMatchObject({ status: 403 });
      await makeIn(v1, place, "binding-rule", { AuthMethod: Name });
      const next = await loginIn(v1, place, {}, Name);
      for (const round of ["left", "removed"]) {
        for (const { secret } of made)
          expect([round, (await v1.get("/acl/token/self", secret)).status]).toEqual([round, 403]);
        expect((await v1.get("/acl/token/self", next.SecretID)).status).toBe(200);
        const listed = (await v1.get(at(`/acl/tokens?authmethod=${Name}`, { partition, namespace: a })))
          .body as object[];
        expect(listed.map(idOf)).toEqual([next.AccessorID]);
        expect((await v1.get(at(`/acl/binding-rules?authmethod=${Name}`, place))).body).toHaveLength(1);
        if (round === "left") await finishDeletion(v1.db);
      }
    });

    test("is emptied batch by batch, tokens before rules, and forgotten when nothing is left", async () => {
      const { Name, path } = await makeSpread(partition);
      await v1.delete(path);
      const note = await noteOf(Name);
      const lease = await leaseOf("batches");
      const seen = [await rowsOf(note.id)];
      for (let step = 0; step < 4; step++) {
        expect(await removeMethodBatch(v1.db, lease, note, 1)).toMatchObject({ removed: 1, isLast: false });
        seen.push(await rowsOf(note.id));
      }
      expect(seen).toEqual([
        [3, 1],
        [2, 1],
        [1, 1],
        [0, 1],
        [0, 0],
      ]);
      expect(await noteOf(Name)).toEqual(note);
      expect(await removeMethodBatch(v1.db, lease, note, 1)).toMatchObject({ removed: 0, isLast: true });
      expect((await listDeletedMethods(v1.db)).map(({ name }) => name)).not.toContain(Name);
      // A node that still works on the method, after another node has ended it, does no harm.
      expect(await removeMethodBatch(v1.db, lease, note, 1)).toMatchObject({ removed: 0, isLast: true });
    });

    test("loses nothing to a node whose lease has moved", async () => {
      const { Name, path } = await makeSpread(partition);
      await v1.delete(path);
      const note = await noteOf(Name);
      const old = await leaseOf("old");
      const next = await leaseOf("new");
      await expect(removeMethodBatch(v1.db, old, note, 10)).rejects.toMatchObject({ code: "conflict" });
      expect(await rowsOf(note.id)).toEqual([3, 1]);
      await removeMethodBatch(v1.db, next, note, 10);
      await removeMethodBatch(v1.db, next, note, 10);
      await expect(removeMethodBatch(v1.db, old, note, 10)).rejects.toMatchObject({ code: "conflict" });
      expect(await noteOf(Name)).toEqual(note);
      await finishDeletion(v1.db);
    });

    test("leaves alone what others made: other methods, people, and methods that have no rules", async () => {
      const gone = await makeSpread(partition);
      await makeSpread(partition);
      await makeIn(v1, { partition, namespace: gone.a }, "token", {});
      await makeMethodIn(v1, { partition, namespace: gone.a }, { Name: gone.Name });
      await makeIn(v1, { partition, namespace: gone.a }, "binding-rule", { AuthMethod: gone.Name });
      await loginIn(v1, { partition, namespace: gone.a }, {}, gone.Name);
      const { id = "" } =
        (await v1.db.sql.selectFrom("auth_methods").selectAll().execute()).find(
          ({ name, namespace }) => name === gone.Name && namespace === "default",
        ) ?? {};
      const others = async () => {
        const isOther = (row: unknown) => !JSON.stringify(row).includes(id);
        return (await allRows(v1)).map((rows) => (rows as unknown[]).filter(isOther));
      };
      const before = await others();
      await v1.delete(gone.path);
      const { progress } = await finishDeletion(v1.db);
      expect(progress).toEqual({ pending: 0, removedRows: 4, finished: 1 });
      expect(await others()).toEqual(before);
    });

    test("wakes who waits for tokens where they lay and for rules, and tells of each row that goes", async () => {
      const { Name, made, rule, path } = await makeSpread(partition);
      const lists = made.map(({ place }) => at("/acl/tokens", place));
      const waits = await Promise.all([...lists, at("/acl/binding-rules", { partition })].map((list) => wait(list)));
      const own = await Promise.all(made.map(({ place, accessor }) => v1.get(at(`/acl/token/${accessor}`, place))));
      const before = own.map(({ headers }) => Number(headers["x-service-index"]));
      await v1.delete(path);
      await finishDeletion(v1.db);
      const texts = (await Promise.all(waits.map(({ answer }) => answer))).map(({ text }) => text).join();
      expect([texts.includes(Name), texts.includes(rule)]).toEqual([false, false]);
      const after = await Promise.all(lists.map((list) => v1.get(list)));
      for (const [n, { headers }] of after.entries()) {
        expect(Number(headers["x-service-index"])).toBeGreaterThan(before[n] ?? 0);
      }
    });
  });

  describe("a namespace that is deleted", () => {
    test("takes along what its methods made elsewhere: nobody knows the tokens from the removal of the method on", async () => {
      const [gone, other] = [v1.unique("gone"), v1.unique("other")];
      for (const namespace of [gone, other]) await makeNamespace(v1, { namespace });
      await makeMethodIn(v1, { namespace: gone });
      await makeIn(v1, { namespace: gone }, "binding-rule", {});
      const tokens = [await loginIn(v1, { namespace: gone }), await loginIn(v1, { namespace: gone })];
      const accessors = tokens.map(idOf);
      // No rule of these days leads there from a namespace of its own.
      await v1.write((sql) =>
        sql.updateTable("tokens").set({ namespace: other }).where("accessor_id", "in", accessors),
      );
      const use = async () =>
        Promise.all(tokens.map(async ({ SecretID }) => (await v1.get("/acl/token/self", SecretID)).status));
      expect(await use()).toEqual([200, 200]);
      const list = at("/acl/tokens", { namespace: other });
      const held = await wait(list);
      const stays = idOf(await makeIn(v1, { namespace: other }, "token", {}));
      await held.answer;
      await v1.delete(`/namespace/${gone}`);
      const lasts = await wait(list);
      const { progress } = await finishDeletion(v1.db);
      // Three rows are of the namespace itself: a policy, a method and a rule.
      expect(progress).toEqual({ pending: 0, removedRows: 3 + 2, finished: 2 });
      expect((await lasts.answer).text).not.toContain(METHOD);
      expect(await use()).toEqual([403, 403]);
      expect(((await v1.get(list)).body as object[]).map(idOf)).toEqual([stays]);
      expect(await countsIn(v1.db, { partition: "default", namespace: other })).toMatchObject({ tokens: 1 });
      expect(await countsIn(v1.db, { partition: "default", namespace: gone })).toEqual(NO_ROWS);
    });

    test("incident 13: into which a method of default leads takes its tokens along, and made again takes none back", async () => {
      const { Name, a, made } = await makeSpread("default");
      const [inA, inB, inDefault] = made.map(({ secret }) => secret);
      const use = async (secret = "") => (await v1.get("/acl/token/self", secret)).status;
      await v1.delete(`/namespace/${a}`);
      expect([await use(inA), await use(inB), await use(inDefault)]).toEqual([403, 200, 200]);
      const refused = await login(v1, Name, bearer(KEY, { team: "a" }));
      expect(refused).toMatchObject({ status: 403, text: expect.stringContaining("is marked for deletion") });
      await finishDeletion(v1.db);
      expect(await login(v1, Name, bearer(KEY, { team: "a" }))).toMatchObject({
        status: 403,
        text: `Namespace "${a}" does not exist`,
      });
      await makeNamespace(v1, { namespace: a });
      expect([await use(inA), await use(inB), await use(inDefault)]).toEqual([403, 200, 200]);
      const next = await loginIn(v1, {}, { team: "a" }, Name);
      expect(next.Namespace).toBe(a);
      expect(((await v1.get(`/acl/tokens?ns=${a}`)).body as object[]).map(idOf)).toEqual([next.AccessorID]);
    });
  });

  test("a partition goes only when what its deleted methods left is gone, and then nothing of it is left", async () => {
    const partition = v1.unique("going");
    await makePartition(v1, partition);
    const early = await makeSpread(partition);
    const late = await makeSpread(partition);
    await v1.delete(early.path);
    await v1.delete(`/partition/${partition}`);
    const use = async (secret: string) => (await v1.get("/acl/token/self", secret)).status;
    for (const { secret } of [...early.made, ...late.made]) expect(await use(secret)).toBe(403);
    const { told } = await finishDeletion(v1.db);
    const left = (await allRows(v1)).flatMap((rows) => rows as object[]);
    expect(left.filter((row) => JSON.stringify(row).includes(partition))).toEqual([]);
    const messages = told
      .filter(({ details }) => JSON.stringify(details).includes(partition))
      .map(({ message }) => message);
    expect(messages.at(-1)).toBe("partition deleted");
    expect(messages.filter((message) => message === "an auth method was deleted")).toHaveLength(2);
    await makePartition(v1, partition);
    for (const { secret } of [...early.made, ...late.made]) expect(await use(secret)).toBe(403);
    expect((await v1.get(at("/acl/auth-methods", { partition, namespace: "*" }))).body).toEqual([]);
    expect(await login(v1, late.Name, bearer(KEY), { Partition: partition })).toMatchObject({ status: 403 });
  });
});
