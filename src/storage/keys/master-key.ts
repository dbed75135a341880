import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { existsSync } from "node:fs";
import { createPrivateFile, findLaxMode, readTextFile } from "../files.ts";
import { StartError } from "../start-error.ts";

const KEY_BYTES = 32;

interface MasterKeyOptions {
  /** Master key that a command has printed; replaces the file. */
  masterKey?: Uint8Array | undefined;
  /** Path of the operator's key file. Default: a file in the data directory. */
  keyFile: string | undefined;
  dataDir: string;
  onWarning: (message: string) => void;
}

/**
 * Reads the master key: 32 bytes as base64 or hexadecimal text. On an empty
 * database without a key file of the operator's, makes one in the data directory.
 *
 * @throws StartError when there is none and none may be made, or it is not a key
 */
export function readMasterKey(options: MasterKeyOptions, databaseIsEmpty: boolean): Buffer {
  if (options.masterKey !== undefined) return Buffer.from(options.masterKey);
  const path = options.keyFile ?? join(options.dataDir, "master-key");
  const text = readTextFile(path);
  if (text !== undefined) {
    const lax = findLaxMode(path, 0o077);
    if (lax !== undefined && !isCredential(path)) options.onWarning(lax);
    return parseKey(text, path);
  }
  if (options.keyFile !== undefined) {
    throw new StartError(`key file ${path} not found. Create it with: openssl rand -base64 32 > ${path}`);
  }
  if (!databaseIsEmpty) {
    throw new StartError(`master key ${path} not found, but the database contains encrypted secrets. Set --key-file`);
  }
  const key = randomBytes(KEY_BYTES);
  createPrivateFile(path, `${key.toString("base64")}\n`);
  options.onWarning(`created the master key ${path}. Store it apart from the database and set --key-file to it`);
  return parseKey(readTextFile(path) ?? "", path);
}

/**
 * Looks at the master key that an empty database would be begun with, and makes none.
 *
 * @throws StartError when the operator's file is missing, or what there is is no key
 */
export function checkMasterKey(options: MasterKeyOptions): void {
  const isMade = options.masterKey === undefined && options.keyFile === undefined;
  if (isMade && readTextFile(join(options.dataDir, "master-key")) === undefined) return;
  // Told when it is read to be used.
  readMasterKey({ ...options, onWarning: () => undefined }, true);
}

/** Whether systemd shows it to this service alone: the mode of such a file tells of its access list, not of its group. */
function isCredential(path: string): boolean {
  const directory = process.env["CREDENTIALS_DIRECTORY"];
  return directory !== undefined && directory !== "" && dirname(path) === directory;
}

/**
 * A key as base64 or hexadecimal text.
 *
 * @param origin what is said to hold none when it is none; the text itself is never shown
 * @throws StartError
 */
export function parseKey(text: string, origin: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (key.length !== KEY_BYTES) {
    throw new StartError(`${origin} does not contain a master key: expected 32 bytes as base64 or hexadecimal text`);
  }
  return key;
}

/**
 * A small file says that a master key has sealed what lies in a database. So an empty database beside that key is known
 * for what it is: not a first start, but the loss of everything, such as a volume that was not mounted.
 */
export interface UsedKey {
  isUsed(): boolean;
  /** @throws StartError when the key was used, unless the operator allows for it */
  refuseEmpty(): void;
  /** Writes down that the key is used; called when what it has sealed is durable. */
  note(): void;
}

interface UsedKeyOptions {
  /** Whether a command gives the key, so that it lies nowhere. */
  isGiven?: boolean;
  /** Path of the operator's key file. Default: a file in the data directory. */
  keyFile: string | undefined;
  dataDir: string;
  /** `--allow-empty-database` */
  allowEmpty: boolean;
  onWarning: (message: string) => void;
}

const TEXT = "The master key next to this file encrypts secrets of a Tessera database. Keep this file with the key.\n";

export function usedKey({ isGiven = false, keyFile, dataDir, allowEmpty, onWarning }: UsedKeyOptions): UsedKey {
  const own = join(dataDir, "master-key");
  const key = keyFile ?? own;
  const named = isGiven ? "of --key-command" : key;
  // Beside the key, which is what outlives a lost volume; in the data directory where keys are mounted to be read only.
  const places = [...new Set([`${key}.used`, `${own}.used`])];
  let isAllowed = false;
  const isUsed = () => places.some((place) => existsSync(place));
  return {
    isUsed,
    refuseEmpty() {
      if (isAllowed || !isUsed()) return;
      const what = `the database is missing or empty, but the master key ${named} belongs to an earlier database`;
      if (!allowEmpty) {
        throw new StartError(
          `${what}. Restore the database, or create an empty one with --allow-empty-database (see docs/operations/damage.md)`,
        );
      }
      isAllowed = true;
      onWarning(`${what}; creating an empty database because --allow-empty-database is set`);
    },
    note() {
      const failures: unknown[] = [];
      for (const place of places) {
        if (existsSync(place)) return;
        try {
          createPrivateFile(place, TEXT);
          return;
        } catch (error) {
          failures.push(error);
        }
      }
      onWarning(`cannot write the key-usage marker; a lost database will not be detected: ${failures.join(", ")}`);
    },
  };
}
