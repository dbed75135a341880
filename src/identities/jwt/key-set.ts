import { createPublicKey, type JsonWebKeyInput, type KeyObject } from "node:crypto";
import { ProviderError } from "../errors.ts";
import { canonicalAlgorithm, type KeyKind } from "./algorithms.ts";
import { kindOfKey, type VerificationKey } from "./public-keys.ts";

/** Keys that a provider has published. */
export interface KeySet {
  /**
   * The keys of this name.
   *
   * @param kid undefined for all keys: a token need not name one
   */
  named(kid: string | undefined): readonly VerificationKey[];
  /** Approximate bytes of memory. */
  readonly bytes: number;
}

/** Far more than any provider has at a time. */
const MAX_KEYS = 1000;

/**
 * Reads a JSON Web Key Set. Entries that are no key to check signatures with are left out, as RFC 7517 asks for, and keys
 * become such only when a token needs them.
 *
 * @param document parsed JSON
 * @throws ProviderError when it is no key set, or a huge one
 */
export function parseKeySet(document: unknown): KeySet {
  const entries = member(document, "keys");
  if (!Array.isArray(entries)) throw new ProviderError("the response is not a JSON Web Key Set");
  if (entries.length > MAX_KEYS) throw new ProviderError(`the key set has more than ${MAX_KEYS} keys`);
  const all: VerificationKey[] = [];
  const byName = new Map<string, VerificationKey[]>();
  for (const entry of entries) {
    const key = readKey(entry);
    if (key === undefined) continue;
    all.push(key);
    const kid = member(entry, "kid");
    if (typeof kid !== "string") continue;
    const namesakes = byName.get(kid);
    if (namesakes === undefined) byName.set(kid, [key]);
    else namesakes.push(key);
  }
  // As text, as it is read, and as keys.
  const bytes = 4 * JSON.stringify(entries).length;
  return { bytes, named: (kid) => (kid === undefined ? all : (byName.get(kid) ?? [])) };
}

function readKey(entry: unknown): VerificationKey | undefined {
  const kind = kindOf(entry);
  if (kind === undefined || !isForSignatures(entry)) return undefined;
  const algorithm = member(entry, "alg");
  let loaded: { key: KeyObject | undefined } | undefined;
  return {
    kind,
    algorithm: typeof algorithm === "string" ? canonicalAlgorithm(algorithm) : undefined,
    load: () => (loaded ??= { key: importKey(entry, kind) }).key,
  };
}

const ELLIPTIC: ReadonlyMap<unknown, KeyKind> = new Map([
  ["P-256", "P-256"],
  ["P-384", "P-384"],
  ["P-521", "P-521"],
]);

function kindOf(entry: unknown): KeyKind | undefined {
  switch (member(entry, "kty")) {
    case "RSA":
      return "RSA";
    case "EC":
      return ELLIPTIC.get(member(entry, "crv"));
    case "OKP":
      return member(entry, "crv") === "Ed25519" ? "Ed25519" : undefined;
    default:
      return undefined;
  }
}

/** Uses of keys that check signatures: those of RFC 7517, and that of a SPIFFE bundle, whose keys for certificates have another. */
const USES: ReadonlySet<unknown> = new Set([undefined, "sig", "jwt-svid"]);

function isForSignatures(entry: unknown): boolean {
  const use = member(entry, "use");
  const operations = member(entry, "key_ops");
  return USES.has(use) && (!Array.isArray(operations) || operations.includes("verify"));
}

function importKey(entry: unknown, kind: KeyKind): KeyObject | undefined {
  const names = ["kty", "crv", "x", "y", "n", "e"];
  const members = names.map((name) => [name, member(entry, name)]).filter(([, value]) => typeof value === "string");
  try {
    // Only what makes up a public key: a set that publishes a private one by mistake still has its public half.
    const key = createPublicKey({ format: "jwk", key: Object.fromEntries(members) as JsonWebKeyInput["key"] });
    return kindOfKey(key) === kind ? key : undefined;
  } catch {
    // An entry that is no key is left out, whatever is wrong with it.
    return undefined;
  }
}

/** The member of a JSON object; undefined for what is none. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
