/** Short runs: a fixed list of faults that the program has to stand, and faults of the program that have to be found. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sized } from "../support/length.ts";
import { checkHistory } from "./check/check.ts";
import { findGaps } from "./check/enough.ts";
import type { Cluster } from "./cluster.ts";
import type { Fault } from "./faults.ts";
import type { History } from "./history.ts";
import { startLocalCluster } from "./local-cluster.ts";
import { recordHistory, type RunOptions } from "./record.ts";
import { summarize } from "./summary.ts";

const NODES = 3;
/** A machine that is busy with something else may do too little in one run for a fault to show, or for a run to prove anything. */
const ATTEMPTS = 3;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startLocalCluster(NODES);
});
afterAll(() => cluster.stop(), 30_000);

/** Records a run in a database of its own. Prints what it did, with the seed, so that it can be repeated. */
async function record(name: string, options: Omit<RunOptions, "cluster" | "directory" | "database">): Promise<History> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-history-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const database = `history_${name}_${options.seed}`;
  const { history, sent } = await recordHistory({ ...options, cluster, directory, database });
  process.stdout.write(`${name}, seed ${options.seed}: ${summarize(history, sent, NODES)}\n`);
  return history;
}

test("nodes and connections that fail, and a promoted standby: nothing that was answered was untrue", async () => {
  const faults: Fault[] = [
    { kind: "kill", at: 1500, node: 0, milliseconds: 300 },
    { kind: "cut", at: 2500, node: 1 },
    { kind: "swallow", at: 4000, node: 1, milliseconds: 2500 },
    { kind: "pause", at: 5000, node: 2, milliseconds: 2500 },
    { kind: "clock", at: 7000, node: 0, milliseconds: 1200 },
    { kind: "delay-replica", at: 8000, milliseconds: 1500 },
    { kind: "fail-over", at: 10_000 },
    { kind: "swallow", at: 13_000, node: 2, milliseconds: 1500 },
    { kind: "kill", at: 15_000, node: 1, milliseconds: 300 },
    { kind: "cut", at: 17_000, node: 0 },
  ];
  let gaps: string[] = [];
  for (let seed = 1; seed <= ATTEMPTS; seed++) {
    const history = await record("mended", { seed, milliseconds: 18_000, faults });
    expect(history.faults.map(({ what }) => what).join("\n")).toMatch(/promoted[^]*follows the new primary/);
    expect(checkHistory(history)).toEqual([]);
    gaps = findGaps(history, { nodes: NODES, faults });
    if (gaps.length === 0) break;
  }
  expect(gaps).toEqual([]);
});

/** Runs in which each mutation shows, and the checks of which one has to find it. */
const FOUND: readonly (Pick<RunOptions, "mutation" | "focus" | "milliseconds" | "faults"> & { readonly by: RegExp })[] =
  [
    { mutation: "eager", focus: "registers", milliseconds: 4000, faults: [], by: /^(?:registers|lost|lists):/ },
    { mutation: "cached", focus: "rights", milliseconds: 5000, faults: [], by: /^(?:rights|revoked):/ },
    { mutation: "deaf", focus: "tokens", milliseconds: 5000, faults: [], by: /^(?:revoked|watchers):/ },
    {
      mutation: "trusting",
      focus: "tokens",
      milliseconds: 8500,
      // Long enough for a revoked token to be tried more than a second later. Two nodes: one may have emptied its
      // cache just before, when a poll found a change and the message that explains it was lost.
      faults: [1, 2].map((node) => ({ kind: "swallow", at: 2500, node, milliseconds: 5500 })),
      by: /^revoked:/,
    },
  ];

/** In the short form the first alone: that the checks find what they must is tested on made-up histories too. */
test.each(FOUND.slice(0, sized(1, FOUND.length)))(
  "a program that is $mutation is found out",
  async ({ by, ...options }) => {
    const found: string[] = [];
    for (let seed = 1; seed <= ATTEMPTS && found.length === 0; seed++) {
      const history = await record(options.mutation ?? "", { ...options, seed });
      found.push(...checkHistory(history).filter((finding) => by.test(finding)));
    }
    expect(found).not.toEqual([]);
  },
);
