import { type Config, ConfigError, readConfig } from "../../config.ts";
import type { OperatorDatabase } from "../../storage/database.ts";
import { runKeyCommand } from "../../storage/keys/key-command.ts";
import { listMasters } from "../../storage/keys/masters.ts";
import { beginReseal, describeReseal, readReseal } from "../../storage/keys/reseal.ts";
import { beginRotation, endRotation } from "../../storage/keys/rotate.ts";
import { verifySealed } from "../../storage/keys/verify.ts";
import { readMasterKey, usedKey } from "../../storage/keys/master-key.ts";
import { openForOperator } from "../../storage/operator/operator.ts";
import { olderServers } from "../../storage/postgres/finish-upgrade.ts";
import { StartError } from "../../storage/start-error.ts";
import { path } from "../../config/values.ts";
import { givenMasterKey } from "../given-master-key.ts";
import { tell } from "../with-database.ts";

/** Actions of the command, at most one. Without one, the command shows the state of the rotation. */
export interface RotateFlags {
  newKeyFile?: string;
  newKeyCommand?: string;
  finish?: true;
  abandon?: true;
  verify?: true;
  reseal?: true;
}

/** The last migration of the first programs that know that keys are replaced. */
const KNOWS_ROTATION = "0010-proofs-only";

/**
 * `tessera rotate-key`: replaces the master key, proves that all that is sealed opens, or has it sealed anew, while servers
 * run.
 *
 * @param args as `serve` takes them @throws ConfigError, StartError; then nothing was changed
 */
export async function rotateKeyCommand(flags: RotateFlags, args: readonly string[]): Promise<void> {
  const named = Object.keys(flags).filter((name) => name in ACTIONS);
  if (named.length > 1) throw new ConfigError("rotate-key takes only one action; run tessera rotate-key --help");
  const config = readConfig(args);
  const action = ACTIONS[(named[0] ?? "status") as keyof typeof ACTIONS];
  const db = await openForOperator(config.database.url);
  try {
    await action(db, config, flags);
  } finally {
    await db.close();
  }
}

type Action = (db: OperatorDatabase, config: Config, flags: RotateFlags) => Promise<void>;

const ACTIONS = {
  newKeyFile: begin,
  newKeyCommand: begin,
  finish: (db, config) => end(db, config, "finish"),
  abandon: (db, config) => end(db, config, "abandon"),
  verify,
  reseal,
  status,
} satisfies Record<keyof RotateFlags | "status", Action>;

async function begin(db: OperatorDatabase, config: Config, flags: RotateFlags): Promise<void> {
  const { dataDir } = config;
  const keyFile = flags.newKeyFile && path.parse({ text: flags.newKeyFile, origin: "--new-key-file" });
  const next =
    flags.newKeyCommand === undefined
      ? readMasterKey({ keyFile, dataDir, onWarning: warn }, false)
      : await runKeyCommand(flags.newKeyCommand, "--new-key-command");
  const old = await masterKeyOf(config);
  await refuseOlder(config);
  const { wrapped, masterId } = await beginRotation(db, old, next);
  // A lost database is known by a note beside the key that has opened it.
  usedKey({ isGiven: keyFile === undefined, keyFile, dataDir, allowEmpty: false, onWarning: warn }).note();
  const done = wrapped === 0 ? "The rotation was already started" : `Re-encrypted ${wrapped} data keys`;
  tell(
    `${done}: both master keys are valid now. Restart every server with the new key (${masterId}), one at a ` +
      "time, then run tessera rotate-key --finish with the new key",
  );
}

async function end(db: OperatorDatabase, config: Config, how: "finish" | "abandon"): Promise<void> {
  const { wrapped, masterId } = await endRotation(db, await masterKeyOf(config), how);
  tell(`Re-encrypted ${wrapped} data keys: only the master key ${masterId} is valid now`);
}

/** @throws StartError when something does not open, after all of it was named */
async function verify(db: OperatorDatabase, config: Config): Promise<void> {
  const { opened, keys, damaged, damagedCount } = await verifySealed(db, await masterKeyOf(config));
  for (const what of damaged) tell(`cannot decrypt: ${what}`);
  const counts = Object.entries(opened).map(([column, count]) => `${count} of ${column}`);
  tell(`Decrypted ${keys} data keys and these encrypted values: ${counts.join(", ")}`);
  if (damagedCount > 0)
    throw new StartError(`${damagedCount} encrypted values cannot be decrypted; see docs/operations/damage.md`);
}

async function reseal(db: OperatorDatabase, config: Config): Promise<void> {
  await refuseOlder(config);
  const retired = await beginReseal(db);
  tell(
    `${retired} data keys are retired; servers re-encrypt their secrets in the background. tessera rotate-key and /metrics ` +
      "(tessera_reseal_…) show the progress",
  );
}

async function status(db: OperatorDatabase): Promise<void> {
  const [masters, resealed] = [await listMasters(db), await readReseal(db)];
  const names = masters.map(({ id, state }) => `${id} (${state === "current" ? "current" : "next"})`);
  tell(names.length === 0 ? "The master key was never rotated" : `Master keys: ${names.join(", ")}`);
  if (resealed !== undefined) tell(`Re-encryption: ${describeReseal(resealed)}`);
}

async function masterKeyOf(config: Config): Promise<Buffer> {
  const { keyFile, dataDir } = config;
  return readMasterKey({ masterKey: await givenMasterKey(config), keyFile, dataDir, onWarning: warn }, false);
}

/** A server of a version before could neither open what is wrapped anew nor stop sealing by keys that are retired. */
async function refuseOlder({ database }: Config): Promise<void> {
  if (database.engine === "sqlite") return;
  const older = await olderServers(database.url, KNOWS_ROTATION);
  if (older.length === 0) return;
  throw new StartError(`servers of an older version are connected: ${older.sort().join(", ")}; stop them first`);
}

function warn(message: string): void {
  process.stderr.write(`tessera: ${message}\n`);
}
