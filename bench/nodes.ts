/**
 * `node bench/nodes.ts [--only NAME] [--seconds N]`: several nodes on one durable PostgreSQL. How fast a write reaches a
 * waiter on another node, what a second node, a second process and a replica change, and what a request costs.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { describeMachine, pinSelf } from "./machine.ts";
import { benchPartitions } from "./nodes/partitions.ts";
import { benchPropagation } from "./nodes/propagation.ts";
import { benchProcesses, benchTwoNodes } from "./nodes/reads.ts";
import { benchRequests } from "./nodes/requests.ts";
import { benchStale } from "./nodes/stale.ts";
import { log } from "./servers.ts";

/** One measurement with nodes and a database of its own. */
interface Section {
  readonly name: string;
  /** Whether all but the nodes is kept on core 1. */
  readonly isPinned: boolean;
  run(seconds: number): Promise<string>;
}

/** Sections to run. The sections that pin come last: a pinned process cannot be unpinned everywhere. */
const SECTIONS: readonly Section[] = [
  { name: "propagation", isPinned: false, run: benchPropagation },
  { name: "two", isPinned: false, run: benchTwoNodes },
  { name: "processes", isPinned: false, run: benchProcesses },
  { name: "partitions", isPinned: false, run: benchPartitions },
  { name: "stale", isPinned: true, run: benchStale },
  { name: "cost", isPinned: true, run: benchRequests },
];

const usage = `node bench/nodes.ts [options]
  --only NAME   one of ${SECTIONS.map(({ name }) => name).join(", ")}; all when left out
  --seconds N   how long each load is measured, default 1.5
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: "" },
      seconds: { type: "string", default: "1.5" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error("--seconds must be a positive number");
  const sections = SECTIONS.filter(({ name }) => values.only === "" || name === values.only);
  if (sections.length === 0) throw new Error(`no section is called "${values.only}"\n${usage}`);
  const load = loadavg()[0]?.toFixed(2) ?? "";
  process.stdout.write(`${describeMachine().split(";")[0]}, PostgreSQL; load of the machine before: ${load}\n`);
  for (const { name, isPinned, run } of sections) {
    if (isPinned) pinSelf(1);
    const began = performance.now();
    const table = await run(seconds);
    log(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
    process.stdout.write(`\n${table}\n`);
  }
}

await main();
