import { BOUNDS, longestTurn, type Measured } from "./bounds.ts";
import type { Summary } from "./latencies.ts";

/** How many of the longest turns are told. */
const TOLD_TURNS = 5;

/** All numbers of a soak, as text. @param byKind of the normal clients @param clientLag longest and p99 turn of the measuring process itself, in ms */
export function describe(
  measured: Measured,
  byKind: ReadonlyMap<string, Summary>,
  clientLag: { p99: number; max: number },
  begun: number,
): string {
  const { memory, latency, turns, seconds, waits, wrong, faults } = measured;
  const worst = turns.toSorted((one, other) => other.wall - other.waited - one.wall + one.waited).slice(0, TOLD_TURNS);
  return [
    row("bound", "measured", "allowed"),
    row("memory at the end, of that early", (memory.end / memory.early).toFixed(2), `≤ ${BOUNDS.growth}`),
    row("p99 of normal clients, ms", latency.p99.toFixed(1), `≤ ${BOUNDS.p99}`),
    row("longest turn, ms", longestTurn(turns).toFixed(1), `≤ ${BOUNDS.turn}`),
    row("wrong answers to normal clients", String(wrong), "0"),
    row("answers 500", String(faults), "0"),
    "",
    `${seconds.toFixed(0)} s; memory ${megabytes(memory.early)} MB early, ${megabytes(memory.end)} MB at the end; ${waits} waits answered`,
    `turns of the measuring client itself: p99 ${clientLag.p99.toFixed(1)} ms, longest ${clientLag.max.toFixed(1)} ms`,
    ...worst.map(
      ({ at, wall, waited }) =>
        `turn of ${wall.toFixed(1)} ms, of which ${waited.toFixed(1)} ms without a core, at ${((at - begun) / 1000).toFixed(0)} s`,
    ),
    "",
    row("normal clients", "requests", "p50 ms", "p99 ms", "max ms"),
    summary("all", latency),
    ...[...byKind].map(([kind, numbers]) => summary(kind, numbers)),
    "",
    row("hostile clients", "begun", "met"),
    ...measured.attacked.map(({ name, begun: times, outcomes }) =>
      row(
        name,
        String(times),
        Object.entries(outcomes)
          .map(([outcome, count]) => `${outcome} ×${count}`)
          .join(", "),
      ),
    ),
  ].join("\n");
}

function summary(kind: string, { count, p50, p99, max }: Summary): string {
  return row(kind, String(count), ...[p50, p99, max].map((milliseconds) => milliseconds.toFixed(1)));
}

function row(first: string, ...others: string[]): string {
  return `${first.padEnd(34)}  ${others.map((cell) => cell.padEnd(9)).join("  ")}`.trimEnd();
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
