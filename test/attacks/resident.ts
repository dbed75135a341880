import { readFileSync } from "node:fs";

/** Resident memory of a process of this machine, in bytes, as the kernel counts it. @throws Error when there is no such process */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} says nothing of its memory`);
  return Number(kilobytes) * 1024;
}
