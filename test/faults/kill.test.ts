import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer } from "../support/server.ts";
import { readPostgres, readSqlite } from "./stored-state.ts";
import { findContradictions, makeOrganization, startTagLoad, type Attempt } from "./tag-load.ts";

const random = randomOfRun();
/** Every so often, and at the end, what is stored is compared with what was answered. */
const CHECK_EVERY = sized(4, 5);

interface Case {
  engine: Engine;
  rounds: number;
}

const CASES: readonly Case[] = [
  { engine: "sqlite", rounds: sized(8, 80) },
  { engine: "postgres", rounds: sized(4, 20) },
];

test.each(CASES)(
  "kill -9 under load, again and again, loses nothing answered and leaves nothing half done ($engine)",
  async ({ engine, rounds }) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const attempts: Attempt[] = [];
    let workspace = "";
    for (let round = 0; round < rounds; round++) {
      const server = await startServer({ database, dataDir });
      if (round === 0) workspace = await makeOrganization(server.url, server.token, "killed");
      const { url, token } = server;
      const load = startTagLoad({ url, token, organization: "killed", workspace, clients: 8, prefix: `r${round}` });
      // Some rounds end while the first requests are under way, others later.
      while (load.done() < (round % 4) * 25 + 1) await sleep(1);
      await sleep(random() * 20);
      await server.kill({ keepData: true });
      await load.stop();
      attempts.push(...load.attempts);
      if (round % CHECK_EVERY !== CHECK_EVERY - 1) continue;
      const stored = engine === "sqlite" ? await readSqlite(join(dataDir, "tessera.db")) : await readPostgres(database);
      expect(stored.faults).toEqual([]);
      expect(findContradictions(attempts, stored.tags)).toEqual([]);
    }
    expect(attempts.filter((attempt) => attempt.outcome === "done").length).toBeGreaterThan(rounds * 20);
  },
);
