/** A read as its route defines it, and how answers are shared between those who ask for the same. */
import type { FastifyRequest, FastifyReply } from "fastify";
import { ANY_NAMESPACE } from "../../../rights/scope.ts";
import { indexInSight, NO_INDEX, sightOfObjects, type Sight, watchedInSight } from "../../../rights/sight.ts";
import type { ListPlaceAfter } from "./pieces.ts";
import { type MadeAnswer, noteUses, withUses } from "../../reads/shared-answers.ts";
import type { BegunList } from "./shared-lists.ts";
import { AppError } from "../../../errors.ts";
import type { Watched } from "../../../watch/watches.ts";
import { waitFor } from "../../reads/waiting.ts";
import { showIndex } from "./read-options.ts";

/** A read as a route defines it. */
export interface Read {
  /** The tables that the answer is made from. It shows the index of the first, and waits for that one. */
  tables: readonly [string, ...string[]];
  /** Tables whose rows in any namespace of the partition may decide about the answer. */
  partitionTables?: ((request: FastifyRequest) => readonly string[]) | undefined;
  /** Part of the first table that the caller may know of. Default: set by its permission to read `acl` objects. */
  sight?(request: FastifyRequest): Sight;
  /**
   * Callers that may share an answer that was made for another one. `kept`: all with equal permissions, while nothing
   * changes. `brief`: all with equal permissions, but only while the answer is being made, since it contains secrets.
   * `own`: none.
   */
  sharing: "kept" | "brief" | "own";
  /** Makes the whole answer, in the same turn where it can; undefined when that is too long for the memory. */
  make(request: FastifyRequest): Promise<MadeAnswer | undefined> | MadeAnswer;
  /**
   * Begins to make the answer of a list piece by piece, or continues at the position that another reading has reached.
   */
  open?(request: FastifyRequest, from?: ListPlaceAfter): Promise<BegunList>;
  /** Denies the list to a caller that may not read it, without reading it. */
  probe?(request: FastifyRequest): Promise<void>;
  /** Returns the key of an object, where the path contains it. Lists change with every write in their table. */
  keyOf?(request: FastifyRequest): string;
  /** Whether a read waits for an object that is missing; else it is refused at once. */
  awaitsMissing?: boolean;
}

/** The index that is shown, and those of the tables of a read. */
export type Indexes = [shown: number, ...others: number[]];

/**
 * Returns the part that the caller may know of the table whose index a read shows. It is computed before any index is
 * read.
 */
export function sightOf(read: Read, request: FastifyRequest): Sight {
  return read.sight === undefined ? sightOfObjects(request.ctx.actor, request.scope) : read.sight(request);
}

/**
 * The indexes of a read: of its tables as far as the caller may know of them. They are read before the rows, and only
 * ever rise: an answer belongs to them for as long as they are the same. A caller that may know nothing shares no
 * answers.
 */
export function readIndexes(
  { tables, partitionTables }: Read,
  request: FastifyRequest,
  sight: Sight,
): Indexes | Promise<Indexes> {
  if (sight === "nothing") return [NO_INDEX];
  const { ctx, scope } = request;
  const shown = indexInSight(ctx.db, tables[0], scope, sight);
  // Headers tell when an answer leaves out entries, so the answer depends on the whole table all the same.
  const made = sight === "all" ? tables.slice(1) : tables;
  const indexes = [shown, ...made.map((table) => ctx.db.tableIndex(table, scope))];
  const everywhere = { partition: scope.partition, namespace: ANY_NAMESPACE };
  for (const table of partitionTables?.(request) ?? []) indexes.push(ctx.db.tableIndex(table, everywhere));
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
  const make = async (): Promise<MadeAnswer | undefined> => {
    const made = await read.make(request);
    return made && withUses(request, made);
  };
  if (!isShared(read, request)) return make();
  const { answers } = request.server.reads;
  const made = await answers.once(keyWhileMade(read, request), at, read.sharing === "kept", make);
  if (made !== undefined) noteUses(request, made);
  return made;
}

/** Answers to who may know nothing of a table are in no way another's: whether one is kept says whether something has changed. */
export function isShared(read: Read, request: FastifyRequest): boolean {
  return read.sharing !== "own" && sightOf(read, request) !== "nothing";
}

const PROBED: MadeAnswer = { body: "", headers: {}, key: undefined };

