/** A server in memory that does one thing after the other, right unless it is told to have a bug. */
import type { Contents, FinalState } from "../history.ts";
import type { Random } from "../random.ts";

export type Bug =
  /** Acknowledges some writes and creates without doing them. */
  | "loses"
  /** Compare-and-sets do not compare. */
  | "blind cas"
  /** Some reads and lists show what was there before. */
  | "stale reads"
  /** Some lists have an index that is too low. */
  | "index back"
  /** Some watchers are not woken. */
  | "deaf"
  /** One node accepts tokens for more than 3 s after they were revoked. */
  | "trusting"
  /** One node knows of rights that were taken only after a while, also when it is asked for the newest. */
  | "late"
  /** Some reads of keys show what they had before. */
  | "forgetful"
  /** Some events are told to nobody. */
  | "silent"
  /** Creates do not look whether the name is taken. */
  | "twins"
  /** Some bulk requests are done by halves. */
  | "halves";

export const NODES = 3;

interface Held {
  readonly value: string;
  readonly version: number;
}

/** A state of something from a time on, in milliseconds. */
interface Since<V> {
  readonly at: number;
  readonly value: V;
}

interface Role {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

export class SimulatedServer {
  readonly #random: Random;
  readonly #bug: Bug | undefined;
  #index = 10;
  #rolesIndex = 1;
  #rolesBefore: Contents = {};
  #waiting: (() => void)[] = [];
  readonly #registers = new Map<string, Held[]>();
  readonly #roles = new Map<string, Role>();
  readonly #tags = new Map<string, string>();
  readonly #rights = new Map<string, Since<boolean>[]>();
  readonly #keys = new Map<string, string[]>();
  readonly #events: Since<string>[] = [];
  /** By token, from when on each node refuses it in the default mode (milliseconds); first when it was revoked. */
  readonly #revoked = new Map<string, number[]>();

  constructor(random: Random, bug?: Bug) {
    this.#random = random;
    this.#bug = bug;
  }

  #has(bug: Bug, share: number): boolean {
    return this.#bug === bug && this.#random.chance(share);
  }

