/**
 * Objects that exist from the first start: the built-in policies, the anonymous token and the first management token.
 * With several nodes starting at once exactly one makes each. Also the bootstrap by hand, and its reset.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { AppError, invalid } from "../../errors.ts";
import type { Database, Reader, Transaction } from "../../storage/database.ts";
import { untilDurable } from "../../storage/writes/durable.ts";
import { createPrivateFile, readTextFile, syncDirectory } from "../../storage/files.ts";
import { NO_GRANTS } from "../grants.ts";
import { hasBuiltinPolicies, writeBuiltinPolicies, MANAGEMENT_POLICY } from "../policies/builtin.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { isUuid, newUuid } from "../../rights/uuid.ts";
import { changeIn, type NoteChange } from "../kit/write.ts";
import { ANONYMOUS } from "../../rights/reserved-secrets.ts";
import { sealSecret } from "./secrets.ts";
import { assemble, type TokenBase } from "./service.ts";
import { TOKENS } from "../../rights/kinds.ts";
import { BY_NO_METHOD, checkGivenId, NEVER } from "./check.ts";
import { ENABLED } from "./disabled.ts";
import { linkToken, type LinkedToken } from "./linked.ts";
import {
  clearBootstrapped,
  findBootstrapIndex,
  findLastBootstrapIndex,
  markBootstrapped,
  tokenStore,
  writeTokens,
  findTokenBySecret,
  isIdStored,
  type Token,
} from "./store.ts";

export interface BootstrapOptions {
  dataDir: string;
  mode: "auto" | "manual";
  /** SecretID of the first management token, when the operator sets it. */
  initialManagementToken: string | undefined;
}

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
  await makeBuiltins(db, now);
  if ((await findBootstrapIndex(db)) !== undefined) return finishFiles(db, options.dataDir);
  const configured = options.initialManagementToken;
  // After a reset it is as any other secret that was given away before, and may have been deleted for a reason.
  if (configured !== undefined && !(await wasBootstrapped(db))) {
    await makeFirstToken(db, configured, "Initial Management Token", now);
    return undefined;
  }
  if (options.mode === "manual") return undefined;

  // The file comes first, so that no crash leaves a token that nobody knows.
  const secretId = randomUUID();
  createPrivateFile(join(options.dataDir, `${PENDING}.${randomUUID()}`), `${secretId}\n`);
  await makeFirstToken(db, secretId, BOOTSTRAP_DESCRIPTION, now);
  return finishFiles(db, options.dataDir);
}

const BOOTSTRAP_DESCRIPTION = "Bootstrap Token (Global Management)";

/** Makes the first management token, unless the database has been bootstrapped. */
async function makeFirstToken(db: Database, secretId: string, description: string, now: string): Promise<void> {
  const base = await newTokenBase(db, { accessorId: newUuid(), secretId }, now);
  await changeIn({ db }, DEFAULT_SCOPE, async (tx, change) => {
    const [index, before] = await Promise.all([tx.index(), findBootstrapIndex(tx)]);
    if (before !== undefined) return;
    markBootstrapped(tx, index);
    addToken(tx, change, base, description, [MANAGEMENT_POLICY], index);
  });
}

/**
 * Bootstrap by request: makes the first management token, once.
 *
 * @param secretId what the token is to have as its secret; undefined for a random one
 * @throws AppError `forbidden` when there was a bootstrap before, `invalid`
 */
