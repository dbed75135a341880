import type { Context } from "../../context.ts";
import { placeIn } from "../../storage/keys/sealed-columns.ts";
import { openStored } from "../../storage/keys/sealed.ts";
import type { Sealed } from "../../storage/keys/open-sealed.ts";
import type { Database } from "../../storage/database.ts";
import { isShownSecrets } from "./giving.ts";
import type { Token } from "./store.ts";

/** Placeholder for a secret that a caller may not read. No token has it as its secret. */
export const HIDDEN = "<hidden>";

/**
 * Returns the two forms in which a secret is stored. Called before the transaction, since encryption may have to create
 * a data key.
 */
export async function sealSecret(
  { keyring }: Database,
  accessorId: string,
  secretId: string,
): Promise<Pick<Token, "secretLookup" | "secretSealed">> {
  return {
    secretLookup: keyring.lookup(secretId),
    secretSealed: await keyring.seal(secretId, place(accessorId)),
  };
}

/** Returns the stored secret of a token, for decryption. */
export function sealedSecret({ secretSealed, accessorId }: Token): Sealed {
  return { sealed: secretSealed, place: place(accessorId) };
}

/** The secret of a token as it was given. @throws StorageDamaged */
export function openSecret({ keyring }: Database, token: Token): Promise<string> {
  return openStored(keyring, token.secretSealed, place(token.accessorId));
}

/** The secret of a token as an answer shows it to who may have it: see `giving.ts`. @throws StorageDamaged */
export async function shownSecret(ctx: Pick<Context, "db" | "actor">, token: Token): Promise<string> {
  return isShownSecrets(ctx) ? openSecret(ctx.db, token) : HIDDEN;
}

function place(accessorId: string): string {
  return placeIn("tokens", accessorId);
}