  /** Makes or changes a register. Returns its version; undefined when it has another one than expected. */
  write(register: string, value: string, expected?: number): number | undefined {
    const states = this.#registers.get(register) ?? [];
    const matches = expected === undefined || expected === states.at(-1)?.version;
    if (!matches && this.#bug !== "blind cas") return undefined;
    // Other objects of the partition take versions as well.
    const version = (this.#index += this.#random.between(1, 3));
    // The first state of a register is not a client's write: it is never lost, and every read finds it.
    const isLost = states.length > 0 && this.#has("loses", 0.02);
    if (!isLost) this.#registers.set(register, [...states.slice(-3), { value, version }]);
    return version;
  }

  read(register: string): Held {
    const states = this.#registers.get(register) ?? [];
    const held = (this.#has("stale reads", 0.1) ? states.at(-2) : states.at(-1)) ?? states.at(-1);
    if (held === undefined) throw new Error(`there is no register ${register}`);
    return held;
  }

  /** Returns the id of the new role; undefined when its name is taken. */
  createRole(name: string): string | undefined {
    const isTaken = [...this.#roles.values()].some((role) => role.name === name);
    if (isTaken && this.#bug !== "twins") return undefined;
    const id = `role-${(this.#index += 1)}`;
    const version = this.#index;
    this.#changeRoles(() => this.#has("loses", 0.02) || this.#roles.set(id, { id, name, version }));
    return id;
  }

  /** Roles that are not there are deleted all the same. */
  deleteRole(id: string): void {
    if (this.#roles.has(id)) this.#changeRoles(() => this.#roles.delete(id));
  }

  #changeRoles(change: () => void): void {
    this.#rolesBefore = this.#roleContents();
    change();
    this.#rolesIndex = this.#index += 1;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) if (!this.#has("deaf", 0.5)) wake();
  }

  #roleContents(): Contents {
    return Object.fromEntries([...this.#roles.values()].map(({ name, version }) => [name, version]));
  }

  roles(): readonly Role[] {
    return [...this.#roles.values()];
  }

  listRoles(): { found: Contents; index: number } {
    const found = this.#has("stale reads", 0.1) ? this.#rolesBefore : this.#roleContents();
    return { found, index: this.#rolesIndex - (this.#has("index back", 0.05) ? this.#random.between(1, 9) : 0) };
  }

  /** Calls back once, at once or when there is a change of roles after `since`. */
  awaitRoles(since: number, wake: () => void): void {
    if (this.#rolesIndex > since) wake();
    else this.#waiting.push(wake);
  }

  /** Returns the ids, of present tags too. */
  createTags(names: readonly string[]): string[] {
    const done = this.#has("halves", 0.2) ? names.slice(1) : names;
    for (const name of done) if (!this.#tags.has(name)) this.#tags.set(name, `tag-${(this.#index += 1)}`);
    return names.map((name) => this.#tags.get(name) ?? `tag-${(this.#index += 1)}`);
  }

  /** Tells whether all of them were there; otherwise it does nothing. */
  deleteTags(names: readonly string[], ids: readonly string[]): boolean {
    if (names.some((name, number) => this.#tags.get(name) !== ids[number])) return false;
    for (const name of this.#has("halves", 0.2) ? names.slice(1) : names) this.#tags.delete(name);
    return true;
  }

  tags(): ReadonlyMap<string, string> {
    return new Map(this.#tags);
  }

  revoke(token: string, now: number): void {
    if (this.#revoked.has(token)) return;
    const lags = Array.from({ length: NODES }, () => this.#random.below(990));
    if (this.#bug === "trusting") lags[1] = 3500;
    this.#revoked.set(
      token,
      [0, ...lags].map((lag) => now + lag),
    );
  }

  accepts(token: string, node: number, now: number, consistent: boolean): boolean {
    return now < (this.#revoked.get(token)?.[consistent ? 0 : node + 1] ?? Infinity);
  }

  grant(right: string, allowed: boolean, now: number): void {
    this.#rights.set(right, [...(this.#rights.get(right) ?? []).slice(-20), { at: now, value: allowed }]);
  }

  allows(right: string, node: number, now: number, consistent: boolean): boolean {
    const lag = this.#bug === "late" && node === 1 ? 2500 : consistent ? 0 : this.#random.below(990);
    const states = this.#rights.get(right) ?? [];
    return (states.findLast(({ at }) => at <= now - lag) ?? states[0])?.value ?? false;
  }

  assign(key: string, value: string, now: number): void {
    this.#keys.set(key, [...(this.#keys.get(key) ?? []).slice(-1), value]);
    this.#events.push({ at: now, value });
  }

  /** @returns null for a key without a value */
  valueOf(key: string): string | null {
    const states = this.#keys.get(key) ?? [];
    return (this.#has("forgetful", 0.2) ? states.at(-2) : undefined) ?? states.at(-1) ?? null;
  }

  /** All that was assigned and when, in that order. */
  events(): readonly Since<string>[] {
    return this.#events;
  }

  leavesOut(): boolean {
    return this.#has("silent", 0.1);
  }

  final(): FinalState {
    const tags = [...this.#tags].map(([name, id]) => ({ name, id, version: 0 }));
    const pools = { roles: this.roles(), tags };
    const registers = Object.fromEntries([...this.#registers.keys()].map((name) => [name, this.#last(name)]));
    const nodes = Array.from({ length: NODES }, () => ({ pools, indexes: { roles: this.#rolesIndex } }));
    return { nodes, registers: nodes.map(() => registers), contradictions: [] };
  }

  #last(register: string): Held {
    return this.#registers.get(register)?.at(-1) ?? { value: "", version: 0 };
  }
}
