/** Asks every pair of the use ledger again, by today's state and by a draft. Runs with other long reads. */
import type { ListScope } from "../../rights/permission.ts";
import { inTurns, type DeciderOptions, type RunInTurns } from "../../explain/access/held.ts";
import { pointsOfDrafts, type DraftLists } from "../../explain/effect/drafts.ts";
import { LONGEST_MS, TakesTooLong, until } from "../../explain/effect/find.ts";
import type { Point } from "../../explain/effect/points.ts";
import { tokenStore } from "../../acl/tokens/store.ts";
import type { Scope } from "../../rights/scope.ts";
import type { ApartSource, ApartWork } from "../../storage/database.ts";
import { startTurn } from "../../turns.ts";
import type { Authorizer } from "../../rights/rules/authorizer.ts";
import type { UseRow, UseSubject } from "../../records/uses/row.ts";
import { addTo, EntryPage, keyOfSubject, placeOf, type Change, type Reason, type ReplayEntry } from "./entry.ts";
import { readLedger, readReach, type LedgerReach } from "./ledger.ts";
import { LoginDrafts, type BindingDraft } from "./logins.ts";
import { isTouched, pairsOf, questionOf, type UsedPair } from "./pairs.ts";
import { readRefusals, type RefusalsRead } from "./refusals.ts";
import { ReplayRights, type RightsPair } from "./rights.ts";
import { may, shownOf } from "./shown.ts";
import { SubjectReader, type FoundHolder } from "./subjects.ts";

/** Input of a replay; plain data. */
export interface ReplaySearch {
  /** Scope of all drafts. */
  home: Scope;
  drafts: DraftLists;
  bindings: readonly BindingDraft[];
  /** Namespace, or namespaces, whose subjects the caller may read. */
  list: ListScope;
  /** Which differences are listed; all are counted. */
  changes: readonly Change[];
  /** Place of the last entry of the page before; empty for the first page. */
  after: string;
  size: number;
  now: number;
  options: DeciderOptions;
  /** Token of the caller: names that it may not read are not shown. */
  reader: { accessorId: string };
}

/** Result of a replay; plain data. */
export interface Replay {
  /** A page of differences, and one more where there is another page. */
  entries: ReplayEntry[];
  /** Number of pairs of the ledger. */
  pairs: number;
  /** Number of questions with each result. */
  counts: Record<Change, number>;
  unreplayable: Record<Reason, number>;
  refusals: Omit<RefusalsRead, "pairs">;
  reach: LedgerReach;
}

/** Returns nothing when it would take too long. */
export const REPLAY: ApartWork<ReplaySearch, Replay | undefined> = {
  name: "which uses a draft refuses",
  run: (source, search) => replay(source, search, readLedger),
};

/** Reads the ledger slice by slice, one namespace after the other. */
export type ReadLedger = (source: ApartSource, list: ListScope) => AsyncIterable<readonly UseRow[]>;

/**
 * @param read rows of the subjects in a list
 * @returns undefined when it would take too long
 */
export async function replay(source: ApartSource, search: ReplaySearch, read: ReadLedger): Promise<Replay | undefined> {
  const end = performance.now() + LONGEST_MS;
  try {
    return await new Replaying(source, search, end).run(read);
  } catch (error) {
    if (error instanceof TakesTooLong) return undefined;
    throw error;
  }
}

/** Number of questions between two looks at the clock. */
const BETWEEN = 256;

interface SubjectRows {
  scope: Scope;
  subject: UseSubject;
  rows: UseRow[];
}

