/** The command `tessera rotate-key` as an operator runs it, and keys for it. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory } from "./engines.ts";
import { programFile } from "./program.ts";
import { openForOperator } from "../../src/storage/operator/operator.ts";

/** A master key in a file of its own. */
export interface KeyFile {
  file: string;
  key: Buffer;
}

export function makeKeyFile(): KeyFile {
  const file = join(temporaryDirectory(), "key");
  const key = randomBytes(32);
  writeFileSync(file, key.toString("base64"), { mode: 0o600 });
  return { file, key };
}

/** Result of a command; its exit code is undefined if it was killed. */
export interface Ran {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/** @param killAfterMs when it is killed by SIGKILL, if it has not ended by then */
export async function rotateKey(place: readonly string[], args: readonly string[], killAfterMs?: number): Promise<Ran> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TESSERA_|NODE_OPTIONS$|VITEST)/.test(name)),
  );
  const child = spawn(process.execPath, [programFile(), "rotate-key", ...place, ...args], { env });
  const ran: Ran = { code: undefined, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
  const ended = once(child, "close");
  if (killAfterMs !== undefined) {
    await Promise.race([ended, sleep(killAfterMs)]);
    child.kill("SIGKILL");
  }
  const [code] = (await ended) as [number | null];
  return { ...ran, code: code ?? undefined };
}

/** As if a rotation had been begun a while ago, and nobody had told since that he runs by the old key. */
export async function letRotationAge(url: string): Promise<void> {
  const db = await openForOperator(url);
  try {
    await db.inTransaction({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.updateTable("master_keys").set((eb) => ({ began_at: eb("began_at", "-", 60) })));
      tx.write(tx.sql.updateTable("master_key_users").set((eb) => ({ seen_at: eb("seen_at", "-", 60) })));
    });
  } finally {
    await db.close();
  }
}
