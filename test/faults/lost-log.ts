/** Servers that were killed, what they had answered before, and harm that is done to their logs: incident 61. */
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FRAME_HEADER_BYTES, LOG_HEADER_BYTES, walkLog } from "../../src/storage/sqlite/mark/log-frames.ts";
import { readMark, type ReadSlot } from "../../src/storage/sqlite/mark/slots.ts";
import { tessera } from "../backup/command.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";

/** A server that was killed, and what it had answered. */
export interface Killed {
  dataDir: string;
  /** Secret of a management token whose deletion was acknowledged. */
  deleted: string;
  /** Names of policies whose creation was, with when the answer came, in milliseconds since the epoch. */
  made: { name: string; at: number }[];
  slot: ReadSlot;
}

export async function call(server: Pick<RunningServer, "url" | "token">, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { "x-consul-token": server.token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Makes policies, one after the other, until there are so many or the server is gone. */
async function makePolicies(
  server: RunningServer,
  prefix: string,
  made: Killed["made"],
  goesOn: () => boolean,
): Promise<void> {
  for (let i = 0; goesOn(); i++) {
    const name = `${prefix}-${i}`;
    try {
      await call(server, "PUT", "/v1/acl/policy", { Name: name });
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
    made.push({ name, at: Date.now() });
  }
}

/**
 * Lets a server make policies and delete a management token, and kills it while the deletion is in the log alone: a
 * server whose thread had copied it into the database file before it was killed is none of these, and another is started.
 *
 * @param whenKilled `at` the answer to the deletion, or `later`, under writes that take no rights away
 * @param env more environment variables of the server
 */
export async function killServer(
  whenKilled: "at" | "later",
  policies = 12,
  env: Readonly<Record<string, string>> = {},
): Promise<Killed> {
  for (;;) {
    const { before, ...killed } = await killOnce(whenKilled, policies, env);
    const isOfOneRun = before.salts.join() === killed.slot.salts.join();
    if (whenKilled === "later" || (isOfOneRun && killed.slot.copied <= before.frames)) return killed;
  }
}

/** Kills one server. @returns with the mark `before` the deletion, which lies behind the frames that it names */
async function killOnce(
  whenKilled: "at" | "later",
  policies: number,
  env: Readonly<Record<string, string>>,
): Promise<Killed & { before: ReadSlot }> {
  const dataDir = join(temporaryDirectory(), "data");
  const server = await startServer({ dataDir, env });
  const made: Killed["made"] = [];
  const token = (await call(server, "PUT", "/v1/acl/token", { Policies: [{ Name: "global-management" }] })) as {
    AccessorID: string;
    SecretID: string;
  };
  // The token is in the database file; from here on there is something in the log that is not.
  await until(() => isCopied(slotOf(dataDir)));
  await makePolicies(server, "first", made, () => made.length < policies);
  const before = slotOf(dataDir);
  await call(server, "DELETE", `/v1/acl/token/${token.AccessorID}`);
  if (whenKilled === "later") {
    let killed: Promise<void> | undefined;
    const goesOn = () => {
      if (made.length >= policies + 30) killed ??= server.kill({ keepData: true });
      return true;
    };
    await Promise.all([1, 2].map((client) => makePolicies(server, `later-${client}`, made, goesOn)));
    await killed;
  } else await server.kill({ keepData: true });
  return { dataDir, deleted: token.SecretID, made, slot: slotOf(dataDir), before };
}

/** Waits for what the thread of a server writes by itself. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

/** Whether all that the mark speaks of is in the database file. */
export function isCopied({ kind, copied, frames }: ReadSlot): boolean {
  return kind === "live" && copied === frames;
}

export function slotOf(dataDir: string): ReadSlot {
  const found = readMark(join(dataDir, "tessera.db"));
  if (found.state !== "read") throw new Error(`the mark is ${found.state}`);
  return found.slot;
}

/** A log that harm is done to. */
export interface Harmed {
  log: string;
  slot: ReadSlot;
  /** Offset of a frame; frames are numbered from 1. */
  frameAt(number: number): number;
  /** Frames that follow from each other. */
  frames: number;
}

/** Does harm to a copy of what a killed server has left. @returns the copy */
export function harmed({ dataDir, slot }: Pick<Killed, "dataDir" | "slot">, harm: (log: Harmed) => void): string {
  const copy = join(temporaryDirectory(), "data");
  cpSync(dataDir, copy, { recursive: true });
  harmIn(copy, slot, harm);
  return copy;
}

/** Does harm to the directory itself, without a copy. */
export function harmIn(dataDir: string, slot: ReadSlot, harm: (log: Harmed) => void): void {
  const log = join(dataDir, "tessera.db-wal");
  const frameAt = (number: number) => LOG_HEADER_BYTES + (number - 1) * (FRAME_HEADER_BYTES + slot.pageSize);
  harm({ log, slot, frameAt, frames: walkLog(log, slot).verified });
}

export function flipBit(file: string, at: number, bit = 0): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << bit), at);
  writeFileSync(file, bytes);
}

export const cut = (file: string, bytes: number): void => truncateSync(file, bytes);
export const remove = (file: string): void => rmSync(file);

/** The outcome of a start. */
export type Start =
  | { refused: string }
  /** Acknowledged writes that are not there, and all that was said in the log. */
  | { refused: undefined; lost: string[]; said: string };

/** Starts a server on what is there, and asks for all that was acknowledged. */
export async function startAndAsk(dataDir: string, { deleted, made }: Killed, args: string[] = []): Promise<Start> {
  let server: RunningServer;
  try {
    server = await startServer({ dataDir, args });
  } catch (error) {
    const lines = (error as Error).message.split("\n").filter((line) => line.startsWith("tessera: "));
    return { refused: lines.join("\n") || (error as Error).message };
  }
  const self = await fetch(`${server.url}/v1/acl/token/self`, { headers: { "x-consul-token": deleted } });
  const policies = (await call(server, "GET", "/v1/acl/policies")) as { Name: string }[];
  const names = new Set(policies.map(({ Name }) => Name));
  const lost = made.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  if (self.status === 200) lost.push("the deletion of the token");
  const said = server.stdout;
  await server.kill({ keepData: true });
  return { refused: undefined, lost, said };
}

/** Audit records of a start about lost writes, and the index of policies behind them. */
export async function recordedLosses(dataDir: string) {
  const server = await startServer({ dataDir });
  const records = (await call(server, "GET", "/v1/audit?kind=database&ns=*")) as { Action: string; Detail: object }[];
  const answer = await fetch(`${server.url}/v1/acl/policies`, { headers: { "x-consul-token": server.token } });
  const ended = [await server.stop(), (await tessera("audit", "verify", "--data-dir", dataDir)).status];
  if (ended.some((status) => status !== 0))
    throw new Error(`the server and the check of its audit ended with ${ended.join()}`);
  return { records, index: Number(answer.headers.get("x-consul-index")) };
}