class Replaying {
  readonly #source: ApartSource;
  readonly #search: ReplaySearch;
  readonly #end: number;
  readonly #run: RunInTurns;
  readonly #rights: ReplayRights;
  readonly #subjects: SubjectReader;
  readonly #page: EntryPage;
  readonly #turn = startTurn();
  readonly #result: Omit<Replay, "entries" | "refusals" | "reach"> = {
    pairs: 0,
    counts: { refused: 0, allowed: 0, "already-refused": 0 },
    unreplayable: { subject: 0, name: 0, claims: 0 },
  };
  #asked = 0;
  #points: readonly Point[] | undefined = [];
  #reader: Authorizer | undefined;

  constructor(source: ApartSource, search: ReplaySearch, end: number) {
    const { drafts, bindings, options, now } = search;
    this.#source = source;
    this.#search = search;
    this.#end = end;
    this.#run = (work) => inTurns(until(end, work));
    const [policies, roles] = [new Map(drafts.policies), new Map(drafts.roles)];
    const tokens = new Map(drafts.tokens);
    const maps = { policies, roles, defaults: new Map(drafts.defaults) };
    this.#rights = new ReplayRights(source, maps, options, this.#run);
    const logins = new LoginDrafts(bindings, { policies, roles }, options.datacenter);
    this.#subjects = new SubjectReader(source, tokens, logins, now);
    this.#page = new EntryPage(search.after, search.size);
  }

  async run(read: ReadLedger): Promise<Replay> {
    const { home, drafts, bindings, options, list } = this.#search;
    this.#reader = await this.#rightsOfReader();
    const points = await pointsOfDrafts(this.#source, home, drafts, options, this.#run);
    // Binding rules give and take whole policies, of which there are no points.
    this.#points = points.isComplete && bindings.length === 0 ? points.all() : undefined;
    // Rows are stored in no order of their subjects, so those of a namespace are gathered: they are bounded in number.
    const gathered = new Map<string, SubjectRows>();
    let namespace: string | undefined;
    for await (const slice of read(this.#source, list)) {
      for (const row of slice) {
        if (row.scope.namespace !== namespace) {
          await this.#askAll(gathered.values());
          gathered.clear();
          namespace = row.scope.namespace;
        }
        gather(gathered, row);
      }
      await this.#pause();
    }
    await this.#askAll(gathered.values());
    const refusals = await this.#askRefusals();
    const reach = await readReach(this.#source, list);
    return { ...this.#result, entries: this.#page.entries(), refusals, reach };
  }

  async #rightsOfReader(): Promise<Authorizer | undefined> {
    const token = await tokenStore.anywhere(this.#source, this.#search.reader.accessorId);
    if (token === undefined) return undefined;
    const holder = { before: token, after: token };
    await this.#rights.prepare(token.scope, [holder]);
    return (await this.#rights.of(holder))?.had;
  }

  async #pause(): Promise<void> {
    if (!this.#turn.isOver()) return;
    await this.#turn.next();
    if (performance.now() > this.#end) throw new TakesTooLong();
  }

  /** @param all subjects of one namespace */
  async #askAll(all: Iterable<SubjectRows>): Promise<void> {
    for (const some of slicesOf([...all])) {
      const scope = some[0]?.scope;
      if (scope === undefined) continue;
      const found = await this.#subjects.read(
        scope,
        some.map(({ subject }) => subject),
      );
      await this.#rights.prepare(
        scope,
        [...found.values()].flatMap((each) => ("holder" in each ? [each.holder] : [])),
      );
      for (const { subject, rows } of some) {
        const pairs = pairsOf(rows);
        this.#result.pairs += pairs.size;
        const each = found.get(keyOfSubject(subject)) ?? { reason: "subject" };
        const rights = "holder" in each ? await this.#rights.of(each.holder) : undefined;
        if (!("holder" in each)) this.#result.unreplayable[each.reason] += pairs.size;
        else if (rights === undefined) this.#result.unreplayable.subject += pairs.size;
        else await this.#askPairs(pairs.values(), { scope, subject, found: each, rights });
      }
    }
  }

  async #askPairs(pairs: Iterable<UsedPair>, asked: AskedSubject): Promise<void> {
    const entries = new Map<string, ReplayEntry>();
    for (const pair of pairs) {
      if (++this.#asked % BETWEEN === 0) await this.#pause();
      const result = this.#ask(pair, asked);
      if (result === "same") continue;
      if (isReason(result)) {
        this.#result.unreplayable[result] += 1;
        continue;
      }
      this.#result.counts[result] += 1;
      if (this.#search.changes.includes(result)) this.#collect(entries, result, pair, asked);
    }
    for (const entry of entries.values()) this.#page.add(entry);
  }

  #ask(pair: UsedPair, { rights: { had, has }, found }: AskedSubject): Change | Reason | "same" {
    const question = questionOf(pair);
    if (question === undefined) {
      const isSame = had === has || (this.#points !== undefined && !isTouched(pair, this.#points));
      return isSame ? "same" : "name";
    }
    if (!may(had, question)) return found.isPart ? "claims" : "already-refused";
    return had === has || may(has, question) ? "same" : "refused";
  }

  #collect(entries: Map<string, ReplayEntry>, change: Change, pair: UsedPair, { scope, subject, found }: AskedSubject) {
    if (this.#reader === undefined) return;
    const question = shownOf(pair, this.#reader);
    const { use, columns } = pair;
    const entry = { change, scope, subject, name: found.name, question, questions: 1, use, columns: { ...columns } };
    const place = placeOf(entry);
    const known = entries.get(place);
    if (known === undefined) entries.set(place, entry);
    else addTo(known, use, columns);
  }

  /** Only refusals on record can become newly allowed: the ledger knows what was allowed. */
  async #askRefusals(): Promise<Omit<RefusalsRead, "pairs">> {
    const { list } = this.#search;
    const reader = this.#reader;
    if (reader === undefined) return { records: 0, unreadable: 0, since: "", readsSince: "", isComplete: true };
    const { pairs, ...read } = await readRefusals(this.#source, list.partition, reader);
    for (const [accessorId, some] of Map.groupBy(pairs, (pair) => pair.accessorId)) {
      await this.#pause();
      const token = await tokenStore.anywhere(this.#source, accessorId);
      if (token === undefined || !isListed(list, token.scope, reader)) continue;
      const subject = { kind: "token", accessorId } as const;
      const found = (await this.#subjects.read(token.scope, [subject])).get(keyOfSubject(subject));
      if (found === undefined || !("holder" in found)) continue;
      await this.#rights.prepare(token.scope, [found.holder]);
      const rights = await this.#rights.of(found.holder);
      if (rights === undefined || rights.had === rights.has) continue;
      for (const { question, use } of some) {
        if (may(rights.had, question) || !may(rights.has, question)) continue;
        this.#result.counts.allowed += 1;
        if (!this.#search.changes.includes("allowed")) continue;
        const { resource, segment, access } = question;
        const exact = { isPrefix: false, isNamespacePrefix: false, isPartitionPrefix: false };
        const shown = { resource, segment, access, ...question.scope, ...exact };
        const entry = { scope: token.scope, subject, name: found.name, question: shown, questions: 1, use };
        this.#page.add({ change: "allowed", ...entry, columns: undefined });
      }
    }
    return read;
  }
}

interface AskedSubject {
  scope: Scope;
  subject: UseSubject;
  found: FoundHolder;
  rights: RightsPair;
}

function isReason(result: Change | Reason): result is Reason {
  return result === "subject" || result === "name" || result === "claims";
}

function gather(gathered: Map<string, SubjectRows>, row: UseRow): void {
  const key = keyOfSubject(row.subject);
  const known = gathered.get(key);
  if (known === undefined) gathered.set(key, { scope: row.scope, subject: row.subject, rows: [row] });
  else known.rows.push(row);
}

/** Subjects whose grants are read together. */
const TOGETHER = 512;

function* slicesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += TOGETHER) yield all.slice(start, start + TOGETHER);
}

function isListed(list: ListScope, scope: Scope, reader: Authorizer): boolean {
  if (list.partition !== scope.partition) return false;
  if (list.visible === undefined) return list.namespace === scope.namespace;
  return may(reader, { resource: "acl", segment: "", access: "read", scope });
}
