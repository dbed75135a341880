/** `Config` of an auth method: sealed as a whole, since it may hold secrets; these are shown only to those who may write. */
import { isDeepStrictEqual } from "node:util";
import { invalid } from "../../errors.ts";
import type { RawConfig, Reading } from "../../identities/validator.ts";
import { placeIn } from "../../storage/keys/sealed-columns.ts";
import { openStored, type Keyring } from "../../storage/keys/sealed.ts";
import type { Database } from "../../storage/database.ts";
import { StorageDamaged } from "../../storage/proofs/damaged-rows.ts";
import { fold } from "../../fold.ts";
import { HIDDEN } from "../tokens/secrets.ts";
import type { AuthMethod } from "./store.ts";

/** Keys in lower case, of all types of methods: true where the value is a secret, else the keys inside of it. */
type Secrets = ReadonlyMap<string, true | Secrets>;
const SECRETS: Secrets = new Map<string, true | Secrets>([
  ["serviceaccountjwt", true],
  ["oidcclientsecret", true],
  ["oidcclientassertion", new Map([["privatekey", new Map([["pemkey", true as const]])]])],
]);

/** Ends the text that is sealed of a configuration that is read as of now; a version of before passes over it. */
const PRESENT = "\n";

/** Made before the transaction, since sealing may have to make a data key. */
export function sealConfig({ keyring }: Pick<Database, "keyring">, id: string, config: RawConfig): Promise<string> {
  return keyring.seal(JSON.stringify(config) + PRESENT, place(id));
}

/** @throws StorageDamaged */
export async function openConfig(db: Pick<Database, "keyring">, method: SealedMethod): Promise<RawConfig> {
  return (await openWithReading(db, method)).config;
}

/** Seals the configuration of a method for its entry in the trash. @returns undefined when it is damaged */
export async function sealForTrash(
  { keyring }: Pick<Database, "keyring">,
  { id, configSealed }: SealedMethod,
  entryId: string,
): Promise<string | undefined> {
  const text = await openStored(keyring, configSealed, place(id)).catch((error: unknown) => {
    if (error instanceof StorageDamaged) return undefined;
    throw error;
  });
  return text === undefined ? undefined : keyring.seal(text, placeIn("trash", entryId));
}

/** Opens the configuration of an entry in the trash. @throws StorageDamaged */
export async function openTrashed(
  { keyring }: Pick<Database, "keyring">,
  sealed: string,
  id: string,
): Promise<RawConfig> {
  return withoutPrototype(JSON.parse(await openStored(keyring, sealed, placeIn("trash", id)))) as RawConfig;
}

type SealedMethod = Pick<AuthMethod, "id" | "configSealed">;

/** The configuration, and how it is read. @throws StorageDamaged */
export async function openWithReading(
  { keyring }: { keyring: Pick<Keyring, "open"> },
  { id, configSealed }: SealedMethod,
): Promise<{ config: RawConfig; reading: Reading }> {
  const text = await openStored(keyring, configSealed, place(id));
  const reading = text.endsWith(PRESENT) ? "present" : "earlier";
  return { config: withoutPrototype(JSON.parse(text)) as RawConfig, reading };
}

function place(id: string): string {
  return placeIn("auth_methods", id);
}

/** Names in it are a client's, and one of them may be `__proto__`. */
function withoutPrototype(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototype);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, entry] of Object.entries(value)) copy[key] = withoutPrototype(entry);
  return copy;
}

/** Whether both say the same. Clients write what they have read in an order of their own. */
export function isSameConfig(one: RawConfig, other: RawConfig): boolean {
  return isDeepStrictEqual(withoutPrototype(one), other);
}

/** The configuration for those who may not have its secrets. */
export function withoutSecrets(config: RawConfig): RawConfig {
  return withShown(config, SECRETS, () => HIDDEN) as RawConfig;
}

/** A value with what `show` makes of each secret in it. @param keys of secrets, where it is a map; lists are read as their entries */
function withShown(value: unknown, keys: Secrets, show: (secret: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withShown(entry, keys, show));
  if (!isMap(value)) return value;
  return mapped(value, (key, entry) => {
    const inside = keys.get(fold(key));
    if (inside === undefined) return entry;
    return inside === true ? show(entry, key) : withShown(entry, inside, show);
  });
}

const MOST_BYTES = 256 * 1024;

/**
 * It is kept in memory while the method is used.
 *
 * @throws AppError `invalid`
 */
export function checkSize(config: RawConfig): void {
  if (Buffer.byteLength(JSON.stringify(config)) <= MOST_BYTES) return;
  throw invalid(`Invalid Auth Method: Config is longer than ${MOST_BYTES} bytes`);
}

/**
 * Rejects the placeholder of a secret: a caller who sends it back has read the method without permission to write.
 *
 * @throws AppError `invalid`
 */
export function checkShownSecrets(config: RawConfig): void {
  withShown(config, SECRETS, (secret, key) => {
    if (secret !== HIDDEN) return secret;
    throw invalid(`Invalid Auth Method: Config.${key} is "${HIDDEN}", the placeholder of a secret. Send the secret`);
  });
}

/** A JSON Merge Patch (RFC 7396) of a configuration; its own keys match in any case, as they are read. */
export function patchConfig(current: RawConfig, patch: Readonly<Record<string, unknown>>): RawConfig {
  const spelled = new Map(Object.keys(current).map((key) => [fold(key), key]));
  const changes = Object.entries(patch).map(([key, value]) => [spelled.get(fold(key)) ?? key, value] as const);
  return merge(current, changes);
}

function merge(current: RawConfig, changes: readonly (readonly [string, unknown])[]): RawConfig {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of changes) {
    if (value === null || value === undefined) merged.delete(key);
    else if (isMap(value)) merged.set(key, merge(asMap(merged.get(key)), Object.entries(value)));
    else merged.set(key, value);
  }
  return fromEntries(merged);
}

/**
 * Returns the merge patch that makes one configuration another, as far as both are shown: a hidden secret of `wanted` is not in
 * the patch, so the present one stays.
 *
 * @param present without secrets @param wanted without secrets
 */
export function restoringPatch(present: RawConfig, wanted: RawConfig): Readonly<Record<string, unknown>> {
  const patch: [string, unknown][] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const now = Object.hasOwn(present, key) ? present[key] : undefined;
    if (value === HIDDEN) continue;
    patch.push([key, isMap(value) && isMap(now) ? restoringPatch(now, value) : value]);
  }
  // Keys match in any case.
  const kept = new Set(Object.keys(wanted).map(fold));
  for (const key of Object.keys(present)) if (!kept.has(fold(key))) patch.push([key, null]);
  return Object.fromEntries(patch);
}

function isMap(value: unknown): value is RawConfig {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asMap(value: unknown): RawConfig {
  return isMap(value) ? value : {};
}

function mapped(config: RawConfig, change: (key: string, value: unknown) => unknown): RawConfig {
  return fromEntries(Object.entries(config).map(([key, value]) => [key, change(key, value)]));
}

function fromEntries(entries: Iterable<readonly [string, unknown]>): RawConfig {
  const config = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) config[key] = value;
  return config;
}
