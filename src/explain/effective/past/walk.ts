/** The audit records of a partition since a moment: which objects they are about, and whether their chain is whole. */
import { AppError } from "../../../errors.ts";
import { readRecords } from "../../../records/chains.ts";
import { readChainCounter } from "../../../records/verify/store.ts";
import { startWalk, type Walk } from "../../../records/verify/walk.ts";
import { rightsTurns } from "../../../acl/rule-limit.ts";
import type { Reader } from "../../../storage/database.ts";
import type { AuditRow, ChainHead } from "../../../storage/proofs/audit-chain.ts";
import { defineQuery } from "../../../storage/reads/query.ts";
import { chainOf, counterName } from "../../../storage/writes/counters.ts";

/** A record that is not what was written, or one that is missing. */
export interface ChainDamage {
  seq: number;
  why: string;
}

/** Most records that are walked. */
export const MOST_WALKED = 50_000;
/** Records that are read at a time: each may be as long as a request. */
const ROWS = 64;

/** Kinds of objects that rights follow from. */
const KINDS: ReadonlySet<string> = new Set(["token", "role", "policy", "namespace"]);

/** Walks the records of a partition since a moment. */
export class PastWalk {
  readonly #db: Reader;
  readonly #chain: string;
  #walk: Walk;
  /** Positions of the records about an object, the oldest first. */
  readonly #seqs = new Map<string, number[]>();
  /** Records that were walked. */
  records = 0;
  /** The first that is wrong; undefined while the chain is whole. */
  damage: ChainDamage | undefined;

  private constructor(db: Reader, chain: string, from: ChainHead) {
    this.#db = db;
    this.#chain = chain;
    this.#walk = startWalk(chain, from, []);
  }

  /**
   * Begins after the last record of a moment.
   *
   * @param at ISO 8601 in UTC with milliseconds
   * @throws AppError `not_recorded` when the records do not reach back to it, or are too many
   */
  static async since(db: Reader, partition: string, at: string): Promise<PastWalk> {
    const chain = chainOf(counterName({ kind: "partition", name: partition }));
    const [first] = await readRecords(db, chain, 0, 1);
    if (first === undefined) throw new AppError("not_recorded", "The partition has no audit records");
    if (at < first.at)
      throw new AppError(
        "not_recorded",
        `No audit records of this time. The earliest audit record is from ${first.at}`,
      );
    const head = await readChainCounter(db, chain);
    const [bound] = await readRecords(db, chain, (head?.seq ?? 0) - MOST_WALKED - 1, 1);
    if (bound !== undefined && bound.at > at) {
      const text = `More than ${MOST_WALKED} audit records after the requested time. The earliest possible time is ${bound.at}`;
      throw new AppError("not_recorded", text);
    }
    const [from] = await db.run(lastUntil, { chain, at });
    return new PastWalk(db, chain, from ?? { seq: first.seq - 1, hash: "" });
  }

  /**
   * Walks to the end, also of what was written since it was there.
   *
   * @returns the objects that the walked records are about
   */
  async toEnd(): Promise<Set<string>> {
    const about = new Set<string>();
    const head = await readChainCounter(this.#db, this.#chain);
    for (;;) {
      const rows = await readRecords(this.#db, this.#chain, this.#walk.place.seq, ROWS);
      for (const row of rows) this.#step(row, about);
      if (rows.length < ROWS) break;
      if (this.records > 2 * MOST_WALKED)
        throw new AppError("not_recorded", "Too many audit records after the requested time");
      await rightsTurns.pause();
    }
    if (head !== undefined && this.#walk.place.seq < head.seq)
      this.#note({ seq: this.#walk.place.seq + 1, why: "is missing: the chain ends before its head" });
    return about;
  }

  #step(row: AuditRow, about: Set<string>): void {
    this.records += 1;
    const finding = this.#walk.step(row);
    if (finding !== undefined) {
      this.#note(finding);
      this.#walk = startWalk(this.#chain, { seq: row.seq, hash: row.hash }, []);
      // A record behind a missing one is what was written, as far as anybody can know.
      if (finding.seq === row.seq) return;
    }
    if (!KINDS.has(row.kind) || row.outcome !== "done") return;
    const key = keyOf(row.kind, row.object_id);
    about.add(key);
    const seqs = this.#seqs.get(key);
    if (seqs === undefined) this.#seqs.set(key, [row.seq]);
    else seqs.push(row.seq);
  }

  #note({ seq, why }: ChainDamage): void {
    this.damage ??= { seq, why };
  }

  /** The records about an object, the newest first. */
  async *about(kind: string, id: string): AsyncGenerator<AuditRow> {
    for (const seq of this.#seqs.get(keyOf(kind, id))?.toReversed() ?? []) {
      const [row] = await readRecords(this.#db, this.#chain, seq - 1, 1);
      if (row?.seq === seq) yield row;
      await rightsTurns.pause();
    }
  }
}

/** Names an object in what a walk finds. */
export function keyOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}

const lastUntil = defineQuery((db, p: { chain: string; at: string }) =>
  db
    .selectFrom("audit_records")
    .select(["seq", "hash"])
    .where("chain", "=", p.chain)
    .where("at", "<=", p.at)
    .orderBy("seq", "desc")
    .limit(1),
);
