/** Records on their way from two servers of one database to one webhook. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startAuditTarget, type AuditTarget } from "../support/audit-target.ts";
import { makeDatabaseUrl } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import type { RunningServer } from "../support/server.ts";
import { ask, startTwo, stopAll } from "../support/two-nodes.ts";

const random = randomOfRun();
const WRITES = sized(60, 400);
const CHAIN = "partition/default";
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

afterEach(stopAll);

function start(target: AuditTarget, database: string) {
  return startTwo(database, ["--audit-webhook", target.url, "--outbound-allow", "127.0.0.1"]);
}

/** Policies of these names, made one after the other; those that were acknowledged. */
async function make(server: RunningServer, token: string, name: string, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let number = 0; number < count; number++) {
    const Name = `${name}-${number}`;
    const answer = await ask(server, token, "PUT", "/acl/policy", { Name }).catch(() => undefined);
    if (answer === undefined) return made;
    expect(answer.status).toBe(200);
    made.push(Name);
  }
  return made;
}

const namesIn = ({ taken }: AuditTarget) =>
  new Set(taken.flatMap((line) => (line.type === "record" && line.record.chain === CHAIN ? [line.record.name] : [])));

test("what both write comes in the order of their chain, each record once", async () => {
  const target = await startAuditTarget();
  const { first, second, token } = await start(target, await makeDatabaseUrl("postgres"));
  const made = (await Promise.all([make(first, token, "a", WRITES), make(second, token, "b", WRITES)])).flat();
  expect(made).toHaveLength(2 * WRITES);
  await expect.poll(() => new Set(made).difference(namesIn(target)).size, { timeout: 60_000 }).toBe(0);
  const places = target.places(CHAIN);
  expect(places).toEqual(upTo(places.length));
});

test("kill -9 of the one that posts has the other go on: in order, at least once, and nothing is missing", async () => {
  const target = await startAuditTarget();
  const { first, second, token } = await start(target, await makeDatabaseUrl("postgres"));
  const writing = [make(first, token, "a", Infinity), make(second, token, "b", WRITES)];
  // The first has the lease, since it was there first.
  await expect.poll(() => target.places(CHAIN).length, { timeout: 60_000 }).toBeGreaterThan(5);
  await sleep(random() * 300);
  await first.kill({ keepData: true });
  const made = (await Promise.all(writing)).flat();
  await expect.poll(() => new Set(made).difference(namesIn(target)).size, { timeout: 60_000 }).toBe(0);
  const places = [...new Set(target.places(CHAIN))];
  expect(places).toEqual(upTo(places.length));
});
