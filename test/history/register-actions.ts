import { bodyOf, doneAnswer, type Action, type Caller } from "./caller.ts";
import type { Answer } from "./http-client.ts";
import type { Stage } from "./stage.ts";

interface StoredPolicy {
  readonly Description: string;
  readonly ModifyIndex: number;
}

/** Ages are told in whole milliseconds. */
const ROUNDED_MS = 1;

type Register = Stage["registers"][number];

/** Which versions of the registers are known to be written, and since when: of all clients together. */
export interface Written {
  note(register: string, version: number, at: number): void;
  /** The highest version of which that was answered at a time or before; 0 for none. */
  upTo(register: string, at: number): number;
}

/** Makes an empty one. */
export function createWritten(): Written {
  /** By register; times and versions rise. */
  const known = new Map<string, { readonly at: number; readonly version: number }[]>();
  return {
    note(register, version, at) {
      const list = known.get(register) ?? [];
      known.set(register, list);
      if (version > (list.at(-1)?.version ?? 0)) list.push({ at, version });
    },
    upTo: (register, at) => known.get(register)?.findLast((entry) => entry.at <= at)?.version ?? 0,
  };
}

/** Reads, writes and compare-and-sets of the registers. Every value is written once in a run. */
export function registerActions(
  caller: Caller,
  { registers }: Stage,
  nodes: number,
  written: Written,
): readonly Action[] {
  const { random, recorder } = caller;
  /** The version that this client saw last, by register; others may have written since. */
  const seen = new Map<string, number>();
  let writes = 0;

  const pathOf = ({ id }: Register): string => `/v1/acl/policy/${id}`;

  function note(register: string, answer: Answer): StoredPolicy {
    const stored = bodyOf<StoredPolicy>(answer);
    seen.set(register, stored.ModifyIndex);
    return stored;
  }

  /** @param node the client's own unless given */
  async function read(chosen: Register, node?: number): Promise<void> {
    const operation = { kind: "read", register: chosen.name } as const;
    const asked = { method: "GET", path: pathOf(chosen), ...(node === undefined ? {} : { node }) } as const;
    await caller.perform(operation, asked, (answer) => {
      const { Description: value, ModifyIndex: version } = note(chosen.name, answer);
      return { ...operation, value, version };
    });
  }

  /** From the replica: it may be old, and says how old at most. */
  async function readStale(): Promise<void> {
    const chosen = random.pick(registers);
    const invoked = recorder.now();
    const answer = doneAnswer(await caller.ask({ method: "GET", path: `${pathOf(chosen)}?stale` }));
    if (answer === undefined) return;
    const { ModifyIndex: version } = bodyOf<StoredPolicy>(answer);
    const due = written.upTo(chosen.name, invoked - answer.lastContact - ROUNDED_MS);
    if (version >= due) return;
    const asked = `a stale read of ${chosen.name} by client ${caller.client} at ${invoked.toFixed(0)} ms`;
    recorder.contradict(`${asked} shows version ${version}, not ${due}, and says ${answer.lastContact} ms`);
  }

  async function write(comparing: boolean): Promise<void> {
    const chosen = random.pick(registers);
    // A version seen earlier is mostly outdated and leads to a refusal; one that was just read leads to success.
    if (comparing && random.chance(0.7)) await read(chosen);
    const expected = comparing ? seen.get(chosen.name) : undefined;
    if (comparing && expected === undefined) return;
    writes += 1;
    const value = `${caller.client}.${writes}`;
    const change = { register: chosen.name, value };
    const operation =
      expected === undefined
        ? ({ kind: "write", ...change } as const)
        : ({ kind: "cas", ...change, expected } as const);
    const path = expected === undefined ? pathOf(chosen) : `${pathOf(chosen)}?cas=${expected}`;
    const body = { Name: chosen.name, Description: value };
    const reply = await caller.perform(operation, { method: "PUT", path, body }, (answer) => ({
      ...operation,
      version: note(chosen.name, answer).ModifyIndex,
    }));
    const answer = doneAnswer(reply);
    if (answer === undefined) return;
    written.note(chosen.name, bodyOf<StoredPolicy>(answer).ModifyIndex, recorder.now());
    // At once and anywhere: what was answered has to be there.
    if (random.chance(0.6)) await read(chosen, random.below(nodes));
  }

  return [
    { weight: 18, run: () => read(random.pick(registers)) },
    { weight: 4, run: readStale },
    { weight: 8, run: () => write(false) },
    { weight: 10, run: () => write(true) },
  ];
}
