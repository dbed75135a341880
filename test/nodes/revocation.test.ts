/** Two servers, each a process of its own, on one PostgreSQL: what one changes, the other knows within a second. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { makeDatabaseUrl } from "../support/engines.ts";
import { ask, startTwo, stopAll } from "../support/two-nodes.ts";

afterEach(stopAll);

/** Asks until the answer is the one wanted. @returns how long that took, in milliseconds */
async function delayUntil(wanted: number, question: () => Promise<{ status: number }>): Promise<number> {
  const started = performance.now();
  for (;;) {
    const { status } = await question();
    if (status === wanted) return performance.now() - started;
    if (performance.now() - started > 10_000) throw new Error(`still ${status} after 10 s`);
    await sleep(10);
  }
}

describe.each([["notify"], ["poll"]])("with --feed %s", (feed) => {
  it("incident 22: a token that one server changes or revokes counts so on the other within 1 s", async () => {
    const { first, second } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const root = first.token;
    await ask(first, root, "PUT", "/acl/policy", { Name: "reader", Rules: 'acl = "read"' });
    const made = await ask(first, root, "PUT", "/acl/token", { Policies: [{ Name: "reader" }] });
    const { SecretID, AccessorID } = made.body as { SecretID: string; AccessorID: string };
    const list = async () => ask(second, SecretID, "GET", "/acl/policies");
    // Twice: the second time from the cache.
    expect([(await list()).status, (await list()).status]).toEqual([200, 200]);

    expect((await ask(first, root, "PATCH", `/acl/token/${AccessorID}`, { Policies: [] })).status).toBe(200);
    expect(await delayUntil(403, list)).toBeLessThan(1000);
    await ask(first, root, "PATCH", `/acl/token/${AccessorID}`, { Policies: [{ Name: "reader" }] });
    expect(await delayUntil(200, list)).toBeLessThan(1000);
    const reader = await ask(first, root, "GET", "/acl/policy/name/reader");
    await ask(first, root, "PATCH", `/acl/policy/${String(reader.body["ID"])}`, { Rules: "" });
    expect(await delayUntil(403, list)).toBeLessThan(1000);

    const self = async () => ask(second, SecretID, "GET", "/acl/token/self");
    expect((await self()).status).toBe(200);
    expect((await ask(first, root, "DELETE", `/acl/token/${AccessorID}`)).text).toBe("true");
    expect(await delayUntil(403, self)).toBeLessThan(1000);
    // On the server that revoked it, it counts at once.
    expect((await ask(first, SecretID, "GET", "/acl/token/self")).text).toBe("ACL not found");
  });
});
