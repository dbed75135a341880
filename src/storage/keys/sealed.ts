import type { KeyObject } from "node:crypto";
import { AppError } from "../../errors.ts";
import { damaged } from "../proofs/damaged-rows.ts";
import type { Sealed } from "./open-sealed.ts";

/**
 * Secrets at rest. A master key, which is not in the database, wraps the keys that are: one look-up key (secrets are
 * found by their HMAC-SHA-256) and data keys (secrets are read back from AES-256-GCM, bound to table, column and row).
 * So a copy of the database alone gives nobody a token.
 */
export interface Keyring {
  /** The value under which a secret is found again; base64url, 43 characters. */
  lookup(secret: string): string;
  /** Encrypts a secret for one place, such as `tokens/secret/<accessor>`. */
  seal(secret: string, place: string): Promise<string>;
  /** Decrypts it. @throws Error when the text was moved from another place or altered */
  open(sealed: string, place: string): Promise<string>;
  /** Decrypts many, for a fraction of what each costs alone. @throws Error when one was moved from another place or altered */
  openAll(all: readonly Sealed[]): Promise<string[]>;
  /** The data key of an ID, for the threads that open secrets. @throws Error when there is none */
  dataKey(id: string): Promise<KeyObject>;
  /** A key for one purpose, the same on every node of the database. */
  derive(purpose: string): KeyObject;
  /** Fingerprint of the master key that this process runs by. */
  readonly masterId: string;
  /** Seals under another data key from now on, and keeps those that were retired for what is still to be opened. */
  renew(): Promise<void>;
}

/**
 * Opens what a row holds sealed. Its seal was made here and for this place, so one that does not open is damaged.
 *
 * @param place `table/column/key`
 * @throws StorageDamaged
 */
export async function openStored(keyring: Pick<Keyring, "open">, sealed: string, place: string): Promise<string> {
  try {
    return await keyring.open(sealed, place);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const [table = "", , ...key] = place.split("/");
    throw damaged({ table, key: key.join("/") });
  }
}

/** Opens what many rows hold sealed. @throws StorageDamaged that names the first that does not open */
export async function openAllStored(
  keyring: Pick<Keyring, "open" | "openAll">,
  all: readonly Sealed[],
): Promise<string[]> {
  try {
    return await keyring.openAll(all);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return Promise.all(all.map(({ sealed, place }) => openStored(keyring, sealed, place)));
  }
}
