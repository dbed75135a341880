/**
 * `node bench/side.ts [--peer CONSUL] [--tree DIRECTORY]`: our server beside a peer's binary, or beside another checkout of ours, on
 * one core in turn: who is not asked is stopped. Each row is measured in `--rounds` alternating rounds (5 unless said), for
 * `--seconds` (2) each, and printed as the median of the ratios within a round. A bare Node server with the same bytes is measured
 * in the same rounds. `--row TEXT` chooses rows, `--tokens N` fills in so many tokens (50,000).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleProgram } from "../test/support/program.ts";
import { startServer } from "../test/support/server.ts";
import { startBases } from "./bases.ts";
import { describeMachine, pinned, pinSelf, processorSeconds, residentMegabytes } from "./machine.ts";
import { median } from "./median.ts";
import { refuseFailures, runLoad, tellBare } from "./scenario.ts";
import { startConsul, stopAll, type Contestant, type SideRow } from "./side/contestants.ts";
import { prepareRows } from "./side/rows.ts";
import { UNLIMITED } from "./unlimited.ts";

const { values } = parseArgs({
  options: {
    peer: { type: "string" },
    tree: { type: "string" },
    row: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    tokens: { type: "string", default: "50000" },
  },
});
const [rounds, seconds, tokens] = [values.rounds, values.seconds, values.tokens].map(Number) as [
  number,
  number,
  number,
];

/** Result of one contestant in one round of a row. */
interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of a request. */
  readonly microseconds: number;
}

async function main(): Promise<void> {
  pinSelf(1);
  const directory = mkdtempSync(join(tmpdir(), "tessera-side-"));
  const contestants: Contestant[] = [];
  const bases = await startBases(join(directory, "bases.log"));
  try {
    contestants.push(await startOurs("ours", directory));
    if (values.tree !== undefined) contestants.push(await startOurs("tree", directory, values.tree));
    if (values.peer !== undefined) contestants.push(await startConsul(values.peer, directory));
    process.stdout.write(`${describeMachine()}\n\n`);
    for (const contestant of contestants) {
      stopAll(contestants, contestant);
      contestant.rows = await prepareRows(contestant, { tokens, only: values.row });
      process.stderr.write(`${contestant.name} is filled, ${residentMegabytes(contestant.pid).toFixed(0)} MB\n`);
    }
    for (const { name } of contestants[0]?.rows ?? []) await measureRow(name, contestants, bases.bare.url);
    for (const contestant of contestants) {
      process.stdout.write(
        `${contestant.name}: ${residentMegabytes(contestant.pid).toFixed(0)} MB resident at the end\n`,
      );
    }
  } finally {
    for (const contestant of contestants) await contestant.kill();
    await bases.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function startOurs(name: string, directory: string, tree?: string): Promise<Contestant> {
  if (tree === undefined) await bundleProgram(join(directory, "program"));
  const server = await startServer({
    wrapper: pinned(0),
    dataDir: join(directory, name),
    outputFile: join(directory, `${name}.log`),
    startTimeoutMilliseconds: 60_000,
    env: UNLIMITED,
    ...(tree !== undefined && { entry: join(tree, "src/main.ts"), cwd: tree }),
  });
  const { url, token, pid } = server;
  return { name, url, token, pid, isOurs: true, rows: [], kill: () => server.kill() };
}

async function measureRow(name: string, contestants: readonly Contestant[], bare: string): Promise<void> {
  const found = new Map<string, Measured[]>();
  const bares: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of contestants) {
      const row = contestant.rows.find((each) => each.name === name);
      if (row === undefined) continue;
      stopAll(contestants, contestant);
      const measured = await measureOne(contestant, row);
      found.set(contestant.name, [...(found.get(contestant.name) ?? []), measured]);
      if (contestant === contestants[0] && row.bare !== undefined) {
        stopAll(contestants);
        bares.push(await measureBare(bare, row, measured));
      }
    }
  }
  report(name, found, bares);
}

async function measureOne({ url, token, pid }: Contestant, row: SideRow): Promise<Measured> {
  if (row.once !== undefined) return measureOnce(pid, row.once);
  const began = processorSeconds(pid);
  const { streams } = await runLoad({ url, token, pid, warmupSeconds: 0.5, seconds, streams: [row.stream()] });
  const [result] = streams;
  if (result === undefined) throw new Error(`${row.name} was not measured`);
  refuseFailures(row.name, result);
  row.sample = result;
  const microseconds = ((processorSeconds(pid) - began) * 1e6) / result.requests;
  return { perSecond: result.perSecond, p50: result.p50, p99: result.p99, microseconds };
}

async function measureOnce(pid: number, once: () => Promise<void>): Promise<Measured> {
  const [began, used] = [performance.now(), processorSeconds(pid)];
  await once();
  const took = performance.now() - began;
  return { perSecond: 1000 / took, p50: took, p99: took, microseconds: (processorSeconds(pid) - used) * 1e6 };
}

async function measureBare(url: string, row: SideRow, measured: Measured): Promise<number> {
  if (row.sample === undefined) return measured.perSecond;
  await tellBare({ url, token: "" }, row.sample);
  const { streams } = await runLoad({ url, token: "", warmupSeconds: 0.2, seconds: 1, streams: [row.stream()] });
  return measured.perSecond / (streams[0]?.perSecond ?? Infinity);
}

function report(name: string, found: ReadonlyMap<string, readonly Measured[]>, bares: readonly number[]): void {
  const [first = []] = found.values();
  const lines = [...found].map(([contestant, rows]) => {
    const of = (member: keyof Measured): number => median(rows.map((each) => each[member]));
    const ratio = median(first.map(({ perSecond }, round) => perSecond / (rows[round]?.perSecond ?? Infinity)));
    const beside = rows === first ? "" : `, ours ${ratio.toFixed(2)} times`;
    return `  ${contestant}: ${of("perSecond").toFixed(1)} /s, p50 ${of("p50").toFixed(2)} ms, p99 ${of("p99").toFixed(1)} ms, ${of("microseconds").toFixed(0)} µs${beside}`;
  });
  const bare = bares.length === 0 ? "" : ` (ours of bare: ${median(bares).toFixed(2)})`;
  process.stdout.write(`${name}${bare}\n${lines.join("\n")}\n`);
}

await main();
