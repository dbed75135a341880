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

interface LoginToken {
  accessorId: string;
  scope: Scope;
  /** ISO 8601. */
  createdAt: string;
}

/**
 * Returns the subject of the login's record; undefined when the record is past its retention, damaged, or from an older
 * server.
 */
export async function findLoginSubject(db: Reader, token: LoginToken): Promise<string | undefined> {
  const { subject } = (await findDetail(db, token)) ?? {};
  return typeof subject === "string" && subject !== "" ? subject : undefined;
}

/** Returns the IDs of the binding rules that matched in the login that made a token; undefined as for its subject. */
export async function findLoginRules(db: Reader, token: LoginToken): Promise<readonly string[] | undefined> {
  const { bindingRules } = (await findDetail(db, token)) ?? {};
  return Array.isArray(bindingRules) ? bindingRules.map(String) : undefined;
}

async function findDetail(
  db: Reader,
  { accessorId, scope, createdAt }: LoginToken,
): Promise<{ subject?: unknown; bindingRules?: unknown } | undefined> {
  const made = Date.parse(createdAt);
  const [from, to] = [made - BEFORE_MS, made + AFTER_MS].map((at) => new Date(at).toISOString());
  const found = await findLogin(db, { ...scope, accessorId, from: from ?? "", to: to ?? "" });
  return found === undefined ? undefined : (JSON.parse(found.detail) as { subject?: unknown; bindingRules?: unknown });
}
