/**
 * Whose login made a token, in words: the token itself holds a digest only, and the record of the login says it. So records of what
 * is done with the token can name who did it.
 */
import { findLogin } from "../../audit/store.ts";
import type { Reader } from "../../storage/database.ts";
import type { Scope } from "../scope.ts";

/** The record is written when the login has its turn; the clock is the database's, and may be set a little. */
const BEFORE_MS = 2000;
const AFTER_MS = 15_000;

/**
 * The subject as the login's record has it; undefined where that is not kept any more, is damaged, or is of a server of before.
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
