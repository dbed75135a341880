import { describe, expect, test } from "vitest";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sized } from "../support/length.ts";
import { seeded, seedOfRun } from "../support/seeded.ts";
import { checkCut, chooseCuts, recordServer, withoutLogSyncs, type Recording } from "./power-cut.ts";
import { whyNoTrace } from "./strace-log.ts";

const CUTS = sized(15, 200);
/** Faults that show the loss of an answered write: something made is gone, or something deleted is there. */
const LOST = /lost|came back/;
const reason = whyNoTrace();

/** Every cut that leaves a disk that breaks a promise, with what is needed to repeat it. */
async function findBroken(recording: Recording, seed: number, enough = Number.POSITIVE_INFINITY): Promise<string[]> {
  const broken: string[] = [];
  for (const [i, cut] of chooseCuts(recording, CUTS, seeded(seed)).entries()) {
    const faults = await checkCut(recording, cut, seed + i);
    if (faults.length > 0) broken.push(`seed ${seed}, cut ${i} at line ${cut}: ${faults.slice(0, 3).join("; ")}`);
    if (broken.length >= enough) break;
  }
  return broken;
}

describe.skipIf(reason !== undefined)(
  `power cut on SQLite${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    test("every disk that a power cut may leave holds all that was answered, opens and starts; without the sync it does not", async () => {
      const seed = seedOfRun();
      const recording = await recordServer();
      // Three checkpoints at least, and the log begun anew at least three times.
      expect(recording.database.syncs.length).toBeGreaterThanOrEqual(3);
      const headers = recording.log.changes.filter((change) => "offset" in change && change.offset === 0);
      expect(headers.length).toBeGreaterThanOrEqual(3);
      expect(await findBroken(recording, seed)).toEqual([]);
      // The same trace, the log's syncs taken out: the check must notice.
      const broken = await findBroken(withoutLogSyncs(recording), seed, 3);
      expect(broken.filter((text) => LOST.test(text)).length).toBeGreaterThan(0);
    });

    test("a server whose sync of the log does nothing is found out", async () => {
      const module = pathToFileURL(join(import.meta.dirname, "no-wal-sync.ts")).href;
      const recording = await recordServer({ NODE_OPTIONS: `--import=${module}` });
      expect(recording.log.syncs.every((sync) => sync.call === "fsync")).toBe(true);
      const broken = await findBroken(recording, 1, 3);
      expect(broken.filter((text) => LOST.test(text)).length).toBeGreaterThan(0);
    });
  },
);
