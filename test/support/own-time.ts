/** Time of a process as it could use it: a machine that others work on gives less of it than the clock says. */
import { existsSync, readFileSync } from "node:fs";

/**
 * Returns a clock of the main thread of a process of this machine, in milliseconds from now on: it stands still while the thread
 * waits for a processor, which it also does of those whose time the host gives to other machines.
 *
 * @throws Error on a system that does not say how long that was
 */
export function ownClock(pid: number): () => number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  if (!existsSync(file)) throw new Error(`process ${pid} says nothing of its time`);
  const waited = (): number => Number(readFileSync(file, "latin1").split(" ")[1]) / 1e6;
  const from = { now: performance.now(), waited: waited(), stolen: stolenShareOf() };
  return () => {
    const gone = performance.now() - from.now;
    const stolen = stolenShareOf();
    const share = stolen.all === from.stolen.all ? 0 : (stolen.own - from.stolen.own) / (stolen.all - from.stolen.all);
    return Math.max(0, gone * (1 - share) - (waited() - from.waited));
  };
}

/** Processor time that the host gave to other machines, and all of it, in the kernel's units. */
function stolenShareOf(): { own: number; all: number } {
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in the first two.
  const line = readFileSync("/proc/stat", "latin1").split("\n", 1)[0] ?? "";
  const times = line.trim().split(/ +/).slice(1, 9).map(Number);
  return { own: times[7] ?? 0, all: times.reduce((sum, time) => sum + time, 0) };
}
