import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { startServer } from "../support/server.ts";
import { connectClient } from "./api-client.ts";
import { fill, mount, unmount, whyNoMount } from "./small-disk.ts";
import { readSqlite } from "./stored-state.ts";
import { findContradictions, makeOrganization, startTagLoad, type Attempt } from "./tag-load.ts";

const reason = whyNoMount();
/** Size of the disk: the log alone would fill it within a second, without a limit. */
const MEGABYTES = sized(8, 48);
/** Each stores up to a thousand tags more. */
const ROUNDS = sized(1, 6);

describe.skipIf(reason !== undefined)(
  `disk full on SQLite${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    test("writes are refused with 503, the server is not ready, reads go on, and once there is space writes work again without a restart", async () => {
      const folder = join(temporaryDirectory(), "small");
      mkdirSync(folder);
      expect(mount(folder, MEGABYTES)).toBeUndefined();
      onTestFinished(() => void unmount(folder));
      const dataDir = join(folder, "data");
      const server = await startServer({ dataDir });
      const { url, token } = server;
      const workspace = await makeOrganization(url, token, "full");
      const probe = connectClient(url, token);
      onTestFinished(() => probe.close());
      const attempts: Attempt[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const load = startTagLoad({ url, token, organization: "full", workspace, clients: 4, prefix: `r${round}` });
        while (load.done() < 20) await sleep(5);
        const ballast = fill(folder);
        const answers = (status: number) => load.attempts.filter((attempt) => attempt.status === status).length;
        while (answers(503) < 40) await sleep(5);
        for (const path of [
          "organizations/full",
          "organizations/full/tags?page%5Bsize%5D=100",
          `workspaces/${workspace}`,
        ]) {
          expect((await probe.send("GET", `/api/v2/${path}`)).status).toBe(200);
        }
        await expect.poll(async () => (await probe.send("GET", "/readyz")).status).toBe(503);
        rmSync(ballast);
        const before = load.done();
        while (load.done() < before + 100) await sleep(5);
        // Before it can fill the disk again.
        await load.stop();
        await expect.poll(async () => (await probe.send("GET", "/readyz")).status).toBe(200);
        attempts.push(...load.attempts);
      }
      const odd = attempts.filter(({ status }) => status !== 503 && (status < 200 || status >= 300));
      expect(odd).toEqual([]);
      const refused = attempts.filter((attempt) => attempt.status === 503);
      expect(refused.filter((attempt) => !attempt.retryAfter)).toEqual([]);
      expect(await server.stop()).toBe(0);
      const stored = await readSqlite(join(dataDir, "tessera.db"));
      expect(stored.faults).toEqual([]);
      expect(findContradictions(attempts, stored.tags)).toEqual([]);
    });
  },
);
