/** Blocking queries: a read that names an index waits until it can show a newer one. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { watchedInSight } from "../../../acl/sight.ts";
import { AppError } from "../../../errors.ts";
import type { Watched } from "../../../watch/watches.ts";
import { waitFor } from "../../reads/waiting.ts";
import { sendMeta } from "./read-options.ts";
import { makeShared, probeShared, readIndexes, sightOf, type Read } from "./read.ts";
import type { MadeAnswer } from "../../reads/shared-answers.ts";

/** What a client that waited is to be told. */
export interface News {
  /** Indexes of the tables of the read, as `makeShared` takes them. */
  at: string;
  /** The answer, where it had to be made to see that it is news. */
  made: MadeAnswer | undefined;
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
    look: createLook(read, request, reply),
    isOther: createComparison(read, request),
  });
}

/** What the caller may see of the table, or of the object in it. */
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
function createLook(read: Read, request: FastifyRequest, reply: FastifyReply): () => Promise<Look> {
  const { index: known } = request.readOptions;
  let hasLooked = false;
  /** The index that was found first. */
  let firstIndex = 0;
  /** What was found first, as far as a later find is compared with it; undefined when it was missing. */
  let before: MadeAnswer["body"] | undefined;
  // Indexes only rise, but for those of a namespace that is gone, which fall to the beginning: that is news too.
  const isNews = (index: number): boolean => index > known || (hasLooked && index < firstIndex);
  async function lookOnce(): Promise<Look> {
    const indexes = await readIndexes(read, request, sightOf(read, request));
    if (!hasLooked) firstIndex = indexes[0];
    sendMeta(reply, indexes[0]);
    const at = indexes.join();
    if (read.probe !== undefined) {
      if (!hasLooked) await probeShared(read, read.probe, request, at);
      return { at, made: undefined, isNews: isNews(indexes[0]) };
    }
    const made = await findOrMissing(read, request, at);
    const index = made?.index ?? indexes[0];
    sendMeta(reply, index);
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
