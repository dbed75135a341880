/** Tests the deletion of an auth method: dependent objects disappear with the commit that deletes it. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { startDeletion } from "../deletion/removal.ts";
import type { FeedEvent } from "../../storage/feed/feed.ts";
import { countsIn, expireLease, finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { createWaits, QUIET_MS } from "../../../test/support/waits.ts";

const key = createSigningKey("k1");
const GONE = { status: 403, text: "ACL not found" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { indexOf, wait } = createWaits(v1);
  beforeAll(() => makeNamespace(v1, { namespace: "team" }));

  interface Made {
    name: string;
    rules: string[];
    /** One in the namespace of the method, one in another. */
    tokens: { AccessorID: string; SecretID: string; Namespace: string }[];
  }
  /** A method with two rules and two tokens, of which one lies in the namespace `team`. */
  const setUp = async (content: object = {}, partition = "default", count = 1): Promise<Made> => {
    const name = v1.unique("method");
    const query = `?partition=${partition}`;
    const NamespaceRules = [{ Selector: 'value.team == "a"', BindNamespace: "team" }];
    await makeMethod(v1, key, { Name: name, NamespaceRules, ...content }, query);
    const rules = [await makeRule(v1, { AuthMethod: name }, query)];
    rules.push(
      await makeRule(v1, { AuthMethod: name, BindName: "${value.team}-x", Selector: 'value.team != ""' }, query),
    );
    const tokens: Made["tokens"] = [];
    for (let n = 0; n < count; n++) {
      for (const team of ["a", "b"]) {
        const { status, text, body } = await login(v1, name, bearer(key, { team }), { Partition: partition });
        expect(status, text).toBe(200);
        tokens.push(body);
      }
    }
    expect(new Set(tokens.map(({ Namespace }) => Namespace))).toEqual(new Set(["team", "default"]));
    return { name, rules, tokens };
  };
  const remove = async (name: string, query = "") => {
    const { status, text } = await v1.delete(`/acl/auth-method/${name}${query}`);
    expect({ status, text }).toEqual({ status: 200, text: "true" });
  };
  /** Lets the background do its work. */
  const clear = async () => {
    await expireLease(v1.db);
    const errors: unknown[] = [];
    const told: string[] = [];
    const deletion = startDeletion(v1.db, {
      onProgress: (message) => told.push(message),
      onError: (error) => errors.push(error),
    });
    const left = () => v1.db.sql.selectFrom("deleted_methods").select("id").execute();
    try {
      await expect.poll(async () => [...errors, ...(await left())], { timeout: 60_000, interval: 5 }).toEqual([]);
    } finally {
      await deletion.stop();
    }
    return { told, progress: deletion.progress() };
  };

  test("is answered by true, or says that there is none; who may not write is told nothing", async () => {
    const { name } = await setUp();
    const reader = await v1.tokenWith('acl = "read"');
    const refused = [
      await v1.delete(`/acl/auth-method/${name}`, reader),
      await v1.delete("/acl/auth-method/nobody", reader),
    ];
    for (const { status, text } of refused) expect([status, text]).toEqual([403, refused[0]?.text]);
    await remove(name.toUpperCase());
    const text = "Cannot find auth method to delete";
    expect(await v1.delete(`/acl/auth-method/${name}`)).toMatchObject({ status: 404, text });
    expect(await v1.delete("/acl/auth-method/nobody?ns=team")).toMatchObject({ status: 404, text });
  });

  test("makes its tokens unknown at once and everywhere, also those in other namespaces", async () => {
    const { name, tokens } = await setUp({ TokenLocality: "global" });
    // Known and kept before.
    for (const { SecretID } of tokens) expect((await v1.get("/acl/token/self", SecretID)).status).toBe(200);
    for (const { SecretID } of tokens)
      expect((await v1.api("GET", "/organizations", undefined, SecretID)).status).toBe(200);
    await remove(name);
    for (const { AccessorID, SecretID, Namespace } of tokens) {
      const query = `?ns=${Namespace}`;
      for (const answer of [
        await v1.get("/acl/token/self", SecretID),
        await v1.get("/acl/policies", SecretID),
        await v1.post("/acl/logout", "", SecretID),
        await v1.post("/internal/acl/authorize", [], SecretID),
        await v1.get(`/acl/token/self${query}`, SecretID),
      ]) {
        expect(answer).toMatchObject(GONE);
      }
      expect((await v1.api("GET", "/organizations", undefined, SecretID)).status).toBe(401);
      const missing = { status: 404, text: expect.stringContaining("ACL not found") };
      expect(await v1.get(`/acl/token/${AccessorID}${query}`)).toMatchObject(missing);
      expect(await v1.get(`/acl/token/${AccessorID}${query}&expanded=true`)).toMatchObject(missing);
      expect((await v1.patch(`/acl/token/${AccessorID}${query}`, { Description: "x" })).status).toBe(404);
      expect((await v1.put(`/acl/token/${AccessorID}${query}`, { Description: "x" })).status).toBe(404);
      expect((await v1.put(`/acl/token/${AccessorID}/clone${query}`, {})).status).toBe(404);
      expect((await v1.delete(`/acl/token/${AccessorID}${query}`)).status).toBe(404);
    }
    for (const list of [
      "?ns=default",
      "?ns=team",
      "?ns=*",
      `?authmethod=${name}`,
      `?authmethod=${name}&ns=team&authmethod-ns=default`,
    ]) {
      const { body } = await v1.get(`/acl/tokens${list}`);
      const shown = (body as { AccessorID: string }[]).map(({ AccessorID }) => AccessorID);
      expect(tokens.filter(({ AccessorID }) => shown.includes(AccessorID))).toEqual([]);
    }
  });

  test("takes its rules along at once", async () => {
    const { name, rules } = await setUp();
    await remove(name);
    for (const id of rules) {
      const path = `/acl/binding-rule/${id}`;
      expect((await v1.get(path)).status).toBe(404);
      expect(await v1.put(path, { BindType: "service", BindName: "x" })).toMatchObject({
        status: 404,
        text: `cannot find binding rule ${id}`,
      });
      expect((await v1.patch(path, { Description: "x" })).status).toBe(404);
      expect((await v1.delete(path)).status).toBe(404);
    }
    for (const list of ["", "?ns=*", `?authmethod=${name}`]) {
      const shown = ((await v1.get(`/acl/binding-rules${list}`)).body as { ID: string }[]).map(({ ID }) => ID);
      expect(rules.filter((id) => shown.includes(id))).toEqual([]);
    }
    expect(await login(v1, name, bearer(key))).toMatchObject({
      status: 403,
      text: `ACL not found: auth method "${name}" not found`,
    });
    const answer = await v1.put("/acl/binding-rule", { AuthMethod: name, BindType: "service", BindName: "x" });
    expect(answer).toMatchObject({ status: 400, text: `cannot find auth method with name "${name}"` });
  });

  test("incident 13: a new method of the name has nothing of the old one, before and after the background came by", async () => {
    const { name, rules, tokens } = await setUp();
    await remove(name);
    for (const when of ["before", "after"]) {
      if (when === "after") await clear();
      await makeMethod(v1, key, { Name: name });
      for (const { SecretID } of tokens) expect(await v1.get("/acl/token/self", SecretID)).toMatchObject(GONE);
      for (const id of rules) expect((await v1.get(`/acl/binding-rule/${id}`)).status).toBe(404);
      expect((await v1.get(`/acl/binding-rules?authmethod=${name}`)).body).toEqual([]);
      expect((await v1.get(`/acl/tokens?authmethod=${name}&ns=*`)).body).toEqual([]);
      expect((await login(v1, name, bearer(key))).status).toBe(403);
      const rule = await makeRule(v1, { AuthMethod: name });
      const { body } = await login(v1, name, bearer(key));
      if (when === "before") await clear();
      expect((await v1.get("/acl/token/self", body.SecretID)).body).toEqual(body);
      expect((await v1.get(`/acl/binding-rules?authmethod=${name}`)).body).toMatchObject([{ ID: rule }]);
      await remove(name);
    }
  });

  test("wakes who waits for tokens and rules, and their indexes rise", async () => {
    const { name, rules, tokens } = await setUp();
    const paths = [
      "/acl/binding-rules",
      "/acl/binding-rules?ns=*",
      `/acl/binding-rules?authmethod=${name}`,
      "/acl/tokens",
      "/acl/tokens?ns=*",
    ];
    const before = await Promise.all(paths.map((path) => indexOf(path)));
    const held = await Promise.all(paths.map((path) => wait(path)));
    const single = [await wait(`/acl/binding-rule/${rules[0]}`), await wait("/acl/tokens?ns=team")];
    await sleep(QUIET_MS);
    expect([...held, ...single].filter(({ isOver }) => isOver())).toEqual([]);
    await remove(name);
    for (const [n, { answer }] of held.entries()) {
      const { status, text, headers } = await answer;
      expect(status).toBe(200);
      expect(Number(headers["x-service-index"])).toBeGreaterThan(before[n] ?? 0);
      for (const id of [...rules, ...tokens.map(({ AccessorID }) => AccessorID)]) expect(text).not.toContain(id);
    }
    // Waiters in other namespaces, and waiters of single rules, get their answer when the rows are removed.
    await clear();
    const [rule, team] = await Promise.all(single.map(({ answer }) => answer));
    expect(rule?.status).toBe(404);
    expect(team?.text).not.toContain(tokens[0]?.AccessorID);
  });

  test("leaves rows that the background removes, in batches, and tells of each", async () => {
    const { name, rules, tokens } = await setUp({}, "default", 15);
    const [other, stays] = [await setUp(), await v1.token({})];
    const events: FeedEvent[] = [];
    const end = v1.db.feed.subscribe({ onDurable: (event) => void events.push(event) });
    await remove(name);
    const rows = async () => [
      (await v1.db.sql.selectFrom("tokens").select("accessor_id").where("auth_method", "=", name).execute()).length,
      (await v1.db.sql.selectFrom("binding_rules").select("id").where("auth_method", "=", name).execute()).length,
    ];
    expect(await rows()).toEqual([30, 2]);
    const { told, progress } = await clear();
    // Events follow the order of the durable commits: after this one no event of the deletion follows.
    const last = await v1.role();
    await expect
      .poll(() => events.some((event) => "key" in event && event.key === last), { timeout: 60_000 })
      .toBe(true);
    end();
    expect(await rows()).toEqual([0, 0]);
    expect(progress).toEqual({ pending: 0, removedRows: 32, finished: 1 });
    expect(told).toEqual(["an auth method is being deleted", "an auth method was deleted"]);
    const keysOf = (table: string, namespace: string) =>
      new Set(
        events.flatMap((event) =>
          "key" in event && event.table === table && event.namespace === namespace ? [event.key] : [],
        ),
      );
    for (const { AccessorID, Namespace } of tokens) expect(keysOf("tokens", Namespace)).toContain(AccessorID);
    for (const id of rules) expect(keysOf("binding-rules", "default")).toContain(id);
    expect(keysOf("auth-methods", "default")).toEqual(new Set([name]));
    // More than one batch, and none of another method or of nobody.
    const ofDeletion = events.flatMap((event) => ("index" in event && event.key !== last ? [event.index] : []));
    expect(new Set(ofDeletion).size).toBeGreaterThan(2);
    for (const { SecretID } of other.tokens) expect((await v1.get("/acl/token/self", SecretID)).status).toBe(200);
    expect((await v1.get("/acl/token/self", stays.secret)).status).toBe(200);
    for (const id of other.rules) expect((await v1.get(`/acl/binding-rule/${id}`)).status).toBe(200);
  });

  describe("what deleted methods leave", () => {
    test("does not keep a partition from its end", async () => {
      await makePartition(v1, "unit");
      await makeNamespace(v1, { namespace: "team", partition: "unit" });
      const [first, second] = [await setUp({}, "unit"), await setUp({}, "unit")];
      await remove(first.name, "?partition=unit");
      expect((await v1.delete("/partition/unit")).status).toBe(200);
      for (const { SecretID } of [...first.tokens, ...second.tokens])
        expect(await v1.get("/acl/token/self", SecretID)).toMatchObject(GONE);
      await finishDeletion(v1.db);
      expect((await v1.get("/partition/unit")).status).toBe(404);
      for (const namespace of ["default", "team"]) {
        const { table_indexes: _, ...counts } = await countsIn(v1.db, { partition: "unit", namespace });
        expect(Object.entries(counts).filter(([, count]) => count > 0)).toEqual([]);
      }
      const indexes = v1.db.sql
        .selectFrom("table_indexes")
        .select("name")
        .where("name", "like", "unit/%")
        .where("name", "not like", "unit/*/%");
      // A waiter of the partition itself gets an answer at its end; all other indexes were deleted with it.
      expect((await indexes.execute()).map(({ name }) => name)).toEqual(["unit/default/partitions"]);
      expect(
        await v1.db.sql.selectFrom("deleted_methods").selectAll().where("partition", "=", "unit").execute(),
      ).toEqual([]);
    });
  });
});
