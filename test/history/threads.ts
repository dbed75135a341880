/** A server with several threads on the embedded database as a run of histories wants it: each thread is a node. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readSqlite } from "../faults/stored-state.ts";
import type { RunningServer } from "../support/server.ts";
import { connectRaw, connectToAll, startThreads } from "../support/threads.ts";
import { createCaller, type Targets } from "./caller.ts";
import { CONSOLE } from "./credentials.ts";
import { readShown, unendedJobs } from "./final.ts";
import type { History } from "./history.ts";
import { mutationEnvironment, MUTATED, type MutationName } from "./mutations.ts";
import { createRandom } from "./random.ts";
import { createRecorder } from "./recorder.ts";
import { buildStage } from "./stage.ts";
import { CLIENTS, startWorkload, type Focus } from "./workload.ts";

export interface ThreadsRun {
  seed: number;
  threads: number;
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

/** Lets clients work at all threads, and returns the book that was kept of it. */
export async function recordThreads(run: ThreadsRun): Promise<History> {
  const { seed, threads, milliseconds, mutation, directory, kills = [] } = run;
  const env = mutation === undefined ? {} : mutationEnvironment(mutation);
  const args = ["--log-level", "info", "--public-url", CONSOLE];
  const start = () => startThreads(threads, { dataDir: join(directory, "data"), env, args });
  let server = await start();
  if (server.stderr.includes(MUTATED) !== (mutation !== undefined))
    throw new Error("the program is not what it should be");
  const doors = await openDoors(threads, () => server);
  const targets: Targets = { urls: doors.urls, token: server.token };
  const recorder = createRecorder(() => undefined);
  const caller = createCaller(CLIENTS + threads, targets, recorder, createRandom(seed));
  try {
    const stage = await buildStage(caller);
    const workload = startWorkload(targets, recorder, stage, seed, run.focus);
    for (const at of kills) {
      await sleep(Math.max(0, at - recorder.now()));
      const fault = { kind: "kill", at, node: 0, milliseconds: 0 } as const;
      recorder.fault("the server is killed", fault);
      await server.kill({ keepData: true });
      server = await start();
      await doors.find();
      recorder.fault("the server is there again", fault, true);
    }
    // A machine that is busy takes long for a start: what is to be seen after it still has its time.
    await sleep(Math.max(kills.length > 0 ? milliseconds / 2 : 0, milliseconds - recorder.now()));
    await workload.stopClients();
    const quietFrom = recorder.now();
    const left = await unendedJobs(caller, stage);
    await sleep(SETTLE_MS);
    const shown = await readShown(caller, threads, stage);
    const ended = recorder.now();
    await Promise.all([workload.watchers.stop(), workload.followers.stop()]);
    await server.kill({ keepData: true });
    const { faults } = await readSqlite(join(directory, "data", "tessera.db"));
    const entries = recorder.entries.toSorted((one, other) => one.invoked - other.invoked);
    const final = { ...shown, contradictions: [...recorder.contradictions, ...left, ...faults] };
    return { seed, entries, faults: recorder.faults, quietFrom, ended, final };
  } finally {
    caller.close();
    doors.close();
    await server.kill({ keepData: true });
  }
}

/** A port for each thread, behind which every connection is one to that thread. */
async function openDoors(threads: number, server: () => RunningServer) {
  let words: string[] = [];
  const sockets = new Set<Socket>();

  async function find(): Promise<void> {
    const connections = await connectToAll(server(), threads);
    words = connections.map(({ thread }) => thread);
    for (const connection of connections) connection.close();
  }

  async function connectTo(client: Socket, thread: number): Promise<void> {
    sockets.add(client);
    client.on("error", () => undefined).pause();
    const { url, token } = server();
    const head = `GET /v1/acl/token/self HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const upstream = await connectRaw(url, (word) => word === words[thread], head);
    sockets.add(upstream);
    upstream.on("error", () => undefined);
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.once("close", () => {
        other.destroy();
        sockets.delete(one);
      });
    }
    client.pipe(upstream).pipe(client);
    if (client.destroyed) upstream.destroy();
  }

  await find();
  const doors = await Promise.all(
    Array.from({ length: threads }, async (_, thread): Promise<Server> => {
      const door = createServer((client) => void connectTo(client, thread).catch(() => client.destroy()));
      await once(door.listen(0, "127.0.0.1"), "listening");
      return door;
    }),
  );
  return {
    urls: doors.map((door) => `http://127.0.0.1:${(door.address() as AddressInfo).port}`),
    find,
    close() {
      for (const door of doors) door.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
