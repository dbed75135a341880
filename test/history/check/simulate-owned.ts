/** Clients of a simulation: how they change what is theirs alone, and how others follow that. */
import type { Entry } from "../history.ts";
import type { Random } from "../random.ts";
import type { Effect, Request } from "./simulated-request.ts";
import { NODES, type SimulatedServer } from "./simulated-server.ts";

/** Numbers of clients that nobody else has. */
const FIRST = 100;
const FOLLOWERS = 2;

/** Chooses what clients ask of rights, keys and jobs. */
export class OwnedRequests {
  readonly #server: SimulatedServer;
  readonly #random: Random;
  /** Rights that were given, with what their client knows of them. */
  readonly #rights = new Map<string, boolean>();
  /** Jobs under way, by client. */
  readonly #jobs = new Map<number, string>();
  /** Jobs that are done: a second look does nothing. */
  readonly #done = new Set<string>();
  #made = 0;

  constructor(server: SimulatedServer, random: Random) {
    this.#server = server;
    this.#random = random;
  }

  next(client: number): Request {
    this.#made += 1;
    switch (this.#random.pick(["grant", "ask", "ask", "ask", "assign", "value", "value", "job", "begin"] as const)) {
      case "grant":
        return this.#grant(`right-${client}`);
      case "ask":
        return this.#ask() ?? this.#grant(`right-${client}`);
      case "assign":
        return this.#assign(`key-${client}`);
      case "value":
        return this.#value(`${this.#random.chance(0.5) ? "key" : "job"}-${this.#random.below(client + 1)}`);
      case "job":
        return this.#job(client);
      case "begin":
        return { operation: BEGIN, perform: () => ({ operation: BEGIN }) };
    }
  }

  #grant(right: string): Request {
    const allowed = !(this.#rights.get(right) ?? false);
    const operation = { kind: "grant", right, allowed } as const;
    const perform = (now: number): Effect => {
      this.#server.grant(right, allowed, now);
      return { operation, learn: () => void this.#rights.set(right, allowed) };
    };
    return { operation, perform };
  }

  #ask(): Request | undefined {
    const rights = [...this.#rights.keys()];
    if (rights.length === 0) return undefined;
    const right = this.#random.pick(rights);
    const operation = { kind: "ask", right, consistent: this.#random.chance(0.5) } as const;
    const perform = (now: number, node: number): Effect => {
      const allowed = this.#server.allows(right, node, now, operation.consistent);
      return { operation: { ...operation, allowed }, status: allowed ? 200 : 403 };
    };
    return { operation, perform };
  }

  #assign(key: string): Request {
    const operation = { kind: "assign", key, value: `v${this.#made}` } as const;
    return { operation, perform: (now) => this.#give(key, operation.value, now, { operation }) };
  }

  #give(key: string, value: string, now: number, effect: Effect): Effect {
    this.#server.assign(key, value, now);
    return effect;
  }

  #value(key: string): Request {
    const operation = { kind: "value", key } as const;
    return { operation, perform: () => ({ operation: { ...operation, value: this.#server.valueOf(key) } }) };
  }

  /** Takes one on, or does it: it is done when its client looks. */
  #job(client: number): Request {
    const key = `job-${client}`;
    const under = this.#jobs.get(client);
    if (under !== undefined) {
      const operation = { kind: "progress", job: under } as const;
      const learn = (): void => void this.#jobs.delete(client);
      const effect: Effect = { operation: { ...operation, status: "done" }, learn };
      const perform = (now: number): Effect => {
        if (this.#done.has(under)) return effect;
        this.#done.add(under);
        return this.#give(key, under, now, effect);
      };
      return { operation, perform };
    }
    const value = `w${this.#made}`;
    const operation = { kind: "job", keys: [key], value } as const;
    const learn = (): void => void this.#jobs.set(client, value);
    return { operation, perform: () => ({ operation: { ...operation, job: value }, learn }) };
  }
}

const BEGIN = { kind: "begin", of: "login" } as const;

/** Parts of the streams of followers, from node to node, with what was assigned. */
export function followersOf(server: SimulatedServer, random: Random, ended: number): Entry[] {
  return Array.from({ length: FOLLOWERS }, (_, number) => partsOf(FIRST + number, server, random, ended)).flat();
}

function partsOf(client: number, server: SimulatedServer, random: Random, ended: number): Entry[] {
  const parts: Entry[] = [];
  const events = server.events();
  let told = 0;
  for (let invoked = random.below(50), after = ""; invoked < ended;) {
    const returned = Math.min(ended, invoked + random.between(300, 2500));
    const first = told;
    while ((events[told]?.at ?? Infinity) < returned) told += 1;
    const shown = events.slice(first, told).filter(() => !server.leavesOut());
    const operation = {
      kind: "follow",
      ...(after === "" ? {} : { after }),
      begun: { at: invoked, id: after === "" ? "0" : after },
      told: shown.map(({ value }, place) => ({ id: String(first + place + 1), values: [value] })),
    } as const;
    parts.push({ client, node: random.below(NODES), invoked, returned, outcome: "done", status: 200, operation });
    after = String(told);
    invoked = returned;
  }
  return parts;
}
