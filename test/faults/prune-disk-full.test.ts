import { mkdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { oldAuditRecords } from "../../src/records/retention.ts";
import { startRemoval } from "../../src/storage/operator/removal.ts";
import { recordAll, recordsOf, signToEnd, verified } from "../support/audit.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { openForTest } from "../support/storage.ts";
import { fill, mount, unmount, whyNoMount } from "./small-disk.ts";

const reason = whyNoMount();
const CHAIN = "partition/default";
const RECORDS = 6000;
/** Disk space left, in bytes, when pruning of records begins: room for some of it. */
const SPARE = 1024 * 1024;

/** Copies SQLite's log into the database and leaves it empty: later writes need room. */
async function emptyLog(file: string): Promise<void> {
  const db = new DatabaseSync(file);
  // Waits for current readers and writers.
  await expect.poll(() => db.prepare("pragma wal_checkpoint(truncate)").get()).toMatchObject({ busy: 0 });
  db.close();
}

describe.skipIf(reason !== undefined)(
  `records pruned on a full disk${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    test("each chain stays whole behind its last cut, and what is too old goes once there is space", async () => {
      const folder = join(temporaryDirectory(), "small");
      mkdirSync(folder);
      expect(mount(folder, 32)).toBeUndefined();
      onTestFinished(() => void unmount(folder));
      const file = join(folder, "tessera.db");
      const db = await openForTest(`sqlite:${file}`);
      const names = Array.from({ length: RECORDS }, (_, index) => `n${index}`);
      for (let at = 0; at < RECORDS; at += 1000) await recordAll(db, names.slice(at, at + 1000));
      await signToEnd(db, CHAIN);
      await emptyLog(file);
      const ballast = fill(folder);
      truncateSync(ballast, statSync(ballast).size - SPARE);
      const errors: unknown[] = [];
      const old = oldAuditRecords(db, { keepMs: 1, keepRefusedReadsMs: 1, everyMs: 0 });
      const removal = startRemoval(db, old, (error) => errors.push(error));
      onTestFinished(() => removal.stop());
      await expect.poll(() => errors.length, { timeout: 60_000 }).toBeGreaterThan(0);
      const { records, findings } = await verified(db);
      expect(findings).toEqual([]);
      expect(records).toBeGreaterThan(100);
      expect(records).toBeLessThan(RECORDS);
      rmSync(ballast);
      await expect.poll(async () => (await recordsOf(db, CHAIN))[0]?.seq, { timeout: 60_000 }).toBe(RECORDS);
      expect((await verified(db)).findings).toEqual([]);
    });
  },
);
