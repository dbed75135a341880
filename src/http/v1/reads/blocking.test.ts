import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Answer } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { NOBODY, useV1 } from "../../../../test/support/v1.ts";

/** Long enough for whatever wakes a waiter by mistake. */
const QUIET_MS = 150;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { waitsPerToken: 1200, waitsPerAddress: 3 } });

  interface Wait {
    answer: Promise<Answer>;
    /** Whether it has been answered. */
    isOver(): boolean;
  }

  async function indexOf(path: string, token?: string): Promise<number> {
    const { headers } = await v1.get(path, token);
    expect(headers["x-consul-index"]).toBe(headers["x-service-index"]);
    return Number(headers["x-service-index"]);
  }

  /** Asks for news since an index; the present one unless said otherwise. */
  async function wait(
    path: string,
    options: { since?: number | string; wait?: string; token?: string } = {},
  ): Promise<Wait> {
    const since = options.since ?? (await indexOf(path, options.token));
    let over = false;
    const query = `index=${since}&wait=${options.wait ?? "10s"}`;
    const answer = v1
      .get(`${path}${path.includes("?") ? "&" : "?"}${query}`, options.token)
      .finally(() => (over = true));
    await sleep(QUIET_MS);
    return { answer, isOver: () => over };
  }

  const objects = {
    policy: async () => {
      const name = v1.unique("watched");
      const id = await v1.policy("", name);
      return { id, name, change: () => v1.put(`/acl/policy/${id}`, { Name: name, Description: "changed" }) };
    },
    role: async () => {
      const Name = v1.unique("watched");
      const id = await v1.role({ Name });
      return { id, name: Name, change: () => v1.put(`/acl/role/${id}`, { Name, Description: "changed" }) };
    },
    token: async () => {
      const { accessor: id } = await v1.token();
      return { id, name: "", change: () => v1.put(`/acl/token/${id}`, { Description: "changed" }) };
    },
  };
  type Kind = keyof typeof objects;
  const make: Record<Kind, () => Promise<unknown>> = {
    policy: () => v1.policy(""),
    role: () => v1.role(),
    token: () => v1.token(),
  };
  const kinds: Kind[] = ["policy", "role", "token"];
  const lists: Record<Kind, string> = { policy: "/acl/policies", role: "/acl/roles", token: "/acl/tokens" };

  describe.each(kinds)("a blocking read of a %s", (kind) => {
    const other = kind === "token" ? "policy" : "token";

    test("by its ID waits for a change of it, and for no other", async () => {
      const { id, change } = await objects[kind]();
      const waiting = await wait(`/acl/${kind}/${id}`);
      await make[kind]();
      await make[other]();
      await sleep(QUIET_MS);
      expect(waiting.isOver()).toBe(false);
      const { body } = await change();
      const answer = await waiting.answer;
      expect(answer).toMatchObject({ status: 200, body: { Description: "changed", ModifyIndex: body.ModifyIndex } });
      expect(Number(answer.headers["x-service-index"])).toBeGreaterThanOrEqual(Number(body.ModifyIndex));
    });

    test("in upper case waits all the same", async () => {
      const { id, change } = await objects[kind]();
      const waiting = await wait(`/acl/${kind}/${id.toUpperCase()}`);
      expect(waiting.isOver()).toBe(false);
      await change();
      expect((await waiting.answer).body).toMatchObject({ Description: "changed" });
    });

    test("is told that it is gone", async () => {
      const { id } = await objects[kind]();
      const waiting = await wait(`/acl/${kind}/${id}`);
      await v1.delete(`/acl/${kind}/${id}`);
      const { status, headers } = await waiting.answer;
      expect(status).toBe(404);
      expect(Number(headers["x-service-index"])).toBe(await indexOf(lists[kind]));
    });

    test("of the whole list waits for every change in its table, a deletion too, and for no other table", async () => {
      const waiting = await wait(lists[kind]);
      await make[other]();
      await sleep(QUIET_MS);
      expect(waiting.isOver()).toBe(false);
      const { id } = await objects[kind]();
      const first = await waiting.answer;
      expect(first.text).toContain(id);
      const again = await wait(lists[kind]);
      await v1.delete(`/acl/${kind}/${id}`);
      const second = await again.answer;
      expect(second.text).not.toContain(id);
      expect(Number(second.headers["x-service-index"])).toBeGreaterThan(Number(first.headers["x-service-index"]));
    });

    test("with an index that is old is answered at once", async () => {
      const { id } = await objects[kind]();
      for (const path of [lists[kind], `/acl/${kind}/${id}`]) {
        const index = await indexOf(path);
        expect((await wait(path, { since: index - 1 })).isOver(), path).toBe(true);
      }
    });

    test("answers what there is when its time is over", async () => {
      const { id } = await objects[kind]();
      for (const path of [lists[kind], `/acl/${kind}/${id}`]) {
        const now = await v1.get(path);
        const started = performance.now();
        const waiting = await wait(path, { wait: "400ms" });
        const answer = await waiting.answer;
        expect(answer).toMatchObject({ status: 200, text: now.text });
        expect(answer.headers["x-service-index"]).toBe(now.headers["x-service-index"]);
        expect(performance.now() - started).toBeGreaterThanOrEqual(395);
      }
    });

    test.each(["9223372036854775808", "18446744073709551615"])(
      "with the index %s waits until its time is over",
      async (since) => {
        const { id, change } = await objects[kind]();
        const waiting = await wait(`/acl/${kind}/${id}`, { since, wait: "500ms" });
        await change();
        await sleep(QUIET_MS);
        expect(waiting.isOver()).toBe(false);
        expect(await waiting.answer).toMatchObject({ status: 200, body: { Description: "changed" } });
      },
    );
  });

  describe.each(["policy", "role"] as const)("a blocking read of a missing %s", (kind) => {
    const textOfMissing = async (path: string) => (await v1.get(path)).text;

    test("by name waits for it to be made, and for no other", async () => {
      const name = v1.unique("to-come");
      const path = `/acl/${kind}/name/${name}`;
      const missing = await textOfMissing(path);
      const waiting = await wait(path);
      await make[kind]();
      await sleep(QUIET_MS);
      expect(waiting.isOver()).toBe(false);
      await v1.put(`/acl/${kind}`, { Name: name });
      expect(await waiting.answer).toMatchObject({ status: 200, body: { Name: name } });
      expect(missing).toContain("does not exist: ACL not found");
    });

    test("is 404 when its time is over", async () => {
      for (const path of [`/acl/${kind}/name/nobody`, `/acl/${kind}/${NOBODY}`]) {
        const answer = await (await wait(path, { wait: "200ms" })).answer;
        expect(answer).toMatchObject({ status: 404, text: await textOfMissing(path) });
        expect(Number(answer.headers["x-service-index"])).toBe(await indexOf(lists[kind]));
      }
    });

    test("by name waits for a new name, and is told when the name is another's", async () => {
      const { id, name } = await objects[kind]();
      const next = v1.unique("renamed");
      const [old, renamed] = [await wait(`/acl/${kind}/name/${name}`), await wait(`/acl/${kind}/name/${next}`)];
      await v1.put(`/acl/${kind}/${id}`, { Name: next });
      expect(await old.answer).toMatchObject({ status: 404 });
      expect(await renamed.answer).toMatchObject({ status: 200, body: { ID: id } });
    });
  });

  test("a missing token is refused at once", async () => {
    const since = await indexOf("/acl/tokens");
    const waiting = await wait(`/acl/token/${NOBODY}`, { since });
    expect(waiting.isOver()).toBe(true);
    expect(await waiting.answer).toMatchObject({ status: 404, text: "token does not exist: ACL not found" });
  });

  describe("a waiter is authorized again", () => {
    const RULES = 'acl = "read"';
    const policy = async () => ({ Policies: [{ ID: await v1.policy(RULES) }] });

    test.each([
      ["its own token", "/acl/token/self"],
      ["a list", "/acl/policies"],
      ["one object", `/acl/policy/${"0".repeat(8)}-0000-0000-0000-000000000001`],
    ])("and refused at once when its token is deleted: %s", async (_name, path) => {
      const { accessor, secret: token } = await v1.token(await policy());
      const waiting = await wait(path, { token });
      expect(waiting.isOver()).toBe(false);
      await v1.delete(`/acl/token/${accessor}`);
      expect(await waiting.answer).toMatchObject({ status: 403, text: "ACL not found" });
    });

    test("also when it waits for an index that never comes", async () => {
      const { accessor, secret: token } = await v1.token(await policy());
      const waiting = await wait("/acl/policies", { token, since: "9223372036854775808" });
      await v1.delete(`/acl/token/${accessor}`);
      expect(await waiting.answer).toMatchObject({ status: 403, text: "ACL not found" });
    });

    test("and refused at once when its token expires", async () => {
      const now = Date.now();
      v1.setNow(now);
      const ExpirationTime = new Date(now + 60_000).toISOString();
      const { secret: token } = await v1.token({ ...(await policy()), ExpirationTime });
      v1.setNow(now + 59_000);
      const waiting = await wait("/acl/policies", { token });
      expect(waiting.isOver()).toBe(false);
      v1.setNow(now + 60_000);
      expect(await waiting.answer).toMatchObject({ status: 403, text: "ACL not found" });
      v1.setNow(undefined);
    });

    test("and refused what it may no longer see", async () => {
      const { secret: token, accessor } = await v1.token(await policy());
      const lists = await wait("/acl/roles", { token });
      await v1.put(`/acl/token/${accessor}`, { Policies: [] });
      await sleep(QUIET_MS);
      await v1.role();
      expect(await lists.answer).toMatchObject({
        status: 403,
        text: expect.stringContaining("lacks permission 'acl:read'"),
      });
    });

    test("and shown no more than it may see by then", async () => {
      const { secret: token, accessor } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "write"') }] });
      const watched = await v1.token();
      const waiting = await wait(`/acl/token/${watched.accessor}`, { token });
      await v1.put(`/acl/token/${accessor}`, await policy());
      await v1.put(`/acl/token/${watched.accessor}`, { Description: "changed" });
      expect(await waiting.answer).toMatchObject({ status: 200, body: { SecretID: "<hidden>" } });
    });

    test("before it waits", async () => {
      const token = await v1.tokenWith("");
      for (const path of ["/acl/policies", "/acl/roles", "/acl/tokens", `/acl/policy/${NOBODY}`]) {
        const waiting = await wait(path, { token, since: 1_000_000 });
        expect([path, waiting.isOver()]).toEqual([path, true]);
        expect((await waiting.answer).status).toBe(403);
      }
    });
  });

  test("a thousand waiters on their own tokens see their own, when their role changes nothing and when they change", async () => {
    const role = await v1.role();
    const make = () => Promise.all(Array.from({ length: 500 }, () => v1.token({ Roles: [{ ID: role }] })));
    const tokens = [...(await make()), ...(await make())];
    const since = await indexOf("/acl/tokens");
    const answers = tokens.map(({ secret }) => v1.get(`/acl/token/self?index=${since}&wait=30s`, secret));
    await sleep(QUIET_MS);
    await Promise.all(
      tokens.map(({ accessor }) => v1.put(`/acl/token/${accessor}`, { Roles: [{ ID: role }], Description: accessor })),
    );
    for (const [index, answer] of (await Promise.all(answers)).entries()) {
      const { accessor, secret } = tokens[index] ?? {};
      expect(answer.body).toMatchObject({ AccessorID: accessor, SecretID: secret, Description: accessor });
    }
  }, 60_000);

  test("many who wait for the same share one answer", async () => {
    const since = await indexOf("/acl/roles");
    const answers = Array.from({ length: 200 }, () => v1.get(`/acl/roles?index=${since}&wait=20s`));
    await sleep(2 * QUIET_MS);
    const before = v1.db.stats().operations;
    const Name = v1.unique("shared");
    await v1.put("/acl/role", { Name });
    for (const answer of await Promise.all(answers)) expect(answer.text).toContain(Name);
    const { long } = v1.db.stats().operations;
    // A few, since some of them may be woken by the time that the first have made it.
    expect(long - before.long).toBeLessThan(20);
  });

  test("too many of one address without a token, and of one token, are refused with 429", async () => {
    const anonymous = "00000000-0000-0000-0000-000000000002";
    await v1.put(`/acl/token/${anonymous}`, { Policies: [{ ID: await v1.policy('acl = "read"') }] });
    const path = "/acl/policies?index=9223372036854775808&wait=500ms";
    const ask = (remoteAddress: string, token?: string) =>
      v1.send({
        method: "GET",
        url: `/v1${path}`,
        remoteAddress,
        headers: token === undefined ? {} : { "x-service-token": token },
      });
    const many = await Promise.all(Array.from({ length: 1000 }, () => ask("10.1.2.3")));
    expect(many.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = many.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ text: expect.stringContaining("Too many blocking queries") });
    expect(refused?.headers["retry-after"]).toBe("1");
    expect(many.filter(({ status }) => status === 429)).toHaveLength(997);
    expect(await ask("10.1.2.4")).toMatchObject({ status: 200 });
    expect(await ask("10.1.2.3")).toMatchObject({ status: 200 });
    const token = await v1.tokenWith('acl = "read"');
    const all = await Promise.all(Array.from({ length: 1300 }, () => ask("10.1.2.3", token)));
    expect(all.filter(({ status }) => status === 429)).toHaveLength(100);
    await v1.put(`/acl/token/${anonymous}`, {});
  }, 30_000);

  test.each([
    ["index=18446744073709551616", "Invalid index"],
    ["index=-1", "Invalid index"],
    ["index=1.5", "Invalid index"],
    ["index=x", "Invalid index"],
    ["index=1&wait=x", "Invalid wait time"],
    ["index=1&wait=5", "Invalid wait time"],
    ["index=1&wait=1h1", "Invalid wait time"],
    ["index=1&stale&consistent", "Cannot specify ?stale with ?consistent, conflicting semantics."],
  ])("?%s is refused", async (query, text) => {
    for (const path of ["/acl/policies", "/acl/token/self", `/acl/role/${NOBODY}`]) {
      expect(await v1.get(`${path}?${query}`)).toMatchObject({ status: 400, text });
    }
  });
});
