/**
 * `node bench/bulk.ts NAME=DIRECTORY...`: processor time of a request that gives a tag to 500 workspaces, for each of these
 * checkouts, on SQLite. Their servers run beside each other and are asked by turns. The first is what the others are held against:
 *
 *     node bench/bulk.ts before=../older now=.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleProgram } from "../test/support/program.ts";
import { startServer, type RunningServer } from "../test/support/server.ts";
import { describeMachine } from "./machine.ts";
import { median } from "./median.ts";
import { treeMicroseconds } from "./nodes/cpu.ts";
import { addWorkspaces, createOrganization, createTags, createWorkspaces, type Target } from "./seed.ts";

const WORKSPACES = 500;
const REQUESTS = 10;
const ROUNDS = 9;
/** Pages of the log are copied into the file after the requests; that time counts too. */
const SETTLE_MS = 400;

interface Build {
  name: string;
  server: RunningServer;
  target: Target;
  workspaces: string[];
  tags: string[];
  /** Milliseconds of a request, by rounds. */
  found: number[];
}

const here = resolve(import.meta.dirname, "..");

async function start(argument: string): Promise<Build> {
  const [name = "", directory = "."] = argument.split("=");
  const tree = resolve(directory);
  const isHere = tree === here;
  // Other checkouts run from their source: a bundle of this one says nothing of how they bundle.
  const server = await startServer(isHere ? {} : { entry: join(tree, "src/main.ts"), cwd: tree });
  const target = { url: server.url, token: server.token };
  await createOrganization(target, "bulk");
  const names = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}-${at}`);
  const workspaces = await createWorkspaces(target, "bulk", names("workspace", WORKSPACES));
  const tags = await createTags(target, "bulk", names("tag", REQUESTS * (ROUNDS + 1)));
  return { name, server, target, workspaces, tags, found: [] };
}

async function round({ server, target, workspaces, tags, found }: Build): Promise<void> {
  const before = treeMicroseconds([server.pid]);
  for (const tag of tags.splice(0, REQUESTS)) await addWorkspaces(target, tag, workspaces);
  await sleep(SETTLE_MS);
  found.push((treeMicroseconds([server.pid]) - before) / REQUESTS / 1000);
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
  const builds: Build[] = [];
  try {
    await bundleProgram(directory);
    for (const argument of process.argv.slice(2)) builds.push(await start(argument));
    for (let at = 0; at <= ROUNDS; at++) for (const build of builds) await round(build);
    process.stdout.write(`${describeMachine("nothing is pinned")}\n`);
    for (const { name, found } of builds) {
      // The first round warms up.
      const own = found.slice(1);
      const ratios = own.map((each, at) => each / (builds[0]?.found[at + 1] ?? Number.NaN));
      process.stdout.write(
        `${name}: ${median(own).toFixed(1)} ms (${Math.min(...own).toFixed(1)} to ${Math.max(...own).toFixed(1)}), ` +
          `${median(ratios).toFixed(2)} of the first (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})\n`,
      );
    }
  } finally {
    await Promise.all(builds.map(({ server }) => server.kill()));
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
