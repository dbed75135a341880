import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import {
  at,
  idOf,
  KINDS,
  LISTS,
  loginIn,
  makeIn,
  makeMethodIn,
  makeNamespace,
  makePartition,
  METHOD,
  secretIn,
  type Kind,
  type Place,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";
import { createWaits, QUIET_MS } from "../../../test/support/waits.ts";

const FILTERED = "x-service-results-filtered-by-acls";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { indexOf, wait } = createWaits(v1);
  const all = (kind: Kind, partition = "default") => `/acl/${LISTS[kind]}?ns=*&partition=${partition}`;
  const make = async (kind: Kind, place: Place): Promise<string> =>
    idOf(await makeIn(v1, place, kind, { Name: v1.unique("made") }));
  const change = (kind: Kind, id: string, place: Place) =>
    v1.patch(at(`/acl/${kind}/${id}`, place), { Description: v1.unique("changed") });
  const remove = (kind: Kind, id: string, place: Place) => v1.delete(at(`/acl/${kind}/${id}`, place));

  beforeAll(async () => {
    await makePartition(v1, "p");
    for (const namespace of ["a", "b"]) await makeNamespace(v1, { namespace });
    for (const place of [{}, { namespace: "a" }, { namespace: "b" }, { partition: "p" }]) await makeMethodIn(v1, place);
  });

  describe.each(KINDS)("who waits for the list of every %s", (kind) => {
    test.each(["default", "a", "b"])("is woken by each write in the namespace %s", async (namespace) => {
      const place = { namespace };
      const created = await wait(all(kind));
      const id = await make(kind, place);
      expect((await created.answer).text).toContain(id);
      const changed = await wait(all(kind));
      const { Description, ModifyIndex } = (await change(kind, id, place)).body;
      const answer = await changed.answer;
      expect(answer.text).toContain(Description);
      expect(Number(answer.headers["x-service-index"])).toBeGreaterThanOrEqual(Number(ModifyIndex));
      const deleted = await wait(all(kind));
      await remove(kind, id, place);
      expect((await deleted.answer).text).not.toContain(id);
    });

    test("is woken by a write in a namespace that was not there when it began to wait", async () => {
      const namespace = v1.unique("late");
      // A new namespace comes with a policy.
      const ofNamespace = kind === "policy" ? await wait(all(kind)) : undefined;
      await makeNamespace(v1, { namespace });
      expect((await ofNamespace?.answer)?.text ?? namespace).toContain(namespace);
      if (kind === "binding-rule") await makeMethodIn(v1, { namespace });
      const held = await wait(all(kind));
      const id = await make(kind, { namespace });
      expect((await held.answer).text).toContain(id);
    });

    test("waits on through writes in another partition and of other kinds", async () => {
      const held = await wait(all(kind));
      const inP = await wait(all(kind, "p"));
      for (const other of KINDS.filter((each) => each !== kind)) await make(other, { namespace: "a" });
      await sleep(QUIET_MS);
      expect([held.isOver(), inP.isOver()]).toEqual([false, false]);
      const id = await make(kind, { partition: "p" });
      expect((await inP.answer).text).toContain(id);
      expect(held.isOver()).toBe(false);
      const last = await make(kind, { namespace: "b" });
      const { text } = await held.answer;
      expect(text).toContain(last);
      expect(text).not.toContain(id);
    });

    test("has an index that no single namespace's list is ahead of", async () => {
      await make(kind, { namespace: "a" });
      await make(kind, { namespace: "b" });
      const singles = await Promise.all(["a", "b", "default"].map((ns) => indexOf(`/acl/${LISTS[kind]}?ns=${ns}`)));
      expect(await indexOf(all(kind))).toBe(Math.max(...singles));
      expect(new Set(singles).size).toBeGreaterThan(1);
    });

    test("who waits for one namespace's list waits on through writes in another", async () => {
      const held = await wait(`/acl/${LISTS[kind]}?ns=a`);
      await make(kind, { namespace: "b" });
      await make(kind, {});
      await make(kind, { partition: "p" });
      await sleep(QUIET_MS);
      expect(held.isOver()).toBe(false);
      const id = await make(kind, { namespace: "a" });
      expect((await held.answer).text).toContain(id);
    });

    test("incident 18: a waiter who may read some is told of those alone, also when it loses the right", async () => {
      const name = v1.unique("watcher");
      const rules = `namespace "a" { acl = "read" }`;
      const policy = await v1.policy(rules, name);
      const { secret: token } = await v1.token({ Policies: [{ ID: policy }] });
      const hidden = await make(kind, { namespace: "b" });
      const held = await wait(all(kind), { token });
      const seen = await make(kind, { namespace: "a" });
      const { text, headers } = await held.answer;
      expect(text).toContain(seen);
      expect(text).not.toContain(hidden);
      expect(headers[FILTERED]).toBe("true");
      const again = await wait(all(kind), { token });
      await v1.put(`/acl/policy/${policy}`, { Name: name, Rules: `namespace "b" { acl = "read" }` });
      await make(kind, { namespace: "a" });
      const after = await again.answer;
      expect(after.text).toContain(hidden);
      expect(after.text).not.toContain(seen);
    });

    test("an answer that is kept is made anew after a write anywhere, and is nobody's with other rights", async () => {
      const readers = {
        a: await secretIn(v1, {}, `namespace "a" { acl = "read" }`),
        b: await secretIn(v1, {}, `namespace "b" { acl = "read" }`),
      };
      for (const namespace of ["a", "b"] as const) {
        // Twice each, so that it is kept when the write comes.
        for (const token of [undefined, readers.a, readers.b, undefined, readers.a, readers.b]) {
          await v1.get(all(kind), token);
        }
        const id = await make(kind, { namespace });
        for (const round of ["made", "kept"]) {
          expect((await v1.get(all(kind))).text, round).toContain(id);
          for (const other of ["a", "b"] as const) {
            const answer = await v1.get(all(kind), readers[other]);
            expect([round, answer.text.includes(id)]).toEqual([round, other === namespace]);
            expect(answer.headers[FILTERED]).toBe("true");
          }
        }
        await remove(kind, id, { namespace });
        expect((await v1.get(all(kind))).text).not.toContain(id);
      }
    });
  });

  test("the names that entries link to are fresh when a policy of any namespace is renamed", async () => {
    for (const namespace of ["a", "b"]) {
      const place = { namespace };
      const policy = await make("policy", place);
      const Policies = [{ ID: policy }];
      await makeIn(v1, place, "role", { Name: v1.unique("linker"), Policies });
      await makeIn(v1, place, "token", { Policies });
      for (const kind of ["role", "token"] as const) {
        await v1.get(all(kind));
        const Name = v1.unique("renamed");
        await v1.patch(at(`/acl/policy/${policy}`, place), { Name });
        expect((await v1.get(all(kind))).text).toContain(Name);
      }
    }
  });

  test("incident 16: kept answers of partitions are not mistaken for each other where their indexes are equal", async () => {
    // Each has a counter of its own, so the same writes give the same indexes.
    const partitions = ["twin-1", "twin-2"];
    for (const partition of partitions) {
      await makePartition(v1, partition);
      await makeMethodIn(v1, { partition });
      for (const kind of KINDS) {
        await makeIn(v1, { partition }, kind, { Name: "same", Description: `in ${partition}` });
      }
    }
    const lists = KINDS.map((kind) => `/acl/${LISTS[kind]}`);
    const byName = ["/acl/policy/name/same", "/acl/role/name/same", "/acl/auth-method/same"];
    for (const path of [...lists, ...byName]) {
      for (const namespace of path === "/acl/tokens" || byName.includes(path) ? ["default"] : ["default", "*"]) {
        const read = (partition: string) =>
          v1.send({
            method: "GET",
            url: `/v1${path}`,
            headers: {
              "x-service-token": MANAGEMENT,
              "x-consul-partition": partition,
              "x-consul-namespace": namespace,
            },
          });
        const answers = await Promise.all([...partitions, ...partitions].map(read));
        const [one, other] = answers;
        expect(one?.headers["x-service-index"]).toBe(other?.headers["x-service-index"]);
        for (const [i, { text }] of answers.entries()) {
          expect(partitions.map((name) => text.includes(`in ${name}`))).toEqual([i % 2 === 0, i % 2 === 1]);
        }
      }
    }
  });

  test("who waits for the list of every token is woken by a login and by a logout, wherever they are", async () => {
    for (const place of [{ namespace: "a" }, {}]) {
      await makeIn(v1, place, "binding-rule", {});
      const before = await wait(all("token"));
      const { AccessorID, SecretID } = await loginIn(v1, place);
      expect((await before.answer).text).toContain(AccessorID);
      const after = await wait(all("token"));
      expect((await v1.post("/acl/logout", "", SecretID)).text).toBe("true");
      expect((await after.answer).text).not.toContain(AccessorID);
    }
  });

  test("who waits for the list of every rule or method is woken when a method goes, and sees neither", async () => {
    await makeIn(v1, { namespace: "b" }, "auth-method", { Name: "brief" });
    const rule = idOf(await makeIn(v1, { namespace: "b" }, "binding-rule", { AuthMethod: "brief" }));
    const [rules, methods] = [await wait(all("binding-rule")), await wait(all("auth-method"))];
    await remove("auth-method", "brief", { namespace: "b" });
    expect((await rules.answer).text).not.toContain(rule);
    expect((await methods.answer).text).not.toContain("brief");
  });

  describe("in a partition of its own", () => {
    let partition: string;
    let reader: string;
    beforeEach(async () => {
      partition = v1.unique("q");
      await makePartition(v1, partition);
      for (const namespace of ["a", "b"]) await makeNamespace(v1, { partition, namespace });
      reader = await secretIn(v1, {}, `partition "${partition}" { namespace "a" { acl = "read" } }`);
    });
    const filtered = async (kind: Kind, query = "", secret = reader) =>
      (await v1.get(`${all(kind, partition)}${query}`, secret)).headers[FILTERED];

    test.each(["role", "auth-method", "binding-rule"] as const)(
      "the header of what is left out of the list of every %s comes and goes with what there is to be left out",
      async (kind) => {
        if (kind === "binding-rule") {
          for (const namespace of ["a", "b"]) await makeMethodIn(v1, { partition, namespace });
        }
        const both = async (query = "") => [await filtered(kind, query), await filtered(kind, query, "")];
        expect(await both()).toEqual([undefined, undefined]);
        const seen = idOf(await makeIn(v1, { partition, namespace: "a" }, kind, { Name: "seen" }));
        expect(await both()).toEqual([undefined, "true"]);
        const hidden = idOf(await makeIn(v1, { partition, namespace: "b" }, kind, { Name: "hidden" }));
        expect(await both()).toEqual(["true", "true"]);
        // The search does not matter: else a caller could guess a name letter by letter.
        const narrowed = { role: `&policy=${NOBODY}`, "binding-rule": `&authmethod=${METHOD}`, "auth-method": "" }[
          kind
        ];
        for (const query of ["&search=hid", "&search=nothing", narrowed]) {
          expect([query, ...(await both(query))]).toEqual([query, "true", "true"]);
        }
        // A rule is deleted with its method, too.
        if (kind === "binding-rule") await remove("auth-method", METHOD, { partition, namespace: "b" });
        else await remove(kind, hidden, { partition, namespace: "b" });
        expect(await both()).toEqual([undefined, "true"]);
        await remove(kind, seen, { partition, namespace: "a" });
        expect(await both()).toEqual([undefined, undefined]);
      },
    );

    test("tokens of a method that is deleted are neither shown nor left out", async () => {
      const place = { partition, namespace: "b" };
      await makeMethodIn(v1, place);
      await makeIn(v1, place, "binding-rule", {});
      await loginIn(v1, place);
      expect(await filtered("token")).toBe("true");
      await remove("auth-method", METHOD, place);
      expect(await filtered("token")).toBeUndefined();
      expect((await v1.get(all("token", partition))).body).toEqual([]);
    });

    test("a token that has expired is neither shown nor left out", async () => {
      const now = v1.now();
      v1.setNow(now);
      const content = { Description: "brief", ExpirationTTL: "1h" };
      const accessor = idOf(await makeIn(v1, { partition, namespace: "b" }, "token", content));
      const path = all("token", partition);
      expect((await v1.get(path)).text).toContain(accessor);
      expect(await filtered("token")).toBe("true");
      v1.setNow(now + 3_600_000);
      expect((await v1.get(path)).text).not.toContain(accessor);
      expect(await filtered("token")).toBeUndefined();
      v1.setNow(undefined);
    });
  });
});
