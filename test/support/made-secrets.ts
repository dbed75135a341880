/**
 * Every secret that a test makes: SecretIDs, first and rotated, bearer tokens of logins and what a browser brings back of one,
 * secrets of auth methods, and what webhooks are signed with. The helpers that send requests note them, and at its stop no audit
 * record of an application or a server, and no file of such, may hold one.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Reader } from "../../src/storage/database.ts";

const secrets = new Set<string>();
/** What a test gives as an ID too is shown where IDs are. */
const ids = new Set<string>();

const LEAST = 10;
/** Longer answers are lists of what was made before. */
const LONGEST_ANSWER = 64 * 1024;

const SECRET_MEMBER =
  /"(?:SecretID|BearerToken|OIDCClientSecret|ServiceAccountJWT|State|Code)"\s*:\s*"((?:[^"\\]|\\.)+)"/g;
const ID_MEMBER = /"(?:AccessorID|ID)"\s*:\s*"([^"]+)"/g;
const WEBHOOK_TOKEN = /"token"\s*:\s*"((?:[^"\\]|\\.)+)"/g;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
const IS_UUID = new RegExp(`^${UUID.source}$`, "i");

/** Notes a secret. Of a JWT the signature is one too: what stands before it can be read by anybody who was shown it. */
export function noteSecret(secret: string): void {
  if (secret.length < LEAST) return;
  secrets.add(secret);
  const [, , signature = ""] = secret.split(".");
  if (secret.startsWith("eyJ") && signature.length >= LEAST) secrets.add(signature);
}

/** Notes what a request and its answer hold of secrets. What was refused has made none. */
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

/** So many of the newest are looked at: tests that make a hundred thousand make them alike. */
const MOST_RECORDS = 5000;

/** No audit record of a database may hold one. */
export async function expectNoSecretInRecords(db: Reader): Promise<void> {
  const rows = await db.sql.selectFrom("audit_records").selectAll().orderBy("at", "desc").limit(MOST_RECORDS).execute();
  check(rows.map((row) => JSON.stringify(row)).join("\n"), "audit records");
}

/** The same of a server that has stopped: the records of its SQLite file, the files that it was told to write, and what it printed. */
export function expectNoSecretInServer(dataDir: string, args: readonly string[], printed: string): void {
  const database = join(dataDir, "tessera.db");
  if (existsSync(database)) {
    const db = new DatabaseSync(database, { readOnly: true });
    try {
      const rows = db.prepare("select * from audit_records order by at desc limit ?").all(MOST_RECORDS);
      check(rows.map((row) => JSON.stringify(row)).join("\n"), "audit records");
    } finally {
      db.close();
    }
  }
  const place = args.indexOf("--audit-file");
  const file = place === -1 ? "" : (args[place + 1] ?? "");
  if (existsSync(file)) check(readFileSync(file, "utf8"), "--audit-file");
  check(printed, "what a server printed");
}

/** Benchmarks start servers too, without a test. */
function check(text: string, what: string): void {
  const found = secretsIn(text);
  if (found.length > 0) throw new Error(`${what}: holds the secrets ${found.join(", ")}`);
}
