/** The files of a backup: where it is written, and what it is read from. */
import { closeSync, constants, createReadStream, fstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ConfigError, errorCode } from "../config/given.ts";
import { checkPlain } from "../config/plain-file.ts";
import { syncDirectory } from "../storage/files.ts";
import { MAGIC } from "./format.ts";
import type { ByteSink } from "./write.ts";

/** Standard output, or input. */
export const STANDARD = "-";

export interface BackupTarget {
  sink: ByteSink;
  /** Path for a temporary copy of the database. */
  copy: string;
  /** Gives the file the requested name, durably. */
  finish(): Promise<void>;
  /** Removes what was written. */
  abandon(): Promise<void>;
}

/**
 * Opens the file for a backup. The file gets its name only when all bytes are in it and on disk: whenever the process
 * ends, either the earlier file or the whole new one is there. Removes the leftovers of processes that were
 * interrupted.
 *
 * @throws ConfigError when the file cannot be created
 */
export async function openTarget(path: string): Promise<BackupTarget> {
  if (path === STANDARD) return standardOutput();
  removeLeftOvers(path);
  checkReplaced(path);
  const part = `${path}.part-${process.pid}`;
  const file = await open(part, "wx", 0o600).catch((error: unknown) => {
    throw new ConfigError(`cannot write ${path} (${errorCode(error)}). Check the path and its permissions`);
  });
  return {
    copy: `${path}.copy-${process.pid}`,
    async sink(bytes) {
      for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
    },
    async finish() {
      await file.sync();
      await file.close();
      await rename(part, path);
      syncDirectory(dirname(path));
    },
    async abandon() {
      await file.close();
      rmSync(part, { force: true });
    },
  };
}

/**
 * Checks that a file to be replaced is an older backup.
 *
 * @throws ConfigError for any other file, such as the database itself
 */
function checkReplaced(path: string): void {
  const size = checkPlain(path, "the backup");
  if (size === undefined || size === 0) return;
  if (!isBackup(path))
    throw new ConfigError(
      `${path} exists and is not a backup; it is not overwritten. Choose another file, or - for stdout`,
    );
}

/** Whether a file begins as a backup does. @throws ConfigError when it cannot be read */
export function isBackup(path: string): boolean {
  const beginning = Buffer.alloc(MAGIC.length);
  try {
    // `O_NONBLOCK`: the open does not wait for a pipe.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readSync(file, beginning, 0, MAGIC.length, null) === MAGIC.length && beginning.equals(MAGIC);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new ConfigError(`cannot read ${path} (${errorCode(error)}). Check the path and its permissions`);
  }
}

function standardOutput(): BackupTarget {
  if (process.stdout.isTTY)
    throw new ConfigError("cannot write a backup to a terminal. Set a file, or redirect stdout");
  let failure: Error | undefined;
  process.stdout.on("error", (error) => (failure = error));
  return {
    copy: join(tmpdir(), `tessera.copy-${process.pid}`),
    async sink(bytes) {
      if (failure === undefined && !process.stdout.write(bytes)) await once(process.stdout, "drain");
      if (failure !== undefined) throw new ConfigError(`cannot write to stdout (${errorCode(failure)})`);
    },
    async finish() {
      await new Promise<void>((done) => process.stdout.write("", () => done()));
      if (failure !== undefined) throw new ConfigError(`cannot write to stdout (${errorCode(failure)})`);
    },
    async abandon() {},
  };
}

function removeLeftOvers(path: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  let entries: string[];
  try {
    entries = readdirSync(folder);
  } catch (error) {
    throw new ConfigError(`cannot read ${folder} (${errorCode(error)}). Check the path and its permissions`);
  }
  for (const entry of entries) {
    if (!entry.startsWith(`${name}.`)) continue;
    const pid = /^\.(?:part|copy)-(\d+)(?:-journal)?$/.exec(entry.slice(name.length))?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, entry), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** File or stream that a backup is read from. */
export interface Source {
  /** Name for messages. */
  name: string;
  /** Whether it can be read more than once. */
  isFile: boolean;
  bytes(): AsyncIterable<Buffer>;
}

const PIECE_BYTES = 256 * 1024;

/** @throws ConfigError when there is no such file */
export function openSource(path: string): Source {
  if (path === STANDARD) return { name: "standard input", isFile: false, bytes: () => process.stdin };
  try {
    const file = openSync(path, constants.O_RDONLY);
    const isFile = fstatSync(file).isFile();
    const options = { fd: file, highWaterMark: PIECE_BYTES, autoClose: false, ...(isFile ? { start: 0 } : {}) };
    return { name: path, isFile, bytes: () => createReadStream("", options) };
  } catch (error) {
    throw new ConfigError(`cannot read ${path} (${errorCode(error)}). Check the path and its permissions`);
  }
}
