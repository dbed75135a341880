/**
 * `node bench/backup.ts [rows]`: how long a backup of so many tokens and as many links of tags takes while the server answers,
 * what others feel of it, how long its restore into either engine takes and a backup from there, and the memory of each.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../test/support/postgres.ts";
import { bundleProgram, programFile } from "../test/support/program.ts";
import { startServer } from "../test/support/server.ts";
import { copyLinks, copyToken } from "./copies.ts";
import { describeMachine, pinned, pinSelf, residentMegabytes } from "./machine.ts";
import { format } from "./report.ts";
import { call, createOrganization, createTags, createWorkspaces, type Target } from "./seed.ts";
import { log } from "./servers.ts";

const rows = Number(process.argv[2] ?? 1_000_000);
const [READERS, WRITERS, PAUSE_MS, QUIET_MS] = [6, 2, 4, 10_000];

interface Outcome {
  seconds: number;
  megabytes: number;
}

/** Runs a command of the program on any core. @throws Error when it fails */
async function run(...args: string[]): Promise<Outcome> {
  const began = performance.now();
  const child = spawn("taskset", ["-c", "0,1", process.execPath, programFile(), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let megabytes = 0;
  const timer = setInterval(() => (megabytes = Math.max(megabytes, residentMegabytes(child.pid ?? 0))), 20);
  const [code] = (await once(child, "exit")) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`tessera ${args.join(" ")} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, megabytes };
}

/**
 * Measures the latency of reads and writes for clients until a promise settles: 99th percentile and maximum, in
 * milliseconds.
 */
async function felt(target: Target, until: Promise<unknown>): Promise<string> {
  const times: Record<"reads" | "writes", number[]> = { reads: [], writes: [] };
  let isOver = false;
  const lane = async (kind: "reads" | "writes", ask: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; !isOver; round += 1) {
      const began = performance.now();
      await ask(round);
      times[kind].push(performance.now() - began);
      await sleep(PAUSE_MS);
    }
  };
  const lanes = [
    ...Array.from({ length: READERS }, () => lane("reads", () => call(target, "GET", "/v1/acl/token/self"))),
    ...Array.from({ length: WRITERS }, (_, number) =>
      lane("writes", (round) =>
        call(target, "PUT", "/v1/acl/policy", { Name: `p-${number}-${round}-${performance.now()}`.replace(".", "-") }),
      ),
    ),
  ];
  await until;
  isOver = true;
  await Promise.all(lanes);
  return Object.entries(times)
    .map(([kind, all]) => {
      const sorted = all.toSorted((one, other) => one - other);
      const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
      return `${kind} p99 ${format(p99)} ms, longest ${format(sorted.at(-1) ?? 0)} ms of ${sorted.length}`;
    })
    .join("; ");
}

function say(name: string, { seconds, megabytes }: Outcome, more = ""): void {
  process.stdout.write(`${name}: ${format(seconds)} s, ${format(megabytes)} MB${more}\n`);
}

pinSelf(1);
const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
const postgres = await startPostgres({ durable: true });
try {
  await bundleProgram(directory);
  const [data, file, copy] = [join(directory, "data"), join(directory, "backup"), join(directory, "copy")];
  const options = { wrapper: pinned(0), dataDir: data, outputFile: join(directory, "server.log") };
  const first = await startServer(options);
  const made = await call(first, "PUT", "/v1/acl/token", { Description: "the first of many" });
  await createOrganization(first, "acme");
  await createWorkspaces(first, "acme", ["first"]);
  await createTags(first, "acme", ["first"]);
  await first.stop();
  log(`${rows} tokens and links`);
  copyToken(join(data, "tessera.db"), (made as { AccessorID: string }).AccessorID, rows);
  copyLinks(join(data, "tessera.db"), rows / 100, 100);
  const server = await startServer(options);
  const target = { url: server.url, token: server.token };
  process.stdout.write(`${describeMachine()}\n${rows.toLocaleString("en-US")} tokens and as many links of tags\n`);
  process.stdout.write(`without a backup: ${await felt(target, sleep(QUIET_MS))}\n`);
  const taking = run("backup", file, "--data-dir", data);
  const others = await felt(target, taking);
  say("backup of SQLite, served", await taking, `, ${format(statSync(file).size / 2 ** 20)} MiB; meanwhile ${others}`);
  await server.stop();
  say("verify", await run("backup", "verify", file));
  mkdirSync(copy);
  copyFileSync(join(data, "master-key"), join(copy, "master-key"));
  say("restore into SQLite", await run("restore", file, "--data-dir", copy));
  const place = ["--data-dir", copy, "--database", postgres.url];
  say("restore into PostgreSQL", await run("restore", file, ...place));
  say("backup of PostgreSQL", await run("backup", `${file}-2`, ...place));
} finally {
  await postgres.stop("immediate");
  rmSync(directory, { recursive: true, force: true });
}
