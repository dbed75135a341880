/** Builds small histories for tests, tersely: one register `r`, one pool `roles` unless said, three nodes. */
import type { Contents, Credential, Entry, FinalState, History, Operation, Outcome, Stored } from "../history.ts";

type Extra = Partial<Pick<Entry, "node" | "index" | "status">>;

function entry(
  outcome: Outcome,
  status: number,
  client: number,
  times: string,
  operation: Operation,
  extra: Extra,
): Entry {
  const [invoked, returned] = times.split("-");
  return {
    client,
    node: client % 3,
    invoked: Number(invoked),
    returned: returned ? Number(returned) : undefined,
    outcome,
    status,
    operation,
    ...extra,
  };
}

/** An entry with a 200 answer. `times` are milliseconds, such as `10-20`. */
export function done(client: number, times: string, operation: Operation, extra: Extra = {}): Entry {
  return entry("done", 200, client, times, operation, extra);
}

/** An entry that says that nothing happened, 409 unless said. */
export function refused(client: number, times: string, operation: Operation, extra: Extra = {}): Entry {
  return entry("refused", 409, client, times, operation, extra);
}

/** An entry whose outcome is unknown. `times` are such as `10-`, or `10-20` when there was an answer that said so. */
export function unknown(client: number, times: string, operation: Operation, extra: Extra = {}): Entry {
  return entry("unknown", times.endsWith("-") ? 0 : 503, client, times, operation, extra);
}

export function write(value: string, version?: number, register = "r"): Operation {
  return { kind: "write", register, value, ...(version === undefined ? {} : { version }) };
}

export function cas(value: string, expected: number, version?: number, register = "r"): Operation {
  return { kind: "cas", register, value, expected, ...(version === undefined ? {} : { version }) };
}

export function read(value: string, version: number, register = "r"): Operation {
  return { kind: "read", register, value, version };
}

/** Creates the names of a text such as `a b`; acknowledged ones with ids such as `a1 b1`. */
export function create(names: string, ids?: string, pool = "roles"): Operation {
  return { kind: "create", pool, names: names.split(" "), ...(ids === undefined ? {} : { ids: ids.split(" ") }) };
}

/** Deletes objects by ids such as `a1 b1`, whose names are the ids without digits. */
export function remove(ids: string, pool = "roles"): Operation {
  const each = ids.split(" ");
  return { kind: "delete", pool, names: each.map((id) => id.replaceAll(/\d/g, "")), ids: each };
}

/** Lists what a text such as `a b` names, with version 0, or contents. */
export function list(found: string | Contents, pool = "roles"): Operation {
  return { kind: "list", pool, found: contents(found) };
}

/** A watch; unanswered without `found`. */
export function watch(since: number, found?: string | Contents, pool = "roles"): Operation {
  return { kind: "watch", pool, since, ...(found === undefined ? {} : { found: contents(found) }) };
}

function contents(found: string | Contents): Contents {
  if (typeof found !== "string") return found;
  return Object.fromEntries(found.split(" ").flatMap((name) => (name === "" ? [] : [[name, 0]])));
}

export function revoke(token = "t", of: Credential = "token"): Operation {
  return { kind: "revoke", token, of };
}

export function use(accepted: boolean, token = "t", consistent = false): Operation {
  return { kind: "use", token, accepted, consistent };
}

/** The right `p` is given or taken. */
export function grant(allowed: boolean, right = "p"): Operation {
  return { kind: "grant", right, allowed };
}

export function ask(allowed: boolean, manner: "default" | "consistent" = "default", right = "p"): Operation {
  return { kind: "ask", right, allowed, consistent: manner === "consistent" };
}

/** The key `k` is given a value. */
export function assign(value: string, key = "k"): Operation {
  return { kind: "assign", key, value };
}

export function shows(found: string | null, key = "k"): Operation {
  return { kind: "value", key, value: found };
}

/** A job that gives the key `k` a value, and is called as that is. */
export function job(given: string, key = "k"): Operation {
  return { kind: "job", keys: [key], value: given, job: given };
}

export function progress(of: string, status = "done"): Operation {
  return { kind: "progress", job: of, status };
}

/** A part of a stream that began at so many milliseconds. `told` are such as `3=a 5=b`: ids and values. */
export function follow(at: number, told: string, after?: string): Operation {
  const events = told.split(" ").flatMap((text) => (text === "" ? [] : [text.split("=")]));
  return {
    kind: "follow",
    begun: { at, id: after ?? "1" },
    told: events.map(([id = "", given = ""]) => ({ id, values: [given] })),
    ...(after === undefined ? {} : { after }),
  };
}

/** Objects in the end, by ids such as `a1 b1`, whose names are the ids without digits. */
export function stored(ids: string, version = 0): Stored[] {
  return ids.split(" ").flatMap((id) => (id === "" ? [] : [{ name: id.replaceAll(/\d/g, ""), id, version }]));
}

/** Final state of all three nodes: objects by pool, and value and version by register. */
export interface End {
  readonly pools?: Readonly<Record<string, readonly Stored[]>>;
  readonly registers?: Readonly<Record<string, readonly [value: string, version: number]>>;
  readonly indexes?: Readonly<Record<string, number>>;
  readonly contradictions?: readonly string[];
}

/** A history of some entries. Clients stop at 10,000 ms and watchers at 20,000 ms. */
export function historyOf(entries: readonly Entry[], end: End = {}, final: Partial<FinalState> = {}): History {
  const { pools = {}, registers = {}, indexes, contradictions = [] } = end;
  const held = Object.entries(registers).map(([name, [value, version]]) => [name, { value, version }] as const);
  const nodes = [0, 1, 2];
  return {
    seed: 1,
    entries,
    faults: [],
    quietFrom: 10_000,
    ended: 20_000,
    final: {
      nodes: nodes.map(() => ({ pools, ...(indexes === undefined ? {} : { indexes }) })),
      registers: nodes.map(() => Object.fromEntries(held)),
      contradictions,
      ...final,
    },
  };
}
