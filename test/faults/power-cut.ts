/** Runs a server under strace and load, and looks at the disks that a power cut would have left behind. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { bootstrapTokens } from "../../src/acl/tokens/bootstrap.ts";
import { createTokenResolver } from "../../src/acl/tokens/resolve.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { seeded, type Random } from "../support/seeded.ts";
import { writeImage } from "./disk-image.ts";
import { readDiskTrace, type DiskTrace, type Inode } from "./disk-trace.ts";
import { readSqlite } from "./stored-state.ts";
import { straceCommand } from "./strace-log.ts";
import { findContradictions, makeOrganization, startTagLoad, type Attempt } from "./tag-load.ts";

export interface Recording {
  readonly root: string;
  readonly dataDir: string;
  readonly token: string;
  readonly trace: DiskTrace;
  readonly attempts: readonly Attempt[];
  readonly database: Inode;
  readonly log: Inode;
}

const CLIENTS = 4;
const BURSTS = 6;
const BURST_ANSWERS = 60;

/** Traces a server from its first start on, through bursts of load with a checkpoint after each. */
export async function recordServer(env: Record<string, string> = {}): Promise<Recording> {
  const root = join(temporaryDirectory(), "root");
  const traceFile = join(temporaryDirectory(), "trace");
  mkdirSync(root);
  const dataDir = join(root, "data");
  const boot = `--import=${pathToFileURL(join(import.meta.dirname, "another-boot.ts")).href}`;
  const server = await startServer({
    dataDir,
    env: { ...env, NODE_OPTIONS: [boot, env["NODE_OPTIONS"] ?? ""].join(" ").trim() },
    wrapper: straceCommand(traceFile),
    startTimeoutMilliseconds: 60_000,
  });
  const { url, token } = server;
  const workspace = await makeOrganization(url, token, "cut");
  const load = startTagLoad({ url, token, organization: "cut", workspace, clients: CLIENTS, batch: 8 });
  for (let burst = 1; burst <= BURSTS; burst++) {
    while (load.done() < burst * BURST_ANSWERS) await sleep(2);
    if (burst === BURSTS) break;
    // Long enough for the log to be copied whole, so that the next write begins it anew.
    await load.pause();
    await sleep(600);
    load.resume();
  }
  await server.kill({ keepData: true });
  await load.stop();
  const trace = readDiskTrace(await readWhole(traceFile), root);
  const file = (name: string): Inode => {
    const inode = trace.files.get(join(dataDir, name));
    if (inode === undefined) throw new Error(`${name} is not in the trace`);
    return inode;
  };
  const [database, log] = [file("tessera.db"), file("tessera.db-wal")];
  return { root, dataDir, token, trace, attempts: load.attempts, database, log };
}

/** strace outlives the server by a moment. */
async function readWhole(file: string): Promise<string> {
  for (let before = -1; ;) {
    const text = readFileSync(file, "latin1");
    if (text.length === before) return text;
    before = text.length;
    await sleep(300);
  }
}

/** The same run, had the syncs of the log's own thread not happened; those of SQLite itself stay. */
export function withoutLogSyncs(recording: Recording): Recording {
  const { log, trace } = recording;
  const bare: Inode = { ...log, syncs: log.syncs.filter((sync) => sync.call !== "fdatasync") };
  const namings = trace.namings.map((naming) => (naming.inode === log ? { ...naming, inode: bare } : naming));
  return { ...recording, log: bare, trace: { ...trace, namings } };
}

/** Lines at which the power may go: at answers, in checkpoints, in the first start, and anywhere. */
export function chooseCuts(recording: Recording, count: number, random: Random): number[] {
  const pick = (lines: readonly number[]) => lines[Math.floor(random() * lines.length)] ?? 0;
  const answers = [...recording.trace.answers.values()].flat();
  const first = Math.min(...answers);
  const checkpoints = recording.database.syncs.flatMap(({ start, end }) => [start - 1, start, end - 1, end, end + 2]);
  const namings = recording.trace.namings.flatMap(({ start, end }) => [start, end, end + 1, end + 2]);
  const ways = [
    () => pick(answers),
    () => first + Math.floor(random() * (recording.trace.lines - first)),
    () => pick(answers),
    () => pick(checkpoints),
    () => pick(namings),
    () => Math.floor(random() * first),
  ];
  return Array.from({ length: count }, (_, i) => ways[i % ways.length]?.() ?? 0);
}

/**
 * Attempts as each client knew them at a cut: the outcome of its next request is unknown, later requests were not sent
 * yet.
 */
function knownAt(recording: Recording, cut: number): Attempt[] {
  const known: Attempt[] = [];
  for (let client = 0; client < CLIENTS; client++) {
    const places = new Map<number, number>();
    let pending = true;
    for (const attempt of recording.attempts.filter((one) => one.client === client)) {
      const place = places.get(attempt.port) ?? 0;
      places.set(attempt.port, place + 1);
      const line = recording.trace.answers.get(attempt.port)?.[place] ?? Number.POSITIVE_INFINITY;
      if (line <= cut) known.push(attempt);
      else known.push({ ...attempt, outcome: pending ? "unknown" : "refused", seen: [] });
      pending &&= line <= cut;
    }
  }
  return known;
}

/** Makes the disk of one cut, looks at it and starts from it. @returns what is wrong with it */
export async function checkCut(recording: Recording, cut: number, seed: number): Promise<string[]> {
  const folder = temporaryDirectory();
  writeImage(recording.trace, recording.root, cut, seeded(seed), folder);
  const dataDir = join(folder, "data");
  const path = join(dataDir, "tessera.db");
  const known = knownAt(recording, cut);
  const answered = known.some((attempt) => attempt.outcome === "done");
  const faults: string[] = [];
  try {
    const token = join(dataDir, "management-token");
    if (answered && (!existsSync(token) || readFileSync(token, "utf8").trim() !== recording.token)) {
      faults.push("the management token is lost");
    }
    // Half of them are started as they are, half after SQLite alone has looked at them.
    if (answered && seed % 2 === 0) faults.push(...(await checkContent(path, known)));
    faults.push(...(await checkStart(dataDir)));
    faults.push(...(await checkContent(path, known)));
  } catch (error) {
    faults.push(String(error));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return faults;
}

async function checkContent(path: string, known: readonly Attempt[]): Promise<string[]> {
  const stored = await readSqlite(path);
  return [...stored.faults, ...findContradictions(known, stored.tags)];
}

async function checkStart(dataDir: string): Promise<string[]> {
  const silent = () => undefined;
  const path = join(dataDir, "tessera.db");
  const db = await openDatabase({ url: `sqlite:${path}`, dataDir, onFatal: silent, onWarning: silent });
  try {
    await bootstrapTokens(db, { dataDir, mode: "auto", initialManagementToken: undefined }, new Date().toISOString());
    const file = join(dataDir, "management-token");
    if (!existsSync(file)) return ["no file holds the management token"];
    const settings = {
      nodeName: "test",
      datacenter: "dc1",
      defaultPolicy: "deny" as const,
      edition: "enterprise" as const,
    };
    const actor = await createTokenResolver(db, settings, Date.now)(readFileSync(file, "utf8").trim());
    return actor === undefined ? ["the management token's file does not open the server"] : [];
  } finally {
    await db.close();
  }
}
