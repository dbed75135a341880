/** Disk operations of a traced server, in order, and when each answer left it. */
import { lastNumber, readCalls, target, texts, type Call } from "./strace-log.ts";

/** A file's content, whatever names it has. */
export interface Inode {
  readonly changes: Change[];
  readonly syncs: Sync[];
  readonly directory: boolean;
}

/** From the line at which a call was entered to the one at which it had returned. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A call that put on disk what was written before it. */
export interface Sync extends Span {
  readonly call: "fsync" | "fdatasync";
}

/** A write, or a change of the size. */
export type Change = Span & ({ readonly offset: number; readonly data: Buffer } | { readonly size: number });

/** A name that was given to a file, or taken away. */
export interface Naming extends Span {
  readonly path: string;
  readonly inode: Inode | undefined;
}

export interface DiskTrace {
  readonly namings: readonly Naming[];
  /** Directories below the root, and the root itself, by path. */
  readonly directories: ReadonlyMap<string, Inode>;
  readonly files: ReadonlyMap<string, Inode>;
  /** The line at which each answer began to leave, by the client's port, in order. */
  readonly answers: ReadonlyMap<number, readonly number[]>;
  readonly lines: number;
}

/** Files that recovery does not read: the index of the log is rebuilt, locks are the living's. */
const LEFT_OUT = /(-shm|\.lock|\.lock-journal)$/;

/** @param root the folder that was there, and durable, before the server started */
export function readDiskTrace(text: string, root: string): DiskTrace {
  const namings: Naming[] = [];
  const files = new Map<string, Inode>();
  const directories = new Map<string, Inode>([[root, newInode(true)]]);
  const answers = new Map<number, number[]>();
  const below = (path: string) => path.startsWith(`${root}/`) && !LEFT_OUT.test(path);
  const calls = readCalls(text);

  function name(call: Call, path: string, inode: Inode | undefined): void {
    if (!below(path)) return;
    namings.push({ path, inode, start: call.start, end: call.end });
    const known = inode?.directory === true ? directories : files;
    if (inode === undefined) files.delete(path);
    else known.set(path, inode);
  }

  function change(call: Call): void {
    const path = target(call);
    if (path.startsWith("TCP:")) return noteAnswer(call, path, answers);
    const inode = files.get(path);
    if (inode === undefined) return;
    const { start, end } = call;
    if (call.name === "ftruncate") return void inode.changes.push({ start, end, size: lastNumber(call) });
    if (call.name !== "write" && call.name !== "pwrite64") throw new Error(`${call.name} on ${path} is not known here`);
    const data = (texts(call)[0] ?? Buffer.alloc(0)).subarray(0, call.result);
    inode.changes.push({ start, end, data, offset: call.name === "write" ? sizeOf(inode) : lastNumber(call) });
  }

  function open(call: Call): void {
    const path = texts(call)[0]?.toString() ?? "";
    if (!call.args.includes("O_CREAT") || !below(path)) return;
    const known = files.get(path);
    if (known === undefined) name(call, path, newInode(false));
    else if (call.args.includes("O_TRUNC")) known.changes.push({ start: call.start, end: call.end, size: 0 });
  }

  for (const call of calls) {
    if (call.result < 0) continue;
    switch (call.name) {
      case "openat":
        open(call);
        break;
      case "mkdir":
        name(call, String(texts(call)[0]), newInode(true));
        break;
      case "link":
      case "rename": {
        const [from, to] = texts(call).map(String);
        if (from === undefined || to === undefined) break;
        name(call, to, files.get(from));
        if (call.name === "rename") name(call, from, undefined);
        break;
      }
      case "unlink":
        name(call, String(texts(call)[0]), undefined);
        break;
      case "fsync":
      case "fdatasync": {
        const path = target(call);
        (files.get(path) ?? directories.get(path))?.syncs.push({ call: call.name, start: call.start, end: call.end });
        break;
      }
      case "mmap":
        if (/MAP_SHARED/.test(call.args) && /PROT_WRITE/.test(call.args) && mapped(call, files)) {
          throw new Error("a data file is written through memory, which a trace does not show");
        }
        break;
      case "write":
      case "writev":
      case "pwrite64":
      case "pwritev":
      case "pwritev2":
      case "ftruncate":
      case "fallocate":
        change(call);
        break;
      default:
        if (texts(call).some((path) => below(path.toString()))) throw new Error(`${call.name} is not known here`);
    }
  }
  return { namings, directories, files, answers, lines: Math.max(...calls.map((call) => call.end)) + 1 };
}

function newInode(directory: boolean): Inode {
  return { changes: [], syncs: [], directory };
}

function sizeOf(inode: Inode): number {
  return inode.changes.reduce(
    (size, change) => ("size" in change ? change.size : Math.max(size, change.offset + change.data.length)),
    0,
  );
}

function mapped(call: Call, files: ReadonlyMap<string, Inode>): boolean {
  const path = /<((?:\\x[0-9a-f]{2})+)>/.exec(call.args)?.[1]?.replaceAll("\\x", "") ?? "";
  return files.has(Buffer.from(path, "hex").toString());
}

function noteAnswer(call: Call, connection: string, answers: Map<number, number[]>): void {
  const port = Number(/->[^\]]*:(\d+)\]/.exec(connection)?.[1] ?? 0);
  const begins = (texts(call)[0] ?? Buffer.alloc(0)).subarray(0, 9).toString("latin1") === "HTTP/1.1 ";
  if (!begins) return;
  const of = answers.get(port) ?? [];
  of.push(call.start);
  answers.set(port, of);
}
