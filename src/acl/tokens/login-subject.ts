/**
 * Finds the subject of the login that made a token. The token itself contains a digest only; the record of the login
 * contains the subject. Records of actions with the token can thereby name the user.
 */
import { findLogin } from "../../records/store.ts";
import type { Reader } from "../../storage/database.ts";
import type { Scope } from "../../rights/scope.ts";

/** The record is written when the login has its turn. The clock is the database's, and it may be adjusted a little. */
const BEFORE_MS = 2000;
const AFTER_MS = 15_000;

/**
 * Returns the subject of the login's record; undefined when the record is past its retention, damaged, or from an older
 * server.
 *
 * @param token with when it was made, ISO 8601
 */
export async function findLoginSubject(
  db: Reader,
  { accessorId, scope, createdAt }: { accessorId: string; scope: Scope; createdAt: string },
): Promise<string | undefined> {
  const made = Date.parse(createdAt);
  const [from, to] = [made - BEFORE_MS, made + AFTER_MS].map((at) => new Date(at).toISOString());
  const found = await findLogin(db, { ...scope, accessorId, from: from ?? "", to: to ?? "" });
  if (found === undefined) return undefined;
  const { subject } = JSON.parse(found.detail) as { subject?: unknown };
  return typeof subject === "string" && subject !== "" ? subject : undefined;
}
