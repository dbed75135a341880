/** A read as its route defines it, and how answers are shared between those who ask for the same. */
import type { FastifyRequest } from "fastify";
import { ANY_NAMESPACE } from "../../../acl/scope.ts";
import { indexInSight, NO_INDEX, sightOfObjects, type Sight } from "../../../acl/sight.ts";
import type { Place } from "./pieces.ts";
import type { MadeAnswer } from "../../reads/shared-answers.ts";
import type { BegunList } from "./shared-lists.ts";

/** A read as a route defines it. */
export interface Read {
  /** The tables that the answer is made from. It shows the index of the first, and waits for that one. */
  tables: readonly [string, ...string[]];
  /** Tables whose rows in any namespace of the partition may decide about the answer. */
  partitionTables?: readonly string[];
  /** What the caller may know of the first table; by its right to read `acl` objects unless the route says otherwise. */
  sight?(request: FastifyRequest): Sight;
  /**
   * Who may be given an answer that was made for another: `kept` everybody with the same rights, for as long as
   * nothing changes; `brief` the same, but only who asks while it is made, since it holds secrets; `own` nobody.
   */
  sharing: "kept" | "brief" | "own";
  /** Makes the whole answer; undefined when that is too long for the memory. */
  make(request: FastifyRequest): Promise<MadeAnswer | undefined>;
  /** Of lists: begins to make the answer piece by piece, or goes on with one where another reading has come to. */
  open?(request: FastifyRequest, from?: Place): Promise<BegunList>;
  /** Of lists: refuses who may not read it, without reading it. */
  probe?(request: FastifyRequest): Promise<void>;
  /** Of objects: the key, where the path says it. Lists change with every write in their table. */
  keyOf?(request: FastifyRequest): string;
  /** Whether a read waits for an object that is missing; else it is refused at once. */
  awaitsMissing?: boolean;
}

/** The index that is shown, and those of the tables of a read. */
export type Indexes = [shown: number, ...others: number[]];

/** What the caller may know of the table that a read shows the index of. Asked before any index is read. */
export function sightOf(read: Read, request: FastifyRequest): Sight {
  return read.sight === undefined ? sightOfObjects(request.ctx.actor, request.scope) : read.sight(request);
}

/**
 * The indexes of a read: of its tables as far as the caller may know of them.
 * They are read before the rows, and only ever rise: an answer belongs to them
 * for as long as they are the same. Who may know nothing shares no answers.
 */
export function readIndexes(
  { tables, partitionTables = [] }: Read,
  { ctx, scope }: FastifyRequest,
  sight: Sight,
): Indexes | Promise<Indexes> {
  if (sight === "nothing") return [NO_INDEX];
  const shown = indexInSight(ctx.db, tables[0], scope, sight);
  // What is left out of an answer is told in its headers, so it is made of the whole table all the same.
  const made = sight === "all" ? tables.slice(1) : tables;
  const indexes = [shown, ...made.map((table) => ctx.db.tableIndex(table, scope))];
  const everywhere = { partition: scope.partition, namespace: ANY_NAMESPACE };
  for (const table of partitionTables) indexes.push(ctx.db.tableIndex(table, everywhere));
  // There is at least one table.
  if (indexes.every((index) => typeof index === "number")) return indexes as Indexes;
  return Promise.all(indexes.map((index) => Promise.resolve(index))) as Promise<Indexes>;
}

/**
 * The answer, made now or kept from before.
 *
 * @param at the indexes that were read for it
 */
export async function makeShared(read: Read, request: FastifyRequest, at: string): Promise<MadeAnswer | undefined> {
  const make = (): Promise<MadeAnswer | undefined> => read.make(request);
  if (!isShared(read, request)) return make();
  const { answers } = request.server.reads;
  return answers.once(keyWhileMade(read, request), at, read.sharing === "kept", make);
}

/** Answers to who may know nothing of a table are in no way another's: whether one is kept says whether something has changed. */
export function isShared(read: Read, request: FastifyRequest): boolean {
  return read.sharing !== "own" && sightOf(read, request) !== "nothing";
}

const PROBED: MadeAnswer = { body: "", headers: {}, key: undefined };

/** Probes for all with the same rights who ask before something changes. @throws what the probe does */
export async function probeShared(
  read: Read,
  probe: NonNullable<Read["probe"]>,
  request: FastifyRequest,
  at: string,
): Promise<void> {
  if (!isShared(read, request)) return probe(request);
  await request.server.reads.answers.once(`probe ${sharingKey(request)}`, at, true, async () => {
    await probe(request);
    return PROBED;
  });
}

/** Parameters that say how a read is answered and not with what. */
const MANNERS = new Set(["index", "wait", "stale", "consistent", "leader", "cached", "max_stale", "token", "dc"]);

/**
 * All that an answer depends on beside the rows: the route and its arguments,
 * the scope, the server that is read, and what the caller may see.
 */
export function sharingKey(request: FastifyRequest): string {
  const { ctx } = request;
  // The first half never changes while a request waits.
  request.asked ??= askedBy(request);
  return `${request.asked}\n${ctx.actor.rightsKey}\n${ctx.db.isReplica ? "replica" : "primary"}`;
}

/**
 * The same for who asks while an answer is made. What is shared only then may show what expires, which raises no index:
 * so it is of one second.
 */
export function keyWhileMade({ sharing }: Read, request: FastifyRequest): string {
  const key = sharingKey(request);
  return sharing === "kept" ? key : `${key}\n${Math.floor(request.ctx.now() / 1000)}`;
}

function askedBy({ raw, route, params, query, scope }: FastifyRequest): string {
  const { url = "" } = raw;
  // Without parameters the path says all: no route but one has it, though one route may have several.
  if (!url.includes("?")) return [url, scope.partition, scope.namespace].join("\n");
  const asked = Object.entries(query as Record<string, string>).filter(([name]) => !MANNERS.has(name));
  // No part but the two in JSON can hold what parts are told apart by, and those escape it.
  return [route.pattern, JSON.stringify(params), JSON.stringify(asked), scope.partition, scope.namespace].join("\n");
}
