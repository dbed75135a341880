/**
 * The first management token and the anonymous one. On an empty database a
 * start makes both; with several nodes starting at once exactly one does.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readdirSync, unlinkSync } from "node:fs";
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
/** Begins the names of files whose token may not be in the database yet; each start has a name of its own. */
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
  if (await isBootstrapped(db)) return finishFiles(db, options.dataDir);
  const configured = options.initialManagementToken;
  if (configured !== undefined) {
    await makeManagementToken(db, configured, "Initial Management Token", now);
    return undefined;
  }
  if (options.mode === "manual") return undefined;

  // The file comes first, so that no crash leaves a token that nobody knows.
  const secretId = randomUUID();
  createPrivateFile(join(options.dataDir, `${PENDING}.${randomUUID()}`), `${secretId}\n`);
  await makeManagementToken(db, secretId, "Bootstrap Token (Global Management)", now);
  return finishFiles(db, options.dataDir);
}

/** Makes the first management token, unless the database has been bootstrapped. */
async function makeManagementToken(db: Database, secretId: string, description: string, now: string): Promise<void> {
  const row = await sealToken(db, {
    accessorId: randomUUID(),
    secretId,
    description,
    kind: "management",
    createdAt: now,
  });
  await db.inTransaction({ kind: "root" }, async (tx) => {
    if (await isBootstrapped(tx)) return;
    markBootstrapped(tx, now);
    insertToken(tx, row);
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

/**
 * Settles pending files once it is known which token the database has: the file
 * that holds it gets its name, and those of starts that crashed or came second go.
 */
async function finishFiles(db: Database, dataDir: string): Promise<string | undefined> {
  let finished: string | undefined;
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith(PENDING))) {
    const pending = join(dataDir, name);
    const secretId = readTextFile(pending);
    if (secretId !== undefined && (await findTokenBySecret(db, secretId)) !== undefined) {
      await new Promise<void>((resolve, reject) => {
        db.whenDurable((error) => (error === undefined ? resolve() : reject(error)));
      });
      finished = giveName(pending, secretId, dataDir) ?? finished;
    }
    removeFile(pending);
    syncDirectory(dataDir);
  }
  return finished;
}

/**
 * Never replaces a file that is there. The new name is on disk before the old one goes: a power cut must not take both.
 *
 * @returns undefined when another node, sharing the directory, was first
 */
function giveName(pending: string, secretId: string, dataDir: string): string | undefined {
  for (let number = 0; ; number++) {
    const path = join(dataDir, number === 0 ? FILE : `${FILE}.${number}`);
    try {
      linkSync(pending, path);
    } catch (error) {
      if (isCode(error, "ENOENT") || readTextFile(path) === secretId) return undefined;
      if (isCode(error, "EEXIST")) continue;
      throw error;
    }
    syncDirectory(dataDir);
    return path;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}