/** Probes for all with the same rights who ask before something changes. @throws what the probe does */
async function probeShared(
  read: Read,
  probe: NonNullable<Read["probe"]>,
  request: FastifyRequest,
  at: string,
): Promise<void> {
  if (!isShared(read, request)) return probe(request);
  const probed = await request.server.reads.answers.once(`probe ${sharingKey(request)}`, at, true, async () => {
    await probe(request);
    return withUses(request, PROBED);
  });
  if (probed !== undefined) noteUses(request, probed);
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

/** Result of a wait, for the client that waited. */
interface News {
  /** Indexes of the tables of the read, as `makeShared` takes them. */
  at: string;
  /** The answer, where it had to be made to see that it is news, or is kept and known to be right. */
  made: MadeAnswer | undefined;
  /** The index that is shown, and the changes that the feed had told before it was read (`Feed.changes`); of lists. */
  known?: { index: number; changes: number | undefined };
}

/** Finds the kept answer, where it is known to be still right without a look at the indexes. */
export function findUnchanged(read: Read, request: FastifyRequest) {
  const changes = read.sharing === "kept" ? request.ctx.db.feed.changes() : undefined;
  return changes === undefined ? undefined : request.server.reads.answers.findUnchanged(sharingKey(request), changes);
}

/**
 * Notes for the others who were woken, and who come next, that what was made for one of them is right: if nothing has changed
 * since before its indexes were read, which were the answer's.
 */
export function confirmNews({ sharing }: Read, request: FastifyRequest, { at, known }: News): void {
  if (sharing !== "kept" || known?.changes === undefined || known.changes !== request.ctx.db.feed.changes()) return;
  request.server.reads.answers.confirm(sharingKey(request), known.changes, known.index, at);
}

/**
 * Waits for what the request asks for. The headers of the read are set when it returns.
 *
 * @returns undefined when there is nobody to answer: the client has gone
 * @throws AppError as the read does, `rate_limited` when the caller waits too often already
 */
export function waitForNews(read: Read, request: FastifyRequest, reply: FastifyReply): Promise<News | undefined> {
  return waitFor<Look>(request, reply, {
    milliseconds: request.readOptions.waitMilliseconds,
    watched: (seen) => watchedBy(read, request, seen === undefined ? read.keyOf?.(request) : seen.made?.key),
    look: createLook(read, request),
    isOther: createComparison(read, request),
  });
}

/** Returns the changes to watch: those of the table, or of the object in it, that the caller may see. */
function watchedBy(read: Read, request: FastifyRequest, key: string | undefined): Watched[] {
  const { scope, readOptions } = request;
  const { partition, namespace } = scope;
  const watched = { partition, namespace, table: read.tables[0], key, after: readOptions.index };
  return watchedInSight(watched, sightOf(read, request));
}

/**
 * Makes the function that tells whether a list leaves out other entries than at
 * first, which is news whatever the index. A list that is refused tells that itself.
 */
function createComparison(read: Read, request: FastifyRequest): () => boolean {
  if (read.probe === undefined) return () => false;
  const { rightsKey } = request.ctx.actor;
  const sight = sightOf(read, request);
  return () => {
    if (request.ctx.actor.rightsKey === rightsKey) return false;
    return sight !== "all" || sightOf(read, request) !== "all";
  };
}

interface Look extends News {
  isNews: boolean;
}

/** Makes the function that looks whether the read has news for the client. */
function createLook(read: Read, request: FastifyRequest): () => Promise<Look> {
  const { index: known } = request.readOptions;
  let hasLooked = false;
  /** The index that was found first. */
  let firstIndex = 0;
  /** First result, as far as later results are compared with it. Undefined when the object was missing. */
  let before: MadeAnswer["body"] | undefined;
  // Indexes only rise, but for those of a namespace that is gone, which fall to the beginning: that is news too.
  const isNews = (index: number): boolean => index > known || (hasLooked && index < firstIndex);
  async function lookOnce(): Promise<Look> {
    // Only the first few of all requests that are woken together look at the indexes.
    const unchanged = hasLooked && read.probe !== undefined ? findUnchanged(read, request) : undefined;
    if (unchanged !== undefined) {
      showIndex(request, unchanged.index);
      noteUses(request, unchanged.answer);
      return { at: "", made: unchanged.answer, isNews: isNews(unchanged.index) };
    }
    const changes = request.ctx.db.feed.changes();
    const indexes = await readIndexes(read, request, sightOf(read, request));
    if (!hasLooked) firstIndex = indexes[0];
    showIndex(request, indexes[0]);
    const at = indexes.join();
    if (read.probe !== undefined) {
      if (!hasLooked) await probeShared(read, read.probe, request, at);
      return { at, made: undefined, known: { index: indexes[0], changes }, isNews: isNews(indexes[0]) };
    }
    const made = await findOrMissing(read, request, at);
    const index = made?.index ?? indexes[0];
    showIndex(request, index);
    const isNewer = isNews(index);
    // A write elsewhere in the table makes the index newer, and the object no other.
    const isOther = !hasLooked || before !== made?.body;
    return { at, made, isNews: isNewer && isOther };
  }

  return async () => {
    let seen = await lookOnce();
    // The object may have changed after the index was read and before it was: kept as what the client knows, the
    // change would never be news.
    const isOld = async (): Promise<boolean> => (await readIndexes(read, request, sightOf(read, request)))[0] > known;
    if (!hasLooked && !seen.isNews && (await isOld())) seen = await lookOnce();
    if (!hasLooked) before = seen.made?.body;
    hasLooked = true;
    return seen;
  };
}

async function findOrMissing(read: Read, request: FastifyRequest, at: string): Promise<MadeAnswer | undefined> {
  try {
    return await makeShared(read, request, at);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found" && read.awaitsMissing === true) return undefined;
    throw error;
  }
}
