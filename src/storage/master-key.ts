import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createPrivateFile, findLaxMode, readTextFile } from "./files.ts";
import { StartError } from "./start-error.ts";

const KEY_BYTES = 32;

export interface MasterKeyOptions {
  /** Where the operator keeps the key; without it, it lies in the data directory. */
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
  const path = options.keyFile ?? join(options.dataDir, "master-key");
  const text = readTextFile(path);
  if (text !== undefined) {
    const lax = findLaxMode(path, 0o077);
    if (lax !== undefined) options.onWarning(lax);
    return parseKey(text, path);
  }
  if (options.keyFile !== undefined) {
    throw new StartError(`the key file ${path} does not exist; make one with: openssl rand -base64 32 > ${path}`);
  }
  if (!databaseIsEmpty) {
    throw new StartError(`the database has secrets but its master key ${path} is missing; give --key-file`);
  }
  const key = randomBytes(KEY_BYTES);
  createPrivateFile(path, `${key.toString("base64")}\n`);
  options.onWarning(`made a master key in ${path}; keep it apart from the database and name it with --key-file`);
  return parseKey(readTextFile(path) ?? "", path);
}

function parseKey(text: string, path: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (key.length !== KEY_BYTES) {
    throw new StartError(`${path} does not hold a key: it must be 32 bytes as base64 or hexadecimal text`);
  }
  return key;
}
