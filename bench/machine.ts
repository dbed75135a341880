/** The machine: cores, pinning, and what a process uses. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { arch, availableParallelism, cpus, release, totalmem, type } from "node:os";

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

/** The command in front of a program that keeps it on one core; nothing where that cannot be done. */
export function pinned(core: number): string[] {
  return canPin ? ["taskset", "-c", String(core)] : [];
}

/** Moves this process, and so what it starts from now on, to one core. */
export function pinSelf(core: number): void {
  if (canPin) execFileSync("taskset", ["-a", "-p", "-c", String(core), String(process.pid)], { stdio: "ignore" });
}

/** Resident memory of a process in MB; 0 where the system does not say. */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Ticks of the clock that processor time is told in, a second: 100 wherever Linux runs on a server. */
const TICKS = 100;

/** Processor time that a process and all its threads have taken so far, in seconds; 0 where the system does not say. */
export function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the name, which may hold blanks: state, and from the twelfth field on user and system time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0;
  }
}

/** One line that says what the numbers were measured on. @param places who has which core */
export function describeMachine(places = canPin ? "server on core 0, load on core 1" : "not pinned"): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? "unknown processor";
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cores.length} × ${model}, ${memory} GiB, ${type()} ${release()} ${arch()}, Node ${process.version}; ${places}`;
}
