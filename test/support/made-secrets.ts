/**
 * Every secret that a test makes: SecretIDs, first and rotated, bearer tokens of logins and what a browser brings back of one,
 * secrets of auth methods, and what webhooks are signed with. The helpers that send requests note them, and at its stop no audit
 * record of an application or a server, and no file of such, may hold one.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Client } from "pg";
import type { Reader } from "../../src/storage/database.ts";
import { withClient } from "./postgres-schema.ts";

const secrets = new Set<string>();
/** Values that a test also uses as IDs: they may appear where IDs are shown. */
const ids = new Set<string>();

const LEAST = 10;
/** Longer answers are lists of objects that were made before. */
const LONGEST_ANSWER = 64 * 1024;

const SECRET_MEMBER =
  /"(?:SecretID|BearerToken|OIDCClientSecret|ServiceAccountJWT|PemKey|State|Code)"\s*:\s*"((?:[^"\\]|\\.)+)"/g;
const ID_MEMBER = /"(?:AccessorID|ID)"\s*:\s*"([^"]+)"/g;
const WEBHOOK_TOKEN = /"token"\s*:\s*"((?:[^"\\]|\\.)+)"/g;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
const IS_UUID = new RegExp(`^${UUID.source}$`, "i");

/** Notes a secret. The signature of a JWT is one too: anyone who was shown the JWT can read the part before it. */
export function noteSecret(secret: string): void {
  if (secret.length < LEAST) return;
  secrets.add(secret);
  const [, , signature = ""] = secret.split(".");
  if (secret.startsWith("eyJ") && signature.length >= LEAST) secrets.add(signature);
}

/** Notes the secrets in a request and its answer. A refused request has made none. */
export function noteSecretsOf(
  url: unknown,
  payload: unknown,
  { status, text }: { status: number; text: string },
): void {
  if (status >= 300) return;
  const sent = typeof payload === "string" && payload.length < LONGEST_ANSWER ? payload : "";
  const told = text.length < LONGEST_ANSWER ? text : "";
  for (const each of [sent, told]) {
    for (const [, secret = ""] of each.matchAll(SECRET_MEMBER)) noteSecret(secret);
    for (const [, id = ""] of each.matchAll(ID_MEMBER)) ids.add(id);
  }
  if (typeof url !== "string" || !url.includes("webhooks")) return;
  for (const [, secret = ""] of sent.matchAll(WEBHOOK_TOKEN)) noteSecret(secret);
}

/** The secrets that a text holds; the first few. */
export function secretsIn(text: string): string[] {
  const found = (text.match(UUID) ?? []).filter((uuid) => secrets.has(uuid) && !ids.has(uuid));
  const others = [...secrets].filter((secret) => !IS_UUID.test(secret) && !ids.has(secret) && text.includes(secret));
  return [...new Set([...found, ...others])].slice(0, 5);
}

/** Number of the newest records that are checked: tests that make a hundred thousand records make them alike. */
const MOST_RECORDS = 5000;

/** No audit record of a database may hold one. */
export async function expectNoSecretInRecords(db: Reader): Promise<void> {
  const rows = await db.sql.selectFrom("audit_records").selectAll().orderBy("at", "desc").limit(MOST_RECORDS).execute();
  check(rows.map((row) => JSON.stringify(row)).join("\n"), "audit records");
}

/** State that a stopped server leaves. */
export interface LeftBehind {
  /** As `--database` says it; the embedded default inside the data directory when left out. */
  database: string | undefined;
  dataDir: string;
  args: readonly string[];
  printed: string;
}

/** Checks a stopped server: its records, the file of records that it was told to write, and its output. */
export async function expectNoSecretInServer({ database, dataDir, args, printed }: LeftBehind): Promise<void> {
  const valueOf = (option: string) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
  const stored = database ?? valueOf("--database") ?? `sqlite:${join(dataDir, "tessera.db")}`;
  const rows = await storedRecords(stored);
  check(rows.map((row) => JSON.stringify(row)).join("\n"), "audit records");
  const file = valueOf("--audit-file") ?? "";
  if (existsSync(file)) check(readFileSync(file, "utf8"), "--audit-file");
  check(printed, "what a server printed");
}

const NEWEST = `select * from audit_records order by at desc limit ${MOST_RECORDS}`;

/** None of a database that is gone by then. */
async function storedRecords(database: string): Promise<unknown[]> {
  // The first of several hosts: they are those of one database.
  const [first = ""] = database.match(/^\w+:\/\/[^,/]*/) ?? [];
  const rest = database.slice(database.indexOf("/", first.length));
  if (!database.startsWith("sqlite:")) return withClient(first + rest, newestOf).catch(noneOfGone);
  const path = database.slice("sqlite:".length);
  if (!existsSync(path)) return [];
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare(NEWEST).all();
  } finally {
    db.close();
  }
}

async function newestOf(client: Client): Promise<unknown[]> {
  const { rows: made } = await client.query<{ there: boolean }>(
    "select to_regclass('audit_records') is not null as there",
  );
  return made[0]?.there === true ? (await client.query(NEWEST)).rows : [];
}

/** A test may have stopped PostgreSQL, dropped the database, or let the network end. */
function noneOfGone(error: unknown): unknown[] {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : "";
  const isGone = GONE.has(code) || message.includes("Connection terminated");
  if (!isGone) throw error;
  return [];
}

/** Error codes of the network, of a database that is missing or not ready, and of a session that was ended. */
const GONE = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "ETIMEDOUT", "3D000", "57P01", "57P02", "57P03"]);

/** Benchmarks start servers too, without a test. */
function check(text: string, what: string): void {
  const found = secretsIn(text);
  if (found.length > 0) throw new Error(`${what}: holds the secrets ${found.join(", ")}`);
}
