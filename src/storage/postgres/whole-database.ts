/** For sessions that read or write all of a database in one transaction, however long that takes. */
import type pg from "pg";
import { applicationName } from "./application-name.ts";
import type { Servers, ServerUse } from "./servers.ts";

/** Limits that the server or the role may have for sessions that answer clients. */
const LIMITS = ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"];
/** The same; it came with PostgreSQL 17. */
const NEWER_LIMIT = "transaction_timeout";

/** Connects without those limits. */
export async function connectForLong(servers: Servers, use: ServerUse): Promise<pg.Client> {
  const { client } = await servers.connect(use, { application_name: applicationName() });
  for (const name of LIMITS) await client.query(`set ${name} = 0`);
  await client.query(`set ${NEWER_LIMIT} = 0`).catch(() => undefined);
  return client;
}

/** Its number in PostgreSQL's catalogue of types. */
const BIGINT = 20;

/** 64-bit integers as numbers, all else as text: there is nothing else in the program's tables. */
export const PLAIN_TYPES = {
  getTypeParser: (oid: number) => (oid === BIGINT ? toNumber : String),
};

function toNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the integer ${text} is too large`);
  return value;
}
