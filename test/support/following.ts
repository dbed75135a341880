/** An application that answers reads as a thread beside the main one does, in the process of the test. */
import type { FastifyInstance } from "fastify";
import { buildApp, type AppOptions } from "../../src/app.ts";
import { answerForwarded } from "../../src/http/forwarding/answer.ts";
import type { Database, FollowingThread } from "../../src/storage/database.ts";
import { untilDurable } from "../../src/storage/writes/durable.ts";
import { openFollowing } from "../../src/storage/open.ts";

/** Set to 1: what a test asks of the embedded database's application is asked of one that follows it. */
const THREADS_VARIABLE = "TESSERA_TEST_THREADS";

export interface Front {
  app: FastifyInstance;
  /** The main one's database as tests use it: with the statements of both, and what is written told when it is durable. */
  db: Database;
  close(): Promise<void>;
}

interface FrontOptions extends AppOptions {
  url: string;
  dataDir: string;
  /** Whether it hears only what it asks for: no message comes by itself. */
  isDeaf?: boolean;
}

/** Opens it. @param main the application that makes the writes */
export async function openFront(
  main: FastifyInstance,
  { url, dataDir, isDeaf, ...options }: FrontOptions,
): Promise<Front> {
  const { db } = options;
  const followed = db.follow?.(() => undefined);
  if (followed === undefined) throw new Error("nobody can follow this database");
  const following = isDeaf === true ? deaf(followed.following) : followed.following;
  const follower = await openFollowing({ url, dataDir, onWarning: () => undefined }, following);
  const app = buildApp({
    ...options,
    db: follower,
    forward(request, onAnswer) {
      const forwarded = answerForwarded(main, request, onAnswer);
      return () => forwarded.abandon();
    },
    // As a message to another thread arrives.
    handRefusals: (gathered) => main.refusals.merge(structuredClone(gathered)),
  });
  await app.ready();
  return {
    app,
    db: {
      ...db,
      stats() {
        const [own, others] = [follower.stats(), db.stats()];
        const kinds = Object.entries(others.operations) as [keyof typeof own.operations, number][];
        const operations = Object.fromEntries(kinds.map(([kind, count]) => [kind, count + own.operations[kind]]));
        return { ...others, operations: operations as typeof own.operations };
      },
      async inTransaction(...asked) {
        const result = await db.inTransaction(...asked);
        await untilDurable(db);
        return result;
      },
    },
    async close() {
      await app.close();
      await follower.close();
      followed.leave();
    },
  };
}

/** Whether an application of that engine is asked through one that follows it. */
export function isFollowed(engine: Database["engine"]): boolean {
  return process.env[THREADS_VARIABLE] === "1" && engine === "sqlite";
}

/** The same where the environment asks for it, of an embedded database; undefined elsewhere. */
export async function frontOf(main: FastifyInstance, options: FrontOptions): Promise<Front | undefined> {
  const isAsked = process.env[THREADS_VARIABLE] === "1" && options.db.follow !== undefined;
  return isAsked ? openFront(main, options) : undefined;
}

function deaf(following: FollowingThread): FollowingThread {
  following.port.on = () => following.port;
  return following;
}
