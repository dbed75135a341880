/**
 * Uses that are not written yet, by subject, rule, question and name. While a rule is compiled it is its own key; on the way to the
 * database it is named by its policy and its text.
 */
import type { Actor, ActorLogin } from "../../rights/actor.ts";
import type { PermissionUse } from "../../rights/uses.ts";
import { createPool, type Pool, type PoolHolder } from "../../shared-pool.ts";
import { startTurn } from "../../turns.ts";
import { rulesOf } from "./rules-of.ts";
import { NAMES_OF_GROUP, type UseSubject, type UsedRule } from "./row.ts";

/** Memory of all uses that are not written yet, in bytes; with the known rows (`known.ts`), the ledger holds 32 MiB. */
const MAX_BYTES = 24 * 1024 * 1024;
/** From here on no further names are kept, only rules; of subjects that have little, from the second on. */
const FOLD_BYTES = 14 * 1024 * 1024;
const FOLD_BYTES_OF_LITTLE = 21 * 1024 * 1024;
/** Questions of one subject that are compared one by one: most tokens ask few. */
const FEW_GROUPS = 8;
/** Approximate memory, in bytes: of a subject, of a group of names, of a name without its text, and of a use of a batch. */
const SUBJECT_BYTES = 500;
const GROUP_BYTES = 400;
const NAME_BYTES = 120;
const COUNTED_BYTES = 900;

/** Some uses of one row, on their way to the database. */
export interface CountedUse {
  subject: CountedSubject;
  rule: UsedRule;
  decidedIn: PermissionUse["scope"];
  resource: PermissionUse["resource"];
  access: PermissionUse["access"];
  column: PermissionUse["column"];
  askedBy: string;
  name: string | undefined;
  count: number;
  /** Days since 1970-01-01. */
  day: number;
}

/** Subject of a use, with all that it may be folded to. */
export interface CountedSubject {
  scope: PermissionUse["scope"];
  as: UseSubject;
  /** Subject where there are too many identities of the method. */
  folded?: UseSubject | undefined;
  /** Its token's index, for subjects that are tokens; its auth method's ID, for others. */
  createIndex?: number | undefined;
  methodId?: string | undefined;
}

/** Uses of one rule for one question. Most have one name: it lies in the group, without a map. */
interface Group {
  use: PermissionUse;
  name: string | undefined;
  count: number;
  /** All other names. */
  others: Map<string | undefined, number> | undefined;
}

interface Subject {
  subject: CountedSubject;
  /** Whose share of the memory it takes, and how much of it. */
  holder: PoolHolder;
  bytes: number;
  groups: Group[];
  /** Places of the groups by rule, then by question; undefined where there are few. */
  places: Map<PermissionUse["by"], Map<string, Group>> | undefined;
}

/** Numbers for `/metrics`. */
export interface MemoryStats {
  bytes: number;
  /** Uses whose name was not kept. */
  folded: number;
  /** Uses that were not kept at all. */
  dropped: number;
}

export class UseMemory {
  readonly #keepsIdentities: boolean;
  readonly #maxBytes: number;
  #subjects = new Map<string, Subject>();
  /** Keys of subjects, by logins of actors that are kept. */
  readonly #keys = new WeakMap<ActorLogin, string>();
  /** Bytes of all; counted only when something new is kept. */
  readonly #pool: Pool;
  #bytes = 0;
  /** Bytes of what was taken and is not written. */
  #taken = 0;
  /** Whose it is, until all of it is written. */
  #takenOf: Pick<Subject, "holder" | "bytes">[] = [];
  #folded = 0;
  #dropped = 0;

  /** @param options.identities whether identities of logins are kept, instead of their roles */
  constructor(options: { identities?: boolean | undefined; maxBytes?: number } = {}) {
    this.#keepsIdentities = options.identities !== false;
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    this.#pool = createPool("uses", this.#maxBytes);
  }

