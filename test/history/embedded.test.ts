/** Histories of a server on the embedded database: no answer is older than one that has been given before. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { sized } from "../support/length.ts";
import { checkHistory } from "./check/check.ts";
import { rightsWithin } from "./check/owned.ts";
import { revokedWithin } from "./check/revoked.ts";
import type { History } from "./history.ts";
import { recordEmbedded, type EmbeddedRun } from "./embedded.ts";

vi.setConfig({ testTimeout: sized(180_000, 900_000) });
/** A machine that is busy with something else may do too little in one run for a fault to show. */
const ATTEMPTS = 3;

async function record(options: Omit<EmbeddedRun, "directory">): Promise<History> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-history-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return recordEmbedded({ ...options, directory });
}

/** Checks also that every answer knows what one before it has said: no time passes that could excuse it. */
function findingsOf(history: History): string[] {
  const atOnce = [...revokedWithin(0)(history), ...rightsWithin(0)(history)];
  return [...checkHistory(history), ...atOnce.map((finding) => `at once: ${finding}`)];
}

/** Kinds of operations of which some must have been done. */
const KINDS = "write read cas create delete list revoke use begin grant ask assign value job progress follow".split(
  " ",
);

test("a server that is killed: nothing that was answered was untrue, or older than what had been", async () => {
  const milliseconds = sized(15_000, 120_000);
  let missing: readonly string[] = KINDS;
  for (let attempt = 0; missing.length > 0 && attempt < ATTEMPTS; attempt++) {
    const history = await record({ seed: sized(1, 7) + attempt, milliseconds, kills: [milliseconds / 3] });
    expect(findingsOf(history)).toEqual([]);
    const done = new Set(
      history.entries.filter(({ outcome }) => outcome === "done").map(({ operation }) => operation.kind as string),
    );
    missing = KINDS.filter((kind) => !done.has(kind));
  }
  expect(missing).toEqual([]);
});

/** In the short form the first alone. */
const FOUND = [
  { mutation: "deafCaches", focus: "tokens", by: /^(?:at once|revoked|watchers|registers|lists):/ },
  { mutation: "lateCaches", focus: "tokens", by: /^at once:/ },
] as const;

test.each(FOUND.slice(0, sized(1, FOUND.length)))(
  "a program with $mutation is found out",
  async ({ by, ...options }) => {
    const found: string[] = [];
    for (let seed = 1; seed <= ATTEMPTS && found.length === 0; seed++) {
      const history = await record({ ...options, seed, milliseconds: 8000 });
      found.push(...findingsOf(history).filter((finding) => by.test(finding)));
    }
    expect(found).not.toEqual([]);
  },
);
