/** Restores backups that are taken under load, and compares each with what was written. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory, type Engine } from "../../support/engines.ts";
import { startServer } from "../../support/server.ts";
import { callerOf, type Caller } from "../../upgrades/caller.ts";
import { emptyPlace, tessera, type Place } from "../command.ts";
import { checkInstant, type Done, type State } from "./history.ts";

export interface DrillOptions {
  engine: Engine;
  backups: number;
  /** Writes of each writer between two backups, at least. */
  writes: number;
  say: (text: string) => void;
}

/** Half of them write in one partition, half in another: an instant is one of both. */
const PARTITIONS = ["default", "drill"];
const WRITERS = 8;
/** Objects that a writer has at a time. */
const KEPT = 3;

/**
 * Runs it to its end.
 *
 * @returns what is wrong with any of the backups @throws Error when one cannot be made or restored
 */
export async function drill({ engine, backups, writes, say }: DrillOptions): Promise<string[]> {
  const source = await emptyPlace(engine);
  const server = await startServer(source);
  const findings: string[] = [];
  try {
    const call = callerOf(server.url);
    await call("PUT", "/v1/partition", { Name: PARTITIONS[1] }, server.token);
    const load = startWriters(call, server.token);
    try {
      for (let number = 1; number <= backups; number++) {
        await load.untilWritten(writes);
        const file = join(temporaryDirectory(), "backup");
        const began = performance.now();
        await succeed("backup", file, ...source.where);
        const ended = performance.now();
        // The backup must not contain later writes: wait until there are some.
        await load.untilWritten(5);
        const into: Engine = (number % 2 === 0) === (engine === "sqlite") ? "sqlite" : "postgres";
        const restored = await readRestored(file, await emptyPlace(into, source), server.token);
        const found = checkInstant(load.history(), restored, { began, ended });
        say(`${engine} to ${into}: a backup of ${(ended - began).toFixed(0)} ms, ${found.length} findings`);
        findings.push(...found.map((finding) => `${engine} to ${into}, backup ${number}: ${finding}`));
      }
    } finally {
      await load.stop();
    }
  } finally {
    await server.stop();
  }
  return findings;
}

async function succeed(...args: string[]): Promise<void> {
  const { status, stderr } = await tessera(...args);
  if (status !== 0) throw new Error(`tessera ${args[0]} ended with ${status}: ${stderr}`);
}

/** Restores a backup and reads it as any client does. */
async function readRestored(file: string, target: Place, token: string): Promise<State[]> {
  await succeed("restore", file, ...target.where);
  const server = await startServer(target);
  try {
    const states = Array.from({ length: WRITERS }, () => new Map<string, string>());
    for (const partition of PARTITIONS) {
      const list = (await callerOf(server.url)("GET", `/v1/acl/policies?partition=${partition}`, undefined, token)) as {
        Name: string;
        Description: string;
      }[];
      for (const { Name, Description } of list) {
        const writer = /^w(\d+)-/.exec(Name)?.[1];
        if (writer !== undefined) states[Number(writer)]?.set(Name, Description);
      }
    }
    return states;
  } finally {
    await server.stop();
  }
}

/** Each makes a policy, changes it, and deletes the oldest of its own, again and again, one write after the other. */
function startWriters(call: Caller, token: string) {
  const history = Array.from({ length: WRITERS }, (): Done[] => []);
  let isOver = false;
  let failure: Error | undefined;

  async function write(writer: number): Promise<void> {
    const where = `?partition=${PARTITIONS[writer % PARTITIONS.length]}`;
    const kept: { id: string; name: string }[] = [];
    const note = async (name: string, value: string | undefined, work: () => Promise<unknown>): Promise<unknown> => {
      const done: Done = { name, value, sentAt: performance.now(), answeredAt: Infinity };
      history[writer]?.push(done);
      const answer = await work();
      done.answeredAt = performance.now();
      return answer;
    };
    for (let round = 1; !isOver; round++) {
      const name = `w${writer}-${round}`;
      const put = (path: string, Description: string) => () =>
        call("PUT", `/v1/acl/policy${path}${where}`, { Name: name, Description, Rules: 'acl = "read"' }, token);
      const { ID: id } = (await note(name, "new", put("", "new"))) as { ID: string };
      kept.push({ id, name });
      await note(name, "changed", put(`/${id}`, "changed"));
      const oldest = kept.length > KEPT ? kept.shift() : undefined;
      if (oldest === undefined) continue;
      await note(oldest.name, undefined, () => call("DELETE", `/v1/acl/policy/${oldest.id}${where}`, undefined, token));
    }
  }

  const writers = history.map((_, writer) => write(writer).catch((error: Error) => void (failure ??= error)));
  return {
    history: () => history,
    async untilWritten(count: number): Promise<void> {
      const wanted = history.map((writes) => writes.length + count);
      while (history.some((writes, writer) => writes.length < (wanted[writer] ?? 0))) {
        if (failure !== undefined) throw failure;
        await sleep(10);
      }
    },
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(writers);
      if (failure !== undefined) throw failure;
    },
  };
}
