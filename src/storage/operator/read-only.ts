/** A database for an operator's command that only reads, whether or not a server uses it: it takes no lock and changes nothing. */
import type { EngineDatabase, Reader } from "../database.ts";
import { openKeyring } from "../keys/keyring.ts";
import { readMasterKey } from "../keys/master-key.ts";
import type { OpenOptions } from "../open.ts";
import { connect } from "../postgres/connection.ts";
import { reasonOf } from "../postgres/hosts.ts";
import { createReader as createPostgresReader } from "../postgres/reader.ts";
import { createServers } from "../postgres/servers.ts";
import type { Keyring } from "../keys/sealed.ts";
import { openConnection } from "../sqlite/connection.ts";
import { findDatabaseFile, openFailure, refuseOldSqlite } from "../sqlite/instance.ts";
import { refuseLostLog } from "../sqlite/mark/keeping.ts";
import { createReader as createSqliteReader } from "../sqlite/reader.ts";
import { StartError } from "../start-error.ts";

export interface ReadOnlyDatabase {
  db: Reader;
  keyring: Keyring;
  close(): Promise<void>;
}

type ReadOnlyOptions = Pick<OpenOptions, "url" | "dataDir" | "keyFile" | "masterKey" | "onWarning">;

const ANSWER_MS = { statement: 30_000, most: 32_000 };
const uncounted = (): void => undefined;

/**
 * Opens a database and its keys.
 *
 * @throws StartError when there is none, it has no schema yet, or the master key is another one's
 */
export async function openReadOnly(options: ReadOnlyOptions): Promise<ReadOnlyDatabase> {
  const opened = await openReader(options);
  const { dataDir, keyFile, masterKey, onWarning } = options;
  try {
    const keys = await opened.db.sql.selectFrom("data_keys").select("id").limit(1).execute();
    if (keys.length === 0) throw noDatabase();
    // A program of before these tables leaves them out.
    await opened.db.sql.selectFrom("audit_sinks").select("sink").limit(1).execute();
    const key = readMasterKey({ masterKey, keyFile, dataDir, onWarning }, false);
    return { ...opened, keyring: await readKeys(opened.db, key) };
  } catch (error) {
    await opened.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot read the database: ${(error as Error).message}. Start a server of this version first`);
  }
}

/** The keys of a database that has some, for who makes none. @throws StartError when the master key is another one's */
export function readKeys(db: Reader, masterKey: Buffer): Promise<Keyring> {
  const engine = { ...db, inTransaction: () => Promise.reject(noDatabase()) } as unknown as EngineDatabase;
  return openKeyring(engine, { isUsed: () => true, refuseEmpty: () => undefined }, () => masterKey);
}

/**
 * Opens a database alone, of whichever version its schema is.
 *
 * @throws StartError when there is none, or it does not answer
 */
export async function openReader(options: ReadOnlyOptions): Promise<Omit<ReadOnlyDatabase, "keyring">> {
  return options.url.startsWith("sqlite:") ? openFile(options) : openServer(options);
}

function noDatabase(): StartError {
  return new StartError("the database is empty. Check --database and --data-dir");
}

function openFile({ url }: ReadOnlyOptions): Omit<ReadOnlyDatabase, "keyring"> {
  const path = url.slice("sqlite:".length);
  refuseOldSqlite();
  if (!findDatabaseFile(path)) throw new StartError(`database ${path} not found. Check --database and --data-dir`);
  refuseLostLog(path);
  try {
    const connection = openConnection(path, "read");
    return { db: createSqliteReader(connection, uncounted, uncounted), close: async () => connection.close() };
  } catch (error) {
    throw openFailure(path, error);
  }
}

async function openServer({ url, onWarning }: ReadOnlyOptions): Promise<Omit<ReadOnlyDatabase, "keyring">> {
  const connection = connect({
    servers: createServers(url),
    settings: { statement_timeout: `${ANSWER_MS.statement}` },
    use: "read",
    answerTimeoutMs: ANSWER_MS.most,
    onWarning,
  });
  try {
    await connection.ready;
  } catch (error) {
    await connection.close();
    throw new StartError(`cannot use PostgreSQL: ${reasonOf(error)}. Check --database and that the server is running`, {
      cause: error,
    });
  }
  const db = createPostgresReader((statement) => connection.query(statement), uncounted, false);
  return { db, close: () => connection.close() };
}
