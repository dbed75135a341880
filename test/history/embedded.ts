/** One server on the embedded database as a run of histories wants it, which may be killed and started again. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readSqlite } from "../faults/stored-state.ts";
import { startServer } from "../support/server.ts";
import { createCaller, type Targets } from "./caller.ts";
import { CONSOLE } from "./credentials.ts";
import { readShown, unendedJobs } from "./final.ts";
import type { History } from "./history.ts";
import { mutationEnvironment, MUTATED, type MutationName } from "./mutations.ts";
import { createRandom } from "./random.ts";
import { createRecorder } from "./recorder.ts";
import { buildStage } from "./stage.ts";
import { CLIENTS, startWorkload, type Focus } from "./workload.ts";

export interface EmbeddedRun {
  seed: number;
  milliseconds: number;
  focus?: Focus;
  mutation?: MutationName;
  /** When the server is killed, and started again at once. */
  kills?: readonly number[];
  /** Directory for the server's data. */
  directory: string;
}

/** Time for requests that are still under way, and for watchers to see the last state. */
const SETTLE_MS = 1500;

/** Lets clients work at the server, and returns the book that was kept of it. */
export async function recordEmbedded(run: EmbeddedRun): Promise<History> {
  const { seed, milliseconds, mutation, directory, kills = [] } = run;
  const dataDir = join(directory, "data");
  const env = mutation === undefined ? {} : mutationEnvironment(mutation);
  const args = ["--log-level", "info", "--public-url", CONSOLE];
  const start = (listen = "127.0.0.1:0") => startServer({ dataDir, env, args, listen });
  let server = await start();
  if (server.stderr.includes(MUTATED) !== (mutation !== undefined))
    throw new Error("the program is not what it should be");
  const { url, token } = server;
  const targets: Targets = { urls: [url], token };
  const recorder = createRecorder(() => undefined);
  const caller = createCaller(CLIENTS + 1, targets, recorder, createRandom(seed));
  try {
    const stage = await buildStage(caller);
    const workload = startWorkload(targets, recorder, stage, seed, run.focus);
    for (const at of kills) {
      await sleep(Math.max(0, at - recorder.now()));
      const fault = { kind: "kill", at, node: 0, milliseconds: 0 } as const;
      recorder.fault("the server is killed", fault);
      await server.kill({ keepData: true });
      server = await start(new URL(url).host);
      recorder.fault("the server is there again", fault, true);
    }
    // A machine that is busy takes long for a start: what is to be seen after it still has its time.
    await sleep(Math.max(kills.length > 0 ? milliseconds / 2 : 0, milliseconds - recorder.now()));
    await workload.stopClients();
    const quietFrom = recorder.now();
    const left = await unendedJobs(caller, stage);
    await sleep(SETTLE_MS);
    const shown = await readShown(caller, 1, stage);
    const ended = recorder.now();
    await Promise.all([workload.watchers.stop(), workload.followers.stop()]);
    await server.kill({ keepData: true });
    const { faults } = await readSqlite(join(dataDir, "tessera.db"));
    const entries = recorder.entries.toSorted((one, other) => one.invoked - other.invoked);
    const final = { ...shown, contradictions: [...recorder.contradictions, ...left, ...faults] };
    return { seed, entries, faults: recorder.faults, quietFrom, ended, final };
  } finally {
    caller.close();
    await server.kill({ keepData: true });
  }
}
