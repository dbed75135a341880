/** A file that the lines of audit records are written to, as `--audit-file` names it. */
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { type AuditSink, SinkFailure } from "./sink.ts";

export interface FileSink extends AuditSink {
  /** Opens the file again before the next line: it was given another name, and a new one is to be begun. */
  reopen(): void;
}

/**
 * Flags with which the file is opened. Anything but a regular file, such as a pipe without a reader, must not block.
 */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
const NEWLINE = 10;
/** How every line begins: only what begins so is taken for a line that a crash has cut. */
const BEGINNING = '{"type":"';
const BLOCK = 64 * 1024;
/** As long as a line may be that is looked for from the end. */
const MOST_BLOCKS = 1024;

/** Each server that is given a file writes everything to it: the file is known by the server's host name and its path. */
export function createFileSink(path: string): FileSink {
  let file: FileHandle | undefined;
  let isStale = false;

  async function current(): Promise<FileHandle> {
    if (file !== undefined && (isStale || !(await isStillAt(path, file)))) {
      const old = file;
      file = undefined;
      await old.close();
    }
    isStale = false;
    return (file ??= await openFile(path));
  }

  return {
    name: `file ${hostname()} ${path}`,
    reopen: () => void (isStale = true),
    async deliver(lines) {
      try {
        const handle = await current();
        await append(handle, Buffer.from(`${lines.join("\n")}\n`));
      } catch (error) {
        // The state of the file is unknown, so it is opened again from the path.
        isStale = true;
        if (error instanceof SinkFailure) throw error;
        throw new SinkFailure(`cannot write ${path} (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
      }
    },
    async close() {
      await file?.close();
      file = undefined;
    },
  };
}

async function isStillAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, own] = await Promise.all([stat(path).catch(() => undefined), file.stat()]);
  return there?.ino === own.ino && there.dev === own.dev;
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, FLAGS, 0o600);
  try {
    const { size } = await checkedStat(file, path);
    await endLine(file, size);
    if (size === 0) await syncFolder(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function checkedStat(file: FileHandle, path: string): Promise<{ size: number }> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new SinkFailure(`${path} is not a regular file`);
  return stats;
}

/** Its name has to be there after a power cut, too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** All of it, or nothing: half a line is taken back, so that what comes behind it can be read. */
async function append(file: FileHandle, bytes: Buffer): Promise<void> {
  const { size } = await file.stat();
  try {
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, written);
      written += bytesWritten;
    }
    await file.sync();
  } catch (error) {
    await file.truncate(size).catch(() => undefined);
    throw error;
  }
}

/** Takes away the beginning of a line behind which the server was killed: it comes again. What is not ours is left, and ended. */
async function endLine(file: FileHandle, size: number): Promise<void> {
  const start = await lastLineStart(file, size);
  if (start === size) return;
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(BEGINNING.length),
    0,
    BEGINNING.length,
    Math.max(0, start),
  );
  const isOurs = start >= 0 && BEGINNING.startsWith(buffer.toString("latin1", 0, bytesRead));
  if (isOurs) await file.truncate(start);
  else await file.write("\n");
}

/** Finds the start of the text after the last line break; -1 when it is not found. */
async function lastLineStart(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(BLOCK);
  for (let end = size, count = 0; end > 0 && count < MOST_BLOCKS; count++) {
    const begin = Math.max(0, end - BLOCK);
    const { bytesRead } = await file.read(block, 0, end - begin, begin);
    const found = block.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (found !== -1) return begin + found + 1;
    end = begin;
    if (end === 0) return 0;
  }
  return size === 0 ? 0 : -1;
}
