/**
 * Uses that are not written yet, by subject, rule, question and name. While a rule is compiled it is its own key; on the way to the
 * database it is named by its policy and its text, or by the row that is known to hold it.
 */
import type { Actor, ActorLogin } from "../../rights/actor.ts";
import type { PermissionUse } from "../../rights/uses.ts";
import { createPool, type Pool, type PoolHolder } from "../../shared-pool.ts";
import { startTurn } from "../../turns.ts";
import type { UseSubject } from "./row.ts";
import {
  addGroup,
  bytesOfGroup,
  bytesOfName,
  findGroup,
  hasFewNames,
  isSubject,
  isWorthKeeping,
  makeGroup,
  ownText,
  SUBJECT_BYTES,
  takeSubject,
  type CountedSubject,
  type Group,
  type SubjectUses,
  type TakenUses,
} from "./subjects.ts";

/** Memory of all uses that are not written yet, in bytes. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Memory of all that is kept between flushes, and of both: it gives way to uses. */
const KEPT_BYTES = 20 * 1024 * 1024;
const ALL_BYTES = 32 * 1024 * 1024;
/** From here on no further names are kept, only rules; of subjects that have little, from the second on. */
const FOLD_BYTES = 14 * 1024 * 1024;
const FOLD_BYTES_OF_LITTLE = 21 * 1024 * 1024;
/** Approximate memory of a use of a batch, and of one of a known row, in bytes. */
const COUNTED_BYTES = 900;
const KNOWN_BYTES = 80;

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
  /** Size of this memory, as a part of the usual one. */
  readonly #scale: number;
  readonly #subjects = new Map<string, SubjectUses>();
  /** Those of which something was counted. */
  #counted: SubjectUses[] = [];
  /** Keys of subjects, by logins of actors that are kept. */
  readonly #keys = new WeakMap<ActorLogin, string>();
  /** Bytes of all of which something was counted; only asked when something new is. */
  readonly #pool: Pool;
  #bytes = 0;
  /** Bytes of subjects of which nothing was counted. */
  #kept = 0;
  /** Bytes of what was taken and is not written. */
  #taken = 0;
  /** Whose it is, until all of it is written. */
  #takenOf: Pick<SubjectUses, "holder" | "bytes">[] = [];
  #folded = 0;
  #dropped = 0;

  /** @param options.identities whether identities of logins are kept, instead of their roles */
  constructor(options: { identities?: boolean | undefined; maxBytes?: number } = {}) {
    this.#keepsIdentities = options.identities !== false;
    const size = options.maxBytes ?? MAX_BYTES;
    this.#scale = size / MAX_BYTES;
    this.#pool = createPool("uses", size);
  }

  /** Counts one use. Hot: every allowed access comes here. */
  count(actor: Actor, use: PermissionUse): void {
    // A login's subject is its identity: tokens of one identity are one.
    const key = actor.login === undefined ? actor.accessorId : this.#keyOf(actor, actor.login);
    const known = this.#subjects.get(key);
    const subject = known?.isCounted === true && isSubject(known, actor) ? known : this.#begin(key, actor, known);
    if (subject === undefined) {
      this.#dropped += 1;
      return;
    }
    const group = findGroup(subject, use);
    if (group !== undefined) this.#countName(subject, group, use.name);
    else this.#addGroup(subject, use);
  }

  #keyOf(actor: Actor, login: ActorLogin): string {
    let key = this.#keys.get(login);
    if (key === undefined) this.#keys.set(login, (key = keyOfLogin(actor)));
    return key;
  }

  /** Begins to count a subject. @returns undefined where there is no room */
  #begin(key: string, actor: Actor, known: SubjectUses | undefined): SubjectUses | undefined {
    const isKept = known?.isCounted === false;
    let subject = known;
    if (subject === undefined || !isSubject(subject, actor)) {
      const holder = { name: ownText(key), group: `${actor.scope.partition}/${actor.scope.namespace}` };
      const bytes = SUBJECT_BYTES;
      subject = { subject: this.#subjectOf(actor), holder, bytes, isCounted: false, groups: [], places: undefined };
    }
    if (!this.#takes(subject.holder, subject.bytes)) return undefined;
    if (isKept && this.#subjects.get(key) === known) this.#kept -= known.bytes;
    this.#subjects.set(subject.holder.name, subject);
    subject.isCounted = true;
    this.#counted.push(subject);
    return subject;
  }

  #addGroup(subject: SubjectUses, use: PermissionUse): void {
    const isFolded = use.name !== undefined && !this.#keepsNames(subject);
    const name = isFolded ? undefined : use.name;
    const bytes = bytesOfGroup(name);
    if (!this.#takes(subject.holder, bytes)) {
      this.#dropped += 1;
      return;
    }
    if (isFolded) this.#folded += 1;
    subject.bytes += bytes;
    addGroup(subject, makeGroup(subject, use, name));
  }

  #countName(subject: SubjectUses, group: Group, asked: string | undefined): void {
    if (group.name === asked) {
      group.count += 1;
      return;
    }
    const others = (group.others ??= new Map());
    let name = asked;
    let uses = others.get(name);
    if (uses === undefined && name !== undefined && !(hasFewNames(group) && this.#keepsNames(subject))) {
      this.#folded += 1;
      if (group.name === undefined) {
        group.count += 1;
        return;
      }
      name = undefined;
      uses = others.get(name);
    }
    if (uses !== undefined) {
      uses.count += 1;
      return;
    }
    this.#force(subject, bytesOfName(name));
    others.set(name && ownText(name), { count: 1, rows: undefined, day: 0 });
  }

  #keepsNames({ holder }: SubjectUses): boolean {
    const used = this.#pool.used() / this.#scale;
    return used < FOLD_BYTES || (used < FOLD_BYTES_OF_LITTLE && !this.#pool.isLarge(holder));
  }

  /** Takes room for something new, where there is some that is not kept for others. */
  #takes(holder: PoolHolder, bytes: number): boolean {
    if (this.#pool.take(holder, bytes) !== undefined) return false;
    this.#bytes += bytes;
    if (this.#kept > 0 && this.#pool.used() + this.#kept > ALL_BYTES * this.#scale) this.#forget();
    return true;
  }

  #force(subject: SubjectUses, bytes: number): void {
    this.#pool.force(subject.holder, bytes);
    this.#bytes += bytes;
    subject.bytes += bytes;
  }

  /** Forgets subjects of which nothing was counted. They are learned again by what is counted next. */
  #forget(): void {
    this.#kept = 0;
    for (const [key, { isCounted }] of this.#subjects) if (!isCounted) this.#subjects.delete(key);
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
  async take(day: number): Promise<TakenUses> {
    const room = KEPT_BYTES * this.#scale;
    if (this.#kept + this.#bytes > room) this.#forget();
    // Where it gets tight, what a subject asked before gives way to what all of them ask now.
    const keepsOthers = this.#bytes < room / 2;
    const counted = this.#counted;
    this.#counted = [];
    const taken: TakenUses = { uses: [], known: [] };
    const pointOf = (use: PermissionUse) => this.#pointOf(use);
    const turn = startTurn();
    let sum = 0;
    for (const subject of counted) {
      const { holder, bytes } = subject;
      this.#takenOf.push({ holder, bytes });
      this.#bytes -= bytes;
      this.#taken += bytes;
      sum += bytes;
      takeSubject(taken, subject, { day, pointOf, keepsOthers });
      this.#keep(subject);
      if (turn.isOver()) await turn.next();
    }
    this.#addTaken(bytesOf(taken.uses.length, taken.known.length) - sum);
    return taken;
  }

  /** Keeps a subject of which nothing is counted, where there is room for it. */
  #keep(subject: SubjectUses): void {
    const key = subject.holder.name;
    // There is another one behind its key by now.
    if (this.#subjects.get(key) !== subject) return;
    const isKept = isWorthKeeping(subject) && this.#kept + subject.bytes <= KEPT_BYTES * this.#scale;
    if (isKept) this.#kept += subject.bytes;
    else this.#subjects.delete(key);
  }

  /** Decision points that log in are identities. */
  #pointOf({ askedBy }: PermissionUse): string {
    return this.#keepsIdentities || !askedBy.includes("/") ? askedBy : "";
  }

  /** Notes that so many taken uses are written, and so many of known rows. */
  release(uses: number, known: number): void {
    this.#addTaken(-bytesOf(uses, known));
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

function bytesOf(uses: number, known: number): number {
  return uses * COUNTED_BYTES + known * KNOWN_BYTES;
}

/** Logins of one identity that gave other roles are kept apart, since they may be folded to these. */
function keyOfLogin({ scope, login }: Actor): string {
  return JSON.stringify([scope.partition, scope.namespace, login?.methodId, login?.identity, login?.roles]);
}