export async function bootstrap(db: Database, secretId: string | undefined, now: number): Promise<LinkedToken> {
  // Before a look at what was sent: it makes no difference any more.
  const bootstrapped = await findBootstrapIndex(db);
  if (bootstrapped !== undefined) throw noLongerAllowed(bootstrapped);
  if (secretId !== undefined && !isUuid(secretId)) {
    throw invalid(
      `BootstrapSecret is not a valid UUID: expected 36 characters such as 01234567-89ab-cdef-0123-456789abcdef`,
    );
  }
  if (secretId !== undefined) checkGivenId(secretId, "SecretID");
  const ids = { accessorId: newUuid(), secretId: secretId ?? newUuid() };
  const base = await newTokenBase(db, ids, new Date(now).toISOString());
  const work = async (tx: Transaction, change: NoteChange): Promise<Token> => {
    const [index, before, isTaken] = await Promise.all([
      tx.index(),
      findBootstrapIndex(tx),
      isIdStored(tx, ids.secretId.toLowerCase(), [base.secretLookup]),
    ]);
    if (before !== undefined) throw noLongerAllowed(before);
    if (isTaken) {
      throw invalid("Provided token cannot be used because a token with that secret already exists.");
    }
    markBootstrapped(tx, index);
    return addToken(tx, change, base, BOOTSTRAP_DESCRIPTION, [MANAGEMENT_POLICY], index);
  };
  const token = await changeIn({ db }, DEFAULT_SCOPE, work, { overAll: true });
  return linkToken({ db }, token, ids.secretId);
}

/** Error of a bootstrap request on a server that never allows it: also after a reset, which the next start reads. */
export async function bootstrapIsOver(db: Database): Promise<AppError> {
  return noLongerAllowed((await findLastBootstrapIndex(db)) ?? 0);
}

function noLongerAllowed(index: number): AppError {
  const reason = `ACL bootstrap no longer allowed (reset index: ${index})`;
  const refused = { kind: "request", name: "bootstrap", scope: DEFAULT_SCOPE, reason } as const;
  return new AppError("forbidden", `Permission denied: ${reason}`, { refused });
}

/** Lets the server be bootstrapped once more: for an operator who has lost every management token. */
export async function resetBootstrap(db: Database): Promise<void> {
  await changeIn({ db }, DEFAULT_SCOPE, (tx) => {
    tx.record({ ...DEFAULT_SCOPE, kind: "server", objectId: "bootstrap", name: "bootstrap", action: "reset" });
    return Promise.resolve(clearBootstrapped(tx));
  });
}

/** Whether a first management token was ever made in this database, also before a reset. */
export async function wasBootstrapped(db: Reader): Promise<boolean> {
  return (await findLastBootstrapIndex(db)) !== undefined;
}

async function makeBuiltins(db: Database, now: string): Promise<void> {
  if ((await tokenStore.anywhere(db, ANONYMOUS.accessorId)) !== undefined && (await hasBuiltinPolicies(db))) return;
  const base = await newTokenBase(db, ANONYMOUS, now);
  await changeIn({ db }, DEFAULT_SCOPE, async (tx, change) => {
    const [index, anonymous] = await Promise.all([
      tx.index(),
      tokenStore.anywhere(tx, ANONYMOUS.accessorId),
      writeBuiltinPolicies(tx, change),
    ]);
    if (anonymous === undefined) addToken(tx, change, base, "Anonymous Token", [], index);
  });
}

type NewBase = Omit<TokenBase, "createIndex" | "modifyIndex">;

async function newTokenBase(
  db: Database,
  { accessorId, secretId }: { accessorId: string; secretId: string },
  createdAt: string,
): Promise<NewBase> {
  const secret = await sealSecret(db, accessorId, secretId);
  return {
    accessorId,
    ...secret,
    scope: DEFAULT_SCOPE,
    isLocal: false,
    ...BY_NO_METHOD,
    ...NEVER,
    ...ENABLED,
    createdAt,
  };
}

function addToken(
  tx: Transaction,
  change: NoteChange,
  base: NewBase,
  description: string,
  policies: readonly string[],
  index: number,
): Token {
  const grants = { ...NO_GRANTS, policies, roles: [] };
  const token = assemble({ ...base, createIndex: index, modifyIndex: index }, description, grants);
  writeTokens.insert(tx, token);
  change(TOKENS, base.accessorId);
  return token;
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
    if (secretId !== undefined && (await findTokenBySecret(db, db.keyring.lookup(secretId))) !== undefined) {
      await untilDurable(db);
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