  /** Counts one use. Hot: every allowed access comes here. */
  count(actor: Actor, use: PermissionUse): void {
    // A login's subject is its identity: tokens of one identity are one.
    const key = actor.login === undefined ? actor.accessorId : this.#keyOf(actor, actor.login);
    let subject = this.#subjects.get(key);
    if (subject === undefined) {
      const holder = { name: key, group: `${actor.scope.partition}/${actor.scope.namespace}` };
      if (!this.#takes(holder, SUBJECT_BYTES)) return this.#drop();
      subject = { subject: this.#subjectOf(actor), holder, bytes: SUBJECT_BYTES, groups: [], places: undefined };
      this.#subjects.set(key, subject);
    }
    const group = findGroup(subject, use);
    if (group !== undefined) return this.#countName(subject, group, use.name);
    this.#addGroup(subject, use);
  }

  #keyOf(actor: Actor, login: ActorLogin): string {
    let key = this.#keys.get(login);
    if (key === undefined) this.#keys.set(login, (key = keyOfLogin(actor)));
    return key;
  }

  #addGroup(subject: Subject, use: PermissionUse): void {
    const isFolded = use.name !== undefined && !this.#keepsNames(subject);
    const name = isFolded ? undefined : use.name;
    const bytes = GROUP_BYTES + bytesOfName(name);
    if (!this.#takes(subject.holder, bytes)) return this.#drop();
    if (isFolded) this.#folded += 1;
    subject.bytes += bytes;
    addGroup(subject, { use, name, count: 1, others: undefined });
  }

  #countName(subject: Subject, group: Group, asked: string | undefined): void {
    if (group.name === asked) {
      group.count += 1;
      return;
    }
    const others = (group.others ??= new Map());
    let name = asked;
    let count = others.get(name);
    if (count === undefined && name !== undefined && !(hasFewNames(group) && this.#keepsNames(subject))) {
      this.#folded += 1;
      if (group.name === undefined) {
        group.count += 1;
        return;
      }
      name = undefined;
      count = others.get(name);
    }
    if (count === undefined) this.#force(subject, bytesOfName(name));
    others.set(name, (count ?? 0) + 1);
  }

  #keepsNames({ holder }: Subject): boolean {
    const used = this.#pool.used() * (MAX_BYTES / this.#maxBytes);
    return used < FOLD_BYTES || (used < FOLD_BYTES_OF_LITTLE && !this.#pool.isLarge(holder));
  }

  /** Takes room for something new, where there is some that is not kept for others. */
  #takes(holder: PoolHolder, bytes: number): boolean {
    if (this.#pool.take(holder, bytes) !== undefined) return false;
    this.#bytes += bytes;
    return true;
  }

  #force(subject: Subject, bytes: number): void {
    this.#pool.force(subject.holder, bytes);
    this.#bytes += bytes;
    subject.bytes += bytes;
  }

