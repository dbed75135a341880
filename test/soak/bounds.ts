/** Bounds that a soak must keep, and checks that it did enough for the result to mean anything. */
import type { Attack } from "./attacks/attack.ts";
import type { Attacked } from "./hostile.ts";
import type { Summary } from "./latencies.ts";

/** The longest turn of the event loop in some second. */
export interface Turn {
  readonly at: number;
  readonly wall: number;
  /** How much of that it could have run and got no core of the machine, which it shares with its clients. */
  readonly waited: number;
}

/** Measurements of a soak. */
export interface Measured {
  readonly seconds: number;
  /** Resident memory of the server in bytes, when it had warmed up and at the end. */
  readonly memory: { readonly early: number; readonly end: number };
  readonly latency: Summary;
  readonly waits: number;
  readonly wrong: number;
  readonly turns: readonly Turn[];
  readonly attacked: readonly Attacked[];
  /** Answers 500. */
  readonly faults: number;
  /** The share of the time in which the machine had its processors; what was measured outside it is left out. */
  readonly quiet: number;
}

export const BOUNDS = { growth: 1.2, p99: 50, turn: 50 };

/** Least of what is to be done in a second: a third of what is intended. */
const LEAST = { requests: 65, waits: 0.3, turns: 0.6, attack: 0.2 };
/** Least share of the time that has to be quiet. */
const LEAST_QUIET = 0.25;

/** A line for each bound that was missed. */
export function findMissed(measured: Measured): string[] {
  const { memory, latency, wrong, faults } = measured;
  const growth = memory.end / memory.early;
  const turn = longestTurn(measured.turns);
  return [
    ...(growth <= BOUNDS.growth
      ? []
      : [`memory at the end is ${growth.toFixed(2)} × of before, not ≤ ${BOUNDS.growth}`]),
    ...(latency.p99 <= BOUNDS.p99
      ? []
      : [`p99 of normal clients is ${latency.p99.toFixed(1)} ms, not ≤ ${BOUNDS.p99}`]),
    ...(turn <= BOUNDS.turn ? [] : [`the longest turn is ${turn.toFixed(1)} ms, not ≤ ${BOUNDS.turn}`]),
    ...(wrong === 0 ? [] : [`${wrong} answers to normal clients were wrong`]),
    ...(faults === 0 ? [] : [`${faults} answers were 500`]),
  ];
}

/** Longest turn, less the time in which the machine's cores were given to others. */
export function longestTurn(turns: readonly Turn[]): number {
  return Math.max(0, ...turns.map(({ wall, waited }) => wall - waited));
}

/** A line for all that was too little; `attacks` are those that were to be made. */
export function findGaps(measured: Measured, attacks: readonly Attack[]): string[] {
  const { latency, waits, turns, quiet } = measured;
  const seconds = measured.seconds * quiet;
  const counts: [what: string, count: number, rate: number][] = [
    ["requests of normal clients", latency.count, LEAST.requests],
    ["waits of normal clients", Math.floor(waits * quiet), LEAST.waits],
    ["seconds with a longest turn", turns.length, LEAST.turns],
  ];
  const few = counts.filter(([, count, rate]) => count < rate * seconds);
  return [
    ...(quiet >= LEAST_QUIET
      ? []
      : [`the machine had its processors for only ${(quiet * 100).toFixed(0)} % of the time`]),
    ...few.map(([what, count, rate]) => `only ${count} ${what}, not ${Math.ceil(rate * seconds)}`),
    ...(Number.isFinite(measured.memory.early / measured.memory.end) ? [] : ["memory was not measured"]),
    ...attacks.flatMap((attack) => attackGaps(measured, attack)),
  ].map((gap) => `enough: ${gap}`);
}

function attackGaps({ attacked, seconds }: Measured, { name, perSecond, meets }: Attack): string[] {
  const { begun, outcomes }: Omit<Attacked, "name"> = attacked.find((one) => one.name === name) ?? {
    begun: 0,
    outcomes: {},
  };
  const least = Math.max(1, Math.floor(perSecond * seconds * LEAST.attack));
  const unmet = meets.filter((outcome) => (outcomes[outcome] ?? 0) === 0);
  return [
    ...(begun < least ? [`the attack "${name}" was begun ${begun} times, not ${least}`] : []),
    ...unmet.map((outcome) => `the attack "${name}" never met ${outcome}`),
  ];
}
