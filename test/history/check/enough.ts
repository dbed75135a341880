/** Whether a run did enough for "nothing found" to mean anything: a server that does nothing does nothing wrong. */
import type { Fault } from "../faults.ts";
import type { Credential, History, Operation } from "../history.ts";
import { placeOf, readEvidence, type Evidence } from "./evidence.ts";

/** Plan of a run. */
export interface Intended {
  /** How many servers; each has a watcher. */
  readonly nodes: number;
  /** Faults all of which must have happened. */
  readonly faults?: readonly Fault[];
  /** Kinds of faults of which one at least must have happened. */
  readonly kinds?: readonly Fault["kind"][];
}

/**
 * How many of each kind must be done in a second outside of fail-overs: a fifth or less of what is to be expected of a
 * machine that is so busy that it answers 25 requests a second.
 */
const LEAST: Readonly<Record<Operation["kind"], number>> = {
  write: 0.25,
  read: 1,
  cas: 0.15,
  create: 0.3,
  delete: 0.2,
  list: 0.3,
  watch: 0.3,
  revoke: 0.1,
  use: 0.4,
  begin: 0.05,
  grant: 0.1,
  ask: 0.3,
  assign: 0.1,
  value: 0.1,
  job: 0.05,
  progress: 0.05,
  follow: 0.1,
};
/** The same for what has to be refused. `late` and `atOnce` are for each node. */
const LEAST_REFUSED = { overtaken: 0.1, taken: 0.05, late: 0.04, atOnce: 0.04 };
/** The same of what was ended, by what it is, and of parts of streams that went on with something. */
const LEAST_ENDED: Readonly<Record<Credential, number>> = { token: 0.03, login: 0.02, session: 0.02, secret: 0.02 };
const LEAST_RESUMED = 0.1;

/** For how long (in milliseconds) no write need be done, without and with the time that fail-overs take. */
const UNWRITTEN_MS = { calm: 10_000, whole: 60_000 };

/**
 * Finds evidence that a history lacks to prove anything: a line for each, which begins with `enough:`. Empty when there
 * were enough requests, answers and faults. For a run of all kinds of operations of at least some fifteen seconds.
 */
export function findGaps(history: History, intended: Intended): string[] {
  const shown = readEvidence(history, intended.nodes);
  const gaps = [
    ...countGaps(shown),
    ...nodeGaps(shown),
    ...watcherGaps(shown, intended.nodes),
    ...timeGaps(shown),
    ...faultGaps(shown, intended),
    ...finalGaps(history, intended.nodes),
  ];
  return gaps.map((gap) => `enough: ${gap}`);
}

/** How many there must be of what happens so often in a second; one at least, however short the time. */
function least(rate: number, { calm }: Evidence): number {
  return Math.max(1, Math.ceil((rate * calm) / 1000));
}

function countGaps(shown: Evidence): string[] {
  const kinds = Object.entries(LEAST) as [Operation["kind"], number][];
  const counted: [what: string, count: number, rate: number][] = [
    ...kinds.map(([kind, rate]): [string, number, number] => [`${kind} were done`, shown.done[kind] ?? 0, rate]),
    ["cas were refused for their version", shown.overtaken, LEAST_REFUSED.overtaken],
    ["create were refused for their name", shown.taken, LEAST_REFUSED.taken],
    ...Object.entries(LEAST_ENDED).map(([of, rate]): [string, number, number] => [
      `${of} were ended`,
      shown.ended[of as Credential] ?? 0,
      rate,
    ]),
    ["parts of streams went on with something", shown.resumed, LEAST_RESUMED],
  ];
  return counted.flatMap(([what, count, rate]) => {
    const wanted = least(rate, shown);
    return count < wanted ? [`only ${count} ${what}, not ${wanted}`] : [];
  });
}

function nodeGaps(shown: Evidence): string[] {
  const [late, atOnce] = [least(LEAST_REFUSED.late, shown), least(LEAST_REFUSED.atOnce, shown)];
  return shown.nodes.flatMap((node, number) => [
    ...(node.late < late
      ? [`node ${number} refused only ${node.late} tokens that had been revoked for 1 s, not ${late}`]
      : []),
    ...(node.atOnce < atOnce
      ? [
          `node ${number}, asked for the newest, refused only ${node.atOnce} times what was just taken away, not ${atOnce}`,
        ]
      : []),
    ...(node.writes === 0 ? [`node ${number} did no write in the second half`] : []),
    ...(node.answers === 0 ? [`node ${number} answered nothing in the last quarter`] : []),
  ]);
}

function watcherGaps({ watchers }: Evidence, wanted: number): string[] {
  const answered = watchers.filter((answers) => answers > 0).length;
  return answered < wanted ? [`only ${answered} of ${wanted} watchers were answered after the last fault`] : [];
}

function timeGaps({ unwritten: { calm, whole } }: Evidence): string[] {
  return [
    ...(calm > UNWRITTEN_MS.calm ? [`no write was done for ${Math.round(calm)} ms outside of fail-overs`] : []),
    ...(whole > UNWRITTEN_MS.whole ? [`no write was done for ${Math.round(whole)} ms`] : []),
  ];
}

function faultGaps({ faults }: Evidence, { faults: planned = [], kinds = [] }: Intended): string[] {
  const wanted = new Map<string, number>();
  for (const fault of planned) wanted.set(placeOf(fault), (wanted.get(placeOf(fault)) ?? 0) + 1);
  const happened = new Set([...faults.keys()].map((place) => place.split(" ")[0]));
  return [
    ...[...wanted]
      .filter(([place, count]) => (faults.get(place) ?? 0) < count)
      .map(([place, count]) => `the fault "${place}" happened ${faults.get(place) ?? 0} times, not ${count}`),
    ...kinds.filter((kind) => !happened.has(kind)).map((kind) => `no fault "${kind}" happened`),
  ];
}

/** Most checks compare with what is there in the end. */
function finalGaps({ final }: History, nodes: number): string[] {
  return [final.nodes.length, final.registers.length].some((length) => length < nodes)
    ? [`the end of only ${Math.min(final.nodes.length, final.registers.length)} of ${nodes} nodes is known`]
    : [];
}
