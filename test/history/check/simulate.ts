/** Histories of a simulated server, its clients and its watchers, in simulated time. */
import type { Credential, Entry, History, Operation, Outcome } from "../history.ts";
import { createRandom, type Random } from "../random.ts";
import { followersOf, OwnedRequests } from "./simulate-owned.ts";
import type { Effect, Request } from "./simulated-request.ts";
import { NODES, SimulatedServer, type Bug } from "./simulated-server.ts";

const CLIENTS = 8;
const WATCHERS = 3;
const REGISTERS = ["r0", "r1", "r2"];
const CREDENTIALS: readonly Credential[] = ["token", "login", "session", "secret"];

export interface Plan {
  readonly seed: number;
  readonly bug?: Bug;
  /** How long clients ask, in milliseconds of the simulated time. */
  readonly milliseconds?: number;
}

/** Runs a simulation. The same plan gives the same history. */
export function simulate({ seed, bug, milliseconds = 8_000 }: Plan): History {
  const random = createRandom(seed);
  const server = new SimulatedServer(random, bug);
  const events = new Events();
  const ended = milliseconds + 9_000;
  const entries: Entry[] = [];
  const requests = new Requests(server, random);

  function record(entry: Entry): void {
    entries.push(entry);
  }

  /** Asks one thing, and the next when that is over. */
  function ask(client: number, invoked: number): void {
    if (invoked >= milliseconds) return;
    const node = random.below(NODES);
    const { operation, perform } = requests.next(client);
    const base = { client, node, invoked };
    const applied = invoked + random.below(60);
    const fate = random.below(100);
    if (fate < 5) {
      // Nobody learns what became of it, and it may happen while its client already does something else.
      const returned = random.chance(0.5) ? applied + random.below(100) : undefined;
      record({ ...base, returned, outcome: "unknown", status: returned === undefined ? 0 : 503, operation });
      if (random.chance(0.5)) events.at(applied + random.below(1000), (now) => void perform(now, node));
      events.at(returned ?? applied + 100, (now) => ask(client, now + random.below(50)));
      return;
    }
    events.at(applied, (now) => {
      const effect = fate < 8 ? { operation, status: 503 } : perform(now, node);
      const returned = now + random.below(60);
      const { status = 200, learn, ...said } = effect;
      learn?.();
      const outcome: Outcome = status < 300 ? "done" : "refused";
      record({ ...base, returned, outcome, status, ...said });
      events.at(returned, (later) => ask(client, later + random.below(50)));
    });
  }

  function watch(client: number, invoked: number, since: number): void {
    if (invoked >= ended) return;
    const node = random.below(NODES);
    const operation: Operation = { kind: "watch", pool: "roles", since };
    const base = { client, node, invoked };
    if (random.chance(0.02)) {
      const returned = invoked + 100;
      record({ ...base, returned, outcome: "unknown", status: 503, operation });
      events.at(returned, (now) => watch(client, now, since));
      return;
    }
    const wake = (): void =>
      events.at(events.now + random.below(20), (now) => {
        const { found, index } = server.listRoles();
        const returned = now + random.below(20);
        record({ ...base, returned, outcome: "done", status: 200, index, operation: { ...operation, found } });
        events.at(returned, (later) => watch(client, later, index));
      });
    events.at(invoked, () => server.awaitRoles(since, wake));
  }

  for (const register of REGISTERS) server.write(register, `the beginning of ${register}`);
  for (let client = 0; client < CLIENTS; client++) ask(client, random.below(50));
  for (let watcher = 0; watcher < WATCHERS; watcher++) watch(CLIENTS + watcher, random.below(50), 0);
  events.run(ended);
  for (const part of followersOf(server, random, ended)) record(part);
  return { seed, entries, faults: [], quietFrom: milliseconds, ended, final: server.final() };
}

/** Queue of actions, by their times. */
class Events {
  now = 0;
  readonly #due: { readonly at: number; readonly act: (now: number) => void }[] = [];

