/**
 * Tokens: turns a secret into the actor behind it. One token system serves both
 * API families.
 */
import type { Database } from "../../storage/database.ts";
import type { Actor } from "../actor.ts";
import { ALL_RIGHTS, compileRights } from "../rights.ts";
import { findTokenBySecret } from "./store.ts";

/** Rights of a token without policies. */
const NO_RIGHTS = compileRights([]);

/**
 * Finds the actor behind a SecretID, in whatever text a client sent.
 *
 * @returns undefined when no token has that secret
 */
export async function resolveToken(db: Database, secretId: string): Promise<Actor | undefined> {
  const token = await findTokenBySecret(db, secretId);
  if (token === undefined) return undefined;
  return {
    accessorId: token.accessorId,
    anonymous: token.kind === "anonymous",
    rights: token.kind === "management" ? ALL_RIGHTS : NO_RIGHTS,
  };
}
