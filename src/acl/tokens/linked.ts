/** Tokens with the names of what they link to, and with their secrets. */
import type { Reader } from "../../storage/database.ts";
import { openAllStored, type Keyring } from "../../storage/keys/sealed.ts";
import { readLinkNames, type LinkNames, type NamedLink } from "../kit/links.ts";
import { HIDDEN, sealedSecret } from "./secrets.ts";
import type { Token } from "./store.ts";
import { readLastUses } from "./use-store.ts";

/** A token with the names of what it links to, and its secret or what hides it. */
export interface LinkedToken extends Omit<Token, "policies" | "roles" | "secretLookup" | "secretSealed"> {
  secretId: string;
  /** ISO 8601; empty for never. */
  lastUsed: string;
  policies: readonly NamedLink[];
  roles: readonly NamedLink[];
}

/** @param secretId what is shown as the secret @param lastUsed empty for never, as of a new one */
export async function linkToken(
  { db }: { db: Reader },
  token: Token,
  secretId: string,
  lastUsed = "",
): Promise<LinkedToken> {
  return withNames(token, { secretId, lastUsed }, await readLinkNames(db, [token]));
}

/**
 * The same of a slice of a list.
 *
 * @param showsSecret whether the caller is shown the secret of a token
 * @throws StorageDamaged
 */
export async function linkTokens(
  db: Reader,
  keyring: Pick<Keyring, "open" | "openAll">,
  tokens: readonly Token[],
  showsSecret: (token: Token) => boolean,
): Promise<Iterable<LinkedToken>> {
  const [names, uses] = await Promise.all([readLinkNames(db, tokens), readLastUses(db, tokens)]);
  const shown = tokens.filter(showsSecret);
  const secrets = await openAllStored(keyring, shown.map(sealedSecret));
  return inOrder(tokens, { shown, secrets, uses, names });
}

/** Data with which the tokens of a slice are shown. */
interface Shown {
  /** Tokens whose secret is shown; `secrets` contains their secrets in the same order. */
  shown: readonly Token[];
  secrets: readonly string[];
  /** By AccessorID. */
  uses: ReadonlyMap<string, string>;
  names: LinkNames;
}

/** Yields one token after the other: a caller that converts each to text at once keeps little memory. */
function* inOrder(tokens: readonly Token[], { shown, secrets, uses, names }: Shown): Generator<LinkedToken> {
  let next = 0;
  for (const token of tokens) {
    const secret = token === shown[next] ? secrets[next++] : undefined;
    const lastUsed = uses.get(token.accessorId) ?? "";
    yield withNames(token, { secretId: secret ?? HIDDEN, lastUsed }, names);
  }
}

function withNames(
  token: Token,
  { secretId, lastUsed }: Pick<LinkedToken, "secretId" | "lastUsed">,
  names: LinkNames,
): LinkedToken {
  const { scope } = token;
  return {
    ...token,
    secretId,
    lastUsed,
    policies: names.policies(scope, token.policies),
    roles: names.roles(scope, token.roles),
  };
}
