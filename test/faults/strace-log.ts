/** Reads what `strace -f -yy -xx` wrote: one entry per system call, in the order in which the calls began. */
import { execFileSync } from "node:child_process";

/** The calls that change files or put them on disk, or send answers. */
const TRACED = [
  ["openat", "creat", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat"],
  ["write", "writev", "pwrite64", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate", "copy_file_range"],
  ["fsync", "fdatasync", "sync_file_range", "mmap"],
].flat();

/** The command that runs another one and writes its system calls to `file`; the other one stays the direct child. */
export function straceCommand(file: string): string[] {
  const output = ["-o", file, "-e", `trace=${TRACED.join(",")}`, "-e", "signal=none"];
  return ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-yy", "-xx", "-s", "4000000", ...output];
}

/** Why no trace can be made here; undefined when it can. */
export function whyNoTrace(): string | undefined {
  try {
    execFileSync("strace", ["-f", "-o", "/dev/null", "true"], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `strace cannot run here: ${String(error)}`;
  }
}

export interface Call {
  readonly name: string;
  /** Everything between the parentheses. */
  readonly args: string;
  readonly result: number;
  /** Line at which it was entered, and at which it had returned. */
  readonly start: number;
  readonly end: number;
}

/** Calls that had not returned when the trace ended are left out, as they had no answer. */
export function readCalls(text: string): Call[] {
  const calls: Call[] = [];
  const open = new Map<string, { name: string; args: string; start: number }>();
  let line = 0;
  for (let from = 0; from < text.length; line++) {
    const to = text.indexOf("\n", from);
    if (to === -1) break;
    const entry = text.slice(from, to);
    from = to + 1;
    const pid = entry.slice(0, entry.indexOf(" "));
    const rest = entry.slice(pid.length).trimStart();
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(rest);
    if (resumed !== null) {
      const begun = open.get(pid);
      open.delete(pid);
      if (begun === undefined || begun.name !== resumed[1]) throw new Error(`line ${line} resumes nothing`);
      calls.push(finish(begun.name, begun.args + rest.slice(resumed[0].length), begun.start, line));
      continue;
    }
    const parenthesis = rest.indexOf("(");
    const name = rest.slice(0, parenthesis);
    if (!/^\w+$/.test(name)) continue;
    const args = rest.slice(parenthesis + 1);
    if (args.endsWith("<unfinished ...>")) {
      open.set(pid, { name, args: args.slice(0, -"<unfinished ...>".length), start: line });
    } else calls.push(finish(name, args, line, line));
  }
  return calls.sort((a, b) => a.start - b.start);
}

function finish(name: string, argsAndResult: string, start: number, end: number): Call {
  const at = argsAndResult.lastIndexOf(") ");
  const result = Number.parseInt(/= (-?\w+)/.exec(argsAndResult.slice(at))?.[1] ?? "-1");
  return { name, args: argsAndResult.slice(0, at), result, start, end };
}

/** The file descriptor that a call's first argument names, as a path or as a connection. */
export function target(call: Call): string {
  const inner = /^\d+<((?:\\x[0-9a-f]{2})+|TCP:\[[^\]]*\])/.exec(call.args)?.[1] ?? "";
  return inner.startsWith("\\x") ? decode(inner).toString() : inner;
}

/** Every text argument, decoded. A text that strace cut short is an error, as a piece of the disk would be missing. */
export function texts(call: Call): Buffer[] {
  if (/"\.\.\./.test(call.args)) throw new Error(`a ${call.name} was cut short by strace`);
  return [...call.args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map((match) => decode(match[1] ?? ""));
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll("\\x", ""), "hex");
}

/** The last argument as a number: an offset or a size. */
export function lastNumber(call: Call): number {
  return Number(call.args.slice(call.args.lastIndexOf(",") + 1));
}
