/** Tests that a write on one server wakes a client that waits on another, also while the feed between them is cut. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { makeDatabaseUrl } from "../support/engines.ts";
import { ask, startTwo, stopAll, untilWaiting } from "../support/two-nodes.ts";

afterEach(stopAll);

// Each waits for longer than its test may take: only a wake brings the answer.
describe.each(["notify", "poll"] as const)("with --feed %s", (feed) => {
  it("waiters hear of the other server's writes", async () => {
    const { first, second, token } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const made = JSON.parse((await ask(first, token, "PUT", "/acl/policy", { Name: "one" })).text) as { ID: string };
    for (let round = 0; round < 5; round++) {
      const { index } = await ask(second, token, "GET", `/acl/policy/${made.ID}`);
      const waiting = ask(second, token, "GET", `/acl/policy/${made.ID}?wait=10m&index=${index}`);
      await untilWaiting(second, token, 1);
      await ask(first, token, "PATCH", `/acl/policy/${made.ID}`, { Description: `round ${round}` });
      const answer = await waiting;
      expect(answer.text).toContain(`round ${round}`);
      expect(answer.index).toBeGreaterThan(index);
    }
  });

  it("a waiter whose token the other server revokes is refused at once", async () => {
    const { first, second, token } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const links = { Policies: [{ Name: "global-management" }] };
    const made = JSON.parse((await ask(first, token, "PUT", "/acl/token", links)).text) as Record<string, string>;
    const { index } = await ask(second, made["SecretID"] ?? "", "GET", "/acl/policies");
    const waiting = ask(second, made["SecretID"] ?? "", "GET", `/acl/policies?wait=10m&index=${index}`);
    await untilWaiting(second, token, 1);
    await ask(first, token, "DELETE", `/acl/token/${made["AccessorID"]}`);
    expect((await waiting).status).toBe(403);
  });
});

it("a thousand waiters are answered by polling while the feed's connection is cut again and again", async () => {
  const url = await makeDatabaseUrl("postgres");
  const { first, second, token } = await startTwo(url, []);
  const { index } = await ask(second, token, "GET", "/acl/roles");
  const waiting = Array.from({ length: 1000 }, () => ask(second, token, "GET", `/acl/roles?wait=10m&index=${index}`));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const cut = setInterval(() => {
    const cutting = client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like any(array['%:${first.pid}', '%:${second.pid}']) and query like any(array['%listen%', '%pg_notify%', '%partition/%'])`,
    );
    cutting.catch(() => undefined);
  }, 20);
  await sleep(2000);
  const made = await ask(first, token, "PUT", "/acl/role", { Name: "made-meanwhile" });
  expect(made.status).toBe(200);
  const answers = await Promise.all(waiting);
  clearInterval(cut);
  await client.end();
  expect(answers.filter(({ status, text }) => status === 200 && text.includes("made-meanwhile"))).toHaveLength(1000);
});
