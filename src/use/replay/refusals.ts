/** Refusals on record, as questions that are asked again. */
import { fittingRecord, hashBefore, type AuditRecord } from "../../records/record.ts";
import { LONGEST_SEGMENT } from "../../records/refusals/refusal.ts";
import type { DecidingRights } from "../../rights/rules/decide.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import { ACCESSES, isResource, type Access } from "../../rights/rules/rule.ts";
import type { Reader } from "../../storage/database.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import { selectionOf } from "../../storage/writes/objects.ts";
import { together, type Use } from "../days.ts";
import { may } from "./shown.ts";

/** Refusals of a token. */
export interface RefusedPair {
  accessorId: string;
  question: RightsQuestion;
  use: Use;
}

/** Refusals that the caller may read, and how far they reach. */
export interface RefusalsRead {
  pairs: RefusedPair[];
  /** Number of records. */
  records: number;
  /** Number of records among these that do not hold the whole name. */
  unreadable: number;
  /** Time of the oldest one of writes, and of reads, which may be kept for a shorter time; empty where there is none. */
  since: string;
  readsSince: string;
  /** Whether these are all, and not the newest only. */
  isComplete: boolean;
}

/** Records that are read of one chain, and of all. */
const MOST_OF_CHAIN = 5000;
const MOST = 20_000;
const SLICE = 500;
/** Organizations whose refusals are read. */
const MOST_ORGANIZATIONS = 500;

const DAY = 86_400_000;

/**
 * Reads the newest refusals of a partition and of organizations.
 *
 * @param reader permissions of the caller: a record is read only by who may read it in the audit log
 */
export async function readRefusals(db: Reader, partition: string, reader: DecidingRights): Promise<RefusalsRead> {
  const organizations = await db.run(chainsOfOrganizations, { limit: 2 * MOST_ORGANIZATIONS + 1 });
  const chains = [
    ...["", "reads/"].map((sort) => `refusals/${sort}partition/${partition}`),
    ...organizations.slice(0, 2 * MOST_ORGANIZATIONS).map(({ name }) => name),
  ];
  const gathered = new Gathered(partition, reader);
  let isComplete = organizations.length <= 2 * MOST_ORGANIZATIONS;
  let read = 0;
  for (const chain of chains) {
    const most = Math.min(MOST_OF_CHAIN, MOST - read);
    let before = Number.MAX_SAFE_INTEGER;
    let ofChain = 0;
    for (;;) {
      const limit = Math.min(SLICE, most - ofChain);
      const rows = limit === 0 ? [] : await db.run(newestOfChain, { chain, before, limit });
      for (const { before: hash, ...record } of rows) gathered.add(fittingRecord(record, hash));
      ofChain += rows.length;
      before = rows.at(-1)?.seq ?? before;
      if (limit === 0 || ofChain >= most) {
        isComplete = false;
        break;
      }
      if (rows.length < limit) break;
    }
    read += ofChain;
  }
  return { ...gathered.result(), isComplete };
}

const chainsOfOrganizations = defineQuery((db, p: { limit: number }) =>
  db
    .selectFrom("counters")
    .select("name")
    .where((eb) =>
      eb.or([
        eb.and([eb("name", ">", "refusals/organization/"), eb("name", "<", "refusals/organization0")]),
        eb.and([eb("name", ">", "refusals/reads/organization/"), eb("name", "<", "refusals/reads/organization0")]),
      ]),
    )
    .orderBy("name")
    .limit(p.limit),
);

const newestOfChain = defineQuery((db, p: { chain: string; before: number; limit: number }) =>
  db
    .selectFrom("audit_records")
    .select(selectionOf("audit_records"))
    .select(hashBefore.as("before"))
    .where("chain", "=", p.chain)
    .where("seq", "<", p.before)
    .orderBy("seq", "desc")
    .limit(p.limit),
);

class Gathered {
  readonly #partition: string;
  readonly #reader: DecidingRights;
  readonly #pairs = new Map<string, RefusedPair>();
  #records = 0;
  #unreadable = 0;
  #since = "";
  #readsSince = "";

  constructor(partition: string, reader: DecidingRights) {
    this.#partition = partition;
    this.#reader = reader;
  }

  add(record: AuditRecord): void {
    const told = record.isDamaged === true ? undefined : detailOf(record);
    if (told === undefined || !this.#isReadable(record, told.question)) return;
    this.#records += 1;
    if (record.action === "read") this.#readsSince = earlier(this.#readsSince, record.at);
    else this.#since = earlier(this.#since, record.at);
    if (isCut(told.question)) {
      this.#unreadable += 1;
      return;
    }
    const key = JSON.stringify([record.accessorId, told.question]);
    const known = this.#pairs.get(key);
    if (known === undefined) this.#pairs.set(key, { accessorId: record.accessorId, ...told });
    else known.use = together(known.use, told.use);
  }

  result(): Omit<RefusalsRead, "isComplete"> {
    const [records, unreadable] = [this.#records, this.#unreadable];
    return { pairs: [...this.#pairs.values()], records, unreadable, since: this.#since, readsSince: this.#readsSince };
  }

  /** As the audit log: an organization's by who may read the thing, others by acl:read of the namespace, or operator:read. */
  #isReadable({ organizationId, namespace }: AuditRecord, question: RightsQuestion): boolean {
    if (organizationId !== "") return may(this.#reader, { ...question, access: "read" });
    const scope = { partition: this.#partition, namespace };
    const ofPartition = { partition: this.#partition, namespace: "default" };
    if (may(this.#reader, { resource: "operator", segment: "", access: "read", scope: ofPartition })) return true;
    return namespace !== "" && may(this.#reader, { resource: "acl", segment: "", access: "read", scope });
  }
}

function detailOf({ detail }: AuditRecord): { question: RightsQuestion; use: Use } | undefined {
  const { question, count, since, until } = JSON.parse(detail) as Record<string, unknown>;
  if (typeof question !== "object" || question === null) return undefined;
  const { resource, segment, access, partition, namespace } = question as Record<string, unknown>;
  if (typeof resource !== "string" || !isResource(resource) || typeof access !== "string") return undefined;
  if (ACCESSES.get(resource)?.includes(access as Access) !== true) return undefined;
  const lastDay = dayOf(until);
  const total = typeof count === "number" ? count : 1;
  return {
    question: {
      resource,
      segment: textOf(segment),
      access: access as Access,
      scope: { partition: textOf(partition), namespace: textOf(namespace) },
    },
    // A record is of one minute.
    use: { total, firstDay: dayOf(since), lastDay, days: 1n },
  };
}

/** Names are cut to a length, and what looks like a secret is a digest. */
function isCut({ segment, scope }: RightsQuestion): boolean {
  const texts = [segment, scope.partition, scope.namespace];
  return segment.length >= LONGEST_SEGMENT || texts.some((text) => text.includes("uuid-sha256-"));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function dayOf(time: unknown): number {
  const at = Date.parse(textOf(time));
  return Number.isNaN(at) ? 0 : Math.floor(at / DAY);
}

function earlier(one: string, other: string): string {
  return one === "" || other < one ? other : one;
}
