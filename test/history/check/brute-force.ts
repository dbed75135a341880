/**
 * Whether a register is linearizable, by trying all orders (Wing and Gong, 1993), for histories of a few entries. It
 * shares nothing with the check but the shapes, and knows versions only as what a write makes of the one before.
 */
import type { Entry, Operation } from "../history.ts";

/** Content of a register. A write that nobody saw has a version above `floor`, and nobody knows which. */
interface Held {
  readonly value: string | undefined;
  readonly version: number | undefined;
  /** No write after this one has a version up to here. */
  readonly floor: number;
}

/** Final state of a register on a node. */
export interface Ending {
  readonly value: string;
  readonly version: number;
}

/**
 * Tells whether some order of the entries (without those that were refused otherwise than by 409) explains all answers.
 * An entry that was answered before another was asked comes first, and those of unknown outcome come or do not. The
 * first content of the register may be anything but a value of the entries, since each of those is unique.
 */
export function isLinearizable(entries: readonly Entry[], ending: Ending | undefined): boolean {
  const relevant = entries.filter(({ outcome, status, operation }) => {
    if (operation.kind === "read") return outcome === "done";
    return outcome !== "refused" || (operation.kind === "cas" && status === 409);
  });
  const written = new Set(entries.map(({ operation }) => (operation.kind === "read" ? undefined : valueOf(operation))));
  return beginnings(relevant, ending)
    .filter(({ value }) => value === undefined || !written.has(value))
    .some((held) => explains(relevant, ending, held));
}

function valueOf(operation: Operation): string | undefined {
  return "register" in operation ? operation.value : undefined;
}

/** Every pair of value and version that the answers speak of, or a state that they do not speak of. */
function beginnings(entries: readonly Entry[], ending: Ending | undefined): Held[] {
  const told: Held[] = ending === undefined ? [] : [{ ...ending, floor: ending.version }];
  for (const { operation, outcome } of entries) {
    if (operation.kind === "read" && operation.version !== undefined)
      told.push({ value: operation.value, version: operation.version, floor: operation.version });
    if (operation.kind === "cas" && outcome !== "refused")
      told.push({ value: undefined, version: operation.expected, floor: operation.expected });
  }
  return [{ value: undefined, version: undefined, floor: -Infinity }, ...told];
}

function explains(entries: readonly Entry[], ending: Ending | undefined, beginning: Held): boolean {
  const dead = new Set<string>();
  const all = (1 << entries.length) - 1;
  const must = entries.reduce((mask, { outcome }, number) => (outcome === "unknown" ? mask : mask | (1 << number)), 0);

  function search(placed: number, held: Held): boolean {
    const isEnd = (placed & must) === must;
    if (isEnd && (ending === undefined || (held.value === ending.value && held.version === ending.version)))
      return true;
    const key = `${placed} ${held.version} ${held.floor} ${held.value}`;
    if (placed === all || dead.has(key)) return false;
    dead.add(key);
    // The next one has to have been asked before any that is left was answered.
    const left = entries.filter((_, number) => (placed & (1 << number)) === 0);
    const deadline = Math.min(...left.map(answeredBy));
    return entries.some((entry, number) => {
      if ((placed & (1 << number)) !== 0 || entry.invoked > deadline) return false;
      return next(entry, held).some((after) => search(placed | (1 << number), after));
    });
  }

  /** Possible contents of the register after an entry; none if its answer would have been another. */
  function next({ operation, outcome }: Entry, held: Held): Held[] {
    if (operation.kind === "read")
      return operation.value === held.value && operation.version === held.version ? [held] : [];
    if (operation.kind !== "write" && operation.kind !== "cas") return [];
    if (operation.kind === "cas") {
      const matches = operation.expected === held.version;
      if (outcome === "refused") return matches ? [] : [held];
      if (!matches) return [];
    }
    const { value, version } = operation;
    const shown = version ?? versionOf(value);
    if (shown === undefined) return [{ value, version: undefined, floor: held.floor + 1 }];
    return shown > held.floor ? [{ value, version: shown, floor: shown }] : [];
  }

  /** Version that an answer or the ending shows with a value. */
  function versionOf(value: string): number | undefined {
    if (ending?.value === value) return ending.version;
    const shown = entries.find(({ operation }) => operation.kind === "read" && operation.value === value)?.operation;
    return shown?.kind === "read" ? shown.version : undefined;
  }

  return search(0, beginning);
}

function answeredBy({ outcome, returned }: Entry): number {
  return outcome === "unknown" ? Infinity : (returned ?? Infinity);
}