  #drop(): void {
    this.#dropped += 1;
  }

  #subjectOf({ accessorId, createIndex, scope, login }: Actor): CountedSubject {
    const { partition, namespace } = scope;
    const place = { partition, namespace };
    if (login === undefined) return { scope: place, as: { kind: "token", accessorId }, createIndex };
    const { authMethod, identity, roles, methodId } = login;
    const folded: UseSubject = { kind: "roles", authMethod, roles };
    if (!this.#keepsIdentities || identity === "") return { scope: place, as: folded, methodId };
    return { scope: place, as: { kind: "identity", authMethod, identity }, folded, methodId };
  }

  /**
   * Takes all that was counted, and begins anew.
   *
   * @param day of the database's clock
   */
  async take(day: number): Promise<CountedUse[]> {
    const subjects = this.#subjects;
    this.#taken += this.#bytes;
    const bytes = this.#bytes;
    this.#subjects = new Map();
    this.#bytes = 0;
    const taken: CountedUse[] = [];
    const turn = startTurn();
    for (const { subject, groups, holder, bytes: own } of subjects.values()) {
      this.#takenOf.push({ holder, bytes: own });
      for (const group of groups) addUses(taken, { subject, group, day, askedBy: this.#pointOf(group.use) });
      if (turn.isOver()) await turn.next();
    }
    this.#addTaken(taken.length * COUNTED_BYTES - bytes);
    return taken;
  }

  /** Decision points that log in are identities. */
  #pointOf({ askedBy }: PermissionUse): string {
    return this.#keepsIdentities || !askedBy.includes("/") ? askedBy : "";
  }

  /** Notes that so many taken uses are written. */
  release(count: number): void {
    this.#addTaken(-count * COUNTED_BYTES);
  }

  /** Keeps each holder's share until all that was taken is written; the bytes of a batch beyond that are nobody's. */
  #addTaken(bytes: number): void {
    this.#taken += bytes;
    this.#pool.force(undefined, bytes);
    if (this.#taken > 0) return;
    for (const { holder, bytes: own } of this.#takenOf.splice(0)) {
      this.#pool.give(holder, own);
      this.#pool.force(undefined, own);
    }
  }

  /** Notes uses that the database had no room for. */
  noteLimited(folded: number, dropped: number): void {
    this.#folded += folded;
    this.#dropped += dropped;
  }

  stats(): MemoryStats {
    return { bytes: this.#bytes + this.#taken, folded: this.#folded, dropped: this.#dropped };
  }
}

/** Logins of one identity that gave other roles are kept apart, since they may be folded to these. */
function keyOfLogin({ scope, login }: Actor): string {
  return JSON.stringify([scope.partition, scope.namespace, login?.methodId, login?.identity, login?.roles]);
}

function findGroup({ groups, places }: Subject, { by, question }: PermissionUse): Group | undefined {
  if (places !== undefined) return places.get(by)?.get(question);
  // No closure, and no text that is put together for a look-up: each request of a token comes here.
  for (const group of groups) if (group.use.by === by && group.use.question === question) return group;
  return undefined;
}

function addGroup(subject: Subject, group: Group): void {
  subject.groups.push(group);
  if (subject.places === undefined && subject.groups.length <= FEW_GROUPS) return;
  const added = subject.places === undefined ? subject.groups : [group];
  const places = (subject.places ??= new Map());
  for (const each of added) {
    const { by, question } = each.use;
    const ofRule = places.get(by);
    if (ofRule === undefined) places.set(by, new Map([[question, each]]));
    else ofRule.set(question, each);
  }
}

function hasFewNames({ name, others }: Group): boolean {
  const hasFolded = name === undefined || others?.has(undefined) === true;
  return 1 + (others?.size ?? 0) - (hasFolded ? 1 : 0) < NAMES_OF_GROUP;
}

function bytesOfName(name: string | undefined): number {
  return NAME_BYTES + 2 * (name?.length ?? 0);
}

interface Counted extends Pick<CountedUse, "subject" | "day" | "askedBy"> {
  group: Group;
}

function addUses(taken: CountedUse[], { subject, group, day, askedBy }: Counted): void {
  const { use, name, count, others } = group;
  const { resource, access, scope, column } = use;
  const decidedIn = { partition: scope.partition, namespace: scope.namespace };
  for (const rule of rulesOf(use.by, resource)) {
    const counted = { subject, rule, decidedIn, resource, access, column, askedBy, day };
    taken.push({ ...counted, name, count });
    if (others === undefined) continue;
    for (const [other, times] of others) taken.push({ ...counted, name: other, count: times });
  }
}

/** Returns the key of a group of names, beside the rule. No part can hold a line break. */
export function groupKey(use: Omit<PermissionUse, "by" | "name" | "question">): string {
  const { resource, access, scope, column, askedBy } = use;
  return `${resource}\n${access}\n${scope.partition}\n${scope.namespace}\n${column}\n${askedBy}`;
}
