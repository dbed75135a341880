/**
 * The first management token and the anonymous one. On an empty database a
 * start makes both; with several nodes starting at once exactly one does.
 */
import { randomUUID } from "node:crypto";
import { linkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../storage/database.ts";
import { createPrivateFile, readTextFile, syncDirectory } from "../../storage/files.ts";
import {
  findTokenBySecret,
  hasAnonymousToken,
  insertToken,
  isBootstrapped,
  markAnonymousToken,
  markBootstrapped,
  sealToken,
} from "./store.ts";

export interface BootstrapOptions {
  dataDir: string;
  mode: "auto" | "manual";
  /** SecretID of the first management token, when the operator sets it. */
  initialManagementToken: string | undefined;
}

/** SecretID and AccessorID of the token that a request without one runs as. */
export const ANONYMOUS = { secretId: "anonymous", accessorId: "00000000-0000-0000-0000-000000000002" };

const FILE = "management-token";
const PENDING = "management-token.pending";

/**
 * Makes the first tokens where they are missing.
 *
 * @returns path of the file that now holds the first management token; undefined when none was made
 */
export async function bootstrapTokens(
  db: Database,
  options: BootstrapOptions,
  now: string,
): Promise<string | undefined> {
  await makeAnonymousToken(db, now);
  const pending = join(options.dataDir, PENDING);
  if (await isBootstrapped(db)) return finishFile(db, options.dataDir, pending);
  const configured = options.initialManagementToken;
  if (configured !== undefined) {
    await makeManagementToken(db, configured, "Initial Management Token", now);
    return undefined;
  }
  if (options.mode === "manual") return undefined;

  // The file comes first, so that no crash leaves a token that nobody knows. One
  // that is pending beside a database without tokens is left from such a crash.
  removeFile(pending);
  const secretId = randomUUID();
  createPrivateFile(pending, `${secretId}\n`);
  if (await makeManagementToken(db, secretId, "Bootstrap Token (Global Management)", now)) {
    return finishFile(db, options.dataDir, pending);
  }
  removeFile(pending);
  return undefined;
}

/** @returns whether this call made it: false when the database was bootstrapped already */
async function makeManagementToken(db: Database, secretId: string, description: string, now: string): Promise<boolean> {
  const row = await sealToken(db, {
    accessorId: randomUUID(),
    secretId,
    description,
    kind: "management",
    createdAt: now,
  });
  return db.inTransaction({ kind: "root" }, async (tx) => {
    if (await isBootstrapped(tx)) return false;
    markBootstrapped(tx, now);
    insertToken(tx, row);
    return true;
  });
}

async function makeAnonymousToken(db: Database, now: string): Promise<void> {
  if (await hasAnonymousToken(db)) return;
  const row = await sealToken(db, { ...ANONYMOUS, description: "Anonymous Token", kind: "anonymous", createdAt: now });
  await db.inTransaction({ kind: "root" }, async (tx) => {
    if (await hasAnonymousToken(tx)) return;
    markAnonymousToken(tx, now);
    insertToken(tx, row);
  });
}

/** Gives the pending file its name, once its token is in the database. Never replaces a file that is there. */
async function finishFile(db: Database, dataDir: string, pending: string): Promise<string | undefined> {
  const secretId = readTextFile(pending);
  if (secretId === undefined) return undefined;
  if ((await findTokenBySecret(db, secretId)) === undefined) return undefined;
  await new Promise<void>((resolve, reject) => {
    db.whenDurable((error) => (error === undefined ? resolve() : reject(error)));
  });
  for (let number = 0; ; number++) {
    const path = join(dataDir, number === 0 ? FILE : `${FILE}.${number}`);
    try {
      linkSync(pending, path);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
      throw error;
    }
    // The new name is on disk before the old one goes: a power cut must not take both.
    syncDirectory(dataDir);
    unlinkSync(pending);
    syncDirectory(dataDir);
    return path;
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
