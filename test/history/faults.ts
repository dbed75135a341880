import type { Random } from "./random.ts";

/** Something that is done to the servers at a time of the run, in milliseconds; `milliseconds` is how long it lasts. */
export type Fault =
  | {
      /**
       * `kill` is SIGKILL and a start afterwards, `pause` SIGSTOP, `clock` a wall clock that jumps; `swallow` is of the node's
       * database connections.
       */
      readonly kind: "kill" | "pause" | "swallow" | "clock";
      readonly at: number;
      readonly node: number;
      readonly milliseconds: number;
    }
  | { readonly kind: "cut"; readonly at: number; readonly node: number }
  | { readonly kind: "delay-replica"; readonly at: number; readonly milliseconds: number }
  /** The primary dies and a standby is promoted. */
  | { readonly kind: "fail-over"; readonly at: number };

/** How long each may last, in milliseconds. */
const LASTS: Readonly<
  Record<"kill" | "pause" | "swallow" | "clock" | "delay-replica", readonly [low: number, high: number]>
> = {
  kill: [200, 1500],
  pause: [1000, 5000],
  swallow: [1000, 4000],
  clock: [1000, 5000],
  "delay-replica": [1000, 4000],
};
/** A fail-over at most so often. */
const FAIL_OVER_MS = 25_000;
/** Quiet after the start, so that caches are warm and waiters wait. */
const CALM_MS = 1500;

/** All but the fail-over come from a pack of these, so that no run of some length lacks one. */
const PACK = ["kill", "cut", "swallow", "pause", "clock", "delay-replica", "swallow", "cut"] as const;

/** Every kind there is. */
export const FAULT_KINDS: readonly Fault["kind"][] = [...new Set<Fault["kind"]>([...PACK, "fail-over"])];

/** The faults of a run of so many milliseconds, in the order of their times. */
export function planFaults(random: Random, nodes: number, milliseconds: number): Fault[] {
  const faults: Fault[] = [];
  const pack: (typeof PACK)[number][] = [];
  // Early enough that a short run has one, and at another time in each run.
  let failOver = random.between(Math.min(5000, milliseconds / 4), milliseconds / 2);
  for (let at = CALM_MS; at < milliseconds; at += random.between(500, 3000)) {
    if (at >= failOver) {
      faults.push({ kind: "fail-over", at });
      failOver = at + FAIL_OVER_MS + random.below(FAIL_OVER_MS / 2);
      continue;
    }
    if (pack.length === 0) pack.push(...PACK);
    const [kind = "cut"] = pack.splice(random.below(pack.length), 1);
    const node = random.below(nodes);
    if (kind === "cut") faults.push({ kind, at, node });
    else if (kind === "delay-replica") faults.push({ kind, at, milliseconds: random.between(...LASTS[kind]) });
    else faults.push({ kind, at, node, milliseconds: random.between(...LASTS[kind]) });
  }
  return faults;
}
