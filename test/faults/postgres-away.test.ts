import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sized } from "../support/length.ts";
import { startPostgres } from "../support/postgres.ts";
import { startServer } from "../support/server.ts";
import { connectClient } from "./api-client.ts";
import { readPostgres } from "./stored-state.ts";
import { findContradictions, makeOrganization, startTagLoad, type Attempt } from "./tag-load.ts";

const ROUNDS = sized(2, 8);

test("PostgreSQL killed under load: 503 until it is back, then on without a restart; nothing answered is lost", async () => {
  const postgres = await startPostgres({ durable: "kills" });
  onTestFinished(() => postgres.stop("immediate"));
  const server = await startServer({ database: postgres.url });
  onTestFinished(async () => void (await server.stop()));
  const { url, token } = server;
  const workspace = await makeOrganization(url, token, "away");
  const probe = connectClient(url, token);
  onTestFinished(() => probe.close());
  const attempts: Attempt[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const load = startTagLoad({ url, token, organization: "away", workspace, clients: 8, prefix: `r${round}` });
    const answers = (status: number) => load.attempts.filter((attempt) => attempt.status === status).length;
    while (load.done() < 60) await sleep(5);
    await postgres.kill();
    while (answers(503) < 20) await sleep(5);
    // While it is away, reads say so too, and the process says that it is alive and not ready.
    const read = await probe.send("GET", "/api/v2/organizations/away/tags");
    expect([read.status, read.headers["retry-after"]]).toEqual([503, "1"]);
    expect((await probe.send("GET", "/healthz")).status).toBe(200);
    expect((await probe.send("GET", "/readyz")).status).toBe(503);
    await postgres.restart();
    const before = load.done();
    while (load.done() < before + 60) await sleep(5);
    await load.stop();
    attempts.push(...load.attempts);
    const stored = await readPostgres(postgres.url);
    expect(stored.faults).toEqual([]);
    expect(findContradictions(attempts, stored.tags)).toEqual([]);
  }
  expect((await probe.send("GET", "/readyz")).status).toBe(200);
  // Nothing but success and 503, and each refusal that had no effect says when to try again.
  const odd = attempts.filter(({ status }) => status !== 503 && (status < 200 || status >= 300));
  expect(odd).toEqual([]);
  const refused = attempts.filter((attempt) => attempt.outcome === "refused");
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter((attempt) => !attempt.retryAfter)).toEqual([]);
  expect(await server.stop()).toBe(0);
});
