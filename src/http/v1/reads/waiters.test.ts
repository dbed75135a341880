import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { NOBODY, useV1 } from "../../../../test/support/v1.ts";
import { createWaits, woken } from "../../../../test/support/waits.ts";

/** No more writes than are done within the 5 s that a write may wait, on a machine that does much else too. */
const AT_ONCE = 20;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { waitsPerToken: 1200, waitsPerAddress: 3 } });
  const { indexOf, wait, waiting } = createWaits(v1);

  describe("a waiter is authorized again", () => {
    const RULES = 'acl = "read"';
    const policy = async () => ({ Policies: [{ ID: await v1.policy(RULES) }] });

    test.each([
      ["its own token", "/acl/token/self"],
      ["a list", "/acl/policies"],
      ["one object", `/acl/policy/${"0".repeat(8)}-0000-0000-0000-000000000001`],
    ])("and refused at once when its token is deleted: %s", async (_name, path) => {
      const { accessor, secret: token } = await v1.token(await policy());
      const held = await wait(path, { token });
      expect(held.isOver()).toBe(false);
      await v1.delete(`/acl/token/${accessor}`);
      expect(await held.answer).toMatchObject({ status: 403, text: "ACL not found" });
    });

    test("also when it waits for an index that never comes", async () => {
      const { accessor, secret: token } = await v1.token(await policy());
      const held = await wait("/acl/policies", { token, since: "9223372036854775808" });
      await v1.delete(`/acl/token/${accessor}`);
      expect(await held.answer).toMatchObject({ status: 403, text: "ACL not found" });
    });

    test("and refused at once when its token expires", async () => {
      const now = Date.now();
      v1.setNow(now);
      const ExpirationTime = new Date(now + 60_000).toISOString();
      const { secret: token } = await v1.token({ ...(await policy()), ExpirationTime });
      v1.setNow(now + 59_000);
      const held = await wait("/acl/policies", { token });
      expect(held.isOver()).toBe(false);
      v1.setNow(now + 60_000);
      expect(await held.answer).toMatchObject({ status: 403, text: "ACL not found" });
      v1.setNow(undefined);
    });

    test("and refused what it may no longer see", async () => {
      const { secret: token, accessor } = await v1.token(await policy());
      const held = await wait("/acl/roles", { token });
      await v1.put(`/acl/token/${accessor}`, { Policies: [] });
      await v1.role();
      expect(await held.answer).toMatchObject({
        status: 403,
        text: expect.stringContaining("lacks permission 'acl:read'"),
      });
    });

    test("and shown no more than it may see by then", async () => {
      const { secret: token, accessor } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "write"') }] });
      const watched = await v1.token();
      const held = await wait(`/acl/token/${watched.accessor}`, { token });
      await v1.put(`/acl/token/${accessor}`, await policy());
      await v1.put(`/acl/token/${watched.accessor}`, { Description: "changed" });
      expect(await held.answer).toMatchObject({ status: 200, body: { SecretID: "<hidden>" } });
    });

    test("before it waits", async () => {
      const token = await v1.tokenWith("");
      for (const path of ["/acl/policies", "/acl/roles", "/acl/tokens", `/acl/policy/${NOBODY}`]) {
        const held = await wait(path, { token, since: 1_000_000 });
        expect([path, held.isOver()]).toEqual([path, true]);
        expect((await held.answer).status).toBe(403);
      }
    });
  });

  test("a thousand waiters on their own tokens see their own, when their role changes nothing and when they change", async () => {
    const role = await v1.role();
    const tokens: Awaited<ReturnType<typeof v1.token>>[] = [];
    const some = <T>(work: () => T): T[] => Array.from({ length: AT_ONCE }, work);
    while (tokens.length < 1000) tokens.push(...(await Promise.all(some(() => v1.token({ Roles: [{ ID: role }] })))));
    const since = await indexOf("/acl/tokens");
    const answers = tokens.map(({ secret }) => v1.get(`/acl/token/self?index=${since}&wait=10m`, secret));
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1000);
    for (let start = 0; start < 1000; start += AT_ONCE) {
      const changed = await Promise.all(
        tokens
          .slice(start, start + AT_ONCE)
          .map(({ accessor }) => v1.put(`/acl/token/${accessor}`, { Roles: [{ ID: role }], Description: accessor })),
      );
      expect(changed.filter(({ status }) => status !== 200)).toEqual([]);
    }
    for (const [index, answer] of (await Promise.all(answers)).entries()) {
      const { accessor, secret } = tokens[index] ?? {};
      expect(answer.body).toMatchObject({ AccessorID: accessor, SecretID: secret, Description: accessor });
    }
  });

  test("a change that falls into the first look is not missed", async () => {
    for (let round = 0; round < 40; round++) {
      const { accessor } = await v1.token();
      const index = await indexOf(`/acl/token/${accessor}`);
      const path = `/acl/token/${accessor}?index=${index}&wait=10m`;
      const name = v1.unique("race");
      const roles = await indexOf("/acl/roles");
      const asked = Promise.all([
        v1.get(path),
        v1.get(path),
        v1.get(`/acl/role/name/${name}?index=${roles}&wait=10m`),
        v1.put(`/acl/token/${accessor}`, { Description: "changed" }),
        v1.put("/acl/role", { Name: name }),
      ]);
      const answers = await woken(asked, `round ${round}: a read`);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    }
  });

  test("many who wait for the same share one answer", async () => {
    const since = await indexOf("/acl/roles");
    const answers = Array.from({ length: 200 }, () => v1.get(`/acl/roles?index=${since}&wait=10m`));
    await expect.poll(waiting).toBe(200);
    const before = v1.db.stats().operations;
    const Name = v1.unique("shared");
    await v1.put("/acl/role", { Name });
    for (const answer of await Promise.all(answers)) expect(answer.text).toContain(Name);
    const { long } = v1.db.stats().operations;
    // A few, since some of them may be woken by the time that the first have made it.
    expect(long - before.long).toBeLessThan(20);
  });

  test("many who are woken together are answered in turns, and other work gets in between", async () => {
    /** @returns the most answers between two turns that the test had */
    async function wake(): Promise<number> {
      const since = await indexOf("/acl/roles");
      let answered = 0;
      const answers = Array.from({ length: 1000 }, () =>
        v1.get(`/acl/roles?index=${since}&wait=10m`).finally(() => (answered += 1)),
      );
      await expect.poll(waiting, { timeout: 60_000 }).toBe(1000);
      await v1.put("/acl/role", { Name: v1.unique("turns") });
      let most = 0;
      for (let before = answered; answered < 1000; before = answered) {
        await setImmediate();
        most = Math.max(most, answered - before);
      }
      await Promise.all(answers);
      return most;
    }

    // As many as 5 ms are enough for, and not all who waited for one making of the answer. A busy machine may give the test
    // no turn while all are answered, but not each time.
    let most = await wake();
    for (let again = 0; most >= 900 && again < 4; again++) most = await wake();
    expect(most).toBeLessThan(900);
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
  });
});