  at(at: number, act: (now: number) => void): void {
    let place = this.#due.length;
    // The next one is the last; most go near the end.
    while (place > 0 && (this.#due[place - 1]?.at ?? 0) <= at) place -= 1;
    this.#due.splice(place, 0, { at, act });
  }

  run(until: number): void {
    for (let next = this.#due.pop(); next !== undefined && next.at <= until; next = this.#due.pop()) {
      this.now = next.at;
      next.act(next.at);
    }
  }
}

/** Chooses what clients ask. */
class Requests {
  readonly #server: SimulatedServer;
  readonly #random: Random;
  /** By client and register, the version it saw last. */
  readonly #seen = new Map<string, number>();
  readonly #owned: OwnedRequests;
  #tokens: string[] = [];
  #begun = 0;
  #made = 0;

  constructor(server: SimulatedServer, random: Random) {
    this.#server = server;
    this.#random = random;
    this.#owned = new OwnedRequests(server, random);
  }

  next(client: number): Request {
    const most = ["read", "read", "write", "cas", "cas", "role", "role", "list", "tags", "token", "token"] as const;
    this.#made += 1;
    switch (this.#random.pick([...most, "owned", "owned", "owned", "owned"] as const)) {
      case "owned":
        return this.#owned.next(client);
      case "read":
        return this.#read(client);
      case "write":
        return this.#write(client, false);
      case "cas":
        return this.#write(client, true);
      case "role":
        return this.#random.chance(0.5) ? this.#createRole() : this.#deleteRole();
      case "list":
        return this.#list();
      case "tags":
        return this.#random.chance(0.6) ? this.#createTags() : this.#deleteTags();
      case "token":
        return this.#token();
    }
  }

  #read(client: number): Request {
    const register = this.#random.pick(REGISTERS);
    const operation = { kind: "read", register } as const;
    const perform = (): Effect => {
      const held = this.#server.read(register);
      const learn = (): void => void this.#seen.set(`${client} ${register}`, held.version);
      return { operation: { ...operation, ...held }, learn };
    };
    return { operation, perform };
  }

  #write(client: number, isCas: boolean): Request {
    const register = this.#random.pick(REGISTERS);
    const expected = isCas ? this.#seen.get(`${client} ${register}`) : undefined;
    const change = { register, value: `${client}.${this.#made}` };
    const operation =
      expected === undefined
        ? ({ kind: "write", ...change } as const)
        : ({ kind: "cas", ...change, expected } as const);
    const perform = (): Effect => {
      const version = this.#server.write(register, change.value, expected);
      return version === undefined ? { operation, status: 409 } : { operation: { ...operation, version } };
    };
    return { operation, perform };
  }

  #createRole(): Request {
    const name = this.#random.chance(0.6) ? `shared-${this.#random.below(4)}` : `own-${this.#made}`;
    const operation = { kind: "create", pool: "roles", names: [name] } as const;
    const perform = (): Effect => {
      const id = this.#server.createRole(name);
      return id === undefined ? { operation, status: 409 } : { operation: { ...operation, ids: [id] } };
    };
    return { operation, perform };
  }

  #deleteRole(): Request {
    const roles = this.#server.roles();
    if (roles.length === 0) return this.#createRole();
    const { id, name } = this.#random.pick(roles);
    const operation = { kind: "delete", pool: "roles", names: [name], ids: [id] } as const;
    return {
      operation,
      perform: () => {
        this.#server.deleteRole(id);
        return { operation };
      },
    };
  }

  #list(): Request {
    const isRoles = this.#random.chance(0.5);
    const operation = { kind: "list", pool: isRoles ? "roles" : "tags" } as const;
    const perform = (): Effect => {
      if (!isRoles) {
        const found = Object.fromEntries([...this.#server.tags().keys()].map((name) => [name, 0]));
        return { operation: { ...operation, found } };
      }
      const { found, index } = this.#server.listRoles();
      return { operation: { ...operation, found }, index };
    };
    return { operation, perform };
  }

  #createTags(): Request {
    const isShared = this.#random.chance(0.5);
    const names = Array.from({ length: this.#random.between(2, 4) }, (_, number) =>
      isShared ? `tag-${(this.#made + number * 3) % 20}` : `own-${this.#made}-${number}`,
    );
    const operation = { kind: "create", pool: "tags", names } as const;
    return { operation, perform: () => ({ operation: { ...operation, ids: this.#server.createTags(names) } }) };
  }

  #deleteTags(): Request {
    const tags = [...this.#server.tags()];
    const first = this.#random.below(Math.max(1, tags.length - 5));
    const chosen = tags.slice(first, first + this.#random.between(1, 5));
    if (chosen.length === 0) return this.#createTags();
    const [names, ids] = [chosen.map(([name]) => name), chosen.map(([, id]) => id)];
    const operation = { kind: "delete", pool: "tags", names, ids } as const;
    const perform = (): Effect => ({ operation, status: this.#server.deleteTags(names, ids) ? 200 : 404 });
    return { operation, perform };
  }

  #token(): Request {
    if (this.#random.chance(0.08) || this.#tokens.length === 0)
      // Each kind in turn.
      this.#tokens.push(`${CREDENTIALS[(this.#begun += 1) % CREDENTIALS.length]}-${this.#made}`);
    this.#tokens = this.#tokens.slice(-6);
    const token = this.#random.pick(this.#tokens);
    if (this.#random.chance(0.12)) {
      const operation = {
        kind: "revoke",
        token,
        of: CREDENTIALS.find((of) => token.startsWith(of)) ?? "token",
      } as const;
      return {
        operation,
        perform: (now) => {
          this.#server.revoke(token, now);
          return { operation };
        },
      };
    }
    const operation = { kind: "use", token, consistent: this.#random.chance(0.3) } as const;
    const perform = (now: number, node: number): Effect => {
      const accepted = this.#server.accepts(token, node, now, operation.consistent);
      return { operation: { ...operation, accepted }, status: accepted ? 200 : 403 };
    };
    return { operation, perform };
  }
}
