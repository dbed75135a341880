/**
 * Records one history and checks it: `node test/history/run.ts [--seconds 60] [--seed N] [--cluster local|patroni]
 * [--url postgres://…] [--mutation NAME]`. Ends with 1 when the history shows what it must not, or too little to prove anything, and leaves
 * it in a file then.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkHistory } from "./check/check.ts";
import { findGaps } from "./check/enough.ts";
import type { Cluster } from "./cluster.ts";
import { FAULT_KINDS } from "./faults.ts";
import { startUrlCluster } from "../engines/url-cluster.ts";
import { bundleProgram } from "../support/program.ts";
import { startLocalCluster } from "./local-cluster.ts";
import { isMutation, MUTATIONS } from "./mutations.ts";
import { recordHistory } from "./record.ts";
import { summarize } from "./summary.ts";

const NODES = 3;
/** From which length on a run has every kind of fault: a fail-over of Patroni alone takes some 40 s. */
const ALL_KINDS_SECONDS = { local: 60, patroni: 90 };

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    cluster: { type: "string", default: "local" },
    mutation: { type: "string" },
    // A database that is there already, without a standby.
    url: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(seed)) fail("--seconds and --seed are numbers");
const isPatroni = values.cluster === "patroni";
const { mutation } = values;
if (mutation !== undefined && !isMutation(mutation)) fail(`--mutation is one of ${Object.keys(MUTATIONS).join(", ")}`);

say(`seed ${seed}, ${seconds} s, cluster ${values.cluster}${mutation === undefined ? "" : `, mutation ${mutation}`}`);
const directory = mkdtempSync(join(tmpdir(), "tessera-history-"));
// With the console, at which clients sign in.
await bundleProgram(join(directory, "program"));
const cluster =
  values.url === undefined ? await startCluster(values.cluster) : await startUrlCluster(values.url, NODES);
let findings: string[];
try {
  const { history, sent } = await recordHistory({
    cluster,
    seed,
    milliseconds: seconds * 1000,
    directory,
    onFault: (at, what) => say(`${(at / 1000).toFixed(1).padStart(6)} s  ${what}`),
    ...(mutation === undefined ? {} : { mutation }),
  });
  say(summarize(history, sent, NODES));
  // On a database that others run, no primary is killed and no standby is held up.
  const kinds =
    values.url === undefined && seconds >= ALL_KINDS_SECONDS[isPatroni ? "patroni" : "local"] ? FAULT_KINDS : [];
  findings = [...checkHistory(history), ...findGaps(history, { nodes: NODES, kinds })];
  if (findings.length > 0) writeFileSync(join(directory, "history.json"), JSON.stringify(history));
} finally {
  await cluster.stop();
}
for (const finding of findings) say(`FOUND ${finding}`);
say(findings.length === 0 ? "nothing found" : `${findings.length} findings; the history and the logs: ${directory}`);
if (findings.length === 0) rmSync(directory, { recursive: true });
process.exit(findings.length === 0 ? 0 : 1);

async function startCluster(name: string): Promise<Cluster> {
  if (name === "local") return startLocalCluster(NODES);
  if (name !== "patroni") fail("--cluster is local or patroni");
  const { startPatroniCluster } = await import("./patroni/patroni-cluster.ts");
  return startPatroniCluster(NODES);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}
