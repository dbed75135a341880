import { openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Place of a file when it was opened. It can be passed to a thread. */
export interface PlacedFile {
  path: string;
  device: bigint;
  inode: bigint;
}

/** A database file that is read beside SQLite. */
export interface HeldFile extends PlacedFile {
  /** Open for reading, for all threads. */
  descriptor: number;
}

/**
 * Opens a database file to read it beside SQLite, once for as long as the process has a connection to it. POSIX drops all locks
 * of a process on a file when it closes any descriptor of that file; another program that then finds no lock removes the log
 * when it closes the database (https://sqlite.org/howtocorrupt.html, section 2.2).
 *
 * @returns the file; the caller closes its descriptor behind the last connection
 */
export function holdFile(path: string): HeldFile {
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, device: dev, inode: ino, descriptor: openSync(path, "r") };
}

/** Notes which files lie at these paths now. Those that are not there are left out. */
export function placedNow(paths: readonly string[]): PlacedFile[] {
  return paths.flatMap((path) => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, device: stats.dev, inode: stats.ino }];
  });
}

/**
 * The first of the files that is not at its path any more, and what became of it.
 * A connection goes on reading and writing such a file, which nobody will ever find again.
 *
 * @returns undefined while all are where they were
 */
export function findMoved(files: readonly PlacedFile[]): string | undefined {
  for (const { path, device, inode } of files) {
    let stats;
    try {
      stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      return `cannot access ${path} (${String(error)})`;
    }
    if (stats === undefined) return `${path} was moved or deleted`;
    if (stats.dev !== device || stats.ino !== inode)
      return `${path} was replaced by another file while the server was running`;
  }
  return undefined;
}

/**
 * Time since its last change for which the times of a folder are not trusted, in milliseconds: where clocks are coarse,
 * a later change may leave the same time.
 */
const SETTLED_MS = 3000;

/**
 * Makes what finds moved files like `findMoved`, and hardly costs anything while no name in their folders has changed: of
 * the files themselves it asks nothing. On Linux from 6.13 on, whoever asks for a file's times makes the next change of it
 * leave a new one, so that the next sync of a log has to write the file's metadata too: measured, 0.4 ms instead of 0.27.
 *
 * What leaves the folders' times as they are, such as a file system mounted over a file, it does not see.
 */
export function createMoveWatch(files: readonly PlacedFile[]): () => string | undefined {
  const folders = files.map(({ path }) => dirname(path)).filter((folder, i, all) => all.indexOf(folder) === i);
  let settled: string | undefined;
  return () => {
    const now = stateOf(folders);
    if (now !== undefined && now === settled) return undefined;
    const moved = findMoved(files);
    // As it was before the look: what is renamed during it is looked at again.
    settled = moved === undefined ? now : undefined;
    return moved;
  };
}

/** Which folders lie at these paths, and when names in them last changed; undefined when that was only just now. */
function stateOf(folders: readonly string[]): string | undefined {
  let state = "";
  for (const folder of folders) {
    let stats;
    try {
      stats = statSync(folder, { bigint: true });
    } catch {
      return undefined;
    }
    if (Date.now() - Number(stats.mtimeMs) < SETTLED_MS) return undefined;
    state += `${stats.dev}/${stats.ino}/${stats.mtimeNs}/${stats.ctimeNs} `;
  }
  return state;
}

/** Offsets in the first page of a database file of the size of a page, in bytes, and of the number of pages. */
const PAGE_SIZE_AT = 16;
const PAGES_AT = 28;
const HEADER_BYTES = 100;

/**
 * Whether a database file is shorter than it says in its first page: then what lay behind is lost, though pages that SQLite
 * remembers are still shown. Asked while all of the log is in the file: a copying that is under way says first how long the
 * file will be.
 *
 * @returns how short it is; undefined where it is whole, or cannot be read
 */
export function findShortage(file: HeldFile): string | undefined {
  const wanted = wantedSize(file);
  const size = sizeOf(file.path);
  if (wanted === undefined || size === undefined || size >= wanted) return undefined;
  return `the file is ${size} bytes long, and should be ${wanted}`;
}

/**
 * Watches a database file for a loss of its end, also while others write to it. It may become shorter where its pages have become
 * fewer, as by SQLite's `vacuum`: then its first page says so before.
 *
 * @returns a look, to be taken before and behind each writing to the file: how short it is, once it was longer; undefined where it is whole
 */
export function createShrinkWatch(file: HeldFile): () => string | undefined {
  let longest = sizeOf(file.path) ?? 0;
  return () => {
    const size = sizeOf(file.path) ?? longest;
    const shortage = size < longest ? findShortage(file) : undefined;
    // It stays what it was: what is written behind a lost end makes the file no better.
    if (shortage === undefined) longest = size;
    return shortage;
  };
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function wantedSize({ descriptor }: HeldFile): number | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const read = readSync(descriptor, header, 0, HEADER_BYTES, 0);
    if (read < HEADER_BYTES) return HEADER_BYTES;
  } catch {
    return undefined;
  }
  // There is no room for the number of the largest pages.
  const pageSize = header.readUInt16BE(PAGE_SIZE_AT) === 1 ? 65_536 : header.readUInt16BE(PAGE_SIZE_AT);
  return header.readUInt32BE(PAGES_AT) * pageSize;
}
