/** Two servers, each a process of its own, on one PostgreSQL: a token that one disables is refused by the other. */
import { afterEach, describe, expect, test } from "vitest";
import { makeDatabaseUrl } from "../../../test/support/engines.ts";
import { ask, startTwo, stopAll, untilWaiting } from "../../../test/support/two-nodes.ts";

afterEach(stopAll);

describe.each([["notify"], ["poll"]])("with --feed %s", (feed) => {
  test("a disabled token is refused by the other server, where its waits end, until it is enabled", async () => {
    const { first, second, token: root } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const change = async (path: string, body?: object) => {
      const answer = await ask(first, root, "PUT", path, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body as { AccessorID: string; SecretID: string };
    };
    await change("/acl/policy", { Name: "reader", Rules: 'acl = "read"' });
    const { AccessorID, SecretID } = await change("/acl/token", { Policies: [{ Name: "reader" }] });
    const list = () => ask(second, SecretID, "GET", "/acl/policies");
    const text = async () => (await list()).text;
    await expect.poll(async () => (await list()).status, { timeout: 60_000, interval: 10 }).toBe(200);
    const { index } = await list();
    const waiting = ask(second, SecretID, "GET", `/acl/policies?index=${index}&wait=5m`);
    await untilWaiting(second, root, 1);
    await change(`/acl/token/${AccessorID}/disable`);
    expect((await waiting).text).toContain("is disabled");
    await expect.poll(text, { timeout: 60_000, interval: 10 }).toContain("is disabled");
    await change(`/acl/token/${AccessorID}/enable`);
    await expect.poll(async () => (await list()).status, { timeout: 60_000, interval: 10 }).toBe(200);
  });
});
